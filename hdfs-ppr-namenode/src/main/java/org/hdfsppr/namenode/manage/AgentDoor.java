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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CancelCommand;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.namenode.manage.nodes.Agent;
import org.hdfsppr.namenode.manage.nodes.Agents;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.scrub.CheckGroup;
import org.hdfsppr.namenode.scrub.ScrubDoor;
import org.hdfsppr.plan.NodeRef;

/** Gives checks to DataNodes with their heartbeats. Thread-safe. */
@InterfaceAudience.Private
final class AgentDoor implements ScrubDoor {
  private final Agents agents;

  AgentDoor(Agents agents) {
    this.agents = agents;
  }

  @Override
  public boolean canLead(String uuid) {
    return !agents.distrusted().contains(uuid)
        && agents.live(uuid).filter(Agent::knowsScrub).isPresent();
  }

  @Override
  public boolean order(NodeRef leader, String checkId, long term, CheckGroup group,
      long bytesPerSecond, long deadlineMs) {
    Agent agent = agents.live(leader.uuid()).orElse(null);
    GroupPolicy policy = group.policy();
    return agent != null && agent.order(ScrubCommand.of(checkId, term)
        .group(group.id(), group.bytes())
        .code(policy.codec(), policy.dataUnits(), policy.parityUnits(), policy.cellBytes())
        .holders(group.chain(leader, agents::repairPort))
        .bytesPerSecond(bytesPerSecond)
        .deadlineMs(deadlineMs)
        .build());
  }

  @Override
  public void cancel(NodeRef leader, String checkId, long term) {
    agents.live(leader.uuid()).ifPresent(agent ->
        agent.cancel(new CancelCommand(checkId, term, "repairs go first")));
  }
}
