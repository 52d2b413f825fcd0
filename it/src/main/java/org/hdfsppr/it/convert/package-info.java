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
 * Versions of files on clusters of this machine. These classes run commands of {@code hdfs ppr},
 * stop a NameNode at a moment of a version, and look at what versions have left on disks. Tests of
 * faults and the benchmarks use them.
 */
package org.hdfsppr.it.convert;
