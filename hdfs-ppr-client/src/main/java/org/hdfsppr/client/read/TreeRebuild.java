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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.hdfsppr.client.shape.RebuildShape;
import org.hdfsppr.plan.ChainsTopology;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds ranges of a lost unit for one stream through a tree, in which DataNodes that hold other
 * units add up partial sums. If decoding is expected to be faster, this class does not rebuild the
 * range. Thread-safe.
 */
final class TreeRebuild {
  private static final Logger LOG = LoggerFactory.getLogger(TreeRebuild.class);

  private final ReadContext context;
  private final UnitReader units;
  private final ReadPlans plans;
  private final TreeRun treeRun;

  /** @param units reads units for the stream */
  TreeRebuild(ReadContext context, UnitReader units, ReadPlans plans) {
    this.context = context;
    this.units = units;
    this.plans = plans;
    this.treeRun = new TreeRun(context, units);
  }

  /**
   * A plan and the shape that was chosen for it. The shape is empty if the settings leave the
   * client no choice.
   */
  private static final class Shaped {
    private final RepairPlan plan;
    private final Optional<RebuildShape> shape;

    Shaped(RepairPlan plan, Optional<RebuildShape> shape) {
      this.plan = plan;
      this.shape = shape;
    }

    /**
     * Whether the client has chosen the shape, so that it can learn from the tree's time what the
     * shape costs.
     */
    boolean isTimed() {
      return shape.isPresent();
    }

    /** How many nodes a sum passes through. A checked range needs one node more. */
    int hops() {
      return shape.get().hops() + plan.checkRows();
    }

    /**
     * Like {@link RebuildShape#bytesInTurn}, plus the bytes of the check row if the range is
     * checked.
     */
    double bytesInTurn() {
      return shape.get().bytesInTurn() * (plan.lostRows() + plan.checkRows()) / plan.lostRows();
    }
  }

  /**
   * Rebuilds a range through a tree, unless decoding is expected to be faster.
   *
   * @param checked whether to check the range against one more unit than rebuilding needs, if there
   *     is such a unit
   * @param found receives all bytes that were rebuilt, which may be more than the range
   * @throws IOException if no tree can bring the range
   */
  TreeOutcome rebuild(LocatedGroup group, UnitRange range, boolean checked, UnitByteCache found,
      ReadAttempt attempt) throws IOException {
    Set<String> failed = new HashSet<>();
    LocatedGroup current = group;
    IOException last = null;
    boolean refreshed = false;
    TreeTries tries = new TreeTries();
    while (tries.next()) {
      attempt.checkWanted();
      Shaped shaped = plan(current, range, failed, checked, tries.mayBeNarrow());
      if (shaped.shape.isPresent() && shaped.shape.get().isDecoding()) {
        LOG.debug("Degraded read of unit {} of {}: decoded here; {}", range, group.id(),
            context.shapes);
        return TreeOutcome.NOT_TRIED;
      }
      try {
        run(current, shaped, range, found, attempt);
        return TreeOutcome.REBUILT;
      } catch (RepairException e) {
        if (attempt.isCancelled()) {
          throw e;
        }
        context.counters.treeFailed();
        LOG.debug("Degraded read of unit {} of {}: {}", range, group.id(), shaped.plan, e);
        if (e.failureCause == FailureCause.VERIFICATION) {
          throw UntrustedBytesException.contradiction(group.id(), range, e);
        }
        if (attempt.isLate()) {
          if (shaped.shape.isEmpty()) {
            throw e;
          }
          return TreeOutcome.LATE;
        }
        last = e;
        if (e.failureCause == FailureCause.ACCESS_TOKEN && !refreshed) {
          refreshed = true;
          current = units.refreshed(current);
          continue;
        }
        if (tries.mayBeNarrow() && plans.refusesNarrowLinks(shaped.plan, e)) {
          tries.narrowRefused();
          continue;
        }
        plans.note(current, e);
        if (!e.failureCause.excludesNode() || e.node.equals(ReadPlans.CLIENT)) {
          break;
        }
        failed.add(e.node.uuid);
      }
    }
    throw last;
  }

  private Shaped plan(LocatedGroup group, UnitRange range, Set<String> failed, boolean checked,
      boolean narrow) throws NoPlanException {
    int checkOneIn = checked ? 1 : 0;
    int chainsMost = context.settings.chainsMost;
    if (chainsMost == 0) {
      return new Shaped(plans.ofServers(group, range, failed, context.settings.topology,
          checkOneIn, narrow), Optional.empty());
    }
    AtomicReference<RebuildShape> chosen = new AtomicReference<>();
    RepairPlan plan = plans.ofServers(group, range, failed, new ChainsTopology(helpers -> {
      chosen.set(context.shapes.choose(helpers, plans.bytesOfWindows(group, range),
          chainsMost));
      return Math.max(1, chosen.get().chains);
    }), checkOneIn, narrow);
    return new Shaped(plan, Optional.ofNullable(chosen.get()));
  }

  private void run(LocatedGroup group, Shaped shaped, UnitRange range, UnitByteCache found,
      ReadAttempt attempt) throws IOException {
    RepairPlan plan = shaped.plan;
    SliceGeometry geometry = plan.geometry.covering(range.from, range.to);
    PartialSumRequest request = plans.request(group, plan, plan.root, geometry);
    long start = context.nanoClock.getAsLong();
    try {
      treeRun.run(group, plan, request, range, true, read -> {
        context.counters.tree(read.bytesReceived());
        LOG.debug("Degraded read {} of unit {} of {} by {}: {}; {}", request.repairId, range,
            group.id(), shaped.shape.isPresent() ? shaped.shape.get() : plan, read.phases(),
            context.shapes);
      }, found, attempt);
    } catch (IOException | RuntimeException e) {
      boolean isLate = attempt.isLate() && !attempt.isCancelled();
      if (isLate && attempt.teaches() && shaped.isTimed()) {
        long until = context.nanoClock.getAsLong() - start;
        context.costs.lateTree(shaped.hops(), shaped.bytesInTurn(), until);
        context.shapes.tookAtLeast(shaped.shape.get(), until);
      }
      throw e;
    }
    if (attempt.teaches() && shaped.isTimed()) {
      long nanos = context.nanoClock.getAsLong() - start;
      context.costs.tree(shaped.hops(), shaped.bytesInTurn(), nanos);
      context.shapes.took(shaped.shape.get(), nanos);
    }
  }

  /** Counts the trees that a read tries. Used by one thread. */
  static final class TreeTries {
    /**
     * How many trees the client tries for a range at most. Each tree leaves out the nodes that have
     * failed before. Each tree costs a round trip, so the client decodes after this many trees.
     */
    static final int TREES_MOST = 3;

    private int begun;
    private boolean narrow = true;

    /** Counts one more tree; returns whether it may be tried. */
    boolean next() {
      return begun++ < TREES_MOST;
    }

    /** Returns whether the links of a tree may be narrow. */
    boolean mayBeNarrow() {
      return narrow;
    }

    /**
     * Notes that a node does not know narrow links. Other nodes may have an older version, too, so
     * all further trees have wide links only. No node has failed, so the refused tree does not
     * count. Only the first call has an effect.
     */
    void narrowRefused() {
      if (narrow) {
        narrow = false;
        begun--;
      }
    }
  }
}
