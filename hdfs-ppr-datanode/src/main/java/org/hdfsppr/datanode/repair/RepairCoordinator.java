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

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.hdfsppr.datanode.command.JobPool;
import org.hdfsppr.datanode.metrics.FallbackReason;
import org.hdfsppr.datanode.takeover.RepairTarget;
import org.hdfsppr.datanode.takeover.StockTask;
import org.hdfsppr.datanode.takeover.TaskHandler;
import org.hdfsppr.datanode.takeover.TaskOutcome;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.FailureCause;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the repairs whose destination is this DataNode. This class takes the tasks that stock
 * schedules and the commands of repair managers, one repair at a time for each block group, and
 * runs them on a bounded pool. Stock runs the tasks that this class refuses. Thread-safe.
 */
final class RepairCoordinator implements TaskHandler, CommandedRepairs, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(RepairCoordinator.class);

  private final RepairContext context;
  private final JobPool<GroupId, RepairJob> jobs;
  private final CommandedTransfers transfers;
  private final AtomicLong taken = new AtomicLong();

  RepairCoordinator(RepairContext context) {
    this.context = context;
    this.transfers = new CommandedTransfers(context.datanode);
    this.jobs = new JobPool<>("ppr-repair", context.settings.repairThreads,
        context.settings.repairQueue(), true);
  }

  @Override
  public boolean offer(StockTask task) {
    if (jobs.isClosed() || !context.host.isKnown()) {
      return refuse(task, jobs.isClosed() ? FallbackReason.STOPPING : FallbackReason.NOT_READY);
    }
    String uuid = context.datanode.getDatanodeUuid();
    if (task.targets().isEmpty() || !isTarget(task, uuid)) {
      // This DataNode is no target of the task. The stock worker writes to remote targets, so it
      // can handle the task.
      return refuse(task, FallbackReason.OTHER);
    }
    RepairJob job = new RepairJob(context, new StockOrder(context, task),
        uuid + "-" + taken.incrementAndGet(), jobs.timer);
    switch (jobs.begin(job.group, job)) {
      case BEGUN:
        return true;
      case UNDER_WAY:
        // The NameNode has sent the task again before the first repair ended. A second repair would
        // only race with the first, so this node drops the task.
        LOG.info("A repair of {} is under way, a second task for it is dropped", job.group);
        task.finishedByUs(TaskOutcome.failed(0, 0, 0));
        return true;
      case FULL:
        return refuse(task, FallbackReason.QUEUE_FULL);
      case CLOSED:
      default:
        return refuse(task, FallbackReason.STOPPING);
    }
  }

  private static boolean isTarget(StockTask task, String uuid) {
    for (RepairTarget target : task.targets()) {
      if (target.node.getDatanodeUuid().equals(uuid)) {
        return true;
      }
    }
    return false;
  }

  private boolean refuse(StockTask task, FallbackReason reason) {
    context.metrics.fallback(reason);
    ExtendedBlock block = task.blockGroup();
    LOG.warn("The task for {} goes to the stock worker: {}", block, reason);
    return false;
  }

  @Override
  public void start(RepairCommand command, Consumer<RepairResult> whenEnded) {
    RepairResult refusal = refusal(command);
    if (refusal != null) {
      refuse(command, refusal, whenEnded);
      return;
    }
    transfers.begin();
    CommandedOrder order = new CommandedOrder(context, command, result -> {
      transfers.end();
      whenEnded.accept(result);
    });
    RepairJob job = new RepairJob(context, order, command.repairId, jobs.timer);
    JobPool.Begin begin = null;
    try {
      begin = jobs.begin(job.group, job, command.deadlineMs);
    } finally {
      if (begin != JobPool.Begin.BEGUN) {
        transfers.end();
      }
    }
    if (begin == JobPool.Begin.BEGUN) {
      LOG.info("Repair {} of {}: commanded in term {}, units of {} with {}", command.repairId,
          command.groupId(), command.term(), command.targets, command.topology);
      return;
    }
    refuse(command, begin == JobPool.Begin.UNDER_WAY
        ? refused(command, null, "a repair of the group is under way here already")
        : refused(command, FailureCause.OVERLOADED, begin == JobPool.Begin.CLOSED ? JobPool.STOPS
            : "the queue of repairs is full"), whenEnded);
  }

  private static void refuse(RepairCommand command, RepairResult refusal,
      Consumer<RepairResult> whenEnded) {
    LOG.warn("Repair {} of {}: the command is refused: {}", command.repairId, command.groupId(),
        refusal);
    whenEnded.accept(refusal);
  }

  private static RepairResult refused(RepairCommand command, FailureCause cause, String why) {
    return RepairResult.notTried(command.repairId, command.term(), RepairOutcome.REFUSED, cause,
        why);
  }

  /** Returns the result that refuses a command, or null if this node can carry out the command. */
  private RepairResult refusal(RepairCommand command) {
    if (jobs.isClosed() || !context.host.isKnown()) {
      return refused(command, null, jobs.isClosed() ? JobPool.STOPS
          : "the DataNode is not registered yet");
    }
    String uuid = context.datanode.getDatanodeUuid();
    if (!command.destination().uuid.equals(uuid)) {
      return refused(command, null, "the first target is " + command.destination().uuid
          + ", this DataNode is " + uuid);
    }
    for (RepairJob job : jobs.jobs()) {
      if (job.group.groupId == command.groupId().groupId
          && job.group.poolId.equals(command.groupId().poolId)) {
        return refused(command, null, "a repair of the group is under way here already, "
            + job.repairId);
      }
    }
    try {
      new CommandedOrder(context, command, result -> { });
    } catch (IllegalArgumentException e) {
      return refused(command, FailureCause.UNSUPPORTED, e.getMessage());
    }
    try {
      return contradicted(command);
    } catch (IOException e) {
      return refused(command, null, "the block pool is not here: " + e.getMessage());
    }
  }

  /**
   * Returns a result that refuses the command if a replica on this DataNode shows that the command
   * is out of date, or else null.
   */
  private RepairResult contradicted(RepairCommand command) throws IOException {
    GroupId group = command.groupId();
    context.datanode.getDNRegistrationForBP(group.poolId);
    for (int unit = 0; unit < command.group.units(); unit++) {
      BlockRef block = command.group.block(unit);
      Block stored = stored(block.poolId, block.blockId);
      if (stored != null && stored.getGenerationStamp() > block.generationStamp) {
        return RepairResult.notTried(command.repairId, command.term(), RepairOutcome.STALE,
            FailureCause.STALE_REPLICA, "unit " + unit + " is here with generation stamp "
                + stored.getGenerationStamp());
      }
      if (stored != null && stored.getGenerationStamp() == block.generationStamp
          && isHere(command, unit)) {
        return refused(command, null, "a replica of unit " + unit + " is here already");
      }
    }
    return null;
  }

  /** Returns the replica of a block on this DataNode, in any state; null if there is no replica. */
  private Block stored(String poolId, long blockId) throws IOException {
    try {
      return context.datanode.getFSDataset().getStoredBlock(poolId, blockId);
    } catch (ReplicaNotFoundException e) {
      // Hadoop 3.5 throws where older versions return null.
      return null;
    }
  }

  private static boolean isHere(RepairCommand command, int unit) {
    for (CommandTarget target : command.targets) {
      if (target.unit == unit && target.node.equals(command.destination())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void cancel(RepairCommand command, String reason) {
    RepairJob job = job(command);
    if (job != null) {
      jobs.end(command.groupId(), job, reason);
    }
  }

  /** Returns the job of a command; null if it has ended, or never begun. */
  private RepairJob job(RepairCommand command) {
    RepairJob job = jobs.get(command.groupId());
    return job != null && job.repairId.equals(command.repairId) ? job : null;
  }

  @Override
  public int donePercent(RepairCommand command) {
    RepairJob job = job(command);
    return job == null ? 0 : job.donePercent();
  }

  @Override
  public int led() {
    return jobs.size();
  }

  @Override
  public int freeSlots() {
    return jobs.isClosed() ? 0 : Math.max(0, context.settings.repairThreads - jobs.size());
  }

  /** Makes all repairs end soon, and starts no further repair. */
  @Override
  public void close() {
    jobs.close();
  }

  /** Waits until the running repairs have ended; returns false if they have not ended in time. */
  boolean awaitEnd(long timeoutMs) throws InterruptedException {
    return jobs.awaitEnd(timeoutMs);
  }

  /**
   * Makes the commanded repairs that are under way count as one transfer in stock's scheduling,
   * however many there are. The repair manager limits the repairs of a node itself, by the node's
   * load. If each commanded repair counted as a task of stock does, a single repair would use up
   * all transfers that the node may run at a time (two by default). While repairs run one after
   * another for hours, the NameNode would then not order this node to copy blocks that have too few
   * replicas. Thread-safe.
   */
  static final class CommandedTransfers {
    private final DataNode datanode;
    private int underWay;

    CommandedTransfers(DataNode datanode) {
      this.datanode = datanode;
    }

    synchronized void begin() {
      if (underWay++ == 0) {
        datanode.incrementXmitsInProcess(1);
      }
    }

    synchronized void end() {
      if (--underWay == 0) {
        datanode.decrementXmitsInProgress(1);
      }
    }
  }
}
