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
package org.hdfsppr.client.nbd;

import org.apache.hadoop.classification.InterfaceAudience;

/** The device as a client sees it: its size, and what it can do. Immutable. */
@InterfaceAudience.Private
public final class NbdExport {
  /** The least length of a request: one byte, because HDFS has no sectors. */
  static final int BLOCK_LEAST = 1;
  /**
   * The length and the alignment that clients should prefer: a page, which file systems use, too.
   */
  static final int BLOCK_PREFERRED = 4096;
  /**
   * The longest read or write, bytes. By the protocol, clients may send requests of this length
   * without asking for the server's limit.
   */
  public static final int REQUEST_BYTES_MOST = 32 << 20;

  private static final int HAS_FLAGS = 1;
  private static final int READ_ONLY = 1 << 1;
  private static final int FLUSH = 1 << 2;
  private static final int DURABLE_WRITES = 1 << 3;
  private static final int WRITE_ZEROES = 1 << 6;
  private static final int WHOLE_READS = 1 << 7;
  private static final int MANY_CONNECTIONS = 1 << 8;
  private static final int FAST_ZEROES = 1 << 11;

  /** Bytes of the device */
  public final long size;
  public final boolean isReadOnly;
  final String description;

  /**
   * @param size bytes of the device
   * @param isReadOnly whether the device refuses changes
   * @param description a text about the device that clients may show to their users
   */
  public NbdExport(long size, boolean isReadOnly, String description) {
    if (size < 0) {
      throw new IllegalArgumentException("A device has no " + size + " bytes");
    }
    this.size = size;
    this.isReadOnly = isReadOnly;
    this.description = description;
  }

  /**
   * Returns the flags by which the protocol says what the device can do. One of them lets a client
   * use several connections: all connections share the device, and a flush syncs the writes of all
   * of them.
   *
   * <p>The flag for trim is not set, although the server carries out a trim if a client sends one.
   * A trim frees no space here and reads its whole range, so that fstrim would read the whole
   * device.
   */
  int transmissionFlags(boolean isStructured) {
    int flags = HAS_FLAGS | FLUSH | DURABLE_WRITES | MANY_CONNECTIONS
        | (isStructured ? WHOLE_READS : 0);
    return isReadOnly ? flags | READ_ONLY : flags | WRITE_ZEROES | FAST_ZEROES;
  }
}
