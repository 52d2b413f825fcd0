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
 * An HDFS of real processes on one machine, and the command {@code cluster.sh}. This package starts
 * the daemons, writes their settings, copies their jars, shapes their links and reads counters.
 * Tests and benchmarks control such a cluster from outside. Their checks and measurements do not
 * belong in this package.
 */
package org.hdfsppr.it.cluster;
