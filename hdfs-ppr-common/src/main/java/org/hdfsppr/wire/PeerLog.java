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
 * Lines of a log that others cause: peers, strangers, a cluster in which much fails at a time. Each
 * cause gets one line a minute, which says how many more there would have been since the last one;
 * where the logger has its debug level on, all of them are there. So a log says what happens, and
 * no caller can fill a disk with it. (Hadoop's LogThrottlingHelper does less: it is for one thread,
 * has the lines of one cause wait for those of another one, and forgets no cause.) Thread-safe.
 */
@InterfaceAudience.Private
public final class PeerLog {
  /** Often enough to see that something goes on, and some MB a day at the most. */
  static final long EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);
  /**
   * Causes that have lines of their own at a time. Most causes are fixed words of which a class has
   * a few; some name a node or a block, of which there may be any number.
   */
  static final int CAUSES_MOST = 256;
  /** Shared by all causes beyond. */
  private static final String FURTHER = "further causes";

  /** When a cause had its last line, and what has been left out since. */
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

  /** @param log where the lines go */
  public PeerLog(Logger log) {
    this(log, System::nanoTime);
  }

  PeerLog(Logger log, LongSupplier nanoClock) {
    this.log = log;
    this.nanoClock = nanoClock;
  }

  /**
   * Says a line at the level of information.
   *
   * @param cause lines of one cause are left out behind each other
   * @param format as of slf4j, as are the arguments
   */
  public void info(String cause, String format, Object... arguments) {
    say(log::info, cause, format, arguments);
  }

  /** As {@link #info}, as a warning. */
  public void warn(String cause, String format, Object... arguments) {
    say(log::warn, cause, format, arguments);
  }

  /** As {@link #info}, as an error. */
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

  /** How many lines were left out since the last one, or -1 if this one is to be as well. */
  private synchronized long leftOutBefore(String cause) {
    long now = nanoClock.getAsLong();
    if (!causes.containsKey(cause) && causes.size() >= CAUSES_MOST) {
      causes.values().removeIf(old -> isOver(old, now));
    }
    // The shared one has its place beyond the bound.
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

  /** Causes that are remembered. */
  synchronized int causes() {
    return causes.size();
  }
}
