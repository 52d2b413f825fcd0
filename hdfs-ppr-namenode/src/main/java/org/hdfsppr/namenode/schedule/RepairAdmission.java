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
import org.hdfsppr.namenode.schedule.LinkOrDisk.Kind;

/**
 * Decides whether a repair may begin now. A repair must wait if, with this repair, one of its links
 * or disks would have more pending work than {@code depth} repairs of the same size, one after the
 * other. The bound adapts to the nodes: a node that users keep busy, or whose links are slow, takes
 * part in fewer repairs, and a node that only sends a small share of a repair takes part in more. A
 * repair that uses only idle links and disks may always begin; otherwise a large block could never
 * be repaired.
 *
 * <p>A greater depth keeps more links busy, but needs more memory at the nodes. A link shares its
 * rate among the repairs that use it, and a chain is only as fast as its slowest link. With a depth
 * of 1, most links would therefore wait for other links. Immutable.
 */
@InterfaceAudience.Private
public final class RepairAdmission {
  /**
   * The default depth comes from simulations in which one of 1000 nodes is lost with 9000 blocks.
   * The repair of all blocks takes 1.20 times the lower bound with a depth of 8, 1.14 times with
   * 16, and 1.12 times with 32, which has twice as many repairs in flight as 16.
   */
  public static final double DEPTH_DEFAULT = 16;

  /**
   * The result of {@link #blocker} if no node or rack is too busy. No node or rack has this number.
   */
  static final int NONE = Integer.MIN_VALUE;

  private static final double EQUAL = 1 + 1e-9;

  private final double depth;
  private final double windowS;

  /**
   * @param depth how many repairs of the same size a link or disk may have pending, at least 1
   * @param windowS load that a link or disk may have pending in any case, seconds. Commands go out
   *     with heartbeats, and no link should run out of work before the next heartbeat
   */
  public RepairAdmission(double depth, double windowS) {
    if (!(depth >= 1) || !(windowS >= 0)) {
      throw new IllegalArgumentException("A depth of " + depth + " and a window of " + windowS
          + " s do not let repairs begin");
    }
    this.depth = depth;
    this.windowS = windowS;
  }

  /**
   * Finds a node or rack that is too busy for the repair. If there are several, finds the busiest.
   *
   * @return the place of that node or rack, see {@link LinkOrDisk}; {@link #NONE} if none is too
   *     busy
   */
  int blocker(Fleet fleet, RepairLoad load) {
    return blocker(fleet, load, mostSeconds(fleet, load));
  }

  /**
   * Returns whether a plan may replace an admitted plan of the same repair. The bound on pending
   * work is the greater one of the two plans' bounds. Each plan's bound grows with what the plan
   * moves over its busiest link, so a plan that spreads its bytes better has the lower bound and
   * would be refused.
   *
   * @param first the load of the admitted plan; the fleet does not count it now
   * @param load the load of the plan that replaces it
   */
  boolean mayReplace(Fleet fleet, RepairLoad first, RepairLoad load) {
    return blocker(fleet, load, Math.max(mostSeconds(fleet, first), mostSeconds(fleet, load)))
        == NONE;
  }

  private static int blocker(Fleet fleet, RepairLoad load, double mostSeconds) {
    int worst = NONE;
    double most = mostSeconds;
    for (int i = 0; i < load.size(); i++) {
      double seconds = seconds(fleet, load, i);
      if (seconds > most) {
        most = seconds;
        worst = LinkOrDisk.place(load.resource(i));
      }
    }
    return worst;
  }

  /** Returns whether entry i of the load is on a node or rack that is too busy for the repair. */
  boolean isBusy(Fleet fleet, RepairLoad load, int i) {
    return seconds(fleet, load, i) > mostSeconds(fleet, load);
  }

  /**
   * Returns the greatest load, in seconds, that each link and disk of the repair may have pending,
   * including the repair itself and later repairs.
   */
  double mostSeconds(Fleet fleet, RepairLoad load) {
    double alone = 0;
    for (int i = 0; i < load.size(); i++) {
      alone = Math.max(alone, fleet.secondsAlone(load.resource(i), load.bytes(i)));
    }
    return Math.max(windowS, depth * alone) * EQUAL;
  }

  /**
   * Returns the seconds that the resource of entry i needs for its pending bytes and for this
   * repair. If this would be a write at a node that can lead no further repair, returns a time that
   * is above each bound.
   */
  private static double seconds(Fleet fleet, RepairLoad load, int i) {
    int resource = load.resource(i);
    int place = LinkOrDisk.place(resource);
    if (LinkOrDisk.kind(resource) == Kind.WRITE && fleet.node(place).isFull()) {
      return Double.MAX_VALUE;
    }
    return fleet.secondsWith(resource, 0) == 0 ? 0
        : fleet.secondsWith(resource, load.bytes(i));
  }
}
