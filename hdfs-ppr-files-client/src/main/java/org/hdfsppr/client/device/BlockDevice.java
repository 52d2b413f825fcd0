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
 * A block device: an array of bytes of a fixed size that many threads read and write at the same
 * time. Callers check that ranges lie within the device. A call returns when it is done.
 *
 * <p>All reads that begin after a write has returned see the write. The write survives a loss of
 * power once a {@link #flush} or a {@link #persist} of its range, which began after it, has
 * returned, no matter which thread or client called it. If several writes of the same bytes run at
 * the same time, any of them may be the last.
 */
@InterfaceAudience.Private
public interface BlockDevice extends Closeable {
  /** @return bytes of the device */
  long size();

  /** @return whether the device refuses all changes */
  boolean isReadOnly();

  /**
   * Reads bytes of the device.
   *
   * @param offset where on the device the range begins, bytes
   * @param into takes the bytes; its position moves to its limit
   * @throws IOException if not all bytes could be read; the content of the buffer is then undefined
   */
  void read(long offset, ByteBuffer into) throws IOException;

  /**
   * Writes bytes of the device.
   *
   * @param offset where on the device the range begins, bytes
   * @param from the bytes, from position to limit
   * @throws IOException if it is not known whether all bytes were written
   */
  void write(long offset, ByteBuffer from) throws IOException;

  /**
   * Makes bytes zero, as a write of zeroes would.
   *
   * @param offset where on the device
   * @param length how many bytes; there is no limit
   * @throws IOException if it is not known whether all bytes are zero
   */
  void zero(long offset, long length) throws IOException;

  /** @return whether {@link #zero} is faster than a write of as many bytes */
  boolean isZeroFast();

  /**
   * Syncs to disks all writes that have returned.
   *
   * @throws IOException if a loss of power may lose some of them
   */
  void flush() throws IOException;

  /**
   * Syncs to disks all writes to a range that have returned, and perhaps other writes as well.
   *
   * @param offset where on the device
   * @param length how many bytes
   * @throws IOException if a loss of power may lose some of them
   */
  void persist(long offset, long length) throws IOException;
}
