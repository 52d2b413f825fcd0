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
import org.hdfsppr.update.append.UnitId;

/**
 * Bounds how often callers can make terms of a unit begin. A caller with READ may say that a term
 * has failed, and the NameNode cannot check that. Each term is a line of the edit log, and ends
 * what writers have under way. Used by one thread.
 */
@InterfaceAudience.Private
final class TermRate {
  /** How many terms of a unit may begin at once: more than the holders that fail in a minute. */
  static final int BURST = 8;
  /** After this time one more term may begin, ms. */
  static final long REFILL_MS = 5_000;
  /**
   * The most units in memory, in about 100 bytes each. Beyond that, the least recently used one
   * goes.
   */
  private static final int UNITS_MOST = 1 << 14;

  /** How many more terms of one unit may begin. */
  private static final class Left {
    private int terms = BURST;
    private long countedMs;

    Left(long nowMs) {
      countedMs = nowMs;
    }
  }

  private final LongSupplier clockMs;
  /** In the order of their last use. */
  private final Map<UnitId, Left> units = new LinkedHashMap<UnitId, Left>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<UnitId, Left> eldest) {
      return size() > UNITS_MOST;
    }
  };

  /** @param clockMs the time, monotonic, ms */
  TermRate(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /** Returns whether a caller's word may begin a term of a unit now, and counts the term. */
  boolean take(UnitId unit) {
    long now = clockMs.getAsLong();
    Left left = units.computeIfAbsent(unit, id -> new Left(now));
    long refills = (now - left.countedMs) / REFILL_MS;
    left.terms = (int) Math.min(BURST, left.terms + refills);
    left.countedMs += refills * REFILL_MS;
    if (left.terms == 0) {
      return false;
    }
    left.terms--;
    return true;
  }
}
