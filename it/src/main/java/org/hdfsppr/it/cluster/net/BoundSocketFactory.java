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
package org.hdfsppr.it.cluster.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;

import javax.net.SocketFactory;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;

/**
 * Gives every outgoing connection of a daemon the daemon's own loopback address as its source. Two
 * factories with the same address are equal, because Hadoop keeps one RPC client for each different
 * factory.
 */
@InterfaceAudience.Private
public class BoundSocketFactory extends SocketFactory implements Configurable {

  /** The setting that names the source address. */
  public static final String ADDRESS_KEY = "hdfsppr.it.source.address";

  private Configuration conf;
  private String address;

  @Override
  public void setConf(Configuration newConf) {
    conf = newConf;
    address = newConf.getTrimmed(ADDRESS_KEY);
    if (address == null) {
      throw new IllegalArgumentException(ADDRESS_KEY + " is not set");
    }
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public Socket createSocket() throws IOException {
    // The socket belongs to a channel, as in Hadoop's own factory, because Hadoop's streams with a
    // timeout need a channel.
    Socket socket = SocketChannel.open().socket();
    socket.bind(new InetSocketAddress(address, 0));
    return socket;
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    Socket socket = createSocket();
    socket.connect(new InetSocketAddress(host, port));
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return createSocket(InetAddress.getByName(host), port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort)
      throws IOException {
    Socket socket = SocketChannel.open().socket();
    socket.bind(new InetSocketAddress(localHost, localPort));
    socket.connect(new InetSocketAddress(host, port));
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return createSocket(InetAddress.getByName(host), port, localHost, localPort);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BoundSocketFactory
        && ((BoundSocketFactory) other).address.equals(address);
  }

  @Override
  public int hashCode() {
    return address.hashCode();
  }
}
