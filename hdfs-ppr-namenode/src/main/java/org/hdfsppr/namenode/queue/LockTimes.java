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
  /** How often the write lock was held */
  public final long writeHolds;
  /** How long the write lock was held altogether, ns */
  public final long writeNanos;
  /** The longest hold of the write lock, ns */
  public final long writeNanosMax;
  /** How often the read lock was held */
  public final long readHolds;
  /** How long the read lock was held altogether, ns */
  public final long readNanos;
  /** The longest hold of the read lock, ns */
  public final long readNanosMax;
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
   * @param writeHolds how often the write lock was held
   * @param writeNanos for how long the write lock was held altogether, ns
   * @param writeNanosMax the longest hold of the write lock, ns
   * @param readHolds how often the read lock was held
   * @param readNanos for how long the read lock was held altogether, ns
   * @param readNanosMax the longest hold of the read lock, ns
   * @param longHolds how many holds were longer than 5 ms
   * @param granted how many repairs have begun
   */
  public LockTimes(long writeHolds, long writeNanos, long writeNanosMax, long readHolds,
      long readNanos, long readNanosMax, long longHolds, long granted) {
    this.writeHolds = writeHolds;
    this.writeNanos = writeNanos;
    this.writeNanosMax = writeNanosMax;
    this.readHolds = readHolds;
    this.readNanos = readNanos;
    this.readNanosMax = readNanosMax;
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
    return granted == 0 ? 0 : writeNanos / granted;
  }

  @Override
  public String toString() {
    return "write lock: " + writeHolds + " times, " + writeNanos + " ns, at most " + writeNanosMax
        + " ns, " + writeNanosPerRepair() + " ns for each of " + granted
        + " repairs; read lock: " + readHolds + " times, " + readNanos + " ns, at most "
        + readNanosMax + " ns; held for more than 5 ms: " + longHolds + " times";
  }
}
