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
  /**
   * From simulations: of 1000 nodes one is lost with 9000 blocks, and all is repaired in 1.20 times
   * the lower bound with a depth of 8, 1.14 with 16, 1.12 with 32 and twice the repairs in flight.
   */
  public static final double DEPTH_DEFAULT = 16;

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
    double most = mostSeconds(fleet, load);
    for (int i = 0; i < load.size(); i++) {
      double seconds = seconds(fleet, load, i);
      if (seconds > most) {
        most = seconds;
        worst = Resource.place(load.resource(i));
      }
    }
    return worst;
  }

  /** Whether its place i is too busy. */
  boolean isBusy(Fleet fleet, RepairLoad load, int i) {
    return seconds(fleet, load, i) > mostSeconds(fleet, load);
  }

  /** What may be pending on each of its places with this repair, others that begin later too. */
  double mostSeconds(Fleet fleet, RepairLoad load) {
    double alone = 0;
    for (int i = 0; i < load.size(); i++) {
      alone = Math.max(alone, fleet.secondsAlone(load.resource(i), load.bytes(i)));
    }
    return Math.max(windowS, depth * alone) * EQUAL;
  }

  /** What would be pending on resource i. */
  private static double seconds(Fleet fleet, RepairLoad load, int i) {
    int resource = load.resource(i);
    int place = Resource.place(resource);
    if (place >= 0 && fleet.node(place).isFull()) {
      return Double.MAX_VALUE;
    }
    return fleet.secondsWith(resource, 0) == 0 ? 0
        : fleet.secondsWith(resource, load.bytes(i));
  }
}
