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
import org.apache.hadoop.classification.InterfaceAudience;

/** Changes bytes of a copy of a replica on their way. Used by one thread. */
@InterfaceAudience.Private
interface ReplicaChange {
  /**
   * Returns how many bytes come at a time, from the beginning of the replica on; the last ones may
   * be fewer.
   */
  int windowBytes();

  /**
   * Changes bytes.
   *
   * @param offset where in the replica they are
   * @param window the bytes, from position to limit, in an array; the position stays
   */
  void apply(long offset, ByteBuffer window) throws IOException;
}
