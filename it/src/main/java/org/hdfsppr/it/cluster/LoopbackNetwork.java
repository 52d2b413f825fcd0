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

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.hdfsppr.it.cluster.net.BoundSocketFactory;

/**
 * Node n is 127.0.NET.n. Linux answers on all of 127/8 without being asked, but gives every
 * connection the source 127.0.0.1, and the NameNode knows a DataNode by the source of its
 * connection: hence {@link BoundSocketFactory}.
 */
@InterfaceAudience.Private
final class LoopbackNetwork implements Network {
  /** Masters count down from here; DataNodes count up to 200. */
  private static final int HOST = 254;

  private final int net;

  LoopbackNetwork(int net) {
    this.net = net;
  }

  @Override
  public void create() {
    // The kernel has all of 127/8 already.
  }

  @Override
  public void remove() {
    // Nothing was created.
  }

  @Override
  public String hostAddress() {
    return "127.0." + net + "." + HOST;
  }

  @Override
  public String masterAddress(Master master) {
    return "127.0." + net + "." + (HOST - master.place());
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
  public void createClientPlace(Rate rate) {
    refuse(rate);
  }

  @Override
  public List<String> clientLaunchPrefix() {
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
  public OptionalLong crossRackBytes() {
    return OptionalLong.empty();
  }
}
