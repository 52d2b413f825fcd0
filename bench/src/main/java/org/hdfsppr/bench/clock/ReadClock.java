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
package org.hdfsppr.bench.clock;

import java.util.function.LongSupplier;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Says for each moment of a client's reads what the client does: it computes, it waits for bytes,
 * or it does something else. Several threads of a client may work on one read. A moment counts as
 * computation if any thread computes, and as waiting if none computes and at least one waits. So
 * each moment counts once, and the parts add up to the whole. Moments outside of a read do not
 * count. Thread-safe.
 */
@InterfaceAudience.Private
public final class ReadClock {
  /** The clock of this process, which the timed classes of Hadoop's packages know. */
  public static final ReadClock OF_PROCESS = new ReadClock(System::nanoTime);

  /** What a thread of a client may do during a read. */
  public enum Step {
    /** The thread decodes. */
    COMPUTE,
    /** The thread waits for bytes of a DataNode, or takes them from its socket. */
    WAIT
  }

  private final LongSupplier nanoClock;
  private final int[] threads = new int[Step.values().length];
  private final long[] nanos = new long[Step.values().length];
  private LongSupplier ownComputing = () -> 0;
  private long ownComputingBefore;
  private long ownComputingNanos;
  private int reads;
  private long total;
  private long last;

  ReadClock(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.last = nanoClock.getAsLong();
  }

  /**
   * Adds what a client counts itself of the time in which it computes.
   *
   * @param sumNanos the sum since the start of the process, nanoseconds
   */
  public synchronized void countsItself(LongSupplier sumNanos) {
    ownComputing = sumNanos;
    ownComputingBefore = sumNanos.getAsLong();
  }

  /** Begins a read. */
  public synchronized void begin() {
    advance();
    if (reads == 0) {
      ownComputingBefore = ownComputing.getAsLong();
    }
    reads++;
  }

  /** Ends a read. */
  public synchronized void end() {
    advance();
    if (reads == 0) {
      throw new IllegalStateException("No read has begun");
    }
    reads--;
    if (reads == 0) {
      ownComputingNanos += ownComputing.getAsLong() - ownComputingBefore;
    }
  }

  /**
   * Notes that the calling thread begins a step.
   *
   * @param step what the thread does until {@link #leave}
   */
  public synchronized void enter(Step step) {
    advance();
    threads[step.ordinal()]++;
  }

  /**
   * Notes that the calling thread ends a step.
   *
   * @param step the step that the thread has entered
   */
  public synchronized void leave(Step step) {
    advance();
    if (threads[step.ordinal()] == 0) {
      throw new IllegalStateException("No thread has entered " + step);
    }
    threads[step.ordinal()]--;
  }

  private void advance() {
    long now = nanoClock.getAsLong();
    if (reads > 0) {
      total += now - last;
      for (Step step : Step.values()) {
        if (threads[step.ordinal()] > 0) {
          nanos[step.ordinal()] += now - last;
          break;
        }
      }
    }
    last = now;
  }

  /** {@return the times of all reads that have ended} */
  public synchronized ReadTimes times() {
    return new ReadTimes(total, nanos[Step.WAIT.ordinal()],
        nanos[Step.COMPUTE.ordinal()] + ownComputingNanos);
  }
}
