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

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.net.Peer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection over a {@link Peer} of Hadoop, with the streams that the handshake returned. */
@InterfaceAudience.Private
public final class PeerConnection implements TransferConnection {
  private static final Logger LOG = LoggerFactory.getLogger(PeerConnection.class);

  private final Peer peer;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  /** The states that {@link #memory} has made for this connection, by their class. */
  private final Map<Class<?>, Object> memories = new ConcurrentHashMap<>();
  private volatile boolean aborted;

  /**
   * @param socket the socket below the peer
   * @param in the stream from which to read after the handshake
   * @param peer Hadoop's peer
   * @param out the stream to which to write after the handshake
   */
  public PeerConnection(Peer peer, Socket socket, InputStream in, OutputStream out) {
    this.peer = peer;
    this.socket = socket;
    this.in = in;
    this.out = out;
  }

  @Override
  public InputStream in() {
    return in;
  }

  @Override
  public OutputStream out() {
    return out;
  }

  @Override
  public <T> T memory(Class<T> kind, Supplier<T> make) {
    return kind.cast(memories.computeIfAbsent(kind, any -> make.get()));
  }

  @Override
  public void setTimeout(int timeoutMs) throws IOException {
    peer.setReadTimeout(timeoutMs);
    peer.setWriteTimeout(timeoutMs);
  }

  /**
   * Bounds the bytes that wait to be sent, or are sent but not acknowledged. The system rounds the
   * number, and also counts its own overhead.
   *
   * @param bytes at least 1
   * @throws IOException if the connection is closed
   */
  public void setUnsentMost(int bytes) throws IOException {
    socket.setSendBufferSize(bytes);
  }

  /**
   * Shuts the socket down. Does not touch the streams, because another thread may be using their
   * buffers.
   */
  @Override
  public void abort() {
    aborted = true;
    abort(socket);
  }

  /**
   * Shuts both directions of a socket down at once. A close would not be enough, because it does
   * not wake up a thread that waits with a selector, as Hadoop's streams do.
   */
  static void abort(Socket socket) {
    try {
      socket.shutdownInput();
    } catch (IOException e) {
      LOG.debug("{} was not open any more", socket, e);
    }
    try {
      socket.shutdownOutput();
    } catch (IOException e) {
      LOG.debug("{} was not open any more", socket, e);
    }
  }

  /**
   * Says whether this node has aborted the connection. An exception does not show it, because a
   * read or write fails in the same way if the peer aborts.
   *
   * @return whether {@link #abort} was called
   */
  public boolean isAborted() {
    return aborted;
  }

  @Override
  public void close() {
    try {
      peer.close();
    } catch (IOException e) {
      LOG.debug("Connection to {} did not close cleanly", peer, e);
    }
  }

  @Override
  public String toString() {
    return peer.getRemoteAddressString();
  }
}
