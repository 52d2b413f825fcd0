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
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaLinksAccess;
import org.hdfsppr.datanode.command.CommandExecutor;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.manage.PatchCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.wire.FailureCause;

/** Copies and changes units for commits because managers order it. Thread-safe. */
@InterfaceAudience.Private
public final class Patcher implements CommandExecutor<PatchCommand>, Closeable {
  /**
   * The most commands that are carried out at a time. Each copies a unit, which takes a disk; a
   * second one goes on while the first waits for the sums of other nodes.
   */
  static final int PATCHERS = 2;

  private final DataNode datanode;
  private final DataNodeHost host;
  private final ReplicaLinksAccess links;
  private final RepairMetrics metrics;
  private final PatchTools tools;
  private final BusyBlocks busy;
  private final LongSupplier nanoClock;
  private final VersionQueue queue = new VersionQueue("ppr-patches", PATCHERS);

  /**
   * @param datanode the DataNode
   * @param host its throttlers and its traffic
   * @param links finds replicas
   * @param metrics counts patches
   * @param tools what patches share
   * @param busy the blocks that links, makings and patches of this DataNode are at work on
   * @param nanoClock a monotonic clock, nanoseconds
   */
  public Patcher(DataNode datanode, DataNodeHost host, ReplicaLinksAccess links,
      RepairMetrics metrics, PatchTools tools, BusyBlocks busy, LongSupplier nanoClock) {
    this.tools = tools;
    this.datanode = datanode;
    this.host = host;
    this.links = links;
    this.metrics = metrics;
    this.busy = busy;
    this.nanoClock = nanoClock;
  }

  @Override
  public void start(PatchCommand command, Consumer<RepairResult> whenEnded) {
    RepairResult refusal = refusal(command);
    if (refusal != null) {
      whenEnded.accept(refusal);
      return;
    }
    BlockRef taken = busy.take(List.of(command.to()));
    if (taken != null) {
      whenEnded.accept(refused(command, null, "another command is at work on " + taken));
      return;
    }
    PatchJob job = new PatchJob(datanode, host, links, metrics, tools, busy, command, whenEnded,
        nanoClock);
    if (!queue.begin(job, command.deadlineMs)) {
      job.report(queue.isClosed() ? refused(command, null, VersionJob.STOPS)
          : refused(command, FailureCause.OVERLOADED, VersionQueue.WAITING_MOST
              + " patches wait here already"));
    }
  }

  /** Returns the result that refuses a command, or null if this node can carry it out. */
  private RepairResult refusal(PatchCommand command) {
    if (queue.isClosed() || !host.isKnown()) {
      return refused(command, null, queue.isClosed() ? VersionJob.STOPS
          : "the DataNode is not registered yet");
    }
    try {
      datanode.getDNRegistrationForBP(command.old.poolId);
      return null;
    } catch (IOException e) {
      return refused(command, null, "the block pool is not here: " + e.getMessage());
    }
  }

  private static RepairResult refused(PatchCommand command, FailureCause cause, String why) {
    return RepairResult.notTried(command.id(), command.term(), RepairOutcome.REFUSED, cause, why)
        .withVersion(VersionReport.NOTHING);
  }

  @Override
  public void cancel(PatchCommand command, String reason) {
    queue.cancel(VersionJob.key(command.old.poolId, command), reason);
  }

  /** Returns null, because heartbeats list repairs only. */
  @Override
  public RunningRepair running(PatchCommand command) {
    return null;
  }

  /** Makes the running commands end soon, and starts no further one. */
  @Override
  public void close() {
    queue.close();
    tools.close();
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
