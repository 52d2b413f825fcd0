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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hdfsppr.conf.Pressure;
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
    link.sample(0, 0);
  }

  /** Lets time pass while users and repairs move bytes at these rates, bytes/s. */
  private void pass(long ms, double userRate, double repairRate) {
    for (long left = ms; left > 0; left -= LinkShare.TICK_MS) {
      nanos.addAndGet(TICK);
      users += (long) (userRate * TICK / 1e9);
      repairs += (long) (repairRate * TICK / 1e9);
      link.sample(users, repairs);
    }
  }

  /** Returns the rate that repairs reach which send slices and wait as they are told, bytes/s. */
  private double reached(LinkShare.Served served, int slices) {
    long begin = nanos.get();
    for (int i = 0; i < slices; i++) {
      // A look lasts no longer than the time between two looks.
      for (long wait = link.waitNanos(served); wait > 0; wait = link.waitNanos(served)) {
        nanos.addAndGet(Math.min(wait, 2 * MS));
      }
      link.sends(SLICE);
    }
    return slices * (double) SLICE / ((nanos.get() - begin) / 1e9);
  }

  @Test
  void withoutUsersRepairsHaveAll() {
    pass(3000, 0, LINK);
    assertFalse(link.isYielding());
    for (int i = 0; i < 1000; i++) {
      assertEquals(0, link.waitNanos(LinkShare.Served.SOME));
      link.sends(SLICE);
    }
    assertEquals(0, link.socketBytes(10));
  }

  @Test
  void besideUsersRepairsHaveTheirShareOfTheRest() {
    pass(2000, 5_000_000, LINK);
    assertEquals(5_000_000, link.userRate(), 1000);
    double rest = (LINK - 5_000_000) * 0.6;
    assertEquals(rest, link.repairRate(LinkShare.Served.UNKNOWN), 1000);
    assertEquals(rest, reached(LinkShare.Served.UNKNOWN, 2000), rest / 50);
    assertEquals(rest, reached(LinkShare.Served.SOME, 2000), rest / 50);
    assertEquals(0.95 * LINK, reached(LinkShare.Served.NONE, 2000), LINK / 50.0);
  }

  /** A slice that waits while a user is served goes soon after that user has all bytes. */
  @Test
  void theRateChangesWhileASliceWaits() {
    pass(2000, 5_000_000, LINK);
    reached(LinkShare.Served.SOME, 100);
    long slow = link.waitNanos(LinkShare.Served.SOME);
    long quick = link.waitNanos(LinkShare.Served.NONE);
    assertTrue(slow > 4 * MS && quick < 3 * MS, slow + " and " + quick + " ns");
  }

  /** The first read of a user after a quiet time makes repairs yield with the next sample. */
  @Test
  void oneTickIsEnough() {
    pass(60_000, 0, LINK);
    assertEquals(0, link.waitNanos(LinkShare.Served.SOME));
    pass(LinkShare.TICK_MS, 10_000_000, LINK);
    assertTrue(link.isYielding());
    assertTrue(link.repairRate(LinkShare.Served.SOME) < 0.7 * LINK);
    assertTrue(link.socketBytes(1) > 0);
    pass(LinkShare.PRESENT_NANOS / MS - LinkShare.TICK_MS, 0, LINK);
    assertTrue(link.isYielding(), "users come back");
    pass(2 * LinkShare.TICK_MS, 0, LINK);
    assertFalse(link.isYielding());
  }

  /** A few reads an hour must not cost repairs a third of the link. */
  @Test
  void repairsTakeTheRoomBetweenReads() {
    pass(2000, LINK / 1000.0, LINK);
    assertEquals(0.95 * LINK, link.repairRate(LinkShare.Served.NONE), 1);
  }

  @Test
  void usersThatFillTheLinkLeaveALittle() {
    pass(2000, LINK, 0);
    for (LinkShare.Served served : new LinkShare.Served[] {LinkShare.Served.SOME,
        LinkShare.Served.UNKNOWN}) {
      assertEquals(LinkShare.LEAST * LINK, link.repairRate(served), 1);
    }
    assertTrue(link.isYielding());
  }

  /** With a setting of a tenth of the link, repairs would crawl for as long as users are busy. */
  @Test
  void aSettingThatIsTooLowHoldsNothingBack() {
    pass(2000, 1.2 * LINK, 0);
    assertTrue(link.isYielding());
    assertEquals(LINK, link.linkBytesPerSecond(), "the setting counts");
    pass(2000, 10 * LINK, 0);
    assertTrue(link.isRateWrong());
    assertFalse(link.isYielding());
    assertEquals(0, link.waitNanos(LinkShare.Served.SOME));
    link.set(Pressure.GENTLE, 10 * LINK);
    assertFalse(link.isRateWrong());
    assertTrue(link.isYielding(), "the operator has mended the setting");
  }

  @Test
  void pressureCountsAtOnce() {
    pass(2000, 5_000_000, LINK);
    link.sends(100 * SLICE);
    link.set(Pressure.URGENT, LINK);
    assertEquals(0, link.waitNanos(LinkShare.Served.SOME));
    assertEquals(0, link.socketBytes(10));
    link.set(40, LINK);
    assertEquals((LINK - 5_000_000) * 0.4, link.repairRate(LinkShare.Served.UNKNOWN), 1000);
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
      assertEquals(0, link.waitNanos(LinkShare.Served.SOME));
      link.sends(SLICE);
    }
  }

  @Test
  void aPauseIsNoCredit() {
    pass(2000, 5_000_000, 0);
    link.waitNanos(LinkShare.Served.UNKNOWN);
    nanos.addAndGet(100 * MS);
    assertEquals(0, link.waitNanos(LinkShare.Served.UNKNOWN));
    link.sends(10 * SLICE);
    double all = 10 * SLICE / link.repairRate(LinkShare.Served.UNKNOWN) * 1e9;
    assertEquals(all - LinkShare.CREDIT_NANOS, link.waitNanos(LinkShare.Served.UNKNOWN), MS);
  }

  /** The users' counter is a difference of two counters, and may fall for a moment. */
  @Test
  void aCounterThatFalls() {
    pass(2000, 5_000_000, 0);
    link.sample(users - 1_000_000, repairs);
    assertTrue(link.userRate() >= 0, link.userRate() + " bytes/s");
    nanos.addAndGet(TICK);
    link.sample(users, repairs);
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
