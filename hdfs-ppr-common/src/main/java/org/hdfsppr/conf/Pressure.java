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
 * How much repairs press where users are busy, in percent: the part of what users leave free of a
 * link that repairs may take. {@link #URGENT} means that repairs do not yield at all.
 */
@InterfaceAudience.Private
public final class Pressure {
  /**
   * The pressure by the name {@code gentle}. With 60, users were found to keep nine tenths of what
   * they read, and with 70 eight tenths.
   */
  public static final int GENTLE = 60;
  /** The pressure by the name {@code urgent}: repairs take what they get. */
  public static final int URGENT = 100;
  /**
   * The least pressure. A repair has five times the time that the NameNode predicts. With less
   * pressure, deadlines would end repairs that only yield.
   */
  public static final int LEAST = 40;
  /** What a value may be, for messages. */
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
   * @return percent; empty if it is neither
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
   * @return whether it is a pressure
   */
  public static boolean isAllowed(int percent) {
    return percent >= LEAST && percent <= URGENT;
  }

  /**
   * @param percent a pressure
   * @return its name, or the number with its unit
   */
  public static String name(int percent) {
    return percent == GENTLE ? GENTLE_NAME : percent == URGENT ? URGENT_NAME : percent + " %";
  }
}
