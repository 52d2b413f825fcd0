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
package org.hdfsppr.namenode.manage.nodes;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.track.FaultyNodes;
import org.hdfsppr.namenode.track.RetryPolicy;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps out of repairs the DataNodes that fail often or seem to calculate wrongly. For each of
 * these two reasons, it keeps out at most a tenth of the nodes that take part, but at least one
 * node. There is a limit because a failure on many nodes is not the fault of the nodes. Used by the
 * manager's thread.
 */
@InterfaceAudience.Private
public final class KeptOutNodes {
  private static final Logger LOG = LoggerFactory.getLogger(KeptOutNodes.class);
  /**
   * For each reason, at most one in this many of the nodes that take part is kept out at a time.
   */
  private static final int QUARANTINED_ONE_IN = 10;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final ClusterWatch cluster;
  private final DataNodeAgents agents;
  private final FleetKeeper keeper;
  private final FaultyNodes faulty;
  private final RetryPolicy retries;
  /** Nodes that are kept out because they fail often. */
  private Set<String> failingBefore = Set.of();
  /** Nodes that the log has named because they should be kept out but take part. */
  private final Set<String> beyondCap = new HashSet<>();

  /**
   * Makes an instance that keeps no node out yet.
   *
   * @param cluster the NameNode's DataNodes and policies, as of the last look
   * @param agents the DataNodes that run this project's plugin
   * @param keeper keeps the fleet's nodes up to date
   * @param faulty the nodes that seem to calculate wrongly
   * @param retries the history of failed repairs
   */
  public KeptOutNodes(ClusterWatch cluster, DataNodeAgents agents, FleetKeeper keeper,
      FaultyNodes faulty,
      RetryPolicy retries) {
    this.cluster = cluster;
    this.agents = agents;
    this.keeper = keeper;
    this.faulty = faulty;
    this.retries = retries;
  }

  /** Decides again which nodes are kept out, and updates the fleet and the agents. */
  public void update() {
    retries.tidy();
    Set<String> kept = few(faulty.longestFirst());
    Set<String> failing = few(retries.longestFirst());
    sayWhatIsBeyondCap(kept, failing);
    sayWhatFails(failing);
    agents.distrust(kept);
    keeper.update(cluster.nodes(), failing);
  }

  /**
   * Shortens a list of nodes to those that are kept out.
   *
   * @param longestFirst UUIDs of nodes that should be kept out; the result has only the first ones
   */
  private Set<String> few(List<String> longestFirst) {
    long most = Math.max(1, cluster.participants() / QUARANTINED_ONE_IN);
    return longestFirst.stream().limit(most).collect(Collectors.toSet());
  }

  private void sayWhatIsBeyondCap(Set<String> distrusted, Set<String> failing) {
    Set<String> beyond = without(faulty.quarantined().keySet(), distrusted);
    beyond.addAll(without(retries.quarantined(), failing));
    beyondCap.retainAll(beyond);
    for (String uuid : beyond) {
      if (beyondCap.add(uuid)) {
        peerLog.warn(uuid,
            "DataNode {}, and should be kept out of repairs. But it takes part: a tenth of the"
            + " DataNodes is kept out already. Test the memory of those that are, and of this one",
            why(uuid));
      }
    }
  }

  private void sayWhatFails(Set<String> failing) {
    for (String uuid : without(failing, failingBefore)) {
      peerLog.warn("out " + uuid, "DataNode {}, and is kept out of repairs for a few minutes",
          why(uuid));
    }
    for (String uuid : without(failingBefore, failing)) {
      peerLog.info("back " + uuid, "DataNode {} is no longer kept out because of failed repairs",
          uuid);
    }
    failingBefore = failing;
  }

  private static Set<String> without(Collection<String> all, Set<String> some) {
    Set<String> rest = new HashSet<>(all);
    rest.removeAll(some);
    return rest;
  }

  /**
   * @return for each node that fails often or seems to calculate wrongly, by UUID, why it is or
   *     should be kept out
   */
  public Map<String, String> all() {
    Set<String> kept = new HashSet<>(retries.quarantined());
    kept.addAll(agents.distrusted());
    Map<String, String> all = new TreeMap<>();
    kept.forEach(uuid -> all.put(uuid, why(uuid)));
    return all;
  }

  private String why(String uuid) {
    String address = cluster.find(uuid).map(NodeRef::toString).orElse("not live");
    Long left = faulty.quarantined().get(uuid);
    return uuid + " (" + address + ") " + (left == null ? "has failed in repairs"
        : "seems to calculate wrongly, for " + left / 60_000 + " min more");
  }
}
