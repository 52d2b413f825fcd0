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
 * The bytes to and from one client. One thread reads while another one writes. All buffers are heap
 * buffers.
 */
interface ClientWire extends Closeable {
  /**
   * The most bytes of one system call. The JDK copies them through a direct buffer, which each
   * thread keeps, so that it has to be small.
   */
  int CALL_BYTES_MOST = 128 << 10;

  /** Reads at least one byte into a buffer that has room; returns -1 at the end. */
  int read(ByteBuffer into) throws IOException;

  /** Writes all bytes of a buffer. */
  void write(ByteBuffer from) throws IOException;

  /**
   * Begins TLS as the server. The caller must not have read any byte that belongs to TLS.
   *
   * @throws IOException if the client lacks a certificate that is trusted, or does not know TLS
   */
  void startTls(TlsKeys keys) throws IOException;

  /** Ends the connection at once, whatever other threads do with it at the moment. */
  void abort();

  /** Ends the connection in order, after all bytes that were written. */
  @Override
  void close() throws IOException;
}
