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
package org.hdfsppr.datanode.security;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PartialSumResponse;
import org.hdfsppr.wire.RequestFraming;
import org.hdfsppr.wire.SliceBuffer;
import org.hdfsppr.wire.SliceReader;
import org.hdfsppr.wire.proto.PprProtos.PartialSumResponseProto;

/**
 * A caller that opens a TCP connection to a repair port without SASL, and can break the protocol.
 */
@InterfaceAudience.Private
final class WireClient implements Closeable {
  private static final int TIMEOUT_MS = 60_000;

  final Socket socket;
  private ChannelInput in;

  private WireClient(Socket socket) {
    this.socket = socket;
  }

  static WireClient connect(int port) throws IOException {
    return connect(port, "127.0.0.1");
  }

  /**
   * @param from the address of this machine from which the caller connects
   */
  static WireClient connect(int port, String from) throws IOException {
    Socket socket = new Socket();
    boolean connected = false;
    try {
      socket.bind(new InetSocketAddress(from, 0));
      socket.connect(new InetSocketAddress("127.0.0.1", port), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      connected = true;
      return new WireClient(socket);
    } finally {
      if (!connected) {
        socket.close();
      }
    }
  }

  void send(byte... bytes) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes);
    out.flush();
  }

  void send(PartialSumRequest request) throws IOException {
    DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 18));
    RequestFraming.write(out, request);
    out.flush();
  }

  private ChannelInput in() throws IOException {
    if (in == null) {
      in = new ChannelInput(socket.getInputStream());
    }
    return in;
  }

  /** Reads the answer that precedes the slices. */
  PartialSumResponseProto answer() throws IOException {
    return PartialSumResponseProto.parseFrom(
        in().readDelimited("answer", PartialSumResponse.RESPONSE_BYTES_MAX));
  }

  /** Returns a reader of the slices that follow the answer. */
  SliceReader slices(PartialSumRequest request) throws IOException {
    return new SliceReader(in(), request.geometry, request.subtree, progress -> { });
  }

  /** Receives all slices of a plan with one output row. */
  byte[] receiveAll(PartialSumRequest request) throws IOException {
    SliceReader reader = slices(request);
    ByteBuffer all = ByteBuffer.allocate((int) request.geometry.streamBytes());
    SliceBuffer buffer = new SliceBuffer(ByteBuffer.allocateDirect(
        SliceBuffer.bytesFor(1, request.geometry.sliceBytes())), 1);
    for (int slice = 0; slice < request.geometry.slices(); slice++) {
      buffer.shape(1, request.geometry.length(slice));
      reader.receive(slice, buffer);
      all.put(buffer.row(0));
    }
    reader.receiveEnd();
    return all.array();
  }

  /**
   * Reads until the other side closes the connection.
   *
   * @param timeoutMs the longest time to wait, ms
   * @return the number of bytes that were received before, or -1 if the connection was not closed
   *     in time
   */
  long bytesUntilClosed(int timeoutMs) throws IOException {
    long deadline = System.nanoTime() + timeoutMs * 1_000_000L;
    byte[] bytes = new byte[4096];
    long sum = 0;
    while (true) {
      long leftMs = (deadline - System.nanoTime()) / 1_000_000;
      if (leftMs <= 0) {
        return -1;
      }
      socket.setSoTimeout((int) leftMs);
      try {
        int n = socket.getInputStream().read(bytes);
        if (n < 0) {
          return sum;
        }
        sum += n;
      } catch (SocketTimeoutException e) {
        return -1;
      } catch (SocketException e) {
        // The server closed the connection with unread bytes in it, which causes a reset. This
        // counts as closed.
        return sum;
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
