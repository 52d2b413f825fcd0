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
import org.hdfsppr.namenode.manage.status.Pause;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the pause that an operator has ordered. During a pause no repair begins. Repairs under way
 * go on, and the groups that wait stay claimed, so that stock does not take them either. The pause
 * is kept in this process only: it ends when the NameNode restarts, and each NameNode of a cluster
 * has its own. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class PauseKeeper {
  /** The value of {@code ms} for a pause without an end. */
  public static final long UNTIL_RESUMED = Long.MAX_VALUE;

  private static final Logger LOG = LoggerFactory.getLogger(PauseKeeper.class);

  private final Clock wallClock;
  private Pause pause;
  private long untilMs;
  private long pausedFromMs;
  /** The length of all pauses that are over, ms. */
  private long pausedMs;

  /**
   * Makes an instance without a pause.
   *
   * @param wallClock the time of day, which is only shown; it may be set back or forward
   */
  public PauseKeeper(Clock wallClock) {
    this.wallClock = wallClock;
  }

  /**
   * Begins a pause. If there is one already, it goes on and gets a new end.
   *
   * @param nowMs the time now, monotonic, ms
   * @param ms how long the pause lasts, ms, or {@link #UNTIL_RESUMED}
   * @return the pause
   */
  public Pause begin(long nowMs, long ms) {
    look(nowMs);
    Instant now = wallClock.instant();
    pausedFromMs = pause == null ? nowMs : pausedFromMs;
    boolean isEndless = ms == UNTIL_RESUMED;
    pause = new Pause(pause == null ? now : pause.since(), isEndless ? null : now.plusMillis(ms));
    untilMs = isEndless ? UNTIL_RESUMED : nowMs + ms;
    LOG.info("Repairs are paused {}: none begins, those under way go on", pause);
    return pause;
  }

  /**
   * Ends the pause.
   *
   * @param nowMs the time now, monotonic, ms
   * @return whether there was one
   */
  public boolean end(long nowMs) {
    boolean was = pause != null;
    pausedMs += was ? nowMs - pausedFromMs : 0;
    pause = null;
    if (was) {
      LOG.info("Repairs are resumed");
    }
    return was;
  }

  /**
   * Ends the pause if its time is over.
   *
   * @param nowMs the time now, monotonic, ms
   */
  public void look(long nowMs) {
    if (pause != null && nowMs >= untilMs) {
      LOG.info("The time of the pause is over");
      end(untilMs);
    }
  }

  /** @return whether repairs are paused */
  public boolean isOn() {
    return pause != null;
  }

  /**
   * @param nowMs the time now, monotonic, ms
   * @return for how long repairs could begin so far, ms: a clock that stands still during pauses
   */
  public long workedMs(long nowMs) {
    return (pause == null ? nowMs : pausedFromMs) - pausedMs;
  }

  /** @return the pause; empty if there is none */
  public Optional<Pause> pause() {
    return Optional.ofNullable(pause);
  }
}
