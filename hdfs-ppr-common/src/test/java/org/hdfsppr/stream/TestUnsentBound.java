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
package org.hdfsppr.stream;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** Tests how many bytes a connection takes from its sender while its receiver reads none. */
class TestUnsentBound {
  private static final int BOUND = 32 << 10;
  private static final int RECEIVE_BYTES = 4 << 10;
  /** The system counts twice the bound, with its overhead, and rounds the receiver's buffer up. */
  private static final int SLACK = 4;

  @Test
  void boundedConnectionTakesFewBytes() throws IOException {
    int bounded = taken(BOUND);
    assertTrue(bounded <= SLACK * (BOUND + RECEIVE_BYTES), bounded + " bytes waited");
    int larger = taken(8 * BOUND);
    assertTrue(larger > bounded, larger + " bytes waited, and " + bounded + " with less");
  }

  /** Returns how many bytes a sender can write until the connection takes none any more. */
  private static int taken(int bound) throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.socket().setReceiveBufferSize(RECEIVE_BYTES);
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel sender = SocketChannel.open(listener.getLocalAddress());
          SocketChannel receiver = listener.accept()) {
        new PeerConnection(null, sender.socket(), null, null).setUnsentMost(bound);
        sender.configureBlocking(false);
        assertTrue(receiver.isConnected());
        int taken = 0;
        ByteBuffer bytes = ByteBuffer.allocate(4 << 10);
        int written;
        do {
          bytes.clear();
          written = sender.write(bytes);
          taken += written;
        } while (written > 0);
        return taken;
      }
    }
  }
}
