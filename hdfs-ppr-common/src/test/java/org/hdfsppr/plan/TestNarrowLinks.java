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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;
import org.junit.jupiter.api.Test;

/** What links carry, and that checks find as much over narrow links as over wide ones. */
@InterfaceAudience.Private
class TestNarrowLinks {
  private static final int CELL = 840 << 10;

  private static NodeRef node(int number) {
    return new NodeRef("n" + number, "10.0.0." + number, "h" + number, 9866, 9877,
        "/rack" + number % 3);
  }

  private static RepairPlan plan(LinearCode code, TreeTopology topology, long groupBytes,
      boolean narrow, int checkOneIn, Integer... lost) throws NoPlanException {
    List<UnitHolder> live = new ArrayList<>();
    List<UnitHolder> targets = new ArrayList<>();
    for (int unit = 0; unit < code.units(); unit++) {
      (Arrays.asList(lost).contains(unit) ? targets : live).add(new UnitHolder(unit,
          Arrays.asList(lost).contains(unit) ? node(100) : node(unit)));
    }
    PlanOptions options = new PlanOptions(topology, 4096, checkOneIn, 0);
    return RepairPlanner.plan(new GroupSnapshot(new StripedLayout(new GroupId("BP", -16, 1),
        groupBytes, code.dataUnits(), code.parityUnits(), CELL), live, targets, node(100)),
        code, narrow ? options.withNarrowLinks(any -> true) : options);
  }

  private static LinearCode code(String name) {
    return codes().stream().filter(code -> code.name().equals(name)).findFirst().orElseThrow();
  }

  private static List<LinearCode> codes() {
    List<LinearCode> codes = new ArrayList<>();
    codes.add(ReedSolomon.hadoop(6, 3));
    codes.add(ReedSolomon.hadoop(10, 4));
    for (PprCodec codec : PprCodec.values()) {
      codes.addAll(codec.shippedCodes());
    }
    return codes;
  }

  /**
   * The sum over the links of a star is what the repair reads: 6.5 units for a lost data unit and
   * 10 for a lost parity unit make 7.5 on average. In a chain, a helper that reads half a unit
   * stands at the far end and sends this half, 0.5 units less than 11 for each lost data unit with
   * such helpers. The same figures come from a computation on bytes, outside of this project.
   */
  @Test
  void theLinksOfHitchhiker() throws NoPlanException {
    LinearCode code = code("hitchhiker-xorplus-10-4");
    LinkCost star = LinkCost.mean(code, TreeTopologies.byName("star"));
    assertEquals(7.5, star.sent, 1e-9);
    assertEquals(7.5, star.busiest, 1e-9);
    LinkCost chain = LinkCost.mean(code, TreeTopologies.byName("chain"));
    assertEquals(1, chain.busiest, 1e-9);
    assertEquals(10.5, chain.sent, 1e-9);
  }

  /** 4.64, 7.36 and 11.5 units come from the same computation. */
  @Test
  void theLinksOfLess() throws NoPlanException {
    LinkCost star = LinkCost.mean(code("less-a4-10-4"), TreeTopologies.byName("star"));
    assertEquals(65.0 / 14, star.sent, 1e-9);
    assertEquals(65.0 / 14, star.busiest, 1e-9);
    LinkCost chain = LinkCost.mean(code("less-a4-10-4"), TreeTopologies.byName("chain"));
    assertEquals(1, chain.busiest, 1e-9);
    assertEquals(11.5, chain.sent, 0.005);
    LinkCost halves = LinkCost.mean(code("less-a2-10-4"), TreeTopologies.byName("star"));
    assertEquals(103.0 / 14, halves.sent, 1e-9);
  }

  /**
   * A free-sum tree moves what a star moves. Its figures come from the same computation, and from a
   * formula: F helpers read whole units, and S sub-chunks are read from others. Parts of several
   * sub-chunks, as of Rotated RS, cannot be divided, and may exceed it by all but one of them.
   */
  @Test
  void theLinksOfFreeSumTrees() throws NoPlanException {
    TreeTopology freeSum = TreeTopologies.byName("free-sum");
    double[][] expected = {{7.5, 33.0 / 14}, {103.0 / 14, 23.0 / 14}, {65.0 / 14, 25.0 / 14}};
    String[] names = {"hitchhiker-xorplus-10-4", "less-a2-10-4", "less-a4-10-4"};
    for (int i = 0; i < names.length; i++) {
      LinkCost cost = LinkCost.mean(code(names[i]), freeSum);
      assertEquals(expected[i][0], cost.sent, 1e-9, names[i]);
      assertEquals(expected[i][1], cost.busiest, 1e-9, names[i]);
    }
    for (LinearCode code : codes()) {
      for (int unit = 0; unit < code.units(); unit++) {
        int whole = 0;
        int parts = 0;
        int largest = 1;
        PlanNode star = plan(code, TreeTopologies.byName("star"),
            (long) CELL * code.dataUnits(), true, 0, unit).root;
        for (PlanNode child : star.children) {
          int runs = child.sources.get(0).runsRead();
          whole += runs == code.subChunks() ? 1 : 0;
          parts += runs == code.subChunks() ? 0 : runs;
          largest = Math.max(largest, runs == code.subChunks() ? 1 : runs);
        }
        int most = Math.max(whole > 0 ? code.subChunks() : 0,
            (whole * code.subChunks() + parts + whole) / (whole + 1));
        most += largest - 1;
        LinkCost cost = LinkCost.of(code, unit, freeSum);
        assertEquals(LinkCost.of(code, unit, TreeTopologies.byName(parts == 0 ? "chain" : "star"))
            .sent, cost.sent, 1e-9, code.name() + " " + unit);
        assertTrue(cost.busiest * code.subChunks() < most + 1e-9,
            code.name() + " " + unit + ": " + cost.busiest + " most " + most);
      }
    }
  }

  @Test
  void withoutSubChunksNothingChanges() throws NoPlanException {
    for (LinearCode code : codes()) {
      if (code.subChunks() > 1) {
        continue;
      }
      for (TreeTopology topology : TreeTopologies.all()) {
        RepairPlan plan = plan(code, topology, (long) CELL * code.dataUnits(), true, 8, 1);
        assertFalse(NarrowLinks.isNarrow(plan.root), code.name());
        assertEquals(plan(code, topology, (long) CELL * code.dataUnits(), false, 8, 1)
            .root.toString(), plan.root.toString());
      }
    }
    LinkCost rs = LinkCost.mean(ReedSolomon.hadoop(10, 4), TreeTopologies.byName("star"));
    assertEquals(10, rs.sent, 1e-9);
    assertEquals(1, LinkCost.mean(ReedSolomon.hadoop(10, 4), TreeTopologies.byName("chain"))
        .busiest, 1e-9);
  }

  /** A star of whole codewords sends each sub-chunk that is read, and nothing else. */
  @Test
  void aStarSendsWhatIsRead() throws NoPlanException {
    for (LinearCode code : codes()) {
      for (int unit = 0; unit < code.units() && code.subChunks() > 1; unit++) {
        RepairPlan plan =
            plan(code, TreeTopologies.byName("star"), (long) CELL * code.dataUnits(), true, 0,
            unit);
        int read = 0;
        int sent = 0;
        for (PlanNode child : plan.root.children) {
          for (int run = 0; run < code.subChunks(); run++) {
            read += child.sources.get(0).contributes(SliceKind.PLAIN, run) ? 1 : 0;
          }
          sent += NarrowLinks.rowsAbove(child, 1, code.subChunks(), SliceKind.PLAIN);
        }
        assertEquals(read, sent, code.name() + " unit " + unit);
      }
    }
  }

  /**
   * On each link, an error of one row and equal errors of two rows violate the relation that the
   * root checks. The check row is not derived, so that such an error leaves it as it is.
   */
  @Test
  void checksFindAnyWrongRowOfALink() throws NoPlanException {
    int links = 0;
    for (LinearCode code : codes()) {
      for (TreeTopology topology : TreeTopologies.all()) {
        for (int unit = 0; unit < code.units() && code.subChunks() > 1; unit++) {
          for (long bytes : new long[] {(long) CELL * code.dataUnits(), CELL * 2L + 1001, 4999}) {
            int other = (unit + 1) % code.units();
            if (bytes / CELL < Math.min(unit, code.dataUnits() - 1) - 1) {
              continue;
            }
            for (Integer[] lost : new Integer[][] {{unit}, {Math.min(unit, other),
                Math.max(unit, other)}}) {
              links += check(code, topology, bytes, lost);
            }
          }
        }
      }
    }
    assertTrue(links > 5_000, links + " links");
  }

  private static int check(LinearCode code, TreeTopology topology, long bytes, Integer... lost) {
    RepairPlan plan;
    try {
      plan = plan(code, topology, bytes, true, 8, lost);
    } catch (NoPlanException | IllegalArgumentException e) {
      // A lost unit without bytes, or too few others: no plan, and nothing to check.
      return 0;
    }
    int[] links = {0};
    plan.check().ifPresent(relation -> plan.root.forEach(node ->
        node.sentRows().ifPresent(sent -> {
          for (boolean tail : new boolean[] {false, true}) {
            GfMatrix derivation = NarrowLinks.derivation(node, tail);
            byte[] weights = tail ? relation.tailWeights() : relation.weights();
            Set<Integer> seen = new HashSet<>(Collections.singleton(0));
            for (int column = 0; column < derivation.columns(); column++) {
              int seenByRoot = 0;
              for (int row = 0; row < derivation.rows(); row++) {
                seenByRoot ^= Gf256.mul(weights[row] & 0xff, derivation.get(row, column));
              }
              assertTrue(seen.add(seenByRoot), plan + ": row " + sent.row(tail, column) + " of "
                  + node.node);
            }
          }
          links[0]++;
        })));
    return links[0];
  }

  private static PlanNode wide(PlanNode node) {
    return new PlanNode(node.node, node.sources,
        node.children.stream().map(TestNarrowLinks::wide).collect(Collectors.toList()));
  }

  @Test
  void anOlderNodeHasWideLinksAboveAndBelow() throws NoPlanException {
    LinearCode code = code("hitchhiker-xorplus-10-4");
    PlanNode chain =
        plan(code, TreeTopologies.byName("chain"), (long) CELL * 10, true, 0, 1).root;
    NodeRef first = chain.children.get(0).node;
    assertTrue(NarrowLinks.isNarrow(chain));
    assertTrue(NarrowLinks.isNarrow(NarrowLinks.narrow(wide(chain), 2, node -> true)));
    assertFalse(NarrowLinks.isNarrow(NarrowLinks.narrow(wide(chain), 2,
        node -> !node.equals(first))), "all others are below it");
    // With wide links, a star would rather read ten whole units.
    PlanNode star =
        wide(plan(code, TreeTopologies.byName("star"), (long) CELL * 10, true, 0, 1).root);
    assertFalse(NarrowLinks.isNarrow(star));
    NodeRef narrow = NarrowLinks.narrow(star, 2, node -> true).children.stream()
        .filter(child -> child.sentRows().isPresent()).findFirst().orElseThrow().node;
    for (PlanNode child : NarrowLinks.narrow(star, 2, node -> !node.equals(narrow)).children) {
      boolean readsHalf = !child.sources.get(0).needsAll(SliceKind.PLAIN);
      assertEquals(readsHalf && !child.node.equals(narrow), child.sentRows().isPresent());
    }
  }
}
