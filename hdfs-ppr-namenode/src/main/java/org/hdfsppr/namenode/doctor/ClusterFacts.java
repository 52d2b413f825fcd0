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
package org.hdfsppr.namenode.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.OwnJar;
import org.hdfsppr.plan.NodeRef;

/** What this NameNode knows about all nodes of a cluster at one moment. Immutable. */
@InterfaceAudience.Private
public final class ClusterFacts {
  /** The DataNodes that stock counts as live */
  public final List<NodeRef> live;
  /**
   * The last reports of the plugins on live DataNodes, by the nodes' names, also of plugins that
   * send no heartbeats any more
   */
  public final List<NodeFacts> plugins;
  private final Map<String, String> closedPorts;
  /** The number of DataNodes to which this NameNode has not yet tried to connect */
  public final int portsUnchecked;
  /** The facts about this NameNode itself. */
  final NameNodeFacts namenode;

  /**
   * @param live the DataNodes that stock counts as live
   * @param plugins the last reports of the DataNodes' plugins; those of nodes that are not live are
   *     left out
   * @param closedPorts for each DataNode to whose repair port this NameNode cannot connect, by
   *     UUID, the reason
   * @param portsUnchecked the number of DataNodes to which this NameNode has not yet tried to
   *     connect
   * @param namenode the facts about this NameNode itself
   */
  public ClusterFacts(List<NodeRef> live, List<NodeFacts> plugins,
      Map<String, String> closedPorts, int portsUnchecked, NameNodeFacts namenode) {
    this.live = List.copyOf(live);
    Set<String> uuids = new HashSet<>();
    live.forEach(node -> uuids.add(node.uuid));
    List<NodeFacts> ofLive = new ArrayList<>(plugins);
    ofLive.removeIf(plugin -> !uuids.contains(plugin.node.uuid));
    ofLive.sort(Comparator.comparing(NodeFacts::name));
    this.plugins = List.copyOf(ofLive);
    this.closedPorts = Map.copyOf(closedPorts);
    this.portsUnchecked = portsUnchecked;
    this.namenode = Objects.requireNonNull(namenode, "namenode");
  }

  /** @return the plugins that still send heartbeats, by name */
  public List<NodeFacts> speaking() {
    List<NodeFacts> speaking = new ArrayList<>(plugins);
    speaking.removeIf(facts -> facts.silent);
    return speaking;
  }

  /** Returns why this NameNode cannot connect to a DataNode's repair port, or null if it can. */
  String whyClosed(String uuid) {
    return closedPorts.get(uuid);
  }

  /** The facts about a NameNode itself. Immutable. */
  public static final class NameNodeFacts {
    final String software;
    final List<OwnJar> jars;
    final double linkBytesPerSecond;
    final boolean linkRateSet;

    /**
     * @param software the NameNode's version of the extension
     * @param jars the jars of the extension on the NameNode's class path
     * @param linkBytesPerSecond the rate of a DataNode's link that the scheduler assumes, bytes/s
     * @param linkRateSet whether an operator has set that rate
     */
    public NameNodeFacts(String software, List<OwnJar> jars, double linkBytesPerSecond,
        boolean linkRateSet) {
      this.software = Objects.requireNonNull(software, "software");
      this.jars = List.copyOf(jars);
      this.linkBytesPerSecond = linkBytesPerSecond;
      this.linkRateSet = linkRateSet;
    }
  }
}
