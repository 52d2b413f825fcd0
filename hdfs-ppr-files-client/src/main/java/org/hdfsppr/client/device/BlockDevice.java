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
 * An array of bytes of a fixed size that many threads read and write at the same time. The caller
 * has checked that ranges lie within the device. Calls block.
 *
 * <p>A write that has returned is seen by all reads that begin later. It survives a loss of power
 * once a {@link #flush} that began later, or a {@link #persist} of its range, has returned, no
 * matter which thread or client called it. Of writes of the same bytes that overlap in time, any
 * may be the last.
 */
@InterfaceAudience.Private
public interface BlockDevice extends Closeable {
  /** @return bytes of the device */
  long size();

  /** @return whether the device refuses all changes */
  boolean isReadOnly();

  /**
   * Reads.
   *
   * @param offset where on the device
   * @param into is filled; its position moves to its limit
   * @throws IOException if not all bytes could be read; those in the buffer then mean nothing
   */
  void read(long offset, ByteBuffer into) throws IOException;

  /**
   * Writes.
   *
   * @param offset where on the device
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
   * Brings all writes that have returned onto disks.
   *
   * @throws IOException if some of them may be lost with the next loss of power
   */
  void flush() throws IOException;

  /**
   * Brings at least the writes to a range that have returned onto disks.
   *
   * @param offset where on the device
   * @param length how many bytes
   * @throws IOException if some of them may be lost with the next loss of power
   */
  void persist(long offset, long length) throws IOException;
}
