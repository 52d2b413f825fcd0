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
package org.hdfsppr.client.patience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Late trees are ended, but never all of them, so the client learns how long trees take now. */
class TestTreeLimits {
  private static final long MS = 1_000_000;
  private static final long BYTES = 1 << 20;

  /** Begins a tree that would take a time, and returns whether the limit ends it. */
  private static boolean isEnded(TreeLimits limits, long nanos) {
    TreeLimits.Limit limit = limits.begin(BYTES);
    if (nanos > limit.nanos) {
      limit.failed(true);
      return true;
    }
    limit.brought(nanos);
    return false;
  }

  @Test
  void oneSlowTreeAmongFastOnesIsEnded() {
    TreeLimits limits = new TreeLimits(50, 2000, 10);
    assertEquals(2000 * MS, limits.begin(BYTES).nanos, "no time is known yet");
    for (int i = 0; i < 200; i++) {
      assertEquals(false, isEnded(limits, 40 * MS));
    }
    assertTrue(isEnded(limits, 121 * MS));
    assertEquals(120 * MS, limits.begin(BYTES).nanos);
  }

  /** All trees take ten times as long from now on, as on a link that has become busy. */
  @Test
  void aBusyLinkDoesNotEndAllTreesForEver() {
    TreeLimits limits = new TreeLimits(50, 2000, 10);
    for (int i = 0; i < 200; i++) {
      isEnded(limits, 40 * MS);
    }
    int ended = 0;
    for (int i = 0; i < 200; i++) {
      ended += isEnded(limits, 400 * MS) ? 1 : 0;
    }
    assertTrue(ended > 0 && ended <= 40, ended + " of 200 trees were ended");
    for (int i = 0; i < 200; i++) {
      assertEquals(false, isEnded(limits, 400 * MS), "tree " + i + ": the time is learnt");
    }
  }

  /** A tree that fails for another reason does not use up the share of trees that may be ended. */
  @Test
  void failuresCostNoShare() {
    TreeLimits limits = new TreeLimits(50, 2000, 10);
    for (int i = 0; i < 200; i++) {
      isEnded(limits, 40 * MS);
    }
    for (int i = 0; i < 100; i++) {
      limits.begin(BYTES).failed(false);
    }
    assertTrue(isEnded(limits, 400 * MS));
  }
}
