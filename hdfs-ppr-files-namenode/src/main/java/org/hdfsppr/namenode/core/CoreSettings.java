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
  /**
   * The engine has a thread for each parity file that is being made; the thread waits nearly
   * always.
   */
  static final int CONCURRENT_MAX = 256;
  /**
   * How much longer a parity file may be than the mean of its members, percent. A parity file is as
   * long as the longest member, so that this bounds what files that are not alike cost.
   */
  private static final int SLACK_PERCENT = 25;
  static final long TIME_MS_MAX = TimeUnit.DAYS.toMillis(365);
  /**
   * Two walks begin in the time in which a file settles: one every 5 minutes if files settle for
   * 10. If files settle for no time, walks would follow each other without a pause and load the
   * NameNode, so that there is a least time between them.
   */
  private static final int WALKS_PER_SETTLING = 2;
  private static final long WALK_MS_MAX = TimeUnit.MINUTES.toMillis(5);
  /**
   * The NameNode compares groups 60 times while a file settles: every 10 seconds if files settle
   * for 10 minutes. Groups are in memory, so that a comparison is cheap beside a walk. A group
   * whose files have changed keeps its stale rows until the next comparison.
   */
  private static final int CHECKS_PER_SETTLING = 60;
  private static final long CHECK_MS_MAX = TimeUnit.SECONDS.toMillis(10);
  private static final long LOOK_MS_MIN = TimeUnit.SECONDS.toMillis(1);
  private static final double PERCENT = 100;

  /** How many parity files are made at a time; 0 for none. */
  final int concurrent;
  /** The same as {@link #slack}, percent. */
  final int slackPercent;
  /** For how long a file is left alone after its last modification, ms. */
  final long settleMs;

  private CoreSettings(SettingsReader settings, int slackPercent) {
    this.slackPercent = slackPercent;
    concurrent = settings.intNumber(PprKeys.NAMENODE_CORE_CONCURRENT_KEY,
        PprKeys.NAMENODE_CORE_CONCURRENT_DEFAULT, 0, CONCURRENT_MAX);
    settleMs = settings.millis(PprKeys.NAMENODE_CORE_SETTLE_KEY,
        PprKeys.NAMENODE_CORE_SETTLE_DEFAULT, 0, TIME_MS_MAX);
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
    return of(conf, SLACK_PERCENT);
  }

  /** As {@link #of(Configuration)}, with another bound of the length of parity files, percent. */
  static CoreSettings of(Configuration conf, int slackPercent) {
    return new CoreSettings(new SettingsReader(conf), slackPercent);
  }

  /** Returns how much longer a parity file may be than the mean of its members: 0.25: a quarter. */
  double slack() {
    return slackPercent / PERCENT;
  }

  /** Returns the time between two looks at the files of a protected directory, ms. */
  long walkMs() {
    return Math.max(LOOK_MS_MIN, Math.min(settleMs / WALKS_PER_SETTLING, WALK_MS_MAX));
  }

  /** Returns the time between two comparisons of all groups with the namespace, ms. */
  long checkMs() {
    return Math.max(LOOK_MS_MIN, Math.min(settleMs / CHECKS_PER_SETTLING, CHECK_MS_MAX));
  }
}
