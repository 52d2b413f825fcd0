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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.datanode.metrics.RepairPhase;
import org.hdfsppr.datanode.takeover.RepairTarget;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.Planner;
import org.hdfsppr.plan.RepairPlan;

/**
 * Plans the attempts at one order, with what is known by then of the nodes: which of them run the
 * extension, and which the {@link AttemptPolicy} leaves out. Used by one thread.
 */
@InterfaceAudience.Private
final class AttemptPlans {
  private final RepairContext context;
  private final RepairOrder order;
  private final LinearCode code;
  private final GroupSnapshot snapshot;

  /** @throws IllegalStateException if none of the order's targets is here */
  AttemptPlans(RepairContext context, RepairOrder order, LinearCode code) {
    this.context = context;
    this.order = order;
    this.code = code;
    this.snapshot = makeSnapshot();
  }

  private GroupSnapshot makeSnapshot() {
    List<Holder> targets = new ArrayList<>();
    for (RepairTarget target : order.targets()) {
      targets.add(new Holder(target.index(), reference(target.node())));
    }
    // This node leads: its own unit, if it is to have one, stands first.
    String self = context.datanode().getDatanodeUuid();
    NodeRef destination = null;
    for (Holder target : targets) {
      if (target.node().uuid().equals(self)) {
        destination = target.node();
      }
    }
    if (destination == null) {
      throw new IllegalStateException("This DataNode is not among the targets " + targets);
    }
    return new GroupSnapshot(order.layout(), order.live(), targets, destination);
  }

  private static NodeRef reference(DatanodeInfo node) {
    return new NodeRef(node.getDatanodeUuid(), node.getIpAddr(), node.getHostName(),
        node.getXferPort(), NodeRef.NO_REPAIR_PORT, node.getNetworkLocation());
  }

  /** The node that leads: this one. */
  NodeRef destination() {
    return snapshot.destination();
  }

  /** The snapshot, with where the nodes run the extension, as far as that is known by now. */
  private GroupSnapshot resolved() {
    Map<String, NodeRef> nodes = new HashMap<>();
    order.live().forEach(holder -> nodes.put(holder.node().uuid(), holder.node()));
    return snapshot.withLive(holder ->
        new Holder(holder.unit(), nodes.getOrDefault(holder.node().uuid(), holder.node())));
  }

  /**
   * Plans without those that failed or are slow or busy, or with some of the latter where there is
   * no plan otherwise, or none whose result can be checked.
   *
   * @param attempt which attempt it is for, from 1
   */
  RepairPlan next(AttemptPolicy attempts, int attempt) throws NoPlanException {
    GroupSnapshot resolved = resolved();
    while (true) {
      try {
        RepairPlan plan = plan(attempts.usable(resolved), attempts, attempt);
        if (!isUnchecked(plan)
            || isUnchecked(plan(attempts.usableAtMost(resolved), attempts, attempt))
            || !attempts.relax()) {
          return plan;
        }
      } catch (NoPlanException e) {
        if (!attempts.relax()) {
          throw e;
        }
      }
    }
  }

  private RepairPlan plan(GroupSnapshot usable, AttemptPolicy attempts, int attempt)
      throws NoPlanException {
    long start = context.nanoClock().getAsLong();
    int checkOneIn = attempts.doubted() ? 1 : context.settings().checkOneIn();
    RepairPlan plan = Planner.plan(usable, code,
        order.options(checkOneIn, order.group().groupId() / 16 + attempt));
    if (attempts.doubted() && !plan.isFullyChecked()) {
      throw new NoPlanException("wrong bytes have been seen, and no spare helpers are left to check"
          + " all others with");
    }
    context.metrics().phaseTook(RepairPhase.PLAN,
        TimeUnit.NANOSECONDS.toMillis(context.nanoClock().getAsLong() - start));
    return plan;
  }

  /** Whether the settings demand checks that the plan cannot make on all of its result. */
  boolean isUnchecked(RepairPlan plan) {
    return context.settings().checkOneIn() > 0 && !plan.isFullyChecked();
  }

  /** A second reading of units that {@code right}, which has added up, did without. */
  SecondReading secondReading(RepairPlan right, SecondReading.Check check) {
    return new SecondReading(resolved(), code,
        order.options(1, order.group().groupId() / 16), right, check);
  }
}
