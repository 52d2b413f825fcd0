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
 * {@code bench.sh characterize}: what reads and writes of a block device cost a cluster, for each
 * byte that was asked, under replication and erasure coding. A {@code LoadPoint} is one setting of
 * all options, a {@code PointTrial} measures it with {@code fio} on {@code hdfs ppr -nbd} ({@code
 * DeviceServer}) or with Hadoop's own client ({@code StockClient}), and a {@code UsageMeter} reads
 * the kernel's counters meanwhile.
 */
@InterfaceAudience.Private
package org.hdfsppr.bench.characterize;

import org.apache.hadoop.classification.InterfaceAudience;
