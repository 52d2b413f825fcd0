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
package org.hdfsppr.datanode.host;

import java.net.InetAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.com.google.common.net.InetAddresses;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;

/**
 * Checks the nodes that a request names below this node in a tree. As far as a DataNode can know,
 * this class checks whether these nodes can be the DataNodes that the request claims. A DataNode
 * does not know the other DataNodes, and without block tokens any caller may send a request. But
 * each DataNode has an address of its own, all DataNodes serve repairs on one port, and none has a
 * multicast address. The checks use such facts. A request therefore cannot make a DataNode call
 * itself, call one address many times, or try the ports of a network. (The port of stock's data
 * transfer differs between DataNodes, and stock connects to any port that a writer names.)
 *
 * <p>A node that breaks a rule counts as a node that lacks a feature which the repair needs. The
 * planner then plans without sums of that node, and another node reads it as stock does, at the
 * address that the planner knows.
 */
@InterfaceAudience.Private
public final class NeighbourRules {
  private final int commonPort;
  private final boolean viaHostName;

  /**
   * @param commonPort the port for repairs that all DataNodes are configured with; 0 if there is no
   *     common port
   * @param viaHostName whether DataNodes connect to each other by host name instead of address
   */
  public NeighbourRules(int commonPort, boolean viaHostName) {
    this.commonPort = commonPort;
    this.viaHostName = viaHostName;
  }

  /**
   * Checks all nodes below {@code own} in the tree, and the nodes whose replicas the tree reads
   * with stock reads.
   *
   * @param self this node, as the NameNode knows it
   * @param own this node in the tree of the request
   * @throws RepairException if a node breaks a rule; the exception names the node
   */
  void check(NodeRef self, PlanNode own) throws RepairException {
    Map<String, NodeRef> places = new HashMap<>();
    take(places, self, self.xferPort);
    take(places, self, self.repairPort);
    check(places, self, own);
  }

  /**
   * Checks nodes to which a request lets this node connect.
   *
   * @param self this node, as the NameNode knows it
   * @param nodes other nodes
   * @throws RepairException if a node breaks a rule; the exception names the node
   */
  public void check(NodeRef self, Collection<NodeRef> nodes) throws RepairException {
    Map<String, NodeRef> places = new HashMap<>();
    take(places, self, self.xferPort);
    take(places, self, self.repairPort);
    for (NodeRef node : nodes) {
      checkServes(places, self, node);
    }
  }

  private void checkServes(Map<String, NodeRef> places, NodeRef self, NodeRef node)
      throws RepairException {
    checkAddress(self, node);
    int port = node.repairPort;
    if (port == 0 || commonPort != 0 && port != commonPort) {
      throw refused(node, "port " + port + " is not the one on which DataNodes serve"
          + " repairs, " + commonPort + " (" + PprKeys.DATANODE_ADDRESS_KEY
          + ", the same on all of them)");
    }
    take(places, node, port);
  }

  private void check(Map<String, NodeRef> places, NodeRef self, PlanNode node)
      throws RepairException {
    for (RepairSource share : node.sources) {
      if (node.isRemote(share)) {
        checkAddress(self, share.holder);
        take(places, share.holder, share.holder.xferPort);
      }
    }
    for (PlanNode child : node.children) {
      checkServes(places, self, child.node);
      check(places, self, child);
    }
  }

  private void take(Map<String, NodeRef> places, NodeRef node, int port) throws RepairException {
    NodeRef before = places.putIfAbsent(host(node) + ":" + port, node);
    if (before != null && !before.equals(node)) {
      throw refused(node, "port " + port + " of " + host(node) + " is that of another DataNode,"
          + " and each needs an address of its own");
    }
  }

  private String host(NodeRef node) {
    return viaHostName ? node.hostName.toLowerCase(Locale.ROOT) : node.ipAddr;
  }

  private void checkAddress(NodeRef self, NodeRef node) throws RepairException {
    if (viaHostName) {
      // Nodes are reached by host name, and the network's name service decides which names exist.
      return;
    }
    if (!InetAddresses.isInetAddress(node.ipAddr)) {
      throw refused(node, "'" + node.ipAddr + "' is not the address of a host");
    }
    InetAddress address = InetAddresses.forString(node.ipAddr);
    if (address.isMulticastAddress() || address.isAnyLocalAddress()
        || address.isLoopbackAddress() && !isLoopback(self)) {
      throw refused(node, node.ipAddr + " is no address of a DataNode");
    }
  }

  /**
   * Returns whether this node has a loopback address. Only a cluster on one machine has loopback
   * addresses.
   */
  private static boolean isLoopback(NodeRef self) {
    return InetAddresses.isInetAddress(self.ipAddr)
        && InetAddresses.forString(self.ipAddr).isLoopbackAddress();
  }

  private static RepairException refused(NodeRef node, String why) {
    return new RepairException(FailureCause.UNSUPPORTED, node, "not connected to: " + why, null);
  }
}
