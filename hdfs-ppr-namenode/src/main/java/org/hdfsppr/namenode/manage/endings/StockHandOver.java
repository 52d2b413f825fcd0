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
package org.hdfsppr.namenode.manage.endings;

import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.schedule.RepairQueue;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.namenode.track.RetryPolicy;
import org.hdfsppr.plan.GroupId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which groups stock may have, and hands these groups to stock. Used by the manager's
 * thread.
 */
@InterfaceAudience.Private
public final class StockHandOver {
  private static final Logger LOG = LoggerFactory.getLogger(StockHandOver.class);
  /** How long stock may try a group that has no plan or has failed too often, ms. */
  public static final long STOCKS_TURN_MS = 300_000;
  /**
   * The greatest number of groups that are handed to stock in one cycle. They take some
   * milliseconds of the NameNode's write lock, in several holds. The other groups wait for the next
   * cycle.
   */
  private static final int RELEASES_MAX = 512;

  /** The time between two log lines about groups that were left to stock, ms. */
  private static final long SAY_EVERY_MS = 60_000;

  private final ReconstructionQueue books;
  private final RepairQueue queue;
  private final GroupBook groups;
  private final RetryPolicy retries;
  private final ManagerMetrics metrics;
  private final LeavingShare leaving = new LeavingShare();
  private long saidMs = Long.MIN_VALUE / 2;
  /**
   * How many groups were left to stock since the last log line; the next field names one of them.
   */
  private int leftNow;
  private String leftExample;
  private long handedOver;

  /**
   * Makes an instance that has left no groups to stock.
   *
   * @param books the NameNode's queue of lost groups
   * @param queue the groups that wait for a repair
   * @param groups the state of each group
   * @param retries the history of failed repairs
   * @param metrics counts the groups that go to stock
   */
  public StockHandOver(ReconstructionQueue books, RepairQueue queue, GroupBook groups,
      RetryPolicy retries, ManagerMetrics metrics) {
    this.books = books;
    this.queue = queue;
    this.groups = groups;
    this.retries = retries;
    this.metrics = metrics;
  }

  /**
   * Returns whether stock can decode the group with the right result. Stock cannot decode this
   * project's codes. If units contradict each other, stock takes any of them and does not notice.
   */
  private boolean canStockDecode(LostGroup group) {
    return !PprCodec.byName(group.policy.codec).isPresent()
        && !groups.isDoubtOpen(group.id);
  }

  /**
   * Returns whether stock may have the group, because it decodes correctly or only copies units
   * from nodes that leave.
   */
  private boolean isStockRight(LostGroup group) {
    return canStockDecode(group) || LeavingShare.isCopiedByStock(group);
  }

  /**
   * Returns the group with all its nodes. {@code group} lacks the nodes that failed in earlier
   * repairs. But one of them may be leaving, so that stock can copy its unit.
   */
  private LostGroup withAll(LostGroup group) {
    return retries.without(group.id).isEmpty() ? group
        : books.look(Collections.singleton(group.id)).stream().findFirst().orElse(group);
  }

  /**
   * Leaves to stock a group that has no plan or whose repairs have failed too often, if stock may
   * have the group.
   *
   * @param group the group, as the NameNode describes it
   * @param why the reason, in words for the log
   * @return whether stock gets the group
   */
  public boolean leave(LostGroup group, String why) {
    if (!canStockDecode(group) && !LeavingShare.isCopiedByStock(withAll(group))) {
      return false;
    }
    LOG.debug("{} is left to stock: {}", group, why);
    if (leftNow++ == 0) {
      leftExample = group + ": " + why;
    }
    queue.remove(group.id);
    groups.leaveToStock(group.id, false);
    retries.notes.leftToStock(group.id, why);
    metrics.leftToStock();
    return true;
  }

  /**
   * Decides whether stock has, or gets, a group that the NameNode counts as lost.
   *
   * @param lost the group, as the NameNode describes it
   * @param participants number of nodes that take part in repairs, among which the groups of
   *     leaving nodes are divided
   * @return whether stock has the group or gets it
   */
  public boolean takes(LostGroup lost, int participants) {
    if (LeavingShare.isOnlyLeaving(lost) && isStockRight(lost)
        && leaving.isToCopy(lost, participants) && groups.leaveToStock(lost.id, true)) {
      queue.remove(lost.id);
      retries.notes.leftToStock(lost.id, "it has lost nothing yet, and stock copies its units"
          + " off DataNodes that leave");
      return true;
    }
    if (groups.isToBeCopied(lost.id)) {
      LOG.debug("{} has lost more and is not copied", lost);
      return false;
    }
    return groups.isStocksTurn(lost.id) && isStockRight(lost);
  }

  /**
   * Hands over some of the groups that stock is to get.
   *
   * @param nowMs the time now, monotonic, ms
   */
  public void handSome(long nowMs) {
    List<GroupId> some = groups.handOver(RELEASES_MAX);
    if (!some.isEmpty()) {
      handedOver += some.size();
      some.forEach(group -> retries.notes.handed(group, nowMs));
      // The release is only for a time, because a group that stock copies may lose more units, and
      // copying then does not suffice.
      books.release(some, STOCKS_TURN_MS);
    }
  }

  /** @return how many groups have been handed over since the start */
  public long handedOver() {
    return handedOver;
  }

  /**
   * Logs one line for all groups that were left to stock since the last line, at most once a
   * minute. There may be many: when a node dies in a cluster with just enough nodes, all its groups
   * are left to stock.
   *
   * @param nowMs the time now, monotonic, ms
   */
  public void sayWhatIsLeft(long nowMs) {
    if (leftNow > 0 && nowMs - saidMs >= SAY_EVERY_MS) {
      saidMs = nowMs;
      LOG.info("{} groups are left to stock for {} ms, such as {}", leftNow, STOCKS_TURN_MS,
          leftExample);
      leftNow = 0;
    }
  }

  /** Forgets the shares, because the NameNode has begun a new queue. */
  public void clear() {
    leaving.clear();
  }
}
