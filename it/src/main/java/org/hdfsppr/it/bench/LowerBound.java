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
 * The least time in which the links of the nodes that live can carry what it takes to rebuild given
 * lost units, whoever plans it.
 *
 * <p>Node v of n has a link that carries b bytes per second each way; each of R racks, if that is
 * limited, a link to the core that carries x bytes per second each way. To rebuild the lost unit u,
 * of C(u) bytes, the code's cheapest recipe takes r(u) C(u) bytes from other units of the group: k
 * C for Reed-Solomon, 6 C for a data or a local parity unit of LRC(12,2,2). H(u) are the live nodes
 * that hold such a unit, and no node sends more than C(u) of it. Adding up on the way does not
 * help: a node that adds its own part to what it received still sends C, so each of k helpers sends
 * C in a tree as in a star, and every byte that is sent is received. The bound is the greatest of
 *
 * <pre>
 *   total      sum over u of r(u) C(u) / (n b)
 *
 *   senders    the least t such that u can be given r(u) C(u) bytes by the nodes of H(u), no node
 *              giving u more than C(u), and none more than t b in all. By max-flow and min-cut that
 *              is the tightest cut, over all sets S of nodes, of what only S can send:
 *              max over S of  sum over u of max(0, r(u) - |H(u) without S|) C(u) / (|S| b);
 *              with S = all nodes it is the total
 *
 *   recipes    for a code whose helpers cannot be chosen at will, such as LRC: let w be any weights
 *              of the nodes, 1 in all. To rebuild u costs at least the weight of its lightest set
 *              of helpers, and in t seconds all nodes send no more than t b times 1; so the bound
 *              is sum over u of C(u) min over sets h of w(h), over b. The best weights are those
 *              of a linear program's dual; whichever are found, the bound holds
 *
 *   receivers  the same as senders for the places to which rebuilt units may go: each u has to be
 *              received, C(u) bytes, by nodes that hold no unit of its group; and by one node in
 *              the end, so it is no less than C(u) / b
 *
 *   racks      sum over u of m(u) C(u) / (R x), where m(u) is how many units' worth have to
 *              cross racks at least: a rack's helpers add up before their sum crosses, so it is
 *              the least number of racks besides the destination's that make up r(u)
 * </pre>
 *
 * <p>Not counted: packets' headers and checksums, disks, processors, and that the first byte of a
 * repair takes time.
 */
@InterfaceAudience.Private
final class LowerBound {

  /**
   * Bytes of TCP's payload in a full Ethernet frame, as the links' token buckets count: 1500 bytes
   * without IP and TCP headers and time stamps, of 1514.
   */
  static final double GOODPUT = 1448.0 / 1514;

  private static final int HALVINGS = 60;
  /** Steps towards the best weights; with so many the bound is within one per cent of the best. */
  private static final int STEPS = 4000;

  /** One lost unit, and where the other units of its group are. */
  @InterfaceAudience.Private
  static final class LostUnit {
    private final double bytes;
    private final double unitsRead;
    private final List<Integer> holders;
    private final List<List<Integer>> helperSets;

    /** Of a code where any holders will do. */
    LostUnit(long bytes, double unitsRead, List<Integer> holders) {
      this(bytes, unitsRead, holders, Collections.emptyList());
    }

    /**
     * @param bytes C
     * @param unitsRead what the cheapest recipe reads, in units
     * @param holders the live nodes that hold another unit of the group, from 1
     * @param helperSets the sets of holders that can rebuild it; empty if any will do
     */
    LostUnit(long bytes, double unitsRead, List<Integer> holders,
        List<List<Integer>> helperSets) {
      if (unitsRead > holders.size()) {
        throw new IllegalArgumentException(
            unitsRead + " units cannot be read from " + holders.size() + " nodes");
      }
      this.bytes = bytes;
      this.unitsRead = unitsRead;
      this.holders = Collections.unmodifiableList(new ArrayList<>(holders));
      this.helperSets = Collections.unmodifiableList(new ArrayList<>(helperSets));
    }

    List<Integer> holders() {
      return holders;
    }
  }

  private final List<LostUnit> lost;
  private final List<Integer> nodes;
  private final double bytesPerSecond;

  /**
   * @param lost what has to be rebuilt
   * @param nodes the nodes that live, from 1
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

  /** Without a limit between racks. */
  double seconds() {
    return Math.max(Math.max(total(), recipes()), Math.max(senders(), receivers()));
  }

  /**
   * With one.
   *
   * @param racks the rack of node i, from 1, at index i
   * @param rackBytesPerSecond x
   */
  double seconds(int[] racks, double rackBytesPerSecond) {
    return Math.max(seconds(), racks(racks, rackBytesPerSecond));
  }

  /** Bytes that have to move over links. */
  double bytes() {
    return lost.stream().mapToDouble(unit -> unit.unitsRead * unit.bytes).sum();
  }

  double total() {
    return bytes() / (nodes.size() * bytesPerSecond);
  }

  double senders() {
    List<Demand> demands = new ArrayList<>();
    for (LostUnit unit : lost) {
      demands.add(new Demand(unit.unitsRead * unit.bytes, unit.bytes, unit.holders));
    }
    return leastMaximum(demands) / bytesPerSecond;
  }

  /** 0 if all nodes that hold a unit are as good as any others. */
  double recipes() {
    List<Choice> choices = new ArrayList<>();
    for (LostUnit unit : lost) {
      if (!unit.helperSets.isEmpty()) {
        choices.add(new Choice(unit));
      }
    }
    double[] weights = new double[nodes.size()];
    Arrays.fill(weights, 1);
    double[] sum = new double[weights.length];
    double best = 0;
    for (int step = 1; step <= STEPS && !choices.isEmpty(); step++) {
      scale(weights);
      double[] sent = new double[weights.length];
      best = Math.max(best, lightest(choices, weights, sent));
      double most = Arrays.stream(sent).max().getAsDouble();
      for (int node = 0; node < weights.length; node++) {
        sum[node] += weights[node];
        // Those who send most count for more; by smaller and smaller steps.
        weights[node] *= Math.exp(sent[node] / most / Math.sqrt(step));
      }
    }
    scale(sum);
    best = Math.max(best, lightest(choices, sum, new double[sum.length]));
    return best / bytesPerSecond;
  }

  private static void scale(double[] weights) {
    double all = Arrays.stream(weights).sum();
    for (int i = 0; i < weights.length; i++) {
      weights[i] /= all;
    }
  }

  /** The weight of all bytes when each unit is rebuilt by its lightest set; who sends them then. */
  private static double lightest(List<Choice> choices, double[] weights, double[] sent) {
    double all = 0;
    for (Choice choice : choices) {
      int[] lightest = null;
      double least = Double.MAX_VALUE;
      for (int[] set : choice.sets) {
        double weight = 0;
        for (int node : set) {
          weight += weights[node];
        }
        if (weight < least) {
          least = weight;
          lightest = set;
        }
      }
      for (int node : lightest) {
        sent[node] += choice.bytes;
      }
      all += least * choice.bytes;
    }
    return all;
  }

  /** A unit's sets of helpers, by the nodes' indices. */
  private final class Choice {
    private final double bytes;
    private final List<int[]> sets = new ArrayList<>();

    Choice(LostUnit unit) {
      bytes = unit.bytes;
      for (List<Integer> set : unit.helperSets) {
        sets.add(set.stream().mapToInt(LowerBound.this::indexOf).toArray());
      }
    }
  }

  private int indexOf(int node) {
    int index = nodes.indexOf(node);
    if (index < 0) {
      throw new IllegalArgumentException("node " + node + " does not live");
    }
    return index;
  }

  double receivers() {
    List<Demand> demands = new ArrayList<>();
    for (LostUnit unit : lost) {
      List<Integer> free = new ArrayList<>(nodes);
      free.removeAll(unit.holders);
      if (free.isEmpty()) {
        throw new IllegalArgumentException("No node is free for a unit that " + unit.holders
            + " hold the others of");
      }
      demands.add(new Demand(unit.bytes, unit.bytes, free));
    }
    return Math.max(leastMaximum(demands), largest(lost)) / bytesPerSecond;
  }

  private static double largest(List<LostUnit> units) {
    return units.stream().mapToDouble(unit -> unit.bytes).max().orElse(0);
  }

  /** Bytes that a set of nodes has to share, none taking more than a part of it. */
  private static final class Demand {
    private final double bytes;
    private final double most;
    private final List<Integer> takers;

    Demand(double bytes, double most, List<Integer> takers) {
      this.bytes = bytes;
      this.most = most;
      this.takers = takers;
    }
  }

  /** The least T such that all demands can be met without any node taking more than T. */
  private double leastMaximum(List<Demand> demands) {
    double all = demands.stream().mapToDouble(demand -> demand.bytes).sum();
    double low = 0;
    double high = all;
    for (int i = 0; i < HALVINGS && high - low > all * 1e-9; i++) {
      double middle = (low + high) / 2;
      if (flow(demands, middle) >= all * (1 - 1e-9)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  /** The most that can be given out, demands to takers, when each takes {@code limit} at most. */
  private double flow(List<Demand> demands, double limit) {
    int source = 0;
    int sink = 1;
    int firstDemand = 2;
    int firstNode = firstDemand + demands.size();
    double[][] left = new double[firstNode + nodes.size()][firstNode + nodes.size()];
    for (int d = 0; d < demands.size(); d++) {
      left[source][firstDemand + d] = demands.get(d).bytes;
      for (int taker : demands.get(d).takers) {
        left[firstDemand + d][firstNode + indexOf(taker)] = demands.get(d).most;
      }
    }
    for (int i = 0; i < nodes.size(); i++) {
      left[firstNode + i][sink] = limit;
    }
    double sum = 0;
    for (double more = augment(left, source, sink); more > 0; more = augment(left, source, sink)) {
      sum += more;
    }
    return sum;
  }

  /** Edmonds and Karp: sends as much as possible along a shortest path that is left; 0 if none. */
  private static double augment(double[][] left, int source, int sink) {
    double least = 1e-6;
    int[] from = new int[left.length];
    Arrays.fill(from, -1);
    from[source] = source;
    int[] queue = new int[left.length];
    int end = 0;
    queue[end++] = source;
    for (int next = 0; next < end && from[sink] < 0; next++) {
      for (int to = 0; to < left.length; to++) {
        if (from[to] < 0 && left[queue[next]][to] > least) {
          from[to] = queue[next];
          queue[end++] = to;
        }
      }
    }
    if (from[sink] < 0) {
      return 0;
    }
    double most = Double.MAX_VALUE;
    for (int at = sink; at != source; at = from[at]) {
      most = Math.min(most, left[from[at]][at]);
    }
    for (int at = sink; at != source; at = from[at]) {
      left[from[at]][at] -= most;
      left[at][from[at]] += most;
    }
    return most;
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

  /** What has to enter the destination's rack, in units: whole racks first, the fullest first. */
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
   * The least time in which the units of a node that leaves can be brought to others: what it
   * copies itself, over its own link, need not be rebuilt from others. In t seconds it can send t b
   * bytes, and the rest, at r bytes for each, with these has to enter the n other nodes: r (L - t
   * b) + t b = t n b for L bytes of units in all, so t = r L / (b (n + r - 1)); and no less than C
   * / b.
   *
   * @param nodesThatStay n
   */
  static double decommissionSeconds(List<LostUnit> leaving, int nodesThatStay,
      double bytesPerSecond) {
    double bytes = leaving.stream().mapToDouble(unit -> unit.bytes).sum();
    double moved = leaving.stream().mapToDouble(unit -> unit.unitsRead * unit.bytes).sum();
    double ratio = bytes == 0 ? 1 : moved / bytes;
    return Math.max(moved / (nodesThatStay + ratio - 1), largest(leaving)) / bytesPerSecond;
  }
}
