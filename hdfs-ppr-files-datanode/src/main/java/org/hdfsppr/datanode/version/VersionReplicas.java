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
 * Finds, copies and reports the replicas of one DataNode for jobs that link, make or patch units.
 * All these jobs share this object, because it ensures that only one of them works on a block at a
 * time. Thread-safe.
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
   * @param host the DataNode's throttlers and its counts of traffic
   * @param links finds and links replicas
   * @param metrics counts what jobs do
   * @param syncs forces replicas to the disk
   * @param brakes slows down the reads of jobs that compute digests
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
   * If a replica is on this DataNode already, syncs it to the disk, and reports it to the NameNode
   * once more. The replica may come from an earlier command, from another DataNode, or from this
   * DataNode before its restart, and may not have been synced then.
   *
   * @return whether this DataNode has the replica
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

  /** Copies a replica to a storage of the same type, see {@link ReplicaCopy}. */
  void copy(ExtendedBlock from, ExtendedBlock to, Supplier<String> endedBecause,
      ReplicaChange change) throws IOException {
    ReplicaCopy.copy(datanode, host, syncs, from, to, links.source(from), endedBecause, change);
  }

  /**
   * Ensures that only one command at a time links, makes or patches a block on this DataNode.
   * Thread-safe.
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
