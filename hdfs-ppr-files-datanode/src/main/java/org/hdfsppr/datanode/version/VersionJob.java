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
import org.slf4j.LoggerFactory;

/**
 * A job that carries out one command for a version. It reports exactly one result. One thread runs
 * the job; any thread may end it early.
 */
abstract class VersionJob implements DigestThrottle.Reader {
  /** Logs messages that a manager can cause with each command, at a bounded rate. */
  private static final PeerLog PEER_LOG = new PeerLog(LoggerFactory.getLogger(VersionJob.class));
  /** The reason that jobs give if the DataNode stops. */
  static final String STOPS = "the DataNode stops";

  private final ManagerCommand command;
  final VersionReplicas replicas;
  /** How long the job may take after its arrival, ms. */
  final long deadlineMs;
  private final Consumer<RepairResult> whenEnded;
  private final long startNanos;
  private final AtomicBoolean reported = new AtomicBoolean();
  private String endedBecause;
  /** Whether blocks have no digest because of a lack of time or memory. */
  private boolean isCutShort;
  /** Whether blocks have no digest for any other reason. */
  private boolean isUnreadable;

  /**
   * @param replicas the replicas of this DataNode
   * @param deadlineMs how long the job may take, ms
   * @param whenEnded hears the result
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

  /** Returns what jobs of this kind are, for people: "patches". */
  abstract String kind();

  /** Returns the blocks that the job makes on this DataNode. */
  abstract Collection<BlockRef> blocks();

  /** Returns which of its executor's queues runs the job. */
  int lane() {
    return 0;
  }

  /** Returns the result that refuses a command that this node cannot do; null if it can. */
  RepairResult refusal() {
    return null;
  }

  /** Hears that this node can carry the command out. It may wait after that. */
  void accepted() {
    // Most jobs begin with their run.
  }

  /** Refuses the command because this node stops or starts. */
  RepairResult refusedForNow(String why) {
    return refused(null, why);
  }

  final RepairResult refused(FailureCause cause, String why) {
    return RepairResult.notTried(command.id(), command.term(), RepairOutcome.REFUSED, cause, why)
        .withVersion(VersionReport.NOTHING);
  }

  /** Takes the blocks until the result; returns null, or one that another command has taken. */
  final BlockRef take() {
    return replicas.busy.take(blocks());
  }

  /**
   * Does the work and reports the result. A failure of the work becomes a result, not an exception.
   */
  abstract void run();

  /** Returns the result of a job that has done nothing, because it has ended early or failed. */
  abstract RepairResult nothing(String why);

  /** Ends the job soon. Only the first reason counts. */
  synchronized void end(String reason) {
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
   * job still counts as done, and the manager has the block checked in another way.
   *
   * @param wanted the blocks, by their numbers in the result
   * @param key the key of the digests
   * @param bytesPerSecond the most bytes of a block that are read in a second, or {@link
   *     MakeCommand#UNLIMITED}
   * @return the digests, by these numbers
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
        // The block is often not at fault: the job was ended, or there was no memory.
        PEER_LOG.info("digests", "{}: no digest of {} was computed: {}", id(), block,
            e.toString());
      }
    });
    return digests;
  }

  /**
   * Returns whether all digests that are missing in {@link #digests} can be computed at another
   * time. Only the thread that runs the job calls this method.
   */
  final boolean mayReadMoreLater() {
    return isCutShort && !isUnreadable;
  }

  /**
   * Returns a watch that slows down the read of a block for its digest, and ends it with the job.
   *
   * @param bytesPerSecond the rate, or {@link MakeCommand#UNLIMITED}
   */
  final LinearDigest.Watch paced(long bytesPerSecond) {
    return replicas.brakes.reading(this, bytesPerSecond);
  }

  /** Returns what kind of failure an error of a link, a copy or a change is; null for none. */
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

  /** Reports the result, once. From then on, another command may take the blocks. */
  final void report(RepairResult result) {
    if (reported.compareAndSet(false, true)) {
      replicas.brakes.ended(this);
      replicas.busy.release(blocks());
      whenEnded.accept(result);
    }
  }
}
