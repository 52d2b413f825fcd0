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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.Headline;

/** {@code pause [MILLIS]}: lets no repair begin, for a time or until {@code resume}. */
@InterfaceAudience.Private
final class PauseOperation extends Operation {
  /**
   * The longest pause with an end, ms: 30 days. A longer number is rather a time of day, or a unit
   * that was mistaken.
   */
  static final long MS_MAX = TimeUnit.DAYS.toMillis(30);

  PauseOperation() {
    super("pause", "pprPause", "'pause [MILLIS]'");
  }

  @Override
  boolean takes(int arguments) {
    return arguments <= 1;
  }

  @Override
  Wish read(String... arguments) {
    if (arguments.length == 0) {
      return new Wish("until resumed", all -> all.pause(Operations.UNTIL_RESUMED));
    }
    long ms = millis(arguments[0]);
    return new Wish("for " + Headline.time(ms / 1e3), all -> all.pause(ms));
  }

  private static long millis(String number) {
    long ms;
    try {
      ms = Long.parseLong(number);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(noTime(number), e);
    }
    if (ms < 1 || ms > MS_MAX) {
      throw new IllegalArgumentException(noTime(number));
    }
    return ms;
  }

  private static String noTime(String number) {
    return "'" + number + "' is no length of a pause: give milliseconds, 1 to " + MS_MAX
        + ", or nothing for a pause until 'resume'";
  }
}
