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
package org.hdfsppr.bench.update;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;


/**
 * Round trips by plain sockets: a message there, a small answer back, and no other work. A server
 * answers one caller after the other.
 */
final class PingPong implements Closeable {
  /** About as long as the answer to an update. */
  private static final int ANSWER_BYTES = 32;
  /** How long a connection may take, ms. */
  private static final int CONNECT_MS_MAX = 10_000;

  private final ServerSocket listener;
  private final int bytes;

  private PingPong(ServerSocket listener, int bytes) {
    this.listener = listener;
    this.bytes = bytes;
  }

  /**
   * Serves on a free port, on a thread of its own.
   *
   * @param bytes the length of messages
   */
  static PingPong serve(int bytes) throws IOException {
    PingPong server = new PingPong(new ServerSocket(0), bytes);
    Thread thread = new Thread(server::acceptAll, "ping-pong");
    thread.setDaemon(true);
    thread.start();
    return server;
  }

  int port() {
    return listener.getLocalPort();
  }

  private void acceptAll() {
    while (true) {
      try (Socket caller = listener.accept()) {
        answer(caller);
      } catch (SocketException e) {
        if (listener.isClosed()) {
          return;
        }
        throw new UncheckedIOException(e);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void answer(Socket caller) throws IOException {
    caller.setTcpNoDelay(true);
    DataInputStream in = new DataInputStream(caller.getInputStream());
    OutputStream out = caller.getOutputStream();
    byte[] message = new byte[bytes];
    byte[] answer = new byte[ANSWER_BYTES];
    try {
      while (true) {
        in.readFully(message);
        out.write(answer);
      }
    } catch (EOFException e) {
      // The caller has sent its last message.
      return;
    }
  }

  /**
   * Sends messages, one after the answer to the other.
   *
   * @param address where a server is
   * @param bytes the length of messages, as the server knows it
   * @param warmUp round trips that do not count
   * @param count round trips that count
   */
  static Latencies measure(InetSocketAddress address, int bytes, int warmUp, int count)
      throws IOException {
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.connect(address, CONNECT_MS_MAX);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      byte[] message = new byte[bytes];
      byte[] answer = new byte[ANSWER_BYTES];
      return Latencies.measure(warmUp, count, () -> {
        out.write(message);
        in.readFully(answer);
      });
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
