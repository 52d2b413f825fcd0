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
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Lets readers know for a short time that units of a block group have no log, so that they read the
 * blocks and ask no other node. The first writer of such a unit waits until the time of all readers
 * is up. A reader counts its time from before its question, so that it ends first.
 *
 * <p>Another NameNode may have been active before this one, and have given times of which this one
 * does not know. An active NameNode therefore waits as long before it gives anything. It looks at
 * its own state often enough to see that it was not active in between. Used by one thread.
 */
@InterfaceAudience.Private
final class NoLogLeases {
  /**
   * How long a reader knows it, ms. A reader asks again after that, and the first writer of a block
   * group waits for it once.
   */
  static final int LEASE_MS = 1_000;
  /** How much later the lease ends here, ms: the clocks of two hosts do not go at the same rate. */
  private static final int RESERVE_MS = 100;
  /** After this time without a look at its own state, a NameNode may not have been active, ms. */
  private static final long LOOK_MS_MOST = LEASE_MS / 2;
  /**
   * For how long no reader of a group is told anything after a writer has asked for it, ms: readers
   * that ask at different times would keep the writer waiting for ever. A writer asks again sooner.
   */
  private static final long WANTED_MS = 5 * LEASE_MS;
  /** The most groups that are remembered, in about 120 bytes each. */
  private static final int GROUPS_MOST = 1 << 14;

  private final LongSupplier clockMs;
  /** When each group was given the last time, the oldest first. */
  private final Map<Object, Long> given = new LinkedHashMap<>();
  /** When a writer asked for each group the last time, the oldest first. */
  private final Map<Object, Long> wanted = new LinkedHashMap<>();
  /** When the latest of the groups was given that are not remembered any more. */
  private long forgottenMs;
  /** Since when this NameNode is known to be active. */
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
   * finds it so: until shortly before that, the other NameNode may have given times, also after the
   * last look that found this one inactive.
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
   * Returns for how long a reader knows that units of a group have no log, ms; 0 for not at all.
   *
   * @param group the block group; of a file with a tag, the first unit of the group, because a
   *     commit gives the file other block groups
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
   * Returns whether no reader relies any more on units of a group to have no log. If some do, a
   * writer waits for that.
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
