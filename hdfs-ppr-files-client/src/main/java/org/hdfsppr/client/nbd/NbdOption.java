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

import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The head of an option, which is a message of a client in the handshake: magic, number, and length
 * of the data that follow. Immutable.
 */
@InterfaceAudience.Private
public final class NbdOption {
  /** The length of the head, bytes. */
  public static final int HEADER_BYTES = 16;
  /**
   * How many bytes of data an option may have so that the server reads them: the longest name that
   * the protocol allows, 4096 bytes, and as much again for the other fields.
   */
  public static final int DATA_BYTES_MOST = 8192;
  /**
   * How many bytes of data an option may have so that the server skips them and goes on. If an
   * option has more, the connection ends.
   */
  static final int SKIPPED_BYTES_MOST = 1 << 20;

  static final long MAGIC = 0x49484156454F5054L;
  static final int EXPORT_NAME = 1;
  static final int ABORT = 2;
  static final int LIST = 3;
  static final int START_TLS = 5;
  static final int INFO = 6;
  static final int GO = 7;
  static final int STRUCTURED_REPLY = 8;

  private static final long UNSIGNED_INT = 0xffff_ffffL;

  final int number;
  /** How many bytes of data follow */
  public final int length;

  private NbdOption(int number, int length) {
    this.number = number;
    this.length = length;
  }

  /**
   * Decodes the head of an option.
   *
   * @param header {@link #HEADER_BYTES} bytes
   * @return the option
   * @throws NbdProtocolException if these bytes are no option, or if more data follow than the
   *     server skips
   */
  public static NbdOption decode(ByteBuffer header) throws NbdProtocolException {
    if (header.getLong() != MAGIC) {
      throw new NbdProtocolException("sent bytes that are no option");
    }
    int number = header.getInt();
    long length = header.getInt() & UNSIGNED_INT;
    if (length > SKIPPED_BYTES_MOST) {
      throw new NbdProtocolException("sent option " + Integer.toUnsignedString(number) + " with "
          + length + " bytes");
    }
    return new NbdOption(number, (int) length);
  }

  /** @return whether the server reads the data; otherwise it skips them */
  public boolean isReadable() {
    return length <= DATA_BYTES_MOST;
  }
}
