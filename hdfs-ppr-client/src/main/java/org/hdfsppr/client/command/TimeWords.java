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
package org.hdfsppr.client.command;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads lengths of time: days, hours, minutes and seconds, in this order, each optional. */
@InterfaceAudience.Private
public final class TimeWords {
  /** The longest time that a file has to be idle, or is kept, ms: 366 days */
  public static final long TIME_MS_MAX = 366L * 24 * 3_600_000;
  /** The lowest rate, bytes per second */
  public static final long BYTES_PER_SECOND_MIN = 64 << 10;
  /** The highest rate, bytes per second */
  public static final long BYTES_PER_SECOND_MAX = 1L << 50;

  private static final Pattern WORDS = Pattern.compile(
      "(?:(\\d{1,4})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})(?:m|min))?(?:(\\d{1,8})s)?");
  private static final long[] UNITS_S = {86_400, 3_600, 60, 1};
  private static final long MS = 1000;

  private TimeWords() {
  }

  /** Returns the length of time, seconds; 0 if the text is no length of time. */
  static long seconds(String value) {
    Matcher words = WORDS.matcher(value);
    long seconds = 0;
    if (words.matches()) {
      for (int i = 0; i < UNITS_S.length; i++) {
        String number = words.group(i + 1);
        seconds += number == null ? 0 : Long.parseLong(number) * UNITS_S[i];
      }
    }
    return seconds;
  }

  /** Reads for how long a file has to be idle, or for how long a file is kept: milliseconds. */
  public static final class IdleOrGrace implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
      long ms = seconds(value) * MS;
      if (ms > TIME_MS_MAX || ms == 0 && !value.matches("0[smhd]?")) {
        throw new TypeConversionException("'" + value + "' is no length of time from 0 to 366d,"
            + " such as 90s, 30m, 24h or 2d");
      }
      return ms;
    }
  }

  /** Reads a rate, bytes per second, with Hadoop's suffixes for sizes. */
  public static final class ByteRate implements ITypeConverter<Long> {
    private static final Pattern RATE = Pattern.compile("(\\d{1,15})([kmgt]?)");
    private static final int BITS_PER_STEP = 10;

    @Override
    public Long convert(String value) {
      Matcher words = RATE.matcher(value.toLowerCase(Locale.ROOT));
      if (words.matches()) {
        int steps = words.group(2).isEmpty() ? 0 : "kmgt".indexOf(words.group(2)) + 1;
        long number = Long.parseLong(words.group(1));
        long most = BYTES_PER_SECOND_MAX >> BITS_PER_STEP * steps;
        long rate = number << BITS_PER_STEP * steps;
        if (number <= most && rate >= BYTES_PER_SECOND_MIN) {
          return rate;
        }
      }
      throw new TypeConversionException("'" + value + "' is no rate in bytes per second from 64k to"
          + " 1024t, such as 50m");
    }
  }
}
