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

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.hdfsppr.namenode.queue.LockTimes;

/** Takes the NameNode's lock for short times, and counts the holds and their durations. */
final class NamesystemLock {
  /** The time after which a hold that works through a list should end, nanoseconds. */
  static final long HOLD_NANOS = 2_000_000;
  /** Holds that are longer than this are counted as long, nanoseconds. */
  private static final long HOLD_NANOS_MAX = 5_000_000;

  /** The namesystem whose lock this is. */
  final FSNamesystem namesystem;
  private final LongAdder granted = new LongAdder();
  private final LongAdder longHolds = new LongAdder();
  private final HoldCounter writes = new HoldCounter();
  private final HoldCounter reads = new HoldCounter();

  NamesystemLock(FSNamesystem namesystem) {
    this.namesystem = namesystem;
  }

  /**
   * Takes the write lock. The caller releases the lock when it closes the hold, for example with a
   * try statement.
   */
  Hold write(String operation) {
    namesystem.writeLock();
    return new Hold(operation, true);
  }

  /**
   * Takes the read lock. The caller releases the lock when it closes the hold, for example with a
   * try statement.
   */
  Hold read(String operation) {
    namesystem.readLock();
    return new Hold(operation, false);
  }

  <T> T writing(String operation, Supplier<T> action) {
    Hold hold = write(operation);
    try {
      return action.get();
    } finally {
      hold.close();
    }
  }

  void reading(String operation, Runnable action) {
    Hold hold = read(operation);
    try {
      action.run();
    } finally {
      hold.close();
    }
  }

  void countGranted() {
    granted.increment();
  }

  LockTimes times() {
    return new LockTimes(writes.sum(), reads.sum(), longHolds.sum(), granted.sum());
  }

  /** Counts the holds of the lock in one mode, reading or writing. */
  private static final class HoldCounter {
    private final LongAdder holds = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAccumulator nanosMax = new LongAccumulator(Math::max, 0);

    void count(long heldNanos) {
      holds.increment();
      nanos.add(heldNanos);
      nanosMax.accumulate(heldNanos);
    }

    LockTimes.Holds sum() {
      return new LockTimes.Holds(holds.sum(), nanos.sum(), nanosMax.get());
    }
  }

  /** One hold of the lock; {@link #close} releases the lock. */
  final class Hold implements AutoCloseable {
    private final String operation;
    private final boolean write;
    private final long startNanos = System.nanoTime();

    private Hold(String operation, boolean write) {
      this.operation = operation;
      this.write = write;
    }

    /** Returns whether the hold should end now; the caller then does the rest in another hold. */
    boolean isLong() {
      return System.nanoTime() - startNanos > HOLD_NANOS;
    }

    @Override
    public void close() {
      long nanos = System.nanoTime() - startNanos;
      if (nanos > HOLD_NANOS_MAX) {
        longHolds.increment();
      }
      if (write) {
        namesystem.writeUnlock(operation);
        writes.count(nanos);
      } else {
        namesystem.readUnlock(operation);
        reads.count(nanos);
      }
    }
  }
}
