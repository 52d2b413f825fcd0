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
package org.hdfsppr.namenode.track;

import java.util.LinkedHashSet;
import java.util.Set;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.namenode.model.UnitPlaces;
import org.hdfsppr.plan.GroupId;

/** Records the failed checks of one group's units, see {@link Doubts}. */
final class Doubt {
  /**
   * How many nodes {@code finders} holds at most. Two nodes whose checks failed are enough to make
   * the group doubted.
   */
  static final int NODES_MAX = 16;

  /** UUIDs of the destinations that found a contradiction. */
  final Set<String> finders = new LinkedHashSet<>();
  /** The units that could be read when the first finder's check failed, each with its node. */
  private UnitPlaces places = UnitPlaces.NONE;
  /**
   * Units of the group that may be wrong. Since the failed check, no repair has written them anew
   * or has found that all units that it read agree with them.
   */
  private UnitPlaces suspects = UnitPlaces.NONE;
  /**
   * The number of bytes that the failed checks covered. A repair that checks fewer bytes takes no
   * unit out of {@code suspects}.
   */
  private long streamBytes;
  private long sinceMs;
  private long sinceWorkedMs;
  private boolean certain;
  /** Whether a contradiction was found between a column of CORE and the group. */
  private boolean byColumn;

  /** Notes that the check of a repair of the group has failed. */
  void found(RepairScope scope) {
    if (finders.isEmpty()) {
      places = scope.live;
    }
    if (finders.size() < NODES_MAX) {
      finders.add(scope.destination);
    }
    byColumn |= scope.isByColumn();
    suspect(scope.live, scope);
  }

  /** Returns whether a node has found that a column of CORE contradicts the group. */
  boolean isByColumn() {
    return byColumn;
  }

  void suspect(UnitPlaces units, RepairScope scope) {
    suspects = suspects.plus(units);
    streamBytes = Math.max(streamBytes, scope.streamBytes);
  }

  /**
   * Takes note of a repair that has checked every byte of some units and found that these units
   * agree. If the repair checked at least as many bytes as the failed checks, these units are not
   * suspected any more.
   */
  void clear(RepairScope scope, UnitPlaces read) {
    suspects = scope.stillThere(suspects);
    if (scope.streamBytes >= streamBytes) {
      suspects = suspects.without(read);
    }
  }

  /** Returns whether no unit is suspected any more. */
  boolean isCleared() {
    return suspects.isEmpty();
  }

  /**
   * Sets when the doubt began.
   *
   * @param nowMs the time, monotonic, ms
   * @param workedMs for how long repairs were allowed to begin until then, without the pauses of an
   *     operator, ms
   */
  void setSince(long nowMs, long workedMs) {
    sinceMs = nowMs;
    sinceWorkedMs = workedMs;
  }

  /**
   * Returns for how long repairs were allowed to begin before the doubt began, without the pauses
   * of an operator, ms.
   */
  long sinceWorkedMs() {
    return sinceWorkedMs;
  }

  /** Returns whether a unit is known to be wrong, and not only suspected. */
  boolean isCertain() {
    return certain;
  }

  /**
   * Notes that a unit of the group is known to be wrong; returns whether that was not known before.
   */
  boolean makeCertain() {
    boolean isNew = !certain;
    certain = true;
    return isNew;
  }

  DoubtView view(GroupId group) {
    return new DoubtView(group, sinceMs, certain, suspects);
  }

  /**
   * Returns whether a repair has read all units that could be read when the first check failed, and
   * at least as many bytes as the failed checks covered.
   */
  boolean isCoveredBy(RepairScope scope, UnitPlaces read) {
    return read.hasAllOf(places) && scope.streamBytes >= streamBytes;
  }
}
