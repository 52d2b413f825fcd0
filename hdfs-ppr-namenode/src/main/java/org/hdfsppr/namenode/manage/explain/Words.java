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
package org.hdfsppr.namenode.manage.explain;

import java.util.concurrent.TimeUnit;

/** Writes lengths of time as people say them. */
final class Words {
  /**
   * A time of less than this many seconds is given in seconds, and one of less than this many
   * minutes in minutes.
   */
  private static final long SMALL = 120;

  private Words() {
  }

  /** Returns a length of time of {@code ms} milliseconds, such as {@code 12 s}. */
  static String span(long ms) {
    long seconds = Math.max(0, (ms + 999) / 1000);
    if (seconds < SMALL) {
      return seconds + " s";
    }
    long minutes = TimeUnit.SECONDS.toMinutes(seconds);
    return minutes < SMALL ? minutes + " min" : TimeUnit.MINUTES.toHours(minutes) + " h";
  }

  static String ago(long ms) {
    return span(ms) + " ago";
  }

  /** Says when something happens, {@code ms} milliseconds from now. */
  static String in(long ms) {
    return ms <= 0 ? "at once" : "in " + span(ms);
  }
}
