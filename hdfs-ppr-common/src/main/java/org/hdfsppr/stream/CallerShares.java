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
package org.hdfsppr.stream;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Counts what each caller holds of something that callers share, and lets none have more than its
 * share. Thread-safe.
 */
@InterfaceAudience.Private
public final class CallerShares {
  private final long shareMost;
  /** What each caller holds; a caller without anything has no entry. */
  private final Map<String, Long> held = new HashMap<>();

  /** @param shareMost what one caller may hold */
  public CallerShares(long shareMost) {
    this.shareMost = shareMost;
  }

  /** What one caller may hold. */
  public long shareMost() {
    return shareMost;
  }

  /** Takes {@code amount}, if that stays within the caller's share; it has to be given back. */
  public synchronized boolean take(String caller, long amount) {
    long after = held.getOrDefault(caller, 0L) + amount;
    if (after > shareMost) {
      return false;
    }
    held.put(caller, after);
    return true;
  }

  /** Gives back what was taken. */
  public synchronized void give(String caller, long amount) {
    held.computeIfPresent(caller, (name, has) -> has == amount ? null : has - amount);
  }

  /** Callers that hold something. */
  synchronized int callers() {
    return held.size();
  }
}
