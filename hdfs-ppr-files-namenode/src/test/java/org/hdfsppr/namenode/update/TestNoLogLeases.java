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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** When the first writer of a unit has to wait for readers. */
class TestNoLogLeases {
  private static final GroupId GROUP = new GroupId("BP-1", -1600, 1001);
  private static final GroupId OTHER = new GroupId("BP-1", -3200, 1001);

  private final AtomicLong nowMs = new AtomicLong(1_000_000);
  private final NoLogLeases leases = new NoLogLeases(nowMs::get);

  /** Lets time pass in which the NameNode looks at its state. */
  private void pass(long ms, boolean isActive) {
    for (long left = ms; left > 0; left -= 100) {
      nowMs.addAndGet(Math.min(100, left));
      leases.look(isActive);
    }
  }

  private void settle() {
    pass(2 * NoLogLeases.LEASE_MS, true);
  }

  @Test
  void aWriterWaitsForTheReadersOfItsGroup() {
    settle();
    assertTrue(leases.isFree(GROUP));
    assertEquals(NoLogLeases.LEASE_MS, leases.give(GROUP));
    assertFalse(leases.isFree(GROUP));
    assertTrue(leases.isFree(OTHER));
    pass(NoLogLeases.LEASE_MS, true);
    assertFalse(leases.isFree(GROUP), "the reader's clock may be slower");
    pass(100, true);
    assertTrue(leases.isFree(GROUP));
  }

  @Test
  void readersThatAskAtDifferentTimesKeepNoWriterWaiting() {
    settle();
    leases.give(GROUP);
    assertFalse(leases.isFree(GROUP));
    for (int i = 0; i < 3; i++) {
      pass(NoLogLeases.LEASE_MS / 2, true);
      assertEquals(0, leases.give(GROUP), "a writer waits");
      assertEquals(NoLogLeases.LEASE_MS, leases.give(OTHER));
    }
    assertTrue(leases.isFree(GROUP));
    assertEquals(NoLogLeases.LEASE_MS, leases.give(GROUP));
    assertFalse(leases.isFree(GROUP));
    pass(10 * NoLogLeases.LEASE_MS, true);
    assertEquals(NoLogLeases.LEASE_MS, leases.give(GROUP), "the writer has gone");
  }

  @Test
  void aNameNodeThatHasBecomeActiveDoesNotKnowTheReaders() {
    assertFalse(leases.isFree(GROUP), "just started");
    assertEquals(0, leases.give(GROUP));
    settle();
    pass(100, false);
    pass(NoLogLeases.LEASE_MS, true);
    assertFalse(leases.isFree(GROUP), "another one was active");
    assertEquals(0, leases.give(GROUP));
    pass(200, true);
    assertTrue(leases.isFree(GROUP));
  }

  @Test
  void theOtherNameNodeMayHaveGivenTimesUntilThisOneWasFoundActive() {
    settle();
    pass(100, false);
    nowMs.addAndGet(400);
    leases.look(true);
    pass(NoLogLeases.LEASE_MS, true);
    assertFalse(leases.isFree(GROUP), "the other one has just given its last time");
    pass(100, true);
    assertTrue(leases.isFree(GROUP));
  }

  @Test
  void aNameNodeThatHasNotLookedMayNotHaveBeenActive() {
    settle();
    nowMs.addAndGet(NoLogLeases.LEASE_MS / 2 + 1);
    leases.look(true);
    assertFalse(leases.isFree(GROUP));
    settle();
    assertTrue(leases.isFree(GROUP));
  }

  @Test
  void readersThatAreNotRememberedCountForAllGroups() {
    settle();
    for (int i = 0; i <= 1 << 14; i++) {
      leases.give(new GroupId("BP-1", -16L * (i + 1_000), 1));
    }
    assertFalse(leases.isFree(OTHER));
    settle();
    assertTrue(leases.isFree(OTHER));
  }
}
