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
package org.hdfsppr.datanode.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.datanode.users.RepairThrottler.LinkShare;
import org.junit.jupiter.api.Test;

/** Tests what repairs may take of a link beside users, on a clock that the test moves. */
class TestLinkShare {
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long TICK = LinkShare.TICK_MS * MS;
  private static final long LINK = 25_000_000;
  private static final int SLICE = 64 << 10;

  /** The clock passes its largest value in each test. */
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 300 * MS);
  private final LinkShare link = new LinkShare(nanos::get);
  private long users;
  private long repairs;

  TestLinkShare() {
    link.set(Pressure.GENTLE, LINK);
    link.sample(0, 0, false);
  }

  /** Lets time pass while users and repairs move bytes at these rates, bytes/s. */
  private void pass(long ms, double userRate, double repairRate) {
    for (long left = ms; left > 0; left -= LinkShare.TICK_MS) {
      nanos.addAndGet(TICK);
      users += (long) (userRate * TICK / 1e9);
      repairs += (long) (repairRate * TICK / 1e9);
      link.sample(users, users + repairs, userRate > 0);
    }
  }

  /** Returns the rate of repairs that send slices and wait as the link says, bytes/s. */
  private double reached(int slices) {
    long begin = nanos.get();
    for (int i = 0; i < slices; i++) {
      // A look lasts no longer than the time between two looks.
      for (long wait = link.waitNanos(); wait > 0; wait = link.waitNanos()) {
        nanos.addAndGet(Math.min(wait, 2 * MS));
      }
      link.moves(SLICE);
    }
    return slices * (double) SLICE / ((nanos.get() - begin) / 1e9);
  }

  @Test
  void withoutUsersRepairsHaveAll() {
    pass(3000, 0, LINK);
    assertFalse(link.isYielding());
    for (int i = 0; i < 1000; i++) {
      assertEquals(0, link.waitNanos());
      link.moves(SLICE);
    }
    assertEquals(0, link.socketBytes(10));
  }

  @Test
  void besideUsersRepairsHaveTheirShareOfTheRest() {
    pass(2000, 5_000_000, LINK);
    assertEquals(5_000_000, link.userRate(), 1000);
    double rest = (LINK - 5_000_000) * 0.6;
    assertEquals(rest, link.repairRate(), 1000);
    assertEquals(rest, reached(2000), rest / 50);
  }

  /** A node's users read for moments only, and leave nearly all of the link in between. */
  @Test
  void betweenReadsRepairsHaveMore() {
    pass(2000, 5_000_000, LINK);
    link.usersMove(false);
    double rest = (LINK - 5_000_000) * LinkShare.BETWEEN;
    assertEquals(rest, link.repairRate(), 1000);
    assertEquals(rest, reached(2000), rest / 50);
    assertTrue(link.socketBytes(1) > 0, "the next user finds short queues");
    link.usersMove(true);
    assertEquals((LINK - 5_000_000) * 0.6, link.repairRate(), 1000);
    link.usersMove(false);
    link.set(95, LINK);
    assertEquals((LINK - 5_000_000) * 0.95, link.repairRate(), 1000, "never less than in a read");
    pass(2000, LINK, 0);
    assertEquals(LinkShare.LEAST * LINK, link.repairRate(), 1);
  }

  /** What repairs have sent between reads is not held against them, and is no credit either. */
  @Test
  void aReadChangesTheRateAndNotWhatIsOwed() {
    pass(2000, 5_000_000, LINK);
    link.usersMove(false);
    link.waitNanos();
    link.moves(10 * SLICE);
    double owed = 10 * SLICE / (0.9 * 20_000_000) * 1e9 - LinkShare.CREDIT_NANOS;
    assertEquals(owed, link.waitNanos(), MS);
    link.usersMove(true);
    assertEquals(owed * 0.9 / 0.6, link.waitNanos(), MS);
  }

  /** A slice that waits goes sooner if users leave more meanwhile. */
  @Test
  void theRateChangesWhileASliceWaits() {
    pass(2000, 20_000_000, 0);
    link.waitNanos();
    link.moves(100 * SLICE);
    long slow = link.waitNanos();
    pass(1000, 1_000, 0);
    link.waitNanos();
    link.moves(100 * SLICE);
    long quick = link.waitNanos();
    assertTrue(quick < slow / 2, slow + " and " + quick + " ns");
  }

  /** The first read of a user after a quiet time makes repairs yield with the next sample. */
  @Test
  void oneTickIsEnough() {
    pass(60_000, 0, LINK);
    assertEquals(0, link.waitNanos());
    pass(LinkShare.TICK_MS, 10_000_000, LINK);
    assertTrue(link.isYielding());
    assertTrue(link.repairRate() < 0.7 * LINK);
    assertTrue(link.socketBytes(1) > 0);
    pass(LinkShare.PRESENT_NANOS / MS - LinkShare.TICK_MS, 0, LINK);
    assertTrue(link.isYielding(), "users come back");
    pass(2 * LinkShare.TICK_MS, 0, LINK);
    assertFalse(link.isYielding());
  }

  /** A user that has a connection and moves nothing still finds room. */
  @Test
  void idleUsersArePresent() {
    for (int i = 0; i < 100; i++) {
      nanos.addAndGet(TICK);
      link.sample(0, 0, true);
    }
    assertTrue(link.isYielding());
    assertEquals(0.6 * LINK, link.repairRate(), 1);
  }

  /** Another counter begins at another number: that is no rate, and no proof of a fast link. */
  @Test
  void otherCountersBeginAnew() {
    pass(2000, 5_000_000, 0);
    link.restart();
    users += 1L << 40;
    pass(20_000, 5_000_000, 0);
    assertFalse(link.isRateWrong());
    assertEquals(5_000_000, link.userRate(), 1000);
  }

  @Test
  void usersThatFillTheLinkLeaveALittle() {
    pass(2000, LINK, 0);
    assertEquals(LinkShare.LEAST * LINK, link.repairRate(), 1);
    assertTrue(link.isYielding());
  }

  /** With a setting of a tenth of the link, repairs would crawl for as long as users are busy. */
  @Test
  void aSettingThatIsTooLowHoldsNothingBack() {
    pass(20_000, 1.2 * LINK, 0);
    assertTrue(link.isYielding());
    assertEquals(LINK, link.linkBytesPerSecond(), "the setting counts");
    pass(10_000, 10 * LINK, 0);
    assertTrue(link.isRateWrong());
    assertFalse(link.isYielding());
    assertEquals(0, link.waitNanos());
    link.set(Pressure.GENTLE, 10 * LINK);
    assertFalse(link.isRateWrong());
    assertTrue(link.isYielding(), "the operator has mended the setting");
  }

  /** A busy machine lets the timer read the counters late, and then soon again. */
  @Test
  void lateSamplesAreNoFastLink() {
    Random random = new Random(5);
    long late = 0;
    for (int i = 0; i < 2_000; i++) {
      long next = random.nextInt(400) * MS;
      nanos.addAndGet(TICK + next - late);
      // The counter was read before the timer was held up, or after it.
      users += (long) (LINK * (TICK + next - late) / 1e9);
      late = next;
      link.sample(users + (random.nextBoolean() ? LINK / 4 : 0), users, true);
      assertTrue(link.isYielding());
    }
  }

  @Test
  void pressureCountsAtOnce() {
    pass(2000, 5_000_000, LINK);
    link.moves(100 * SLICE);
    link.set(Pressure.URGENT, LINK);
    assertEquals(0, link.waitNanos());
    assertEquals(0, link.socketBytes(10));
    link.set(40, LINK);
    assertEquals((LINK - 5_000_000) * 0.4, link.repairRate(), 1000);
  }

  /**
   * The best second so far says what was asked for, and not what the link carries. A repair after
   * the first small file of a quiet cluster would take a hundred times as long.
   */
  @Test
  void aLinkOfUnknownRateHoldsNothingBack() {
    link.set(Pressure.GENTLE, 0);
    pass(2000, 1_000_000, 0);
    assertFalse(link.isYielding());
    assertEquals(0, link.socketBytes(1));
    for (int i = 0; i < 1000; i++) {
      assertEquals(0, link.waitNanos());
      link.moves(SLICE);
    }
  }

  @Test
  void aPauseIsNoCredit() {
    pass(2000, 5_000_000, 0);
    link.waitNanos();
    nanos.addAndGet(100 * MS);
    assertEquals(0, link.waitNanos());
    link.moves(10 * SLICE);
    double all = 10 * SLICE / link.repairRate() * 1e9;
    assertEquals(all - LinkShare.CREDIT_NANOS, link.waitNanos(), MS);
  }

  /** The users' counter is a difference of two counters, and may fall for a moment. */
  @Test
  void aCounterThatFalls() {
    pass(2000, 5_000_000, 0);
    link.sample(users - 1_000_000, users + repairs, true);
    assertTrue(link.userRate() >= 0, link.userRate() + " bytes/s");
    nanos.addAndGet(TICK);
    link.sample(users, users + repairs, true);
    assertEquals(5_000_000, link.userRate(), 1_000_000);
  }

  @Test
  void socketsShareABound() {
    pass(2000, 5_000_000, 0);
    assertEquals(75_000, link.socketBytes(1));
    assertEquals(37_500, link.socketBytes(2));
    assertEquals(LinkShare.SOCKET_BYTES_LEAST, link.socketBytes(100));
    link.set(30, LINK);
    assertEquals(37_500, link.socketBytes(0));
  }
}
