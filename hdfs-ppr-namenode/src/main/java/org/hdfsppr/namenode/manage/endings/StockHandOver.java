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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.namenode.manage.charge.SchedulingAuthority;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.UnitHolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which groups stock may have, and hands these groups to stock. Used by the manager's
 * thread.
 */
@InterfaceAudience.Private
public final class StockHandOver {
  private static final Logger LOG = LoggerFactory.getLogger(StockHandOver.class);
  /**
   * The greatest number of groups that are handed to stock in one cycle. They take some
   * milliseconds of the NameNode's write lock, in several holds. The other groups wait for the next
   * cycle.
   */
  private static final int RELEASES_MAX = 512;

  /** The time between two log lines about groups that were left to stock, ms. */
  private static final long SAY_EVERY_MS = 60_000;

  private final ManagerKnowledge known;
  private final LeavingShare leaving = new LeavingShare();
  private long saidMs = Long.MIN_VALUE / 2;
  /**
   * How many groups were left to stock since the last log line; {@code leftExample} names one of
   * them.
   */
  private int leftNow;
  private String leftExample;
  private long handedOver;

  /** @param known the state and the settings that the manager's parts share */
  public StockHandOver(ManagerKnowledge known) {
    this.known = known;
  }

  /**
   * Returns whether stock can decode the group with the right result. Stock cannot decode this
   * project's codes. If units contradict each other, stock takes any of them and does not notice.
   */
  private boolean canStockDecode(LostGroup group) {
    return !PprCodec.byName(group.policy.codec).isPresent()
        && !known.groups.isDoubtOpen(group.id);
  }

  /**
   * Returns whether stock may have the group, because it decodes correctly, or only copies units
   * from nodes that are being decommissioned.
   */
  private boolean isStockRight(LostGroup group) {
    return canStockDecode(group) || LeavingShare.isCopiedByStock(group);
  }

  /**
   * Returns the group with all its nodes. The description {@code group} may lack nodes that failed
   * in earlier repairs. One of these may be a node that is being decommissioned, from which stock
   * can copy the unit.
   */
  private LostGroup withAll(LostGroup group) {
    return known.retries.without(group.id).isEmpty() ? group
        : known.books.look(Collections.singleton(group.id)).stream().findFirst().orElse(group);
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
    known.queue.remove(group.id);
    known.groups.leaveToStock(group.id, false);
    known.retries.notes.leftToStock(group.id, why);
    known.metrics.count(ManagerCounter.GROUPS_LEFT_TO_STOCK);
    return true;
  }

  /**
   * Decides whether stock has, or gets, a group that the NameNode counts as lost.
   *
   * @param lost the group, as the NameNode describes it
   * @param participants number of nodes that take part in repairs; it decides how many groups of a
   *     node that is being decommissioned stock copies
   * @return whether stock has the group or gets it
   */
  public boolean takes(LostGroup lost, int participants) {
    if (LeavingShare.isOnlyLeaving(lost) && isStockRight(lost)
        && leaving.isToCopy(lost, participants) && known.groups.leaveToStock(lost.id, true)) {
      known.queue.remove(lost.id);
      known.retries.notes.leftToStock(lost.id, "it has lost nothing yet, and stock copies its units"
          + " off DataNodes that leave");
      return true;
    }
    if (known.groups.isToBeCopied(lost.id)) {
      LOG.debug("{} has lost more and is not copied", lost);
      return false;
    }
    return known.groups.isStocksTurn(lost.id) && isStockRight(lost);
  }

  /**
   * Hands over some of the groups that stock is to get.
   *
   * @param nowMs the time now, monotonic, ms
   */
  public void handSome(long nowMs) {
    List<GroupId> some = known.groups.handOver(RELEASES_MAX);
    if (!some.isEmpty()) {
      handedOver += some.size();
      some.forEach(group -> known.retries.notes.handed(group, nowMs));
      // The release is only for a time, because a group that stock copies may lose more units, and
      // copying then does not suffice.
      known.books.release(some, SchedulingAuthority.STOCKS_TURN_MS);
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
      LOG.info("{} groups are left to stock for {} ms, such as {}", leftNow,
          SchedulingAuthority.STOCKS_TURN_MS,
          leftExample);
      leftNow = 0;
    }
  }

  /**
   * Forgets which groups stock is to copy from nodes that are being decommissioned, because the
   * NameNode has begun a new queue.
   */
  public void clear() {
    leaving.clear();
  }

  /**
   * Divides the groups of a node that is being decommissioned between stock and the repair manager.
   * Stock copies units over the node's own link, and the repair manager rebuilds units over all
   * other links. It chooses the shares so that both finish at the same time.
   *
   * <p>Let the node have n units of C bytes, links of rate B, and N other nodes. Copying x units
   * takes x C / B. Rebuilding each of the other n - x units moves k C bytes, so that all of them
   * take (n - x) k C / (N B). Both times are equal for x = n k / (N + k). Used by one thread.
   */
  static final class LeavingShare {
    /** The greatest number of decisions that are remembered; a forgotten decision is made again. */
    private static final int GROUPS_MAX = 100_000;

    private static final class Count {
      private int seen;
      private int copied;
    }

    private final Map<String, Count> byNode = new HashMap<>();
    /** For each group, whether stock is to copy its units. */
    private final Map<GroupId, Boolean> decided = new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<GroupId, Boolean> eldest) {
        return size() > GROUPS_MAX;
      }
    };

    /**
     * Returns whether all lost units of the group can still be read on nodes that are being
     * decommissioned.
     */
    static boolean isOnlyLeaving(LostGroup group) {
      return group.lost.stream().allMatch(unit -> holderOf(group, unit) != null);
    }

    /**
     * Returns whether stock only copies the units of a group. Stock only copies if all lost units
     * can be read on nodes that are being decommissioned, and every other unit can be read, too. If
     * a unit cannot be read, for instance because its node is in maintenance, stock decodes.
     */
    static boolean isCopiedByStock(LostGroup group) {
      GroupPolicy policy = group.policy;
      // The number of data units is calculated as in the NameNode, because the last group of a file
      // may have fewer data units than the policy says.
      long dataUnits = Math.min(policy.dataUnits,
          (group.groupBytes - 1) / policy.cellBytes + 1);
      return isOnlyLeaving(group) && group.live.stream().map(holder -> holder.unit).distinct()
          .count()
          >= dataUnits + policy.parityUnits;
    }

    private static UnitHolder holderOf(LostGroup group, int unit) {
      return group.live.stream().filter(holder -> holder.unit == unit).findFirst().orElse(null);
    }

    /**
     * Decides about a group for which {@link #isOnlyLeaving} is true. A second call for the same
     * group returns the same answer.
     *
     * @param others number of nodes that take part in repairs
     * @return whether stock is to copy the units of the group
     */
    boolean isToCopy(LostGroup group, int others) {
      Boolean before = decided.get(group.id);
      if (before != null) {
        return before;
      }
      String leaving = holderOf(group, group.lost.get(0)).node.uuid;
      Count count = byNode.computeIfAbsent(leaving, uuid -> new Count());
      count.seen++;
      int k = group.policy.dataUnits;
      // The share is applied to the groups seen so far, so that copies and repairs both begin at
      // once.
      boolean copy = (long) count.copied * (others + k) < (long) count.seen * k;
      count.copied += copy ? 1 : 0;
      decided.put(group.id, copy);
      return copy;
    }

    void clear() {
      byNode.clear();
      decided.clear();
    }
  }
}
