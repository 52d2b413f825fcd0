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
package org.hdfsppr.it.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Computes the least time in which the links of the live nodes can carry the bytes that rebuild
 * given lost units. No planner can be faster.
 *
 * <p>Node v of n has a link that carries b bytes per second each way; each of R racks, if that is
 * limited, a link to the core that carries x bytes per second each way. To rebuild the lost unit u,
 * of C(u) bytes, the code's cheapest recipe takes r(u) C(u) bytes from other units of the group: k
 * C for Reed-Solomon, 6 C for a data or a local parity unit of lrc-l2-12-4. H(u) are the live nodes
 * that hold such a unit, and no node sends more than C(u) of it. Adding up on the way does not
 * help: a node that adds its own part to what it received still sends C, so each of k helpers sends
 * C in a tree as in a star, and every byte that is sent is received. The bound is the greatest of
 *
 *<pre>
 * total      sum over u of r(u) C(u) / (n b)
 *
 * senders    the least t such that u can be given r(u) C(u) bytes by the nodes of H(u), no node
 *            giving u more than C(u), and none more than t b in all. By max-flow and min-cut that
 *            is the tightest cut, over all sets S of nodes, of what only S can send:
 *            max over S of  sum over u of max(0, r(u) - |H(u) without S|) C(u) / (|S| b);
 *            with S = all nodes it is the total
 *
 * recipes    for a code whose helpers cannot be chosen at will, such as LRC: let w be any weights
 *            of the nodes, 1 in all. To rebuild u costs at least the weight of its lightest set
 *            of helpers, and in t seconds all nodes send no more than t b times 1; so the bound
 *            is sum over u of C(u) min over sets h of w(h), over b. The best weights are those
 *            of a linear program's dual; whichever are found, the bound holds
 *
 * receivers  the same as senders for the places to which rebuilt units may go: each u has to be
 *            received, C(u) bytes, by nodes that hold no unit of its group; and by one node in
 *            the end, so it is no less than C(u) / b
 *
 * racks      sum over u of m(u) C(u) / (R x), where m(u) is how many units' worth have to
 *            cross racks at least: a rack's helpers add up before their sum crosses, so it is
 *            the least number of racks besides the destination's that make up r(u)
 *</pre>
 *
 * <p>The bound ignores packets' headers and checksums, disks, processors, and the latency of a
 * repair's first byte.
 */
@InterfaceAudience.Private
final class LowerBound {

  /**
   * The share of TCP payload in a full Ethernet frame, as the links' token buckets count frames: of
   * 1514 bytes, 1448 are left without the Ethernet, IP and TCP headers and time stamps.
   */
  static final double GOODPUT = 1448.0 / 1514;

  private final List<LostUnit> lost;
  private final List<Integer> nodes;
  private final double bytesPerSecond;

  /**
   * @param lost the units that have to be rebuilt
   * @param nodes the live nodes, numbered from 1
   * @param bytesPerSecond b
   */
  LowerBound(List<LostUnit> lost, List<Integer> nodes, double bytesPerSecond) {
    if (nodes.isEmpty() || bytesPerSecond <= 0) {
      throw new IllegalArgumentException(nodes + " at " + bytesPerSecond + " bytes per second");
    }
    this.lost = Collections.unmodifiableList(new ArrayList<>(lost));
    this.nodes = Collections.unmodifiableList(new ArrayList<>(nodes));
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Returns the bound for a cluster without a limit between racks, seconds. */
  double seconds() {
    return Math.max(Math.max(total(), recipes()), Math.max(senders(), receivers()));
  }

  /**
   * Returns the bound for a cluster whose racks have limited links, seconds.
   *
   * @param racks the rack of node i, from 1, at index i
   * @param rackBytesPerSecond x
   */
  double seconds(int[] racks, double rackBytesPerSecond) {
    return Math.max(seconds(), racks(racks, rackBytesPerSecond));
  }

  /** The bytes that have to move over links. */
  double bytes() {
    return lost.stream().mapToDouble(unit -> unit.unitsRead() * unit.bytes()).sum();
  }

  double total() {
    return bytes() / (nodes.size() * bytesPerSecond);
  }

  double senders() {
    List<FlowBound.Demand> demands = new ArrayList<>();
    for (LostUnit unit : lost) {
      demands.add(new FlowBound.Demand(unit.unitsRead() * unit.bytes(), unit.bytes(),
          unit.holders()));
    }
    return new FlowBound(nodes).leastMaximum(demands) / bytesPerSecond;
  }

  /** The bound of the recipes; 0 if each unit can be rebuilt from any of its holders. */
  double recipes() {
    return new HelperSetBound(lost, nodes).leastMaximum() / bytesPerSecond;
  }

  double receivers() {
    List<FlowBound.Demand> demands = new ArrayList<>();
    for (LostUnit unit : lost) {
      List<Integer> free = new ArrayList<>(nodes);
      free.removeAll(unit.holders());
      if (free.isEmpty()) {
        throw new IllegalArgumentException("No node is free for a unit that " + unit.holders()
            + " hold the others of");
      }
      demands.add(new FlowBound.Demand(unit.bytes(), unit.bytes(), free));
    }
    return Math.max(new FlowBound(nodes).leastMaximum(demands), largest(lost)) / bytesPerSecond;
  }

  private static double largest(List<LostUnit> units) {
    return units.stream().mapToDouble(unit -> unit.bytes()).max().orElse(0);
  }

  private double racks(int[] racks, double rackBytesPerSecond) {
    Set<Integer> all = new HashSet<>();
    nodes.forEach(node -> all.add(racks[node]));
    double crossing = 0;
    for (LostUnit unit : lost) {
      double least = Double.MAX_VALUE;
      for (int node : nodes) {
        if (!unit.holders().contains(node)) {
          least = Math.min(least, crossingUnits(unit, racks, racks[node]));
        }
      }
      crossing += least * unit.bytes();
    }
    return crossing / (all.size() * rackBytesPerSecond);
  }

  /**
   * How many units' worth of sums has to enter the destination's rack, if the racks with most
   * holders contribute first.
   */
  private static double crossingUnits(LostUnit unit, int[] racks, int destination) {
    int[] holders = new int[Arrays.stream(racks).max().getAsInt() + 1];
    unit.holders().forEach(node -> holders[racks[node]]++);
    double missing = unit.unitsRead() - holders[destination];
    holders[destination] = 0;
    Arrays.sort(holders);
    double units = 0;
    for (int i = holders.length - 1; i >= 0 && missing > 0; i--) {
      units += Math.min(1, missing);
      missing -= holders[i];
    }
    return units;
  }

  /**
   * Returns the least time in which the units of a node that is decommissioned can be brought to
   * other nodes. Units that the leaving node copies over its own link need not be rebuilt from
   * others. In t seconds it can send t b bytes, and the rest, at r bytes for each, with these has
   * to enter the n other nodes: r (L - t b) + t b = t n b for L bytes of units in all, so t = r L /
   * (b (n + r - 1)); and no less than C / b.
   *
   * @param nodesThatStay n
   */
  static double decommissionSeconds(List<LostUnit> leaving, int nodesThatStay,
      double bytesPerSecond) {
    double bytes = leaving.stream().mapToDouble(unit -> unit.bytes()).sum();
    double moved = leaving.stream().mapToDouble(unit -> unit.unitsRead() * unit.bytes()).sum();
    double ratio = bytes == 0 ? 1 : moved / bytes;
    return Math.max(moved / (nodesThatStay + ratio - 1), largest(leaving)) / bytesPerSecond;
  }
}
