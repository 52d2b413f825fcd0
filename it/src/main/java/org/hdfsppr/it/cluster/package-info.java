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
 * An HDFS of real processes on one machine: its daemons, their settings and jars, links that are
 * shaped, counters, and the command {@code cluster.sh}. Tests and measurements drive it from
 * outside. What they look for does not belong here.
 */
package org.hdfsppr.it.cluster;
