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
package org.hdfsppr.namenode.queue;

import org.apache.hadoop.classification.InterfaceAudience;

/** How long the repair manager has held the NameNode's lock since the start. Immutable. */
@InterfaceAudience.Private
public final class LockTimes {
  /** The times before the first hold */
  public static final LockTimes NONE = new LockTimes(Holds.NONE, Holds.NONE, 0, 0);

  /** Holds of the write lock */
  public final Holds write;
  /** Holds of the read lock */
  public final Holds read;
  /**
   * How often the lock was held for more than 5 ms, for reading or writing. The repair manager ends
   * its work under the lock after 2 ms. A hold of more than 5 ms therefore means an overloaded
   * machine or a garbage collection
   */
  public final long longHolds;
  /** How many repairs have begun */
  public final long granted;

  /**
   * Makes a snapshot of the counters.
   *
   * @param write holds of the write lock
   * @param read holds of the read lock
   * @param longHolds how many holds were longer than 5 ms
   * @param granted how many repairs have begun
   */
  public LockTimes(Holds write, Holds read, long longHolds, long granted) {
    this.write = write;
    this.read = read;
    this.longHolds = longHolds;
    this.granted = granted;
  }

  /**
   * Returns for how long, on average, the write lock was held for each repair.
   *
   * @return the time for which the write lock was held, divided by the number of repairs that have
   *     begun, ns; 0 if no repair has begun
   */
  public long writeNanosPerRepair() {
    return granted == 0 ? 0 : write.nanos / granted;
  }

  @Override
  public String toString() {
    return "write lock: " + write + ", " + writeNanosPerRepair() + " ns for each of " + granted
        + " repairs; read lock: " + read + "; held for more than 5 ms: " + longHolds + " times";
  }

  /** Holds of one lock in one mode. */
  public static final class Holds {
    /** No hold */
    public static final Holds NONE = new Holds(0, 0, 0);

    /** How often the lock was held */
    public final long count;
    /** How long the lock was held altogether, ns */
    public final long nanos;
    /** The longest hold, ns */
    public final long nanosMax;

    /**
     * @param count how often the lock was held
     * @param nanos for how long the lock was held altogether, ns
     * @param nanosMax the longest hold, ns
     */
    public Holds(long count, long nanos, long nanosMax) {
      this.count = count;
      this.nanos = nanos;
      this.nanosMax = nanosMax;
    }

    @Override
    public String toString() {
      return count + " times, " + nanos + " ns, at most " + nanosMax + " ns";
    }
  }
}
