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

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Counts for each group the columns that have two blocks on a node: a client has written them so,
 * or stock, its balancer, or a repair without another choice has placed them so. Looks at some
 * columns in each step, in rounds. Used by one thread.
 */
@InterfaceAudience.Private
final class SpreadCount {
  /**
   * The most looks of a step. Each look holds the NameNode's read lock for all block groups with
   * one index of a CORE group, some twenty microseconds; with the pauses between steps, there are
   * some 400 looks a second.
   */
  static final int LOOKS_PER_STEP = 100;

  private final GroupShelf shelf;
  private final ColumnSpread spread;
  private final long roundMs;
  private final Deque<Long> due = new ArrayDeque<>();
  private boolean hasBegun;
  private long beganMs;
  /**
   * The next index to look at in the first group that is due, and the columns counted so far in it.
   */
  private int index;
  private int together;

  /** @param roundMs the least time between two looks at all groups, ms */
  SpreadCount(GroupShelf shelf, ColumnSpread spread, long roundMs) {
    this.shelf = shelf;
    this.spread = spread;
    this.roundMs = roundMs;
  }

  /** @param nowMs the time, monotonic, ms */
  void step(long nowMs) {
    if (due.isEmpty() && (!hasBegun || nowMs - beganMs >= roundMs)) {
      hasBegun = true;
      beganMs = nowMs;
      shelf.items().forEach(item -> due.add(item.group.id()));
    }
    for (int looks = 0; looks < LOOKS_PER_STEP && !due.isEmpty(); looks++) {
      GroupShelf.Item item = shelf.item(due.peek());
      if (item == null) {
        next();
        continue;
      }
      together += spread.together(item.group, index++);
      if (index == item.group.parity().blockGroups) {
        item.setTogether(together);
        next();
      }
    }
  }

  private void next() {
    due.remove();
    index = 0;
    together = 0;
  }

  void clear() {
    due.clear();
    hasBegun = false;
    index = 0;
    together = 0;
  }
}
