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
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaLinksAccess;
import org.hdfsppr.datanode.command.CommandExecutor;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.MakeCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.wire.FailureCause;

/**
 * Makes new blocks because managers order it. They are made as lost units are repaired, but a
 * making does not begin while this node has repairs to do. Thread-safe.
 */
@InterfaceAudience.Private
public final class Maker implements CommandExecutor<MakeCommand>, Closeable {
  /**
   * The most commands that are carried out at a time. A making is as slow as the busiest link of
   * its tree, so that with two of them a node's own link idles while other nodes' links are full.
   * Managers order no more for a node's link than this, see the NameNode's {@code LinkLoads}; this
   * number bounds the threads and the memory of a node in any case. A repair that comes finds no
   * more than these in its way.
   */
  static final int MAKERS = 8;

  private final DataNode datanode;
  private final DataNodeHost host;
  private final ReplicaLinksAccess replicas;
  private final RepairMetrics metrics;
  private final MakingRuns runs;
  private final BooleanSupplier hasRepairs;
  private final BusyBlocks busy;
  private final DigestBrakes brakes;
  private final LongSupplier nanoClock;
  private final VersionQueue queue = new VersionQueue("ppr-making", MAKERS);

  /**
   * @param datanode the DataNode
   * @param host knows whether the DataNode is registered
   * @param replicas finds replicas that are here already
   * @param metrics counts what is made
   * @param runs makes blocks
   * @param hasRepairs whether this node has repairs to do
   * @param busy the blocks that links and makings of this DataNode are at work on
   * @param brakes holds back what both read for digests
   * @param nanoClock a monotonic clock, nanoseconds
   */
  Maker(DataNode datanode, DataNodeHost host, ReplicaLinksAccess replicas, RepairMetrics metrics,
      MakingRuns runs, BooleanSupplier hasRepairs, BusyBlocks busy, DigestBrakes brakes,
      LongSupplier nanoClock) {
    this.brakes = brakes;
    this.datanode = datanode;
    this.host = host;
    this.replicas = replicas;
    this.metrics = metrics;
    this.runs = runs;
    this.hasRepairs = hasRepairs;
    this.busy = busy;
    this.nanoClock = nanoClock;
  }

  @Override
  public void start(MakeCommand command, Consumer<RepairResult> whenEnded) {
    RepairResult refusal = refusal(command);
    if (refusal != null) {
      whenEnded.accept(refusal);
      return;
    }
    List<BlockRef> here = new ArrayList<>();
    for (CommandTarget target : command.work.targets) {
      if (target.node.uuid.equals(datanode.getDatanodeUuid())) {
        here.add(command.work.group.block(target.unit));
      }
    }
    BlockRef taken = busy.take(here);
    if (taken != null) {
      whenEnded.accept(refused(command, null, "another command is at work on " + taken));
      return;
    }
    MakeJob job = new MakeJob(datanode.getDatanodeUuid(), replicas, host.syncs, metrics, runs,
        hasRepairs, busy, brakes, here, command, whenEnded, nanoClock);
    if (!queue.begin(job, command.work.deadlineMs)) {
      job.report(queue.isClosed() ? refused(command, null, VersionJob.STOPS)
          : refused(command, FailureCause.OVERLOADED, VersionQueue.WAITING_MOST
              + " makings wait here already"));
    }
  }

  /** Returns the result that refuses a command, or null if this node can carry it out. */
  private RepairResult refusal(MakeCommand command) {
    if (queue.isClosed() || !host.isKnown()) {
      return refused(command, null, queue.isClosed() ? VersionJob.STOPS
          : "the DataNode is not registered yet");
    }
    String uuid = datanode.getDatanodeUuid();
    if (!command.work.destination().uuid.equals(uuid)) {
      return refused(command, null, "the first target is "
          + command.work.destination().uuid + ", this DataNode is " + uuid);
    }
    try {
      runs.prepare(command, result -> { });
      datanode.getDNRegistrationForBP(command.work.groupId().poolId);
      return null;
    } catch (IllegalArgumentException e) {
      return refused(command, FailureCause.UNSUPPORTED, e.getMessage());
    } catch (IOException e) {
      return refused(command, null, "the block pool is not here: " + e.getMessage());
    }
  }

  private static RepairResult refused(MakeCommand command, FailureCause cause, String why) {
    return RepairResult.notTried(command.id(), command.term(), RepairOutcome.REFUSED, cause, why)
        .withVersion(VersionReport.NOTHING);
  }

  @Override
  public void cancel(MakeCommand command, String reason) {
    queue.cancel(VersionJob.key(command.work.groupId().poolId, command), reason);
  }

  /**
   * Returns null, because heartbeats list repairs only. A manager would take a making for a repair
   * of the group.
   */
  @Override
  public RunningRepair running(MakeCommand command) {
    return null;
  }

  /** Makes the running commands end soon, and starts no further one. */
  @Override
  public void close() {
    queue.close();
  }

  /**
   * Waits until the running commands have ended.
   *
   * @param timeoutMs the longest wait, ms
   * @return whether they have ended
   * @throws InterruptedException if the current thread is interrupted
   */
  public boolean awaitEnd(long timeoutMs) throws InterruptedException {
    return queue.awaitEnd(timeoutMs);
  }
}
