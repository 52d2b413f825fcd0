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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.namenode.spread.BlockMove;
import org.hdfsppr.namenode.spread.SpreadPlan;
import org.hdfsppr.namenode.spread.SpreadPlanner;
import org.hdfsppr.namenode.spread.SpreadView;
import org.hdfsppr.operate.SpreadPlace;
import org.hdfsppr.plan.GroupId;

/**
 * Looks at columns in the order of the CORE groups, some in each step, and plans moves of blocks
 * that are together on a DataNode. It keeps no state between two steps, so that a caller may repeat
 * a step after a failover. Used by the thread that has the groups.
 */
@InterfaceAudience.Private
final class Spreader {
  /** The most looks of a step: each holds the NameNode's read lock for some twenty microseconds. */
  static final int LOOKS_MAX = 100;
  /** A step ends after the look that brings it to this many moves. */
  static final int MOVES_MAX = 64;
  /** The most groups of other directories that a step skips. */
  static final int PASSED_MAX = 10_000;

  /** A move, and the place of its column. */
  static final class Found {
    final BlockMove move;
    final SpreadPlace place;

    private Found(BlockMove move, SpreadPlace place) {
      this.move = move;
      this.place = place;
    }
  }

  /** What a step has seen. */
  static final class Step {
    final List<Found> found = new ArrayList<>();
    final Map<String, Long> staying = new TreeMap<>();
    private long columns;
    private long together;
    private SpreadPlace next;

    long columns() {
      return columns;
    }

    long together() {
      return together;
    }

    /** Returns where the next step begins; null if this was the last one. */
    SpreadPlace next() {
      return next;
    }

    private void add(SpreadPlan plan, SpreadPlace place) {
      together += plan.together;
      plan.moves.forEach(move -> found.add(new Found(move, place)));
      plan.staying.forEach((wait, number) ->
          staying.merge(wait.word(), (long) number, Long::sum));
    }
  }

  private final SpreadView view;

  Spreader(SpreadView view) {
    this.view = view;
  }

  /**
   * @param shelf the groups
   * @param directory inode id of a protected directory; empty for all
   * @param from where the step begins
   */
  Step step(GroupShelf shelf, OptionalLong directory, SpreadPlace from) {
    Step step = new Step();
    SpreadPlanner planner = new SpreadPlanner(view::nodes);
    int looks = 0;
    int passed = 0;
    SpreadPlace place = from;
    GroupShelf.Item item = shelf.from(place.coreGroup);
    while (item != null) {
      CoreGroup group = item.group;
      int index = group.id() == place.coreGroup ? place.index : 0;
      boolean isPassed = directory.isPresent() && directory.getAsLong() != item.directory()
          || index >= group.parity().blockGroups;
      place = new SpreadPlace(group.id(), index);
      if (isPassed ? passed >= PASSED_MAX
          : looks >= LOOKS_MAX || step.found.size() >= MOVES_MAX) {
        step.next = place;
        return step;
      }
      if (isPassed) {
        passed++;
        place = new SpreadPlace(group.id() + 1, 0);
      } else {
        looks++;
        step.columns += group.policy.dataUnits + group.policy.parityUnits;
        step.add(planner.plan(view.rows(ids(group, index))), place);
        place = new SpreadPlace(group.id(), index + 1);
      }
      item = shelf.from(place.coreGroup);
    }
    return step;
  }

  /**
   * Returns the recorded block groups with one index; those without a known identity are left out.
   */
  private static List<GroupId> ids(CoreGroup group, int index) {
    List<GroupId> ids = new ArrayList<>();
    for (int row = 0; row < group.rows.size(); row++) {
      GroupIdentity identity = group.identity(row, index);
      if (identity != null) {
        ids.add(new GroupId(group.poolId, identity.groupId, identity.generationStamp));
      }
    }
    return ids;
  }
}
