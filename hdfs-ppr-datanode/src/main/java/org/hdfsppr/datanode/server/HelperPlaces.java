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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.stream.CallerShares;

/**
 * Bounds how many requests a node serves at a time, both in total and for each caller. A place is
 * the right to serve one request. Without the second bound, a caller that accepts no bytes could
 * occupy all threads. Thread-safe.
 */
@InterfaceAudience.Private
final class HelperPlaces {
  /** A caller may have one place out of this many. */
  private static final int CALLER_ONE_IN = 4;
  /**
   * A caller may always have this many places. A node runs 8 repairs at a time by default, and may
   * need the same helper for all of them.
   */
  private static final int CALLER_LEAST = 8;

  private final int most;
  private final CallerShares callers;
  private int taken;

  /** @param most the most requests at a time */
  HelperPlaces(int most) {
    this.most = most;
    this.callers =
        new CallerShares(Math.min(most, Math.max(CALLER_LEAST, most / CALLER_ONE_IN)));
  }

  /**
   * Takes a place for {@code caller}, and returns whether a place was free. The calling thread must
   * give the place back.
   */
  synchronized boolean take(String caller) {
    if (taken == most || !callers.take(caller, 1)) {
      return false;
    }
    taken++;
    return true;
  }

  synchronized void give(String caller) {
    taken--;
    callers.give(caller, 1);
  }
}
