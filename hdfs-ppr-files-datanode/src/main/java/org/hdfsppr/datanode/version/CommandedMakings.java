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
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.hdfsppr.datanode.metrics.VersionCount;
import org.hdfsppr.datanode.repair.CommandedOrder;
import org.hdfsppr.datanode.repair.JobEnding;
import org.hdfsppr.datanode.repair.RepairContext;
import org.hdfsppr.datanode.repair.RepairJob;
import org.hdfsppr.datanode.replica.ReplicaSync;
import org.hdfsppr.digest.DigestKey;
import org.hdfsppr.digest.LinearDigest;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.stream.UnitSource;

/**
 * Makes blocks for versions of files, in the same way as repairs rebuild lost units, and with the
 * memory and connections that repairs of this DataNode use, too. Thread-safe.
 */
final class CommandedMakings implements MakingRuns {
  private final RepairContext context;
  private final ScheduledExecutorService timer;
  private final ReplicaSync sync;

  /**
   * @param context the parts that all repairs of this DataNode share
   * @param timer the timer that ends attempts which take too long
   * @param sync forces the names of the new replicas to the disk
   */
  CommandedMakings(RepairContext context, ScheduledExecutorService timer, ReplicaSync sync) {
    this.context = context;
    this.timer = timer;
    this.sync = sync;
  }

  @Override
  public Making prepare(MakeCommand command, Consumer<RepairResult> whenEnded) {
    RepairJob job = new RepairJob(context, new MadeOrder(context, command, sync, whenEnded),
        command.id(), timer);
    return new Making() {
      @Override
      public void run() {
        job.run();
      }

      @Override
      public void cancel(String reason) {
        job.end(reason);
      }
    };
  }

  @Override
  public int digest(BlockRef block, DigestKey key, LinearDigest.Watch watch) throws IOException {
    boolean isDone = false;
    try {
      // The watch may wait for minutes, for example while this node has repairs. So it is called
      // once before the block is opened.
      watch.read(0);
      try (UnitSource unit = context.host.openLocal(block.toExtendedBlock())) {
        int digest =
            LinearDigest.of(unit, key, context.kernel, context.memory.spare(), watch);
        isDone = true;
        return digest;
      }
    } finally {
      if (!isDone) {
        context.metrics.versions(VersionCount.DIGESTS_FAILED, 1);
      }
    }
  }

  /**
   * The NameNode's order to make blocks for a version of a file. This node makes them in the same
   * way as it repairs lost units, but at the rate of the command. While they are missing, no data
   * are lost. So such an order always gives way to users, and does not count as a repair.
   */
  static final class MadeOrder extends CommandedOrder {
    private final MakeCommand command;
    private final ReplicaSync sync;
    private final AtomicLong received = new AtomicLong();
    private volatile long read;

    /**
     * @param context the parts that all repairs of this DataNode share
     * @param command the NameNode's command
     * @param sync forces the names of the new replicas to the disk
     * @param whenEnded takes the result; called once
     * @throws IllegalArgumentException if the command names a tree shape that this DataNode does
     *     not know
     */
    MadeOrder(RepairContext context, MakeCommand command, ReplicaSync sync,
        Consumer<RepairResult> whenEnded) {
      super(context, command.work, whenEnded);
      this.command = command;
      this.sync = sync;
    }

    @Override
    public boolean isUrgent() {
      return false;
    }

    @Override
    public boolean isRepair() {
      return false;
    }

    @Override
    public ReplicaSync sync() {
      return sync;
    }

    /**
     * If all parities of the code are made, as for the XOR of a CORE column, there is no further
     * parity by which they could be checked. The NameNode knows this, and later checks the new
     * blocks by the code of their own group.
     */
    @Override
    public boolean isCheckedByManager() {
      GroupSnapshot group = command.work.group;
      return group.units() - group.dataUnits() == command.work.targets.size();
    }

    @Override
    public long bytesPerSecond() {
      return command.bytesPerSecond;
    }

    @Override
    public void received(long bytes) {
      received.addAndGet(bytes);
    }

    @Override
    protected void count(JobEnding ending) {
      read = ending.outcome.bytesRead;
    }

    @Override
    protected RepairResult marked(RepairResult result) {
      boolean isPart = result.outcome == RepairOutcome.REBUILT
          && result.rebuiltUnits.size() < command.work.targets.size();
      return (isPart ? result.asFailed() : result)
          .withVersion(new VersionReport(0, 0, result.bytes, read, received.get()));
    }
  }
}
