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
package org.hdfsppr.client.spread;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.SpreadMove;

/** Moves blocks between DataNodes. Thread-safe. */
@InterfaceAudience.Private
@FunctionalInterface
public interface BlockMover {
  /**
   * Moves a block. When this returns, the new DataNode has a verified replica, and reports it to
   * the NameNode, which then deletes the old replica.
   *
   * @param move the move
   * @throws IOException if the block was not moved; the old replica stays
   */
  void move(SpreadMove move) throws IOException;
}
