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
package org.hdfsppr.namenode.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.namenode.core.CoreGroupManager.SpreadCount;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** Which columns have two blocks on a node, and when columns are counted. */
class TestColumnSpread {
  private static final long ROUND_MS = 1_000;
  private static final int MEMBER = 0;
  private static final int SHORT_MEMBER = 1;
  private static final int PARITY = 2;

  private final Map<GroupId, Map<Integer, Set<String>>> places = new HashMap<>();
  private int looks;
  private final ColumnSpread spread = new ColumnSpread(groups -> {
    looks++;
    Map<GroupId, Map<Integer, Set<String>>> found = new HashMap<>(places);
    found.keySet().retainAll(groups);
    return found;
  });
  private final CoreGroupRegistry shelf =
      new CoreGroupRegistry(new CoreGroupIndex(ids -> Collections.nCopies(ids.size(), null)));
  private final SpreadCount count = new SpreadCount(shelf, spread, ROUND_MS);

  /** Puts a unit of a row onto a node. */
  private void put(CoreGroup group, int row, int index, int unit, String node) {
    GroupIdentity identity = group.identity(row, index);
    places.computeIfAbsent(new GroupId(group.poolId, identity.groupId,
        identity.generationStamp), none -> new HashMap<>())
        .computeIfAbsent(unit, none -> new HashSet<>()).add(node);
  }

  @Test
  void aParityUnitIsComparedWithItsOwnColumnAtEachIndex() {
    CoreGroup group = PaperGroups.group(10, 3);
    put(group, PARITY, 2, 3, "one");
    put(group, PARITY, 2, 0, "two");
    put(group, MEMBER, 2, 3, "other");
    // The same node has units of other columns, of other indices, and of the same file.
    put(group, MEMBER, 2, 1, "one");
    put(group, MEMBER, 2, 3, "two");
    put(group, MEMBER, 1, 3, "one");
    put(group, PARITY, 2, 4, "one");
    assertFalse(spread.isParityBeside(group));
    assertEquals(0, spread.together(group, 2));
    // A replica too many counts, too.
    put(group, MEMBER, 2, 3, "one");
    assertTrue(spread.isParityBeside(group));
    assertEquals(1, spread.together(group, 2));
    assertEquals(0, spread.together(group, 1));
  }

  /** Clients have put members' units together, which no new parity file makes better. */
  @Test
  void membersUnitsBesideEachOtherAreCountedOnly() {
    CoreGroup group = PaperGroups.group(10, 2);
    for (int unit = 1; unit <= 4; unit++) {
      put(group, MEMBER, 0, unit, "n" + unit);
      put(group, SHORT_MEMBER, 0, unit, "n" + unit);
      put(group, PARITY, 0, unit, "p" + unit);
    }
    assertFalse(spread.isParityBeside(group));
    assertEquals(4, spread.together(group, 0));
    // A third block makes it no second column.
    put(group, PARITY, 0, 1, "n1");
    assertEquals(4, spread.together(group, 0));
  }

  private int together(CoreGroup group) {
    return shelf.item(group.id()).together();
  }

  @Test
  void allGroupsAreCountedOnceInARound() {
    CoreGroup one = PaperGroups.group(10, 2);
    CoreGroup other = PaperGroups.group(20, 3);
    shelf.add(one, 0);
    shelf.add(other, 0);
    put(one, MEMBER, 1, 2, "n");
    put(one, PARITY, 1, 2, "n");
    put(other, MEMBER, 0, 2, "n");
    put(other, SHORT_MEMBER, 0, 2, "n");
    put(other, MEMBER, 2, 2, "m");
    put(other, PARITY, 2, 2, "m");
    count.step(0);
    assertEquals(1, together(one));
    assertEquals(2, together(other));
    assertEquals(5, looks);
    places.clear();
    count.step(ROUND_MS - 1);
    assertEquals(5, looks);
    assertEquals(1, together(one));
    count.step(ROUND_MS);
    assertEquals(10, looks);
    assertEquals(0, together(one));
    assertEquals(0, together(other));
  }

  /** The group is dissolved when a part of its columns is counted. */
  @Test
  void aGroupThatGoesLeavesNothingToTheNextOne() {
    CoreGroup large = PaperGroups.group(10, SpreadCount.LOOKS_PER_STEP + 30);
    CoreGroup next = PaperGroups.group(200, 2);
    shelf.add(large, 0);
    shelf.add(next, 0);
    put(large, MEMBER, 5, 1, "n");
    put(large, PARITY, 5, 1, "n");
    put(next, MEMBER, 0, 1, "n");
    put(next, PARITY, 0, 1, "n");
    count.step(0);
    assertEquals(SpreadCount.LOOKS_PER_STEP, looks);
    shelf.remove(large);
    count.step(1);
    assertEquals(SpreadCount.LOOKS_PER_STEP + 2, looks);
    assertEquals(1, together(next));
  }
}
