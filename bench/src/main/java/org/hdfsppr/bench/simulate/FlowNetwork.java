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
package org.hdfsppr.bench.simulate;

import java.util.Arrays;
import java.util.List;


/**
 * A set of links that flows share. A flow uses several links at the same time, and sends a given
 * number of bytes over each link. The slowest link of a flow limits the flow on all its links, as
 * in a pipelined tree. The rates are max-min fair: a flow can only become faster if another flow,
 * which is at most as fast, becomes slower.
 *
 * <p>This class finds the rates by progressive filling. All rates rise together until a link is
 * full. The rates of this link's flows are then final, and the other rates rise further. The level
 * of a link is the rate at which the link is full. While flows of other links become final, a
 * link's level can only rise. So the heap may contain outdated levels, which are too low. The class
 * computes the smallest level again before it uses it.
 */
final class FlowNetwork {
  private static final double EQUAL = 1 + 1e-12;

  private final double[] capacity;
  private final Flow[][] flowsOn;
  private final int[] flowCount;
  private final double[] left;
  private final double[] weight;
  private final FlowHeap heap = new FlowHeap();
  private int round;

  /**
   * @param capacity the capacity of each link, bytes per second; infinite for a link without a
   *     limit
   */
  FlowNetwork(double[] capacity) {
    this.capacity = capacity.clone();
    flowsOn = new Flow[capacity.length][0];
    flowCount = new int[capacity.length];
    left = new double[capacity.length];
    weight = new double[capacity.length];
  }

  boolean isLimited(int link) {
    return capacity[link] != Double.POSITIVE_INFINITY;
  }

  void add(Flow flow) {
    for (int link : flow.links) {
      if (flowCount[link] == flowsOn[link].length) {
        flowsOn[link] = Arrays.copyOf(flowsOn[link], 2 * flowCount[link] + 2);
      }
      flowsOn[link][flowCount[link]++] = flow;
    }
  }

  void remove(Flow flow) {
    for (int link : flow.links) {
      Flow[] there = flowsOn[link];
      int at = 0;
      while (there[at] != flow) {
        at++;
      }
      there[at] = there[--flowCount[link]];
      there[flowCount[link]] = null;
    }
  }

  /** Computes the rate of each flow. */
  void share(List<Flow> flows) {
    round++;
    for (Flow flow : flows) {
      if (flow.links.length == 0) {
        throw new IllegalArgumentException("A flow that nothing holds back");
      }
    }
    heap.clear();
    for (int link = 0; link < capacity.length; link++) {
      if (flowCount[link] > 0) {
        left[link] = capacity[link];
        weight[link] = 0;
        for (int i = 0; i < flowCount[link]; i++) {
          weight[link] += flowsOn[link][i].bytesOn(link);
        }
        heap.add(left[link] / weight[link], link);
      }
    }
    while (!heap.isEmpty()) {
      double level = heap.leastKey();
      int link = heap.poll();
      double now = level(link);
      if (now > level * EQUAL) {
        if (now != Double.POSITIVE_INFINITY) {
          heap.add(now, link);
        }
        continue;
      }
      for (int i = 0; i < flowCount[link]; i++) {
        settle(flowsOn[link][i], level);
      }
    }
  }

  private double level(int link) {
    // If the rates of all flows of a link are final, the rest of the link's weight is only a
    // rounding error, so the link has no level any more.
    boolean open = false;
    for (int i = 0; i < flowCount[link] && !open; i++) {
      open = flowsOn[link][i].round() != round;
    }
    return open ? Math.max(0, left[link]) / weight[link] : Double.POSITIVE_INFINITY;
  }

  private void settle(Flow flow, double level) {
    if (flow.round() == round) {
      return;
    }
    flow.settle(level, round);
    int[] links = flow.links;
    for (int i = 0; i < links.length; i++) {
      left[links[i]] -= level * flow.bytes(i);
      weight[links[i]] -= flow.bytes(i);
    }
  }
}
