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
package org.hdfsppr.namenode.version;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Decides when the janitor looks, and at what. It rests for as long as its last look took, so that
 * it takes at most half of a thread. Times are monotonic, ms. One thread calls all methods but
 * {@link #lookBy}.
 */
@InterfaceAudience.Private
final class JanitorPace {
  /** The longest time between two looks at all directories of versions, ms. */
  static final long ALL_MS = 600_000;
  /** The shortest rest, ms. */
  static final long REST_MS_MIN = 1_000;

  /** What the janitor looks at. */
  enum Look {
    NONE,
    /** The versions whose graces have ended. */
    DUE,
    /** All directories. */
    ALL
  }

  private final AtomicLong dueMs = new AtomicLong(Long.MAX_VALUE);
  private long restMs;
  private long allMs;

  /** Returns what the janitor has to look at now. */
  Look next(long nowMs) {
    if (nowMs < restMs) {
      return Look.NONE;
    }
    if (nowMs >= allMs) {
      return Look.ALL;
    }
    return nowMs >= dueMs.get() ? Look.DUE : Look.NONE;
  }

  /** Notes that a look begins. Graces that begin from now on are for the next look. */
  void begin() {
    dueMs.set(Long.MAX_VALUE);
  }

  /**
   * Notes that a look has ended.
   *
   * @param look what was looked at
   * @param startMs when the look began
   * @param endMs the present time
   * @param waitMs how soon the next known grace ends, ms
   * @param needsAll whether only a look at all directories finds the version with that grace
   */
  void end(Look look, long startMs, long endMs, long waitMs, boolean needsAll) {
    restMs = endMs + Math.max(REST_MS_MIN, endMs - startMs);
    if (look == Look.ALL) {
      allMs = endMs + Math.max(ALL_MS, endMs - startMs);
    }
    if (needsAll) {
      allMs = Math.min(allMs, endMs + Math.min(ALL_MS, waitMs));
    } else {
      lookBy(endMs + Math.min(ALL_MS, waitMs));
    }
  }

  /** Notes that a look has failed. The next one soon looks at all directories. */
  void fail(long endMs) {
    restMs = endMs + REST_MS_MIN;
    allMs = endMs;
  }

  /** Brings the next look forward. Thread-safe. */
  void lookBy(long ms) {
    dueMs.accumulateAndGet(ms, Math::min);
  }
}
