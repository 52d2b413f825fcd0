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
package org.hdfsppr.namenode.update;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.update.CommitWays;
import org.hdfsppr.update.append.UpdateBounds;

/** The settings of updates on a NameNode, read from the configuration and checked. Immutable. */
@InterfaceAudience.Private
public final class TicketSettings {
  /**
   * If the configuration does not say how many nodes follow a leader: as many as the code has
   * parity units, but at most this many.
   */
  private static final int REPLICAS_UNSET_MOST = 2;
  /**
   * The time between two passes over the records of updated files, ms. It may be long: a pass finds
   * files that are gone, and after a failover files with updates, and neither commits nor writers
   * wait for that.
   */
  private static final long CHECK_MS = TimeUnit.MINUTES.toMillis(10);

  /** How many DataNodes follow a leader; 0 if this depends on the code of the file. */
  private final int replicas;
  /** The time between two passes over the records of updated files, ms. */
  final long checkMs;
  /** The strategy of commits for files of which no directory sets one. */
  final String strategy;
  private final boolean oldTickets;

  private TicketSettings(int replicas, long checkMs, String strategy, boolean oldTickets) {
    this.strategy = strategy;
    this.oldTickets = oldTickets;
    this.checkMs = checkMs;
    this.replicas = replicas;
  }

  /**
   * Reads the settings.
   *
   * @param conf the NameNode's configuration
   * @return the settings
   * @throws IllegalArgumentException if a value is not allowed; the message names the key
   */
  public static TicketSettings of(Configuration conf) {
    return of(conf, CHECK_MS);
  }

  /**
   * Like {@link #of(Configuration)}, with another time between two passes, for tests.
   *
   * @param conf the NameNode's configuration
   * @param checkMs the time between two passes over the records of updated files, ms
   * @return the settings
   */
  public static TicketSettings of(Configuration conf, long checkMs) {
    SettingsReader reader = new SettingsReader(conf);
    return new TicketSettings(reader.intNumber(PprKeys.NAMENODE_UPDATE_REPLICAS_KEY,
        PprKeys.NAMENODE_UPDATE_REPLICAS_DEFAULT, 0, UpdateBounds.HOLDERS_MAX - 1), checkMs,
        reader.choice(PprKeys.NAMENODE_COMMIT_STRATEGY_KEY,
            PprKeys.NAMENODE_COMMIT_STRATEGY_DEFAULT, CommitWays.STRATEGIES),
        reader.flag(PprKeys.NAMENODE_UPDATE_OLD_TICKETS_KEY,
            PprKeys.NAMENODE_UPDATE_OLD_TICKETS_DEFAULT));
  }

  /**
   * @return whether a writer gets a ticket that is not sealed if a holder of the log is too old for
   *     sealed ones
   */
  public boolean givesOldTickets() {
    return oldTickets;
  }

  /**
   * Returns how many DataNodes should follow the leader of a unit.
   *
   * @param parityUnits how many parity units the file's code has
   */
  int replicas(int parityUnits) {
    return replicas > 0 ? replicas : Math.max(1, Math.min(REPLICAS_UNSET_MOST, parityUnits));
  }

  /**
   * Returns how many DataNodes must follow the leader of a unit; with fewer, a writer gets no
   * ticket.
   */
  int replicasLeast() {
    return Math.max(1, replicas);
  }
}
