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
package org.hdfsppr.client.text;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/** Writes sizes, rates, times and counts as people read them. */
@InterfaceAudience.Private
public final class Quantities {
  /** The text for what the NameNode does not know. */
  public static final String UNKNOWN = "unknown";

  private static final String[] SIZES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  private static final int SIZE_STEP = 1024;
  /** From this number on, a digit after the point says nothing to people. */
  private static final int WHOLE_FROM = 100;
  private static final int TENTHS_BELOW_S = 10;
  private static final long MINUTE_S = 60;
  private static final long HOUR_S = 60 * MINUTE_S;
  private static final long DAY_S = 24 * HOUR_S;

  private Quantities() {
  }

  /**
   * Writes a size.
   *
   * @param bytes the size, bytes, at least 0
   * @return the size in the greatest unit that fits into it, such as {@code 1.2 GiB}
   */
  public static String size(double bytes) {
    int unit = 0;
    double value = bytes;
    // 1023.95 KiB would be written as 1024 KiB, so the step to the next unit comes a little
    // earlier.
    while (value >= SIZE_STEP - 0.5 && unit < SIZES.length - 1) {
      value /= SIZE_STEP;
      unit++;
    }
    boolean isWhole = unit == 0 || value >= WHOLE_FROM - 0.05;
    return String.format(Locale.ROOT, isWhole ? "%.0f %s" : "%.1f %s", value, SIZES[unit]);
  }

  /**
   * Writes a rate.
   *
   * @param bytesPerSecond the rate, bytes per second, at least 0
   * @return such as {@code 24.1 MiB/s}
   */
  public static String rate(double bytesPerSecond) {
    return size(bytesPerSecond) + "/s";
  }

  /**
   * Writes a length of time.
   *
   * @param seconds the length, seconds, at least 0
   * @return at most two units, such as {@code 0.4 s}, {@code 4 min 30 s} or {@code 2 h 5 min}
   */
  public static String time(double seconds) {
    if (seconds < TENTHS_BELOW_S - 0.05) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    long s = Math.round(seconds);
    if (s < MINUTE_S) {
      return s + " s";
    }
    if (s < HOUR_S) {
      return two(s / MINUTE_S, "min", s % MINUTE_S, "s");
    }
    return s < DAY_S ? two(s / HOUR_S, "h", s % HOUR_S / MINUTE_S, "min")
        : two(s / DAY_S, "d", s % DAY_S / HOUR_S, "h");
  }

  private static String two(long first, String firstUnit, long second, String secondUnit) {
    String greater = first + " " + firstUnit;
    return second == 0 ? greater : greater + " " + second + " " + secondUnit;
  }

  /**
   * Writes how long ago something was.
   *
   * @param moment a time as documents have it, such as {@code 2026-01-31T12:00:00Z}
   * @param now the present time
   * @return such as {@code 4 min 30 s}; the moment itself if it is no time
   */
  public static String since(String moment, Instant now) {
    try {
      return time(Math.max(0, seconds(Duration.between(Instant.parse(moment), now))));
    } catch (DateTimeParseException e) {
      return moment;
    }
  }

  /**
   * Writes how far away a moment is.
   *
   * @param moment a time as documents have it, such as {@code 2026-01-31T12:00:00Z}
   * @param now the present time
   * @return such as {@code 4 min 30 s}; the moment itself if it is no time
   */
  public static String until(String moment, Instant now) {
    try {
      return time(Math.max(0, seconds(Duration.between(now, Instant.parse(moment)))));
    } catch (DateTimeParseException e) {
      return moment;
    }
  }

  private static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / 1e9;
  }

  /**
   * Writes a number of things.
   *
   * @param number how many
   * @param thing the name of one of them, whose plural ends in s
   * @return such as {@code 1 group} or {@code 12,000 groups}
   */
  public static String count(long number, String thing) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? thing : thing + "s");
  }

  /**
   * Draws how much of something is done.
   *
   * @param done the part that is done, 0 to 1; values outside are cut
   * @param width the number of characters between the brackets
   * @return such as {@code [#####.....]}; all marks only if all is done
   */
  public static String bar(double done, int width) {
    double part = Math.max(0, Math.min(1, done));
    int marks = (int) (part * width);
    return "[" + "#".repeat(marks) + ".".repeat(width - marks) + "]";
  }
}
