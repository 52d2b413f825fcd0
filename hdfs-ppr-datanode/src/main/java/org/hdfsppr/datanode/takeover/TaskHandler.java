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
package org.hdfsppr.datanode.takeover;

import org.apache.hadoop.classification.InterfaceAudience;

/** Takes over reconstructions that stock schedules on this DataNode, or leaves them to stock. */
@InterfaceAudience.Private
public interface TaskHandler {
  /**
   * Takes the task or leaves it to stock. The thread that carries out the NameNode's commands calls
   * this method, so an implementation only decides and queues, and never waits.
   *
   * @param task a task that is not settled yet
   * @return true if the handler takes the task and will settle it once; false, or any exception,
   *     leaves an unsettled task to stock
   */
  boolean offer(StockTask task);
}
