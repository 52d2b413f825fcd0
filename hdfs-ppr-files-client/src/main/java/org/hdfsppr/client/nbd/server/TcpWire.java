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
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The TCP connection of a client, with or without TLS. */
final class TcpWire implements ClientWire {
  private static final Logger LOG = LoggerFactory.getLogger(TcpWire.class);

  private final Socket raw;
  private Socket socket;
  private InputStream in;
  private OutputStream out;

  /** @param raw an open connection, which this object closes */
  TcpWire(Socket raw) throws IOException {
    this.raw = raw;
    raw.setTcpNoDelay(true);
    // A client may be silent for days. With keep-alive, the system finds out if its host is gone.
    raw.setKeepAlive(true);
    use(raw);
  }

  private void use(Socket now) throws IOException {
    socket = now;
    in = now.getInputStream();
    out = now.getOutputStream();
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int read = in.read(into.array(), into.arrayOffset() + into.position(),
        Math.min(into.remaining(), CALL_BYTES_MOST));
    if (read > 0) {
      into.position(into.position() + read);
    }
    return read;
  }

  @Override
  public void write(ByteBuffer from) throws IOException {
    while (from.hasRemaining()) {
      int part = Math.min(from.remaining(), CALL_BYTES_MOST);
      out.write(from.array(), from.arrayOffset() + from.position(), part);
      from.position(from.position() + part);
    }
  }

  @Override
  public void startTls(TlsKeys keys) throws IOException {
    use(keys.serve(raw));
  }

  @Override
  public void abort() {
    // This closes the raw socket, because closing the TLS socket would wait for a write that
    // blocks.
    IOUtils.cleanupWithLogger(LOG, raw);
  }

  @Override
  public void close() throws IOException {
    try {
      socket.close();
    } finally {
      raw.close();
    }
  }

  @Override
  public String toString() {
    return String.valueOf(raw.getRemoteSocketAddress());
  }
}
