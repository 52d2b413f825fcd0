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
package org.hdfsppr.namenode.manage.state;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.conf.LinkRate;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.conf.VerificationRate;
import org.hdfsppr.core.RepairStrategies;
import org.hdfsppr.core.RepairStrategy;
import org.hdfsppr.namenode.manage.status.ManagerFacts;
import org.hdfsppr.namenode.schedule.NodeCapacity;
import org.hdfsppr.namenode.schedule.RepairSchedulers;

/** The settings of the NameNode's repair manager. Immutable. */
@InterfaceAudience.Private
public final class ManagerSettings {
  private static final long CROSS_RACK_RATE_MAX = 1_000_000_000_000_000L;
  private static final int IN_FLIGHT_MAX = 1_000_000;
  private static final long DELAY_MS_MAX = TimeUnit.DAYS.toMillis(7);
  private static final long KEEP_ALIVE_MS_MAX = 60_000;
  private static final int KEEP_ALIVES_PER_TIMEOUT = 4;
  /**
   * The values of the setting for nodes that are being decommissioned: their units are copied and
   * rebuilt, or only copied.
   */
  private static final String BOTH = "both";
  private static final String COPY = "copy";

  /** Name of the scheduler, lower case */
  public final String scheduler;
  /** Rate of a node's link, bytes/s */
  public final double linkBytesPerSecond;
  /** Rate between a rack and all other racks in each direction, bytes/s */
  public final double crossRackBytesPerSecond;
  /** How long a group waits for lost nodes to come back, ms */
  public final long delayMs;
  /**
   * A group waits for lost nodes to come back only if it may lose more units than this number
   * without loss of data
   */
  public final int delaySpareUnits;
  /** How many repairs may be under way at a time */
  public final int inFlightMax;
  /**
   * Repairs check one slice in this many; 0 if they check none. A slice is a piece of the units
   * that a repair reads and writes in one step
   */
  public final int checkOneIn;
  /** Time between two renewals of the pending repairs in the NameNode, ms */
  public final long keepAliveMs;
  /**
   * How much repairs press where users are busy, percent, until an operator changes it; see
   * {@link Pressure}
   */
  public final int pressure;
  /** The rate of a node's link that an operator has set, bytes/s; 0 if none is set */
  public final long setLinkRate;
  private final String coreStrategy;
  /** Whether repairs rebuild a part of the units on nodes that are being decommissioned */
  public final boolean repairsLeaving;

  private ManagerSettings(Configuration conf) {
    SettingsReader settings = new SettingsReader(conf);
    scheduler = settings.choice(PprKeys.NAMENODE_SCHEDULER_KEY,
        PprKeys.NAMENODE_SCHEDULER_DEFAULT, RepairSchedulers.names());
    long crossRack = settings.number(PprKeys.NAMENODE_CROSS_RACK_RATE_KEY,
        PprKeys.NAMENODE_CROSS_RACK_RATE_DEFAULT, 0, CROSS_RACK_RATE_MAX);
    linkBytesPerSecond = LinkRate.of(settings);
    crossRackBytesPerSecond = crossRack == 0 ? NodeCapacity.UNLIMITED : crossRack;
    delayMs =
        settings.millis(PprKeys.REPAIR_DELAY_KEY, PprKeys.REPAIR_DELAY_DEFAULT, 0, DELAY_MS_MAX);
    delaySpareUnits = settings.intNumber(PprKeys.REPAIR_DELAY_SPARE_KEY,
        PprKeys.REPAIR_DELAY_SPARE_DEFAULT, 0, LinearCode.MAX_UNITS);
    inFlightMax = settings.intNumber(PprKeys.NAMENODE_IN_FLIGHT_KEY,
        PprKeys.NAMENODE_IN_FLIGHT_DEFAULT, 1, IN_FLIGHT_MAX);
    checkOneIn = VerificationRate.oneIn(settings);
    keepAliveMs = keepAliveMs(conf);
    pressure = Pressure.of(settings);
    setLinkRate = LinkRate.ifSet(settings);
    coreStrategy = settings.choice(PprKeys.NAMENODE_CORE_STRATEGY_KEY,
        PprKeys.NAMENODE_CORE_STRATEGY_DEFAULT, RepairStrategies.all().stream()
            .map(RepairStrategy::label).collect(Collectors.toList()));
    repairsLeaving = settings.choice(PprKeys.NAMENODE_DECOMMISSION_KEY,
        PprKeys.NAMENODE_DECOMMISSION_DEFAULT, List.of(BOTH, COPY)).equals(BOTH);
  }

  /**
   * Reads the settings.
   *
   * @param conf the NameNode's configuration
   * @return the settings
   * @throws IllegalArgumentException if a value is not allowed; the message has the key, the value
   *     and the values that are allowed
   */
  public static ManagerSettings of(Configuration conf) {
    return new ManagerSettings(conf);
  }

  /**
   * Returns the time between two renewals of the pending repairs in the NameNode, ms. Without
   * renewals, stock's timeout would end these repairs. They have deadlines of their own, so that
   * stock's timeout must not end them, even if it is set to a short time.
   */
  private static long keepAliveMs(Configuration conf) {
    long timeoutS = conf.getInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY,
        DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_DEFAULT);
    if (timeoutS <= 0) {
      // For such a value, stock uses its default.
      timeoutS = DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_DEFAULT;
    }
    return Math.min(KEEP_ALIVE_MS_MAX,
        TimeUnit.SECONDS.toMillis(timeoutS) / KEEP_ALIVES_PER_TIMEOUT);
  }

  /**
   * @param startedMs when the manager began, wall clock, ms since 1970
   * @return what operators are shown of the settings, with the version of this software
   */
  public ManagerFacts facts(long startedMs) {
    String version = ManagerSettings.class.getPackage().getImplementationVersion();
    return new ManagerFacts(version == null ? "unknown" : version, scheduler, inFlightMax,
        linkBytesPerSecond, startedMs);
  }

  /** @return the strategy that orders repairs if several rows of a CORE group have losses */
  public RepairStrategy coreStrategy() {
    return RepairStrategies.byName(coreStrategy);
  }
}
