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
package org.hdfsppr.datanode.repair;

import java.net.InetSocketAddress;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.hdfsppr.conf.LinkRate;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.conf.VerificationRate;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.TreeTopology;
import org.hdfsppr.wire.RequestBounds;

/**
 * The settings of hdfs-ppr on a DataNode, read from the configuration and checked. Immutable.
 */
@InterfaceAudience.Private
public final class RepairSettings {
  private static final long CHUNK_CACHE_BYTES_MIN = 1 << 20;
  /**
   * The most repairs that wait. A NameNode with the plugin sends fewer. If the NameNode has no
   * plugin, the stock worker takes the repairs beyond this number.
   */
  private static final int REPAIR_QUEUE = 64;
  /**
   * How many attempts at a repair are made at most. Each attempt leaves out one more node, and
   * after eight attempts few groups still have enough units.
   */
  private static final int ATTEMPTS = 8;
  /** An attempt loses at most this time, ms, at a host that does not answer. */
  private static final int CONNECT_TIMEOUT_MS_MOST = 30_000;
  /** A caller that sends no request can hold a connection for at most this time, ms. */
  private static final int REQUEST_TIMEOUT_MS_MOST = 60_000;

  /** The address on which this DataNode serves repairs, already resolved */
  public final InetSocketAddress address;
  /** The most repairs that this DataNode leads at a time */
  public final int repairThreads;
  /** The most requests of other nodes that this DataNode serves at a time */
  public final int helperThreads;
  /** The most bytes of slice buffers that all repairs of this DataNode may use together */
  public final long bufferBytes;
  /** The size of the cache for chunks that degraded reads ask for, bytes; 0: no cache */
  public final long chunkCacheBytes;
  /** The time without a byte after which a helper counts as dead, ms */
  public final int stallTimeoutMs;
  /** The time over which a job measures a repair's rate before the repair can count as slow, ms */
  public final int slowWindowMs;
  /** The percentage of the best recent rate below which a repair is slow; 0: no repair is slow */
  public final int slowPercent;
  /** The shape of the trees for tasks that stock schedules */
  public final TreeTopology topology;
  /**
   * The percentage that repairs may take of what busy users leave free of the link, until a
   * NameNode sends another value; see {@link Pressure}
   */
  public final int pressure;
  /**
   * The rate of this node's link in each direction, bytes/s, until a NameNode sends another value;
   * 0 if the operator has not set it
   */
  public final long linkBytesPerSecond;
  /** The most bytes of a slice; nodes read, add and send the bytes of units slice by slice */
  public final int sliceBytes;
  /** A repair checks one in this number of slices; 0 if it checks none */
  public final int checkOneIn;
  /**
   * Whether the stock worker gets the repairs that hdfs-ppr cannot check, because the operator has
   * set stock to validate its reconstructions
   */
  public final boolean mustCheck;
  /** The name of the arithmetic kernel, as the operator set it */
  public final String kernel;

  private RepairSettings(SettingsReader settings, int sliceBytes) {
    this.sliceBytes = sliceBytes;
    address = settings.localAddress(PprKeys.DATANODE_ADDRESS_KEY,
        PprKeys.DATANODE_ADDRESS_DEFAULT);
    repairThreads = settings.intNumber(PprKeys.DATANODE_REPAIR_THREADS_KEY,
        PprKeys.DATANODE_REPAIR_THREADS_DEFAULT, 1, 1024);
    helperThreads = settings.intNumber(PprKeys.DATANODE_HELPER_THREADS_KEY,
        PprKeys.DATANODE_HELPER_THREADS_DEFAULT, 1, 4096);
    bufferBytes = settings.number(PprKeys.DATANODE_BUFFER_BYTES_KEY,
        PprKeys.DATANODE_BUFFER_BYTES_DEFAULT, 1 << 20, 1L << 40);
    chunkCacheBytes = settings.numberOrZero(PprKeys.DATANODE_CHUNK_CACHE_BYTES_KEY,
        PprKeys.DATANODE_CHUNK_CACHE_BYTES_DEFAULT, CHUNK_CACHE_BYTES_MIN, 1L << 40);
    pressure = Pressure.of(settings);
    linkBytesPerSecond = LinkRate.ifSet(settings);
    stallTimeoutMs = settings.intMillis(PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY,
        PprKeys.DATANODE_STALL_TIMEOUT_MS_DEFAULT, 1, RequestBounds.STALL_TIMEOUT_MS_MAX);
    slowWindowMs = settings.intMillis(PprKeys.DATANODE_SLOW_WINDOW_MS_KEY,
        PprKeys.DATANODE_SLOW_WINDOW_MS_DEFAULT, 100, 600_000);
    slowPercent = settings.intNumber(PprKeys.DATANODE_SLOW_PERCENT_KEY,
        PprKeys.DATANODE_SLOW_PERCENT_DEFAULT, 0, 100);
    topology = TreeTopologies.byName(settings.choice(PprKeys.PLAN_TOPOLOGY_KEY,
        PprKeys.PLAN_TOPOLOGY_DEFAULT, TreeTopologies.names()));
    // An operator that lets stock validate every reconstruction expects hdfs-ppr to check every
    // reconstruction too.
    mustCheck = settings.flag(DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_VALIDATION_KEY,
        DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_VALIDATION_VALUE);
    int oneIn = VerificationRate.oneIn(settings);
    checkOneIn = mustCheck ? 1 : oneIn;
    kernel = settings.name(PprKeys.KERNEL_KEY, PprKeys.KERNEL_DEFAULT);
  }

  /**
   * Reads the settings.
   *
   * @param conf the DataNode's configuration
   * @return the settings
   * @throws IllegalArgumentException if a value is not allowed; the message names the key, its
   *     value and the allowed values
   */
  public static RepairSettings of(Configuration conf) {
    return of(conf, SliceGeometry.SLICE_BYTES);
  }

  /** Like {@link #of(Configuration)}, but with slices of the given length, bytes. */
  static RepairSettings of(Configuration conf, int sliceBytes) {
    return new RepairSettings(new SettingsReader(conf), sliceBytes);
  }

  /** @return the most repairs that may wait for one of {@link #repairThreads} */
  public int repairQueue() {
    return REPAIR_QUEUE;
  }

  /** @return after this many failed attempts, stock or the manager gets the repair back */
  public int attempts() {
    return ATTEMPTS;
  }

  /**
   * @return the longest wait for a connection to another DataNode, and for each handshake step, ms:
   *     half of {@link #stallTimeoutMs}, because a step is one round trip, but no longer than
   *     {@link #CONNECT_TIMEOUT_MS_MOST}
   */
  public int connectTimeoutMs() {
    return Math.min(CONNECT_TIMEOUT_MS_MOST, Math.max(1, stallTimeoutMs / 2));
  }

  /**
   * @return the longest time from a caller's connection to the end of its request, ms: a caller may
   *     be as slow as a helper, but no slower than {@link #REQUEST_TIMEOUT_MS_MOST}
   */
  public int requestTimeoutMs() {
    return Math.min(REQUEST_TIMEOUT_MS_MOST, stallTimeoutMs);
  }
}
