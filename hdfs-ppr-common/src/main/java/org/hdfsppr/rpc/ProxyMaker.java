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
package org.hdfsppr.rpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Makes proxies of one RPC protocol. A caller that needs many proxies should keep its maker,
 * because a new maker copies the configuration, which takes longer than a call. The proxies do not
 * retry, because each caller decides itself which NameNode it calls next, and when. Immutable.
 *
 * @param <P> the protocol
 */
@InterfaceAudience.Private
public final class ProxyMaker<P> {
  private final Class<P> protocol;
  private final Configuration conf;
  private final int timeoutMs;

  private ProxyMaker(Class<P> protocol, Configuration conf, int timeoutMs) {
    this.protocol = protocol;
    this.conf = conf;
    this.timeoutMs = timeoutMs;
  }

  /**
   * Makes a maker of proxies.
   *
   * @param <P> the protocol
   * @param protocol the protocol
   * @param configuration the configuration; copied
   * @param timeoutMs milliseconds to wait for the connection; the wait for an answer may take as
   *     long again
   * @return the maker
   */
  public static <P> ProxyMaker<P> of(Class<P> protocol, Configuration configuration,
      int timeoutMs) {
    Configuration conf = new Configuration(configuration);
    RPC.setProtocolEngine(conf, protocol, ProtobufRpcEngine2.class);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    conf.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, timeoutMs);
    return new ProxyMaker<>(protocol, conf, timeoutMs);
  }

  /**
   * Makes a proxy, which connects when its first call is made.
   *
   * @param address address of the server
   * @param user the user that makes the calls
   * @return the proxy, which the caller has to stop
   * @throws IOException if Hadoop's RPC cannot make a proxy
   */
  public P proxy(InetSocketAddress address, UserGroupInformation user) throws IOException {
    return RPC.getProtocolProxy(protocol, RPC.getProtocolVersion(protocol), named(address), user,
        conf, NetUtils.getDefaultSocketFactory(conf), timeoutMs, null).getProxy();
  }

  /**
   * Sets the host name of an address that has only an IP address to the digits of the IP address.
   * Hadoop's RPC finds a connection by the host name of its address. Without a host name, Java
   * would ask the name service in each call, and all other calls of the process would wait
   * meanwhile.
   */
  private static InetSocketAddress named(InetSocketAddress address) throws UnknownHostException {
    return address.isUnresolved() ? address : new InetSocketAddress(InetAddress.getByAddress(
        address.getHostString(), address.getAddress().getAddress()), address.getPort());
  }
}
