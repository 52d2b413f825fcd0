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
package org.hdfsppr.client.read;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.conf.VerificationRate;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.TreeTopology;

/** A client's settings for degraded reads, with checked values. Immutable. */
@InterfaceAudience.Private
public final class ReadSettings {
  private static final String OFF = "off";
  private static final String AUTO = "auto";
  private static final String CHAIN = "chain";
  /**
   * The allowed values of {@code dfs.client.ppr.degraded-read}: the name of each topology, {@code
   * auto} and {@code off}.
   */
  private static final List<String> SHAPES = Stream.concat(Stream.of(AUTO, OFF),
      TreeTopologies.names().stream()).collect(Collectors.toUnmodifiableList());
  private static final int TIMEOUT_MS_MOST = 600_000;
  /**
   * How many threads one client has at most. Threads are made when they are needed. If all of them
   * are busy, the reader's own thread does the work.
   */
  static final int THREADS = 64;
  /**
   * How much direct memory one client may use for partial sums, bytes. If a read finds none left,
   * stock serves the read.
   */
  private static final long BUFFER_BYTES = 64L << 20;
  /**
   * A DataNode is late after this time at most, ms, unless the configured shortest wait is longer.
   * Until the client has measured enough reads, a DataNode is late only after this time. In each
   * interval of this length, one read may also be hedged beyond the percentage. So this time must
   * not become shorter if the configured shortest wait does.
   */
  static final int HEDGE_MAX_MS = 1_000;
  /**
   * The longest time limit for one connection or handshake step, ms, whatever the stall timeout is.
   */
  private static final int CONNECT_TIMEOUT_MS_MOST = 5_000;
  /**
   * How many of a hundred reads a client may hedge. If all DataNodes are slow because the cluster
   * is busy, more hedges would add to the load.
   */
  static final int HEDGE_PERCENT = 10;

  /** The topology of the trees; null if degraded reads are off */
  public final TreeTopology topology;
  /**
   * How many chains a tree may have at most if the client chooses the shape of each tree. If this
   * is 0, the client has no choice, and all trees have the shape of {@link #topology}.
   */
  final int chainsMost;
  /** The port at which all DataNodes serve degraded reads; 0 if DataNodes have different ports */
  public final int repairPort;
  /** How long a tree may send nothing before the tree fails, milliseconds */
  public final int stallTimeoutMs;
  /** The most threads of one client */
  public final int threads;
  /** How many rebuilt bytes one stream keeps at most */
  public final int cacheBytes;
  /**
   * The shortest wait for a DataNode before a second read begins, milliseconds; 0: no second read
   * ever begins
   */
  public final int hedgeMinMs;
  /** The longest wait for a DataNode before a second read begins, milliseconds */
  public final int hedgeMaxMs;
  /** How many second reads a client may begin per hundred reads */
  public final int hedgePercent;
  /** The client checks one in this number of rebuilt ranges; 0 if it checks none */
  public final int checkOneIn;
  /** Whether the client connects to DataNodes by host name instead of IP address */
  public final boolean viaHostName;
  /** The name of the kernel that multiplies in the Galois field */
  public final String kernel;

  private ReadSettings(SettingsReader settings, int threads, int hedgeMaxMs, int hedgePercent) {
    this.threads = threads;
    this.hedgePercent = hedgePercent;
    String shape = settings.choice(PprKeys.CLIENT_DEGRADED_READ_KEY,
        PprKeys.CLIENT_DEGRADED_READ_DEFAULT, SHAPES);
    topology = shape.equals(OFF) ? null : TreeTopologies.byName(shape.equals(AUTO) ? CHAIN : shape);
    chainsMost = shape.equals(AUTO) ? Integer.MAX_VALUE : shape.equals(CHAIN) ? 1 : 0;
    repairPort = settings.address(PprKeys.DATANODE_ADDRESS_KEY, PprKeys.DATANODE_ADDRESS_DEFAULT)
        .getPort();
    stallTimeoutMs = settings.intMillis(PprKeys.CLIENT_STALL_TIMEOUT_MS_KEY,
        PprKeys.CLIENT_STALL_TIMEOUT_MS_DEFAULT, 1, TIMEOUT_MS_MOST);
    cacheBytes = (int) settings.number(PprKeys.CLIENT_CACHE_BYTES_KEY,
        PprKeys.CLIENT_CACHE_BYTES_DEFAULT, 0, 1 << 30);
    hedgeMinMs = settings.intMillis(PprKeys.CLIENT_HEDGE_MIN_MS_KEY,
        PprKeys.CLIENT_HEDGE_MIN_MS_DEFAULT, 0, TIMEOUT_MS_MOST);
    this.hedgeMaxMs = Math.max(hedgeMinMs, hedgeMaxMs);
    checkOneIn = VerificationRate.oneIn(settings);
    viaHostName = settings.flag(HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
        HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    kernel = settings.name(PprKeys.KERNEL_KEY, PprKeys.KERNEL_DEFAULT);
  }

  /**
   * Reads and checks the configuration.
   *
   * @param conf of the client
   * @return the settings for degraded reads
   * @throws IllegalArgumentException if a value is not allowed; the message names the key, its
   *     value and the permitted values
   */
  public static ReadSettings of(Configuration conf) {
    return of(conf, THREADS, HEDGE_MAX_MS, HEDGE_PERCENT);
  }

  /**
   * Like {@link #of(Configuration)}, but with other limits on threads and hedges; for tests.
   *
   * @param threads the most threads
   * @param hedgeMaxMs the longest wait for a DataNode before a hedge, ms; ignored if the configured
   *     shortest wait is longer
   * @param hedgePercent how many of a hundred reads the client may hedge
   */
  static ReadSettings of(Configuration conf, int threads, int hedgeMaxMs, int hedgePercent) {
    return new ReadSettings(new SettingsReader(conf), threads, hedgeMaxMs, hedgePercent);
  }

  /** @return whether the client reads anything in another way than stock */
  public boolean isOn() {
    return topology != null;
  }

  /**
   * @return the time limit for connecting, and again for each step of the handshake, milliseconds:
   *     half as long as a tree may be silent, because a step is one round trip, but no longer than
   *     five seconds
   */
  public int connectTimeoutMs() {
    return Math.min(CONNECT_TIMEOUT_MS_MOST, Math.max(1, stallTimeoutMs / 2));
  }

  /** @return how much direct memory one client may use for partial sums, bytes */
  public long bufferBytes() {
    return BUFFER_BYTES;
  }
}
