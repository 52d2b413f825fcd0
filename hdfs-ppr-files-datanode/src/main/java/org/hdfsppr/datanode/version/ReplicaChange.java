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
package org.hdfsppr.datanode.version;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Changes the bytes of a replica while it is copied. Used by one thread. */
interface ReplicaChange {
  /**
   * Returns the length of the windows into which the replica is cut, bytes; the last one may be
   * shorter.
   */
  int windowBytes();

  /**
   * Changes the bytes of one window. Windows come in ascending order.
   *
   * @param offset the offset of the window in the replica
   * @param window the bytes, from position to limit, in a heap buffer; the position does not move
   */
  void apply(long offset, ByteBuffer window) throws IOException;
}
