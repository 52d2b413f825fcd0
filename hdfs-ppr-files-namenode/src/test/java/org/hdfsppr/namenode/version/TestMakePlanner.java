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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.coder.convert.Conversion;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.ListedBlocks;
import org.hdfsppr.plan.NarrowLinks;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.SliceKind;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests what a plan links and makes, where, and what it moves: as planned, and by the trees that
 * DataNodes make of its orders.
 */
@InterfaceAudience.Private
class TestMakePlanner {
  private static final Configuration CONF = new Configuration(false);
  private static final int CELL = 1 << 20;
  private static final int RACKS = 3;
  private static final int SPARE = 8;

  private Conversion conversion;
  private OldGroup group;
  private MakePlan plan;
  private IntPredicate isStock = number -> false;
  private int stripes = 2;

  private static LinearCode code(String name) throws IOException {
    String[] words = name.split("-");
    int m = Integer.parseInt(words[words.length - 1]);
    int k = Integer.parseInt(words[words.length - 2]);
    return Codes.forCodec(CONF, name.substring(0, name.length() - ("-" + k + "-" + m).length()),
        k, m);
  }

  private NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866,
        isStock.test(number) ? NodeRef.NO_REPAIR_PORT : 9877, "/rack" + number % RACKS);
  }

  /** Plans a group of full stripes, unit u at node u, without some units. */
  private MakePlan plan(String from, String to, Integer... lost) throws IOException {
    LinearCode old = code(from);
    return plan(old, code(to), (long) stripes * CELL * old.dataUnits(), lost);
  }

  private MakePlan plan(LinearCode from, LinearCode to, long bytes, Integer... lost)
      throws IOException {
    if (conversion == null || conversion.from() != from || conversion.to() != to) {
      conversion = Conversion.of(from, to);
    }
    List<UnitHolder> live = new ArrayList<>();
    for (int unit = 0; unit < from.units(); unit++) {
      if (length(bytes, unit) > 0 && !Arrays.asList(lost).contains(unit)) {
        live.add(new UnitHolder(unit, node(unit)));
      }
    }
    group = new OldGroup(bytes, CELL, live);
    List<NodeRef> spare = IntStream.range(50, 50 + SPARE).mapToObj(this::node)
        .collect(Collectors.toList());
    plan = new MakePlanner(conversion).plan(group, spare);
    assertSound(bytes);
    return plan;
  }

  private long length(long bytes, int unit) {
    return StripedBlockUtil.getInternalBlockLength(bytes, CELL, conversion.from().dataUnits(),
        Math.min(unit, conversion.from().dataUnits()));
  }

  /** Each unit has one place and, if it is no link, one order. The trees move what was planned. */
  private void assertSound(long bytes) throws IOException {
    Set<NodeRef> nodes = new HashSet<>();
    Set<Integer> made = new HashSet<>();
    for (UnitPlace place : plan.places) {
      assertTrue(nodes.add(place.node), plan.toString());
      assertTrue(place.node.runsExtension());
      if (place.isLink()) {
        assertEquals(conversion.linkedFrom(place.unit), place.linkedFrom);
        assertTrue(group.live.stream().anyMatch(held -> held.unit == place.linkedFrom
            && held.node.equals(place.node)));
      } else {
        made.add(place.unit);
      }
    }
    for (int unit = 0; unit < conversion.to().units(); unit++) {
      int wanted = unit;
      assertEquals(length(bytes, unit) > 0,
          plan.places.stream().anyMatch(place -> place.unit == wanted));
    }
    for (Make make : plan.makes) {
      for (UnitHolder target : make.targets) {
        MakeSlot slot = make.slots.get(target.unit);
        assertTrue(slot.isNew && made.remove(slot.unit), make.toString());
        assertTrue(plan.places.stream().anyMatch(place -> place.unit == slot.unit
            && place.node.equals(target.node)));
      }
      double moved = moved(make, bytes);
      // Units that are zeros can be made in ways that the planner does not compare.
      assertTrue(moved == make.unitsMoved || bytes < (long) CELL * conversion.from().dataUnits()
          && moved <= make.unitsMoved + 1, moved + " moved by " + make);
    }
    assertEquals(Set.of(), made);
  }

  /** What the tree moves that a DataNode plans for an order. */
  private double moved(Make make, long bytes) throws IOException {
    LinearCode code = Codes.forCodec(CONF, make.codec, make.dataUnits, make.parityUnits());
    List<BlockRef> blocks = new ArrayList<>();
    for (MakeSlot slot : make.slots) {
      blocks.add(new BlockRef("BP-1", (slot.isNew ? -1600 : -3200) + slot.unit, 1001,
          length(bytes, slot.unit)));
    }
    PlanOptions options = new PlanOptions(TreeTopologies.byName(make.topology), 64 << 10, 64, 0)
        .inGivenOrder().withNarrowLinks(node -> true);
    RepairPlan tree = RepairPlanner.plan(new GroupSnapshot(
        new ListedBlocks(new GroupId("BP-1", -1600, 1001), blocks, make.dataUnits, CELL),
        make.helpers, make.targets, make.targets.get(0).node), code,
        make.byDecoding ? options.byDecoding() : options);
    double[] rows = {(tree.targets.size() - 1) * code.subChunks()};
    tree.root.forEach(node -> {
      node.sources.stream().filter(source -> node.isRemote(source)
          && source.contributes(SliceKind.PLAIN)).forEach(source -> rows[0] += code.subChunks());
      for (PlanNode child : node.children) {
        rows[0] += child.contributes(SliceKind.PLAIN) ? NarrowLinks.rowsAbove(child,
            tree.targets.size(), code.subChunks(), SliceKind.PLAIN) : 0;
      }
    });
    return rows[0] / code.subChunks();
  }

  @ParameterizedTest(name = "{0} to {1}")
  @CsvSource({
      "rs-10-4, hitchhiker-nonxor-10-4, 4.5, 11, 3",
      "hitchhiker-nonxor-10-4, rs-10-4, 4.5, 11, 3",
      "rs-6-3, lrc-rs-l2-6-4, 6, 8, 2",
      "rs-10-4, lrc-rs-l2-10-4, 10, 12, 2",
      // The third parity of RS is where a local parity was, which gives it no cheaper.
      "lrc-rs-l2-6-4, rs-6-3, 5, 8, 1",
      "rs-6-3, core-t3-6-3, 0, 9, 0",
      // k + new - 1, less the old parity that the leader has.
      "rs-10-4, hitchhiker-xorplus-10-4, 12, 10, 1",
      "rs-10-4, less-a4-10-4, 12, 10, 1",
      "rs-12-4, rotated-rs-r4-12-4, 14, 12, 1",
      "less-a4-12-4, rs-12-4, 14, 12, 1",
      "rs-6-3, less-a3-6-3, 7, 6, 1"})
  void whatAGroupMoves(String from, String to, double moved, int links, int orders)
      throws Exception {
    plan(from, to);
    assertEquals(moved, plan.unitsMoved());
    assertEquals(links, plan.places.stream().filter(UnitPlace::isLink).count());
    assertEquals(orders, plan.makes.size());
  }

  static Stream<Arguments> pairs() {
    List<LinearCode> codes = Stream.concat(
        Arrays.stream(PprCodec.values()).flatMap(codec -> codec.shippedCodes().stream()),
        Stream.of(ReedSolomon.hadoop(6, 3), ReedSolomon.hadoop(10, 4), ReedSolomon.hadoop(12, 4)))
        .collect(Collectors.toList());
    return codes.stream().flatMap(from -> codes.stream()
        .filter(to -> to.dataUnits() == from.dataUnits()).map(to -> Arguments.of(from, to)));
  }

  /** Full stripes, and files of a byte, a cell and a few cells. */
  @ParameterizedTest(name = "{0} to {1}")
  @MethodSource("pairs")
  void nothingMovesMoreThanAllUnitsOfOneReading(LinearCode from, LinearCode to)
      throws Exception {
    int k = from.dataUnits();
    for (long bytes : new long[] {(long) CELL * k, 1, CELL, 2L * CELL + 5}) {
      plan(from, to, bytes);
      int made = conversion.made().size();
      assertTrue(plan.unitsMoved() <= (made == 0 ? 0 : k + made - 1), plan.toString());
    }
  }

  /** New parities lie where the old ones did, further ones where racks have fewest units. */
  @Test
  void newParitiesTakeThePlacesOfOldOnes() throws Exception {
    plan("rs-6-3", "lrc-rs-l2-6-4");
    assertEquals(node(8), plan.places.get(8).node);
    assertFalse(plan.places.get(8).isLink());
    NodeRef further = plan.places.get(9).node;
    assertTrue(further.uuid.compareTo("uuid-50") >= 0, further.toString());
    // Nine units lie in three racks, three in each: the first spare node.
    assertEquals(node(50), further);
    plan("rs-10-4", "hitchhiker-nonxor-10-4");
    for (int unit = 0; unit < 14; unit++) {
      assertEquals(node(unit), plan.places.get(unit).node);
    }
  }

  @Test
  void aFurtherUnitGoesToTheRackWithTheFewestUnits() throws Exception {
    plan("rs-6-3", "lrc-rs-l2-6-4", 4);
    // Node 4 of rack 1 is lost, so that this rack has one unit less; node 52 is of rack 1.
    NodeRef again = plan.places.get(4).node;
    assertEquals("/rack1", again.rack);
  }

  @Test
  void aLostDataUnitIsMadeAsWell() throws Exception {
    plan("rs-10-4", "hitchhiker-nonxor-10-4", 3);
    UnitPlace place = plan.places.get(3);
    assertFalse(place.isLink());
    // Parity 1 does not need unit 3. The others are as cheap as before.
    assertTrue(plan.unitsMoved() <= 10 + 4.5 + 1, plan.toString());
  }

  @Test
  void aLostLinkedParityIsMadeOfTheData() throws Exception {
    plan("rs-10-4", "hitchhiker-nonxor-10-4", 10);
    assertFalse(plan.places.get(10).isLink());
    assertTrue(plan.unitsMoved() <= 10 + 4.5, plan.toString());
  }

  @Test
  void anOldParityThatIsLostMakesItsSuccessorDearer() throws Exception {
    plan("rs-10-4", "hitchhiker-nonxor-10-4", 12);
    // Two patches, and one unit of the others.
    assertTrue(plan.unitsMoved() > 4.5 && plan.unitsMoved() <= 3 + 10, plan.toString());
  }

  @Test
  void tooManyLostUnitsMakeNoPlan() {
    NoPlanException e = assertThrows(NoPlanException.class,
        () -> plan("rs-6-3", "lrc-rs-l2-6-4", 0, 1, 2, 3));
    assertTrue(e.getMessage().contains("Wait until the group is repaired"), e.getMessage());
  }

  @Test
  void withoutANodeForAFurtherUnitThereIsNoPlan() throws Exception {
    conversion = Conversion.of(code("rs-6-3"), code("lrc-rs-l2-6-4"));
    List<UnitHolder> live = IntStream.range(0, 9).mapToObj(unit -> new UnitHolder(unit, node(unit)))
        .collect(Collectors.toList());
    NoPlanException e = assertThrows(NoPlanException.class, () -> new MakePlanner(conversion)
        .plan(new OldGroup(6L * CELL, CELL, live), List.of(node(1), node(2))));
    assertTrue(e.getMessage().contains("No node is left for unit 9"), e.getMessage());
  }

  /** A node without the plugin is a source of sums, and its own unit is copied to another node. */
  @Test
  void aStockNodeIsReadFromAndMakesNothing() throws Exception {
    isStock = number -> number == 2 || number == 8;
    plan("rs-6-3", "lrc-rs-l2-6-4");
    assertFalse(plan.places.get(2).isLink());
    assertTrue(plan.places.get(2).node.runsExtension());
    Make copy = plan.makes.get(0);
    assertEquals(List.of(MakeSlot.old(2), MakeSlot.ofNew(2)), copy.slots);
    assertEquals("rs", copy.codec);
    // Six units for both local parities, and the copy.
    assertEquals(7, plan.unitsMoved());
    assertFalse(plan.places.get(8).node.equals(node(8)));
  }

  /** Stock reads give no sub-chunks, so that codes with sub-chunks do without such nodes. */
  @Test
  void aStockNodeIsNoSourceOfSubChunks() throws Exception {
    isStock = number -> number == 0;
    plan("rs-10-4", "hitchhiker-nonxor-10-4");
    plan.makes.stream().filter(make -> !make.codec.equals("rs"))
        .forEach(make -> assertTrue(make.helpers.stream()
            .noneMatch(helper -> helper.node.equals(node(0))), make.toString()));
  }

  @Test
  void sourcesAreOrderedRackByRack() throws Exception {
    plan("rs-10-4", "lrc-rs-l2-10-4");
    for (Make make : plan.makes) {
      assertEquals("rack", make.topology);
      String near = make.targets.get(0).node.rack;
      List<String> racks = make.helpers.subList(0, 5).stream()
          .map(helper -> helper.node.rack).collect(Collectors.toList());
      List<String> changes = new ArrayList<>();
      racks.forEach(rack -> {
        if (changes.isEmpty() || !changes.get(changes.size() - 1).equals(rack)) {
          changes.add(rack);
        }
      });
      assertEquals(new HashSet<>(changes).size(), changes.size(), racks.toString());
      assertTrue(!racks.contains(near) || racks.get(0).equals(near), racks + " to " + near);
    }
  }

  /** Some units of a group lie somewhere already, and their nodes get no second one. */
  @Test
  void someUnitsArePlannedBesideOthers() throws Exception {
    plan("rs-6-3", "lrc-rs-l2-6-4");
    Set<NodeRef> taken = plan.places.stream().filter(place -> place.unit != 2)
        .map(place -> place.node).collect(Collectors.toSet());
    List<UnitHolder> live = group.live.stream().filter(held -> held.unit != 2)
        .collect(Collectors.toList());
    List<NodeRef> spare = IntStream.range(50, 50 + SPARE).mapToObj(this::node)
        .collect(Collectors.toList());
    MakePlan again = new MakePlanner(conversion).plan(
        new OldGroup((long) stripes * CELL * 6, CELL, live), spare, Set.of(2), taken);
    assertEquals(1, again.places.size());
    assertEquals(2, again.places.get(0).unit);
    assertFalse(taken.contains(again.places.get(0).node));
    assertEquals(1, again.makes.size());
  }
}
