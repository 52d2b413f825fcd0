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
package org.hdfsppr.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;


/**
 * Computes a lower bound of the time that the links of the live nodes need for the bytes that
 * rebuild given lost units. No planner can be faster.
 *
 * <p>Each of the n nodes has a link that carries b bytes per second in each direction. If the
 * racks' links are limited, each of the R racks has a link to the core that carries x bytes per
 * second in each direction. A lost unit u has C(u) bytes. To rebuild u, the code's cheapest recipe
 * reads r(u) C(u) bytes from other units of the group. For example, r(u) is k for Reed-Solomon, and
 * 6 for a data or a local parity unit of lrc-l2-12-4. H(u) is the set of live nodes that hold
 * another unit of the group. No node sends more than C(u) bytes for u. A tree sends as many bytes
 * as a star, because a helper that adds its own part to a received sum still sends C(u) bytes.
 * Every byte that a node sends, another node receives. The bound is the greatest of these times:
 *
 * <pre>
 * total      sum over u of r(u) C(u) / (n b): all n nodes together send these bytes
 *
 * senders    the least t for which the nodes of H(u) can send r(u) C(u) bytes for each u, if a node
 *            sends at most C(u) bytes for each u and at most t b bytes in all. By max-flow and
 *            min-cut, t is the maximum, over all sets S of nodes, of the time in which S can send
 *            the bytes that no other node can send:
 *            max over S of  sum over u of max(0, r(u) - |H(u) without S|) C(u) / (|S| b);
 *            if S is the set of all nodes, this time is the total
 *
 * recipes    for a code with which only some sets of helpers can rebuild a unit, such as LRC. Give
 *            each node a weight, so that all weights add up to 1, and multiply each sent byte by
 *            its sender's weight. For u, the nodes send at least C(u) times the weight w(h) of the
 *            lightest helper set h. In t seconds, all nodes send at most t b weighted bytes. So t
 *            is at least sum over u of C(u) min over sets h of w(h), divided by b. This holds for
 *            any weights; the best weights solve the dual of a linear program
 *
 * receivers  as senders, but for the nodes that receive the rebuilt units: for each u, nodes that
 *            hold no unit of its group must receive C(u) bytes. A single node must finally receive
 *            all of u, so t is also at least C(u) / b
 *
 * racks      sum over u of m(u) C(u) / (R x), where m(u) is how many units' worth of bytes must at
 *            least enter the destination's rack. The helpers of a rack add up their parts before
 *            their sum leaves the rack. So m(u) is the least number of other racks whose helpers,
 *            with those of the destination's rack, make up r(u)
 * </pre>
 *
 * <p>The bound ignores packets' headers and checksums, disks, processors, and the latency of a
 * repair's first byte.
 */
final class LowerBound {

  /**
   * The share of TCP payload in a full Ethernet frame. The rates of links are multiplied by this
   * share, because the links' token buckets count whole frames. Of the 1514 bytes of a frame, 1448
   * bytes remain after the headers of Ethernet, IP and TCP and the TCP time stamps.
   */
  static final double GOODPUT = 1448.0 / 1514;

  private final List<LostUnit> lost;
  private final List<Integer> nodes;
  private final double bytesPerSecond;

  /**
   * @param lost the units that have to be rebuilt
   * @param nodes the live nodes, numbered from 1
   * @param bytesPerSecond the rate of a node's link in each direction, b
   */
  LowerBound(List<LostUnit> lost, List<Integer> nodes, double bytesPerSecond) {
    if (nodes.isEmpty() || bytesPerSecond <= 0) {
      throw new IllegalArgumentException(nodes + " at " + bytesPerSecond + " bytes per second");
    }
    this.lost = Collections.unmodifiableList(new ArrayList<>(lost));
    this.nodes = Collections.unmodifiableList(new ArrayList<>(nodes));
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Returns the bound, in seconds, for a cluster whose racks have no limited links. */
  double seconds() {
    return Math.max(Math.max(total(), recipes()), Math.max(senders(), receivers()));
  }

  /**
   * Returns the bound, in seconds, for a cluster whose racks have limited links.
   *
   * @param racks contains at index i the rack of node i; nodes and racks are numbered from 1
   * @param rackBytesPerSecond the rate of a rack's link in each direction, x
   */
  double seconds(int[] racks, double rackBytesPerSecond) {
    return Math.max(seconds(), racks(racks, rackBytesPerSecond));
  }

  /** Returns how many bytes all nodes together must send. */
  double bytes() {
    return lost.stream().mapToDouble(unit -> unit.unitsRead * unit.bytes).sum();
  }

  double total() {
    return bytes() / (nodes.size() * bytesPerSecond);
  }

  double senders() {
    List<FlowBound.Demand> demands = new ArrayList<>();
    for (LostUnit unit : lost) {
      demands.add(new FlowBound.Demand(unit.unitsRead * unit.bytes, unit.bytes,
          unit.holders));
    }
    return new FlowBound(nodes).leastMaximum(demands) / bytesPerSecond;
  }

  /**
   * Returns the time named "recipes" in the class comment, in seconds; 0 if any large enough set of
   * holders can rebuild each unit.
   */
  double recipes() {
    return new HelperSetBound(lost, nodes).leastMaximum() / bytesPerSecond;
  }

  double receivers() {
    List<FlowBound.Demand> demands = new ArrayList<>();
    for (LostUnit unit : lost) {
      List<Integer> free = new ArrayList<>(nodes);
      free.removeAll(unit.holders);
      if (free.isEmpty()) {
        throw new IllegalArgumentException("No node is free for a unit that " + unit.holders
            + " hold the others of");
      }
      demands.add(new FlowBound.Demand(unit.bytes, unit.bytes, free));
    }
    return Math.max(new FlowBound(nodes).leastMaximum(demands), largest(lost)) / bytesPerSecond;
  }

  private static double largest(List<LostUnit> units) {
    return units.stream().mapToDouble(unit -> unit.bytes).max().orElse(0);
  }

  private double racks(int[] racks, double rackBytesPerSecond) {
    Set<Integer> all = new HashSet<>();
    nodes.forEach(node -> all.add(racks[node]));
    double crossing = 0;
    for (LostUnit unit : lost) {
      double least = Double.MAX_VALUE;
      for (int node : nodes) {
        if (!unit.holders.contains(node)) {
          least = Math.min(least, crossingUnits(unit, racks, racks[node]));
        }
      }
      crossing += least * unit.bytes;
    }
    return crossing / (all.size() * rackBytesPerSecond);
  }

  /**
   * Returns how many units' worth of sums must at least enter the destination's rack. The fewest
   * sums cross if the racks with the most holders contribute first.
   */
  private static double crossingUnits(LostUnit unit, int[] racks, int destination) {
    int[] holders = new int[Arrays.stream(racks).max().getAsInt() + 1];
    unit.holders.forEach(node -> holders[racks[node]]++);
    double missing = unit.unitsRead - holders[destination];
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
   * Returns a lower bound, in seconds, of the time in which a cluster can bring the units of a
   * decommissioned node to other nodes. The leaving node holds L bytes of units and can copy units
   * over its own link. In t seconds it sends at most t b bytes. The other nodes rebuild the
   * remaining L - t b bytes, and must send r bytes for each. The n nodes that stay receive all
   * these bytes, and in t seconds they receive at most t n b bytes. So t is least if r (L - t b) +
   * t b = t n b, which gives t = r L / (b (n + r - 1)). A single unit also needs C / b seconds.
   *
   * @param nodesThatStay n, the number of live nodes without the leaving node
   */
  static double decommissionSeconds(List<LostUnit> leaving, int nodesThatStay,
      double bytesPerSecond) {
    double bytes = leaving.stream().mapToDouble(unit -> unit.bytes).sum();
    double moved = leaving.stream().mapToDouble(unit -> unit.unitsRead * unit.bytes).sum();
    double ratio = bytes == 0 ? 1 : moved / bytes;
    return Math.max(moved / (nodesThatStay + ratio - 1), largest(leaving)) / bytesPerSecond;
  }
}
