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
package org.hdfsppr.stream;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.proto.PprProtos.NodeProgressProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that a repair runs far more slowly than earlier repairs of this node, and finds the slow
 * link. Used by the thread that leads the repair.
 *
 * <p>In a pipeline, all nodes wait for the slowest node. Nodes below a slow link wait for their
 * parents, and nodes above the link wait for their children. The search therefore goes down from
 * the destination, from each node to the child for which the node waits most. The search ends at
 * the first child that does not wait for its own children, or that has sent no recent progress
 * note. Notes from below a slow link queue behind the slices on that link, and arrive late. The
 * number of slices that a child has finished does not help the search. A node reads one slice from
 * each child before it reads the next, so that all children seem to send at the rate of the slowest
 * child.
 *
 * <p>When a node is lost, each DataNode takes part in dozens of repairs, which share its link and
 * the links of its neighbours alike. Each of these repairs is then slower than a repair that had
 * the links for itself, although no link is slow. The detector therefore compares the rate of a
 * repair with the best rate divided by the number of repairs in which this node takes part.
 *
 * <p>An operator's limit can hold a node back. Neither this node nor its link is then slow. If the
 * search ends at such a node, the detector reports nothing, and the repair continues at this rate.
 */
@InterfaceAudience.Private
public final class SlowLinkDetector {
  private static final Logger LOG = LoggerFactory.getLogger(SlowLinkDetector.class);

  private final PlanNode root;
  private final RateMemory memory;
  private final ProgressBoard board;
  private final NodeStats own;
  private final long windowNanos;
  private final int percent;
  private long windowStartNanos;
  private long windowBytes;
  /**
   * In how many repairs at most this node took part at the same time during this window, at least
   * 1.
   */
  private int windowTransfers = 1;
  private long windowStartWaitNanos;
  private long[] windowStartWaitNanosOfChildren;
  private final Map<String, NodeProgressProto> atWindowStart = new HashMap<>();

  /**
   * @param root root of the plan's tree
   * @param memory the best rate of earlier repairs, and the number of repairs that run now
   * @param board the last progress notes of the nodes below the root
   * @param own the destination's own times
   * @param windowMs the time over which a rate is measured, milliseconds
   * @param percent a repair is slow if its rate is below this percentage of the best rate divided
   *     by the number of repairs that run now; 0 switches the detector off
   * @param nowNanos the time at which the transfer of slices begins, nanoseconds
   */
  public SlowLinkDetector(PlanNode root, RateMemory memory, ProgressBoard board, NodeStats own,
      int windowMs, int percent, long nowNanos) {
    this.root = root;
    this.memory = memory;
    this.board = board;
    this.own = own;
    this.windowNanos = TimeUnit.MILLISECONDS.toNanos(windowMs);
    this.percent = percent;
    this.windowStartNanos = nowNanos;
    this.windowStartWaitNanosOfChildren = own.waitNanosOfChildren();
  }

  /**
   * Counts bytes that have arrived, and measures the rate at the end of each window.
   *
   * @param bytes bytes of lost units that have arrived since the last call
   * @param nowNanos the current time, nanoseconds
   * @throws RepairException naming the ends of the slow link, if the detector finds one
   */
  public void received(long bytes, long nowNanos) throws RepairException {
    windowBytes += bytes;
    windowTransfers = Math.max(windowTransfers, memory.transfers());
    long elapsed = nowNanos - windowStartNanos;
    if (elapsed < windowNanos) {
      return;
    }
    long waited = own.childWaitNanos() - windowStartWaitNanos;
    // The rate leaves out the time that this node spent writing or waiting for the operator's
    // limit, because its children did not cause that time.
    double rateOfChildren = windowBytes * 1e9 / Math.max(1, waited);
    if (percent > 0 && rateOfChildren * 100 * windowTransfers < memory.best() * percent) {
      explain(rateOfChildren, nowNanos);
    }
    memory.saw(windowBytes, elapsed);
    startWindow(nowNanos);
  }

  private void startWindow(long nowNanos) {
    windowStartNanos = nowNanos;
    windowBytes = 0;
    windowTransfers = 1;
    windowStartWaitNanos = own.childWaitNanos();
    windowStartWaitNanosOfChildren = own.waitNanosOfChildren();
    root.forEach(node -> {
      ProgressBoard.Entry entry = board.of(node.node.uuid);
      if (entry != null) {
        atWindowStart.put(node.node.uuid, entry.progress);
      }
    });
  }

  /**
   * Searches for the slow link from the root downwards.
   *
   * @throws RepairException naming the slow node or link, unless the operator's limit holds the
   *     node back
   */
  private void explain(double rate, long nowNanos) throws RepairException {
    PlanNode upper = root;
    PlanNode lower = waitedFor(upper);
    while (lower != null) {
      ProgressBoard.Entry entry = board.of(lower.node.uuid);
      boolean heard = entry != null && nowNanos - entry.madeNanos() < windowNanos / 2;
      if (!heard || !waitsForChildren(lower, entry.progress) || lower.children.isEmpty()) {
        break;
      }
      upper = lower;
      lower = waitedFor(upper);
    }
    if (lower != null && isThrottled(lower)) {
      LOG.debug("{} bytes/s came: a limit for reconstruction reads holds {} back", rate,
          lower.node);
      return;
    }
    String message = String.format("%.0f bytes/s came where %.0f have been seen, with %d repairs at"
        + " a time now", rate, memory.best(), windowTransfers);
    if (lower == null) {
      throw new RepairException(FailureCause.SLOW, upper.node, message, null);
    }
    throw upper == root
        ? new RepairException(FailureCause.SLOW, lower.node, message, null)
        : RepairException.slowLink(lower.node, upper.node, message);
  }

  /**
   * Returns the child for which a node waited most in this window, or null if the node has no
   * children.
   */
  private PlanNode waitedFor(PlanNode node) {
    PlanNode slowest = null;
    long most = -1;
    for (int child = 0; child < node.children.size(); child++) {
      long waited = node == root ? ownWait(child) : waitOf(node, child);
      if (waited > most) {
        slowest = node.children.get(child);
        most = waited;
      }
    }
    return slowest;
  }

  private long ownWait(int child) {
    return own.waitNanosOfChildren()[child] - windowStartWaitNanosOfChildren[child];
  }

  private long waitOf(PlanNode node, int child) {
    ProgressBoard.Entry now = board.of(node.node.uuid);
    NodeProgressProto before = atWindowStart.get(node.node.uuid);
    return Math.max(0, now == null ? 0 : part(now.progress, child)
        - (before == null ? 0 : part(before, child)));
  }

  private static long part(NodeProgressProto progress, int child) {
    List<Long> parts = progress.getWaitMsOfChildList();
    return child < parts.size() ? parts.get(child) : 0;
  }

  private boolean waitsForChildren(PlanNode node, NodeProgressProto now) {
    Spent spent = new Spent(node, now);
    return spent.child > Math.max(spent.throttle, Math.max(spent.parent, spent.local));
  }

  /**
   * Says whether, according to the node's last note, the node spent more of this window waiting for
   * the operator's limit than in any other step.
   */
  private boolean isThrottled(PlanNode node) {
    ProgressBoard.Entry entry = board.of(node.node.uuid);
    if (entry == null) {
      return false;
    }
    Spent spent = new Spent(node, entry.progress);
    return spent.throttle > 0
        && spent.throttle > Math.max(spent.child, Math.max(spent.parent, spent.local));
  }

  /** The time that a node spent in each step since this window began, milliseconds. */
  private final class Spent {
    private final long child;
    private final long parent;
    private final long local;
    private final long throttle;

    Spent(PlanNode node, NodeProgressProto now) {
      NodeProgressProto before = atWindowStart.getOrDefault(node.node.uuid,
          NodeProgressProto.newBuilder(now).setChildWaitMs(0).setParentWaitMs(0).setLocalMs(0)
              .setThrottleMs(0).build());
      child = now.getChildWaitMs() - before.getChildWaitMs();
      parent = now.getParentWaitMs() - before.getParentWaitMs();
      local = now.getLocalMs() - before.getLocalMs();
      throttle = now.getThrottleMs() - before.getThrottleMs();
    }
  }
}
