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
 * Divides the groups of a node that is being decommissioned, so that two ways to empty it end at
 * the same time: stock copies what its own link can carry, and all other links rebuild the rest.
 *
 * <p>Of n units of C bytes, x are copied over a link of rate B in x C / B; the other n - x take
 * k C each over the links of N nodes, (n - x) k C / (N B). Both are equal for x = n k / (N + k).
 * Used by one thread.
 */
@InterfaceAudience.Private
final class LeavingShare {
  /** Decisions that are remembered; a forgotten one is made anew. */
  private static final int GROUPS_MAX = 100_000;

  private static final class Count {
    private int seen;
    private int copied;
  }

  private final Map<String, Count> byNode = new HashMap<>();
  /** Whether a group is to be copied. */
  private final Map<GroupId, Boolean> decided = new LinkedHashMap<>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<GroupId, Boolean> eldest) {
      return size() > GROUPS_MAX;
    }
  };

  /** Whether all lost units of the group can still be read on nodes that leave. */
  static boolean isOnlyLeaving(LostGroup group) {
    return group.lost().stream().allMatch(unit -> holderOf(group, unit) != null);
  }

  /**
   * Whether stock copies the units of a group that {@link #isOnlyLeaving}. If it does not find each
   * unit somewhere, for instance because a node is in maintenance, it decodes.
   */
  static boolean isCopiedByStock(LostGroup group) {
    GroupPolicy policy = group.policy();
    // As for a striped block in the NameNode: the last group of a file may have fewer data units.
    long dataUnits = Math.min(policy.dataUnits(),
        (group.groupBytes() - 1) / policy.cellBytes() + 1);
    return isOnlyLeaving(group) && group.live().stream().map(Holder::unit).distinct().count()
        >= dataUnits + policy.parityUnits();
  }

  private static Holder holderOf(LostGroup group, int unit) {
    return group.live().stream().filter(holder -> holder.unit() == unit).findFirst().orElse(null);
  }

  /**
   * Decides about a group that {@link #isOnlyLeaving}, with the same answer each time.
   *
   * @param others nodes that rebuild
   * @return whether stock is to copy it
   */
  boolean isToCopy(LostGroup group, int others) {
    Boolean before = decided.get(group.id());
    if (before != null) {
      return before;
    }
    String leaving = holderOf(group, group.lost().get(0)).node().uuid();
    Count count = byNode.computeIfAbsent(leaving, uuid -> new Count());
    count.seen++;
    int k = group.policy().dataUnits();
    // The due share of the groups seen so far, so that both kinds begin at once.
    boolean copy = (long) count.copied * (others + k) < (long) count.seen * k;
    count.copied += copy ? 1 : 0;
    decided.put(group.id(), copy);
    return copy;
  }

  void clear() {
    byNode.clear();
    decided.clear();
  }
}
