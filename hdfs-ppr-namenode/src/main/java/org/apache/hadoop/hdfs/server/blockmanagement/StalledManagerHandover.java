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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands groups to stock if the repair manager has stopped polling. Stock's RedundancyMonitor runs
 * this code, and any exception would end the NameNode's process. This class therefore catches
 * exceptions, and those errors that a single group can cause. Guarded by the monitor of the
 * {@link SplitLowRedundancyBlocks} that has this object.
 */
final class StalledManagerHandover {
  private static final Logger LOG = LoggerFactory.getLogger(StalledManagerHandover.class);
  /**
   * The time between two log messages about groups that cannot be handed over, ms. Each message has
   * one of the errors.
   */
  private static final long ERROR_EVERY_MS = 60_000;
  /** How many groups are handed over between two looks at the clock. They take some 100 us. */
  private static final int AT_A_TIME = 64;

  private final Consumer<BlockInfo> move;
  private final Consumer<BlockInfo> moveUncounted;
  private final Runnable countFailure;
  private final LongSupplier clockMs;
  private final LongSupplier nanoClock;
  private long errorMs = Long.MIN_VALUE / 2;

  /**
   * @param move moves a group to stock's part of the queue, with its priority
   * @param moveUncounted moves a group without its priority; called if {@code move} throws
   * @param countFailure counts a group for which {@code move} has thrown; throws nothing
   * @param clockMs the time, monotonic, ms
   * @param nanoClock the time, monotonic, ns
   */
  StalledManagerHandover(Consumer<BlockInfo> move, Consumer<BlockInfo> moveUncounted,
      Runnable countFailure, LongSupplier clockMs, LongSupplier nanoClock) {
    this.move = move;
    this.moveUncounted = moveUncounted;
    this.countFailure = countFailure;
    this.clockMs = clockMs;
    this.nanoClock = nanoClock;
  }

  /**
   * Hands groups to stock. It hands over at least as many as stock is about to schedule, so that
   * stock need not wait for groups, and more until the hold of the lock gets long.
   *
   * @param groups returns the first groups, up to a number, that the repair manager should have
   *     scheduled; a group that has been handed over is not among them any more
   * @param least how many groups stock schedules now at most
   * @param silentMs time since the last poll, ms
   */
  void handOver(IntFunction<List<BlockInfo>> groups, int least, long silentMs) {
    long startNanos = nanoClock.getAsLong();
    int handed = 0;
    try {
      BlockInfo last = null;
      List<BlockInfo> some = groups.apply(AT_A_TIME);
      // If the same group is first again, it cannot be handed over, and the loop ends.
      while (!some.isEmpty() && some.get(0) != last && (handed < least
          || nanoClock.getAsLong() - startNanos < NamesystemLock.HOLD_NANOS)) {
        last = some.get(0);
        some.forEach(this::handOver);
        handed += some.size();
        some = groups.apply(AT_A_TIME);
      }
      if (handed > 0) {
        LOG.warn("No poll has asked for block groups to repair for {} ms; {} of them are handed to"
            + " the NameNode's own scheduling", silentMs, handed);
      }
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      failed(null, e);
    }
  }

  private void handOver(BlockInfo block) {
    try {
      move.accept(block);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      failed(block, e);
      moveWithoutPriority(block);
    }
  }

  private void moveWithoutPriority(BlockInfo block) {
    try {
      moveUncounted.accept(block);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      // The group stays where it is, and the others go on.
      failed(block, e);
    }
  }

  /** Takes note of an exception that must not get into stock's thread. */
  void failed(BlockInfo block, Throwable e) {
    countFailure.run();
    long now = clockMs.getAsLong();
    if (now - errorMs >= ERROR_EVERY_MS) {
      errorMs = now;
      LOG.error("{} cannot be handed to the NameNode's own scheduling as it should be, and is"
          + " without its priority; the metric RescueFailures counts all of them",
          block == null ? "The groups to repair" : block, e);
    }
  }
}
