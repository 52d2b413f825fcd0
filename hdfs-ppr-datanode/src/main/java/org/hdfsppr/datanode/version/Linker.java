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
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaLinksAccess;
import org.hdfsppr.datanode.command.CommandExecutor;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.update.old.BlockLineage;
import org.hdfsppr.datanode.watch.OldReadWatch;
import org.hdfsppr.manage.LinkCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.wire.FailureCause;

/** Links replicas of this DataNode to new blocks because managers order it. Thread-safe. */
@InterfaceAudience.Private
public final class Linker implements CommandExecutor<LinkCommand>, Closeable {
  /**
   * The most commands that are carried out at a time. A link is a few operations on a directory,
   * and one sync of it. The file system writes the syncs of several threads together. The others go
   * on while a volume is slow, or while a volume without links copies.
   */
  static final int LINKERS = 4;

  private final DataNode datanode;
  private final DataNodeHost host;
  private final ReplicaLinksAccess links;
  private final RepairMetrics metrics;
  private final BusyBlocks busy;
  private final DigestBrakes brakes;
  private final BlockLineage lineage;
  private final OldReadWatch watch;
  private final LongSupplier nanoClock;
  private final MakingRuns runs;
  private final VersionQueue queue = new VersionQueue("ppr-links", LINKERS);
  /**
   * For commands that want digests. They read the blocks, which may take minutes; links of commits,
   * for which writers may wait, do not wait for that.
   */
  private final VersionQueue reading = new VersionQueue("ppr-links-read", LINKERS);

  /**
   * @param datanode the DataNode
   * @param host its throttlers and its traffic
   * @param links links replicas
   * @param runs computes digests
   * @param metrics counts links
   * @param busy the blocks that links and makings of this DataNode are at work on
   * @param brakes holds back what both read for digests
   * @param lineage takes note of what was linked
   * @param watch sees whether clients read what was linked
   * @param nanoClock a monotonic clock, nanoseconds
   */
  Linker(DataNode datanode, DataNodeHost host, ReplicaLinksAccess links, RepairMetrics metrics,
      MakingRuns runs, BusyBlocks busy, DigestBrakes brakes, BlockLineage lineage,
      OldReadWatch watch, LongSupplier nanoClock) {
    this.brakes = brakes;
    this.runs = runs;
    this.lineage = lineage;
    this.watch = watch;
    this.datanode = datanode;
    this.host = host;
    this.links = links;
    this.metrics = metrics;
    this.busy = busy;
    this.nanoClock = nanoClock;
  }

  @Override
  public void start(LinkCommand command, Consumer<RepairResult> whenEnded) {
    RepairResult refusal = refusal(command);
    if (refusal != null) {
      whenEnded.accept(refusal);
      return;
    }
    if (command.watchesOld) {
      // Reads count from now on, also while the links wait.
      watch.watch(command.poolId, command.links.stream().map(link -> link.from.blockId)
          .collect(Collectors.toList()));
    }
    List<BlockRef> blocks = command.links.stream().map(link -> link.to)
        .collect(Collectors.toList());
    BlockRef taken = busy.take(blocks);
    if (taken != null) {
      whenEnded.accept(refused(command, null, "another command is at work on " + taken));
      return;
    }
    LinkJob job = new LinkJob(datanode, host, links, metrics, runs, busy, brakes, lineage, command,
        whenEnded, nanoClock);
    if (!queue(command).begin(job, command.deadlineMs)) {
      job.report(queue.isClosed() ? refusedForNow(command, VersionJob.STOPS)
          : refused(command, FailureCause.OVERLOADED, VersionQueue.WAITING_MOST
              + " commands with links wait here already"));
    }
  }

  private VersionQueue queue(LinkCommand command) {
    return command.digestKey.isPresent() ? reading : queue;
  }

  /** Returns the result that refuses a command, or null if this node can carry it out. */
  private RepairResult refusal(LinkCommand command) {
    if (queue.isClosed() || !host.isKnown()) {
      return refusedForNow(command, queue.isClosed() ? VersionJob.STOPS
          : "the DataNode is not registered yet");
    }
    try {
      datanode.getDNRegistrationForBP(command.poolId);
      return null;
    } catch (IOException e) {
      return refusedForNow(command, "the block pool is not here: " + e.getMessage());
    }
  }

  /**
   * Refuses a command because this node stops or starts. The manager makes links elsewhere, and
   * asks again for digests, which no other node can compute.
   */
  private static RepairResult refusedForNow(LinkCommand command, String why) {
    return refused(command, command.digestKey.isPresent() ? FailureCause.OVERLOADED : null, why);
  }

  private static RepairResult refused(LinkCommand command, FailureCause cause, String why) {
    return RepairResult.notTried(command.id(), command.term(), RepairOutcome.REFUSED, cause, why)
        .withVersion(VersionReport.NOTHING);
  }

  @Override
  public void cancel(LinkCommand command, String reason) {
    queue(command).cancel(VersionJob.key(command.poolId, command), reason);
  }

  /** Returns null, because heartbeats list repairs only. */
  @Override
  public RunningRepair running(LinkCommand command) {
    return null;
  }

  /** Makes the running commands end soon, and starts no further one. */
  @Override
  public void close() {
    queue.close();
    reading.close();
  }

  /**
   * Waits until the running commands have ended.
   *
   * @param timeoutMs the longest wait, ms
   * @return whether they have ended
   * @throws InterruptedException if the current thread is interrupted
   */
  public boolean awaitEnd(long timeoutMs) throws InterruptedException {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    boolean haveEnded = queue.awaitEnd(timeoutMs);
    long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
    return reading.awaitEnd(Math.max(0, leftMs)) && haveEnded;
  }
}
