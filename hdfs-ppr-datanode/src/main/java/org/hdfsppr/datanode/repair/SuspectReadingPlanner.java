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
package org.hdfsppr.datanode.repair;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.UnitHolder;

/**
 * Plans a second reading of a unit that a successful repair left out, together with units that
 * agree. There are two kinds of such a reading. In the first, the unit's own node reads the unit
 * and adds it to the sum. In the second, another node reads the unit as stock does, and adds it. If
 * only the first kind fails, the unit's node calculates wrongly. If both kinds fail, the unit is
 * wrong. Has no state.
 */
final class SuspectReadingPlanner {
  private SuspectReadingPlanner() {
  }

  /**
   * Plans a check of every byte of the suspect's unit.
   *
   * @param snapshot the group, in which nodes that run hdfs-ppr have a port for repairs
   * @param options the options to plan with, which check every slice
   * @param right the plan without the suspect, whose units agree
   * @param readsOnly whether the suspect only serves its unit, and another node does the arithmetic
   * @return the plan; empty if the code has no such check, or if the units cannot be read as stock
   *     reads them
   */
  static Optional<RepairPlan> plan(GroupSnapshot snapshot, LinearCode code, PlanOptions options,
      RepairPlan right, NodeRef suspect, boolean readsOnly) {
    Set<NodeRef> good = new HashSet<>();
    right.root.forEach(node -> node.sources.forEach(share -> good.add(share.holder)));
    GroupSnapshot all = (readsOnly ? readOnly(snapshot, suspect) : snapshot)
        .without(node -> !good.contains(node) && !node.equals(suspect)).withFirst(suspect);
    // From all nodes, the planner may make a plan that leaves out the suspect or a part of its
    // unit. Each further candidate therefore lacks one of the other nodes.
    List<GroupSnapshot> candidates = new ArrayList<>();
    candidates.add(all);
    good.forEach(other -> candidates.add(all.without(other::equals)));
    // Plans that decode come first, because they read whole units. A plan by a recipe may read only
    // parts of units.
    for (PlanOptions how : List.of(options.inGivenOrder().byDecoding(), options)) {
      for (GroupSnapshot candidate : candidates) {
        try {
          RepairPlan plan = RepairPlanner.plan(candidate, code, how);
          if (plan.isFullyChecked() && checksAllOf(plan, suspect)) {
            return Optional.of(plan);
          }
        } catch (NoPlanException e) {
          // Another candidate may have a plan.
          continue;
        }
      }
    }
    return Optional.empty();
  }

  private static GroupSnapshot readOnly(GroupSnapshot snapshot, NodeRef node) {
    return snapshot.withLive(holder -> holder.node.equals(node) ? readOnly(holder) : holder);
  }

  /**
   * Returns {@code holder} without the repair port of its node, so that a plan reads the unit as
   * stock does.
   */
  static UnitHolder readOnly(UnitHolder holder) {
    return new UnitHolder(holder.unit, holder.node.withRepairPort(NodeRef.NO_REPAIR_PORT));
  }

  /**
   * Returns whether a plan checks all of the units that it reads at {@code node}. A check of half a
   * unit says nothing about the other half.
   */
  private static boolean checksAllOf(RepairPlan plan, NodeRef node) {
    Set<Integer> units = new HashSet<>();
    plan.root.forEach(one -> one.sources.stream()
        .filter(share -> share.holder.equals(node)).forEach(share -> units.add(share.unit)));
    return !units.isEmpty() && plan.unitsChecked().containsAll(units);
  }
}
