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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.util.Shell;

/** Shapes, cuts and counts the links of a cluster's DataNodes and racks. */
@InterfaceAudience.Private
public final class ClusterLinks {
  private final ClusterSpec spec;
  private final DataNodes dataNodes;
  private final Network network;

  ClusterLinks(ClusterSpec spec, DataNodes dataNodes, Network network) {
    this.spec = spec;
    this.dataNodes = dataNodes;
    this.network = network;
  }

  /**
   * Sets the rate of both directions of a node's link.
   *
   * @param node a DataNode, from 1
   * @param rate the rate of each direction
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void setRate(int node, Rate rate) throws IOException, InterruptedException {
    dataNodes.require(node);
    network.setRate(node, rate);
  }

  /**
   * Cuts or restores a node's link. A cut link drops packets silently, like a pulled cable.
   *
   * @param node a DataNode, from 1
   * @param up whether the link carries packets from now on
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void setLinkUp(int node, boolean up) throws IOException, InterruptedException {
    network.setLinkUp(node, up);
  }

  /**
   * Closes or opens the port at which a node serves repairs, as a firewall of the node does. The
   * node itself and its other ports are not touched.
   *
   * @param node a DataNode, from 1
   * @param open whether packets to the port arrive from now on
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void setRepairPortOpen(int node, boolean open) throws IOException, InterruptedException {
    dataNodes.require(node);
    network.setPortOpen(node, DaemonSettings.REPAIR_PORT, open);
  }

  /**
   * Limits every link of the cluster to the rate that the cluster's spec gives, or removes the
   * limits of all links.
   *
   * @param on {@code true} to limit the links
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void setShaping(boolean on) throws IOException, InterruptedException {
    for (int node = 1; node <= spec.nodes; node++) {
      network.setRate(node, on ? spec.rate : Rate.UNLIMITED);
    }
    for (int rack = 1; rack <= spec.racks; rack++) {
      network.setCrossRackRate(rack, on ? spec.crossRackRate : Rate.UNLIMITED);
    }
  }

  /**
   * {@return how many bytes a node's link has carried so far; empty if the network does not count
   * bytes}
   *
   * @param node a DataNode, from 1
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public Optional<LinkBytes> linkBytes(int node) throws IOException {
    return network.linkBytes(node);
  }

  /**
   * {@return how many bytes the link of a place for clients has carried so far; empty if the
   * network does not count bytes}
   *
   * @param place a place that {@link HdfsProcessCluster#createClientPlace} has made
   * @throws IOException if a file cannot be read
   */
  public Optional<LinkBytes> clientLinkBytes(int place) throws IOException {
    return network.clientLinkBytes(place);
  }

  /**
   * {@return how many bytes all racks together have sent to the core so far; empty if racks have no
   * links of their own}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public OptionalLong crossRackBytes() throws IOException {
    Optional<RackTraffic> traffic = network.crossRackTraffic();
    return traffic.isPresent() ? OptionalLong.of(traffic.get().bytes) : OptionalLong.empty();
  }

  /**
   * {@return what all racks together have sent to the core so far; empty if racks have no links of
   * their own}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public Optional<RackTraffic> crossRackTraffic() throws IOException {
    return network.crossRackTraffic();
  }

  /**
   * Begins to count bytes by who has sent them to whom, until the cluster goes down.
   *
   * @throws IOException if the network cannot count, with what it lacks
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void countPeers() throws IOException, InterruptedException {
    network.countPeers();
  }

  /**
   * {@return the bytes that were sent since {@link #countPeers}}
   *
   * @throws IOException if they are not counted
   * @throws InterruptedException if the calling thread is interrupted
   */
  public PeerBytes peerBytes() throws IOException, InterruptedException {
    return network.peerBytes();
  }

  /**
   * Runs a short command in a node's network namespace, if it has one. The command then sees the
   * same links and connections as the node.
   *
   * @param node a DataNode, from 1
   * @param command the command and its arguments
   * @return the command's output
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public String runAt(int node, String... command) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(network.launchPrefix(node));
    line.addAll(List.of(command));
    return Shell.run(line.toArray(new String[0]));
  }
}
