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
package org.hdfsppr.datanode.version;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaLinksAccess;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaLinksAccess.FinalisedReplica;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.plan.BlockRef;

/**
 * The replicas of one DataNode, as the jobs of versions find, copy and report them. The jobs of all
 * kinds share it, so that only one of them works on a block at a time. Thread-safe.
 */
final class VersionReplicas {
  final DataNode datanode;
  final DataNodeHost host;
  final ReplicaLinksAccess links;
  final RepairMetrics metrics;
  final BusyBlocks busy = new BusyBlocks();
  final ReplicaSyncs syncs;
  final DigestThrottle brakes;
  final LongSupplier nanoClock;

  /**
   * @param datanode the DataNode
   * @param host its throttlers and its traffic
   * @param links finds and links replicas
   * @param metrics counts what jobs do
   * @param syncs forces replicas to the disk
   * @param brakes holds back what jobs read for digests
   * @param nanoClock a monotonic clock, nanoseconds
   */
  VersionReplicas(DataNode datanode, DataNodeHost host, ReplicaLinksAccess links,
      RepairMetrics metrics, ReplicaSyncs syncs, DigestThrottle brakes, LongSupplier nanoClock) {
    this.datanode = datanode;
    this.host = host;
    this.links = links;
    this.metrics = metrics;
    this.syncs = syncs;
    this.brakes = brakes;
    this.nanoClock = nanoClock;
  }

  String uuid() {
    return datanode.getDatanodeUuid();
  }

  /**
   * Reports a replica that is here already once more. An earlier command, another DataNode, or a
   * process before this one may have made it, and may have ended before its syncs.
   *
   * @return whether there is such a replica
   */
  boolean reportsAgain(ExtendedBlock block) throws IOException {
    FinalisedReplica there = links.finalised(block);
    if (there == null) {
      return false;
    }
    syncs.batch().forceAll(block);
    links.report(block, there);
    return true;
  }

  /** Copies a replica as {@link ReplicaCopy} does, to a storage of the same type. */
  void copy(ExtendedBlock from, ExtendedBlock to, Supplier<String> endedBecause,
      ReplicaChange change) throws IOException {
    ReplicaCopy.copy(datanode, host, syncs, from, to, links.source(from), endedBecause, change);
  }

  /**
   * Ensures that only one command at a time links or makes a block on this DataNode. Thread-safe.
   */
  public static final class BusyBlocks {
    private final Set<String> busy = new HashSet<>();

    private static String key(BlockRef block) {
      return block.poolId + ":" + block.blockId;
    }

    /**
     * Claims blocks for a command, either all of them or none.
     *
     * @return a block that another command has claimed; null if this command has claimed all
     */
    synchronized BlockRef take(Collection<BlockRef> blocks) {
      for (BlockRef block : blocks) {
        if (busy.contains(key(block))) {
          return block;
        }
      }
      blocks.forEach(block -> busy.add(key(block)));
      return null;
    }

    /** Gives back blocks that {@link #take} has claimed. */
    synchronized void release(Collection<BlockRef> blocks) {
      blocks.forEach(block -> busy.remove(key(block)));
    }
  }
}
