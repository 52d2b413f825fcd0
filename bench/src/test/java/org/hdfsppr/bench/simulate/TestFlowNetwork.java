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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

/** Tests that rates are max-min fair. */
class TestFlowNetwork {
  private static final double ROUNDING = 1e-9;

  private static Flow flow(int... links) {
    double[] bytes = new double[links.length];
    Arrays.fill(bytes, 1);
    return new Flow(null, links, bytes);
  }

  @Test
  void aFlowThatIsHeldBackElsewhereLeavesItsShareToOthers() {
    FlowNetwork network = new FlowNetwork(new double[] {1, 10});
    Flow narrow = flow(0, 1);
    Flow alsoNarrow = flow(0);
    Flow wide = flow(1);
    List<Flow> flows = Arrays.asList(narrow, alsoNarrow, wide);
    flows.forEach(network::add);
    network.share(flows);
    assertEquals(0.5, narrow.rate(), ROUNDING);
    assertEquals(0.5, alsoNarrow.rate(), ROUNDING);
    assertEquals(9.5, wide.rate(), ROUNDING);
    network.remove(alsoNarrow);
    network.share(Arrays.asList(narrow, wide));
    assertEquals(1, narrow.rate(), ROUNDING);
    assertEquals(9, wide.rate(), ROUNDING);
  }

  @Test
  void aTreeIsAsFastAsTheLinkThatCarriesMostOfIt() {
    FlowNetwork network = new FlowNetwork(new double[] {10, 10});
    Flow tree = new Flow(null, new int[] {0, 1}, new double[] {1, 3});
    network.add(tree);
    network.share(Arrays.asList(tree));
    assertEquals(10.0 / 3, tree.rate(), ROUNDING);
  }

  @Test
  void everyFlowHasAFullLinkOnWhichNoneIsFaster() {
    long seed = Long.getLong("seed", 20261123);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    double[] capacity = new double[20];
    Arrays.setAll(capacity, link -> 1 + random.nextInt(9));
    FlowNetwork network = new FlowNetwork(capacity);
    List<Flow> flows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      int[] links = random.ints(0, capacity.length).distinct().limit(1 + random.nextInt(5))
          .toArray();
      Flow flow = new Flow(null, links,
          random.doubles(links.length, 1, 4).toArray());
      flows.add(flow);
      network.add(flow);
    }
    network.share(flows);
    double[] used = new double[capacity.length];
    double[] fastest = new double[capacity.length];
    for (Flow flow : flows) {
      for (int link : flow.links) {
        used[link] += flow.rate() * flow.bytesOn(link);
        fastest[link] = Math.max(fastest[link], flow.rate());
      }
    }
    for (Flow flow : flows) {
      assertTrue(Arrays.stream(flow.links).anyMatch(link ->
          used[link] > capacity[link] * (1 - 1e-6) && flow.rate() > fastest[link] * (1 - 1e-6)),
          "seed " + seed);
    }
    for (int link = 0; link < capacity.length; link++) {
      assertTrue(used[link] < capacity[link] * (1 + 1e-6), "seed " + seed);
    }
  }
}
