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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.UnitHolder;

/**
 * Reads once more the units that a successful repair left out, each together with units that agree.
 * The repair leaves out one suspect after another, so a suspect may be innocent. The second reading
 * clears a suspect if the units also agree with its unit. Used by one thread.
 */
final class SecondReading {
  /** How a check ended. */
  enum Finding {
    AGREES,
    CONTRADICTS,
    /** The check was cut short, or failed for a reason other than a contradiction. */
    UNKNOWN
  }

  /** Carries out a plan and drops the rebuilt units. */
  @FunctionalInterface
  interface PlanRun {
    Finding of(RepairPlan plan);
  }

  private final GroupSnapshot snapshot;
  private final LinearCode code;
  private final PlanOptions options;
  private final RepairPlan right;
  private final PlanRun check;
  /** The units that agree in every byte that was checked. */
  final Set<Integer> agreeing;
  /**
   * The nodes whose units contradicted the others a second time or could not be read again, or that
   * calculated wrongly a second time.
   */
  final List<NodeRef> guilty = new ArrayList<>();
  private boolean wrongUnit;
  private boolean undecided;

  /**
   * @param snapshot the group, in which nodes that run hdfs-ppr have a port for repairs
   * @param code the code of the group
   * @param options the options to plan with, which check every slice
   * @param right the plan of the successful repair, whose units agree; it checked every slice
   * @param check carries out the plans of this reading
   */
  SecondReading(GroupSnapshot snapshot, LinearCode code, PlanOptions options, RepairPlan right,
      PlanRun check) {
    this.snapshot = snapshot;
    this.code = code;
    this.options = options;
    this.right = right;
    this.check = check;
    this.agreeing = new TreeSet<>(right.unitsChecked());
  }

  /**
   * Reads the unit of a suspect once more. The units that the repair used agree, but they did not
   * agree together with the units of all suspects.
   */
  void ofSuspect(NodeRef suspect) {
    Optional<RepairPlan> plan = plan(suspect, false);
    Finding finding = plan.map(this::run).orElse(Finding.UNKNOWN);
    if (finding == Finding.AGREES) {
      return;
    }
    Optional<RepairPlan> reading = reading(suspect);
    Finding read = reading.map(this::run).orElse(Finding.UNKNOWN);
    if (read == Finding.AGREES) {
      // The unit is right. Its node calculates wrongly only if its sum was wrong a second time.
      if (finding == Finding.CONTRADICTS) {
        guilty.add(suspect);
      }
      return;
    }
    guilty.add(suspect);
    boolean cutShort = reading.isPresent() ? read == Finding.UNKNOWN
        : plan.isPresent() && finding == Finding.UNKNOWN;
    undecided |= cutShort;
    wrongUnit |= !cutShort;
  }

  /**
   * Reads the units of a doubted group that no attempt has read yet, so that none of these units
   * stays unknown. If such a unit cannot be read, the results of this reading do not mention it.
   */
  void ofUnread() {
    for (UnitHolder holder : snapshot.live) {
      if (agreeing.contains(holder.unit) || snapshot.unitBytes(holder.unit) == 0
          || guilty.contains(holder.node)) {
        continue;
      }
      Finding finding = plan(holder.node, false).map(this::run).orElse(Finding.UNKNOWN);
      Finding read = finding == Finding.AGREES ? finding
          : reading(holder.node).map(this::run).orElse(finding);
      if (finding == Finding.CONTRADICTS && read != Finding.UNKNOWN
          || read == Finding.CONTRADICTS) {
        guilty.add(holder.node);
        wrongUnit |= read == Finding.CONTRADICTS;
      } else if (finding == Finding.CONTRADICTS) {
        guilty.add(holder.node);
        undecided = true;
      }
    }
  }

  private Optional<RepairPlan> plan(NodeRef node, boolean readsOnly) {
    return SuspectReadingPlanner.plan(snapshot, code, options, right, node, readsOnly);
  }

  /**
   * Plans a check in which another node reads the unit of {@code node} as stock does. Empty if the
   * node does not run hdfs-ppr, because another node then read its unit in the first check, too.
   */
  private Optional<RepairPlan> reading(NodeRef node) {
    boolean calculates = snapshot.live.stream()
        .anyMatch(holder -> holder.node.equals(node) && holder.node.runsExtension());
    return calculates ? plan(node, true) : Optional.empty();
  }

  private Finding run(RepairPlan plan) {
    Finding finding = check.of(plan);
    if (finding == Finding.AGREES) {
      agreeing.addAll(plan.unitsChecked());
    }
    return finding;
  }

  /**
   * Returns whether the unit of a guilty node is wrong, or may be wrong. The other units agree
   * without it.
   */
  boolean leavesDoubt() {
    return wrongUnit || undecided;
  }

  /** Returns whether a unit is suspected, but none has proved wrong. */
  boolean isUndecided() {
    return undecided && !wrongUnit;
  }
}
