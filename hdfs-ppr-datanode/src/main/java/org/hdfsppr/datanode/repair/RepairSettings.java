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
import org.hdfsppr.conf.CheckRate;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.Topologies;
import org.hdfsppr.plan.Topology;
import org.hdfsppr.wire.RequestCodec;

/** The DataNode's part of the configuration, checked. Immutable. */
@InterfaceAudience.Private
public final class RepairSettings {
  private static final long CHUNK_CACHE_BYTES_MIN = 1 << 20;

  private final InetSocketAddress address;
  private final int repairThreads;
  private final int repairQueue;
  private final int helperThreads;
  private final long bufferBytes;
  private final long chunkCacheBytes;
  private final int attempts;
  private final int connectTimeoutMs;
  private final int requestTimeoutMs;
  private final int stallTimeoutMs;
  private final int slowWindowMs;
  private final int slowPercent;
  private final Topology topology;
  private final int sliceBytes;
  private final int checkOneIn;
  private final boolean mustCheck;
  private final String kernel;

  private RepairSettings(SettingsReader settings) {
    address = settings.localAddress(PprKeys.DATANODE_ADDRESS_KEY,
        PprKeys.DATANODE_ADDRESS_DEFAULT);
    repairThreads = settings.intNumber(PprKeys.DATANODE_REPAIR_THREADS_KEY,
        PprKeys.DATANODE_REPAIR_THREADS_DEFAULT, 1, 1024);
    repairQueue = settings.intNumber(PprKeys.DATANODE_REPAIR_QUEUE_KEY,
        PprKeys.DATANODE_REPAIR_QUEUE_DEFAULT, 1, 100_000);
    helperThreads = settings.intNumber(PprKeys.DATANODE_HELPER_THREADS_KEY,
        PprKeys.DATANODE_HELPER_THREADS_DEFAULT, 1, 4096);
    bufferBytes = settings.number(PprKeys.DATANODE_BUFFER_BYTES_KEY,
        PprKeys.DATANODE_BUFFER_BYTES_DEFAULT, 1 << 20, 1L << 40);
    chunkCacheBytes = settings.numberOrZero(PprKeys.DATANODE_CHUNK_CACHE_BYTES_KEY,
        PprKeys.DATANODE_CHUNK_CACHE_BYTES_DEFAULT, CHUNK_CACHE_BYTES_MIN, 1L << 40);
    attempts = settings.intNumber(PprKeys.DATANODE_REPAIR_ATTEMPTS_KEY,
        PprKeys.DATANODE_REPAIR_ATTEMPTS_DEFAULT, 1, 100);
    connectTimeoutMs = settings.intMillis(PprKeys.DATANODE_CONNECT_TIMEOUT_MS_KEY,
        PprKeys.DATANODE_CONNECT_TIMEOUT_MS_DEFAULT, 1, RequestCodec.STALL_TIMEOUT_MS_MAX);
    requestTimeoutMs = settings.intMillis(PprKeys.DATANODE_REQUEST_TIMEOUT_MS_KEY,
        PprKeys.DATANODE_REQUEST_TIMEOUT_MS_DEFAULT, 1, RequestCodec.STALL_TIMEOUT_MS_MAX);
    stallTimeoutMs = settings.intMillis(PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY,
        PprKeys.DATANODE_STALL_TIMEOUT_MS_DEFAULT, 1, RequestCodec.STALL_TIMEOUT_MS_MAX);
    slowWindowMs = settings.intMillis(PprKeys.DATANODE_SLOW_WINDOW_MS_KEY,
        PprKeys.DATANODE_SLOW_WINDOW_MS_DEFAULT, 100, 600_000);
    slowPercent = settings.intNumber(PprKeys.DATANODE_SLOW_PERCENT_KEY,
        PprKeys.DATANODE_SLOW_PERCENT_DEFAULT, 0, 100);
    topology = Topologies.byName(settings.choice(PprKeys.PLAN_TOPOLOGY_KEY,
        PprKeys.PLAN_TOPOLOGY_DEFAULT, Topologies.names()));
    sliceBytes = settings.intNumber(PprKeys.SLICE_BYTES_KEY, PprKeys.SLICE_BYTES_DEFAULT,
        SliceGeometry.SLICE_BYTES_MIN, SliceGeometry.SLICE_BYTES_MAX);
    // An operator that lets stock validate every reconstruction expects the same of this one.
    mustCheck = settings.flag(DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_VALIDATION_KEY,
        DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_VALIDATION_VALUE);
    int oneIn = CheckRate.oneIn(settings);
    checkOneIn = mustCheck ? 1 : oneIn;
    kernel = settings.name(PprKeys.KERNEL_KEY, PprKeys.KERNEL_DEFAULT);
  }

  /**
   * Reads the settings.
   *
   * @param conf of the DataNode
   * @return the settings
   * @throws IllegalArgumentException naming the key, its value and the allowed values
   */
  public static RepairSettings of(Configuration conf) {
    return new RepairSettings(new SettingsReader(conf));
  }

  /** @return the address on which this DataNode serves repairs, with a host that is known here */
  public InetSocketAddress address() {
    return address;
  }

  /** @return repairs that this DataNode leads at a time */
  public int repairThreads() {
    return repairThreads;
  }

  /** @return repairs that may wait for one of {@link #repairThreads} */
  public int repairQueue() {
    return repairQueue;
  }

  /** @return requests of other nodes that this DataNode serves at a time */
  public int helperThreads() {
    return helperThreads;
  }

  /** @return bytes of slice buffers that all repairs of this DataNode may use */
  public long bufferBytes() {
    return bufferBytes;
  }

  /** @return bytes of the cache for chunks that degraded reads ask for; 0: no cache */
  public long chunkCacheBytes() {
    return chunkCacheBytes;
  }

  /** @return attempts at a repair before stock or the manager gets it back */
  public int attempts() {
    return attempts;
  }

  /** @return milliseconds for a connection to another DataNode, and for each handshake step */
  public int connectTimeoutMs() {
    return connectTimeoutMs;
  }

  /** @return milliseconds from a caller's connection until its whole request has arrived */
  public int requestTimeoutMs() {
    return requestTimeoutMs;
  }

  /** @return milliseconds without a byte after which a helper counts as dead */
  public int stallTimeoutMs() {
    return stallTimeoutMs;
  }

  /** @return milliseconds over which a repair's rate is measured before it can count as slow */
  public int slowWindowMs() {
    return slowWindowMs;
  }

  /** @return percent of the best recent rate below which a repair is slow; 0: none is slow */
  public int slowPercent() {
    return slowPercent;
  }

  /** @return the shape of the trees of stock's tasks */
  public Topology topology() {
    return topology;
  }

  /** @return bytes of a slice */
  public int sliceBytes() {
    return sliceBytes;
  }

  /** @return one slice in this many is checked; 0: none */
  public int checkOneIn() {
    return checkOneIn;
  }

  /** @return whether stock, set to validate, gets the repairs that cannot be checked here */
  public boolean mustCheck() {
    return mustCheck;
  }

  /** @return the name of the kernel that multiplies, as the operator set it */
  public String kernel() {
    return kernel;
  }
}
