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
import org.hdfsppr.conf.CheckRate;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.plan.Topologies;
import org.hdfsppr.plan.Topology;

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
      Topologies.names().stream()).collect(Collectors.toUnmodifiableList());
  private static final int TIMEOUT_MS_MOST = 600_000;

  private final Topology topology;
  private final int chainsMost;
  private final int repairPort;
  private final int connectTimeoutMs;
  private final int stallTimeoutMs;
  private final int threads;
  private final long bufferBytes;
  private final int cacheBytes;
  private final int hedgeMinMs;
  private final int hedgeMaxMs;
  private final int hedgePercent;
  private final int checkOneIn;
  private final boolean viaHostName;
  private final String kernel;

  private ReadSettings(SettingsReader settings) {
    String shape = settings.choice(PprKeys.CLIENT_DEGRADED_READ_KEY,
        PprKeys.CLIENT_DEGRADED_READ_DEFAULT, SHAPES);
    topology = shape.equals(OFF) ? null : Topologies.byName(shape.equals(AUTO) ? CHAIN : shape);
    chainsMost = shape.equals(AUTO) ? Integer.MAX_VALUE : shape.equals(CHAIN) ? 1 : 0;
    repairPort = settings.address(PprKeys.DATANODE_ADDRESS_KEY, PprKeys.DATANODE_ADDRESS_DEFAULT)
        .getPort();
    connectTimeoutMs = settings.intMillis(PprKeys.CLIENT_CONNECT_TIMEOUT_MS_KEY,
        PprKeys.CLIENT_CONNECT_TIMEOUT_MS_DEFAULT, 1, TIMEOUT_MS_MOST);
    stallTimeoutMs = settings.intMillis(PprKeys.CLIENT_STALL_TIMEOUT_MS_KEY,
        PprKeys.CLIENT_STALL_TIMEOUT_MS_DEFAULT, 1, TIMEOUT_MS_MOST);
    threads = settings.intNumber(PprKeys.CLIENT_THREADS_KEY, PprKeys.CLIENT_THREADS_DEFAULT, 4,
        10_000);
    bufferBytes = settings.number(PprKeys.CLIENT_BUFFER_BYTES_KEY,
        PprKeys.CLIENT_BUFFER_BYTES_DEFAULT, 1 << 20, 1L << 40);
    cacheBytes = (int) settings.number(PprKeys.CLIENT_CACHE_BYTES_KEY,
        PprKeys.CLIENT_CACHE_BYTES_DEFAULT, 0, 1 << 30);
    hedgeMinMs = settings.intMillis(PprKeys.CLIENT_HEDGE_MIN_MS_KEY,
        PprKeys.CLIENT_HEDGE_MIN_MS_DEFAULT, 0, TIMEOUT_MS_MOST);
    hedgeMaxMs = settings.intMillis(PprKeys.CLIENT_HEDGE_MAX_MS_KEY,
        Math.max(hedgeMinMs, PprKeys.CLIENT_HEDGE_MAX_MS_DEFAULT), hedgeMinMs, TIMEOUT_MS_MOST);
    hedgePercent = settings.intNumber(PprKeys.CLIENT_HEDGE_PERCENT_KEY,
        PprKeys.CLIENT_HEDGE_PERCENT_DEFAULT, 0, 100);
    checkOneIn = CheckRate.oneIn(settings);
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
    return new ReadSettings(new SettingsReader(conf));
  }

  /** @return whether the client reads anything in another way than stock */
  public boolean isOn() {
    return topology != null;
  }

  /** @return the topology of the trees; null if degraded reads are off */
  public Topology topology() {
    return topology;
  }

  /**
   * The most chains that a tree may have if the client chooses the shape of each tree. If this is
   * 0, the client has no choice, and all trees have the shape of {@link #topology}.
   */
  int chainsMost() {
    return chainsMost;
  }

  /**
   * @return the port at which all DataNodes serve degraded reads; 0 if DataNodes have different
   *     ports
   */
  public int repairPort() {
    return repairPort;
  }

  /**
   * @return the time limit for connecting, and again for each step of the handshake, milliseconds
   */
  public int connectTimeoutMs() {
    return connectTimeoutMs;
  }

  /** @return how long a tree may send nothing before the tree fails, milliseconds */
  public int stallTimeoutMs() {
    return stallTimeoutMs;
  }

  /** @return the most threads of one client */
  public int threads() {
    return threads;
  }

  /** @return how much direct memory one client may use for partial sums, bytes */
  public long bufferBytes() {
    return bufferBytes;
  }

  /** @return the most rebuilt bytes that one stream keeps */
  public int cacheBytes() {
    return cacheBytes;
  }

  /**
   * @return the shortest wait for a DataNode before a second read begins, milliseconds; 0: no
   *     second read ever begins
   */
  public int hedgeMinMs() {
    return hedgeMinMs;
  }

  /** @return the longest wait for a DataNode before a second read begins, milliseconds */
  public int hedgeMaxMs() {
    return hedgeMaxMs;
  }

  /** @return how many second reads a client may begin per hundred reads */
  public int hedgePercent() {
    return hedgePercent;
  }

  /** @return n if the client checks one in n rebuilt ranges; 0 if it checks none */
  public int checkOneIn() {
    return checkOneIn;
  }

  /** @return whether the client connects to DataNodes by host name instead of IP address */
  public boolean viaHostName() {
    return viaHostName;
  }

  /** @return the name of the kernel that multiplies in the Galois field */
  public String kernel() {
    return kernel;
  }
}
