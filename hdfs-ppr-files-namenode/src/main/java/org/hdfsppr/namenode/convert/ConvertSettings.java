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
  /**
   * The largest value that the configuration may set for {@link #jobsAtATime}. Each running job has
   * a walk and some files in memory.
   */
  static final int JOBS_AT_A_TIME_MAX = 64;
  /**
   * How many files a job works on at a time if its user does not set it. A small file takes
   * seconds, mostly waiting for heartbeats, so only many files at a time make a job fast. Two such
   * jobs fill all places of the engine, which bounds all jobs together.
   */
  private static final int FILES_AT_A_TIME = 128;
  /** How many jobs may wait or run. Each of them is read after a failover, and shown to users. */
  private static final int JOBS_MAX = 64;
  /**
   * How many ended jobs are kept, so that users find their results. The NameNode's web page shows
   * all of them.
   */
  private static final int ENDED_MAX = 100;
  /**
   * How long an ended job is kept, ms, so that a user that was away for a few days still finds it.
   */
  static final long ENDED_MS = TimeUnit.DAYS.toMillis(7);

  /** How many jobs run at a time; as many dry runs may run besides. */
  final int jobsAtATime;
  /** How many jobs may wait or run. */
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
   * Like {@link #of(Configuration)}, with bounds that are small enough for a test to reach.
   *
   * @param jobsMax how many jobs may wait or run
   * @param endedMax how many ended jobs are kept
   */
  static ConvertSettings of(Configuration conf, int jobsMax, int endedMax) {
    return new ConvertSettings(new SettingsReader(conf), jobsMax, endedMax);
  }

  /**
   * Returns how many jobs of one user may run at a time: half of all, so that other users get a
   * place.
   */
  int jobsAtATimeOfUser() {
    return (jobsAtATime + 1) / 2;
  }

  /**
   * Returns how many jobs of one user may wait or run: half of all, so that other users can submit
   * theirs.
   */
  int jobsOfUserMax() {
    return (jobsMax + 1) / 2;
  }

  /**
   * Returns the longest time for which a user that is no superuser may have old versions kept, ms.
   * It is bounded because no quota counts old versions.
   */
  long graceMsMax() {
    return graceMs;
  }

  /** Returns the options with this NameNode's values for those that the user has not set. */
  ConversionOptions complete(ConversionOptions options) {
    return options.with(complete -> complete
        .setIdleMs(options.idleMs == ConversionOptions.UNSET ? idleMs : options.idleMs)
        .setGraceMs(options.graceMs == ConversionOptions.UNSET ? graceMs : options.graceMs)
        .setConcurrency(options.concurrency == ConversionOptions.UNSET ? FILES_AT_A_TIME
            : options.concurrency));
  }
}
