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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on a TCP port. Any user of this host can connect to it. If the address is not the
 * loopback, any host can.
 */
@InterfaceAudience.Private
public final class TcpListener extends NbdListener {
  private static final Logger LOG = LoggerFactory.getLogger(TcpListener.class);
  /** How many connections wait at most to be accepted. */
  private static final int BACKLOG = 64;

  private final ServerSocket socket;
  private final Optional<TlsKeys> keys;

  private TcpListener(ServerSocket socket, Optional<TlsKeys> keys) {
    this.socket = socket;
    this.keys = keys;
  }

  /**
   * Opens a port.
   *
   * @param address the address; with port 0, the system chooses a port
   * @param keys the key for TLS, which all clients then have to use; empty for no TLS
   * @return the listener
   * @throws IOException if this host does not have the address, if the port is in use, or if other
   *     hosts could connect without TLS
   */
  public static TcpListener open(InetSocketAddress address, Optional<TlsKeys> keys)
      throws IOException {
    if (address.isUnresolved()) {
      throw new IOException("There is no host '" + address.getHostString() + "'");
    }
    if (!address.getAddress().isLoopbackAddress() && !keys.isPresent()) {
      throw new IOException(name(address.getAddress(), address.getPort()) + " is no loopback"
          + " address, and other hosts may connect only with TLS, for which there is no key");
    }
    ServerSocket socket = new ServerSocket();
    boolean isOpen = false;
    try {
      socket.setReuseAddress(true);
      socket.bind(address, BACKLOG);
      isOpen = true;
      return new TcpListener(socket, keys);
    } catch (IOException e) {
      throw new IOException("No listening at " + name(address.getAddress(), address.getPort())
          + ": " + e.getMessage(), e);
    } finally {
      if (!isOpen) {
        IOUtils.cleanupWithLogger(LOG, socket);
      }
    }
  }

  private static String name(InetAddress host, int port) {
    String text = host.getHostAddress();
    return (text.indexOf(':') < 0 ? text : '[' + text + ']') + ':' + port;
  }

  public int port() {
    return socket.getLocalPort();
  }

  @Override
  ClientWire accept() throws IOException {
    Socket client = socket.accept();
    boolean isGiven = false;
    try {
      ClientWire wire = new TcpWire(client);
      isGiven = true;
      return wire;
    } finally {
      if (!isGiven) {
        IOUtils.cleanupWithLogger(LOG, client);
      }
    }
  }

  @Override
  Optional<TlsKeys> keys() {
    return keys;
  }

  @Override
  public String uri() {
    return (keys.isPresent() ? "nbds://" : "nbd://") + name(socket.getInetAddress(), port());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
