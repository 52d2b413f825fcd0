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

/** What DataNodes ask of a repair manager. */
@InterfaceAudience.Private
public interface RepairManagerProtocol {
  /**
   * Takes a node's news and returns its orders. To be called again and again, and at once when a
   * repair has ended. Both sides may see the same thing twice where an answer was lost: results are
   * repeated until they are acknowledged, commands until the node has the repair among its running
   * ones or its results.
   *
   * @throws IOException if the caller may not ask, or the manager cannot answer now
   */
  HeartbeatResponse heartbeat(HeartbeatRequest request) throws IOException;
}
