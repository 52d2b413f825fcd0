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
import java.util.OptionalDouble;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.track.RepairWork;

/**
 * Measures how fast all repairs together advance, and predicts when they are done. Bytes that
 * repairs under way have rebuilt count as soon as their destinations report them. Not thread-safe.
 *
 * <pre>
 *   shown rate   over the last minute, or since there is something to do
 *   steady rate  over the last quarter of the time since the first progress, 10 to 60 s: the time
 *                before the first progress, and an operator's pause, do not count
 *   end          of what waits: bytes left / steady rate; of what is under way: what the busiest
 *                link still has to move, at its {@link LinkPace}; the mean of both, by bytes
 * </pre>
 *
 * <p>When no group waits any more, links fall idle one after the other, and the rate of all repairs
 * falls. The busiest link goes on at its pace and decides about the end. The time that a single
 * repair would take at its own rate says little: repairs share links unevenly, and a slow one gets
 * faster as soon as others end.
 */
@InterfaceAudience.Private
public final class WorkMeter {
  /** Repairs that have not advanced for this time are stuck, ms. */
  public static final long STUCK_MS = 60_000;
  /** The shortest time over which the steady rate is calculated, ms; several heartbeats. */
  private static final long SPAN_MS_MIN = 10_000;
  /**
   * The steady rate is calculated over one part in this many of the time since the first progress.
   * The rate rises while the first repairs begin, and that time must soon not count any more.
   */
  private static final int SPAN_ONE_IN = 4;
  /**
   * There is no rate until this many ms after the first progress, which is the time of two
   * heartbeats.
   */
  private static final long KNOWN_AFTER_MS = 2_000;
  /** After a pause, the rate from before the pause is used for this time, ms. */
  private static final long BEFORE_PAUSE_MS = 5_000;
  /** The pace of links is used from this time after the first progress on, ms. */
  private static final long BEGUN_MS = 3_000;
  /** While groups wait, links are used unevenly, so that their pace may be wrong by this factor. */
  private static final double WAITING_ERROR = 1.5;

  private final RateWindow shown = new RateWindow();
  private final RateWindow steady = new RateWindow();
  private RepairWork work = RepairWork.NONE;
  private long waitingBytes;
  private long nowMs;
  private long advanced;
  private boolean busy;
  private boolean going;
  private double beforePause;
  private final LinkPace pace = new LinkPace();
  private OptionalDouble bound = OptionalDouble.empty();
  private long bytesToDo;
  private long risenMs;
  private long most;
  private long doneThen;

  /**
   * Takes note of the work at this moment. Call this in each cycle.
   *
   * @param now the repairs under way and those that are done
   * @param bytesWaiting bytes of the lost units of groups that wait and can be repaired
   * @param boundSeconds when all can be rebuilt at best, as {@link LoadMeasure#boundSeconds} says,
   *     seconds from now; empty if that is not known
   * @param isGoing whether repairs may begin: this NameNode is in charge, and there is no pause
   * @param isDue whether a repair is under way, or a group waits that could be repaired now
   * @param atMs the time now, monotonic, ms
   */
  public void take(RepairWork now, long bytesWaiting, OptionalDouble boundSeconds,
      boolean isGoing, boolean isDue, long atMs) {
    long before = advanced;
    boolean wasBusy = busy;
    work = now;
    waitingBytes = bytesWaiting;
    nowMs = atMs;
    advanced = now.bytesDone() + now.bytesInProgress();
    busy = now.groups() > 0 || bytesWaiting > 0;
    if (busy && !wasBusy) {
      shown.clear();
    }
    shown.add(atMs, advanced);
    followPause(isGoing);
    if (!busy) {
      steady.clear();
      beforePause = 0;
    } else if (going && (!steady.isEmpty() || wasBusy && advanced > before)) {
      steady.add(atMs, advanced);
    }
    bound = boundSeconds;
    followPace();
    noteAdvance(isGoing && isDue);
  }

  /**
   * Measures the pace of the busiest link while no work is added to it. A repair adds its work when
   * it is planned. {@code bound} grows then, which says nothing about the pace.
   */
  private void followPace() {
    long before = bytesToDo;
    bytesToDo = waitingBytes + work.bytesLeft();
    double rate = rateForTheEnd();
    boolean isBegun = steady.ageMs(nowMs) >= BEGUN_MS;
    if (!going || bound.isEmpty() || bytesToDo > before || waitingBytes > 0 || !isBegun) {
      pace.interrupt();
      if (going && isBegun && waitingBytes > 0 && rate > 0 && bound.orElse(0) > 0) {
        pace.suggest(bytesToDo / rate / bound.getAsDouble(), WAITING_ERROR);
      }
    } else {
      pace.take(nowMs, bound.getAsDouble());
    }
  }

  private void followPause(boolean isGoing) {
    if (going && !isGoing) {
      double rate = rateForTheEnd();
      beforePause = rate > 0 ? rate : beforePause;
      steady.clear();
    }
    going = isGoing;
  }

  /**
   * Notes an advance only when a repair is done, or when more bytes are rebuilt than ever before. A
   * repair that fails loses its progress, and the next repair makes the same progress once more:
   * this is no advance.
   */
  private void noteAdvance(boolean isDue) {
    boolean isDone = work.done() > doneThen;
    if (!isDue || isDone || advanced > most) {
      risenMs = nowMs;
      most = isDone || !isDue ? advanced : Math.max(most, advanced);
      doneThen = work.done();
    }
  }

  /** @return all bytes that have been rebuilt, including those of repairs under way */
  public long advancedBytes() {
    return advanced;
  }

  /** @return whether repairs could advance, and have not done so for {@value #STUCK_MS} ms */
  public boolean isStuck() {
    return nowMs - risenMs >= STUCK_MS;
  }

  /** @return rebuilt bytes per second over the last minute, or since there is something to do */
  public double bytesPerSecond() {
    return shown.perSecond(nowMs, advanced, RateWindow.SPAN_MS_MAX);
  }

  private double rateForTheEnd() {
    long age = steady.ageMs(nowMs);
    if (beforePause > 0 && age < BEFORE_PAUSE_MS) {
      return beforePause;
    }
    return age < KNOWN_AFTER_MS ? 0 : steady.perSecond(nowMs, advanced,
        Math.max(SPAN_MS_MIN, Math.min(RateWindow.SPAN_MS_MAX, age / SPAN_ONE_IN)));
  }

  /**
   * @return when all is rebuilt at the present rate, seconds from now; empty if that is not known,
   *     if nothing may be repaired now, or if nothing is left
   */
  public OptionalDouble etaSeconds() {
    double rate = going && busy ? rateForTheEnd() : 0;
    if (rate <= 0) {
      return OptionalDouble.empty();
    }
    double toDo = waitingBytes + work.bytesLeft();
    if (bound.isEmpty() || toDo == 0) {
      return OptionalDouble.of(toDo / rate);
    }
    // The larger the waiting share of the bytes is, the more the rate of all repairs decides.
    double share = Math.sqrt(waitingBytes / toDo);
    return OptionalDouble.of(
        share * toDo / rate + (1 - share) * bound.getAsDouble() * pace.factor());
  }

  /**
   * Measures how many seconds pass while the time that the busiest link needs, as it is planned,
   * becomes one second shorter. That is 1 if links are as fast as the settings say and the busiest
   * one is used fully; it is 4 if the settings say four times too much. Not thread-safe.
   *
   * <p>The measured figure is rough. Repairs that have just begun share links unevenly, so that for
   * a while the busiest link may seem slower by a factor of two. Settings are usually either right
   * or wrong by a multiple. So a measured figure near the present factor changes the factor little;
   * see {@link #factor}.
   */
  static final class LinkPace {
    /**
     * The pace is measured over half of the time that is left, but at least over {@code SPAN_MS},
     * which is ten heartbeats, and at most over {@code SPAN_MS_MAX}. Progress comes in whole per
     * cents, so that a long repair shows nothing for some seconds.
     */
    private static final long SPAN_MS = 10_000;
    private static final long SPAN_MS_MAX = 60_000;
    /**
     * The least time over which a pace is measured that is faster than the known one, ms; for a
     * slower one, it is {@code SLOWER_MS_MIN}.
     */
    private static final long SPAN_MS_MIN = 4_000;
    private static final long SLOWER_MS_MIN = 8_000;
    private static final long STEP_MS = 1_000;
    /**
     * If the bound does not fall for this time, ms, the repairs of the busiest link are stalled:
     * nodes report whole per cents, ten times in this time. A stall says nothing about links, so
     * that the time beyond this limit does not count.
     */
    private static final long STALL_MS = 10_000;
    /**
     * A pace that is slower than the known one, measured over a time T, may be wrong by this
     * factor, plus the time of {@link #ROUGH_SECONDS} / T: the busiest link may not be used fully,
     * and then gets faster.
     */
    private static final double SLOWER = 2;
    /**
     * Like {@link #SLOWER}, but for a faster pace. It is more certain, because no link carries more
     * than it can.
     */
    private static final double FASTER = 1.05;
    /**
     * Repairs that have just begun move nothing for some seconds, and then share links unevenly for
     * a while. Both together take {@code ROUGH_SECONDS}, s, and {@code ROUGH_SHARE} of the time
     * that is left.
     */
    private static final double ROUGH_SECONDS = 3;
    private static final double ROUGH_SHARE = 0.08;
    /**
     * A bound that has fallen by less than this share says only that links are slow, and not how
     * slow: nodes report whole per cents.
     */
    private static final double LEAST_SHARE = 0.03;
    /** The greatest factor. No setting is so far from the rate of a link. */
    private static final double MOST = 1_000;

    /** The bound (the time that the busiest link still needs) at one moment. */
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
    /** When the bound changed last, ms, on the clock of the caller. */
    private long movedMs;
    private long takenMs;
    private double taken = Double.NaN;
    /** How long stalls have lasted, ms; the times of {@link #samples} leave them out. */
    private long stalledMs;

    /**
     * Forgets the samples, because work has been added, but keeps the pace that they have shown.
     */
    void interrupt() {
      known = factor();
      samples.clear();
    }

    /**
     * Takes note of the bound, at most once a second. Call {@link #interrupt} whenever work has
     * been added to what is planned.
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
     * Sets the pace that another source suggests, such as the rate of all repairs. It counts until
     * the pace is measured, and only if it differs from the known pace by more than its possible
     * error.
     *
     * @param factor seconds that pass for each second of the bound
     * @param error the factor by which that figure may be too great, more than 1
     */
    void suggest(double factor, double error) {
      known = damped(factor / known, factor < known ? FASTER : error) * known;
    }

    /**
     * Returns how many seconds pass while the bound, the time that the busiest link still needs,
     * becomes one second shorter.
     */
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
}
