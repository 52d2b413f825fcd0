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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgent;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.manage.nodes.NamesystemView;
import org.hdfsppr.namenode.update.LogNodes;
import org.hdfsppr.plan.NodeRef;

/**
 * The DataNodes with update logs: those whose agents say that they keep one, with their racks as
 * the NameNode knows them.
 */
final class UpdateNodes implements LogNodes {
  /**
   * After the plugin has run for this time, ms, all live DataNodes have sent it a heartbeat. A
   * DataNode has to register with the NameNode before that.
   */
  private static final long KNOWN_AFTER_MS = DataNodeAgents.SILENCE_MS_MAX + 5_000;

  private final DataNodeAgents agents;
  private final NamesystemView view;
  private final LongSupplier clockMs;
  private final long startMs;

  /**
   * @param agents the DataNodes that run this software
   * @param view knows the racks of DataNodes
   * @param clockMs the time, monotonic, ms
   */
  UpdateNodes(DataNodeAgents agents, NamesystemView view, LongSupplier clockMs) {
    this.agents = agents;
    this.view = view;
    this.clockMs = clockMs;
    this.startMs = clockMs.getAsLong();
  }

  @Override
  public Optional<NodeRef> live(String uuid) {
    return agents.live(uuid).filter(UpdateNodes::hasLog).flatMap(this::withRack);
  }

  private static boolean hasLog(DataNodeAgent agent) {
    return agent.knows(CommandFeatures.UPDATE_LOG);
  }

  private Optional<NodeRef> withRack(DataNodeAgent agent) {
    NodeRef node = agent.node();
    return view.rack(node.uuid).map(rack -> new NodeRef(node.uuid, node.ipAddr,
        node.hostName, node.xferPort, node.repairPort, rack));
  }

  @Override
  public List<NodeRef> live() {
    List<NodeRef> nodes = new ArrayList<>();
    for (DataNodeAgent agent : agents.live()) {
      if (hasLog(agent)) {
        withRack(agent).ifPresent(nodes::add);
      }
    }
    return nodes;
  }

  @Override
  public boolean knowsSealed(String uuid) {
    return agents.live(uuid).filter(agent -> agent.knows(CommandFeatures.SEALED_TICKETS))
        .isPresent();
  }

  @Override
  public boolean areKnown() {
    return clockMs.getAsLong() - startMs >= KNOWN_AFTER_MS;
  }
}
