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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.hdfsppr.it.cluster.net.BoundSocketFactory;

/**
 * A network on the loopback interface, in which node n has the address 127.0.NET.n. Linux accepts
 * connections to all of 127/8 without configuration, but gives every outgoing connection the source
 * 127.0.0.1. The NameNode identifies a DataNode by the source address of the DataNode's connection.
 * So DataNodes use {@link BoundSocketFactory}, which binds each connection to the DataNode's own
 * address.
 */
final class LoopbackNetwork implements Network {
  /**
   * The last byte of the host's address. NameNodes and JournalNodes use 254, 253 and so on
   * downwards. DataNodes use 1 to 200.
   */
  private static final int HOST = 254;

  private final int net;

  LoopbackNetwork(int net) {
    this.net = net;
  }

  @Override
  public void create() {
    // Nothing is built, because the kernel accepts all of 127/8 already.
  }

  @Override
  public void remove() {
    // Nothing is removed, because create() builds nothing.
  }

  @Override
  public String hostAddress() {
    return "127.0." + net + "." + HOST;
  }

  @Override
  public String masterAddress(Master master) {
    return "127.0." + net + "." + (HOST - master.place);
  }

  @Override
  public String nodeAddress(int node) {
    return "127.0." + net + "." + node;
  }

  @Override
  public List<String> launchPrefix(int node) {
    return List.of();
  }

  @Override
  public List<String> launchPrefix(Master master) {
    return List.of();
  }

  @Override
  public void createClientPlace(int place, Rate rate) {
    refuse(rate);
  }

  @Override
  public List<String> clientLaunchPrefix(int place) {
    return List.of();
  }

  @Override
  public Map<String, String> nodeSettings(int node) {
    return Map.of(
        CommonConfigurationKeysPublic.HADOOP_RPC_SOCKET_FACTORY_CLASS_DEFAULT_KEY,
        BoundSocketFactory.class.getName(),
        BoundSocketFactory.ADDRESS_KEY, nodeAddress(node));
  }

  @Override
  public void setRate(int node, Rate rate) {
    refuse(rate);
  }

  @Override
  public void setLinkUp(int node, boolean up) {
    throw new IllegalStateException("a loopback network has no links to cut");
  }

  @Override
  public void setPortOpen(int node, int port, boolean open) {
    throw new IllegalStateException("a loopback network has no firewall");
  }

  @Override
  public void setLinkUp(Master master, boolean up) {
    throw new IllegalStateException("a loopback network has no links to cut");
  }

  @Override
  public void setCrossRackRate(int rack, Rate rate) {
    refuse(rate);
  }

  private static void refuse(Rate rate) {
    if (!rate.isUnlimited()) {
      throw new IllegalStateException("a loopback network cannot be shaped to " + rate);
    }
  }

  @Override
  public Optional<LinkBytes> linkBytes(int node) {
    return Optional.empty();
  }

  @Override
  public Optional<LinkBytes> clientLinkBytes(int place) {
    return Optional.empty();
  }

  @Override
  public Optional<RackTraffic> crossRackTraffic() {
    return Optional.empty();
  }

  @Override
  public void countPeers() throws IOException {
    throw new IOException("a loopback network does not count bytes: use --network namespaces");
  }

  @Override
  public PeerBytes peerBytes() throws IOException {
    throw new IOException("a loopback network does not count bytes");
  }
}
