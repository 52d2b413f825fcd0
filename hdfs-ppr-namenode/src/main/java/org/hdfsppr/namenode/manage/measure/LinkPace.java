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

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Measures how many seconds pass while the time that the busiest link needs, as it is planned,
 * becomes one second shorter. That is 1 if links are as fast as the settings say and the busiest
 * one is used fully; it is 4 if the settings say four times too much. Not thread-safe.
 *
 * <p>The measured figure is rough. Repairs that have just begun share links unevenly, so that for a
 * while the busiest link may seem slower by a factor of two. Settings are usually either right or
 * wrong by a multiple. So a measured figure near the present factor changes the factor little; see
 * {@link #factor}.
 */
@InterfaceAudience.Private
final class LinkPace {
  /**
   * The pace is measured over half of the time that is left, but at least over ten heartbeats, ms,
   * and at most over this time, ms. Progress comes in whole per cents, so that a long repair shows
   * nothing for some seconds.
   */
  private static final long SPAN_MS = 10_000;
  private static final long SPAN_MS_MAX = 60_000;
  /** The least time over which a faster pace is measured, and a slower one, ms. */
  private static final long SPAN_MS_MIN = 4_000;
  private static final long SLOWER_MS_MIN = 8_000;
  private static final long STEP_MS = 1_000;
  /**
   * The bound does not fall for this time, ms, only if the repairs of the busiest link are stalled:
   * nodes report whole per cents, ten times in this time. Time beyond it says nothing about links
   * and does not count.
   */
  private static final long STALL_MS = 10_000;
  /**
   * A pace that is slower than the known one, measured over a time T, may be wrong by this factor,
   * plus the time of {@link #ROUGH_SECONDS} / T: the busiest link may not be used fully, and then
   * gets faster.
   */
  private static final double SLOWER = 2;
  /** The same for a faster pace: no link carries more than it can. */
  private static final double FASTER = 1.05;
  /**
   * Repairs that have just begun move nothing for some seconds, and then share links for a while:
   * this time, s, plus this share of what is left.
   */
  private static final double ROUGH_SECONDS = 3;
  private static final double ROUGH_SHARE = 0.08;
  /**
   * A bound that has fallen by less than this share says only that links are slow, and not how
   * slow: nodes report whole per cents.
   */
  private static final double LEAST_SHARE = 0.03;
  /** The greatest factor; a settings' value that is off by more than that is no link's rate. */
  private static final double MOST = 1_000;

  /** The bound at a moment. */
  private static final class Sample {
    private final long ms;
    private final double seconds;

    Sample(long ms, double seconds) {
      this.ms = ms;
      this.seconds = seconds;
    }
  }

  private final Deque<Sample> samples = new ArrayDeque<>();
  private double known = 1;
  /** When the bound fell last, or rose, by the clock of the caller. */
  private long movedMs;
  private long takenMs;
  private double taken = Double.NaN;
  /** The time of stalls, which the times of {@link #samples} leave out. */
  private long stalledMs;

  /** Forgets what was measured since work was added last, but not the pace. */
  void interrupt() {
    known = factor();
    samples.clear();
  }

  /**
   * Takes note of the bound, at most once a second. Call {@link #interrupt} whenever work has been
   * added to what is planned.
   *
   * @param boundSeconds the time that the busiest link needs for all that is left, s
   */
  void take(long clockMs, double boundSeconds) {
    if (boundSeconds != taken) {
      movedMs = clockMs;
    } else if (clockMs - movedMs > STALL_MS) {
      stalledMs += clockMs - Math.max(takenMs, movedMs + STALL_MS);
    }
    taken = boundSeconds;
    takenMs = clockMs;
    long nowMs = clockMs - stalledMs;
    if (!samples.isEmpty() && nowMs - samples.getLast().ms < STEP_MS) {
      return;
    }
    samples.addLast(new Sample(nowMs, boundSeconds));
    double span = Math.max(SPAN_MS, Math.min(SPAN_MS_MAX, known * boundSeconds * 1e3 / 2));
    while (nowMs - samples.getFirst().ms > span) {
      samples.removeFirst();
    }
  }

  /**
   * Says what is known from elsewhere, such as from the rate of all repairs. It counts until the
   * pace is measured, and only if it differs by more than its possible error.
   *
   * @param factor seconds that pass for each second of the bound
   * @param error the factor by which that figure may be too great, more than 1
   */
  void suggest(double factor, double error) {
    known = damped(factor / known, factor < known ? FASTER : error) * known;
  }

  /** Returns how many seconds pass for each second of the bound. */
  double factor() {
    if (samples.isEmpty()) {
      return known;
    }
    double passed = (samples.getLast().ms - samples.getFirst().ms) / 1e3;
    if (passed * 1e3 < SPAN_MS_MIN) {
      return known;
    }
    double first = samples.getFirst().seconds;
    double fallen = first - samples.getLast().seconds;
    double measured = passed / Math.max(fallen, Math.max(LEAST_SHARE * first, passed / MOST));
    boolean isFaster = measured < known;
    if (isFaster ? fallen < LEAST_SHARE * first : passed * 1e3 < SLOWER_MS_MIN) {
      return known;
    }
    double rough = ROUGH_SECONDS + ROUGH_SHARE * known * first;
    return damped(measured / known,
        (isFaster ? FASTER : SLOWER) + rough / passed) * known;
  }

  /**
   * Returns 1 for a ratio within the error, the ratio itself from the square of the error on, and
   * something between for ratios between, so that the result has no jump.
   */
  private static double damped(double ratio, double error) {
    double size = Math.abs(Math.log(ratio));
    double most = Math.log(error);
    double share = Math.max(0, Math.min(1, (size - most) / most));
    return Math.pow(Math.max(1 / MOST, Math.min(MOST, ratio)), share);
  }
}
