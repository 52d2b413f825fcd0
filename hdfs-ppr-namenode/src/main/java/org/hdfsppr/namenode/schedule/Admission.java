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
 * Decides whether a repair may begin now. No link or disk that it uses may then have more to do
 * than {@code depth} repairs of its size take one after the other. The bound follows the load: a
 * node that users keep busy, or whose links are slow, is in fewer repairs, and a node that only
 * sends a small share of a repair is in more. A repair that uses only idle places may always begin;
 * otherwise a large block never could.
 *
 * <p>The depth trades smoothness for memory at the nodes. Links share their rates among the repairs
 * that go over them, and a chain is as fast as its slowest link, so with a depth of 1 most links
 * wait for others. Immutable.
 */
@InterfaceAudience.Private
public final class Admission {
  /**
   * From simulations: of 1000 nodes one is lost with 9000 blocks. All of them are repaired in 1.20
   * times the lower bound with a depth of 8, in 1.14 with 16, and in 1.12 with 32, which has twice
   * the repairs in flight.
   */
  public static final double DEPTH_DEFAULT = 16;

  /** Stands for no place. */
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

  /** Whether the load's place i is too busy. */
  boolean isBusy(Fleet fleet, RepairLoad load, int i) {
    return seconds(fleet, load, i) > mostSeconds(fleet, load);
  }

  /**
   * The load, in seconds, that each place of the repair may carry with it, later repairs included.
   */
  double mostSeconds(Fleet fleet, RepairLoad load) {
    double alone = 0;
    for (int i = 0; i < load.size(); i++) {
      alone = Math.max(alone, fleet.secondsAlone(load.resource(i), load.bytes(i)));
    }
    return Math.max(windowS, depth * alone) * EQUAL;
  }

  /** The load of resource i with this repair, seconds. */
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
