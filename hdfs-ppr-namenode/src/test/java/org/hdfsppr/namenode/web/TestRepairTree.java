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
package org.hdfsppr.namenode.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.model.UnitReads;
import org.hdfsppr.namenode.web.ListsJson.RepairTree;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/** Tests the trees that are shown for commands. */
@InterfaceAudience.Private
class TestRepairTree {
  private static final LostGroup GROUP = Samples.group(1, 0);

  /** Returns a tree as text: units of a node, and its children in brackets. */
  private static String text(RepairTree tree) {
    String units = tree.units.stream().map(String::valueOf).collect(Collectors.joining("+"));
    return units + (tree.children.isEmpty() ? "" : tree.children.stream()
        .map(TestRepairTree::text).collect(Collectors.joining(" ", "(", ")")));
  }

  private static String text(String topology, List<UnitHolder> helpers) {
    return text(RepairTree.of(new Assignment(GROUP, helpers,
        List.of(new UnitHolder(0, Samples.node(99))), topology)));
  }

  @Test
  void chain() {
    assertEquals("(1(2(3(4(5(6(7)))))))", text("chain", GROUP.live.subList(0, 7)));
    assertEquals("(1(2(3(4(5(6(7)))))))", text("rack", GROUP.live.subList(0, 7)));
  }

  @Test
  void star() {
    assertEquals("(1 2 3 4 5 6 7)", text("star", GROUP.live.subList(0, 7)));
  }

  /**
   * Units 1 and 2 are read whole, 3 to 6 by half, and 7 only for the check. Each goes where least
   * is received: 3 and 4 to the end of the chain, then 5 and 6 to the others.
   */
  @Test
  void freeSum() {
    Assignment assignment = new Assignment(GROUP, GROUP.live.subList(0, 7),
        List.of(new UnitHolder(0, Samples.node(99))), "free-sum")
        .reading(new UnitReads(2, new int[] {0, 2, 2, 1, 1, 1, 1, 0}));
    assertEquals("(1(2(3 4 7) 6) 5)", text(RepairTree.of(assignment)));
  }

  /** As {@code BinomialTopology} arranges them: the check stands below the last leaf. */
  @Test
  void ppr() {
    assertEquals("(1 2(3) 4(5 6))", text("ppr", GROUP.live.subList(0, 6)));
    assertEquals("(1 2(3) 4(5(7(8)) 6))", text("ppr", GROUP.live.subList(0, 8)));
  }

  @Test
  void nodesWithoutTheExtensionAreReadByOthers() {
    List<UnitHolder> helpers = new ArrayList<>();
    for (int unit = 1; unit <= 6; unit++) {
      helpers.add(new UnitHolder(unit, unit > 4 ? Samples.stockNode(unit) : Samples.node(unit)));
    }
    assertEquals("(1(2(3(4(5) 6))))", text("chain", helpers));
    helpers.clear();
    for (int unit = 1; unit <= 3; unit++) {
      helpers.add(new UnitHolder(unit, Samples.stockNode(unit)));
    }
    assertEquals("(1 2 3)", text("chain", helpers), "the destination reads them itself");
  }

  @Test
  void aNodeWithTwoUnitsOccursOnce() {
    assertEquals("(1+2(3))", text("chain", List.of(new UnitHolder(1, Samples.node(1)),
        new UnitHolder(2, Samples.node(1)), new UnitHolder(3, Samples.node(3)))));
  }
}
