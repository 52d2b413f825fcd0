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

import org.hdfsppr.manage.CancelCommand;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.scrub.ScrubDataNodes;
import org.hdfsppr.namenode.scrub.ScrubTarget;
import org.hdfsppr.plan.NodeRef;

/**
 * Orders background checks of groups. DataNodes fetch the orders with their heartbeats.
 * Thread-safe.
 */
final class HeartbeatOrders implements ScrubDataNodes {
  private final DataNodeAgents agents;

  HeartbeatOrders(DataNodeAgents agents) {
    this.agents = agents;
  }

  @Override
  public boolean canLead(String uuid) {
    return agents.canWork(uuid, CommandFeatures.SCRUB);
  }

  @Override
  public boolean order(NodeRef leader, String checkId, long term, ScrubTarget group,
      long bytesPerSecond, long deadlineMs) {
    GroupPolicy policy = group.policy;
    return agents.order(leader.uuid, new ScrubCommand(checkId, term,
        ScrubCommand.of(group.id(), group.bytes).setCodec(policy.codec)
        .setDataUnits(policy.dataUnits).setParityUnits(policy.parityUnits)
        .setCellBytes(policy.cellBytes).setBytesPerS(bytesPerSecond).setDeadlineMs(deadlineMs),
        group.chain(leader, agents::repairPort)));
  }

  @Override
  public void cancel(NodeRef leader, String checkId, long term) {
    agents.live(leader.uuid).ifPresent(agent ->
        agent.cancel(new CancelCommand(checkId, term, "repairs go first")));
  }
}
