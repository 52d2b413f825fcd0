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
 * Writes log lines that other processes cause, such as peers, unknown callers, or a cluster in
 * which many nodes fail at the same time. Each cause gets one line a minute, which states how many
 * lines were left out since the last line. At the debug level the logger gets all lines. A log
 * therefore shows what happens, and no caller can fill a disk with log lines. This class also
 * replaces line breaks, so that no text, such as the name of a file, can forge another line.
 * (Hadoop's LogThrottlingHelper does less: it serves one thread, delays the lines of one cause
 * because of the lines of another, and never forgets a cause.) Thread-safe.
 */
@InterfaceAudience.Private
public final class PeerLog {
  /**
   * The interval between two lines of the same cause: a minute, in nanoseconds. That is often
   * enough to notice a problem, and gives a few MB a day at most.
   */
  static final long EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);
  /**
   * How many causes have lines of their own at most at the same time. Most causes are constants, a
   * few for each class. Other causes name a node or a block, so that without this bound their
   * number could grow without end.
   */
  static final int CAUSES_MOST = 256;
  /**
   * The cause under which the class counts lines whose own cause is beyond {@link #CAUSES_MOST}.
   */
  private static final String FURTHER = "further causes";

  /** The time of a cause's last line, and the number of lines that were left out since then. */
  private static final class Cause {
    private final long saidNanos;
    private long leftOut;

    Cause(long saidNanos) {
      this.saidNanos = saidNanos;
    }
  }

  /** Writes a line to a log at a certain level. */
  private interface Level {
    void say(String line, Throwable thrown);
  }

  private final Logger log;
  private final LongSupplier nanoClock;
  /** The causes that have lines of their own. Guarded by this object's monitor. */
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
   * @param cause name of the cause; each cause gets one line a minute
   * @param format the line, with slf4j's placeholders
   * @param arguments values of the placeholders, and then the exception, if there is one
   */
  public void info(String cause, String format, Object... arguments) {
    say(log::info, cause, format, arguments);
  }

  /**
   * Like {@link #info}, but at level WARN.
   *
   * @param cause name of the cause; each cause gets one line a minute
   * @param format the line, with slf4j's placeholders
   * @param arguments values of the placeholders, and then the exception, if there is one
   */
  public void warn(String cause, String format, Object... arguments) {
    say(log::warn, cause, format, arguments);
  }

  /**
   * Like {@link #info}, but at level ERROR.
   *
   * @param cause name of the cause; each cause gets one line a minute
   * @param format the line, with slf4j's placeholders
   * @param arguments values of the placeholders, and then the exception, if there is one
   */
  public void error(String cause, String format, Object... arguments) {
    say(log::error, cause, format, arguments);
  }

  private void say(Level level, String cause, String format, Object... arguments) {
    long leftOut = leftOutBefore(cause);
    if (leftOut < 0 && !log.isDebugEnabled()) {
      return;
    }
    FormattingTuple formatted = MessageFormatter.arrayFormat(format, arguments);
    String line = PeerText.withoutBreaks(formatted.getMessage());
    Throwable thrown = PeerText.oneLine(formatted.getThrowable());
    if (leftOut < 0) {
      log.debug(line, thrown);
    } else {
      level.say(leftOut == 0 ? line
          : line + " (" + leftOut + " more like it since the last such line)", thrown);
    }
  }

  /**
   * Returns the number of lines of this cause that were left out since its last line, or -1 if the
   * log leaves out this line too.
   */
  private synchronized long leftOutBefore(String cause) {
    long now = nanoClock.getAsLong();
    if (!causes.containsKey(cause) && causes.size() >= CAUSES_MOST) {
      causes.values().removeIf(old -> isOver(old, now));
    }
    // Beyond the bound, the line counts for the common cause, which does not count towards the
    // bound.
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
