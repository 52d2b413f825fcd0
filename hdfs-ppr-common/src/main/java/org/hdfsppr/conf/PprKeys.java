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
package org.hdfsppr.conf;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Every configuration key of hdfs-ppr with its default. {@code hdfs-ppr-default.xml} describes each
 * key, and a test compares that file with this class.
 */
@InterfaceAudience.Public
public final class PprKeys {
  /** The address of a DataNode's transfer server for repairs, host:port. */
  public static final String DATANODE_ADDRESS_KEY = "dfs.datanode.ppr.address";
  /** Default of {@link #DATANODE_ADDRESS_KEY}. */
  public static final String DATANODE_ADDRESS_DEFAULT = "0.0.0.0:9877";

  /** The number of repairs that one DataNode leads at the same time, as their destination. */
  public static final String DATANODE_REPAIR_THREADS_KEY = "dfs.datanode.ppr.repair.threads";
  /** Default of {@link #DATANODE_REPAIR_THREADS_KEY}. */
  public static final int DATANODE_REPAIR_THREADS_DEFAULT = 8;

  /** The number of requests that one DataNode serves at the same time, as a helper. */
  public static final String DATANODE_HELPER_THREADS_KEY = "dfs.datanode.ppr.helper.threads";
  /** Default of {@link #DATANODE_HELPER_THREADS_KEY}. */
  public static final int DATANODE_HELPER_THREADS_DEFAULT = 256;

  /** The direct memory that all repairs of one DataNode may hold together, bytes. */
  public static final String DATANODE_BUFFER_BYTES_KEY = "dfs.datanode.ppr.buffer.bytes";
  /** Default of {@link #DATANODE_BUFFER_BYTES_KEY}. */
  public static final long DATANODE_BUFFER_BYTES_DEFAULT = 128L << 20;

  /**
   * The size of a DataNode's cache on its heap for chunks of its replicas that degraded reads have
   * asked for, bytes; 0: no cache.
   */
  public static final String DATANODE_CHUNK_CACHE_BYTES_KEY = "dfs.datanode.ppr.chunk-cache.bytes";
  /** Default of {@link #DATANODE_CHUNK_CACHE_BYTES_KEY}. */
  public static final long DATANODE_CHUNK_CACHE_BYTES_DEFAULT = 64L << 20;

  /** The directory of a DataNode's update logs; none: the DataNode accepts no updates. */
  public static final String DATANODE_UPDATE_LOG_DIR_KEY = "dfs.datanode.ppr.update.log.dir";
  /** Default of {@link #DATANODE_UPDATE_LOG_DIR_KEY}. */
  public static final String DATANODE_UPDATE_LOG_DIR_DEFAULT = "none";

  /** The largest size of a DataNode's update log for one block pool, bytes. */
  public static final String DATANODE_UPDATE_LOG_BYTES_KEY = "dfs.datanode.ppr.update.log.bytes";
  /** Default of {@link #DATANODE_UPDATE_LOG_BYTES_KEY}. */
  public static final long DATANODE_UPDATE_LOG_BYTES_DEFAULT = 4L << 30;

  /**
   * The time without a byte after which a DataNode considers its parent or child in a repair tree
   * dead, milliseconds.
   */
  public static final String DATANODE_STALL_TIMEOUT_MS_KEY = "dfs.datanode.ppr.stall.timeout.ms";
  /** Default of {@link #DATANODE_STALL_TIMEOUT_MS_KEY}. */
  public static final int DATANODE_STALL_TIMEOUT_MS_DEFAULT = 10_000;

  /**
   * The period over which a DataNode measures the rate of a repair, to find a slow link,
   * milliseconds.
   */
  public static final String DATANODE_SLOW_WINDOW_MS_KEY = "dfs.datanode.ppr.slow.window.ms";
  /** Default of {@link #DATANODE_SLOW_WINDOW_MS_KEY}. */
  public static final int DATANODE_SLOW_WINDOW_MS_DEFAULT = 3_000;

  /**
   * The features, as bits of a request's field must_understand, that this DataNode claims not to
   * know.
   */
  public static final String DATANODE_FEATURES_WITHHELD_KEY =
      "dfs.datanode.ppr.features.withheld";
  /** Default of {@link #DATANODE_FEATURES_WITHHELD_KEY}. */
  public static final int DATANODE_FEATURES_WITHHELD_DEFAULT = 0;

  /**
   * A repair counts as slow if its rate is below this percentage of the best recent rate on this
   * DataNode divided by the number of its repairs; 0: no repair counts as slow.
   */
  public static final String DATANODE_SLOW_PERCENT_KEY = "dfs.datanode.ppr.slow.percent";
  /** Default of {@link #DATANODE_SLOW_PERCENT_KEY}. */
  public static final int DATANODE_SLOW_PERCENT_DEFAULT = 3;

  /** The time between two heartbeats to a repair manager, milliseconds; 0: no heartbeats. */
  public static final String DATANODE_HEARTBEAT_MS_KEY = "dfs.datanode.ppr.heartbeat.ms";
  /** Default of {@link #DATANODE_HEARTBEAT_MS_KEY}. */
  public static final int DATANODE_HEARTBEAT_MS_DEFAULT = 1_000;

  /**
   * The address of a NameNode's repair manager, host:port. The key may have suffixes for the
   * nameservice and the NameNode.
   */
  public static final String NAMENODE_RPC_ADDRESS_KEY = "dfs.namenode.ppr.rpc-address";
  /** Default of {@link #NAMENODE_RPC_ADDRESS_KEY}. */
  public static final String NAMENODE_RPC_ADDRESS_DEFAULT = "0.0.0.0:9878";

  /**
   * How the units of a DataNode that is decommissioned come to other nodes: both (by copies and by
   * repairs), or copy.
   */
  public static final String NAMENODE_DECOMMISSION_KEY = "dfs.namenode.ppr.decommission";
  /** Default of {@link #NAMENODE_DECOMMISSION_KEY}. */
  public static final String NAMENODE_DECOMMISSION_DEFAULT = "both";

  /**
   * The strategy that orders the repairs of several rows of a CORE group: rgs, row-first or
   * column-first.
   */
  public static final String NAMENODE_CORE_STRATEGY_KEY = "dfs.namenode.ppr.core.strategy";
  /** Default of {@link #NAMENODE_CORE_STRATEGY_KEY}. */
  public static final String NAMENODE_CORE_STRATEGY_DEFAULT = "rgs";

  /**
   * The strategy by which a NameNode's repair manager chooses helpers and targets: balanced, mppr,
   * fifo or star.
   */
  public static final String NAMENODE_SCHEDULER_KEY = "dfs.namenode.ppr.scheduler";
  /** Default of {@link #NAMENODE_SCHEDULER_KEY}. */
  public static final String NAMENODE_SCHEDULER_DEFAULT = "balanced";

  /** The capacity of a DataNode's link in each direction, bytes per second. */
  public static final String NAMENODE_LINK_RATE_KEY = "dfs.namenode.ppr.link.bytes.per-second";
  /** Default of {@link #NAMENODE_LINK_RATE_KEY}. */
  public static final long NAMENODE_LINK_RATE_DEFAULT = 125_000_000;

  /**
   * The capacity of a rack's link to all other racks in each direction, bytes per second; 0: no
   * limit.
   */
  public static final String NAMENODE_CROSS_RACK_RATE_KEY =
      "dfs.namenode.ppr.cross-rack.bytes.per-second";
  /** Default of {@link #NAMENODE_CROSS_RACK_RATE_KEY}. */
  public static final long NAMENODE_CROSS_RACK_RATE_DEFAULT = 0;

  /** How many repairs may run at the same time in the whole cluster. */
  public static final String NAMENODE_IN_FLIGHT_KEY = "dfs.namenode.ppr.repairs.in-flight";
  /** Default of {@link #NAMENODE_IN_FLIGHT_KEY}. */
  public static final int NAMENODE_IN_FLIGHT_DEFAULT = 10_000;

  /** Whether the NameNode's web server has pages about repairs. */
  public static final String NAMENODE_WEB_ENABLED_KEY = "dfs.namenode.ppr.web.enabled";
  /** Default of {@link #NAMENODE_WEB_ENABLED_KEY}. */
  public static final boolean NAMENODE_WEB_ENABLED_DEFAULT = true;

  /**
   * How many bytes of units each DataNode may read for checks in the background, per second; 0: no
   * such checks.
   */
  public static final String NAMENODE_SCRUB_RATE_KEY =
      "dfs.namenode.ppr.scrub.bytes.per-second";
  /** Default of {@link #NAMENODE_SCRUB_RATE_KEY}: no checks in the background. */
  public static final long NAMENODE_SCRUB_RATE_DEFAULT = 0;

  /** The files and directories that are checked in the background, separated by commas. */
  public static final String NAMENODE_SCRUB_PATHS_KEY = "dfs.namenode.ppr.scrub.paths";
  /** Default of {@link #NAMENODE_SCRUB_PATHS_KEY}. */
  public static final String NAMENODE_SCRUB_PATHS_DEFAULT = "/";

  /** How many versions of files the NameNode makes at the same time; 0: none. */
  public static final String NAMENODE_VERSION_CONCURRENT_KEY =
      "dfs.namenode.ppr.version.concurrent";
  /**
   * Default of {@link #NAMENODE_VERSION_CONCURRENT_KEY}. The number is high because each version of
   * a small file waits some seconds for heartbeats of DataNodes: only many at the same time give a
   * useful rate.
   */
  public static final int NAMENODE_VERSION_CONCURRENT_DEFAULT = 256;

  /**
   * How many bytes per second may move between DataNodes to make units of new versions, for all
   * versions together; 0: no limit.
   */
  public static final String NAMENODE_VERSION_RATE_KEY =
      "dfs.namenode.ppr.version.bytes.per-second";
  /**
   * Default of {@link #NAMENODE_VERSION_RATE_KEY}: only {@link #NAMENODE_VERSION_NODE_RATE_KEY}
   * limits the rate.
   */
  public static final long NAMENODE_VERSION_RATE_DEFAULT = 0;

  /**
   * How many bytes of units each DataNode may read or write to make units of new versions, per
   * second.
   */
  public static final String NAMENODE_VERSION_NODE_RATE_KEY =
      "dfs.namenode.ppr.version.node.bytes.per-second";
  /**
   * Default of {@link #NAMENODE_VERSION_NODE_RATE_KEY}: a quarter of what a link of 1 Gbit/s, or a
   * disk, can carry.
   */
  public static final long NAMENODE_VERSION_NODE_RATE_DEFAULT = 32L << 20;

  /**
   * For how long a file must not have been read or written before it gets a new version,
   * milliseconds, if the request for the version does not say it.
   */
  public static final String NAMENODE_VERSION_IDLE_KEY = "dfs.namenode.ppr.version.idle.ms";
  /** Default of {@link #NAMENODE_VERSION_IDLE_KEY}: a day. */
  public static final long NAMENODE_VERSION_IDLE_DEFAULT = 86_400_000;
  /**
   * For how long an old version is kept after the new version is published, milliseconds, if the
   * request for the new version does not say it.
   */
  public static final String NAMENODE_VERSION_GRACE_KEY = "dfs.namenode.ppr.version.grace.ms";
  /** Default of {@link #NAMENODE_VERSION_GRACE_KEY}: a day. */
  public static final long NAMENODE_VERSION_GRACE_DEFAULT = 86_400_000;

  /** How many parity files of CORE groups the NameNode makes at the same time; 0: none. */
  public static final String NAMENODE_CORE_CONCURRENT_KEY = "dfs.namenode.ppr.core.concurrent";
  /**
   * Default of {@link #NAMENODE_CORE_CONCURRENT_KEY}. Parity files count among the {@link
   * #NAMENODE_VERSION_CONCURRENT_KEY} versions, most of which should remain for conversions.
   */
  public static final int NAMENODE_CORE_CONCURRENT_DEFAULT = 32;

  /**
   * How long after its last modification a file may become a member of a CORE group, milliseconds.
   */
  public static final String NAMENODE_CORE_SETTLE_KEY = "dfs.namenode.ppr.core.settle.ms";
  /** Default of {@link #NAMENODE_CORE_SETTLE_KEY}: ten minutes. */
  public static final long NAMENODE_CORE_SETTLE_DEFAULT = 600_000;

  /**
   * How many DataNodes hold the update log of a unit besides the DataNode that leads; 0: as many as
   * {@link #NAMENODE_UPDATE_REPLICAS_DEFAULT} describes.
   */
  public static final String NAMENODE_UPDATE_REPLICAS_KEY = "dfs.namenode.ppr.update.replicas";
  /**
   * Default of {@link #NAMENODE_UPDATE_REPLICAS_KEY}: as many followers as units that the file's
   * code may lose, but at most two, and one if only two DataNodes have update logs.
   */
  public static final int NAMENODE_UPDATE_REPLICAS_DEFAULT = 0;

  /**
   * Whether a writer gets a ticket of the kind of version 0.2.0 while a holder of the update log is
   * too old for other tickets. HDFS accepts such a ticket as a token to write the block.
   */
  public static final String NAMENODE_UPDATE_OLD_TICKETS_KEY =
      "dfs.namenode.ppr.update.old-tickets";
  /** Default of {@link #NAMENODE_UPDATE_OLD_TICKETS_KEY}: users can write during an upgrade. */
  public static final boolean NAMENODE_UPDATE_OLD_TICKETS_DEFAULT = true;

  /** How long a commit keeps the old version of the file, milliseconds. */
  public static final String NAMENODE_COMMIT_GRACE_KEY = "dfs.namenode.ppr.commit.grace.ms";
  /** Default of {@link #NAMENODE_COMMIT_GRACE_KEY}: enough for reads that are under way to end. */
  public static final long NAMENODE_COMMIT_GRACE_DEFAULT = 30_000;

  /**
   * A file is committed when this many of its stripes have updates in logs; 0: never for this
   * reason.
   */
  public static final String NAMENODE_COMMIT_STRIPES_KEY = "dfs.namenode.ppr.commit.stripes";
  /**
   * Default of {@link #NAMENODE_COMMIT_STRIPES_KEY}: the number in the paper about the strategy
   * "cau".
   */
  public static final int NAMENODE_COMMIT_STRIPES_DEFAULT = 100;

  /**
   * A file is committed when its updates in logs have this many bytes; 0: never for this reason.
   */
  public static final String NAMENODE_COMMIT_BYTES_KEY = "dfs.namenode.ppr.commit.bytes";
  /** Default of {@link #NAMENODE_COMMIT_BYTES_KEY}. */
  public static final long NAMENODE_COMMIT_BYTES_DEFAULT = 256L << 20;

  /**
   * A file is committed when its updates have been in logs for this time, milliseconds; 0: never
   * for this reason.
   */
  public static final String NAMENODE_COMMIT_AGE_KEY = "dfs.namenode.ppr.commit.age.ms";
  /** Default of {@link #NAMENODE_COMMIT_AGE_KEY}: an hour. */
  public static final long NAMENODE_COMMIT_AGE_DEFAULT = 3_600_000;

  /**
   * The strategy by which commits send changes to parity units, unless a directory names another
   * one.
   */
  public static final String NAMENODE_COMMIT_STRATEGY_KEY = "dfs.namenode.ppr.commit.strategy";
  /** Default of {@link #NAMENODE_COMMIT_STRATEGY_KEY}. */
  public static final String NAMENODE_COMMIT_STRATEGY_DEFAULT = "cau";

  /** Whether a commit has all bytes of the new version checked before it publishes the version. */
  public static final String NAMENODE_COMMIT_CHECK_ALL_KEY = "dfs.namenode.ppr.commit.check-all";
  /** Default of {@link #NAMENODE_COMMIT_CHECK_ALL_KEY}. */
  public static final boolean NAMENODE_COMMIT_CHECK_ALL_DEFAULT = false;

  /** How many conversion jobs run at the same time; dry runs do not count. */
  public static final String NAMENODE_CONVERT_JOBS_KEY = "dfs.namenode.ppr.convert.concurrent-jobs";
  /** Default of {@link #NAMENODE_CONVERT_JOBS_KEY}. */
  public static final int NAMENODE_CONVERT_JOBS_DEFAULT = 2;

  /**
   * How long a block group with lost units waits for their nodes to come back before it is
   * repaired, milliseconds.
   */
  public static final String REPAIR_DELAY_KEY = "dfs.ppr.repair.delay";
  /** Default of {@link #REPAIR_DELAY_KEY}. */
  public static final long REPAIR_DELAY_DEFAULT = 0;

  /**
   * A block group that can lose only this many further units, or fewer, does not wait for {@link
   * #REPAIR_DELAY_KEY}.
   */
  public static final String REPAIR_DELAY_SPARE_KEY = "dfs.ppr.repair.delay.spare-units";
  /** Default of {@link #REPAIR_DELAY_SPARE_KEY}. */
  public static final int REPAIR_DELAY_SPARE_DEFAULT = 1;

  /**
   * Which part of what users leave free of a DataNode's link repairs may take: gentle, urgent, or
   * percent.
   */
  public static final String PRESSURE_KEY = "dfs.ppr.repair.pressure";
  /** Default of {@link #PRESSURE_KEY}. */
  public static final String PRESSURE_DEFAULT = "gentle";

  /** The shape of the tree: star, ppr, chain, rack or free-sum. */
  public static final String PLAN_TOPOLOGY_KEY = "dfs.ppr.plan.topology";
  /** Default of {@link #PLAN_TOPOLOGY_KEY}. */
  public static final String PLAN_TOPOLOGY_DEFAULT = "rack";

  /**
   * Which slices are checked with an additional helper: sampled (some), full (all) or off (none).
   */
  public static final String VERIFY_KEY = "dfs.ppr.verify";
  /** Default of {@link #VERIFY_KEY}. */
  public static final String VERIFY_DEFAULT = "sampled";

  /**
   * The kernel, which is the library that does the arithmetic in GF(256): auto, gfni, isal or java.
   */
  public static final String KERNEL_KEY = "dfs.ppr.kernel";
  /** Default of {@link #KERNEL_KEY}. */
  public static final String KERNEL_DEFAULT = "auto";

  /** The way in which a client reads lost units: auto, chain, ppr, star, rack, free-sum, or off. */
  public static final String CLIENT_DEGRADED_READ_KEY = "dfs.client.ppr.degraded-read";
  /** Default of {@link #CLIENT_DEGRADED_READ_KEY}. */
  public static final String CLIENT_DEGRADED_READ_DEFAULT = "auto";

  /** The time without a byte after which a client's helper counts as dead, milliseconds. */
  public static final String CLIENT_STALL_TIMEOUT_MS_KEY = "dfs.client.ppr.stall.timeout.ms";
  /** Default of {@link #CLIENT_STALL_TIMEOUT_MS_KEY}. */
  public static final int CLIENT_STALL_TIMEOUT_MS_DEFAULT = 2_000;

  /**
   * The memory in which one open stream of a client keeps rebuilt bytes, bytes; 0: it keeps none.
   */
  public static final String CLIENT_CACHE_BYTES_KEY = "dfs.client.ppr.cache.bytes";
  /** Default of {@link #CLIENT_CACHE_BYTES_KEY}. */
  public static final long CLIENT_CACHE_BYTES_DEFAULT = 4L << 20;

  /**
   * A client considers a DataNode slow if a read takes longer than a time that the client learns
   * from earlier reads; this is the least such time, milliseconds. 0: no DataNode counts as slow.
   */
  public static final String CLIENT_HEDGE_MIN_MS_KEY = "dfs.client.ppr.hedge.min.ms";
  /** Default of {@link #CLIENT_HEDGE_MIN_MS_KEY}. */
  public static final int CLIENT_HEDGE_MIN_MS_DEFAULT = 50;

  /**
   * Whether a client updates files in place, and reads updates of other clients that are not
   * committed yet.
   */
  public static final String CLIENT_UPDATES_KEY = "dfs.client.ppr.updates";
  /** Default of {@link #CLIENT_UPDATES_KEY}. */
  public static final boolean CLIENT_UPDATES_DEFAULT = false;

  private PprKeys() {
  }
}
