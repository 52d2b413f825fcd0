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
package org.hdfsppr.it.simulate;

import java.util.Arrays;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Links that flows share. A flow uses several links at once, with a number of bytes for each link.
 * Its slowest link limits its pace on all its links, as in a pipelined tree. Rates are max-min
 * fair: no flow could become faster without slowing down a flow that is not faster.
 *
 * <p>The rates are found by filling: all rates rise together until a link is full; its flows stay
 * as they are, the others go on. A link's level can only rise while others are settled, so that a
 * heap of levels that may be outdated finds the next one.
 */
@InterfaceAudience.Private
final class FlowNetwork {
  private static final double EQUAL = 1 + 1e-12;

  private final double[] capacity;
  private final Flow[][] flowsOn;
  private final int[] flowCount;
  private final double[] left;
  private final double[] weight;
  private final FlowHeap heap = new FlowHeap();
  private int round;

  /** @param capacity of each link, units per second; infinite for one that holds nothing back */
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
    for (int link : flow.links()) {
      if (flowCount[link] == flowsOn[link].length) {
        flowsOn[link] = Arrays.copyOf(flowsOn[link], 2 * flowCount[link] + 2);
      }
      flowsOn[link][flowCount[link]++] = flow;
    }
  }

  void remove(Flow flow) {
    for (int link : flow.links()) {
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
      if (flow.links().length == 0) {
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
    // If all flows of a link are settled, what remains of the link's weight is a rounding error.
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
    int[] links = flow.links();
    for (int i = 0; i < links.length; i++) {
      left[links[i]] -= level * flow.bytes(i);
      weight[links[i]] -= flow.bytes(i);
    }
  }
}
