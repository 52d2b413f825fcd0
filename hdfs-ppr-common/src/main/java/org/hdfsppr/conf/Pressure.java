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
package org.hdfsppr.conf;

import java.util.Locale;
import java.util.OptionalInt;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The pressure of repairs, in percent: while users transfer data over a link, repairs may take this
 * part of what the users leave free of it. With {@link #URGENT}, repairs do not wait for users at
 * all.
 */
@InterfaceAudience.Private
public final class Pressure {
  /**
   * The pressure with the name {@code gentle}. In measurements, users kept nine tenths of their
   * read rate with 60, and eight tenths with 70.
   */
  public static final int GENTLE = 60;
  /** The pressure with the name {@code urgent}: repairs take all that they can get. */
  public static final int URGENT = 100;
  /**
   * The least pressure. The deadline of a repair is five times the time that the NameNode predicts
   * for it. With less pressure, a repair that does nothing wrong but wait for users could miss its
   * deadline.
   */
  public static final int LEAST = 40;
  /** The allowed values, in words for error messages. */
  public static final String ALLOWED =
      "gentle (" + GENTLE + "), urgent (" + URGENT + "), or a number of percent from " + LEAST
          + " to " + URGENT;

  private static final String GENTLE_NAME = "gentle";
  private static final String URGENT_NAME = "urgent";

  private Pressure() {
  }

  /**
   * Reads {@link PprKeys#PRESSURE_KEY}.
   *
   * @param settings the settings of the daemon
   * @return percent, {@link #LEAST} to {@link #URGENT}
   * @throws IllegalArgumentException if the value is not allowed; the message names the key, its
   *     value and the allowed values
   */
  public static int of(SettingsReader settings) {
    String value = settings.name(PprKeys.PRESSURE_KEY, PprKeys.PRESSURE_DEFAULT);
    return parse(value).orElseThrow(() -> new WrongSettingException(PprKeys.PRESSURE_KEY + ": '"
        + value + "' is not " + ALLOWED + "; the default is " + PprKeys.PRESSURE_DEFAULT));
  }

  /**
   * Reads a pressure as an operator writes it.
   *
   * @param value a name or a number
   * @return percent; empty if the value is neither a name nor an allowed number
   */
  public static OptionalInt parse(String value) {
    switch (value.toLowerCase(Locale.ROOT)) {
      case GENTLE_NAME:
        return OptionalInt.of(GENTLE);
      case URGENT_NAME:
        return OptionalInt.of(URGENT);
      default:
        break;
    }
    try {
      int percent = Integer.parseInt(value);
      return isAllowed(percent) ? OptionalInt.of(percent) : OptionalInt.empty();
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  /**
   * @param percent a number
   * @return whether the number is an allowed pressure
   */
  public static boolean isAllowed(int percent) {
    return percent >= LEAST && percent <= URGENT;
  }

  /**
   * @param percent a pressure
   * @return {@code gentle}, {@code urgent}, or the number with a percent sign
   */
  public static String name(int percent) {
    return percent == GENTLE ? GENTLE_NAME : percent == URGENT ? URGENT_NAME : percent + " %";
  }
}
