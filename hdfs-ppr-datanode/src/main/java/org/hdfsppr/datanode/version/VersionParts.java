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

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.LinkFiles;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaLinksAccess;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.watch.OldReadWatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The executors of all commands for versions of files on one DataNode. Thread-safe. */
@InterfaceAudience.Private
public final class VersionParts implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(VersionParts.class);

  /** The executor of links */
  public final Linker linker;
  /** The executor of makings */
  public final Maker maker;
  /** The executor of patches */
  public final Patcher patcher;
  /** Sees whether clients read the blocks of old versions */
  public final OldReadWatch watch;

  private VersionParts(Linker linker, Maker maker, Patcher patcher, OldReadWatch watch) {
    this.watch = watch;
    this.patcher = patcher;
    this.linker = linker;
    this.maker = maker;
  }

  /**
   * Makes the executors, if this Hadoop has all that they need.
   *
   * @param datanode the DataNode
   * @param host the DataNode's throttlers and traffic
   * @param metrics counts what is done
   * @param runs makes blocks
   * @param patches what patches share
   * @param hasRepairs whether this node has repairs to do
   * @param nanoClock a monotonic clock, nanoseconds
   * @return the executors; empty if this Hadoop lacks a member, which the log says
   */
  public static Optional<VersionParts> of(DataNode datanode, DataNodeHost host,
      RepairMetrics metrics, MakingRuns runs, PatchTools patches, BooleanSupplier hasRepairs,
      LongSupplier nanoClock) {
    try {
      ReplicaLinksAccess links = ReplicaLinksAccess.of(datanode, LinkFiles.OF_SYSTEM);
      BusyBlocks busy = new BusyBlocks();
      DigestBrakes brakes =
          new DigestBrakes(host::throttleRead, hasRepairs, nanoClock);
      OldReadWatch watch = OldReadWatch.of(datanode, nanoClock);
      return Optional.of(new VersionParts(
          new Linker(datanode, host, links, metrics, runs, busy, brakes, patches.logs.lineage,
              watch, nanoClock),
          new Maker(datanode, host, links, metrics, runs, hasRepairs, busy, brakes, nanoClock),
          new Patcher(datanode, host, links, metrics, patches, busy, nanoClock), watch));
    } catch (IOException | LinkageError e) {
      LOG.warn("This DataNode takes no part in versions of files: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /** Makes the running commands end soon, and starts no further one. */
  @Override
  public void close() {
    linker.close();
    maker.close();
    patcher.close();
    watch.close();
  }

  /**
   * Waits until the running commands have ended.
   *
   * @param timeoutMs the longest wait for the commands of one kind, ms
   * @return whether they have ended
   * @throws InterruptedException if the current thread is interrupted
   */
  public boolean awaitEnd(long timeoutMs) throws InterruptedException {
    return linker.awaitEnd(timeoutMs) & maker.awaitEnd(timeoutMs)
        & patcher.awaitEnd(timeoutMs);
  }
}
