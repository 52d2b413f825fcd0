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
package org.hdfsppr.namenode.manage.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.BusyNode;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.NodeState;

/**
 * Finds the busiest nodes, and calculates how soon all lost units can be rebuilt at best. That is
 * limited in two ways: the busiest link or disk has to move what is planned for it, and all nodes
 * together have to move this and what waits. A waiting byte is assumed to cost as much as a byte
 * under way. Not thread-safe.
 */
@InterfaceAudience.Private
public final class LoadMeasure {
  /** The greatest number of nodes in the list of the busiest ones. */
  public static final int BUSIEST_MAX = 5;
  /** The weight of the newest look in the moving average of {@code secondsPerByte}. */
  private static final double NEWEST_SHARE = 0.25;

  private List<BusyNode> busiest = List.of();
  private double busiestSeconds;
  private double allSeconds;
  private int usable;
  private double secondsPerByte;

  /**
   * Looks at the predicted load of all nodes. Call this about once a second.
   *
   * @param fleet the load of each node
   * @param bytesUnderWay bytes that the repairs under way still have to rebuild
   */
  public void look(Fleet fleet, long bytesUnderWay) {
    List<BusyNode> most = new ArrayList<>(BUSIEST_MAX + 1);
    allSeconds = 0;
    busiestSeconds = 0;
    usable = 0;
    for (int i = 0; i < fleet.size(); i++) {
      NodeState node = fleet.node(i);
      double seconds = node.seconds();
      usable += node.isUsable() ? 1 : 0;
      allSeconds += seconds;
      busiestSeconds = Math.max(busiestSeconds, seconds);
      if (seconds > 0 && (most.size() < BUSIEST_MAX
          || seconds > most.get(BUSIEST_MAX - 1).seconds)) {
        most.add(new BusyNode(node.ref(), seconds));
        most.sort(Comparator.comparingDouble((BusyNode busy) -> busy.seconds).reversed());
        most.subList(Math.min(BUSIEST_MAX, most.size()), most.size()).clear();
      }
    }
    busiest = List.copyOf(most);
    if (bytesUnderWay > 0 && allSeconds > 0) {
      double cost = allSeconds / bytesUnderWay;
      secondsPerByte =
          secondsPerByte == 0 ? cost : secondsPerByte + NEWEST_SHARE * (cost - secondsPerByte);
    }
  }

  /** @return the nodes that are busy for the longest time, the busiest first */
  public List<BusyNode> busiest() {
    return busiest;
  }

  /**
   * @param bytesWaiting bytes of the lost units of groups that wait and can be repaired
   * @return when all can be rebuilt at best, seconds from now; empty if nothing is left, or if no
   *     repair has been planned yet that shows what a byte costs
   */
  public OptionalDouble boundSeconds(long bytesWaiting) {
    boolean isUnknown = usable == 0 || bytesWaiting > 0 && secondsPerByte == 0;
    if (isUnknown || bytesWaiting == 0 && allSeconds == 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(Math.max(busiestSeconds,
        (allSeconds + secondsPerByte * bytesWaiting) / usable));
  }
}
