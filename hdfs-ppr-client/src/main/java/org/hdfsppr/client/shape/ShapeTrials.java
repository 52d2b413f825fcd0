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
package org.hdfsppr.client.shape;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries trees where decoding is best. After a range was decoded, a trial rebuilds the same range
 * through trees, one after the other, and throws the bytes away. Trees may be slow at first,
 * because connections have to be made again and code is not compiled yet; but no reader waits for
 * them. A trial goes on as long as its trees become faster. One trial runs at a time. All trials
 * together take no more time than decoding does, except for the last tree of each trial. A trial
 * shares the link with reads, so the times of other reads that run during a trial are ignored.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class ShapeTrials {
  private static final Logger LOG = LoggerFactory.getLogger(ShapeTrials.class);
  /** Logs a message once a minute, although failing DataNodes may cause it in each read. */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);
  /** How many of the last trees of a trial count for its time. */
  static final int COUNTED = 3;
  /** The most trees of one trial. */
  static final int TREES_MOST = 16;
  /**
   * A trial goes on if its last {@link #COUNTED} trees took less than this share of the time of the
   * trees before them.
   */
  private static final double FASTER = 0.9;
  /** No tree of a trial begins after this time. */
  private static final long TRIAL_NANOS_MOST = TimeUnit.SECONDS.toNanos(1);
  /** The most time that may be saved up: enough for a few trials. */
  private static final long CREDIT_NANOS_MOST = 3 * TRIAL_NANOS_MOST;
  /** The most time that trials may owe: one tree that hangs must not stop trials for hours. */
  private static final long DEBT_NANOS_MOST = 3 * TRIAL_NANOS_MOST;

  private final ShapeChoice shapes;
  private final int chainsMost;
  private final LongSupplier nanoClock;
  private final Predicate<Runnable> background;
  private final Runnable counter;
  private final AtomicBoolean isBusy = new AtomicBoolean();
  /** The time that decoding took, minus the time that trials took, nanoseconds. */
  private final AtomicLong creditNanos = new AtomicLong();
  private volatile boolean hasEnded;
  private volatile long endedNanos;

  /**
   * @param chainsMost how many chains a tree may have
   * @param background runs a trial, if a thread is free
   * @param counter is run after each trial that has measured a time
   */
  ShapeTrials(ShapeChoice shapes, int chainsMost, LongSupplier nanoClock,
      Predicate<Runnable> background, Runnable counter) {
    this.shapes = shapes;
    this.chainsMost = chainsMost;
    this.nanoClock = nanoClock;
    this.background = background;
    this.counter = counter;
  }

  /**
   * Begins a trial behind a range that was decoded, if a trial is due and a thread is free.
   *
   * @param nanos how long the range took, nanoseconds
   * @param tree rebuilds the range once more
   */
  void decoded(Shape decoded, long nanos, TrialTree tree) {
    creditNanos.accumulateAndGet(nanos, (credit, more) ->
        Math.min(CREDIT_NANOS_MOST, credit + more));
    boolean begun = false;
    if (!shapes.isTrialDue(decoded) || creditNanos.get() <= 0
        || !isBusy.compareAndSet(false, true)) {
      return;
    }
    try {
      begun = background.test(() -> {
        try {
          run(decoded, tree);
        } catch (RuntimeException e) {
          PEER_LOG.warn("error", "A trial with {} ended with an error", tree, e);
        } finally {
          endedNanos = nanoClock.getAsLong();
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

  /**
   * Whether a trial has run at any time since {@code startNanos}. The time of a read that began
   * then says little, because the trial shared the link.
   */
  boolean wasBusySince(long startNanos) {
    return isBusy.get() || hasEnded && endedNanos - startNanos > 0;
  }

  private void run(Shape decoded, TrialTree tree) {
    long start = nanoClock.getAsLong();
    Optional<Shape> next = shapes.nextTrial(decoded, chainsMost);
    if (next.isEmpty()) {
      return;
    }
    Shape shape = next.get();
    try {
      double nanos = inARow(nanoClock, Math.min(TRIAL_NANOS_MOST, creditNanos.get()),
          () -> tree.run(shape));
      shapes.tried(decoded, shape, nanos);
      counter.run();
      LOG.debug("A trial of {} with {}: {} ns", shape, tree, nanos);
    } catch (IOException e) {
      LOG.debug("A trial of {} with {}", shape, tree, e);
    } finally {
      creditNanos.accumulateAndGet(nanoClock.getAsLong() - start, (credit, spent) ->
          Math.max(-DEBT_NANOS_MOST, credit - spent));
    }
  }

  /**
   * Rebuilds a range once more, and throws the bytes away. {@code toString} names the range in
   * logs.
   */
  public interface TrialTree {
    /**
     * @param shape in which the range is rebuilt
     * @return nanoseconds that a tree of that shape took
     * @throws IOException if the tree cannot be planned or fails
     */
    long run(Shape shape) throws IOException;
  }

  /** Runs a tree and measures its time. */
  interface TimedTree {
    /** @return nanoseconds that the tree took */
    long run() throws IOException;
  }

  /**
   * Runs trees, one after the other, for as long as they become faster.
   *
   * @param nanosMost after this time no further tree begins, nanoseconds; the first tree always
   *     runs
   * @return the median time of the last trees, nanoseconds
   */
  static double inARow(LongSupplier nanoClock, long nanosMost, TimedTree tree)
      throws IOException {
    long start = nanoClock.getAsLong();
    // The first tree makes most of the connections that the later trees use again.
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
}
