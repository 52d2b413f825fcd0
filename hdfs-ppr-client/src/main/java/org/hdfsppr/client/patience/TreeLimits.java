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
package org.hdfsppr.client.patience;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Says how long a tree may take before the client stops the tree and decodes instead. The client
 * stops only a limited fraction of the trees early, as it hedges only a limited fraction of the
 * reads of units. The other trees may run for the longest time that the settings allow, and so show
 * how long a tree takes now. A stopped tree does not show how long it would have taken. So without
 * this rule, a client whose link has become busy would go on to stop all trees early. Decoding
 * instead moves k times the bytes over the same busy link. Thread-safe.
 */
@InterfaceAudience.Private
public final class TreeLimits {
  /**
   * How many trees a client may stop early before any tree has ended. Later, too, the client saves
   * up at most this many early stops.
   */
  private static final int EARLY_SAVED_MOST = 10;

  private final HedgeDelay delay;

  /**
   * @param minMs the shortest time that a tree gets, milliseconds; at least 1
   * @param maxMs the longest time that a tree gets, milliseconds
   * @param percent how many of a hundred trees the client may stop before {@code maxMs}
   */
  public TreeLimits(int minMs, int maxMs, int percent) {
    // Many nodes work for one tree, so the time of a tree does not show whether a single node is
    // slow.
    delay = new HedgeDelay(minMs, maxMs, percent, EARLY_SAVED_MOST, false);
  }

  /** The time that one tree gets. Used by one thread. */
  public final class Limit {
    private final long bytes;
    private final boolean isEarly;
    /** How long the tree may take, nanoseconds */
    public final long nanos;

    private Limit(long bytes) {
      this.bytes = bytes;
      isEarly = delay.mayHedge(1);
      nanos = isEarly ? delay.nanos(bytes) : delay.maxNanos;
    }

    /**
     * Learns from a tree that has rebuilt its range.
     *
     * @param tookNanos how long the tree took, nanoseconds
     */
    public void brought(long tookNanos) {
      delay.took(bytes, tookNanos);
      giveBack();
    }

    /**
     * Notes that the tree has not rebuilt its range.
     *
     * @param isLate whether the client stopped the tree because its time was over
     */
    public void failed(boolean isLate) {
      if (!isLate) {
        giveBack();
      }
    }

    private void giveBack() {
      if (isEarly) {
        delay.didNotHedge(1);
      }
    }
  }

  /**
   * Determines the time limit of a tree that begins now.
   *
   * @param bytes length of the range that the tree rebuilds, bytes
   * @return the tree's time limit; the caller calls its method {@code brought} or {@code failed}
   *     when the tree is over
   */
  public Limit begin(long bytes) {
    return new Limit(bytes);
  }
}
