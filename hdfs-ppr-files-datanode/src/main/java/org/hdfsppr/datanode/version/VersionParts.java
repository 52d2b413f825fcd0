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
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.LinkFiles;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaLinksAccess;
import org.hdfsppr.datanode.command.CommandExecutor;
import org.hdfsppr.datanode.command.JobPool;
import org.hdfsppr.datanode.repair.RepairContext;
import org.hdfsppr.datanode.update.old.BlockLineage;
import org.hdfsppr.datanode.watch.OldReadWatch;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.wire.FailureCause;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out all commands of the NameNode for versions of files on one DataNode: an executor for
 * each kind of command. Thread-safe.
 */
@InterfaceAudience.Private
public final class VersionParts implements Closeable {
  /**
   * How many jobs of a kind wait at most. The NameNode has no more commands ready for a node than
   * this, and each of them waits only some seconds.
   */
  static final int WAITING_MOST = 128;
  private static final Logger LOG = LoggerFactory.getLogger(VersionParts.class);

  /** Carries out the commands that link replicas, or ask for digests */
  public final VersionExecutor<LinkCommand> linker;
  /**
   * Carries out the commands that make blocks. None of them begins while this node has repairs to
   * do.
   */
  public final VersionExecutor<MakeCommand> maker;
  /** Carries out the commands that copy and change units for commits */
  public final VersionExecutor<PatchCommand> patcher;
  private final PatchTools patches;
  /** Watches whether clients read the blocks of old versions */
  public final OldReadWatch watch;

  VersionParts(VersionReplicas replicas, MakingRuns runs, PatchTools patches,
      BooleanSupplier hasRepairs, OldReadWatch watch) {
    this.watch = watch;
    this.patches = patches;
    linker = linker(replicas, runs, patches.logs.lineage, watch);
    maker = maker(replicas, runs, hasRepairs);
    patcher = new VersionExecutor<>(replicas, command -> command.old.poolId,
        (command, ended) -> new PatchJob(replicas, patches, command, ended),
        List.of(pool("ppr-patches", PatchJob.AT_A_TIME)));
  }

  static VersionExecutor<LinkCommand> linker(VersionReplicas replicas, MakingRuns runs,
      BlockLineage lineage, OldReadWatch watch) {
    return new VersionExecutor<>(replicas, command -> command.poolId,
        (command, ended) -> new LinkJob(replicas, runs, lineage, watch, command, ended),
        List.of(pool("ppr-links", LinkJob.AT_A_TIME),
            pool("ppr-links-read", LinkJob.AT_A_TIME)));
  }

  static VersionExecutor<MakeCommand> maker(VersionReplicas replicas, MakingRuns runs,
      BooleanSupplier hasRepairs) {
    return new VersionExecutor<>(replicas, command -> command.work.groupId().poolId,
        (command, ended) -> new MakeJob(replicas, runs, hasRepairs, command, ended),
        List.of(pool("ppr-making", MakeJob.AT_A_TIME)));
  }

  private static JobPool<String, VersionJob> pool(String name, int threads) {
    return new JobPool<>(name, threads, WAITING_MOST, false);
  }

  /**
   * Makes the executors, if this version of Hadoop has all members that they need.
   *
   * @param context the parts that all repairs of this DataNode share
   * @param runs makes blocks and computes digests
   * @param patches what all patches share
   * @param syncs forces replicas to the disk
   * @param hasRepairs whether this node has repairs to do
   * @return the executors; empty if this version of Hadoop lacks a member, which the DataNode's log
   *     file then names
   */
  public static Optional<VersionParts> of(RepairContext context, MakingRuns runs,
      PatchTools patches, ReplicaSyncs syncs, BooleanSupplier hasRepairs) {
    DataNode datanode = context.datanode;
    LongSupplier nanoClock = context.nanoClock;
    try {
      ReplicaLinksAccess links = ReplicaLinksAccess.of(datanode, LinkFiles.OF_SYSTEM);
      VersionReplicas replicas = new VersionReplicas(datanode, context.host, links,
          context.metrics, syncs,
          new DigestThrottle(context.host::throttleRead, hasRepairs, nanoClock), nanoClock);
      return Optional.of(new VersionParts(replicas, runs, patches, hasRepairs,
          OldReadWatch.of(datanode, nanoClock)));
    } catch (IOException | LinkageError e) {
      LOG.warn("This DataNode takes no part in versions of files: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /** Makes the running commands end soon, and takes no more. */
  @Override
  public void close() {
    linker.close();
    maker.close();
    patcher.close();
    patches.close();
    watch.close();
  }

  /**
   * Waits until the running commands have ended.
   *
   * @param timeoutMs how long to wait at most for the commands of each kind, ms
   * @return whether they have ended
   * @throws InterruptedException if the current thread is interrupted
   */
  public boolean awaitEnd(long timeoutMs) throws InterruptedException {
    return linker.awaitEnd(timeoutMs) & maker.awaitEnd(timeoutMs)
        & patcher.awaitEnd(timeoutMs);
  }

  /**
   * Carries out the NameNode's commands of one kind for versions of files. It refuses commands that
   * this node cannot carry out now. For the others, it claims the blocks and queues a job.
   * Thread-safe.
   *
   * @param <C> the kind of the commands
   */
  public static final class VersionExecutor<C extends ManagerCommand>
      implements CommandExecutor<C>, Closeable {
    private final VersionReplicas replicas;
    private final Function<C, String> poolId;
    private final Jobs<C> jobs;
    private final List<JobPool<String, VersionJob>> pools;

    /** Makes the jobs of commands. */
    interface Jobs<C> {
      /** Returns a new job for a command. The job does nothing before it is run. */
      VersionJob of(C command, Consumer<RepairResult> whenEnded);
    }

    /**
     * @param replicas the replicas of the DataNode
     * @param poolId returns the block pool of a command
     * @param jobs makes the jobs
     * @param pools run the jobs; {@link VersionJob#lane} chooses one
     */
    VersionExecutor(VersionReplicas replicas, Function<C, String> poolId, Jobs<C> jobs,
        List<JobPool<String, VersionJob>> pools) {
      this.replicas = replicas;
      this.poolId = poolId;
      this.jobs = jobs;
      this.pools = pools;
    }

    @Override
    public void start(C command, Consumer<RepairResult> whenEnded) {
      VersionJob job = jobs.of(command, whenEnded);
      RepairResult refusal = refusal(job, poolId.apply(command));
      if (refusal != null) {
        whenEnded.accept(refusal);
        return;
      }
      job.accepted();
      BlockRef taken = job.take();
      if (taken != null) {
        whenEnded.accept(job.refused(null, "another command is at work on " + taken));
        return;
      }
      JobPool.Begin begin = null;
      try {
        begin = pools.get(job.lane()).begin(key(command), job, job.deadlineMs);
      } finally {
        if (begin != JobPool.Begin.BEGUN) {
          // The job also gives back the blocks, even if there was no memory for a thread.
          job.report(refusal(job, begin));
        }
      }
    }

    /** @param begin null if it is not known why the job has not begun */
    private static RepairResult refusal(VersionJob job, JobPool.Begin begin) {
      if (begin == JobPool.Begin.FULL) {
        return job.refused(FailureCause.OVERLOADED, WAITING_MOST + " " + job.kind()
            + " wait here already");
      }
      return job.refusedForNow(begin == JobPool.Begin.CLOSED ? JobPool.STOPS
          : begin == null ? "there is no thread for it" : "it is under way here already");
    }

    /**
     * If this node cannot carry out the command of a job, returns the result that refuses it;
     * otherwise null.
     */
    private RepairResult refusal(VersionJob job, String pool) {
      boolean isClosed = pools.get(0).isClosed();
      if (isClosed || !replicas.host.isKnown()) {
        return job.refusedForNow(isClosed ? JobPool.STOPS
            : "the DataNode is not registered yet");
      }
      RepairResult refusal = job.refusal();
      if (refusal != null) {
        return refusal;
      }
      try {
        replicas.datanode.getDNRegistrationForBP(pool);
        return null;
      } catch (IOException e) {
        return job.refusedForNow("the block pool is not here: " + e.getMessage());
      }
    }

    /**
     * Returns the key of a command's job. It contains the block pool, because NameNodes of other
     * block pools may use the same id.
     */
    private String key(C command) {
      return poolId.apply(command) + " " + command.id();
    }

    @Override
    public void cancel(C command, String reason) {
      pools.forEach(pool -> pool.end(key(command), "cancelled: " + reason));
    }

    /** Makes the running commands end soon, and takes no more. */
    @Override
    public void close() {
      pools.forEach(JobPool::close);
    }

    /**
     * Waits until the running commands have ended.
     *
     * @param timeoutMs how long to wait at most, ms
     * @return whether they have ended
     * @throws InterruptedException if the current thread is interrupted
     */
    public boolean awaitEnd(long timeoutMs) throws InterruptedException {
      long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
      boolean haveEnded = true;
      for (JobPool<String, VersionJob> pool : pools) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
        haveEnded &= pool.awaitEnd(Math.max(0, leftMs));
      }
      return haveEnded;
    }
  }
}
