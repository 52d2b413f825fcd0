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
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.track.Repair;
import org.hdfsppr.plan.Holder;

/** From a repair to the command that its destination gets. */
@InterfaceAudience.Private
final class Commands {
  private Commands() {
  }

  /** @param nowMs of the clock that the repair's deadline is meant by */
  static RepairCommand of(Repair repair, long nowMs) {
    Assignment assignment = repair.assignment();
    LostGroup group = assignment.group();
    GroupPolicy policy = group.policy();
    // Those that the scheduler chose, as it ordered them, and then those that can stand in.
    Set<Holder> live = new LinkedHashSet<>(assignment.helpers());
    live.addAll(group.live());
    // A node that is being decommissioned may still have what is to be rebuilt elsewhere.
    live.removeIf(holder -> group.lost().contains(holder.unit()));
    long left = Math.max(1, Math.min(RepairCommand.DEADLINE_MS_MAX, repair.deadlineMs() - nowMs));
    return RepairCommand.of(repair.id(), repair.term())
        .group(group.id(), group.groupBytes())
        .code(policy.codec(), policy.dataUnits(), policy.parityUnits(), policy.cellBytes())
        .live(new ArrayList<>(live))
        .targets(repair.grant().targets())
        .topology(assignment.topology())
        .byDecoding(assignment.isByDecoding())
        .doubted(assignment.isDoubted())
        .deadlineMs(left)
        .build();
  }
}
