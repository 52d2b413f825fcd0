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
 * The update log of a DataNode for one block pool: its format on the disk, its state, and the rules
 * by which it takes records. Callers use {@code UpdateLog}. What the log does not know is
 * elsewhere: sockets, tickets, the other holders, and the HDFS replicas whose bytes the updates
 * change.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.update.log;

import org.apache.hadoop.classification.InterfaceAudience;
