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
package org.hdfsppr.namenode.manage;

import java.util.OptionalLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.schedule.RepairQueue;

/**
 * Remembers what only a walk over all waiting groups shows. While few groups wait, each cycle
 * walks. A walk over a million takes some 0.15 seconds, in which no repair begins, so that there
 * are fewer walks then, and the answers are up to {@code size / WALKED_PER_CYCLE} cycles old. Used
 * by the manager's thread.
 */
@InterfaceAudience.Private
final class DueGroups {
  /** The most groups over which a cycle walks on average: one or two milliseconds. */
  static final int WALKED_PER_CYCLE = 10_000;

  private final RepairQueue queue;
  private final long delayMs;
  private OptionalLong oldestMs = OptionalLong.empty();
  private boolean isThereAny;
  private int walked;
  private long nextCycle;

  /** @param delayMs how long a group waits for its nodes to come back, ms */
  DueGroups(RepairQueue queue, long delayMs) {
    this.queue = queue;
    this.delayMs = delayMs;
  }

  /**
   * Walks if it is time.
   *
   * @param cycle the number of the cycle
   */
  void look(long cycle) {
    int size = queue.size();
    // If many groups have gone at once, the old answers are of groups that do not wait any more.
    if (cycle >= nextCycle || size <= WALKED_PER_CYCLE || size < walked / 2) {
      oldestMs = queue.oldestDueMs(delayMs);
      isThereAny = queue.hasDue(delayMs);
      walked = size;
      nextCycle = cycle + 1 + size / WALKED_PER_CYCLE;
    }
  }

  /**
   * Returns when the oldest group that could be repaired was lost, see {@link
   * RepairQueue#oldestDueMs}.
   */
  OptionalLong oldestMs() {
    return oldestMs;
  }

  /** Returns whether a group waits for more than the return of its nodes or units. */
  boolean isThereAny() {
    return isThereAny;
  }
}
