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
package org.hdfsppr.namenode.manage;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.namenode.manage.charge.Charge;
import org.hdfsppr.namenode.manage.endings.StockHandOver;
import org.hdfsppr.namenode.manage.nodes.Agent;
import org.hdfsppr.namenode.manage.nodes.Agents;
import org.hdfsppr.namenode.manage.nodes.ClusterWatch;
import org.hdfsppr.namenode.manage.nodes.KeptOutNodes;
import org.hdfsppr.namenode.manage.nodes.NameNodeView;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.NodeStatus;
import org.hdfsppr.namenode.queue.QueueCounts;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.NodeState;
import org.hdfsppr.namenode.schedule.RepairQueue;
import org.hdfsppr.namenode.track.Doubts;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.namenode.track.GroupState;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.plan.NodeRef;

/**
 * Makes the published status from the state of the manager's parts. No other class reads this state
 * for operators. Used by the manager's thread.
 */
@InterfaceAudience.Private
final class StatusMaker {
  private final ReconstructionQueue books;
  private final Charge charge;
  private final ClusterWatch cluster;
  private final Agents agents;
  private final KeptOutNodes keptOut;
  private final RepairQueue queue;
  private final Fleet fleet;
  private final RepairTracker tracker;
  private final GroupBook groups;
  private final Doubts doubts;
  private final StockHandOver handOver;
  private List<NodeStatus> nodes = List.of();

  StatusMaker(ReconstructionQueue books, Charge charge, ClusterWatch cluster, Agents agents,
      KeptOutNodes keptOut, RepairQueue queue, Fleet fleet, RepairTracker tracker,
      GroupBook groups, Doubts doubts, StockHandOver handOver) {
    this.books = books;
    this.charge = charge;
    this.cluster = cluster;
    this.agents = agents;
    this.keptOut = keptOut;
    this.queue = queue;
    this.fleet = fleet;
    this.tracker = tracker;
    this.groups = groups;
    this.doubts = doubts;
    this.handOver = handOver;
  }

  /**
   * @param isNew whether this cycle has looked at the nodes; if not, the last list of nodes is used
   *     again
   */
  ManagerStatus make(boolean isNew, long nowMs) {
    if (isNew) {
      nodes = lookAtNodes();
    }
    QueueCounts counts = books.counts();
    return new ManagerStatus.Builder()
        .made(nowMs)
        .charge(charge.isInCharge(), charge.why(nowMs), books.term(), charge.closedForMs(nowMs))
        .queue(queue.size(), queue.bySpareUnits(), queue.aside(), queue.readDegraded())
        .repairs(tracker.size(), tracker.progress(ManagerStatus.AT_WORK_MAX))
        // The NameNode may also hold back groups whose doubt this manager has forgotten.
        .doubts(Math.max(0, counts.heldBack() - doubts.suspected()), doubts.suspected(),
            doubts.first(ManagerStatus.IN_DOUBT_MAX))
        .nodes(cluster.participants(), keptOut.all(), nodes)
        .stock(groups.count(GroupState.STOCKS_TURN), handOver.handedOver(), counts.released())
        .lock(books.lockTimes())
        .build();
  }

  private List<NodeStatus> lookAtNodes() {
    List<NodeStatus> all = new ArrayList<>();
    for (NameNodeView.LiveNode live : cluster.nodes()) {
      NodeRef node = live.node();
      NodeState state = fleet.find(node);
      if (state != null) {
        NodeLoad load = agents.live(node.uuid()).map(Agent::load).orElse(null);
        // Unlike {@code live}, the fleet's reference has the repair port if the node may serve
        // repairs.
        all.add(new NodeStatus(state.ref(), load, state));
      }
    }
    return all;
  }
}
