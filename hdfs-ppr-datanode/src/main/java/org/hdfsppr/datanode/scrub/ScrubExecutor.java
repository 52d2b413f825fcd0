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
package org.hdfsppr.datanode.scrub;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.datanode.command.CommandExecutor;
import org.hdfsppr.datanode.command.JobPool;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.plan.ZeroSumPlan;
import org.hdfsppr.plan.ZeroSumPlanner;
import org.hdfsppr.stream.RateThrottle;
import org.hdfsppr.stream.SumRead;
import org.hdfsppr.verify.GroupReadings;
import org.hdfsppr.verify.ReadWatch;
import org.hdfsppr.verify.WrongSlices;
import org.hdfsppr.verify.WrongUnitEvidence;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the checks of block groups that managers order. One check runs at a time, and some
 * more may wait. A check gives way to repairs: it does not begin while this node leads a repair,
 * and it ends when a repair begins. The manager then orders the check again. Thread-safe.
 */
@InterfaceAudience.Private
public final class ScrubExecutor implements CommandExecutor<ScrubCommand>, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubExecutor.class);
  /** Logs lines that a manager can cause with each command, at a bounded rate. */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);
  private static final String REPAIRS_FIRST = "repairs on this node go first";

  private final DataNode datanode;
  private final DataNodeHost host;
  private final GroupReadings.Parts readings;
  private final UnaryOperator<NodeRef> asKnown;
  private final BooleanSupplier hasRepairs;
  private final int sliceBytes;
  private final LongSupplier nanoClock;
  /** Runs one check; the others wait. */
  private final JobPool<String, Job> jobs =
      new JobPool<>("ppr-check", 1, ScrubCommand.AT_A_TIME - 1, false);

  /**
   * @param datanode the DataNode
   * @param host says whether the DataNode has registered with a NameNode
   * @param readings the connections, the kernel and the memory that checks use
   * @param asKnown returns a node as given, or without its port for repairs if this DataNode knows
   *     that the node serves none
   * @param hasRepairs returns whether repairs that this node leads run or wait
   * @param sliceBytes the most bytes of a slice
   * @param nanoClock a monotonic clock, nanoseconds
   */
  public ScrubExecutor(DataNode datanode, DataNodeHost host, GroupReadings.Parts readings,
      UnaryOperator<NodeRef> asKnown, BooleanSupplier hasRepairs, int sliceBytes,
      LongSupplier nanoClock) {
    this.datanode = datanode;
    this.host = host;
    this.readings = readings;
    this.asKnown = asKnown;
    this.hasRepairs = hasRepairs;
    this.sliceBytes = sliceBytes;
    this.nanoClock = nanoClock;
  }

  @Override
  public void start(ScrubCommand command, Consumer<RepairResult> whenEnded) {
    Job job = new Job(command, whenEnded);
    ScrubEnding refusal = refusal(command);
    if (refusal == null) {
      refusal = refusal(jobs.begin(key(command), job, command.deadlineMs));
    }
    if (refusal != null) {
      job.report(refusal);
    }
  }

  /**
   * Returns the key of a command's job. It contains the block pool, because NameNodes of other
   * block pools may use the same id.
   */
  private static String key(ScrubCommand command) {
    return command.groupId().poolId + " " + command.id();
  }

  /** Returns null if a check has begun, or the ending that refuses it. */
  private static ScrubEnding refusal(JobPool.Begin begin) {
    switch (begin) {
      case BEGUN:
        return null;
      case CLOSED:
        return ScrubEnding.notChecked(JobPool.STOPS);
      case UNDER_WAY:
        return ScrubEnding.notChecked("the same check is under way here already");
      default:
        return ScrubEnding.notChecked(ScrubCommand.AT_A_TIME
            + " checks are under way here already").givingWay();
    }
  }

  /** Returns the ending that refuses a command, or null if this node can carry it out. */
  private ScrubEnding refusal(ScrubCommand command) {
    if (jobs.isClosed() || !host.isKnown()) {
      return ScrubEnding.notChecked(
          jobs.isClosed() ? JobPool.STOPS : "the DataNode is not registered yet");
    }
    try {
      datanode.getDNRegistrationForBP(command.groupId().poolId);
    } catch (IOException e) {
      return ScrubEnding.notChecked("the block pool is not here: " + e.getMessage());
    }
    if (hasRepairs.getAsBoolean()) {
      return ScrubEnding.notChecked(REPAIRS_FIRST).givingWay();
    }
    long longest = 0;
    for (UnitHolder holder : command.holders) {
      longest = Math.max(longest, command.layout.length(holder.unit));
    }
    long ms = TimeUnit.SECONDS.toMillis(longest) / command.bytesPerSecond;
    return ms <= command.deadlineMs ? null : ScrubEnding.notChecked("its units of " + longest
        + " bytes take " + ms + " ms at " + command.bytesPerSecond + " bytes per second, and the"
        + " check has " + command.deadlineMs);
  }

  @Override
  public void cancel(ScrubCommand command, String reason) {
    jobs.end(key(command), "cancelled: " + reason);
  }

  /** A check from its command to its result. */
  private final class Job implements JobPool.Job, GroupScrub.Readings {
    private final ScrubCommand command;
    private final Consumer<RepairResult> whenEnded;
    private final ScrubControl control;
    private final GroupReadings group;
    private final long startNanos = nanoClock.getAsLong();
    /** The reason in the ending if the deadline ends the check. */
    private final String late;
    private ScrubEnding ending = ScrubEnding.notChecked("an error ended the check");

    Job(ScrubCommand command, Consumer<RepairResult> whenEnded) {
      this.command = command;
      this.whenEnded = whenEnded;
      this.late = JobPool.late(command.deadlineMs);
      this.control = new ScrubControl(command.bytesPerSecond, hasRepairs, nanoClock);
      this.group = new GroupReadings(readings, command.id(), command.layout,
          source -> datanode.getBlockAccessToken(source.block.toExtendedBlock(),
              EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, new String[0]), control,
          command.bytesPerSecond);
    }

    @Override
    public String subject() {
      return "of " + command.groupId();
    }

    @Override
    public void run() {
      try {
        ending = check();
      } catch (IOException e) {
        ending = ScrubEnding.notChecked(e.getMessage());
      } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
        LOG.warn("Check {} of {} has failed", command.id(), command.groupId(), e);
        ending = ScrubEnding.notChecked(e.toString());
      }
    }

    /** Reports the result only now, because the manager may at once order another check. */
    @Override
    public void left() {
      report(control.hasGivenWay() ? ending.givingWay() : ending);
    }

    private ScrubEnding check() throws IOException {
      // While the check waited in the queue, a manager may have ended it, or a repair may have
      // come.
      if (control.endedBecause() != null) {
        return notBegun(control.endedBecause());
      }
      if (hasRepairs.getAsBoolean()) {
        return ScrubEnding.notChecked(REPAIRS_FIRST).givingWay();
      }
      LinearCode code = Codes.forCodec(datanode.getConf(), command.codec,
          command.layout.dataUnits(), command.layout.parityUnits());
      return new GroupScrub(command, code, sliceBytes, datanode.getDatanodeUuid(), asKnown, this)
          .check();
    }

    @Override
    public WrongSlices sums(ZeroSumPlan plan) throws IOException {
      return group.sums(plan);
    }

    @Override
    public WrongUnitEvidence oneByOne(ZeroSumPlanner planner, List<UnitHolder> live,
        List<Integer> slices)
        throws IOException {
      return group.oneByOne(planner, live, slices);
    }

    @Override
    public String endedBecause() {
      return control.endedBecause();
    }

    @Override
    public String changed() {
      return ScrubExecutor.this.changed(command);
    }

    @Override
    public void end(String reason) {
      control.end(reason);
    }

    @Override
    public void drop(String reason) {
      report(notBegun(control.endedBecause()));
    }

    /**
     * Returns the ending of a check that has only waited. If its deadline has passed, this node was
     * busy with other checks. That says nothing about the group, so the manager orders it again.
     */
    private ScrubEnding notBegun(String why) {
      return why.equals(late)
          ? ScrubEnding.notChecked(why + ", other checks of this node went first").givingWay()
          : ScrubEnding.notChecked(why);
    }

    void report(ScrubEnding ending) {
      ScrubOutcome outcome = ending.finding.outcome;
      if (outcome == ScrubOutcome.AGREES) {
        LOG.debug("Check {} of {}: {}", command.id(), command.groupId(), ending);
      } else {
        PEER_LOG.info("ended " + outcome, "Check {} of {}: {}", command.id(), command.groupId(),
            ending);
      }
      whenEnded.accept(ending.result(command,
          TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - startNanos)));
    }
  }

  /**
   * Returns how a unit on this node differs from the command's description; null if no unit
   * differs.
   */
  private String changed(ScrubCommand command) {
    String pool = command.groupId().poolId;
    for (UnitHolder holder : command.holders) {
      if (!holder.node.uuid.equals(datanode.getDatanodeUuid())) {
        continue;
      }
      Block stored = stored(pool, command.groupId().blockId(holder.unit));
      if (stored == null) {
        return "unit " + holder.unit + " is not on this DataNode any more";
      }
      if (stored.getGenerationStamp() != command.groupId().generationStamp
          || stored.getNumBytes() != command.layout.length(holder.unit)) {
        return "unit " + holder.unit + " has changed: it is " + stored + " here";
      }
    }
    return null;
  }

  /** Returns the replica of a block on this DataNode, in any state; null if there is no replica. */
  private Block stored(String pool, long blockId) {
    try {
      return datanode.getFSDataset().getStoredBlock(pool, blockId);
    } catch (ReplicaNotFoundException e) {
      // Hadoop 3.5 throws where older versions return null.
      return null;
    } catch (IOException e) {
      LOG.debug("Block {} of {} cannot be looked up", blockId, pool, e);
      return null;
    }
  }

  /** Makes all checks end soon, and starts no further check. */
  @Override
  public void close() {
    jobs.close();
  }

  /**
   * Waits until all checks have ended.
   *
   * @param timeoutMs the longest wait, ms
   * @return whether they have ended
   * @throws InterruptedException if the current thread is interrupted
   */
  public boolean awaitEnd(long timeoutMs) throws InterruptedException {
    return jobs.awaitEnd(timeoutMs);
  }

  /**
   * Slows a check down to its rate. Ends it early if a manager cancels it, if its deadline passes,
   * or if this node gets a repair to lead. Thread-safe.
   */
  static final class ScrubControl implements ReadWatch {
    private static final String REPAIR = "a repair on this node goes first";

    private final RateThrottle pace;
    private final BooleanSupplier hasRepairs;
    private SumRead reading;
    private String endedBecause;

    /**
     * @param bytesPerSecond the most bytes of a unit that each node of the tree reads in a second
     * @param hasRepairs returns whether repairs that this node leads run or wait
     * @param nanoClock a monotonic clock, nanoseconds
     */
    ScrubControl(long bytesPerSecond, BooleanSupplier hasRepairs, LongSupplier nanoClock) {
      this.pace = new RateThrottle(bytesPerSecond, nanoClock);
      this.hasRepairs = hasRepairs;
    }

    @Override
    public synchronized void begin(SumRead read) throws IOException {
      requireGoing();
      reading = read;
    }

    @Override
    public synchronized void end() {
      reading = null;
    }

    /**
     * Waits as long as the rate demands. Waits also after the last slice, because the next check
     * would otherwise begin too early for the rate. A slice has at most the bytes that the rate
     * allows in a second, so that the wait is too short to look like a failure to other nodes. The
     * other nodes of the tree keep to the rate by themselves. Nodes of older versions do not: they
     * read on until the buffers of their connections are full, and wait only then.
     */
    @Override
    public void took(long bytes) throws IOException {
      if (hasRepairs.getAsBoolean()) {
        end(REPAIR);
      }
      synchronized (this) {
        pace.read(bytes);
        try {
          for (long nanos = pace.owedNanos(); nanos > 0 && endedBecause == null;
              nanos = pace.owedNanos()) {
            wait(TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw (IOException) new InterruptedIOException("the check was interrupted").initCause(e);
        }
        requireGoing();
      }
    }

    private void requireGoing() throws IOException {
      if (endedBecause != null) {
        throw new IOException(endedBecause);
      }
    }

    /** Makes the check end soon. Only the first reason counts. */
    synchronized void end(String reason) {
      if (endedBecause == null) {
        endedBecause = reason;
      }
      if (reading != null) {
        reading.abort();
      }
      notifyAll();
    }

    /** Returns whether the check ends early because this node has a repair to lead. */
    synchronized boolean hasGivenWay() {
      return REPAIR.equals(endedBecause);
    }

    /** Returns why the check has to end early; null if it goes on. */
    synchronized String endedBecause() {
      return endedBecause;
    }
  }
}
