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
package org.hdfsppr.datanode.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.repair.AttemptPolicy.SlowSuspects;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.junit.jupiter.api.Test;

/** Simulated chains through some of eight helpers, some of which are slow. */
@InterfaceAudience.Private
class TestSlowSuspects {
  private static final NodeRef SELF = node(100);
  private static final int HELPERS = 8;
  /** Helpers of an attempt, with one for the check; a ninth unit is the lost one. */
  private static final int NEEDED = 7;

  private final SlowSuspects suspects = new SlowSuspects(SELF);

  private static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866, 9877, "/r");
  }

  private static RepairException link(int lower, int upper) {
    return upper == 100
        ? new RepairException(FailureCause.SLOW, node(lower), "slow", null)
        : RepairException.slowLink(node(lower), node(upper), "slow");
  }

  /** The helpers of the next attempt, nearest to the destination first. */
  private List<Integer> chain(int needed) {
    List<Integer> chain;
    do {
      chain = new ArrayList<>();
      for (int number = 1; number <= HELPERS && chain.size() < needed; number++) {
        if (!suspects.isLeftOut(node(number))) {
          chain.add(number);
        }
      }
    } while (chain.size() < needed && suspects.relax());
    return chain;
  }

  /**
   * Runs attempts until one is fast, or may be slow.
   *
   * @param below whether the links below the slow nodes are found, as for a node that receives
   *     slowly
   * @return the number of slow attempts
   */
  private int attemptsUntilDone(Set<Integer> slow, boolean below, int needed) {
    for (int attempt = 0;; attempt++) {
      List<Integer> chain = chain(needed);
      int at = 0;
      while (at < chain.size() && !slow.contains(chain.get(at))) {
        at++;
      }
      if (at == chain.size() || suspects.tolerated()) {
        return attempt;
      }
      int lower = below && at + 1 < chain.size() ? at + 1 : at;
      suspects.slow(link(chain.get(lower), lower == 0 ? 100 : chain.get(lower - 1)));
    }
  }

  @Test
  void aSlowSenderIsFoundAtOnceAndASlowReceiverNext() {
    for (int slow = 1; slow < NEEDED; slow++) {
      for (boolean below : new boolean[] {false, true}) {
        TestSlowSuspects one = new TestSlowSuspects();
        int attempts = one.attemptsUntilDone(new HashSet<>(Arrays.asList(slow)), below, NEEDED);
        assertEquals(below ? 2 : 1, attempts, slow + " is slow");
        assertTrue(one.suspects.isLeftOut(node(slow)));
        assertFalse(one.suspects.tolerated());
      }
    }
  }

  @Test
  void whoeverDidNotHelpIsTakenBackBeforeSlownessIsTolerated() {
    suspects.slow(link(4, 3));
    assertTrue(suspects.isLeftOut(node(4)));
    suspects.slow(link(5, 3));
    assertTrue(suspects.isLeftOut(node(3)));
    assertTrue(suspects.isLeftOut(node(4)), "there is no need yet to take it back");
    assertTrue(suspects.relax());
    assertFalse(suspects.isLeftOut(node(4)));
    assertTrue(suspects.isLeftOut(node(3)));
    assertFalse(suspects.tolerated());
    assertTrue(suspects.relax());
    assertFalse(suspects.isLeftOut(node(3)));
    assertTrue(suspects.tolerated());
    assertFalse(suspects.relax(), "nothing is left to take back");
  }

  @Test
  void twoSlowNodesAreLeftOutWhereEnoughOthersAre() {
    assertEquals(2, attemptsUntilDone(new HashSet<>(Arrays.asList(2, 5)), false, 6));
    assertEquals(Arrays.asList(1, 3, 4, 6, 7, 8), chain(6));
    assertFalse(suspects.tolerated());
  }

  @Test
  void moreSlowNodesThanSparesAreTolerated() {
    int attempts = attemptsUntilDone(new HashSet<>(Arrays.asList(1, 2, 3, 4)), false, NEEDED);
    assertTrue(attempts <= SlowSuspects.ATTEMPTS_MAX, attempts + " attempts");
    assertTrue(suspects.tolerated());
    assertEquals(NEEDED, chain(NEEDED).size());
  }

  @Test
  void aDestinationThatReceivesSlowlyCannotBeLeftOut() {
    int attempts = 0;
    while (!suspects.tolerated()) {
      attempts++;
      suspects.slow(link(chain(NEEDED).get(0), 100));
      assertFalse(suspects.isLeftOut(SELF));
    }
    assertTrue(attempts <= SlowSuspects.ATTEMPTS_MAX, attempts + " attempts");
  }

  @Test
  void whereNoNodeCanBeSparedTheRepairGoesOnSlowly() {
    suspects.slow(link(4, 3));
    assertEquals(HELPERS, chain(HELPERS).size());
    assertTrue(suspects.tolerated());
  }
}
