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
   * The largest value that the configuration may set for {@link #concurrent}. Each parity file
   * that is being made looks ten times a second how far it is.
   */
  static final int CONCURRENT_MAX = 256;
  /**
   * How much longer a parity file may be than the mean of its members, percent. A parity file is as
   * long as the longest member. So this bounds the space that a group of files of different lengths
   * takes.
   */
  private static final int SLACK_PERCENT = 25;
  static final long TIME_MS_MAX = TimeUnit.DAYS.toMillis(365);
  /**
   * The interval between two walks through a directory is this fraction of the time in which a file
   * settles, at most {@link #WALK_MS_MAX}: with 2 and a settling time of 10 minutes, 5 minutes. It
   * is at least {@link #LOOK_MS_MIN}, because without a settling time the walks would follow each
   * other without a pause, and load the NameNode.
   */
  private static final int WALKS_PER_SETTLING = 2;
  private static final long WALK_MS_MAX = TimeUnit.MINUTES.toMillis(5);
  /**
   * The interval between two comparisons of all groups with their files is this fraction of the
   * time in which a file settles, at most {@link #CHECK_MS_MAX}: with 60 and a settling time of 10
   * minutes, 10 seconds. It may be shorter than that between walks, because groups are in memory. A
   * group whose files have changed is dissolved only at the next comparison.
   */
  private static final int CHECKS_PER_SETTLING = 60;
  private static final long CHECK_MS_MAX = TimeUnit.SECONDS.toMillis(10);
  private static final long LOOK_MS_MIN = TimeUnit.SECONDS.toMillis(1);
  private static final double PERCENT = 100;

  /** How many parity files are made at a time; 0 for none. */
  final int concurrent;
  /** How much longer a parity file may be than the mean of its members, percent. */
  final int slackPercent;
  /** A file may become a member of a group only when it has not been modified for this time, ms. */
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

  /**
   * Like {@link #of(Configuration)}, with another bound for how much longer a parity file may be
   * than the mean of its members, percent.
   */
  static CoreSettings of(Configuration conf, int slackPercent) {
    return new CoreSettings(new SettingsReader(conf), slackPercent);
  }

  /**
   * Returns how much longer a parity file may be than the mean of its members, as a fraction: 0.25
   * is a quarter.
   */
  double slack() {
    return slackPercent / PERCENT;
  }

  /** Returns the time between two walks through the files of a protected directory, ms. */
  long walkMs() {
    return Math.max(LOOK_MS_MIN, Math.min(settleMs / WALKS_PER_SETTLING, WALK_MS_MAX));
  }

  /** Returns the time between two comparisons of all groups with their files, ms. */
  long checkMs() {
    return Math.max(LOOK_MS_MIN, Math.min(settleMs / CHECKS_PER_SETTLING, CHECK_MS_MAX));
  }
}
