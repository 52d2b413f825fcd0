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

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.Holder;

/**
 * Divides the groups of a node that is being decommissioned between stock and the repair manager.
 * Stock copies units over the node's own link, and the repair manager rebuilds units over all other
 * links. It chooses the shares so that both finish at the same time.
 *
 * <p>Let the node have n units of C bytes, links of rate B, and N other nodes. Copying x units
 * takes x C / B. Rebuilding each of the other n - x units moves k C bytes, so that all of them take
 * (n - x) k C / (N B). Both times are equal for x = n k / (N + k). Used by one thread.
 */
@InterfaceAudience.Private
final class LeavingShare {
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

  /** Returns whether all lost units of the group can still be read on nodes that leave. */
  static boolean isOnlyLeaving(LostGroup group) {
    return group.lost.stream().allMatch(unit -> holderOf(group, unit) != null);
  }

  /**
   * Returns whether stock only copies the units of a group. Stock only copies if all lost units can
   * be read on nodes that leave, and every other unit can be read, too. If a unit cannot be read,
   * for instance because its node is in maintenance, stock decodes.
   */
  static boolean isCopiedByStock(LostGroup group) {
    GroupPolicy policy = group.policy;
    // The number of data units is calculated as in the NameNode, because the last group of a file
    // may have fewer data units than the policy says.
    long dataUnits = Math.min(policy.dataUnits,
        (group.groupBytes - 1) / policy.cellBytes + 1);
    return isOnlyLeaving(group) && group.live.stream().map(holder -> holder.unit).distinct().count()
        >= dataUnits + policy.parityUnits;
  }

  private static Holder holderOf(LostGroup group, int unit) {
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
