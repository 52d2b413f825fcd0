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
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.Command;
import org.hdfsppr.manage.MakeCommand;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.verify.DigestKey;
import org.hdfsppr.verify.LinearDigest;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.LoggerFactory;

/**
 * A command from its arrival to its result. It reports exactly one result. One thread runs the job;
 * any thread may end it early.
 */
@InterfaceAudience.Private
abstract class VersionJob implements DigestBrakes.Reader {
  /** Logs what a manager can cause with each command. */
  private static final PeerLog PEER_LOG = new PeerLog(LoggerFactory.getLogger(VersionJob.class));
  /** Why jobs end with the DataNode. */
  static final String STOPS = "the DataNode stops";

  private final Command command;
  private final String poolId;
  private final Collection<BlockRef> blocks;
  private final BusyBlocks busy;
  /** Null for a job that computes no digests. */
  private final DigestBrakes brakes;
  private final Consumer<RepairResult> whenEnded;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private final AtomicBoolean reported = new AtomicBoolean();
  private String endedBecause;
  /** Whether blocks have no digest because there was no time, or no memory, for them. */
  private boolean isCutShort;
  /** Whether blocks have no digest for any other reason. */
  private boolean isUnreadable;

  /**
   * @param poolId the block pool of the manager's NameNode
   * @param blocks the blocks that the job makes on this DataNode
   * @param busy has these blocks taken, and gets them back with the result
   * @param brakes holds back what the job reads for digests; null if it computes none
   */
  VersionJob(Command command, String poolId, Collection<BlockRef> blocks, BusyBlocks busy,
      DigestBrakes brakes, Consumer<RepairResult> whenEnded, LongSupplier nanoClock) {
    this.brakes = brakes;
    this.command = command;
    this.poolId = poolId;
    this.blocks = blocks;
    this.busy = busy;
    this.whenEnded = whenEnded;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
  }

  final String id() {
    return command.id();
  }

  /** Returns a name that no job of another NameNode has. */
  final String key() {
    return key(poolId, command);
  }

  static String key(String poolId, Command command) {
    return poolId + " " + command.id();
  }

  /** Does the work and reports the result. Throws nothing because of what the work meets. */
  abstract void run();

  /** Returns the result of a job that has done nothing, because it has ended early or failed. */
  abstract RepairResult nothing(String why);

  /** Makes the job end soon. Only the first reason counts. */
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
   * Computes digests of blocks of this node. They are computed of what is stored and not of what
   * was sent there, so that they show what other nodes will read. A block that cannot be read for
   * any reason has none: the job has done its work all the same and reports it, and the manager has
   * the blocks checked another way.
   *
   * @param wanted the blocks, by the numbers that the result gives them
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
        // Often it was no fault of the block: the job was ended, or there was no memory.
        PEER_LOG.info("digests", "{}: no digest of {} was computed: {}", id(), block,
            e.toString());
      }
    });
    return digests;
  }

  /**
   * Returns whether the {@link #digests} lack only blocks that can be read another time. The thread
   * that runs the job calls it.
   */
  final boolean mayReadMoreLater() {
    return isCutShort && !isUnreadable;
  }

  /**
   * Holds back the reading of a block for its digest, and ends it with the job.
   *
   * @param bytesPerSecond the rate, or {@link MakeCommand#UNLIMITED}
   */
  final LinearDigest.Watch paced(long bytesPerSecond) {
    return brakes.reading(this, bytesPerSecond);
  }

  final long elapsedMs() {
    return TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - startNanos);
  }

  /** Reports the result, once. From then on, another command may take the blocks. */
  final void report(RepairResult result) {
    if (reported.compareAndSet(false, true)) {
      if (brakes != null) {
        brakes.ended(this);
      }
      busy.release(blocks);
      whenEnded.accept(result);
    }
  }
}
