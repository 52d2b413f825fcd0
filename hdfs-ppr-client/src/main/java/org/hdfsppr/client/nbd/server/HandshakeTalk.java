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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.nbd.NbdHandshake;
import org.hdfsppr.client.nbd.NbdOption;
import org.hdfsppr.client.nbd.NbdStep;

/** Leads the handshake with one client. Used by one thread. */
@InterfaceAudience.Private
final class HandshakeTalk {
  private final ClientWire wire;
  private final WireInput input;
  private final NbdHandshake handshake;
  private final Optional<TlsKeys> keys;
  private final Chosen chosen;

  /** Runs when a client has chosen the export, before the client gets the answer. */
  interface Chosen {
    /** @throws IOException if the server closes the connection instead */
    void run() throws IOException;
  }

  /**
   * @param wire leads to the client
   * @param input reads from the wire
   * @param handshake decides about each answer
   * @param keys the server's key for TLS, if it has one
   * @param chosen runs at the end of the handshake
   */
  HandshakeTalk(ClientWire wire, WireInput input, NbdHandshake handshake, Optional<TlsKeys> keys,
      Chosen chosen) {
    this.chosen = chosen;
    this.wire = wire;
    this.input = input;
    this.handshake = handshake;
    this.keys = keys;
  }

  /**
   * Carries out the handshake until the client has chosen the export.
   *
   * @return false if it wants to end instead
   * @throws IOException if the client breaks the protocol, or the connection breaks
   */
  boolean run() throws IOException {
    wire.write(handshake.greeting());
    handshake.clientFlags(read(NbdHandshake.FLAGS_BYTES));
    while (true) {
      ByteBuffer header = ByteBuffer.allocate(NbdOption.HEADER_BYTES);
      if (!input.begin(header)) {
        return false;
      }
      input.fill(header);
      NbdStep step = step(NbdOption.decode(header.flip()));
      if (step.next == NbdStep.Next.REQUESTS) {
        chosen.run();
      }
      wire.write(step.answer);
      switch (step.next) {
        case END:
          return false;
        case REQUESTS:
          return true;
        case TLS:
          wire.startTls(keys.get());
          break;
        default:
          break;
      }
    }
  }

  private NbdStep step(NbdOption option) throws IOException {
    if (option.isReadable()) {
      return handshake.answer(option, read(option.length));
    }
    input.skip(option.length);
    return handshake.answer(option, ByteBuffer.allocate(0));
  }

  private ByteBuffer read(int bytes) throws IOException {
    ByteBuffer data = ByteBuffer.allocate(bytes);
    input.fill(data);
    return data.flip();
  }
}
