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
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.datanode.metrics.RepairPhase;
import org.hdfsppr.datanode.takeover.RepairTarget;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RequestFeatures;

/**
 * Plans the attempts at one repair. Each plan takes into account which nodes run hdfs-ppr, as far
 * as this DataNode knows by then, and which nodes the {@link AttemptPolicy} leaves out. Used by one
 * thread.
 */
final class AttemptPlans {
  private final RepairContext context;
  private final RepairOrder order;
  private final LinearCode code;
  private final GroupSnapshot snapshot;

  /** @throws IllegalStateException if this DataNode is not among the order's targets */
  AttemptPlans(RepairContext context, RepairOrder order, LinearCode code) {
    this.context = context;
    this.order = order;
    this.code = code;
    this.snapshot = makeSnapshot();
  }

  private GroupSnapshot makeSnapshot() {
    List<UnitHolder> targets = new ArrayList<>();
    for (RepairTarget target : order.targets()) {
      targets.add(new UnitHolder(target.index, reference(target.node)));
    }
    // This node leads the repair, so it must be one of the targets.
    String self = context.datanode.getDatanodeUuid();
    NodeRef destination = null;
    for (UnitHolder target : targets) {
      if (target.node.uuid.equals(self)) {
        destination = target.node;
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

  /** Returns this node, which leads the repair. */
  NodeRef destination() {
    return snapshot.destination;
  }

  /**
   * Returns the snapshot in which each node has its repair port, as far as this DataNode knows the
   * port by now.
   */
  private GroupSnapshot resolved() {
    Map<String, NodeRef> nodes = new HashMap<>();
    order.live().forEach(holder -> nodes.put(holder.node.uuid, holder.node));
    return snapshot.withLive(holder ->
        new UnitHolder(holder.unit, nodes.getOrDefault(holder.node.uuid, holder.node)));
  }

  /**
   * Plans the next attempt without the nodes that have failed, are slow or are busy. If there is no
   * such plan, or none whose result can be checked, the plan may use some slow or busy nodes.
   *
   * @param attempt the number of the attempt, from 1
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
    long start = context.nanoClock.getAsLong();
    int checkOneIn = attempts.doubted() ? 1 : context.settings.checkOneIn;
    PlanOptions options = options(checkOneIn, order.group().groupId / 16 + attempt)
        .withNarrowLinks(node -> mayBeNarrow(node, attempts));
    RepairPlan plan = RepairPlanner.plan(usable, code, options);
    if (attempts.doubted() && !plan.isFullyChecked()) {
      throw new NoPlanException("every byte has to be checked, and no spare helpers are left to"
          + " check all others with");
    }
    if (order.isRepair()) {
      context.metrics.phaseTook(RepairPhase.PLAN,
          TimeUnit.NANOSECONDS.toMillis(context.nanoClock.getAsLong() - start));
    }
    return plan;
  }

  private boolean mayBeNarrow(NodeRef node, AttemptPolicy attempts) {
    // If the operator makes this node withhold the feature, this node does not use it either.
    return attempts.usesNarrowLinks()
        && RequestFeatures.covers(context.host.requestFeatures(), RequestFeatures.NARROW_LINKS)
        && context.peers.mayKnow(node, RequestFeatures.NARROW_LINKS);
  }

  /** Returns whether the settings demand checks, but the plan cannot check all of its result. */
  boolean isUnchecked(RepairPlan plan) {
    return context.settings.checkOneIn > 0 && !plan.isFullyChecked();
  }

  /**
   * Makes a second reading of the units that a successful repair left out.
   *
   * @param right the plan of that repair, whose units agree
   * @param check carries out the plans of the second reading
   */
  SecondReading secondReading(RepairPlan right, SecondReading.PlanRun check) {
    return new SecondReading(resolved(), code,
        options(1, order.group().groupId / 16), right, check);
  }

  private PlanOptions options(int checkOneIn, long seed) {
    PlanOptions options = order.options(checkOneIn, seed);
    return order.bytesPerSecond() == PartialSumRequest.UNLIMITED ? options
        : options.atRate(order.bytesPerSecond(), code.subChunks());
  }
}
