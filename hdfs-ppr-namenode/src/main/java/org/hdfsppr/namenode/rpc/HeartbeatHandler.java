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
package org.hdfsppr.namenode.rpc;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;

/**
 * Answers heartbeats. Several threads may call a handler at a time. A call must not wait for long.
 */
@InterfaceAudience.Private
public interface HeartbeatHandler {
  /**
   * Takes note of what a node reports, and answers with the orders for the node.
   *
   * <p>A node repeats results until they are acknowledged. The same result may therefore come
   * twice, and it may come to a NameNode that has not ordered the repair. The handler should
   * acknowledge results of unknown repairs, too. An answer with a command may be lost. The handler
   * should repeat the command until the node names the repair among its running repairs or its
   * results. The node does not start a repair twice.
   *
   * @param caller the sender; the server has found it to be the live DataNode that it claims to be
   * @param request the node's heartbeat
   * @return the orders for the node
   * @throws IOException if no answer is possible now; the node then sends another heartbeat
   */
  HeartbeatResponse heartbeat(HeartbeatCaller caller, HeartbeatRequest request) throws IOException;

  /**
   * Keeps the call of a DataNode until there are orders for the node, or its time is over.
   * DataNodes make such calls only if this handler's answers to their heartbeats say how long it
   * keeps calls.
   *
   * @param uuid the UUID of the DataNode, which is live
   * @param waitMs how long the call may be kept, ms
   * @param call the call
   * @throws IOException if the handler does not keep the call; it then does not answer the call
   */
  default void awaitOrders(String uuid, int waitMs, WaitingCall call) throws IOException {
    throw new IOException("No call is kept here until there are orders");
  }
}
