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

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The connection to one client. One thread may read while another one writes. All buffers must be
 * heap buffers.
 */
interface ClientWire extends Closeable {
  /**
   * How many bytes are read or written in one system call at most. The JDK copies them through a
   * direct buffer of this size, and keeps one for each thread, so they have to be small.
   */
  int CALL_BYTES_MOST = 128 << 10;

  /**
   * Reads at least one byte into a buffer that has room. Returns how many bytes, or -1 if the
   * client has closed the connection.
   */
  int read(ByteBuffer into) throws IOException;

  /** Writes all bytes of a buffer. */
  void write(ByteBuffer from) throws IOException;

  /**
   * Begins TLS, with this process as the server. The caller must not have read any byte that
   * belongs to TLS.
   *
   * @throws IOException if the client has no trusted certificate but needs one, or does not support
   *     TLS
   */
  void startTls(TlsKeys keys) throws IOException;

  /** Ends the connection at once, even while other threads read or write. */
  void abort();

  /** Ends the connection after all bytes that were written have been sent. */
  @Override
  void close() throws IOException;
}
