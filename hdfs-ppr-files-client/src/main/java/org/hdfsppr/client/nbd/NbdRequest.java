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
 * One request of a client, without the data that follow the request if it is a write. Decoding
 * checks only the magic; {@link NbdRequestRules} checks the other fields. Immutable.
 *
 * <pre>
 *   +-------+-------+------+--------+--------+--------+
 *   | magic | flags | type | cookie | offset | length |
 *   |   4   |   2   |  2   |   8    |   8    |   4    |  bytes, big-endian
 *   +-------+-------+------+--------+--------+--------+
 * </pre>
 */
@InterfaceAudience.Private
public final class NbdRequest {
  /** The length of a request, bytes. */
  public static final int HEADER_BYTES = 28;

  static final int MAGIC = 0x25609513;
  /** The server may answer only when the bytes of the request are on disks (FUA). */
  static final int DURABLE = 1;
  /** Zeroes must take space on the disk (NO_HOLE); here they always do. */
  static final int NO_HOLE = 1 << 1;
  /** The reply to a read must be one chunk (DF); here it always is. */
  static final int WHOLE = 1 << 2;
  /** The client wants zeroes only if that is faster than a write of zeroes (FAST_ZERO). */
  static final int FAST_ONLY = 1 << 4;

  private static final long UNSIGNED_INT = 0xffff_ffffL;

  final int flags;
  /** What the client wants */
  public final NbdRequestType type;
  /** The client's name for the request, which the reply repeats */
  public final long cookie;
  /** Where on the device the range begins, bytes; negative if the client has sent 2^63 or more */
  public final long offset;
  /** How many bytes of the device the request is about, less than 2^32 */
  public final long length;

  private NbdRequest(int flags, NbdRequestType type, long cookie, long offset, long length) {
    this.flags = flags;
    this.type = type;
    this.cookie = cookie;
    this.offset = offset;
    this.length = length;
  }

  /**
   * Decodes a request.
   *
   * @param header {@link #HEADER_BYTES} bytes
   * @return the request
   * @throws NbdProtocolException if these bytes are no request
   */
  public static NbdRequest decode(ByteBuffer header) throws NbdProtocolException {
    if (header.getInt() != MAGIC) {
      throw new NbdProtocolException("sent bytes that are no request");
    }
    int flags = Short.toUnsignedInt(header.getShort());
    NbdRequestType type = NbdRequestType.of(Short.toUnsignedInt(header.getShort()));
    return new NbdRequest(flags, type, header.getLong(), header.getLong(),
        header.getInt() & UNSIGNED_INT);
  }

  /** @return how many bytes follow the request */
  public long payloadBytes() {
    return type == NbdRequestType.WRITE ? length : 0;
  }

  /** @return whether the server may answer only when the bytes of the request are on disks */
  public boolean isDurable() {
    return (flags & DURABLE) != 0;
  }

  /** @return whether the client wants zeroes only if that is faster than a write of zeroes */
  public boolean isFastOnly() {
    return (flags & FAST_ONLY) != 0;
  }

  boolean isWhole() {
    return (flags & WHOLE) != 0;
  }

  @Override
  public String toString() {
    return type + " of " + length + " bytes at " + Long.toUnsignedString(offset);
  }
}
