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

import org.apache.hadoop.classification.InterfaceAudience;

/** The call of a DataNode that waits for orders. Thread-safe. */
@InterfaceAudience.Private
public interface WaitingCall {
  /**
   * Answers the call, without waiting. Only the first answer is sent, and none to a DataNode that
   * has gone. This throws no exception.
   *
   * @param hasOrders whether there are orders
   */
  void answer(boolean hasOrders);
}
