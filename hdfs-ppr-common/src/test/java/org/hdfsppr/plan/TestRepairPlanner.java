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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.XORRawEncoder;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.ProbedCode;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.coder.gf.Gf256;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plans: the shape each topology promises, helpers in the order of preference, and, by arithmetic
 * on single bytes, that the tree sums to the lost units and the check row to zero.
 */
@InterfaceAudience.Private
class TestRepairPlanner {
  private static final GroupId GROUP = new GroupId("BP-1", -1024, 1001);
  private static final int CELL = 4096;
  private static final NodeRef DESTINATION = node(100, "/rack0", true);

  private static NodeRef node(int number, String rack, boolean runsExtension) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866,
        runsExtension ? 9877 : 0, rack);
  }

  private static List<UnitHolder> live(int units, Set<Integer> lost) {
    List<UnitHolder> live = new ArrayList<>();
    for (int unit = 0; unit < units; unit++) {
      if (!lost.contains(unit)) {
        live.add(new UnitHolder(unit, node(unit, "/rack0", true)));
      }
    }
    return live;
  }

  private static GroupSnapshot snapshot(LinearCode code, long groupBytes, List<UnitHolder> live,
      Set<Integer> lost) {
    List<UnitHolder> targets = new ArrayList<>();
    lost.forEach(unit -> targets.add(new UnitHolder(unit, DESTINATION)));
    return new GroupSnapshot(new StripedLayout(
        GROUP, groupBytes, code.dataUnits(), code.parityUnits(), CELL), live, targets, DESTINATION);
  }

  private static GroupSnapshot full(LinearCode code, Set<Integer> lost) {
    return snapshot(code, (long) CELL * code.dataUnits(), live(code.units(), lost), lost);
  }

  private static TreeTopology anyTopology(Random random) {
    return TreeTopologies.all().get(random.nextInt(TreeTopologies.all().size()));
  }

  private static PlanOptions options(String topology, int checkOneIn) {
    return new PlanOptions(TreeTopologies.byName(topology), 1024, checkOneIn, 7);
  }

  private static List<PlanNode> nodes(PlanNode root) {
    List<PlanNode> nodes = new ArrayList<>();
    root.forEach(nodes::add);
    return nodes;
  }

  private static List<RepairSource> sources(PlanNode root) {
    List<RepairSource> sources = new ArrayList<>();
    root.forEach(node -> sources.addAll(node.sources));
    return sources;
  }

  private static List<Integer> units(PlanNode root) {
    return sources(root).stream().map(source -> source.unit).collect(Collectors.toList());
  }

  private static Set<Integer> setOf(Integer... units) {
    return new TreeSet<>(Arrays.asList(units));
  }

  /** All sets of 1 to {@code most} of {@code units} units. */
  private static List<Set<Integer>> subsets(int units, int most) {
    List<Set<Integer>> subsets = new ArrayList<>();
    for (int bits = 1; bits < 1 << units; bits++) {
      if (Integer.bitCount(bits) <= most) {
        Set<Integer> subset = new TreeSet<>();
        for (int unit = 0; unit < units; unit++) {
          if ((bits & 1 << unit) != 0) {
            subset.add(unit);
          }
        }
        subsets.add(subset);
      }
    }
    return subsets;
  }

  /** One byte of every unit of a group, by the generator and scalar arithmetic. */
  private static int[] codeword(LinearCode code, Random random) {
    int[] word = new int[code.units()];
    for (int unit = 0; unit < code.units(); unit++) {
      if (unit < code.dataUnits()) {
        word[unit] = random.nextInt(256);
      } else {
        for (int j = 0; j < code.dataUnits(); j++) {
          word[unit] ^= Gf256.mul(code.generator().get(unit, j), word[j]);
        }
      }
    }
    return word;
  }

  /** Returns the sums that a tree computes for one byte position, one sum for each row. */
  private static int[] sum(PlanNode node, int[] word, int rows) {
    int[] sum = new int[rows];
    for (RepairSource source : node.sources) {
      for (int row = 0; row < rows; row++) {
        sum[row] ^= Gf256.mul(source.coefficient(SliceKind.CHECKED, row, 0) & 0xff,
            word[source.unit]);
      }
    }
    for (PlanNode child : node.children) {
      int[] part = sum(child, word, rows);
      for (int row = 0; row < rows; row++) {
        sum[row] ^= part[row];
      }
    }
    return sum;
  }

  private static int check(RepairPlan plan, int[] sums) {
    byte[] weights = plan.check().get().weights();
    int check = sums[plan.lostRows()];
    for (int row = 0; row < plan.lostRows(); row++) {
      check ^= Gf256.mul(weights[row] & 0xff, sums[row]);
    }
    return check;
  }

  private static void assertSumsToTheLostUnits(LinearCode code, RepairPlan plan, Random random) {
    int rows = plan.lostRows() + plan.checkRows();
    int[] word = codeword(code, random);
    int[] sums = sum(plan.root, word, rows);
    for (int row = 0; row < plan.lostRows(); row++) {
      assertEquals(word[plan.targets.get(row).unit], sums[row], plan::toString);
    }
    if (!plan.check().isPresent()) {
      return;
    }
    assertEquals(0, check(plan, sums), plan::toString);
    // Any single wrong helper, and any single wrong output row, breaks the relation.
    for (RepairSource source : sources(plan.root)) {
      int[] wrong = word.clone();
      wrong[source.unit] ^= 1 + random.nextInt(255);
      assertTrue(check(plan, sum(plan.root, wrong, rows)) != 0,
          () -> "a wrong unit " + source.unit + " is not found in " + plan);
    }
    for (int row = 0; row < rows; row++) {
      int[] wrong = sums.clone();
      wrong[row] ^= 1 + random.nextInt(255);
      assertTrue(check(plan, wrong) != 0, () -> "a wrong row is not found in " + plan);
    }
    // Nor do equal errors in two rebuilt units cancel.
    for (int row = 1; row < plan.lostRows(); row++) {
      int[] wrong = sums.clone();
      int error = 1 + random.nextInt(255);
      wrong[row - 1] ^= error;
      wrong[row] ^= error;
      assertTrue(check(plan, wrong) != 0, () -> "two wrong rows are not found in " + plan);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"star", "ppr", "chain", "rack"})
  void everyErasurePatternIsRebuiltAndChecked(String topology) throws IOException {
    Random random = new Random(1);
    for (LinearCode code : new LinearCode[] {ReedSolomon.hadoop(6, 3),
        ReedSolomon.hadoop(10, 4)}) {
      for (Set<Integer> lost : subsets(code.units(), code.parityUnits())) {
        RepairPlan plan = RepairPlanner.plan(full(code, lost), code, options(topology, 4));
        assertEquals(lost.size() < code.parityUnits(), plan.check().isPresent());
        assertEquals(code.dataUnits() + plan.checkRows(), sources(plan.root).size());
        assertEquals(new HashSet<>(units(plan.root)).size(), units(plan.root).size());
        assertSumsToTheLostUnits(code, plan, random);
      }
    }
  }

  @Test
  void randomGroupsAreRebuiltAndChecked() throws IOException {
    Random random = new Random(2);
    for (int i = 0; i < 3000; i++) {
      LinearCode code = ReedSolomon.hadoop(1 + random.nextInt(12), 1 + random.nextInt(4));
      List<Integer> order = new ArrayList<>();
      for (int unit = 0; unit < code.units(); unit++) {
        order.add(unit);
      }
      Collections.shuffle(order, random);
      Set<Integer> lost =
          new TreeSet<>(order.subList(0, 1 + random.nextInt(code.parityUnits())));
      List<UnitHolder> live = new ArrayList<>();
      for (int unit : order.subList(lost.size(), order.size())) {
        for (int copies = 1 + random.nextInt(2); copies > 0; copies--) {
          live.add(new UnitHolder(unit, node(random.nextInt(20), "/rack" + random.nextInt(4),
              random.nextInt(4) > 0)));
        }
      }
      // A node has one rack and either runs the extension or does not.
      Map<String, NodeRef> known = new HashMap<>();
      live.replaceAll(holder -> new UnitHolder(holder.unit,
          known.computeIfAbsent(holder.node.uuid, uuid -> holder.node)));
      RepairPlan plan = RepairPlanner.plan(
          snapshot(code, (long) CELL * code.dataUnits(), live, lost), code,
          new PlanOptions(anyTopology(random), 1024, random.nextInt(3),
              random.nextLong()));
      assertSumsToTheLostUnits(code, plan, random);
      assertWellFormed(plan);
    }
  }

  /** What the wire format and the helpers rely on. */
  private static void assertWellFormed(RepairPlan plan) {
    Set<NodeRef> seen = new HashSet<>();
    Set<Integer> units = new HashSet<>();
    for (PlanNode node : nodes(plan.root)) {
      assertTrue(seen.add(node.node), () -> "twice in " + plan);
      boolean own = node == plan.root;
      for (RepairSource source : node.sources) {
        assertTrue(units.add(source.unit), () -> "unit twice in " + plan);
        own |= !node.isRemote(source);
        assertTrue(!node.isRemote(source) || !source.holder.runsExtension(),
            () -> "a node that could add is only read in " + plan);
      }
      assertTrue(own, () -> "a node without a unit of its own in " + plan);
      assertTrue(node == plan.root || node.node.runsExtension(), plan::toString);
    }
  }

  @Test
  void starSendsAllToTheDestination() throws IOException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    PlanNode root = RepairPlanner.plan(full(code, setOf(0)), code, options("star", 0)).root;
    assertEquals(6, root.children.size());
    assertEquals(1, root.height());
  }

  @Test
  void pprIsABinomialTree() throws IOException {
    for (int k = 1; k <= 12; k++) {
      LinearCode code = ReedSolomon.hadoop(k, 2);
      for (int checkOneIn = 0; checkOneIn < 2; checkOneIn++) {
        PlanNode root =
            RepairPlanner.plan(full(code, setOf(0)), code, options("ppr", checkOneIn)).root;
        int rounds = 32 - Integer.numberOfLeadingZeros(k);
        // ceil(log2(k + 1)), which is the number of bits of k.
        assertEquals(rounds, root.children.size(), "k=" + k);
        assertEquals(k + 1 + checkOneIn, root.size());
        for (PlanNode node : nodes(root)) {
          List<PlanNode> summing = node.children.stream()
              .filter(child -> child.contributes(false)).collect(Collectors.toList());
          assertTrue(summing.size() <= rounds);
          // The j-th child of a node has at most j children of its own.
          for (int j = 0; j < summing.size(); j++) {
            assertTrue(summing.get(j).children.stream()
                .filter(child -> child.contributes(false)).count() <= j);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"chain", "rack"})
  void chainIsOnePath(String topology) throws IOException {
    LinearCode code = ReedSolomon.hadoop(10, 4);
    for (int checkOneIn = 0; checkOneIn < 2; checkOneIn++) {
      PlanNode root = RepairPlanner.plan(full(code, setOf(3)), code, options(topology, checkOneIn))
          .root;
      assertEquals(10 + checkOneIn, root.height());
      for (PlanNode node : nodes(root)) {
        assertTrue(node.children.size() <= 1);
        assertEquals(node == root ? 0 : 1, node.sources.size());
      }
    }
  }

  @Test
  void rackSendsOneUnitAcrossPerRackOfHelpers() throws IOException {
    Random random = new Random(3);
    LinearCode code = ReedSolomon.hadoop(10, 4);
    for (int i = 0; i < 500; i++) {
      int racks = 1 + random.nextInt(5);
      List<UnitHolder> live = new ArrayList<>();
      for (int unit = 1; unit < code.units(); unit++) {
        live.add(new UnitHolder(unit, node(unit, "/rack" + random.nextInt(racks), true)));
      }
      Collections.shuffle(live, random);
      PlanNode root = RepairPlanner.plan(snapshot(code, 10L * CELL, live, setOf(0)), code,
          options("rack", random.nextInt(2))).root;
      Set<String> helperRacks = new HashSet<>();
      int crossings = 0;
      for (PlanNode node : nodes(root)) {
        if (node != root) {
          helperRacks.add(node.node.rack);
        }
        for (PlanNode child : node.children) {
          crossings += child.node.rack.equals(node.node.rack) ? 0 : 1;
        }
      }
      helperRacks.remove(DESTINATION.rack);
      assertEquals(helperRacks.size(), crossings, root::toString);
    }
  }

  @Test
  void rackPrefersFewRacks() throws IOException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    // 2 in the destination's rack, 4 in one other, 1 in each of two more.
    String[] racks = {"/rack0", "/a", "/rack0", "/b", "/b", "/b", "/c", "/b"};
    List<UnitHolder> live = new ArrayList<>();
    for (int i = 0; i < racks.length; i++) {
      live.add(new UnitHolder(i + 1, node(i + 1, racks[i], true)));
    }
    PlanNode root = RepairPlanner.plan(snapshot(code, 6L * CELL, live, setOf(0)), code,
        options("rack", 0)).root;
    assertEquals(Arrays.asList(1, 3, 4, 5, 6, 8), units(root));
  }

  /** Hadoop's conformance tests read counters that depend on it. */
  @ParameterizedTest
  @ValueSource(strings = {"star", "ppr", "chain", "rack"})
  void theFirstOfEqualsAreTaken(String topology) throws IOException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    Random random = new Random(4);
    for (int i = 0; i < 200; i++) {
      List<UnitHolder> live = live(9, setOf(2));
      Collections.shuffle(live, random);
      RepairPlan plan =
          RepairPlanner.plan(snapshot(code, 6L * CELL, live, setOf(2)), code, options(topology, 1));
      Set<Integer> first =
          live.subList(0, 6).stream().map(holder -> holder.unit).collect(Collectors.toSet());
      Set<Integer> summing = sources(plan.root).stream()
          .filter(source -> source.contributes(false)).map(source -> source.unit)
          .collect(Collectors.toSet());
      assertEquals(first, summing);
      // All spares' relations involve all helpers, so the next in order checks.
      assertEquals(live.get(6).unit, plan.check().get().extraUnit);
      if (topology.equals("chain")) {
        assertEquals(live.subList(0, 7).stream().map(holder -> holder.unit)
            .collect(Collectors.toList()), units(plan.root));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"star", "ppr", "chain", "rack"})
  void theExtraHelperIsSilentWhereNothingIsChecked(String topology) throws IOException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    for (Set<Integer> lost : subsets(9, 2)) {
      RepairPlan plan = RepairPlanner.plan(full(code, lost), code, options(topology, 64));
      int extra = plan.check().get().extraUnit;
      int silent = 0;
      for (PlanNode node : nodes(plan.root)) {
        assertTrue(node.contributes(true));
        if (!node.contributes(false)) {
          silent++;
          assertEquals(Collections.singletonList(extra), units(node));
        }
      }
      assertEquals(1, silent);
      for (RepairSource source : sources(plan.root)) {
        assertEquals(source.unit != extra, source.contributes(false));
      }
      assertFalse(lost.contains(extra));
    }
  }

  @Test
  void unitsWithoutBytesCostNothing() throws IOException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    // One byte: unit 0 and the parities have one byte each, the others none.
    for (int lost : new int[] {0, 6, 7, 8}) {
      List<UnitHolder> live = new ArrayList<>();
      for (int unit : new int[] {0, 6, 7, 8}) {
        if (unit != lost) {
          live.add(new UnitHolder(unit, node(unit, "/rack0", true)));
        }
      }
      RepairPlan plan =
          RepairPlanner.plan(snapshot(code, 1, live, setOf(lost)), code, options("chain", 0));
      assertEquals(1, sources(plan.root).size());
      assertEquals(1, plan.geometry.streamBytes());
      plan = RepairPlanner.plan(snapshot(code, 1, live, setOf(lost)), code, options("chain", 1));
      assertEquals(2, sources(plan.root).size());
    }
    // No node need hold them, and the plan does not read from a node that claims to.
    RepairPlan plan = RepairPlanner.plan(snapshot(code, 1, live(9, setOf(0)), setOf(0)), code,
        options("star", 0));
    assertTrue(units(plan.root).stream().allMatch(unit -> unit >= 6), plan::toString);
  }

  @Test
  void emptyUnitsCannotBeLost() {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    assertThrows(IllegalArgumentException.class,
        () -> snapshot(code, 1, live(9, setOf(3)), setOf(3)));
  }

  @Test
  void tooFewHelpers() throws IOException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    List<UnitHolder> live = live(9, setOf(0));
    for (int gone = 0; gone < live.size(); gone++) {
      List<UnitHolder> left = live.subList(gone, live.size());
      GroupSnapshot snapshot = snapshot(code, 6L * CELL, left, setOf(0));
      if (left.size() >= 6) {
        RepairPlanner.plan(snapshot, code, options("chain", 0));
      } else {
        String message = assertThrows(NoPlanException.class,
            () -> RepairPlanner.plan(snapshot, code, options("chain", 0))).getMessage();
        assertTrue(message.contains("RS") || message.contains("rs"), message);
      }
    }
    // Eight nodes, but only five units among them.
    List<UnitHolder> same = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      same.add(new UnitHolder(1 + i % 5, node(i, "/rack0", true)));
    }
    assertThrows(NoPlanException.class, () -> RepairPlanner.plan(
        snapshot(code, 6L * CELL, same, setOf(0)), code, options("star", 1)));
  }

  @Test
  void xorHasNothingToCheckWith() throws IOException {
    LinearCode code = ProbedCode.probe("xor", new XORRawEncoder(new ErasureCoderOptions(2, 1)));
    RepairPlan plan = RepairPlanner.plan(full(code, setOf(1)), code, options("chain", 1));
    assertEquals(Optional.empty(), plan.check());
    assertEquals(0, plan.geometry.checkOneIn);
    assertSumsToTheLostUnits(code, plan, new Random(5));
  }

  @Test
  void aUnitAtTheDestinationIsNotSent() throws IOException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    List<UnitHolder> live = live(9, setOf(0));
    live.set(7, new UnitHolder(8, DESTINATION));
    RepairPlan plan =
        RepairPlanner.plan(snapshot(code, 6L * CELL, live, setOf(0)), code, options("chain", 0));
    assertEquals(8, plan.root.sources.get(0).unit);
    assertFalse(plan.root.isRemote(plan.root.sources.get(0)));
    assertEquals(5, plan.root.height());
  }

  @Test
  void twoUnitsOfOneNodeAreAddedThere() throws IOException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    List<UnitHolder> live = live(9, setOf(0));
    live.set(1, new UnitHolder(2, node(1, "/rack0", true)));
    RepairPlan plan =
        RepairPlanner.plan(snapshot(code, 6L * CELL, live, setOf(0)), code, options("chain", 0));
    assertEquals(5, plan.root.height());
    assertEquals(Arrays.asList(1, 2), plan.root.children.get(0).sources.stream()
        .map(source -> source.unit).collect(Collectors.toList()));
  }

  @Test
  void nodesWithoutTheExtensionAreTheLastChoiceAndSpread() throws IOException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    List<UnitHolder> live = live(9, setOf(0));
    for (int i = 0; i < 4; i++) {
      live.set(i, new UnitHolder(i + 1, node(i + 1, "/rack0", false)));
    }
    RepairPlan plan =
        RepairPlanner.plan(snapshot(code, 6L * CELL, live, setOf(0)), code, options("chain", 1));
    // Four nodes run the extension, and two do not. One more of the latter is better than no check.
    assertEquals(setOf(1, 2, 3, 5, 6, 7, 8), new TreeSet<>(units(plan.root)));
    assertEquals(3, plan.check().get().extraUnit);
    for (PlanNode node : nodes(plan.root)) {
      long inbound = node.children.size()
          + node.sources.stream().filter(node::isRemote).count();
      assertTrue(inbound <= 2, plan::toString);
    }
    assertWellFormed(plan);
  }

  @Test
  void withoutAnybodyElseTheDestinationReadsAll() throws IOException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    List<UnitHolder> live = live(9, setOf(0));
    live.replaceAll(holder ->
        new UnitHolder(holder.unit, node(holder.unit, "/rack0", false)));
    for (TreeTopology topology : TreeTopologies.all()) {
      RepairPlan plan = RepairPlanner.plan(snapshot(code, 6L * CELL, live, setOf(0)), code,
          options(topology.name(), 1));
      assertEquals(0, plan.root.height());
      assertEquals(7, plan.root.sources.size());
      assertTrue(plan.check().isPresent());
    }
  }

  @Test
  void chainsSideBySideShareTheHelpers() throws IOException {
    LinearCode code = ReedSolomon.hadoop(10, 4);
    for (int chains = 1; chains <= 12; chains++) {
      int many = chains;
      int[] counted = new int[1];
      ChainsTopology topology = new ChainsTopology(helpers -> {
        counted[0] = helpers;
        return many;
      });
      for (int checkOneIn = 0; checkOneIn < 2; checkOneIn++) {
        RepairPlan plan = RepairPlanner.plan(full(code, setOf(3)), code,
            new PlanOptions(topology, 1024, checkOneIn, 0));
        assertEquals(10, counted[0], "helpers that do not only check");
        assertEquals(Math.min(10, chains), plan.root.children.size());
        for (PlanNode chain : plan.root.children) {
          assertEquals(chain.size(), chain.height() + 1, "a chain has no branches");
          assertTrue(chain.size() >= 10 / chains, plan::toString);
          assertTrue(chain.size() <= (10 + chains - 1) / chains + checkOneIn, plan::toString);
        }
        assertEquals(10 + checkOneIn + 1, plan.root.size());
        assertWellFormed(plan);
      }
    }
  }

  /** Connections that helpers keep to each other serve chains of every length. */
  @Test
  void whoFollowsWhomIsTheSameInAllChains() throws IOException {
    LinearCode code = ReedSolomon.hadoop(10, 4);
    Set<String> inOneChain = links(RepairPlanner.plan(full(code, setOf(3)), code,
        new PlanOptions(new ChainsTopology(helpers -> 1), 1024, 0, 0)).root);
    assertEquals(9, inOneChain.size());
    for (int chains = 2; chains <= 5; chains++) {
      int many = chains;
      Set<String> links = links(RepairPlanner.plan(full(code, setOf(3)), code,
          new PlanOptions(new ChainsTopology(helpers -> many), 1024, 0, 0)).root);
      assertEquals(10 - chains, links.size());
      assertTrue(inOneChain.containsAll(links), links::toString);
    }
  }

  /** Lists the edges of the tree, without the destination. */
  private static Set<String> links(PlanNode root) {
    Set<String> links = new TreeSet<>();
    root.children.forEach(child -> child.forEach(node -> node.children.forEach(
        below -> links.add(node.node.uuid + " " + below.node.uuid))));
    return links;
  }

  /** A node without the extension sends all its bytes for the few that are checked. */
  @Test
  void whoRunsTheExtensionChecksRatherThanWhoDoesNot() throws IOException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    List<UnitHolder> live = live(9, setOf(0));
    live.set(0, new UnitHolder(1, node(1, "/rack0", false)));
    RepairPlan plan =
        RepairPlanner.plan(snapshot(code, 6L * CELL, live, setOf(0)), code, options("star", 1));
    assertEquals(8, plan.check().get().extraUnit);
  }

  /** Otherwise the racks whose names come first would serve every repair of the cluster. */
  @Test
  void amongRacksThatOfferAsMuchTheFirstIsTaken() throws IOException {
    LinearCode code = ReedSolomon.hadoop(3, 3);
    for (String first : new String[] {"/a", "/b"}) {
      List<UnitHolder> live = new ArrayList<>();
      for (int unit = 1; unit < 6; unit++) {
        String rack = unit == 5 ? "/rack0" : (unit < 3) == first.equals("/a") ? "/a" : "/b";
        live.add(new UnitHolder(unit, node(unit, rack, true)));
      }
      PlanNode root = RepairPlanner.plan(snapshot(code, 3L * CELL, live, setOf(0)), code,
          options("rack", 0)).root;
      assertEquals(Arrays.asList(5, 1, 2), units(root));
    }
  }

  @Test
  void theSameInputGivesTheSamePlan() throws IOException {
    LinearCode code = ReedSolomon.hadoop(10, 4);
    for (TreeTopology topology : TreeTopologies.all()) {
      for (long seed = -100; seed < 100; seed++) {
        PlanOptions options = new PlanOptions(topology, 1024, 7, seed);
        RepairPlan plan = RepairPlanner.plan(full(code, setOf(2, 11)), code, options);
        RepairPlan again = RepairPlanner.plan(full(code, setOf(2, 11)), code, options);
        assertEquals(plan.toString(), again.toString());
        assertEquals(plan.geometry.checkPhase, again.geometry.checkPhase);
        assertTrue(plan.geometry.checkPhase >= 0 && plan.geometry.checkPhase < 7);
        assertEquals(plan.check().get().extraUnit, again.check().get().extraUnit);
      }
    }
  }

  /** Rows of the equation are in ascending order of units; wrong order would be wrong bytes. */
  @Test
  void theOrderOfTargetsDoesNotMatter() throws IOException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    List<UnitHolder> targets = new ArrayList<>();
    for (int unit : new int[] {7, 0, 4}) {
      targets.add(new UnitHolder(unit, node(200 + unit, "/rack0", true)));
    }
    RepairPlan plan = RepairPlanner.plan(new GroupSnapshot(new StripedLayout(GROUP, 6L * CELL,
        6, 3, CELL), live(9, setOf(0, 4, 7)), targets, DESTINATION), code, options("chain", 1));
    assertSumsToTheLostUnits(code, plan, new Random(6));
    for (PlanTarget target : plan.targets) {
      assertEquals("uuid-" + (200 + target.unit), target.node.uuid);
    }
  }

  @Test
  void anotherCodeIsRefused() {
    GroupSnapshot snapshot = full(ReedSolomon.hadoop(6, 3), setOf(0));
    assertThrows(IllegalArgumentException.class,
        () -> RepairPlanner.plan(snapshot, ReedSolomon.hadoop(6, 2), options("chain", 0)));
  }

  @Test
  void snapshotsThatContradictThemselvesAreRefused() {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    List<UnitHolder> live = live(9, setOf(0));
    assertThrows(IllegalArgumentException.class,
        () -> snapshot(code, 6L * CELL, live, setOf(1)), "held");
    assertThrows(IllegalArgumentException.class,
        () -> snapshot(code, 6L * CELL, live, setOf()), "nothing lost");
    assertThrows(IllegalArgumentException.class,
        () -> snapshot(code, 6L * CELL, live, setOf(9)), "no such unit");
    assertThrows(IllegalArgumentException.class,
        () -> snapshot(code, 0, live, setOf(0)), "no bytes");
    assertThrows(IllegalArgumentException.class, () ->
        new GroupSnapshot(new StripedLayout(GROUP, 6L * CELL, 6, 3, CELL), live, Arrays.asList(
            new UnitHolder(0, DESTINATION), new UnitHolder(0, DESTINATION)), DESTINATION), "twice");
    live.add(new UnitHolder(9, DESTINATION));
    assertThrows(IllegalArgumentException.class,
        () -> snapshot(code, 6L * CELL, live, setOf(0)), "no such unit held");
  }

  @Test
  void holdersCanBeLeftOut() throws IOException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    GroupSnapshot snapshot = full(code, setOf(0))
        .without(node -> node.uuid.equals("uuid-1") || node.uuid.equals("uuid-5"));
    assertEquals(Arrays.asList(2, 3, 4, 6, 7, 8),
        units(RepairPlanner.plan(snapshot, code, options("chain", 1)).root));
  }

  /** The scheduler that orders a repair may know more about the nodes than a topology. */
  @Test
  void helpersInGivenOrder() throws NoPlanException {
    LinearCode code = ReedSolomon.hadoop(6, 3);
    List<UnitHolder> live = new ArrayList<>();
    for (int unit : new int[] {8, 2, 7, 3, 6, 4, 1, 5}) {
      // The destination's rack has those that are named last.
      live.add(new UnitHolder(unit, node(unit, unit == 1 || unit == 5 ? "/rack0" : "/rack" + unit,
          true)));
    }
    GroupSnapshot snapshot = snapshot(code, CELL * 6L, live, setOf(0));
    for (String topology : new String[] {"chain", "rack"}) {
      RepairPlan plan = RepairPlanner.plan(snapshot, code, options(topology, 0).inGivenOrder());
      assertEquals(Arrays.asList(8, 2, 7, 3, 6, 4), units(plan.root), topology);
    }
    assertTrue(units(RepairPlanner.plan(snapshot, code, options("rack", 0)).root)
        .containsAll(Arrays.asList(1, 5)), "left to itself, rack takes its own");
  }
}
