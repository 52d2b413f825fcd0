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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
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
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.datanode.command.CommandExecutor;
import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;
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
 * Carries out the checks that managers order, one at a time; some may wait for their turn. A check
 * gives way to everything else: it does not begin while this node has repairs to do, and it ends
 * when one comes. The manager orders it again. Thread-safe.
 */
@InterfaceAudience.Private
public final class ScrubExecutor implements CommandExecutor<ScrubCommand>, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubExecutor.class);
  /** Logs what a manager can cause with each command. */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);
  private static final String STOPS = "the DataNode stops";
  private static final String REPAIRS_FIRST = "repairs on this node go first";
  /** A node without checks keeps its thread for so long, seconds. */
  private static final int IDLE_SECONDS = 60;

  private final DataNode datanode;
  private final DataNodeHost host;
  private final GroupReadings.Parts readings;
  private final UnaryOperator<NodeRef> asKnown;
  private final BooleanSupplier hasRepairs;
  private final int sliceBytes;
  private final LongSupplier nanoClock;
  /**
   * A check that has just given its place back may still have the thread, so that all places may be
   * taken by checks that wait. {@link #jobs} sees to it that there are no further ones.
   */
  private final ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, IDLE_SECONDS,
      TimeUnit.SECONDS, new ArrayBlockingQueue<>(ScrubCommand.AT_A_TIME),
      new Daemon.DaemonFactory());
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, new Daemon.DaemonFactory());
  /** The checks that have places, {@link ScrubCommand#AT_A_TIME} at the most. */
  private final Set<Job> jobs = new HashSet<>();
  private volatile boolean closed;

  /**
   * @param datanode the DataNode
   * @param host what it is to a tree that it leads
   * @param readings connections, arithmetic and memory of checks
   * @param asKnown gives the reference to a node with the port that this node knows of
   * @param hasRepairs whether this node has repairs to do
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
    pool.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
  }

  @Override
  public void start(ScrubCommand command, Consumer<RepairResult> whenEnded) {
    Job job = new Job(command, whenEnded);
    ScrubEnding refusal = refusal(command);
    if (refusal == null) {
      refusal = begin(job);
    }
    if (refusal != null) {
      job.report(refusal);
    }
  }

  /** Returns null if the job has begun, or else why not. */
  private ScrubEnding begin(Job job) {
    synchronized (jobs) {
      if (jobs.size() == ScrubCommand.AT_A_TIME) {
        return ScrubEnding.notChecked(ScrubCommand.AT_A_TIME
            + " checks are under way here already").givingWay();
      }
      jobs.add(job);
    }
    try {
      job.deadline = timer.schedule(() -> job.end(job.late), job.command.deadlineMs,
          TimeUnit.MILLISECONDS);
      pool.execute(job);
      return null;
    } catch (RejectedExecutionException e) {
      job.leave();
      return ScrubEnding.notChecked(STOPS);
    }
  }

  /** Returns why this node does not try a command, or null if it does. */
  private ScrubEnding refusal(ScrubCommand command) {
    if (closed || !host.isKnown()) {
      return ScrubEnding.notChecked(closed ? STOPS : "the DataNode is not registered yet");
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
    underWay().stream().filter(job -> job.command.id().equals(command.id()))
        .forEach(job -> job.end("cancelled: " + reason));
  }

  private List<Job> underWay() {
    synchronized (jobs) {
      return new ArrayList<>(jobs);
    }
  }

  /**
   * Returns null: heartbeats list repairs only. A manager that knows no checks would take a check
   * for a repair of the group.
   */
  @Override
  public RunningRepair running(ScrubCommand command) {
    return null;
  }

  /** A check from its command to its result. */
  private final class Job implements Runnable, GroupScrub.Readings {
    private final ScrubCommand command;
    private final Consumer<RepairResult> whenEnded;
    private final ScrubControl control;
    private final GroupReadings group;
    private final long startNanos = nanoClock.getAsLong();
    /** Why the deadline ends it. */
    private final String late;
    private volatile Future<?> deadline;

    Job(ScrubCommand command, Consumer<RepairResult> whenEnded) {
      this.command = command;
      this.whenEnded = whenEnded;
      this.late = "not done within " + command.deadlineMs + " ms";
      this.control = new ScrubControl(command.bytesPerSecond, hasRepairs, nanoClock);
      this.group = new GroupReadings(readings, command.id(), command.layout,
          source -> datanode.getBlockAccessToken(source.block.toExtendedBlock(),
              EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, new String[0]), control,
          command.bytesPerSecond);
    }

    @Override
    public void run() {
      Thread.currentThread().setName("ppr-check of " + command.groupId());
      ScrubEnding ending = ScrubEnding.notChecked("an error ended the check");
      try {
        ending = check();
      } catch (IOException e) {
        ending = ScrubEnding.notChecked(e.getMessage());
      } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
        LOG.warn("Check {} of {} has failed", command.id(), command.groupId(), e);
        ending = ScrubEnding.notChecked(e.toString());
      } finally {
        leave();
        Thread.currentThread().setName("ppr-check idle");
        report(control.hasGivenWay() ? ending.givingWay() : ending);
      }
    }

    private ScrubEnding check() throws IOException {
      // The check may have waited for long.
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

    /** Makes the check end soon, or now if it has not begun: its turn may be far away. */
    void end(String reason) {
      control.end(reason);
      if (pool.remove(this)) {
        leave();
        report(notBegun(control.endedBecause()));
      }
    }

    /**
     * Returns how a check ends that has only waited. If the deadline ends it, then this node was
     * busy with other checks, which says nothing about the group.
     */
    private ScrubEnding notBegun(String why) {
      return why.equals(late)
          ? ScrubEnding.notChecked(why + ", other checks of this node went first").givingWay()
          : ScrubEnding.notChecked(why);
    }

    /** Lets the next check begin. */
    void leave() {
      synchronized (jobs) {
        jobs.remove(this);
      }
      Future<?> timed = deadline;
      if (timed != null) {
        timed.cancel(false);
      }
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

  /** Says how a unit on this node differs from that of the command; null if it does not. */
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
    closed = true;
    // A check that begins after this line is rejected, and all others are found below.
    pool.shutdown();
    underWay().forEach(job -> job.end(STOPS));
  }

  /**
   * Waits until all checks have ended.
   *
   * @param timeoutMs the longest wait, ms
   * @return whether they have ended
   * @throws InterruptedException if the current thread is interrupted
   */
  public boolean awaitEnd(long timeoutMs) throws InterruptedException {
    boolean ended = pool.awaitTermination(timeoutMs, TimeUnit.MILLISECONDS);
    timer.shutdownNow();
    return ended;
  }

  /**
   * Keeps a check to its rate, and ends it early: because a manager or the deadline says so, or
   * because a repair needs this node. Thread-safe.
   */
  static final class ScrubControl implements ReadWatch {
    private static final String REPAIR = "a repair on this node goes first";

    private final RateThrottle pace;
    private final BooleanSupplier hasRepairs;
    private SumRead reading;
    private String endedBecause;

    /**
     * @param bytesPerSecond the most bytes of a unit that each node of the tree reads in a second
     * @param hasRepairs whether this node has repairs to do
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
     * Waits as long as the rate demands, also after the last slice, so that one check after the
     * other keeps to the rate. A slice has at most the bytes of a second, so that no node takes the
     * wait for a failure. Each node of the tree keeps to the rate by itself. Nodes of older
     * versions only wait because their sums are not taken, and run ahead by what the buffers of the
     * links hold.
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

    /** Returns whether the check ends early because a repair needs this node. */
    synchronized boolean hasGivenWay() {
      return REPAIR.equals(endedBecause);
    }

    /** Returns why the check has to end early; null if it goes on. */
    synchronized String endedBecause() {
      return endedBecause;
    }
  }
}
