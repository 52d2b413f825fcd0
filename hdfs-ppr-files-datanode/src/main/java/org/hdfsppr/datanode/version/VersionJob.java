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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.hdfsppr.datanode.command.JobPool;
import org.hdfsppr.digest.DigestKey;
import org.hdfsppr.digest.LinearDigest;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.VersionReport;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job that carries out one command of the NameNode for a version of a file: it links, makes or
 * patches units. It reports exactly one result. One thread runs the job; any thread may end it
 * early.
 */
abstract class VersionJob implements JobPool.Job, DigestThrottle.Reader {
  private static final Logger LOG = LoggerFactory.getLogger(VersionJob.class);
  /**
   * Writes into the DataNode's log file at a bounded rate. For messages that each command may
   * cause.
   */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  private final ManagerCommand command;
  final VersionReplicas replicas;
  /** How long the job may take after its arrival, ms. */
  final long deadlineMs;
  private final Consumer<RepairResult> whenEnded;
  private final long startNanos;
  private final AtomicBoolean reported = new AtomicBoolean();
  private String endedBecause;
  /** Whether any block has no digest because time or memory was short. */
  private boolean isCutShort;
  /** Whether any block has no digest for another reason. */
  private boolean isUnreadable;

  /**
   * @param replicas the replicas of this DataNode
   * @param deadlineMs how long the job may take, ms
   * @param whenEnded takes the result; called once
   */
  VersionJob(VersionReplicas replicas, ManagerCommand command, long deadlineMs,
      Consumer<RepairResult> whenEnded) {
    this.replicas = replicas;
    this.command = command;
    this.deadlineMs = deadlineMs;
    this.whenEnded = whenEnded;
    this.startNanos = replicas.nanoClock.getAsLong();
  }

  final String id() {
    return command.id();
  }

  @Override
  public final String subject() {
    return id();
  }

  /** Returns what jobs of this kind are called in messages, for example "patches". */
  abstract String kind();

  /** Returns the blocks that the job makes on this DataNode. */
  abstract Collection<BlockRef> blocks();

  /** Returns the index of the pool, among those of the executor, that runs the job. */
  int lane() {
    return 0;
  }

  /**
   * If this node cannot carry out the command, returns the result that refuses it; otherwise null.
   */
  RepairResult refusal() {
    return null;
  }

  /**
   * Is called when it is certain that this node can carry out the command. The command may still
   * wait in a queue after that.
   */
  void accepted() {
    // Most jobs do nothing before they run.
  }

  /** Returns the result that refuses the command because this node is stopping or starting. */
  RepairResult refusedForNow(String why) {
    return refused(null, why);
  }

  final RepairResult refused(FailureCause cause, String why) {
    return RepairResult.notTried(command.id(), command.term(), RepairOutcome.REFUSED, cause, why)
        .withVersion(VersionReport.NOTHING);
  }

  /**
   * Claims the blocks of this job until it reports its result, so that no other command works on
   * them. Returns null, or a block that another command has claimed; then none is claimed.
   */
  final BlockRef take() {
    return replicas.busy.take(blocks());
  }

  @Override
  public final void run() {
    try {
      work();
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
      LOG.warn("Version command {} has failed", id(), e);
      report(nothing(e.toString()));
    }
  }

  /** Does the work and reports the result. An expected failure becomes a result. */
  abstract void work();

  /** Returns the result of a job that has made nothing, because it was ended early or failed. */
  abstract RepairResult nothing(String why);

  @Override
  public final void drop(String reason) {
    report(nothing(reason + ", while it waited"));
  }

  @Override
  public synchronized void end(String reason) {
    if (endedBecause == null) {
      endedBecause = reason;
    }
    notifyAll();
  }

  @Override
  public final synchronized String endedBecause() {
    return endedBecause;
  }

  @Override
  public final synchronized void pause(long ms) throws InterruptedException {
    if (endedBecause == null) {
      wait(ms);
    }
  }

  /**
   * Computes digests of blocks of this node. It reads the stored blocks, so that the digests are
   * those of the bytes that other nodes will read. A block that cannot be read gets no digest; the
   * job still counts as done, and the NameNode has the block checked in another way.
   *
   * @param wanted the blocks, by the numbers that they have in the result
   * @param key the key of the digests
   * @param bytesPerSecond how many bytes are read per second at most, or
   *     {@link MakeCommand#UNLIMITED}
   * @return the digests, by the same numbers
   */
  final Map<Integer, Integer> digests(Map<Integer, BlockRef> wanted, DigestKey key,
      long bytesPerSecond, MakingRuns runs) {
    Map<Integer, Integer> digests = new TreeMap<>();
    wanted.forEach((number, block) -> {
      try {
        digests.put(number, runs.digest(block, key, paced(bytesPerSecond)));
      } catch (IOException | RuntimeException e) {
        if (endedBecause() != null || e instanceof LinearDigest.NoMemoryException) {
          isCutShort = true;
        } else {
          isUnreadable = true;
        }
        // Often nothing is wrong with the block: the job was ended, or no memory was free. So this
        // is no warning.
        PEER_LOG.info("digests", "{}: no digest of {} was computed: {}", id(), block,
            e.toString());
      }
    });
    return digests;
  }

  /**
   * Returns whether {@link #digests} has left out digests that can all be computed at another time.
   * Only the thread that runs the job calls this method.
   */
  final boolean mayReadMoreLater() {
    return isCutShort && !isUnreadable;
  }

  /**
   * Returns a watch that slows down the read of a block for its digest, and makes it fail when the
   * job is ended.
   *
   * @param bytesPerSecond how many bytes may be read per second, or {@link MakeCommand#UNLIMITED}
   */
  final LinearDigest.Watch paced(long bytesPerSecond) {
    return replicas.brakes.reading(this, bytesPerSecond);
  }

  /**
   * Returns which cause the result names for an error of a link, a copy or a patch; null if the job
   * was only ended early.
   */
  static FailureCause cause(Exception e) {
    if (e instanceof RepairException) {
      return ((RepairException) e).failureCause;
    } else if (e instanceof InterruptedIOException) {
      return null;
    } else if (e instanceof ChecksumException) {
      return FailureCause.CORRUPT_REPLICA;
    } else if (e instanceof ReplicaNotFoundException || e instanceof FileNotFoundException) {
      return FailureCause.NO_SUCH_BLOCK;
    } else if (e instanceof ForwardedChanges.NoRoomException) {
      return FailureCause.OVERLOADED;
    } else if (e instanceof ReplicaAlreadyExistsException
        || e instanceof DiskOutOfSpaceException || e instanceof ReplicaSyncs.SyncException) {
      return FailureCause.WRITE;
    }
    return FailureCause.INTERNAL;
  }

  final long elapsedMs() {
    return TimeUnit.NANOSECONDS.toMillis(replicas.nanoClock.getAsLong() - startNanos);
  }

  /**
   * Reports the result; further calls do nothing. From then on, another command may claim the
   * blocks.
   */
  final void report(RepairResult result) {
    if (reported.compareAndSet(false, true)) {
      replicas.brakes.ended(this);
      replicas.busy.release(blocks());
      whenEnded.accept(result);
    }
  }
}
