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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.namenode.model.UnitPlaces;

/** The findings against the units of one group, see {@link Doubts}. */
@InterfaceAudience.Private
final class Doubt {
  /** Nodes that are remembered for a group; two of them make a doubt. */
  static final int NODES_MAX = 16;

  /** Destinations that found a contradiction. */
  private final Set<String> finders = new LinkedHashSet<>();
  /** The places of the units that the first finder could read. */
  private UnitPlaces places = UnitPlaces.NONE;
  /** Units of the group that may be wrong: no clean repair has read or replaced them since. */
  private UnitPlaces suspects = UnitPlaces.NONE;
  /** Bytes that the checks covered which began the doubt: a shorter check clears nothing. */
  private long streamBytes;
  private long sinceMs;
  private boolean certain;

  /** A node's check has failed. */
  void found(String uuid, RepairScope scope, long nowMs) {
    if (finders.isEmpty()) {
      places = scope.live();
      sinceMs = nowMs;
    }
    if (finders.size() < NODES_MAX) {
      finders.add(uuid);
    }
    suspect(scope.live(), scope);
  }

  void suspect(UnitPlaces units, RepairScope scope) {
    suspects = suspects.plus(units);
    streamBytes = Math.max(streamBytes, scope.streamBytes());
  }

  /** A repair has checked every byte of some units, which agree. */
  void clear(RepairScope scope, UnitPlaces read) {
    suspects = scope.stillThere(suspects);
    if (scope.streamBytes() >= streamBytes) {
      suspects = suspects.without(read);
    }
  }

  /** Whether no unit is left that may be wrong. */
  boolean isCleared() {
    return suspects.isEmpty();
  }

  void setSinceMs(long nowMs) {
    sinceMs = nowMs;
  }

  /** Since when, monotonic milliseconds. */
  long sinceMs() {
    return sinceMs;
  }

  /** Whether a unit is known to be wrong, and not only suspected. */
  boolean isCertain() {
    return certain;
  }

  /** @return whether that is new */
  boolean makeCertain() {
    boolean isNew = !certain;
    certain = true;
    return isNew;
  }

  Set<String> finders() {
    return finders;
  }

  /** Whether a repair has read, as far as the checks went, all that the first finder could. */
  boolean isCoveredBy(RepairScope scope, UnitPlaces read) {
    return read.hasAllOf(places) && scope.streamBytes() >= streamBytes;
  }
}
