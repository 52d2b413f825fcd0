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
package org.hdfsppr.client.device;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;

/** A file that is read and changed in place. Calls block, and may come from many threads. */
@InterfaceAudience.Private
public interface UpdatableBytes extends Closeable {
  /** @return bytes of the file; the number never changes */
  long length();

  /**
   * Reads, with all writes that have returned.
   *
   * @param position where in the file
   * @param into is filled
   * @throws IOException if not all bytes could be read
   */
  void read(long position, ByteBuffer into) throws IOException;

  /**
   * Writes, and returns when the bytes survive the loss of a node, and are seen by later reads.
   *
   * @param position where in the file
   * @param from the bytes, from position to limit
   * @throws IOException if it is not known whether all bytes were written
   */
  void write(long position, ByteBuffer from) throws IOException;

  /**
   * Brings all writes that have returned onto disks, those of earlier processes too. If a call
   * fails, a later call that succeeds covers the same writes, too.
   *
   * @throws IOException if the writes may be lost with the next loss of power
   */
  void sync() throws IOException;
}
