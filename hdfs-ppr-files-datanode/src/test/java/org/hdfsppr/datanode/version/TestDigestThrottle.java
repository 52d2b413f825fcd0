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
package org.hdfsppr.datanode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hdfsppr.digest.LinearDigest;
import org.hdfsppr.manage.version.MakeCommand;
import org.junit.jupiter.api.Test;

/** What readings for digests wait for. The clock goes on while a job waits, and never else. */
class TestDigestThrottle {
  private static final int PIECE = 1 << 18;
  private static final int PIECES = 40;
  private static final long RATE = 1 << 20;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final List<Long> throttled = new ArrayList<>();
  private long nanos = Long.MAX_VALUE - SECOND;
  /** How many more looks see repairs. */
  private int repairs;
  private int looks;
  private final DigestThrottle brakes = new DigestThrottle(throttled::add, () -> {
    looks++;
    return repairs-- > 0;
  }, () -> nanos);

  /** A job whose pauses the clock skips. */
  private final class Job implements DigestThrottle.Reader {
    private String why;
    /** Whether it ends with its next pause. */
    private boolean isEnding;
    /** Whether its next pause takes no time, and ends it. */
    private boolean isStill;

    @Override
    public String endedBecause() {
      return why;
    }

    @Override
    public void pause(long ms) {
      nanos += isStill ? 0 : TimeUnit.MILLISECONDS.toNanos(ms);
      why = isEnding || isStill ? "the test wants it" : null;
    }
  }

  /** Has each reading read a piece in turn; returns how long all have taken, seconds. */
  private double read(List<LinearDigest.Watch> readings, int pieces) throws IOException {
    long begin = nanos;
    for (int i = 0; i < pieces; i++) {
      for (LinearDigest.Watch reading : readings) {
        reading.read(PIECE);
      }
    }
    return (double) (nanos - begin) / SECOND;
  }

  /** A node has threads for four commands with links and for eight makings. */
  @Test
  void allJobsTogetherKeepToTheRate() throws Exception {
    List<LinearDigest.Watch> readings = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      readings.add(brakes.reading(new Job(), RATE));
    }
    double one = (double) PIECES * PIECE / RATE;
    double seconds = read(readings, PIECES);
    assertTrue(seconds >= 4 * one && seconds < 4.2 * one, seconds + " s instead of 4 * " + one);
    assertEquals(4 * PIECES, throttled.size());
    assertEquals(4L * PIECES * PIECE,
        throttled.stream().mapToLong(Long::longValue).sum(), "the operator's limit holds as well");
  }

  @Test
  void aSlowJobMakesNoOtherOneSlow() throws Exception {
    Job slow = new Job();
    LinearDigest.Watch slowly = brakes.reading(slow, RATE / 16);
    LinearDigest.Watch fast = brakes.reading(new Job(), RATE);
    double one = (double) PIECE / RATE;
    double seconds = read(List.of(slowly), 1);
    assertTrue(seconds >= 16 * one, seconds + " s");
    seconds = read(List.of(fast), PIECES);
    assertTrue(seconds >= (PIECES - 1) * one && seconds < 1.2 * PIECES * one, seconds + " s");
  }

  /** What slow jobs have read while they were alone takes no longer than at the new rate. */
  @Test
  void aJobThatComesLaterDoesNotPayAtTheRateOfSlowOnes() throws Exception {
    List<LinearDigest.Watch> slow = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Job job = new Job();
      job.isStill = true;
      slow.add(brakes.reading(job, RATE / 500));
    }
    for (LinearDigest.Watch slowly : slow) {
      assertThrows(IOException.class, () -> slowly.read(PIECE));
    }
    double one = (double) PIECE / RATE;
    double seconds = read(List.of(brakes.reading(new Job(), RATE)), 1);
    assertTrue(seconds >= one && seconds < 14 * one, seconds + " s instead of 13 * " + one);
  }

  /** A job that has ended does not let others be faster than they may be together. */
  @Test
  void aJobThatHasEndedCountsNoMore() throws Exception {
    Job fast = new Job();
    LinearDigest.Watch quickly = brakes.reading(fast, 16 * RATE);
    List<LinearDigest.Watch> slow =
        List.of(brakes.reading(new Job(), RATE), brakes.reading(new Job(), RATE));
    read(List.of(quickly), 1);
    brakes.ended(fast);
    double one = (double) PIECES * PIECE / RATE;
    double seconds = read(slow, PIECES);
    assertTrue(seconds >= 1.9 * one, seconds + " s instead of 2 * " + one);
  }

  @Test
  void repairsGoFirst() throws Exception {
    for (long rate : new long[] {RATE, MakeCommand.UNLIMITED}) {
      LinearDigest.Watch reading = brakes.reading(new Job(), rate);
      repairs = 50;
      looks = 0;
      long begin = nanos;
      reading.read(0);
      assertEquals(51, looks);
      assertTrue(nanos - begin >= 50 * SECOND / 10, nanos - begin + " ns");
      assertEquals(List.of(), throttled, "nothing was read");
    }
  }

  @Test
  void aJobThatEndsWaitsNoLonger() throws Exception {
    for (boolean areRepairs : new boolean[] {true, false}) {
      Job job = new Job();
      LinearDigest.Watch reading = brakes.reading(job, 1);
      job.isEnding = true;
      repairs = areRepairs ? Integer.MAX_VALUE : 0;
      IOException e = assertThrows(IOException.class,
          () -> reading.read(areRepairs ? 0 : PIECE));
      assertEquals("the test wants it", e.getMessage());
    }
  }

  /** Its rate does not count for others, and neither does what it reads. */
  @Test
  void aJobWithoutALimitWaitsForTheOperatorsOnly() throws Exception {
    LinearDigest.Watch unlimited = brakes.reading(new Job(), MakeCommand.UNLIMITED);
    assertEquals(0, read(List.of(unlimited), PIECES));
    assertEquals(PIECES, throttled.size());
    double seconds = read(List.of(brakes.reading(new Job(), RATE)), 4);
    assertTrue(seconds >= 4.0 * PIECE / RATE, seconds + " s");
  }
}
