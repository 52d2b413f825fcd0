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
 * Checks that hdfs-ppr fits the running Hadoop. One class loader must have loaded the classes of
 * both, and Hadoop must have the non-public members that hdfs-ppr uses. The package looks these
 * members up by name and type when a daemon or client starts. If a member is missing, the caller
 * changes nothing in Hadoop. The {@code ...Access} classes use the members. {@code Extensions}
 * finds what a second jar adds to the jar of repairs; it looks only where the class loader of that
 * jar looks.
 */
package org.hdfsppr.loader;
