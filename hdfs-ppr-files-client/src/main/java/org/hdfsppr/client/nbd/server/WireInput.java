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
package org.hdfsppr.client.nbd.server;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the messages of a client. During the handshake it reads no byte beyond a message, because
 * TLS may begin after any option. After the handshake it reads into a buffer all that has come,
 * which may be several requests. Used by one thread.
 */
final class WireInput {
  /** The size of the buffer, bytes: many short requests, or some writes of 4 KiB. */
  private static final int AHEAD_BYTES = 64 << 10;

  private final ClientWire wire;
  /**
   * Bytes that were read and not used yet, from position to limit; null before {@link #readAhead}.
   */
  private ByteBuffer ahead;

  WireInput(ClientWire wire) {
    this.wire = wire;
  }

  /** From now on, reads more than the caller wants if it has come. */
  void readAhead() {
    ahead = ByteBuffer.allocate(AHEAD_BYTES).flip();
  }

  /**
   * Waits for the first bytes of a message.
   *
   * @param into takes at least one byte
   * @return true if bytes have come; false if the client has closed the connection
   */
  boolean begin(ByteBuffer into) throws IOException {
    return some(into);
  }

  void fill(ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (!some(into)) {
        throw new EOFException("The client has closed the connection in the middle of a message");
      }
    }
  }

  /** Reads bytes and drops them. */
  void skip(long bytes) throws IOException {
    ByteBuffer waste = ByteBuffer.allocate((int) Math.min(bytes, AHEAD_BYTES));
    for (long left = bytes; left > 0;) {
      waste.clear().limit((int) Math.min(left, waste.capacity()));
      left -= waste.remaining();
      fill(waste);
    }
  }

  private boolean some(ByteBuffer into) throws IOException {
    if (ahead == null) {
      return wire.read(into) >= 0;
    }
    if (!ahead.hasRemaining()) {
      if (into.remaining() >= ahead.capacity()) {
        return wire.read(into) >= 0;
      }
      ahead.clear();
      try {
        if (wire.read(ahead) < 0) {
          return false;
        }
      } finally {
        ahead.flip();
      }
    }
    int part = Math.min(into.remaining(), ahead.remaining());
    into.put(ahead.array(), ahead.arrayOffset() + ahead.position(), part);
    ahead.position(ahead.position() + part);
    return true;
  }
}
