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
package org.hdfsppr.datanode.server;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How many requests a node serves at a time, and how many of them one caller may have: requests of
 * a caller that takes no bytes would otherwise occupy all threads. Thread-safe.
 */
@InterfaceAudience.Private
final class HelperPlaces {
  /** One part in this many is a caller's share. */
  private static final int CALLER_ONE_IN = 4;
  /** A node that leads the default number of repairs, 8, may want as many of one helper. */
  private static final int CALLER_LEAST = 8;

  private final int most;
  private final int callerMost;
  private int taken;
  /** By caller; a caller without any has no entry. */
  private final Map<String, Integer> callers = new HashMap<>();

  /** @param most requests at a time */
  HelperPlaces(int most) {
    this.most = most;
    this.callerMost = Math.min(most, Math.max(CALLER_LEAST, most / CALLER_ONE_IN));
  }

  /** Takes a place, if there is one for {@code caller}; it has to be given back. */
  synchronized boolean take(String caller) {
    int has = callers.getOrDefault(caller, 0);
    if (taken == most || has == callerMost) {
      return false;
    }
    taken++;
    callers.put(caller, has + 1);
    return true;
  }

  synchronized void give(String caller) {
    taken--;
    callers.computeIfPresent(caller, (name, count) -> count == 1 ? null : count - 1);
  }
}
