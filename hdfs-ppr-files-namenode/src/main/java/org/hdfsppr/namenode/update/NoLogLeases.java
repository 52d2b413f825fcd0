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
 * Gives a reader a lease if units of a block group have no log. While the lease lasts, the reader
 * may assume that there is none: it reads the blocks, and asks no DataNode for updates. The first
 * writer of such a unit waits until all leases have ended. A reader counts its lease from before it
 * asked, so that the lease ends at the reader first.
 *
 * <p>Another NameNode may have been active before this one, and have given leases that this one
 * does not know. Therefore a NameNode that has become active first waits for the length of a lease;
 * until then it gives no leases, and no writer may begin. It looks at its own state at least twice
 * in that time, so that it notices if it was not active in between. Used by one thread.
 */
final class NoLogLeases {
  /**
   * How long a lease lasts, ms. Then the reader asks again. The first writer of a block group has
   * to wait for this long once.
   */
  static final int LEASE_MS = 1_000;
  /**
   * The NameNode takes a lease to last this much longer than the reader does, ms, because the
   * clocks of two hosts do not run at exactly the same speed.
   */
  private static final int RESERVE_MS = 100;
  /**
   * If the last look at this NameNode's state is longer ago than this, ms, another NameNode may
   * have been active in between.
   */
  private static final long LOOK_MS_MOST = LEASE_MS / 2;
  /**
   * After a writer has asked for a group, readers get no lease for it for this time, ms. Otherwise
   * readers that ask at different times could keep the writer waiting for ever. A writer that waits
   * asks again before this time is over.
   */
  private static final long WANTED_MS = 5 * LEASE_MS;
  /** How many groups are remembered at most, with about 120 bytes each. */
  private static final int GROUPS_MOST = 1 << 14;

  private final LongSupplier clockMs;
  /**
   * When the last lease for each group was given, monotonic ms; the oldest one comes first.
   */
  private final Map<Object, Long> given = new LinkedHashMap<>();
  /**
   * When a writer last asked for each group while a lease lasted, monotonic ms; the oldest one
   * comes first.
   */
  private final Map<Object, Long> wanted = new LinkedHashMap<>();
  /**
   * For groups that are not in {@link #given}: no lease was given after this time, monotonic ms.
   */
  private long forgottenMs;
  /** This NameNode has been active at least since this time, monotonic ms. */
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
   * Must be called often, with whether this NameNode is active. The NameNode counts as active since
   * the first call that says so, and not since the call before: between the two, another NameNode
   * may have given leases.
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
   * Gives a reader a lease, in which it may assume that units of a group have no log.
   *
   * @param group identifies the group: its block group if the file has no tag, otherwise the first
   *     unit of the group. A commit gives a tagged file other block groups, but the unit stays the
   *     same
   * @return how long the lease lasts, ms; 0 if there is none
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
   * Returns whether all leases for a group have ended, so that a writer may begin. If not, notes
   * that a writer waits, so that readers get no new lease for some time.
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
