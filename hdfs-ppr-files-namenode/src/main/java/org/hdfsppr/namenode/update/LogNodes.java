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
package org.hdfsppr.namenode.update;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;

/** The DataNodes that keep update logs, as known from their heartbeats. Thread-safe. */
@InterfaceAudience.Private
public interface LogNodes {
  /**
   * @param uuid UUID of a DataNode
   * @return the DataNode with its rack; empty if it is silent, or if it keeps no update logs
   */
  Optional<NodeRef> live(String uuid);

  /**
   * @param uuid UUID of a DataNode
   * @return whether the DataNode accepts sealed tickets, whose tokens HDFS does not take for tokens
   *     of blocks. A DataNode with an older version of this software does not accept them
   */
  boolean knowsSealed(String uuid);

  /** @return the DataNodes with update logs that are not silent, with their racks */
  List<NodeRef> live();

  /**
   * @return whether this NameNode has run for long enough that all live DataNodes have sent it a
   *     heartbeat
   */
  boolean areKnown();
}
