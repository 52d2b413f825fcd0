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
package org.hdfsppr.namenode.manage.charge;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.RepairPause;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what an operator has decided about all repairs: that none begins (a pause), or that stock
 * schedules all of them. The last decision counts, and both last for a time or until an operator
 * ends them. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class PauseKeeper {
  /** The value of {@code ms} for a time without an end. */
  public static final long UNTIL_RESUMED = Long.MAX_VALUE;

  private static final Logger LOG = LoggerFactory.getLogger(PauseKeeper.class);

  private final Clock wallClock;
  /**
   * The pause, or the time for which stock schedules all repairs, that an operator has begun; null
   * if there is neither.
   */
  private RepairPause time;
  /** Whether stock schedules all repairs in {@code time}; otherwise no repair begins. */
  private boolean isStocks;
  private long untilMs;
  private long stoodFromMs;
  /**
   * How long all pauses, and all times for which stock scheduled all repairs, lasted that are over,
   * ms.
   */
  private long stoodMs;

  /**
   * Makes an instance without a pause.
   *
   * @param wallClock the time of day, which is only shown; it may be set back or forward
   */
  public PauseKeeper(Clock wallClock) {
    this.wallClock = wallClock;
  }

  /**
   * Begins a pause. If there is one already, it goes on and gets a new end. A time for which all
   * repairs were left to stock ends.
   *
   * @param nowMs the time now, monotonic, ms
   * @param ms how long the pause lasts, ms, or {@link #UNTIL_RESUMED}
   * @return the pause
   */
  public RepairPause begin(long nowMs, long ms) {
    begin(nowMs, ms, false);
    LOG.info("Repairs are paused {}: none begins, those under way go on", time);
    return time;
  }

  /**
   * Leaves all repairs to stock. If they are left to stock already, that time goes on and gets a
   * new end. A pause ends.
   *
   * @param nowMs the time now, monotonic, ms
   * @param ms for how long, ms, or {@link #UNTIL_RESUMED}
   * @return the time for which all repairs are stock's
   */
  public RepairPause leaveToStock(long nowMs, long ms) {
    begin(nowMs, ms, true);
    LOG.info("All repairs are left to stock {}, as an operator wishes", time);
    return time;
  }

  private void begin(long nowMs, long ms, boolean toStock) {
    look(nowMs);
    Instant now = wallClock.instant();
    Instant since = time == null || isStocks != toStock ? now : time.since;
    stoodFromMs = time == null ? nowMs : stoodFromMs;
    boolean isEndless = ms == UNTIL_RESUMED;
    time = new RepairPause(since, isEndless ? null : now.plusMillis(ms));
    untilMs = isEndless ? UNTIL_RESUMED : nowMs + ms;
    isStocks = toStock;
  }

  /**
   * Ends the pause, or the time for which stock schedules all repairs.
   *
   * @param nowMs the time now, monotonic, ms
   * @return whether there was one
   */
  public boolean end(long nowMs) {
    boolean was = time != null;
    stoodMs += was ? nowMs - stoodFromMs : 0;
    time = null;
    isStocks = false;
    if (was) {
      LOG.info("Repairs are resumed");
    }
    return was;
  }

  /**
   * Ends the pause, or the time for which stock schedules all repairs, if its end has come.
   *
   * @param nowMs the time now, monotonic, ms
   */
  public void look(long nowMs) {
    if (time != null && nowMs >= untilMs) {
      LOG.info(isStocks ? "The time is over for which all repairs are left to stock"
          : "The time of the pause is over");
      end(untilMs);
    }
  }

  /** @return whether repairs are paused */
  public boolean isOn() {
    return time != null && !isStocks;
  }

  /** @return whether an operator has left all repairs to stock */
  public boolean isStocks() {
    return isStocks;
  }

  /**
   * @param nowMs the time now, monotonic, ms
   * @return for how long repairs could begin here so far, ms. This clock stands still during pauses
   *     and while stock schedules all repairs
   */
  public long workedMs(long nowMs) {
    return (time == null ? nowMs : stoodFromMs) - stoodMs;
  }

  /** @return the pause; empty if there is none */
  public Optional<RepairPause> pause() {
    return isStocks ? Optional.empty() : Optional.ofNullable(time);
  }

  /** @return for how long an operator has left all repairs to stock; empty if none has */
  public Optional<RepairPause> leftToStock() {
    return isStocks ? Optional.of(time) : Optional.empty();
  }
}
