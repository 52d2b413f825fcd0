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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.ChainsTopology;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.stream.RangeRead;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets trees ready to be compared with decoding: behind a range that was decoded, the same range
 * comes again through trees, one after the other, and is thrown away. Nobody waits for it, which
 * is why it may take what trees take whose nodes have long done nothing of the kind: connections
 * that have to be made again, code that is not compiled. It goes on for as long as they become
 * faster. One trial at a time, and no more time for all than decoding takes, but for the last tree
 * of each. Nothing else is learnt from it, as it has to share the link with the reads that it is
 * behind. Thread-safe.
 */
@InterfaceAudience.Private
final class ShapeTrials {
  private static final Logger LOG = LoggerFactory.getLogger(ShapeTrials.class);
  /** For what failing DataNodes can cause with each read. */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);
  /** The last trees of a trial count, these many. */
  static final int COUNTED = 3;
  /** A trial has so many trees at most. */
  static final int TREES_MOST = 16;
  /** Trees become faster if the last ones took less than this share of what those before took. */
  private static final double FASTER = 0.9;
  /** No tree of a trial begins later, and none takes longer than the slowest for a reader. */
  private static final long TRIAL_NANOS_MOST = TimeUnit.SECONDS.toNanos(1);
  /** What may be saved up for trials: a few of them. */
  private static final long CREDIT_NANOS_MOST = 3 * TRIAL_NANOS_MOST;
  /** One tree that hangs is no reason to try nothing for hours. */
  private static final long DEBT_NANOS_MOST = 3 * TRIAL_NANOS_MOST;

  private final ReadContext context;
  private final AtomicBoolean isBusy = new AtomicBoolean();
  /** What decoding took, less what trials did. */
  private final AtomicLong creditNanos = new AtomicLong();
  private volatile boolean hasEnded;
  private volatile long endedNanos;

  ShapeTrials(ReadContext context) {
    this.context = context;
  }

  /**
   * A range was decoded, so that something may have to be tried: in the background, if a thread is
   * free. Throws nothing, as the range is there.
   *
   * @param nanos that it took
   * @param plans of the file that was read
   */
  void decoded(GroupView group, UnitRange range, Shape decoded, long nanos, ReadPlans plans) {
    creditNanos.accumulateAndGet(nanos, (credit, more) ->
        Math.min(CREDIT_NANOS_MOST, credit + more));
    boolean begun = false;
    if (!context.shapes().isTrialDue(decoded) || creditNanos.get() <= 0
        || !isBusy.compareAndSet(false, true)) {
      return;
    }
    try {
      begun = context.tryExecute(() -> {
        try {
          run(group, range, decoded, plans);
        } catch (RuntimeException e) {
          PEER_LOG.warn("error", "A trial with unit {} of {} ended with an error", range,
              group.id(), e);
        } finally {
          endedNanos = context.nanoClock().getAsLong();
          hasEnded = true;
          isBusy.set(false);
        }
      });
    } finally {
      if (!begun) {
        isBusy.set(false);
      }
    }
  }

  /** Whether there was a trial beside something that began then, whose time says little so. */
  boolean wasBusySince(long startNanos) {
    return isBusy.get() || hasEnded && endedNanos - startNanos > 0;
  }

  private void run(GroupView group, UnitRange range, Shape decoded, ReadPlans plans) {
    long start = context.nanoClock().getAsLong();
    Optional<Shape> next = context.shapes().nextTrial(decoded, context.settings().chainsMost());
    if (next.isEmpty()) {
      return;
    }
    Shape shape = next.get();
    try {
      double nanos = inARow(context.nanoClock(), Math.min(TRIAL_NANOS_MOST, creditNanos.get()),
          () -> tree(group, range, shape, plans));
      context.shapes().tried(decoded, shape, nanos);
      context.counters().trial();
      LOG.debug("A trial of {} with unit {} of {}: {} ns", shape, range, group.id(), nanos);
    } catch (RepairException e) {
      LOG.debug("A trial of {} with unit {} of {}", shape, range, group.id(), e);
      plans.note(group, e);
    } catch (IOException e) {
      LOG.debug("A trial of {} with unit {} of {}", shape, range, group.id(), e);
    } finally {
      creditNanos.accumulateAndGet(context.nanoClock().getAsLong() - start, (credit, spent) ->
          Math.max(-DEBT_NANOS_MOST, credit - spent));
    }
  }

  /** A tree that is run and timed. */
  interface TimedTree {
    /** @return nanoseconds that it took */
    long run() throws IOException;
  }

  /**
   * Runs trees, one after the other, for as long as they become faster.
   *
   * @param nanosMost no tree begins after that, but for the first one
   * @return nanoseconds that the last ones took
   */
  static double inARow(LongSupplier nanoClock, long nanosMost, TimedTree tree)
      throws IOException {
    long start = nanoClock.getAsLong();
    // The first one makes most of the connections that the others find.
    double before = tree.run();
    double nanos = before;
    LatestTimes latest = new LatestTimes(COUNTED);
    for (int trees = 1; trees < TREES_MOST
        && nanoClock.getAsLong() - start < nanosMost; trees++) {
      latest.add(tree.run());
      nanos = latest.median(before);
      if (trees % COUNTED == 0) {
        if (nanos >= FASTER * before) {
          break;
        }
        before = nanos;
      }
    }
    return nanos;
  }

  /** @return nanoseconds that it took, or until it was cut off */
  private long tree(GroupView group, UnitRange range, Shape shape, ReadPlans plans)
      throws IOException {
    RepairPlan plan = plan(group, range, shape, plans);
    SliceGeometry geometry = plan.geometry().covering(range.from(), range.to());
    PartialSumRequest request = plans.request(group, plan, plan.root(), geometry);
    long start = context.nanoClock().getAsLong();
    AtomicBoolean isCut = new AtomicBoolean();
    Future<?> tooLate = null;
    try (RangeRead read = new RangeRead(plan, request, Collections.emptyList(), context.kernel(),
        context.buffers(), context.nanoClock())) {
      // Connections that are cut are cold the next time: no less than what the slowest may take.
      tooLate = context.later(() -> cut(read, isCut), context.treeDelay().maxNanos());
      read.run(context.connector(), group.unitBytes(range.unit()), (offset, part) -> {
        // The reader has it already.
      });
    } catch (RepairException e) {
      if (!isCut.get()) {
        throw e;
      }
    } finally {
      if (tooLate != null) {
        tooLate.cancel(false);
      }
    }
    return context.nanoClock().getAsLong() - start;
  }

  private static void cut(RangeRead read, AtomicBoolean isCut) {
    isCut.set(true);
    read.abort();
  }

  private static RepairPlan plan(GroupView group, UnitRange range, Shape shape, ReadPlans plans)
      throws IOException {
    AtomicInteger helpersNow = new AtomicInteger();
    RepairPlan plan;
    try {
      plan = plans.ofServers(group, range, Collections.emptySet(), new ChainsTopology(helpers -> {
        helpersNow.set(helpers);
        return shape.chains();
      }), 0);
    } catch (NoPlanException e) {
      throw new IOException("Too few DataNodes are left to try anything: " + e.getMessage(), e);
    }
    if (helpersNow.get() != shape.helpers()) {
      throw new IOException("It takes " + helpersNow + " helpers now, not " + shape.helpers());
    }
    return plan;
  }
}
