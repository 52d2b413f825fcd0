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
package org.hdfsppr.namenode.update;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Gives readers leases on it that units of a block group have no log: as long as its lease lasts, a
 * reader reads the blocks and asks no other node. The first writer of such a unit waits until all
 * leases have ended. A reader counts its lease from before its question, so that it ends there
 * first.
 *
 * <p>Another NameNode may have been active before this one, and have given leases that this one
 * does not know. After it becomes active, a NameNode therefore waits for the length of a lease
 * before it gives leases or lets writers begin. It looks at its own state often enough to notice
 * that it was not active in between. Used by one thread.
 */
final class NoLogLeases {
  /**
   * How long a lease lasts, ms. After that, the reader asks again. The first writer of a block
   * group waits for this time once.
   */
  static final int LEASE_MS = 1_000;
  /** A lease ends this much later here than at its reader, ms: two hosts' clocks differ in rate. */
  private static final int RESERVE_MS = 100;
  /** A NameNode that has not looked at its state for this time may not have been active, ms. */
  private static final long LOOK_MS_MOST = LEASE_MS / 2;
  /**
   * After a writer has asked for a group, readers get no lease on it for this time, ms: otherwise
   * readers that ask at different times would keep the writer waiting for ever. A waiting writer
   * asks again sooner.
   */
  private static final long WANTED_MS = 5 * LEASE_MS;
  /** The most groups that are remembered, in about 120 bytes each. */
  private static final int GROUPS_MOST = 1 << 14;

  private final LongSupplier clockMs;
  /**
   * The time of each group's last lease, monotonic ms; the group with the oldest one comes first.
   */
  private final Map<Object, Long> given = new LinkedHashMap<>();
  /**
   * The time of a writer's last question for each group, monotonic ms; the oldest one comes first.
   */
  private final Map<Object, Long> wanted = new LinkedHashMap<>();
  /** The time of the latest lease among all groups that are forgotten, monotonic ms. */
  private long forgottenMs;
  /** The time since which this NameNode is known to be active, monotonic ms. */
  private long activeMs;
  private long lookedMs;
  private boolean wasActive;

  /** @param clockMs the time, monotonic, ms */
  NoLogLeases(LongSupplier clockMs) {
    this.clockMs = clockMs;
    this.lookedMs = clockMs.getAsLong();
    this.activeMs = lookedMs;
    this.forgottenMs = lookedMs;
  }

  /**
   * Takes note whether this NameNode is active now. It counts as active since the first look that
   * finds it active, and not since the look before: in between, the other NameNode may have given
   * leases.
   */
  void look(boolean isActive) {
    long now = clockMs.getAsLong();
    if (!isActive || !wasActive || now - lookedMs > LOOK_MS_MOST) {
      activeMs = now;
    }
    wasActive = isActive;
    lookedMs = now;
  }

  /**
   * Gives a reader a lease on it that units of a group have no log.
   *
   * @param group the block group; if the file has a tag, the first unit of the group, because a
   *     commit gives the file other block groups
   * @return how long the lease lasts, ms; 0 for no lease
   */
  int give(Object group) {
    long now = clockMs.getAsLong();
    Long asked = wanted.get(group);
    if (!isOver(activeMs) || asked != null && now - asked < WANTED_MS) {
      return 0;
    }
    wanted.remove(group);
    given.remove(group);
    given.put(group, now);
    if (given.size() > GROUPS_MOST) {
      Map.Entry<Object, Long> oldest = given.entrySet().iterator().next();
      forgottenMs = oldest.getValue();
      given.remove(oldest.getKey());
    }
    return LEASE_MS;
  }

  /**
   * Returns whether all leases on a group have ended. If not, takes note that a writer waits for
   * that.
   */
  boolean isFree(Object group) {
    Long last = given.get(group);
    boolean isFree = isOver(activeMs) && isOver(last == null ? forgottenMs : last);
    wanted.remove(group);
    if (!isFree) {
      wanted.put(group, clockMs.getAsLong());
      if (wanted.size() > GROUPS_MOST) {
        wanted.remove(wanted.keySet().iterator().next());
      }
    }
    return isFree;
  }

  private boolean isOver(long sinceMs) {
    return clockMs.getAsLong() - sinceMs >= LEASE_MS + RESERVE_MS;
  }
}
