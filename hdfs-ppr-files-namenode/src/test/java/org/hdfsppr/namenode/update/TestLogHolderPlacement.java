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
package org.hdfsppr.namenode.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.hdfsppr.namenode.update.TicketRound.LogHolderPlacement;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.StripeRacks;
import org.hdfsppr.update.append.UpdateBounds;
import org.junit.jupiter.api.Test;

/** Which nodes hold the log of a unit. */
class TestLogHolderPlacement {
  private static final NodeRef A1 = node("a1", "/a");
  private static final NodeRef A2 = node("a2", "/a");
  private static final NodeRef B1 = node("b1", "/b");
  private static final NodeRef B2 = node("b2", "/b");
  private static final NodeRef C1 = node("c1", "/c");
  private static final List<NodeRef> ALL = List.of(A1, A2, B1, B2, C1);

  private static NodeRef node(String uuid, String rack) {
    return new NodeRef(uuid, "127.0.0.1", "localhost", 1, 2, rack);
  }

  @Test
  void parityNodesInOtherRacksComeFirst() {
    for (int seed = 0; seed < 50; seed++) {
      assertEquals(List.of(A1, B2), LogHolderPlacement.holders(A1, List.of(), List.of(A2, B2), ALL,
          seed, 1));
      assertEquals(List.of(A1, B2, C1), LogHolderPlacement.holders(A1, List.of(), List.of(A2, B2),
          ALL, seed, 2));
    }
  }

  @Test
  void allParityNodesFollowWhicheverRacksTheyAreIn() {
    assertEquals(List.of(A1, A2, B2), LogHolderPlacement.withParities(A1, List.of(C1),
        List.of(A2, B2), ALL, 1, 1));
    // One of them may lead, and one may keep no log.
    assertEquals(List.of(A2, B2), LogHolderPlacement.withParities(A2, List.of(),
        List.of(A2, B2, node("x", "/x")), ALL, 1, 1));
    // Others make up for what is missing.
    assertEquals(List.of(A1, A2, C1), LogHolderPlacement.withParities(A1, List.of(C1), List.of(A2),
        ALL, 1, 2));
    List<NodeRef> many = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      many.add(node("p" + i, "/p" + i));
    }
    List<NodeRef> all = new ArrayList<>(many);
    all.add(A1);
    List<NodeRef> holders = LogHolderPlacement.withParities(A1, List.of(), many, all, 1, 2);
    assertEquals(UpdateBounds.HOLDERS_MAX, holders.size());
    assertEquals(A1, holders.get(0));
    assertEquals(many.subList(0, UpdateBounds.HOLDERS_MAX - 1), holders.subList(1, holders.size()));
  }

  /** For deltas, the rack with most parity units comes first, and there the first of these. */
  @Test
  void oneNodeHasTheDeltasOfAllUnitsOfOtherRacks() {
    NodeRef b3 = node("b3", "/b");
    NodeRef d1 = node("d1", "/d");
    List<NodeRef> all = new ArrayList<>(ALL);
    all.addAll(List.of(b3, d1));
    List<NodeRef> parity = List.of(C1, b3, B1);
    for (int seed = 0; seed < 50; seed++) {
      assertEquals(List.of(A1, b3), LogHolderPlacement.inLogRacks(A1, List.of(), parity, all, seed,
          1));
      // Also if others hold the log already.
      assertEquals(List.of(A1, b3),
          LogHolderPlacement.inLogRacks(A1, List.of(d1, B1), parity, all, seed, 1));
      assertEquals(List.of(A1, b3, C1),
          LogHolderPlacement.inLogRacks(A1, List.of(d1), parity, all, seed, 2));
      // Behind all racks with parity units, holders come first.
      assertEquals(List.of(A1, b3, C1, d1),
          LogHolderPlacement.inLogRacks(A1, List.of(d1), parity, all, seed, 3));
      // Units in this rack have theirs in the next one.
      assertEquals(List.of(B2, C1), LogHolderPlacement.inLogRacks(B2, List.of(), parity, all, seed,
          1));
    }
    // Of equal racks, that of the first parity unit comes first. A node may keep no log.
    assertEquals(List.of(A1, C1),
        LogHolderPlacement.inLogRacks(A1, List.of(), List.of(C1, B1), all, 1, 1));
    all.remove(b3);
    assertEquals(List.of(A1, B1), LogHolderPlacement.inLogRacks(A1, List.of(), parity, all, 1, 1));
    // A node of the same rack is better than none.
    assertEquals(List.of(A1, A2),
        LogHolderPlacement.inLogRacks(A1, List.of(), List.of(A2), List.of(A1, A2), 1, 1));
  }

  /** The racks are those that the simulated strategy logs in. */
  @Test
  void deltasAreInTheRacksOfTheSimulations() {
    long seed = Long.getLong("seed", 20261128);
    Random random = new Random(seed);
    for (int run = 0; run < 500; run++) {
      int k = 1 + random.nextInt(10);
      int m = 1 + random.nextInt(4);
      int replicas = 1 + random.nextInt(2);
      // Parity units have the first racks, in their order, as of equal racks the first one counts.
      Map<Integer, Integer> numbers = new HashMap<>();
      List<NodeRef> parity = new ArrayList<>();
      int[] rackOf = new int[k + m];
      for (int unit = k + m - 1; unit >= 0; unit--) {
        int drawn = random.nextInt(6);
        int place = unit >= k ? 2 * k + m - 1 - unit : unit;
        numbers.putIfAbsent(drawn, numbers.size());
        rackOf[place] = numbers.get(drawn);
        if (unit >= k) {
          parity.add(node("p" + place, "/" + rackOf[place]));
        }
      }
      StripeRacks racks = new StripeRacks(k, numbers.size(), rackOf);
      List<NodeRef> all = new ArrayList<>(parity);
      for (int unit = 0; unit < k; unit++) {
        all.add(node("d" + unit, "/" + rackOf[unit]));
      }
      for (int unit = 0; unit < k; unit++) {
        List<Integer> expected = new ArrayList<>(racks.logRacks());
        expected.remove(Integer.valueOf(rackOf[unit]));
        List<NodeRef> holders = LogHolderPlacement.inLogRacks(all.get(m + unit), List.of(), parity,
            all,
            random.nextInt(), replicas);
        String what = "seed " + seed + ", run " + run + ", " + racks + ": " + holders;
        for (int i = 0; i < Math.min(replicas, expected.size())
            && racks.parities(expected.get(i)) > 0; i++) {
          assertEquals("p" + racks.parityUnitsIn(expected.get(i)).get(0),
              holders.get(1 + i).uuid, what);
        }
      }
    }
  }

  @Test
  void nodesThatHoldTheLogStay() {
    assertEquals(List.of(A1, C1), LogHolderPlacement.holders(A1, List.of(C1), List.of(B2), ALL, 1,
        1));
  }

  @Test
  void tooFewRacksAreFilledUp() {
    List<NodeRef> holders = LogHolderPlacement.holders(A1, List.of(), List.of(), ALL, 1, 4);
    assertEquals(new HashSet<>(ALL), new HashSet<>(holders));
    assertEquals(List.of(A1, A2), LogHolderPlacement.holders(A1, List.of(), List.of(),
        List.of(A1, A2), 1, 3));
  }

  @Test
  void unitsAreSpread() {
    Set<NodeRef> chosen = new HashSet<>();
    List<NodeRef> others = new ArrayList<>(List.of(A1));
    for (int i = 0; i < 8; i++) {
      others.add(node("x" + i, "/x" + i));
    }
    for (int seed = 0; seed < 200; seed++) {
      chosen.add(LogHolderPlacement.holders(A1, List.of(), List.of(), others, seed, 1).get(1));
    }
    assertTrue(chosen.size() >= 7, chosen.toString());
  }
}
