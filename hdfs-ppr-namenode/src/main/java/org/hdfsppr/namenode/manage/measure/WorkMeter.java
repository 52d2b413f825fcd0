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

import java.util.OptionalDouble;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.track.RepairWork;

/**
 * Measures how fast all repairs together advance, and predicts when they are done. Bytes that
 * repairs under way have rebuilt count as soon as their destinations report them. Not thread-safe.
 *
 * <pre>
 *   rate for people    over the last minute, or since there is something to do
 *   rate for the end   over the last quarter of the time since the first progress, 10 to 60 s:
 *                      the time before the first progress, and an operator's pause, do not count
 *   end                bytes left / rate; near the end later than that, see below
 * </pre>
 *
 * <p>When no group waits any more, links fall idle. Then the slowest repair under way decides. It
 * gets faster while others end, so that the prediction is between both times. Until then, half of a
 * typical repair stands for the slowest one.
 */
@InterfaceAudience.Private
public final class WorkMeter {
  /** Repairs that have not advanced for this time are stuck, ms. */
  public static final long STUCK_MS = 60_000;
  /** The shortest time over which the rate for the end is calculated, ms; several heartbeats. */
  private static final long SPAN_MS_MIN = 10_000;
  /**
   * The rate for the end is calculated over one part in this many of the time since the first
   * progress: the rate rises while the first repairs begin, and these must soon not count any more.
   */
  private static final int SPAN_ONE_IN = 4;
  /** No rate is known before this time since the first progress, ms: two heartbeats. */
  private static final long KNOWN_AFTER_MS = 2_000;
  /** After a pause, the rate before the pause counts for this time, ms. */
  private static final long BEFORE_PAUSE_MS = 5_000;
  private static final double MS_PER_SECOND = 1_000;
  /** The time over which a fall of the rate is noticed near the end, ms. */
  private static final long RECENT_MS = 3_000;
  /** See {@link #tailShare}: its value while links are shared. */
  private static final double SHARED_TAIL = 0.4;
  /** When the last group begins, those under way have half of a typical repair to go. */
  private static final double TAIL_OF_TYPICAL = 0.5;
  /** Shares of the rate at which links count as all busy, and as mostly idle. */
  private static final double FULL = 0.9;
  private static final double IDLE = 0.6;

  private final RateWindow shown = new RateWindow();
  private final RateWindow steady = new RateWindow();
  private RepairWork work = RepairWork.NONE;
  private long waitingBytes;
  private long nowMs;
  private long advanced;
  private boolean busy;
  private boolean going;
  private double beforePause;
  /** The rate when a group waited last, so that no link fell idle. */
  private double fullRate;
  private long risenMs;
  private long most;
  private long doneThen;

  /**
   * Takes note of the work at this moment. Call this in each cycle.
   *
   * @param now the repairs under way and those that are done
   * @param bytesWaiting bytes of the lost units of groups that wait and can be repaired
   * @param isGoing whether repairs may begin: this NameNode is in charge, and there is no pause
   * @param isDue whether a repair is under way, or a group waits that could be repaired now
   * @param atMs the time now, monotonic, ms
   */
  public void take(RepairWork now, long bytesWaiting, boolean isGoing, boolean isDue,
      long atMs) {
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
    double rate = rateForTheEnd();
    fullRate = !busy ? 0 : bytesWaiting > 0 && rate > 0 ? rate : Math.max(fullRate, rate);
    noteAdvance(isGoing && isDue);
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
   * Progress of a repair that then fails is lost, and the next repair makes the same progress once
   * more. This counts as an advance only when a repair is done or more bytes are rebuilt than ever
   * since.
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
    double byRate = (waitingBytes + work.bytesLeft()) / rate;
    return OptionalDouble.of(byRate + (waitingBytes > 0
        ? SHARED_TAIL * TAIL_OF_TYPICAL * work.typicalMs() / MS_PER_SECOND
        : tailShare() * Math.max(0, work.slowestMs() / MS_PER_SECOND - byRate)));
  }

  /**
   * Returns how far the prediction goes from the end by the rate of all repairs (0) to the end of
   * the slowest repair at its own rate (1). While the rate of all has not fallen, repairs still get
   * faster whenever others end.
   */
  private double tailShare() {
    double nowRate = steady.perSecond(nowMs, advanced, RECENT_MS);
    double idle = fullRate == 0 ? 0 : (FULL - nowRate / fullRate) / (FULL - IDLE);
    return SHARED_TAIL + (1 - SHARED_TAIL) * Math.max(0, Math.min(1, idle));
  }
}
