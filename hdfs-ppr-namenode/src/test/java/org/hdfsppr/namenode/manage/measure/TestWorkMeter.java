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
package org.hdfsppr.namenode.manage.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.LongToDoubleFunction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.track.RepairWork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the rate, the predicted end and the stall, in simulated time. */
@InterfaceAudience.Private
class TestWorkMeter {
  private static final long SEED = 17;
  private static final long MIB = 1 << 20;
  private static final double RATE = 70e6;
  /** The predicted end may be off by this share of the time that is left. */
  private static final double SHARE = 0.25;
  /** The same for the time in which the last repairs leave links idle. */
  private static final double LAST_SHARE = 0.5;
  /** Within the last seconds, the grain of heartbeats and cycles counts more, seconds. */
  private static final double GRAIN_SECONDS = 2.5;

  /** Seconds differ by 20 per cent to both sides. */
  private static double noisy(double rate, long ms) {
    return rate * (0.8 + 0.4 * new Random(0x9e3779b97f4a7c15L * (SEED + ms / 1_000)).nextDouble());
  }

  /**
   * Checks each prediction from the first fifth of the loss on.
   *
   * @param pausedMs how long the pause lasts that predictions before it cannot know of
   */
  private static void assertRight(SimulatedLoss loss, long pauseFromMs, long pausedMs) {
    List<SimulatedLoss.Said> all = loss.run();
    long worked = loss.endMs() - pausedMs;
    assertTrue(all.size() > 20, "a loss of " + all.size() + " cycles says nothing");
    double worst = 0;
    for (SimulatedLoss.Said said : all) {
      boolean isBefore = said.ms() < pauseFromMs;
      if (!isBefore && said.ms() < pauseFromMs + pausedMs) {
        assertEquals(OptionalDouble.empty(), said.eta(), "in the pause, at " + said.ms() + " ms");
      } else if (said.ms() >= worked / 5) {
        double left = (loss.endMs() - said.ms() - (isBefore ? pausedMs : 0)) / 1e3;
        assertTrue(said.eta().isPresent(), "no end is predicted at " + said.ms() + " ms");
        double off = Math.abs(said.eta().getAsDouble() - left);
        worst = Math.max(worst, said.isLast() ? 0 : off / left);
        double allowed = said.isLast() ? LAST_SHARE : SHARE;
        assertTrue(off <= Math.max(allowed * left, GRAIN_SECONDS), "at " + said.ms() + " ms of "
            + loss.endMs() + ", " + said.eta() + " was predicted, but " + left + " s were left"
            + (said.isLast() ? ", and no group waited" : ""));
      }
    }
    System.out.println("seed " + SEED + ", " + loss.endMs() + " ms, worst prediction before the"
        + " last repairs: off by " + Math.round(100 * worst) + " %");
  }

  private static void assertRight(SimulatedLoss loss) {
    assertRight(loss, Long.MAX_VALUE / 2, 0);
  }

  @ParameterizedTest
  @CsvSource({"120, 64, 17, 1.5", "120, 64, 17, 2", "120, 64, 17, 3", "120, 64, 30, 2",
      "2000, 64, 100, 2", "40, 256, 8, 2", "24, 64, 6, 2", "1000, 1, 50, 2"})
  void theEndIsKnownAtASteadyRate(int groups, int mib, int slots, double faster) {
    assertRight(new SimulatedLoss(SEED, groups, mib * MIB, slots, faster, ms -> noisy(RATE, ms)));
  }

  @Test
  void theEndIsKnownAfterARamp() {
    LongToDoubleFunction ramp = ms -> noisy(RATE, ms) * Math.min(1, (ms + 2_000) / 20_000.0);
    assertRight(new SimulatedLoss(SEED, 120, 64 * MIB, 17, 2, ramp));
    LongToDoubleFunction slow = ms -> noisy(RATE, ms) * Math.min(1, (ms + 2_000) / 60_000.0);
    assertRight(new SimulatedLoss(SEED, 480, 64 * MIB, 17, 2, slow));
  }

  @Test
  void aPauseChangesOnlyTheEnd() {
    assertRight(new SimulatedLoss(SEED, 120, 64 * MIB, 17, 2, ms -> noisy(RATE, ms))
        .withPause(50_000, 130_000), 50_000, 80_000);
  }

  @Test
  void theRateIsThatOfTheLastMinute() {
    SimulatedLoss loss = new SimulatedLoss(SEED, 600, 64 * MIB, 17, 2,
        ms -> ms < 200_000 ? RATE : RATE / 2);
    for (SimulatedLoss.Said said : loss.run()) {
      if (said.ms() > 30_000 && said.ms() < 200_000) {
        assertEquals(RATE, said.rate(), 0.1 * RATE, "at " + said.ms());
      } else if (said.ms() > 265_000 && said.ms() < 300_000) {
        assertEquals(RATE / 2, said.rate(), 0.1 * RATE, "at " + said.ms());
      }
    }
  }

  private static RepairWork work(long done, double share) {
    return new RepairWork.Builder().done(done, 100 * done, 1_000).add(100, share, 500, false)
        .build();
  }

  @Test
  void whatDoesNotAdvanceIsStuck() {
    WorkMeter meter = new WorkMeter();
    meter.take(work(0, 0), 1_000, true, true, 5_000);
    meter.take(work(0, 0.5), 1_000, true, true, 10_000);
    // The repair fails, and the next one gets as far.
    meter.take(work(0, 0), 1_000, true, true, 40_000);
    meter.take(work(0, 0.5), 1_000, true, true, 69_999);
    assertFalse(meter.isStuck());
    meter.take(work(0, 0.5), 1_000, true, true, 70_000);
    assertTrue(meter.isStuck(), "the same progress once more is none");
    meter.take(work(0, 0.51), 1_000, true, true, 71_000);
    assertFalse(meter.isStuck());
    meter.take(work(1, 0), 900, true, true, 100_000);
    meter.take(work(1, 0), 900, true, true, 160_000);
    assertTrue(meter.isStuck());
    assertEquals(0, meter.bytesPerSecond(), 0.9);
    assertEquals(OptionalDouble.empty(), meter.etaSeconds(), "nothing is predicted of a stall");
  }

  @Test
  void whatMustNotAdvanceIsNotStuck() {
    WorkMeter meter = new WorkMeter();
    for (int second = 0; second < 200; second++) {
      meter.take(RepairWork.NONE, 1_000, true, false, 1_000L * second);
      assertFalse(meter.isStuck(), "all groups wait for their nodes to come back");
    }
    for (int second = 200; second < 400; second++) {
      meter.take(RepairWork.NONE, 1_000, false, true, 1_000L * second);
      assertFalse(meter.isStuck(), "repairs are paused");
    }
    meter.take(RepairWork.NONE, 1_000, true, true, 400_000);
    assertFalse(meter.isStuck(), "a minute counts from the time on at which something is due");
    meter.take(RepairWork.NONE, 1_000, true, true, 459_000);
    assertTrue(meter.isStuck());
  }

  @Test
  void nothingIsLeft() {
    WorkMeter meter = new WorkMeter();
    meter.take(RepairWork.NONE, 0, true, false, 1_000);
    assertEquals(OptionalDouble.empty(), meter.etaSeconds());
    assertEquals(0, meter.bytesPerSecond());
    assertFalse(meter.isStuck());
  }

  @Test
  void progressThatIsLostIsNoNegativeRate() {
    WorkMeter meter = new WorkMeter();
    meter.take(work(0, 0), 1_000, true, true, 0);
    meter.take(work(0, 0.9), 1_000, true, true, 1_000);
    meter.take(work(0, 0.1), 1_000, true, true, 2_000);
    assertTrue(meter.bytesPerSecond() >= 0);
    meter.take(work(0, 0), 1_000, true, true, 3_000);
    assertEquals(0, meter.bytesPerSecond());
    assertEquals(OptionalDouble.empty(), meter.etaSeconds());
  }
}
