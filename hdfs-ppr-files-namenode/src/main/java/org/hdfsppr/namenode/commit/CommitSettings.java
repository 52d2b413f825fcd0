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
package org.hdfsppr.namenode.commit;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.namenode.version.VerificationMode;
import org.hdfsppr.update.CommitWays;

/** The settings of commits, read from the configuration and checked. Immutable. */
@InterfaceAudience.Private
public final class CommitSettings {
  private static final long GRACE_MS_MAX = TimeUnit.DAYS.toMillis(1);
  private static final int STRIPES_MAX = 1 << 24;
  private static final long BYTES_MAX = 1L << 40;
  private static final long AGE_MS_MAX = TimeUnit.DAYS.toMillis(365);
  /**
   * The time between two looks at a file's logs, ms. Commits begin at these looks, so this time has
   * to be short against the age at which updates are committed.
   */
  private static final long LOOK_MS = TimeUnit.SECONDS.toMillis(10);

  /** The grace: how long the version that a commit has replaced is kept, ms. */
  final long graceMs;
  private final boolean isFullyChecked;
  /** A commit begins when at least this many stripes of a file have updates; 0 for no limit. */
  final int stripes;
  /**
   * A commit begins when the logs of a file have at least this many bytes of updates; 0 for no
   * limit.
   */
  final long bytes;
  /** A commit begins when a file's oldest update is at least this old, ms; 0 for no limit. */
  final long ageMs;
  /** The time between two looks at the logs of a file, ms. */
  final long lookMs;
  /**
   * How the changes of data units get to the parity units, if no directory above the file sets it.
   */
  final String strategy;

  private CommitSettings(SettingsReader settings, long lookMs) {
    this.lookMs = lookMs;
    graceMs = settings.millis(PprKeys.NAMENODE_COMMIT_GRACE_KEY,
        PprKeys.NAMENODE_COMMIT_GRACE_DEFAULT, 0, GRACE_MS_MAX);
    isFullyChecked = settings.flag(PprKeys.NAMENODE_COMMIT_CHECK_ALL_KEY,
        PprKeys.NAMENODE_COMMIT_CHECK_ALL_DEFAULT);
    stripes = settings.intNumber(PprKeys.NAMENODE_COMMIT_STRIPES_KEY,
        PprKeys.NAMENODE_COMMIT_STRIPES_DEFAULT, 0, STRIPES_MAX);
    bytes = settings.number(PprKeys.NAMENODE_COMMIT_BYTES_KEY,
        PprKeys.NAMENODE_COMMIT_BYTES_DEFAULT, 0, BYTES_MAX);
    ageMs = settings.millis(PprKeys.NAMENODE_COMMIT_AGE_KEY,
        PprKeys.NAMENODE_COMMIT_AGE_DEFAULT, 0, AGE_MS_MAX);
    strategy = settings.choice(PprKeys.NAMENODE_COMMIT_STRATEGY_KEY,
        PprKeys.NAMENODE_COMMIT_STRATEGY_DEFAULT, CommitWays.STRATEGIES);
  }

  /**
   * Reads the settings.
   *
   * @param conf the NameNode's configuration
   * @return the settings
   * @throws IllegalArgumentException if a value is not allowed; the message names the key
   */
  public static CommitSettings of(Configuration conf) {
    return of(conf, LOOK_MS);
  }

  /** Like {@link #of(Configuration)}, with another time between two looks at a file's logs, ms. */
  static CommitSettings of(Configuration conf, long lookMs) {
    return new CommitSettings(new SettingsReader(conf), lookMs);
  }

  /** Returns which units are checked before a commit is published. */
  VerificationMode check() {
    return isFullyChecked ? VerificationMode.FULL : VerificationMode.SAMPLED;
  }
}
