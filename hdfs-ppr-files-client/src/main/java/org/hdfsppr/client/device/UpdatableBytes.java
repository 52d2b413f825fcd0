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

/**
 * A file of a device that is read and changed in place. Many threads may call it. A call returns
 * when it is done.
 */
@InterfaceAudience.Private
public interface UpdatableBytes extends Closeable {
  /** @return bytes of the file; the number never changes */
  long length();

  /**
   * Reads bytes. The read sees all writes that have returned.
   *
   * @param position where in the file
   * @param into takes the bytes; its position moves to its limit
   * @throws IOException if not all bytes could be read
   */
  void read(long position, ByteBuffer into) throws IOException;

  /**
   * Writes bytes. When this returns, the bytes survive the loss of a DataNode, and later reads see
   * them.
   *
   * @param position where in the file
   * @param from the bytes, from position to limit
   * @throws IOException if it is not known whether all bytes were written
   */
  void write(long position, ByteBuffer from) throws IOException;

  /**
   * Syncs to disks all writes that have returned, also those of earlier processes. After a call
   * that has failed, a later call syncs the same writes as well.
   *
   * @throws IOException if a loss of power may lose some of the writes
   */
  void sync() throws IOException;
}
