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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests what HedgeDelay learns from latencies, and how often second reads may begin. */
class TestHedgeDelay {
  private static long ms(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }

  @Test
  void theDelayFollowsRecentReadsOfThatSize() {
    HedgeDelay delay = new HedgeDelay(5, 1000, 10, 10);
    assertEquals(ms(1000), delay.nanos(64 << 10));
    for (int i = 0; i < 200; i++) {
      delay.took(64 << 10, ms(20));
    }
    assertTrue(delay.isLearnt(64 << 10));
    assertEquals(ms(60), delay.nanos(64 << 10));
    assertEquals(ms(1000), delay.nanos(4 << 20), "no time is known for reads of another size");
    for (int i = 0; i < 200; i++) {
      delay.took(64 << 10, ms(1));
    }
    assertEquals(ms(5), delay.nanos(64 << 10), "the delay is never below the least delay");
    for (int i = 0; i < 200; i++) {
      delay.took(64 << 10, ms(900));
    }
    assertEquals(ms(1000), delay.nanos(64 << 10), "the delay is never above the longest delay");
  }

  @Test
  void aFewSlowReadsDoNotMoveIt() {
    HedgeDelay delay = new HedgeDelay(1, 10_000, 10, 10);
    for (int i = 0; i < 100; i++) {
      delay.took(1000, ms(i % 30 == 0 ? 5000 : 10));
    }
    assertEquals(ms(30), delay.nanos(1000));
  }

  /** One of nine nodes serves more than 5 percent of all reads. */
  @Test
  void aNodeThatIsAlwaysSlowIsNotItsOwnYardstick() {
    HedgeDelay delay = new HedgeDelay(1, 10_000, 10, 10);
    for (int i = 0; i < 200; i++) {
      delay.took(1000, ms(i % 9 == 0 ? 500 : 2));
    }
    assertEquals(ms(32), delay.nanos(1000));
    assertTrue(delay.isInTime(1000, ms(32)));
    assertFalse(delay.isInTime(1000, ms(33)));
    assertTrue(new HedgeDelay(0, 1000, 10, 10).isInTime(1000, ms(5000)), "0 ms: off");
  }

  /** Four of ten reads come from disks, the others from memory. */
  @Test
  void readsFromDisksAreNotSlowBesideThoseFromMemory() {
    HedgeDelay nodes = new HedgeDelay(1, 10_000, 10, 10);
    HedgeDelay trees = new HedgeDelay(1, 10_000, 10, 10, false);
    for (int i = 0; i < 200; i++) {
      nodes.took(1000, ms(i % 10 < 4 ? 90 : 1));
      trees.took(1000, ms(i % 10 < 2 ? 90 : 1));
    }
    assertEquals(ms(270), nodes.nanos(1000));
    assertEquals(ms(270), trees.nanos(1000), "trees are no reads of one node");
  }

  @Test
  void hedgesAreAShareOfReads() {
    assertEquals(110, granted(1));
    assertFalse(new HedgeDelay(0, 1000, 100, 10).mayHedge(1), "0 ms: off");
  }

  /** Rebuilds that read five units each make as many reads more as hedges that read one. */
  @Test
  void aHedgeCountsAsTheReadsThatItMakes() {
    assertEquals(22, granted(5));
  }

  /** While small hedges take each read that is saved, a large one is not kept from beginning. */
  @Test
  void readsThatFollowPayForALargeHedge() {
    HedgeDelay delay = new HedgeDelay(1, 1000, 10, 1);
    assertTrue(delay.mayHedge(3));
    assertFalse(delay.mayHedge(1));
    for (int i = 0; i < 29; i++) {
      delay.took(1000, ms(1));
      assertFalse(delay.mayHedge(1), "two reads are owed, and one has to be saved: " + i);
    }
    delay.took(1000, ms(1));
    assertTrue(delay.mayHedge(1));
  }

  /** Returns how many hedges may begin during a thousand reads if each hedge reads this much. */
  private static int granted(int reads) {
    HedgeDelay delay = new HedgeDelay(1, 1000, 10, 10);
    int granted = 0;
    for (int i = 0; i < 1000; i++) {
      granted += delay.mayHedge(reads) ? 1 : 0;
      delay.took(1000, ms(1));
    }
    return granted + (delay.mayHedge(reads) ? 1 : 0);
  }

  /** Readers that all wait for a node that hangs end no reads, and get no new budget. */
  @Test
  void oneHedgeInEachLongestDelayNeedsNoBudget() {
    HedgeDelay delay = new HedgeDelay(1, 1000, 10, 0);
    assertTrue(isPermitted(delay, 1000), "none has begun so");
    assertFalse(isPermitted(delay, 1999), "another one has just begun");
    assertTrue(isPermitted(delay, 2000));
    assertTrue(delay.permit(false, 6, ms(999), ms(9000)).isEmpty(),
        "the reader has not waited long");
    delay.permit(false, 6, ms(9000), ms(9000)).orElseThrow().giveBack();
    assertTrue(isPermitted(delay, 9001), "the last one has not begun");
    HedgePermit first = delay.permit(false, 6, ms(20_000), ms(20_000)).orElseThrow();
    assertTrue(isPermitted(delay, 21_000));
    first.giveBack();
    assertFalse(isPermitted(delay, 21_001), "another one has begun since");
    assertFalse(isPermitted(new HedgeDelay(1, 1000, 0, 0), 5000), "0 percent");
    assertFalse(isPermitted(new HedgeDelay(0, 1000, 10, 10), 5000), "0 ms: off");
  }

  private static boolean isPermitted(HedgeDelay delay, long waitedMs) {
    return delay.permit(false, 6, ms(waitedMs), ms(waitedMs)).isPresent();
  }

  @Test
  void aPermitTakesFromTheBudgetAndGivesBack() {
    HedgeDelay delay = new HedgeDelay(1, 1000, 0, 10);
    HedgePermit permit = delay.permit(false, 10, 0, 0).orElseThrow();
    assertTrue(delay.permit(false, 1, 0, 0).isEmpty());
    delay.permit(true, 1, 0, 0).orElseThrow().giveBack();
    assertTrue(delay.permit(false, 1, 0, 0).isEmpty(), "a hedge of a slow node takes nothing");
    permit.giveBack();
    assertTrue(delay.permit(false, 10, 0, 0).isPresent());
    assertTrue(delay.permit(false, 1, 0, 0).isEmpty());
  }

  @Test
  void aHedgeThatHasNotBegunGivesBackItsReads() {
    HedgeDelay delay = new HedgeDelay(1, 1000, 0, 10);
    assertTrue(delay.mayHedge(10));
    assertFalse(delay.mayHedge(1));
    delay.didNotHedge(10);
    assertTrue(delay.mayHedge(6));
    assertTrue(delay.mayHedge(4));
    delay.didNotHedge(100);
    assertTrue(delay.mayHedge(10));
    assertFalse(delay.mayHedge(1), "no more is saved up than at first");
  }
}
