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
import java.nio.channels.SocketChannel;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection of a client through a UNIX socket. */
final class ChannelWire implements ClientWire {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelWire.class);

  private final SocketChannel channel;

  /** @param channel an open connection, which this object closes */
  ChannelWire(SocketChannel channel) {
    this.channel = channel;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int limit = into.limit();
    into.limit(into.position() + Math.min(into.remaining(), CALL_BYTES_MOST));
    try {
      return channel.read(into);
    } finally {
      into.limit(limit);
    }
  }

  @Override
  public void write(ByteBuffer from) throws IOException {
    int limit = from.limit();
    while (from.position() < limit) {
      from.limit(from.position() + Math.min(limit - from.position(), CALL_BYTES_MOST));
      channel.write(from);
      from.limit(limit);
    }
  }

  @Override
  public void startTls(TlsKeys keys) throws IOException {
    throw new IOException("There is no TLS through UNIX sockets");
  }

  @Override
  public void abort() {
    IOUtils.cleanupWithLogger(LOG, channel);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public String toString() {
    return "a client of the UNIX socket";
  }
}
