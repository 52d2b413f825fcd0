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
package org.hdfsppr.namenode.schedule;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Whether a repair may begin now: no link or disk that it uses may then have more to do than so
 * many repairs of its size one after the other. That bound follows the load: a node that users keep
 * busy, or whose links are slow, is in fewer repairs; one that only sends a small share of a repair
 * is in more. What is idle may always begin, or a large block could never.
 *
 * <p>The depth trades smoothness for memory at the nodes. Links share their rates among the repairs
 * that go over them, and a chain goes as fast as its slowest link, so with a depth of 1 most links
 * wait for others. Immutable.
 */
@InterfaceAudience.Private
public final class Admission {
  /** From simulations: with less, links idle; with more, nothing becomes faster. */
  public static final double DEPTH_DEFAULT = 8;

  /** No place. */
  static final int NONE = Integer.MIN_VALUE;

  private static final double EQUAL = 1 + 1e-9;

  private final double depth;
  private final double windowS;

  /**
   * @param depth repairs of a size, one after the other
   * @param windowS seconds that may be pending in any case: commands go out with heartbeats, and
   *     until the next one no link should run dry
   */
  public Admission(double depth, double windowS) {
    if (!(depth >= 1) || !(windowS >= 0)) {
      throw new IllegalArgumentException("A depth of " + depth + " and a window of " + windowS
          + " s do not let repairs begin");
    }
    this.depth = depth;
    this.windowS = windowS;
  }

  /**
   * The place that is too busy, the busiest one if there are several.
   *
   * @return {@link #NONE} if there is none
   */
  int blocker(Fleet fleet, RepairLoad load) {
    int worst = NONE;
    double most = 1;
    for (int i = 0; i < load.size(); i++) {
      double excess = excess(fleet, load, i);
      if (excess > most) {
        most = excess;
        worst = Resource.place(load.resource(i));
      }
    }
    return worst;
  }

  /** Whether that one of its places is too busy. */
  boolean isBusy(Fleet fleet, RepairLoad load, int i) {
    return excess(fleet, load, i) > 1;
  }

  /** What would be pending on resource i, as a multiple of what may be. */
  private double excess(Fleet fleet, RepairLoad load, int i) {
    int resource = load.resource(i);
    int place = Resource.place(resource);
    if (place >= 0 && fleet.node(place).isFull()) {
      return Double.MAX_VALUE;
    }
    long pending = fleet.pending(resource);
    if (pending == 0) {
      return 0;
    }
    double alone = fleet.secondsAlone(resource, load.bytes(i));
    double after = fleet.secondsAlone(resource, pending) + alone;
    double most = Math.max(windowS, depth * alone) * EQUAL;
    return most == 0 ? 0 : after / most;
  }
}
