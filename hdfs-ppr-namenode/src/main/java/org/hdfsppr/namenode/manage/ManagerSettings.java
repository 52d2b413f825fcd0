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
package org.hdfsppr.namenode.manage;

import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.namenode.schedule.NodeCapacity;
import org.hdfsppr.namenode.schedule.Schedulers;

/** What an operator can choose of the NameNode's repair manager. Immutable. */
@InterfaceAudience.Private
public final class ManagerSettings {
  private static final long LINK_RATE_MIN = 1_000;
  private static final long LINK_RATE_MAX = 1_000_000_000_000L;
  private static final long CROSS_RACK_RATE_MAX = 1_000_000_000_000_000L;
  private static final int IN_FLIGHT_MAX = 1_000_000;
  private static final long DELAY_MS_MAX = TimeUnit.DAYS.toMillis(7);
  private static final long KEEP_ALIVE_MS_MAX = 60_000;
  private static final int KEEP_ALIVES_PER_TIMEOUT = 4;

  private final String scheduler;
  private final double linkBytesPerSecond;
  private final double crossRackBytesPerSecond;
  private final long delayMs;
  private final int delaySpareUnits;
  private final int inFlightMax;
  private final int checkOneIn;
  private final long keepAliveMs;

  /**
   * @param scheduler a name that {@link org.hdfsppr.namenode.schedule.Schedulers} knows
   * @param linkBytesPerSecond what a node's link carries each way
   * @param crossRackBytesPerSecond what a rack exchanges with others each way
   * @param delayMs how long a group waits for its nodes to come back
   * @param delaySpareUnits with so many spare units or fewer it does not wait
   * @param inFlightMax repairs at a time
   * @param checkOneIn one slice in so many is checked; 0: none
   * @param keepAliveMs how often stock hears that what is pending is not lost
   */
  ManagerSettings(String scheduler, double linkBytesPerSecond,
      double crossRackBytesPerSecond, long delayMs, int delaySpareUnits, int inFlightMax,
      int checkOneIn, long keepAliveMs) {
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    this.linkBytesPerSecond = linkBytesPerSecond;
    this.crossRackBytesPerSecond = crossRackBytesPerSecond;
    this.delayMs = delayMs;
    this.delaySpareUnits = delaySpareUnits;
    this.inFlightMax = inFlightMax;
    this.checkOneIn = checkOneIn;
    this.keepAliveMs = keepAliveMs;
  }

  /**
   * Reads the settings.
   *
   * @throws IllegalArgumentException naming the key, its value and what is allowed
   */
  public static ManagerSettings of(Configuration conf) {
    String scheduler = conf.getTrimmed(PprKeys.NAMENODE_SCHEDULER_KEY,
        PprKeys.NAMENODE_SCHEDULER_DEFAULT).toLowerCase(Locale.ROOT);
    if (!Schedulers.names().contains(scheduler)) {
      throw new IllegalArgumentException(PprKeys.NAMENODE_SCHEDULER_KEY + ": unknown value '"
          + scheduler + "', choose one of " + Schedulers.names());
    }
    long crossRack = within(conf, PprKeys.NAMENODE_CROSS_RACK_RATE_KEY,
        PprKeys.NAMENODE_CROSS_RACK_RATE_DEFAULT, 0, CROSS_RACK_RATE_MAX);
    return new ManagerSettings(scheduler,
        within(conf, PprKeys.NAMENODE_LINK_RATE_KEY, PprKeys.NAMENODE_LINK_RATE_DEFAULT,
            LINK_RATE_MIN, LINK_RATE_MAX),
        crossRack == 0 ? NodeCapacity.UNLIMITED : crossRack,
        delayMs(conf),
        (int) within(conf, PprKeys.REPAIR_DELAY_SPARE_KEY, PprKeys.REPAIR_DELAY_SPARE_DEFAULT, 0,
            LinearCode.MAX_UNITS),
        (int) within(conf, PprKeys.NAMENODE_IN_FLIGHT_KEY, PprKeys.NAMENODE_IN_FLIGHT_DEFAULT, 1,
            IN_FLIGHT_MAX),
        checkOneIn(conf), keepAliveMs(conf));
  }

  /**
   * Stock's timeout is for its own repairs, which nobody watches; ours have deadlines. So it must
   * not end them, however short it is set.
   */
  private static long keepAliveMs(Configuration conf) {
    long timeoutS = conf.getInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY,
        DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_DEFAULT);
    if (timeoutS <= 0) {
      // Stock takes its default then.
      timeoutS = DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_DEFAULT;
    }
    return Math.min(KEEP_ALIVE_MS_MAX,
        TimeUnit.SECONDS.toMillis(timeoutS) / KEEP_ALIVES_PER_TIMEOUT);
  }

  private static long delayMs(Configuration conf) {
    String key = PprKeys.REPAIR_DELAY_KEY;
    long delay;
    try {
      delay = conf.getTimeDuration(key, PprKeys.REPAIR_DELAY_DEFAULT, TimeUnit.MILLISECONDS);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key + ": '" + conf.get(key)
          + "' is not a duration such as 600000 or 10m", e);
    }
    return checked(key, delay, 0, DELAY_MS_MAX);
  }

  /** As the DataNodes read it, which do what is said there; here it only weighs their load. */
  private static int checkOneIn(Configuration conf) {
    String verify = conf.getTrimmed(PprKeys.VERIFY_KEY, PprKeys.VERIFY_DEFAULT)
        .toLowerCase(Locale.ROOT);
    switch (verify) {
      case "full":
        return 1;
      case "sampled":
        return (int) within(conf, PprKeys.VERIFY_ONE_IN_KEY, PprKeys.VERIFY_ONE_IN_DEFAULT, 1,
            1_000_000);
      case "off":
        return 0;
      default:
        throw new IllegalArgumentException(PprKeys.VERIFY_KEY + ": unknown value '" + verify
            + "', choose one of [sampled, full, off]");
    }
  }

  private static long within(Configuration conf, String key, long defaultValue, long least,
      long most) {
    try {
      return checked(key, conf.getLong(key, defaultValue), least, most);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key + ": '" + conf.get(key) + "' is not a number ("
          + least + " to " + most + ")", e);
    }
  }

  private static long checked(String key, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(key + ": " + value + " is out of range (" + least + " to "
          + most + ")");
    }
    return value;
  }

  public String scheduler() {
    return scheduler;
  }

  public double linkBytesPerSecond() {
    return linkBytesPerSecond;
  }

  public double crossRackBytesPerSecond() {
    return crossRackBytesPerSecond;
  }

  public long delayMs() {
    return delayMs;
  }

  public int delaySpareUnits() {
    return delaySpareUnits;
  }

  public int inFlightMax() {
    return inFlightMax;
  }

  public int checkOneIn() {
    return checkOneIn;
  }

  public long keepAliveMs() {
    return keepAliveMs;
  }
}
