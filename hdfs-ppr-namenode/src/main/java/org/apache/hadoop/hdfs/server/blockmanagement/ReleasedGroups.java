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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * The groups that were handed to stock, for a time or for ever. Guarded by the monitor of the
 * {@link SplitLowRedundancyBlocks} that has this object.
 */
final class ReleasedGroups {
  /** Up to this number of removed releases stay in {@code byTime} without a clean-up. */
  static final int REMOVED_MAX = 1_024;

  private static final class Release implements Comparable<Release> {
    private final BlockInfo block;
    private final long untilMs;
    private boolean atRisk;

    Release(BlockInfo block, long untilMs) {
      this.block = block;
      this.untilMs = untilMs;
    }

    @Override
    public int compareTo(Release other) {
      return Long.compare(untilMs, other.untilMs);
    }

    @Override
    public boolean equals(Object o) {
      return this == o;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  private final Map<BlockInfo, Release> released = new LinkedHashMap<>();
  /**
   * The releases that end at some time, the earliest first. A release that was removed before its
   * time stays here for a while: to find it, all releases would have to be looked at, with the
   * queue's monitor held.
   */
  private final PriorityQueue<Release> byTime = new PriorityQueue<>();
  /** How many releases of {@link #byTime} were removed before their time. */
  private int removed;
  private int atRisk;

  /**
   * @param untilMs when stock's time ends, monotonic, ms; {@link Long#MAX_VALUE} if it never ends
   */
  void add(BlockInfo block, long untilMs) {
    Release release = new Release(block, untilMs);
    remove(block);
    released.put(block, release);
    if (untilMs != Long.MAX_VALUE) {
      byTime.add(release);
    }
  }

  /** @return whether the group had been handed to stock */
  boolean remove(BlockInfo block) {
    Release release = released.remove(block);
    if (release != null) {
      mark(release, false);
      if (release.untilMs != Long.MAX_VALUE) {
        removed++;
        tidy();
      }
    }
    return release != null;
  }

  /**
   * Drops the removed releases from {@code byTime} if they are many, and more than half of all.
   * This looks at less than two releases for each one that it drops, so that a removal costs
   * little.
   */
  private void tidy() {
    if (removed > REMOVED_MAX && removed > byTime.size() / 2) {
      byTime.removeIf(release -> released.get(release.block) != release);
      removed = 0;
    }
  }

  /** Returns how many releases are kept, those that were removed before their time included. */
  int kept() {
    return byTime.size();
  }

  /**
   * Takes note of a look at a group.
   *
   * @param isOver whether the group is whole again or deleted, so that it is forgotten
   * @param isAtRisk whether the group would lose data with one more lost unit
   */
  void see(BlockInfo block, boolean isOver, boolean isAtRisk) {
    Release release = released.get(block);
    if (isOver) {
      remove(block);
    } else if (release != null) {
      mark(release, isAtRisk);
    }
  }

  private void mark(Release release, boolean isAtRisk) {
    atRisk += (isAtRisk ? 1 : 0) - (release.atRisk ? 1 : 0);
    release.atRisk = isAtRisk;
  }

  boolean contains(BlockInfo block, long nowMs) {
    Release release = released.get(block);
    return release != null && release.untilMs > nowMs;
  }

  /** @param whenOver receives each group whose time with stock has ended */
  void endDue(long nowMs, Consumer<BlockInfo> whenOver) {
    while (!byTime.isEmpty() && byTime.peek().untilMs <= nowMs) {
      Release release = byTime.poll();
      if (released.remove(release.block, release)) {
        mark(release, false);
        whenOver.accept(release.block);
      } else {
        removed--;
      }
    }
  }

  /** Returns some of the groups, first those whose last look is longest ago. */
  List<BlockInfo> takeSome(int max) {
    List<BlockInfo> taken = InspectionQueue.first(released.keySet(), max);
    for (BlockInfo block : taken) {
      released.put(block, released.remove(block));
    }
    return taken;
  }

  void clear() {
    released.clear();
    byTime.clear();
    removed = 0;
    atRisk = 0;
  }

  int size() {
    return released.size();
  }

  /**
   * Returns how many of the groups, at their last look, would have lost data with one more lost
   * unit.
   */
  int atRisk() {
    return atRisk;
  }
}
