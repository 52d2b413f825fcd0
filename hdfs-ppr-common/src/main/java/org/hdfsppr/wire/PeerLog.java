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
package org.hdfsppr.wire;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.helpers.FormattingTuple;
import org.slf4j.helpers.MessageFormatter;

/**
 * Writes log lines that others cause: peers, strangers, a cluster in which much fails at the same
 * time. Each cause gets one line a minute, which states the number of lines left out since the last
 * one. With the debug level on, the logger gets all lines. A log therefore shows what happens, and
 * no caller can fill a disk with it. (Hadoop's LogThrottlingHelper does less: it serves one thread,
 * delays the lines of one cause for those of another, and never forgets a cause.) Thread-safe.
 */
@InterfaceAudience.Private
public final class PeerLog {
  /** A minute: often enough to notice a problem, and a few MB a day at most. */
  static final long EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);
  /**
   * The most causes with lines of their own at a time. Most causes are fixed words, a few for each
   * class. Other causes name a node or a block, and their number has no bound.
   */
  static final int CAUSES_MOST = 256;
  /** All causes beyond the bound share this one. */
  private static final String FURTHER = "further causes";

  /** The time of a cause's last line, and the number of lines left out since. */
  private static final class Cause {
    private final long saidNanos;
    private long leftOut;

    Cause(long saidNanos) {
      this.saidNanos = saidNanos;
    }
  }

  /** A level of a log. */
  private interface Level {
    void say(String line, Throwable thrown);
  }

  private final Logger log;
  private final LongSupplier nanoClock;
  /** Guarded by this. */
  private final Map<String, Cause> causes = new HashMap<>();

  /** @param log receives the lines */
  public PeerLog(Logger log) {
    this(log, System::nanoTime);
  }

  PeerLog(Logger log, LongSupplier nanoClock) {
    this.log = log;
    this.nanoClock = nanoClock;
  }

  /**
   * Writes a line at level INFO.
   *
   * @param cause lines with the same cause share one line a minute
   * @param format the line, with slf4j's placeholders
   * @param arguments values of the placeholders, and an exception as the last one if there is one
   */
  public void info(String cause, String format, Object... arguments) {
    say(log::info, cause, format, arguments);
  }

  /**
   * As {@link #info}, at level WARN.
   *
   * @param cause lines with the same cause share one line a minute
   * @param format the line, with slf4j's placeholders
   * @param arguments values of the placeholders, and an exception as the last one if there is one
   */
  public void warn(String cause, String format, Object... arguments) {
    say(log::warn, cause, format, arguments);
  }

  /**
   * As {@link #info}, at level ERROR.
   *
   * @param cause lines with the same cause share one line a minute
   * @param format the line, with slf4j's placeholders
   * @param arguments values of the placeholders, and an exception as the last one if there is one
   */
  public void error(String cause, String format, Object... arguments) {
    say(log::error, cause, format, arguments);
  }

  private void say(Level level, String cause, String format, Object... arguments) {
    long leftOut = leftOutBefore(cause);
    if (leftOut < 0) {
      log.debug(format, arguments);
      return;
    }
    FormattingTuple line = MessageFormatter.arrayFormat(format, arguments);
    String more = leftOut == 0 ? "" : " (" + leftOut + " more like it since the last such line)";
    level.say(line.getMessage() + more, line.getThrowable());
  }

  /**
   * Returns the number of lines left out since the last one, or -1 if this line is to be left out
   * too.
   */
  private synchronized long leftOutBefore(String cause) {
    long now = nanoClock.getAsLong();
    if (!causes.containsKey(cause) && causes.size() >= CAUSES_MOST) {
      causes.values().removeIf(old -> isOver(old, now));
    }
    // The shared cause has its place beyond the bound.
    return causes.containsKey(cause) || causes.size() < CAUSES_MOST ? note(cause, now)
        : note(FURTHER, now);
  }

  private long note(String cause, long now) {
    Cause before = causes.get(cause);
    if (before != null && !isOver(before, now)) {
      before.leftOut++;
      return -1;
    }
    causes.put(cause, new Cause(now));
    return before == null ? 0 : before.leftOut;
  }

  private static boolean isOver(Cause cause, long now) {
    return now - cause.saidNanos >= EVERY_NANOS;
  }

  /** Returns the number of causes in memory. */
  synchronized int causes() {
    return causes.size();
  }
}
