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
package org.hdfsppr.namenode.manage.operator;

import java.util.concurrent.TimeUnit;

/** Reads how long a pause, or a time for which stock schedules all repairs, is to last. */
final class Length {
  /**
   * The longest time with an end, ms: 30 days. A greater number is probably a time of day, or has
   * the wrong unit.
   */
  static final long MS_MAX = TimeUnit.DAYS.toMillis(30);

  private Length() {
  }

  /**
   * Reads a length.
   *
   * @param number the length as the caller wrote it, ms
   * @param what the name of what lasts for this time, for the message
   * @return the length, ms
   * @throws IllegalArgumentException if the word is no length that is allowed
   */
  static long parse(String number, String what) {
    long ms;
    try {
      ms = Long.parseLong(number);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(noLength(number, what), e);
    }
    if (ms < 1 || ms > MS_MAX) {
      throw new IllegalArgumentException(noLength(number, what));
    }
    return ms;
  }

  private static String noLength(String number, String what) {
    return "'" + number + "' is no length of a " + what + ": give milliseconds, 1 to " + MS_MAX
        + ", or nothing for a " + what + " until 'resume'";
  }
}
