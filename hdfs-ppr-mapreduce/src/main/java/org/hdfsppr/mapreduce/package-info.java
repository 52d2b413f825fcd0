/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
/**
 * Finds CORE groups by a MapReduce job, for namespaces with many millions of files. Mappers list
 * directories. Hadoop's sort brings files of one directory and policy together, ordered by their
 * length. Reducers plan groups in the same way as the NameNode does, and submit them to the
 * NameNode. The NameNode decides which groups it takes, and DataNodes move the bytes.
 */
package org.hdfsppr.mapreduce;
