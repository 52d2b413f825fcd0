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
import org.hdfsppr.manage.LinkCommand;
import org.hdfsppr.manage.MakeCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.verify.LinearDigest;
import org.junit.jupiter.api.Test;

/** What readings for digests wait for. The clock goes on while a job waits, and never else. */
class TestDigestBrakes {
  private static final int PIECE = 1 << 18;
  private static final int PIECES = 40;
  private static final long RATE = 1 << 20;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final BusyBlocks busy = new BusyBlocks();
  private final List<Long> throttled = new ArrayList<>();
  private long nanos = Long.MAX_VALUE - SECOND;
  /** How many more looks see repairs. */
  private int repairs;
  private int looks;
  /** Ends with the next pause. */
  private VersionJob ending;
  private final DigestBrakes brakes = new DigestBrakes(throttled::add, () -> {
    looks++;
    return repairs-- > 0;
  }, () -> nanos, (job, ms) -> {
    nanos += TimeUnit.MILLISECONDS.toNanos(ms);
    if (job == ending) {
      job.end("the test wants it");
    }
  });

  private VersionJob job(int number) {
    LinkCommand command = new LinkCommand("links-" + number, 1, List.of(new LinkCommand.Link(
        new BlockRef("BP-1", 1, 1001, PIECE), new BlockRef("BP-1", 10 + number, 1002, PIECE))),
        60_000);
    return new VersionJob(command, "BP-1", List.of(command.links().get(0).to()), busy, brakes,
        result -> { }, () -> nanos) {
      @Override
      void run() {
        throw new AssertionError("it is the test that reads");
      }

      @Override
      RepairResult nothing(String why) {
        return RepairResult.notTried(id(), 1, RepairOutcome.FAILED, null, why);
      }
    };
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
      readings.add(job(i).paced(RATE));
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
    VersionJob slow = job(0);
    LinearDigest.Watch slowly = slow.paced(RATE / 16);
    LinearDigest.Watch fast = job(1).paced(RATE);
    double one = (double) PIECE / RATE;
    double seconds = read(List.of(slowly), 1);
    assertTrue(seconds >= 16 * one, seconds + " s");
    seconds = read(List.of(fast), PIECES);
    assertTrue(seconds >= (PIECES - 1) * one && seconds < 1.2 * PIECES * one, seconds + " s");
  }

  /** A job that has ended does not let others be faster than they may be together. */
  @Test
  void aJobThatHasEndedCountsNoMore() throws Exception {
    VersionJob fast = job(0);
    LinearDigest.Watch quickly = fast.paced(16 * RATE);
    List<LinearDigest.Watch> slow = List.of(job(1).paced(RATE), job(2).paced(RATE));
    read(List.of(quickly), 1);
    fast.report(fast.nothing("done"));
    double one = (double) PIECES * PIECE / RATE;
    double seconds = read(slow, PIECES);
    assertTrue(seconds >= 1.9 * one, seconds + " s instead of 2 * " + one);
  }

  @Test
  void repairsGoFirst() throws Exception {
    for (long rate : new long[] {RATE, MakeCommand.UNLIMITED}) {
      LinearDigest.Watch reading = job(0).paced(rate);
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
      VersionJob job = job(0);
      LinearDigest.Watch reading = job.paced(1);
      ending = job;
      repairs = areRepairs ? Integer.MAX_VALUE : 0;
      IOException e = assertThrows(IOException.class,
          () -> reading.read(areRepairs ? 0 : PIECE));
      assertEquals("the test wants it", e.getMessage());
    }
  }

  /** Its rate does not count for others, and neither does what it reads. */
  @Test
  void aJobWithoutALimitWaitsForTheOperatorsOnly() throws Exception {
    LinearDigest.Watch unlimited = job(0).paced(MakeCommand.UNLIMITED);
    assertEquals(0, read(List.of(unlimited), PIECES));
    assertEquals(PIECES, throttled.size());
    double seconds = read(List.of(job(1).paced(RATE)), 4);
    assertTrue(seconds >= 4.0 * PIECE / RATE, seconds + " s");
  }
}
