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
package org.hdfsppr.namenode.core;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;

/** The settings of CORE groups. Immutable. */
@InterfaceAudience.Private
public final class CoreSettings {
  /** Each parity file that is made has a thread of the engine, which waits nearly always. */
  static final int CONCURRENT_MAX = 256;
  static final int SLACK_PERCENT_MAX = 1_000;
  static final long TIME_MS_MAX = TimeUnit.DAYS.toMillis(365);
  /** The shortest time between two looks at all files, or at all groups, ms. */
  static final long LOOK_MS_MIN = 100;
  private static final double PERCENT = 100;

  private final int concurrent;
  private final int slackPercent;
  private final long settleMs;
  private final long walkMs;
  private final long checkMs;

  private CoreSettings(SettingsReader settings) {
    concurrent = settings.intNumber(PprKeys.NAMENODE_CORE_CONCURRENT_KEY,
        PprKeys.NAMENODE_CORE_CONCURRENT_DEFAULT, 0, CONCURRENT_MAX);
    slackPercent = settings.intNumber(PprKeys.NAMENODE_CORE_SLACK_KEY,
        PprKeys.NAMENODE_CORE_SLACK_DEFAULT, 0, SLACK_PERCENT_MAX);
    settleMs = settings.millis(PprKeys.NAMENODE_CORE_SETTLE_KEY,
        PprKeys.NAMENODE_CORE_SETTLE_DEFAULT, 0, TIME_MS_MAX);
    walkMs = settings.millis(PprKeys.NAMENODE_CORE_WALK_KEY,
        PprKeys.NAMENODE_CORE_WALK_DEFAULT, LOOK_MS_MIN, TIME_MS_MAX);
    checkMs = settings.millis(PprKeys.NAMENODE_CORE_CHECK_KEY,
        PprKeys.NAMENODE_CORE_CHECK_DEFAULT, LOOK_MS_MIN, TIME_MS_MAX);
  }

  /**
   * Reads the settings.
   *
   * @param conf the NameNode's configuration
   * @return the settings
   * @throws IllegalArgumentException if a value is not allowed; the message has the key, the value
   *     and the values that are allowed
   */
  public static CoreSettings of(Configuration conf) {
    return new CoreSettings(new SettingsReader(conf));
  }

  /** Returns how many parity files are made at a time; 0 for none. */
  int concurrent() {
    return concurrent;
  }

  /** Returns how much longer a parity file may be than the mean of its members: 0.25: a quarter. */
  double slack() {
    return slackPercent / PERCENT;
  }

  /** Returns the same as {@link #slack}, percent. */
  int slackPercent() {
    return slackPercent;
  }

  /** Returns for how long a file is left alone after its last modification, ms. */
  long settleMs() {
    return settleMs;
  }

  /** Returns the time between two looks at the files of a protected directory, ms. */
  long walkMs() {
    return walkMs;
  }

  /** Returns the time between two comparisons of all groups with the namespace, ms. */
  long checkMs() {
    return checkMs;
  }
}
