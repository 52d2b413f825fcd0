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
package org.hdfsppr.manage;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;

/** The calls of DataNodes to a repair manager. */
@InterfaceAudience.Private
public interface RepairManagerProtocol {
  /**
   * The longest time for which a manager of this version holds a call of {@link #awaitOrders}, and
   * for which a DataNode asks it to do so, ms. A DataNode gives up the connection somewhat later.
   */
  int KEPT_MS_MAX = 20_000;

  /**
   * Takes a node's report and returns orders for this node. A DataNode calls this method at regular
   * intervals, and also as soon as a repair has ended. If an answer is lost, either side may
   * receive the same result or command twice. A DataNode repeats a result until the manager
   * acknowledges it. A manager repeats a command until the node reports the repair as running or
   * ended.
   *
   * @param request the DataNode's report
   * @return acknowledgements and commands
   * @throws IOException if the caller has no permission, or the manager cannot answer now
   */
  HeartbeatResponse heartbeat(HeartbeatRequest request) throws IOException;

  /**
   * Waits until the manager has orders for a DataNode, which the DataNode then fetches with a
   * heartbeat. A DataNode calls this method only if the manager's answers to heartbeats have an
   * {@link HeartbeatResponse#orderWaitMs}. If an answer is lost, the orders come with the next
   * regular heartbeat.
   *
   * @param uuid the UUID of the DataNode that calls
   * @param waitMs how long the manager may hold the call, ms, 1 to {@link
   *     HeartbeatResponse#ORDER_WAIT_MS_MAX}
   * @return true if there are orders; false if the time is over, or if the same DataNode has made
   *     another such call
   * @throws IOException if the caller has no permission, or the manager cannot answer now
   */
  boolean awaitOrders(String uuid, int waitMs) throws IOException;
}
