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
 * Takes the updates of clients, and serves those that no version of their file contains yet. The
 * history of a unit is its numbered updates. A node leads the history of a unit, which means that
 * it numbers the updates and sends them to the other holders, or it follows a leader. Package
 * {@code log} has the format of logs and the rules of histories; {@code org.hdfsppr.update.append}
 * has the messages. For some strategies of commits, the leader does more: it reads the bytes that
 * an update overwrites ({@code OverwrittenBytes}), or makes deltas ({@code EpochDeltas}). With
 * these, nodes of parity units can calculate changes from their own logs.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.update;

import org.apache.hadoop.classification.InterfaceAudience;
