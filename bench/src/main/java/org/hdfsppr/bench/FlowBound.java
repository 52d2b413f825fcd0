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
import java.util.List;


/**
 * Distributes demands over nodes so that the busiest node takes as few bytes as possible, and
 * computes how many bytes that node takes. Only certain nodes can take bytes of each demand. The
 * class finds the result by bisection: a maximum flow shows whether a limit per node is enough.
 */
final class FlowBound {
  /** The number of steps of the bisection. 60 steps exhaust the precision of a double. */
  private static final int HALVINGS = 60;

  /**
   * A number of bytes that the nodes {@code takers} together must take. Each of these nodes may
   * take at most {@code most} bytes of the demand.
   */
  static final class Demand {
    private final double bytes;
    private final double most;
    private final List<Integer> takers;

    Demand(double bytes, double most, List<Integer> takers) {
      this.bytes = bytes;
      this.most = most;
      this.takers = takers;
    }
  }

  private final List<Integer> nodes;

  /** @param nodes all nodes that may take bytes */
  FlowBound(List<Integer> nodes) {
    this.nodes = new ArrayList<>(nodes);
  }

  /**
   * Returns the smallest number of bytes T for which all demands can be met if each node takes at
   * most T bytes in all.
   */
  double leastMaximum(List<Demand> demands) {
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

  /**
   * Returns how many bytes of the demands the nodes can take together if each node takes at most
   * {@code limit} bytes.
   */
  private double flow(List<Demand> demands, double limit) {
    int source = 0;
    int sink = 1;
    int firstDemand = 2;
    int firstNode = firstDemand + demands.size();
    double[][] left = new double[firstNode + nodes.size()][firstNode + nodes.size()];
    for (int d = 0; d < demands.size(); d++) {
      left[source][firstDemand + d] = demands.get(d).bytes;
      for (int taker : demands.get(d).takers) {
        left[firstDemand + d][firstNode + indexOf(nodes, taker)] = demands.get(d).most;
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

  /**
   * Sends as many bytes as possible along a shortest path with capacity left (Edmonds and Karp).
   * Returns the number of bytes; 0 if there is no such path.
   */
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

  /**
   * Returns the index of a node in the list. Throws an IllegalArgumentException if the list does
   * not contain the node.
   */
  static int indexOf(List<Integer> nodes, int node) {
    int index = nodes.indexOf(node);
    if (index < 0) {
      throw new IllegalArgumentException("node " + node + " does not live");
    }
    return index;
  }
}
