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
package org.hdfsppr.namenode.convert;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.operate.ConversionOptions;

/** The settings of conversions. Immutable. */
@InterfaceAudience.Private
public final class ConvertSettings {
  /** The most jobs at a time: each running job has a walk and some files in memory. */
  static final int JOBS_AT_A_TIME_MAX = 64;
  /**
   * How many files a job works on at a time if its user does not say it. A small file waits some
   * seconds for heartbeats, so that only many files together make a rate. Two jobs take all places
   * of the engine, which bounds all jobs together.
   */
  private static final int FILES_AT_A_TIME = 128;
  /** The most jobs that have not ended: each of them is read after a failover, and shown. */
  private static final int JOBS_MAX = 64;
  /**
   * The most ended jobs: users find theirs among these, and the NameNode's page shows all of them.
   */
  private static final int ENDED_MAX = 100;
  /** How long an ended job is kept, ms: a user finds a job again after a week of absence. */
  static final long ENDED_MS = TimeUnit.DAYS.toMillis(7);

  /** How many jobs run at a time; dry runs have as many places of their own. */
  final int jobsAtATime;
  /** How many jobs that have not ended there may be. */
  final int jobsMax;
  /** How many ended jobs are kept. */
  final int endedMax;
  private final long idleMs;
  private final long graceMs;

  private ConvertSettings(SettingsReader settings, int jobsMax, int endedMax) {
    this.jobsMax = jobsMax;
    this.endedMax = endedMax;
    jobsAtATime = settings.intNumber(PprKeys.NAMENODE_CONVERT_JOBS_KEY,
        PprKeys.NAMENODE_CONVERT_JOBS_DEFAULT, 1, JOBS_AT_A_TIME_MAX);
    idleMs = settings.millis(PprKeys.NAMENODE_VERSION_IDLE_KEY,
        PprKeys.NAMENODE_VERSION_IDLE_DEFAULT, 0, ConversionOptions.TIME_MS_MAX);
    graceMs = settings.millis(PprKeys.NAMENODE_VERSION_GRACE_KEY,
        PprKeys.NAMENODE_VERSION_GRACE_DEFAULT, 0, ConversionOptions.TIME_MS_MAX);
  }

  /**
   * Reads the settings.
   *
   * @param conf the NameNode's configuration
   * @return the settings
   * @throws IllegalArgumentException if a value is not allowed; the message has the key, the value
   *     and the values that are allowed
   */
  public static ConvertSettings of(Configuration conf) {
    return of(conf, JOBS_MAX, ENDED_MAX);
  }

  /**
   * As {@link #of(Configuration)}, with bounds that a test reaches.
   *
   * @param jobsMax the most jobs that have not ended
   * @param endedMax the most ended jobs that are kept
   */
  static ConvertSettings of(Configuration conf, int jobsMax, int endedMax) {
    return new ConvertSettings(new SettingsReader(conf), jobsMax, endedMax);
  }

  /** Returns how many jobs of one user may run at a time, so that jobs of others get a place. */
  int jobsAtATimeOfUser() {
    return (jobsAtATime + 1) / 2;
  }

  /** Returns how many jobs of one user may wait or run, so that others can submit theirs. */
  int jobsOfUserMax() {
    return (jobsMax + 1) / 2;
  }

  /**
   * Returns for how long a user that is no superuser may have old versions kept, ms. No quota
   * counts these.
   */
  long graceMsMax() {
    return graceMs;
  }

  /** Fills in what a user has left to this NameNode. */
  ConversionOptions complete(ConversionOptions options) {
    return options.with(complete -> complete
        .setIdleMs(options.idleMs == ConversionOptions.UNSET ? idleMs : options.idleMs)
        .setGraceMs(options.graceMs == ConversionOptions.UNSET ? graceMs : options.graceMs)
        .setConcurrency(options.concurrency == ConversionOptions.UNSET ? FILES_AT_A_TIME
            : options.concurrency));
  }
}
