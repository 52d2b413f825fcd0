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

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.track.RepairWork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the rate, the predicted end and the stall, in simulated time. */
@InterfaceAudience.Private
class TestWorkMeter {
  private static final long SEED = 17;
  private static final long MIB = 1 << 20;
  private static final long UNIT = 16 * MIB;
  /** The rate of a link, bytes/s. */
  private static final double LINK = 12.5e6;
  /** The predicted end may be off by this share of the time that is left. */
  private static final double SHARE = 0.25;
  /**
   * The same where the rate of links changes or is set wrong, or where the last groups of many have
   * just begun: for some seconds the busiest link then moves less than it could.
   */
  private static final double LEARNT_SHARE = 0.6;
  /** The same where one slow node decides, whose progress comes in steps of some seconds. */
  private static final double STEPS_SHARE = 1;
  /** Within the last seconds, the grain of heartbeats and cycles counts more, seconds. */
  private static final double GRAIN_SECONDS = 2;

  /** Seconds differ by 20 per cent to both sides. */
  private static double noisy(double rate, long ms) {
    return rate * (0.8 + 0.4 * new Random(0x9e3779b97f4a7c15L * (SEED + ms / 1_000)).nextDouble());
  }

  /** Checks each prediction from a time on. */
  private static void assertRight(List<SimulatedLoss.Said> all, long endMs, long fromMs,
      double share) {
    double worst = 0;
    int checked = 0;
    for (SimulatedLoss.Said said : all) {
      if (said.ms < fromMs) {
        continue;
      }
      checked++;
      double left = (endMs - said.ms) / 1e3;
      assertTrue(said.eta.isPresent(), "no end is predicted at " + said.ms + " ms");
      double off = Math.abs(said.eta.getAsDouble() - left);
      worst = Math.max(worst, left * share < GRAIN_SECONDS ? 0 : off / left);
      assertTrue(off <= Math.max(share * left, GRAIN_SECONDS), "at " + said.ms + " ms of "
          + endMs + ", " + said.eta + " was predicted, but " + left + " s were left"
          + (said.last ? ", and no group waited" : ""));
    }
    assertTrue(checked > 10, checked + " predictions say nothing");
    System.out.println("seed " + SEED + ", " + endMs + " ms, worst prediction: off by "
        + Math.round(100 * worst) + " %");
  }

  /**
   * Checks each prediction from the first fifth of the loss on.
   *
   * @param pausedMs how long the pause lasts that predictions before it cannot know of
   */
  private static void assertRight(SimulatedLoss loss, long pauseFromMs, long pausedMs,
      double share) {
    List<SimulatedLoss.Said> before = new ArrayList<>();
    List<SimulatedLoss.Said> after = new ArrayList<>();
    for (SimulatedLoss.Said said : loss.run()) {
      if (said.ms < pauseFromMs) {
        before.add(said);
      } else if (said.ms < pauseFromMs + pausedMs) {
        assertEquals(OptionalDouble.empty(), said.eta, "in the pause, at " + said.ms + " ms");
      } else {
        after.add(said);
      }
    }
    assertRight(before, loss.endMs() - pausedMs, (loss.endMs() - pausedMs) / 5,
        share);
    if (!after.isEmpty()) {
      assertRight(after, loss.endMs(), 0, share);
    }
  }

  private static void assertRight(SimulatedLoss loss) {
    assertRight(loss, Long.MAX_VALUE / 2, 0, SHARE);
  }

  private static SimulatedLoss loss(int groups, int mib, int nodes, int slots,
      LongToDoubleFunction rate) {
    return new SimulatedLoss(SEED, groups, mib * MIB, nodes, slots, LINK, rate);
  }

  /** With waiting groups, with none from the beginning on, and with many small units. */
  @ParameterizedTest
  @CsvSource({"120, 64, 12, 17", "120, 64, 12, 30", "600, 64, 40, 100", "40, 256, 12, 8",
      "24, 64, 12, 24", "10, 128, 12, 10", "6, 64, 9, 6", "1000, 1, 12, 50"})
  void theEndIsKnownAtASteadyRate(int groups, int mib, int nodes, int slots) {
    assertRight(loss(groups, mib, nodes, slots, ms -> noisy(LINK, ms)));
  }

  /** The settings may say a multiple of a link's rate, or a part of it. */
  @ParameterizedTest
  @CsvSource({"120, 64, 12, 17, 4", "120, 64, 12, 17, 0.1"})
  void theEndIsKnownIfTheLinkRateIsSetWrong(int groups, int mib, int nodes, int slots,
      double factor) {
    assertRight(loss(groups, mib, nodes, slots, ms -> noisy(factor * LINK, ms)),
        Long.MAX_VALUE / 2, 0, LEARNT_SHARE);
  }

  @Test
  void theEndIsKnownAfterARamp() {
    LongToDoubleFunction ramp = ms -> noisy(LINK, ms) * Math.min(1, (ms + 2_000) / 20_000.0);
    assertRight(loss(240, 64, 12, 17, ramp), Long.MAX_VALUE / 2, 0, LEARNT_SHARE);
    LongToDoubleFunction slow = ms -> noisy(LINK, ms) * Math.min(1, (ms + 2_000) / 60_000.0);
    assertRight(loss(600, 64, 12, 17, slow), Long.MAX_VALUE / 2, 0, LEARNT_SHARE);
  }

  @Test
  void aPauseChangesOnlyTheEnd() {
    assertRight(loss(240, 64, 12, 17, ms -> noisy(LINK, ms)).withPause(150_000, 230_000),
        150_000, 80_000, SHARE);
  }

  /** What was predicted before the second loss could not know of it. */
  @Test
  void aSecondLossChangesOnlyTheEnd() {
    SimulatedLoss loss = loss(60, 64, 12, 60, ms -> noisy(LINK, ms)).withAnother(30_000, 60);
    List<SimulatedLoss.Said> all = loss.run();
    all.removeIf(said -> said.ms < 36_000 || said.ms > 0.98 * loss.endMs());
    assertRight(all, loss.endMs(), 36_000, LEARNT_SHARE);
  }

  /** One node has a tenth of the rate. What it carries is left last, and advances in steps. */
  @Test
  void theEndIsKnownWithASlowNode() {
    SimulatedLoss loss = loss(24, 64, 12, 24, ms -> noisy(LINK, ms)).withSlowNode(0.1);
    List<SimulatedLoss.Said> all = loss.run();
    all.removeIf(said -> said.ms > 0.8 * loss.endMs());
    assertRight(all, loss.endMs(), loss.endMs() / 5, STEPS_SHARE);
  }

  /**
   * Reads the record of a loss, and checks what would have been predicted in it.
   *
   * @param name the test's resource, which says what its columns are
   */
  @ParameterizedTest
  @ValueSource(strings = {"26s-6-groups", "38s-10-groups", "84s-24-groups"})
  void theEndOfMeasuredLossesIsKnown(String name) throws IOException {
    List<String> lines;
    try (InputStream in = getClass().getResourceAsStream("/losses/" + name + ".csv")) {
      lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
          .filter(line -> !line.startsWith("#")).collect(Collectors.toList());
    }
    WorkMeter meter = new WorkMeter();
    List<SimulatedLoss.Said> all = new ArrayList<>();
    long endMs = 0;
    for (String line : lines) {
      String[] words = line.split(",", -1);
      endMs = Long.parseLong(words[0]);
      long waiting = Long.parseLong(words[1]) * UNIT;
      long underWay = Long.parseLong(words[2]) * UNIT;
      long left = Long.parseLong(words[3]) - waiting;
      RepairWork work = new RepairWork.Builder()
          .done(Long.parseLong(words[4]), Long.parseLong(words[5]))
          .add(underWay, underWay == 0 ? 0 : 1 - (double) left / underWay, false).build();
      meter.take(underWay == 0 ? new RepairWork.Builder().done(Long.parseLong(words[4]),
          Long.parseLong(words[5])).build() : work, waiting, words[6].isEmpty()
          ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(words[6])), true, true,
          endMs);
      all.add(new SimulatedLoss.Said(endMs, meter.etaSeconds(), 0, false));
    }
    all.remove(all.size() - 1);
    assertRight(all, endMs, endMs / 5, SHARE);
  }

  @Test
  void theRateIsThatOfTheLastMinute() {
    SimulatedLoss loss = loss(600, 64, 12, 17, ms -> ms < 200_000 ? LINK : LINK / 2);
    List<SimulatedLoss.Said> all = loss.run();
    double full = all.stream().filter(said -> said.ms > 100_000 && said.ms < 200_000)
        .mapToDouble(said -> said.rate).average().getAsDouble();
    for (SimulatedLoss.Said said : all) {
      if (said.ms > 60_000 && said.ms < 200_000) {
        assertEquals(full, said.rate, 0.15 * full, "at " + said.ms);
      } else if (said.ms > 265_000 && said.ms < 300_000) {
        assertEquals(full / 2, said.rate, 0.1 * full, "at " + said.ms);
      }
    }
  }

  private static RepairWork work(long done, double share) {
    return new RepairWork.Builder().done(done, 100 * done).add(100, share, false)
        .build();
  }

  @Test
  void whatDoesNotAdvanceIsStuck() {
    WorkMeter meter = new WorkMeter();
    meter.take(work(0, 0), 1_000, OptionalDouble.empty(), true, true, 5_000);
    meter.take(work(0, 0.5), 1_000, OptionalDouble.empty(), true, true, 10_000);
    // The repair fails, and the next one gets as far.
    meter.take(work(0, 0), 1_000, OptionalDouble.empty(), true, true, 40_000);
    meter.take(work(0, 0.5), 1_000, OptionalDouble.empty(), true, true, 69_999);
    assertFalse(meter.isStuck());
    meter.take(work(0, 0.5), 1_000, OptionalDouble.empty(), true, true, 70_000);
    assertTrue(meter.isStuck(), "the same progress once more is none");
    meter.take(work(0, 0.51), 1_000, OptionalDouble.empty(), true, true, 71_000);
    assertFalse(meter.isStuck());
    meter.take(work(1, 0), 900, OptionalDouble.empty(), true, true, 100_000);
    meter.take(work(1, 0), 900, OptionalDouble.empty(), true, true, 160_000);
    assertTrue(meter.isStuck());
    assertEquals(0, meter.bytesPerSecond(), 0.9);
    assertEquals(OptionalDouble.empty(), meter.etaSeconds(), "nothing is predicted of a stall");
  }

  @Test
  void whatMustNotAdvanceIsNotStuck() {
    WorkMeter meter = new WorkMeter();
    for (int second = 0; second < 200; second++) {
      meter.take(RepairWork.NONE, 1_000, OptionalDouble.empty(), true, false, 1_000L * second);
      assertFalse(meter.isStuck(), "all groups wait for their nodes to come back");
    }
    for (int second = 200; second < 400; second++) {
      meter.take(RepairWork.NONE, 1_000, OptionalDouble.empty(), false, true, 1_000L * second);
      assertFalse(meter.isStuck(), "repairs are paused");
    }
    meter.take(RepairWork.NONE, 1_000, OptionalDouble.empty(), true, true, 400_000);
    assertFalse(meter.isStuck(), "a minute counts from the time on at which something is due");
    meter.take(RepairWork.NONE, 1_000, OptionalDouble.empty(), true, true, 459_000);
    assertTrue(meter.isStuck());
  }

  @Test
  void nothingIsLeft() {
    WorkMeter meter = new WorkMeter();
    meter.take(RepairWork.NONE, 0, OptionalDouble.empty(), true, false, 1_000);
    assertEquals(OptionalDouble.empty(), meter.etaSeconds());
    assertEquals(0, meter.bytesPerSecond());
    assertFalse(meter.isStuck());
  }

  @Test
  void progressThatIsLostIsNoNegativeRate() {
    WorkMeter meter = new WorkMeter();
    meter.take(work(0, 0), 1_000, OptionalDouble.empty(), true, true, 0);
    meter.take(work(0, 0.9), 1_000, OptionalDouble.empty(), true, true, 1_000);
    meter.take(work(0, 0.1), 1_000, OptionalDouble.empty(), true, true, 2_000);
    assertTrue(meter.bytesPerSecond() >= 0);
    meter.take(work(0, 0), 1_000, OptionalDouble.empty(), true, true, 3_000);
    assertEquals(0, meter.bytesPerSecond());
    assertEquals(OptionalDouble.empty(), meter.etaSeconds());
  }
}
