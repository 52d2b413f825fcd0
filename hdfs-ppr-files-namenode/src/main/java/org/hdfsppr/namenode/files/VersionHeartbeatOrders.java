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
package org.hdfsppr.namenode.files;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CancelCommand;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgent;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.version.VersionDataNodes;
import org.hdfsppr.plan.NodeRef;

/**
 * Sends the orders of the engine to DataNodes, in the answers to their heartbeats: to link, make,
 * patch or check units. Thread-safe.
 */
@InterfaceAudience.Private
public final class VersionHeartbeatOrders implements VersionDataNodes {
  private static final long PATCHES =
      CommandFeatures.PATCHES | CommandFeatures.CHANGE_WAYS | CommandFeatures.COLLECTED;

  private final DataNodeAgents agents;

  /** @param agents the DataNodes that run this software */
  public VersionHeartbeatOrders(DataNodeAgents agents) {
    this.agents = agents;
  }

  @Override
  public boolean canWork(String uuid) {
    return agents.canWork(uuid, CommandFeatures.VERSIONS);
  }

  @Override
  public List<NodeRef> workers() {
    return agents.live().stream().filter(agent -> agent.knows(CommandFeatures.VERSIONS))
        .map(DataNodeAgent::node).filter(node -> !agents.distrusted().contains(node.uuid))
        .sorted(Comparator.comparing((NodeRef ref) -> ref.uuid)).collect(Collectors.toList());
  }

  @Override
  public NodeRef withPort(NodeRef node) {
    return node.withRepairPort(agents.repairPort(node.uuid));
  }

  @Override
  public boolean link(String uuid, LinkCommand command) {
    return agents.order(uuid, command);
  }

  @Override
  public boolean sendsDigests(String uuid) {
    return agents.knows(uuid, CommandFeatures.BLOCK_DIGESTS);
  }

  @Override
  public boolean make(String uuid, MakeCommand command) {
    return agents.order(uuid, command);
  }

  @Override
  public boolean canPatch(String uuid) {
    return agents.canWork(uuid, PATCHES);
  }

  @Override
  public boolean patch(String uuid, PatchCommand command) {
    return agents.knows(uuid, PATCHES) && agents.order(uuid, command);
  }

  @Override
  public int checksAtATime(String uuid) {
    return agents.live(uuid).map(DataNodeAgent::checksAtATime).orElse(1);
  }

  @Override
  public boolean check(String uuid, ScrubCommand command) {
    return agents.knows(uuid, CommandFeatures.SCRUB) && agents.order(uuid, command);
  }

  @Override
  public void cancel(String uuid, String orderId, long term) {
    agents.cancel(uuid, new CancelCommand(orderId, term, "the version is given up"));
  }

  @Override
  public void hurry(String uuid) {
    agents.live(uuid).ifPresent(DataNodeAgent::hurry);
  }
}
