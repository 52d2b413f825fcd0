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
 * Counts how much of a shared resource each caller holds, and refuses a caller more than its share.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class CallerShares {
  /** The most that one caller may hold, in the unit of the resource, such as bytes */
  public final long shareMost;
  /** The amount that each caller holds. A caller that holds nothing has no entry. */
  private final Map<String, Long> held = new HashMap<>();

  /**
   * @param shareMost the most that one caller may hold, in the unit of the resource, such as bytes
   */
  public CallerShares(long shareMost) {
    this.shareMost = shareMost;
  }

  /**
   * Takes an amount for a caller, if the caller stays within its share. The amount has to be given
   * back with {@link #give}.
   *
   * @param caller name of the caller
   * @param amount the amount, in the unit of the share
   * @return true if the caller now holds the amount; false if the caller would exceed its share
   */
  public synchronized boolean take(String caller, long amount) {
    long after = held.getOrDefault(caller, 0L) + amount;
    if (after > shareMost) {
      return false;
    }
    held.put(caller, after);
    return true;
  }

  /**
   * Gives back an amount that {@link #take} has granted.
   *
   * @param caller name of the caller
   * @param amount the same amount
   */
  public synchronized void give(String caller, long amount) {
    held.computeIfPresent(caller, (name, has) -> has == amount ? null : has - amount);
  }

  /** Returns the number of callers that hold something. */
  synchronized int callers() {
    return held.size();
  }
}
