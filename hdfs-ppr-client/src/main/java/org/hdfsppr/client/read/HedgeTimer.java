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

import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.patience.HedgePermit;

/**
 * Begins a second read in another thread when a DataNode takes too long. If no thread is free, or
 * the client may begin no more second reads now, the timer checks again later. Two kinds of second
 * reads need no budget: those for a DataNode that is known to be slow, and one in each longest
 * delay. Thread-safe.
 */
@InterfaceAudience.Private
final class HedgeTimer {
  /** A second read of bytes that a first read has not brought yet. */
  interface Hedge {
    /** Whether no second read is needed any more. */
    boolean isOver();

    /** Whether the client knows that the DataNode is slow. */
    boolean isKnownSlow();

    /** How many reads of units the second read makes; at least 1. */
    int reads();

    /** @return whether the second read has begun; false if it is not needed any more */
    boolean begin();

    /** Performs the second read. */
    void run();
  }

  private final ReadContext context;
  private final Watch watch;
  private final Hedge hedge;
  private volatile Future<?> timer;

  /** @param watch tells whether the first read is slow */
  HedgeTimer(ReadContext context, Watch watch, Hedge hedge) {
    this.context = context;
    this.watch = watch;
    this.hedge = hedge;
  }

  void start() {
    timer = context.later(this::look, watch.patienceNanos());
  }

  private void look() {
    if (hedge.isOver()) {
      return;
    }
    // Once the node is known to be slow, new reads are rebuilt at once. Reads that have begun
    // before need no budget, either.
    boolean isOfSlowNode = hedge.isKnownSlow();
    if (!isOfSlowNode && !watch.isSlow(true)) {
      start();
      return;
    }
    Optional<HedgePermit> permit = context.delay.permit(isOfSlowNode, hedge.reads(),
        watch.waitedNanos(), context.nanoClock.getAsLong());
    if (permit.isEmpty()) {
      start();
    } else if (!context.tryExecute(() -> hedge(permit.get()))) {
      // A thread may be free at the next check.
      permit.get().giveBack();
      start();
    }
  }

  private void hedge(HedgePermit permit) {
    if (!hedge.begin()) {
      permit.giveBack();
      return;
    }
    context.counters.hedge();
    hedge.run();
  }

  /**
   * Stops the timer, so that no second read begins. May be called before {@link #start}, and twice.
   */
  void cancel() {
    if (timer != null) {
      timer.cancel(false);
    }
  }
}
