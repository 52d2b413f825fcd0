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
 * Decides which groups stock may have, and hands them over. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class StockHandOver {
  private static final Logger LOG = LoggerFactory.getLogger(StockHandOver.class);
  /** How long stock may try a group without a plan, or one that has failed too often, ms. */
  public static final long STOCKS_TURN_MS = 300_000;
  /**
   * Groups handed to stock in one cycle, which is some milliseconds of the NameNode's write lock,
   * in pieces; the others wait for the next cycle.
   */
  private static final int RELEASES_MAX = 512;

  private final ReconstructionQueue books;
  private final RepairQueue queue;
  private final GroupBook groups;
  private final RetryPolicy retries;
  private final ManagerMetrics metrics;
  private final LeavingShare leaving = new LeavingShare();
  /** Groups that were left to stock since the last log line, and one of them. */
  private int leftNow;
  private String leftExample;
  private long handedOver;

  /**
   * Keeps its arguments and does nothing else.
   *
   * @param books the NameNode's books
   * @param queue the groups that wait for a repair
   * @param groups the state of each group
   * @param retries what failed repairs tell about groups and nodes
   * @param metrics counts what happens
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
   * Whether stock can decode the group, with the right result. It refuses this project's codes.
   * Where units contradict each other it takes any of them and does not notice.
   */
  private boolean canStockDecode(LostGroup group) {
    return !PprCodec.byName(group.policy().codec()).isPresent()
        && !groups.isDoubtOpen(group.id());
  }

  /** Whether stock may have the group: it decodes rightly, or only copies from nodes that leave. */
  private boolean isStockRight(LostGroup group) {
    return canStockDecode(group) || LeavingShare.isCopiedByStock(group);
  }

  /** The group with all its nodes, also those left out because they failed: one may be leaving. */
  private LostGroup withAll(LostGroup group) {
    return retries.without(group.id()).isEmpty() ? group
        : books.look(Collections.singleton(group.id())).stream().findFirst().orElse(group);
  }

  /**
   * Gives stock a group without a plan, or one that has failed too often, if stock may have it.
   *
   * @param group the group, as the books describe it
   * @param why the reason, in words for the log
   * @return whether stock gets it
   */
  public boolean leave(LostGroup group, String why) {
    if (!canStockDecode(group) && !LeavingShare.isCopiedByStock(withAll(group))) {
      return false;
    }
    LOG.debug("{} is left to stock: {}", group, why);
    if (leftNow++ == 0) {
      leftExample = group + ": " + why;
    }
    queue.remove(group.id());
    groups.leaveToStock(group.id(), false);
    metrics.leftToStock();
    return true;
  }

  /**
   * Whether stock has, or gets, a group that the books count as lost.
   *
   * @param lost the group, as the books describe it
   * @param participants number of nodes that rebuild, among which the groups of leaving nodes are
   *     divided
   * @return whether stock has the group or gets it
   */
  public boolean takes(LostGroup lost, int participants) {
    if (LeavingShare.isOnlyLeaving(lost) && isStockRight(lost)
        && leaving.isToCopy(lost, participants) && groups.leaveToStock(lost.id(), true)) {
      queue.remove(lost.id());
      return true;
    }
    if (groups.isToBeCopied(lost.id())) {
      LOG.debug("{} has lost more and is not copied", lost);
      return false;
    }
    return groups.isStocksTurn(lost.id()) && isStockRight(lost);
  }

  /** Hands over some of the groups in stock's turn. */
  public void handSome() {
    List<GroupId> some = groups.handOver(RELEASES_MAX);
    if (!some.isEmpty()) {
      handedOver += some.size();
      // For a time: a group that is copied may lose more, and then copies do not help any more.
      books.release(some, STOCKS_TURN_MS);
    }
  }

  /** @return how many groups have been handed over since the start */
  public long handedOver() {
    return handedOver;
  }

  /** Logs one line: in a cluster with just enough nodes all groups are left when a node dies. */
  public void sayWhatIsLeft() {
    if (leftNow > 0) {
      LOG.info("{} groups are left to stock for {} ms, such as {}", leftNow, STOCKS_TURN_MS,
          leftExample);
      leftNow = 0;
    }
  }

  /** Forgets the shares: the NameNode's queue starts afresh. */
  public void clear() {
    leaving.clear();
  }
}
