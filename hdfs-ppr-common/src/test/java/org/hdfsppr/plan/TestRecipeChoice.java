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
package org.hdfsppr.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.code.ReedSolomon;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of the recipes of a code is taken depends on where its units are. */
@InterfaceAudience.Private
class TestRecipeChoice {
  private static final int CELL = 4096;
  private static final int STRIPES = 2;
  private static final long UNIT = (long) STRIPES * CELL;
  private static final NodeRef DESTINATION = node(100, "/here", true);

  private static NodeRef node(int number, String rack, boolean runsExtension) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866,
        runsExtension ? 9877 : NodeRef.NO_REPAIR_PORT, rack);
  }

  /** A group with one lost unit, whose others each have a node in one rack. */
  private static final class Group {
    private final LinearCode code;
    private final int lost;
    private final Map<Integer, NodeRef> nodes = new HashMap<>();
    private final List<Integer> order = new ArrayList<>();

    Group(LinearCode code, int lost) {
      this.code = code;
      this.lost = lost;
      for (int unit = 0; unit < code.units(); unit++) {
        if (unit != lost) {
          nodes.put(unit, node(unit, "/here", true));
          order.add(unit);
        }
      }
    }

    Group withoutExtension(Integer... units) {
      Arrays.asList(units).forEach(unit -> nodes.put(unit, node(unit, "/here", false)));
      return this;
    }

    Group inRack(String rack, Integer... units) {
      Arrays.asList(units).forEach(unit -> nodes.put(unit, node(unit, rack, true)));
      return this;
    }

    Group gone(Integer... units) {
      order.removeAll(Arrays.asList(units));
      return this;
    }

    GroupSnapshot snapshot() {
      List<UnitHolder> live = new ArrayList<>();
      order.forEach(unit -> live.add(new UnitHolder(unit, nodes.get(unit))));
      return new GroupSnapshot(new StripedLayout(new GroupId("BP-1", -1024, 1001),
          UNIT * code.dataUnits(), code.dataUnits(), code.parityUnits(), CELL),
          live, Collections.singletonList(new UnitHolder(lost, DESTINATION)), DESTINATION);
    }

    RepairPlan plan(String topology, int checkOneIn) throws IOException {
      return RepairPlanner.plan(snapshot(), code, options(topology, checkOneIn));
    }

    /** Sub-chunks read of each unit, like {@code 1:2 4:1}, for what is not checked. */
    String reads(String topology) throws IOException {
      RepairPlan checked = plan(topology, 64);
      assertTrue(checked.isFullyChecked(), checked::toString);
      assertEquals(reads(checked), reads(plan(topology, 0)), "checks change the choice");
      return reads(checked);
    }

    private String reads(RepairPlan plan) {
      TreeSet<String> reads = new TreeSet<>();
      int[] total = new int[1];
      plan.root.forEach(node -> node.sources.forEach(source -> {
        int runs = 0;
        for (int run = 0; run < source.subChunks; run++) {
          runs += source.contributes(SliceKind.PLAIN, run) ? 1 : 0;
        }
        if (runs > 0) {
          total[0] += runs;
          reads.add(String.format("%02d", source.unit));
        }
      }));
      return total[0] + " of " + String.join(" ", reads);
    }
  }

  private static PlanOptions options(String topology, int checkOneIn) {
    return new PlanOptions(TreeTopologies.byName(topology), 512, checkOneIn, 7);
  }

  private static Group lrc(int lost) throws IOException {
    return new Group(PprCodec.LRC_L2.code(12, 4), lost);
  }

  private static Group hitchhiker(int lost) throws IOException {
    return new Group(PprCodec.HITCHHIKER_XORPLUS.code(10, 4), lost);
  }

  @ParameterizedTest
  @ValueSource(strings = {"star", "ppr", "chain", "rack"})
  void anLrcIsRepairedFromItsGroup(String topology) throws IOException {
    assertEquals("6 of 01 02 03 04 05 14", lrc(0).reads(topology));
    assertEquals("6 of 00 01 02 03 04 05", lrc(14).reads(topology));
  }

  /** One of these is read by the far end, which receives nothing else. */
  @Test
  void oneUnitThatHasToBeReadWholeSlowsNoNodeDown() throws IOException {
    assertEquals("6 of 01 02 03 04 05 14", lrc(0).withoutExtension(3).reads("chain"));
  }

  /**
   * Two of them make one link carry twice as much as all others, which doubles the repair's time.
   */
  @ParameterizedTest
  @ValueSource(strings = {"chain", "rack"})
  void anLrcAvoidsItsGroupIfTooMuchOfItHasToBeReadWhole(String topology) throws IOException {
    assertEquals("12 of 02 03 04 05 06 07 08 09 10 11 12 13",
        lrc(0).withoutExtension(1, 14).reads(topology));
  }

  /** With three unknown units the global parities do not suffice: some have to be read whole. */
  @Test
  void anLrcStaysWithItsGroupIfTheOthersAreNoBetter() throws IOException {
    Group group = lrc(0).withoutExtension(1, 2, 3, 4, 14, 6, 7, 8, 9, 10, 12);
    assertEquals("6 of 01 02 03 04 05 14", group.reads(group.plan("chain", 0)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ppr", "chain", "rack"})
  void hitchhikerReadsHalves(String topology) throws IOException {
    assertEquals("13 of 01 02 03 04 05 06 07 08 09 10 11", hitchhiker(0).reads(topology));
    assertEquals("13 of 00 01 02 03 04 05 06 07 08 10 11 12 13", hitchhiker(9).reads(topology));
  }

  /** There each helper's sum, half a unit read or a whole one, goes into the same link. */
  @Test
  void hitchhikerInAStarTakesFewerHelpers() throws IOException {
    assertEquals("20 of 01 02 03 04 05 06 07 08 09 10", hitchhiker(0).reads("star"));
  }

  @Test
  void hitchhikerGoesByOtherParitiesIfItHasTo() throws IOException {
    // Parts of cells cannot be read where the extension does not run.
    assertEquals("16 of 01 02 03 04 05 06 07 08 09 11 12",
        hitchhiker(0).withoutExtension(10).reads("rack"));
    assertEquals("b by parity 1 and a by parity 2",
        hitchhiker(3).gone(12).plan("rack", 64).recipe);
    assertEquals("15 of 00 01 02 04 05 06 07 08 09 10 11 13",
        hitchhiker(3).gone(12).reads("rack"));
    assertEquals("20 of 01 02 03 04 05 06 07 08 09 10",
        hitchhiker(0).withoutExtension(11).reads("rack"));
  }

  @Test
  void hitchhikerAvoidsWhatIsInAnotherRack() throws IOException {
    // One unit across racks costs more than three halves from disks.
    assertEquals("16 of 01 02 03 04 05 06 07 08 09 11 12",
        hitchhiker(0).inRack("/far", 10).reads("rack"));
    // All its recipes need this one.
    assertEquals("20 of 01 02 03 04 05 06 07 08 09 12",
        hitchhiker(0).inRack("/far", 10).inRack("/farther", 11).reads("rack"));
    // Once a node of that rack takes part, further nodes of the rack cost nothing more.
    assertEquals("13 of 01 02 03 04 05 06 07 08 09 10 11",
        hitchhiker(0).inRack("/far", 1, 2, 10, 11).reads("rack"));
  }

  /** Where disks count, LESS goes by its sub-stripe; where a link carries all sums, as RS does. */
  @Test
  void lessReadsItsSubStripeOrAsReedSolomonDoes() throws IOException {
    LinearCode code = PprCodec.LESS_A4.code(10, 4);
    assertEquals("19 of 01 02 03 04 05 06 07 08 09 10 11 12 13",
        new Group(code, 0).reads("chain"));
    assertEquals("16 of 00 01 02 03 04 05 06 07 08 09 10 11 12",
        new Group(code, 13).reads("rack"));
    assertEquals("40 of 01 02 03 04 05 06 07 08 09 10", new Group(code, 0).gone(12).reads("rack"));
    // Two of thirteen helpers are spare if there are two sub-chunks.
    LinearCode halves = PprCodec.LESS_A2.code(10, 4);
    assertEquals("15 of 01 02 03 04 05 06 07 08 10 11 12",
        new Group(halves, 0).gone(9, 13).reads("rack"));
  }

  @Test
  void rotatedReedSolomonTakesTheParitiesThatAreThere() throws IOException {
    LinearCode code = PprCodec.ROTATED_RS_R4.code(12, 4);
    assertEquals("30 of 01 02 03 04 05 06 07 08 09 10 11 12 13",
        new Group(code, 0).reads("rack"));
    assertEquals("36 of 01 02 03 04 05 06 07 08 09 10 11 13 15",
        new Group(code, 0).gone(12).reads("rack"));
    // Two rows and a half more are less than a unit across racks.
    assertEquals("36 of 01 02 03 04 05 06 07 08 09 10 11 12 14",
        new Group(code, 0).inRack("/far", 13).reads("rack"));
  }

  /** Units that the file ended before are free, and one whole unit is less than two halves. */
  @Test
  void aShortGroupNeedsNoRecipe() throws IOException {
    LinearCode code = PprCodec.HITCHHIKER_XORPLUS.code(10, 4);
    List<UnitHolder> live = new ArrayList<>();
    for (int unit = 10; unit < 14; unit++) {
      live.add(new UnitHolder(unit, node(unit, "/here", true)));
    }
    RepairPlan plan = RepairPlanner.plan(
        new GroupSnapshot(new StripedLayout(new GroupId("BP-1", -1024, 1001), CELL, 10, 4, CELL),
            live, Collections.singletonList(new UnitHolder(0, DESTINATION)), DESTINATION),
        code, options("rack", 0));
    assertEquals(1, plan.root.children.size());
    assertEquals(0, plan.root.children.get(0).children.size());
  }

  /** The bound by which candidates are left out must leave out none that is cheaper. */
  @Test
  void theCheapestIsTakenAndWhatIsCheckedWholeBeforeWhatIsNot() throws IOException {
    Random random = new Random(8);
    List<LinearCode> codes = new ArrayList<>();
    for (PprCodec codec : PprCodec.values()) {
      codes.addAll(codec.shippedCodes());
    }
    int others = 0;
    int forChecks = 0;
    for (int i = 0; i < 4000; i++) {
      LinearCode code = codes.get(random.nextInt(codes.size()));
      Group group = new Group(code, random.nextInt(code.units()));
      int racks = 1 + random.nextInt(8);
      int stockPercent = random.nextBoolean() ? 0 : random.nextInt(60);
      for (int unit : group.order) {
        group.nodes.put(unit, node(random.nextInt(10) == 0 ? 50 : unit,
            "/rack" + random.nextInt(racks), random.nextInt(100) >= stockPercent));
      }
      // A node has one rack and either runs the extension or does not.
      Map<String, NodeRef> known = new HashMap<>();
      group.nodes.replaceAll((unit, node) -> known.computeIfAbsent(node.uuid, uuid -> node));
      Collections.shuffle(group.order, random);
      group.order.subList(0, random.nextInt(code.parityUnits())).clear();
      int checkOneIn = Arrays.asList(0, 1, 64).get(random.nextInt(3));
      PlanOptions options =
          new PlanOptions(anyTopology(random), 512, checkOneIn, i);
      List<RepairPlan> candidates;
      try {
        candidates = RepairPlanner.candidates(group.snapshot(), code, options);
      } catch (NoPlanException e) {
        continue;
      }
      RepairPlan best = cheapest(candidates, options.checkOneIn != 0);
      RepairPlan plan = RepairPlanner.plan(group.snapshot(), code, options);
      assertEquals(best.toString(), plan.toString());
      assertEquals(best.isFullyChecked(), plan.isFullyChecked());
      if (options.checkOneIn != 0) {
        assertEquals(candidates.stream().anyMatch(RepairPlan::isFullyChecked),
            plan.isFullyChecked());
        forChecks += best == cheapest(candidates, false) ? 0 : 1;
      }
      others += best == candidates.get(0) ? 0 : 1;
    }
    System.out.println("seed 8: " + others + " times another than the first, " + forChecks
        + " times for the sake of checks");
    assertTrue(others > 100);
  }

  private static TreeTopology anyTopology(Random random) {
    return TreeTopologies.all().get(random.nextInt(TreeTopologies.all().size()));
  }

  private static RepairPlan cheapest(List<RepairPlan> candidates, boolean wantsChecks) {
    boolean byTotal = TreeTopologies.byName(candidates.get(0).topology).movesLeast();
    RepairPlan best = candidates.get(0);
    for (RepairPlan candidate : candidates) {
      if (Price.of(candidate, wantsChecks, byTotal)
          .compareTo(Price.of(best, wantsChecks, byTotal)) < 0) {
        best = candidate;
      }
    }
    return best;
  }

  /** Hadoop's own tests rely on it: only the order of the holders decides among any k of them. */
  @Test
  void reedSolomonHasOneCandidate() throws IOException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    for (String topology : new String[] {"star", "ppr", "chain", "rack"}) {
      assertEquals(1, RepairPlanner.candidates(new Group(code, 0).withoutExtension(1, 2)
          .inRack("/far", 3, 4).snapshot(), code, options(topology, 64)).size());
    }
  }

  /** The scheduler that orders a repair may want to spare the nodes of the recipe. */
  @Test
  void decodingWhenItIsOrdered() throws IOException {
    Group group = new Group(PprCodec.LRC_L2.code(12, 4), 0);
    // Of the group 1 to 5 and 14 as many are wanted as there are equations less, so three.
    group.order.removeAll(Arrays.asList(1, 2));
    group.order.addAll(Arrays.asList(1, 2));
    PlanOptions given = options("chain", 64).inGivenOrder();
    assertEquals("6 of 01 02 03 04 05 14",
        group.reads(RepairPlanner.plan(group.snapshot(), group.code, given)));
    RepairPlan decoded = RepairPlanner.plan(group.snapshot(), group.code, given.byDecoding());
    assertEquals("12 of 03 04 05 06 07 08 09 10 11 12 13 14", group.reads(decoded));
    assertTrue(decoded.isFullyChecked(), decoded::toString);
  }
}
