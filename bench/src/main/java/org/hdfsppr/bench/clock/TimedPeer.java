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
package org.hdfsppr.bench.clock;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ReadableByteChannel;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.net.unix.DomainSocket;

/** A client's connection to a DataNode. The time of its reads counts as waiting. */
@InterfaceAudience.Private
public final class TimedPeer implements Peer {
  private final Peer peer;
  private final ReadClock clock;

  /**
   * @param peer the connection
   * @param clock gets the times
   */
  public TimedPeer(Peer peer, ReadClock clock) {
    this.peer = peer;
    this.clock = clock;
  }

  @Override
  public ReadableByteChannel getInputStreamChannel() {
    ReadableByteChannel channel = peer.getInputStreamChannel();
    return channel == null ? null : new TimedInputChannel(channel, clock);
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return new TimedInput(peer.getInputStream(), clock);
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return peer.getOutputStream();
  }

  @Override
  public void setReadTimeout(int timeoutMs) throws IOException {
    peer.setReadTimeout(timeoutMs);
  }

  @Override
  public void setWriteTimeout(int timeoutMs) throws IOException {
    peer.setWriteTimeout(timeoutMs);
  }

  @Override
  public int getReceiveBufferSize() throws IOException {
    return peer.getReceiveBufferSize();
  }

  @Override
  public boolean getTcpNoDelay() throws IOException {
    return peer.getTcpNoDelay();
  }

  @Override
  public boolean isClosed() {
    return peer.isClosed();
  }

  @Override
  public void close() throws IOException {
    peer.close();
  }

  @Override
  public String getRemoteAddressString() {
    return peer.getRemoteAddressString();
  }

  @Override
  public String getLocalAddressString() {
    return peer.getLocalAddressString();
  }

  @Override
  public boolean isLocal() {
    return peer.isLocal();
  }

  @Override
  public DomainSocket getDomainSocket() {
    return peer.getDomainSocket();
  }

  @Override
  public boolean hasSecureChannel() {
    return peer.hasSecureChannel();
  }

  @Override
  public String toString() {
    return peer.toString();
  }
}
