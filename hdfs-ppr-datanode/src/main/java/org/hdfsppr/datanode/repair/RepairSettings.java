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

import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.Topologies;
import org.hdfsppr.plan.Topology;
import org.hdfsppr.wire.RequestCodec;

/**
 * The DataNode's part of the configuration, checked. Immutable.
 */
@InterfaceAudience.Private
public final class RepairSettings {
  private static final long CHUNK_CACHE_BYTES_MIN = 1 << 20;

  private final String address;
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

  private RepairSettings(Configuration conf) {
    address = conf.getTrimmed(PprKeys.DATANODE_ADDRESS_KEY, PprKeys.DATANODE_ADDRESS_DEFAULT);
    repairThreads = within(conf, PprKeys.DATANODE_REPAIR_THREADS_KEY,
        PprKeys.DATANODE_REPAIR_THREADS_DEFAULT, 1, 1024);
    repairQueue = within(conf, PprKeys.DATANODE_REPAIR_QUEUE_KEY,
        PprKeys.DATANODE_REPAIR_QUEUE_DEFAULT, 1, 100_000);
    helperThreads = within(conf, PprKeys.DATANODE_HELPER_THREADS_KEY,
        PprKeys.DATANODE_HELPER_THREADS_DEFAULT, 1, 4096);
    bufferBytes = within(conf, PprKeys.DATANODE_BUFFER_BYTES_KEY,
        PprKeys.DATANODE_BUFFER_BYTES_DEFAULT, 1 << 20, 1L << 40);
    chunkCacheBytes = chunkCacheBytes(conf);
    attempts = within(conf, PprKeys.DATANODE_REPAIR_ATTEMPTS_KEY,
        PprKeys.DATANODE_REPAIR_ATTEMPTS_DEFAULT, 1, 100);
    connectTimeoutMs = within(conf, PprKeys.DATANODE_CONNECT_TIMEOUT_MS_KEY,
        PprKeys.DATANODE_CONNECT_TIMEOUT_MS_DEFAULT, 1, RequestCodec.STALL_TIMEOUT_MS_MAX);
    requestTimeoutMs = within(conf, PprKeys.DATANODE_REQUEST_TIMEOUT_MS_KEY,
        PprKeys.DATANODE_REQUEST_TIMEOUT_MS_DEFAULT, 1, RequestCodec.STALL_TIMEOUT_MS_MAX);
    stallTimeoutMs = within(conf, PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY,
        PprKeys.DATANODE_STALL_TIMEOUT_MS_DEFAULT, 1, RequestCodec.STALL_TIMEOUT_MS_MAX);
    slowWindowMs = within(conf, PprKeys.DATANODE_SLOW_WINDOW_MS_KEY,
        PprKeys.DATANODE_SLOW_WINDOW_MS_DEFAULT, 100, 600_000);
    slowPercent = within(conf, PprKeys.DATANODE_SLOW_PERCENT_KEY,
        PprKeys.DATANODE_SLOW_PERCENT_DEFAULT, 0, 100);
    topology = topology(conf);
    sliceBytes = within(conf, PprKeys.SLICE_BYTES_KEY, PprKeys.SLICE_BYTES_DEFAULT,
        SliceGeometry.SLICE_BYTES_MIN, SliceGeometry.SLICE_BYTES_MAX);
    // Who asks stock to validate every reconstruction gets no less from us.
    mustCheck = conf.getBoolean(DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_VALIDATION_KEY,
        DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_VALIDATION_VALUE);
    checkOneIn = checkOneIn(conf, mustCheck);
    kernel = conf.getTrimmed(PprKeys.KERNEL_KEY, PprKeys.KERNEL_DEFAULT)
        .toLowerCase(Locale.ROOT);
  }

  /**
   * Reads the settings.
   *
   * @throws IllegalArgumentException naming the key, its value and what is allowed
   */
  public static RepairSettings of(Configuration conf) {
    return new RepairSettings(conf);
  }

  private static long chunkCacheBytes(Configuration conf) {
    String key = PprKeys.DATANODE_CHUNK_CACHE_BYTES_KEY;
    long bytes = within(conf, key, PprKeys.DATANODE_CHUNK_CACHE_BYTES_DEFAULT, 0, 1L << 40);
    if (bytes > 0 && bytes < CHUNK_CACHE_BYTES_MIN) {
      throw new IllegalArgumentException(key + ": " + bytes + " is too little to be of use (0 for"
          + " none, or from " + CHUNK_CACHE_BYTES_MIN + " on)");
    }
    return bytes;
  }

  private static Topology topology(Configuration conf) {
    String name = conf.getTrimmed(PprKeys.PLAN_TOPOLOGY_KEY, PprKeys.PLAN_TOPOLOGY_DEFAULT)
        .toLowerCase(Locale.ROOT);
    try {
      return Topologies.byName(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(PprKeys.PLAN_TOPOLOGY_KEY + ": " + e.getMessage(), e);
    }
  }

  private static int checkOneIn(Configuration conf, boolean mustCheck) {
    String verify = conf.getTrimmed(PprKeys.VERIFY_KEY, PprKeys.VERIFY_DEFAULT)
        .toLowerCase(Locale.ROOT);
    int oneIn = within(conf, PprKeys.VERIFY_ONE_IN_KEY, PprKeys.VERIFY_ONE_IN_DEFAULT, 1,
        1_000_000);
    switch (verify) {
      case "full":
        return 1;
      case "sampled":
        return mustCheck ? 1 : oneIn;
      case "off":
        return mustCheck ? 1 : 0;
      default:
        throw new IllegalArgumentException(PprKeys.VERIFY_KEY + ": unknown value '" + verify
            + "', choose one of [sampled, full, off]");
    }
  }

  private static int within(Configuration conf, String key, int defaultValue, int least,
      int most) {
    return (int) within(conf, key, (long) defaultValue, least, most);
  }

  private static long within(Configuration conf, String key, long defaultValue, long least,
      long most) {
    long value;
    try {
      value = conf.getLongBytes(key, defaultValue);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(key + ": '" + conf.get(key) + "' is not a number ("
          + least + " to " + most + ")", e);
    }
    if (value < least || value > most) {
      throw new IllegalArgumentException(key + ": " + value + " is out of range (" + least
          + " to " + most + ")");
    }
    return value;
  }

  public String address() {
    return address;
  }

  public int repairThreads() {
    return repairThreads;
  }

  public int repairQueue() {
    return repairQueue;
  }

  public int helperThreads() {
    return helperThreads;
  }

  public long bufferBytes() {
    return bufferBytes;
  }

  /** For chunks that degraded reads ask for; 0: none are kept. */
  public long chunkCacheBytes() {
    return chunkCacheBytes;
  }

  public int attempts() {
    return attempts;
  }

  public int connectTimeoutMs() {
    return connectTimeoutMs;
  }

  public int requestTimeoutMs() {
    return requestTimeoutMs;
  }

  public int stallTimeoutMs() {
    return stallTimeoutMs;
  }

  public int slowWindowMs() {
    return slowWindowMs;
  }

  public int slowPercent() {
    return slowPercent;
  }

  public Topology topology() {
    return topology;
  }

  public int sliceBytes() {
    return sliceBytes;
  }

  /** Check one slice in this many; 0: none. */
  public int checkOneIn() {
    return checkOneIn;
  }

  /** Whether what cannot be checked here is left to stock, which is told to validate. */
  public boolean mustCheck() {
    return mustCheck;
  }

  public String kernel() {
    return kernel;
  }
}
