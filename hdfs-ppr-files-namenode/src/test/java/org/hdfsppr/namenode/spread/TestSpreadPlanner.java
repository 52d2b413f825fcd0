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
package org.hdfsppr.namenode.spread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;

/** Tests which blocks move to which nodes, so that no node has two blocks of a column. */
class TestSpreadPlanner {
  private static void assertPlan(SpreadPaper paper, String moves, int together,
      Map<SpreadWait, Integer> staying) {
    SpreadPlan plan = paper.plan();
    assertEquals(moves, SpreadPaper.text(plan));
    assertEquals(together, plan.together);
    assertEquals(staying, plan.staying);
  }

  @Test
  void whatIsApartStaysWhereItIs() {
    SpreadPaper paper = new SpreadPaper().row("a b c").row("b c a").row("c a -");
    SpreadPlan plan = new SpreadPlanner(() -> {
      throw new AssertionError("the nodes are not needed");
    }).plan(paper.rows);
    assertEquals(List.of(), plan.moves);
    assertEquals(0, plan.together);
    assertEquals(Map.of(), plan.staying);
  }

  /** Other nodes have units of the row, and e has the third block of the column. */
  @Test
  void aBlockMovesToANodeWithoutItsRowAndItsColumn() {
    assertPlan(new SpreadPaper().rack("/r", "a b c d e f").row("a b c").row("a c d")
        .row("e d b"), "1/0 a>b", 1, Map.of());
    assertPlan(new SpreadPaper().rack("/r", "a b c d e f").row("a b c d").row("a c d b")
        .row("e f a c"), "0/0 a>f", 1, Map.of());
  }

  @Test
  void allButOneBlockOfANodeMoveToDifferentNodes() {
    assertPlan(new SpreadPaper().rack("/r", "a b c d e").row("a b").row("a c").row("a d"),
        "1/0 a>b, 0/0 a>c", 1, Map.of());
    // Two pairs of one column.
    assertPlan(new SpreadPaper().rack("/r", "a b c d e f").row("a c").row("a c").row("b d")
        .row("b d"), "0/0 a>d, 2/0 b>c, 0/1 c>b, 2/1 d>a", 2, Map.of());
  }

  /** The blocks of two columns of a row do not move to the same node. */
  @Test
  void noNodeGetsTwoBlocksOfARow() {
    assertPlan(new SpreadPaper().rack("/r", "a b c d").row("a b").row("a b"),
        "0/0 a>c, 0/1 b>d", 2, Map.of());
    assertPlan(new SpreadPaper().rack("/r", "a b c").row("a b").row("a b"),
        "0/0 a>c, 1/1 b>c", 2, Map.of());
  }

  @Test
  void onlyNodesThatMayTakeTheBlockGetIt() {
    // Node c leaves the cluster, d is full, and e has volumes of another type only.
    assertPlan(new SpreadPaper().rack("/r", "a b").put("c", "/r", false, StorageType.DISK, 9)
        .put("d", "/r", true, StorageType.DISK, 0).put("e", "/r", true, StorageType.SSD, 9)
        .row("a").row("a").row("b"), "", 1, Map.of(SpreadWait.NO_NODE, 1));
    assertPlan(new SpreadPaper().rack("/r", "a b f").put("c", "/r", false, StorageType.DISK, 9)
        .row("a").row("a").row("b"), "0/0 a>f", 1, Map.of());
    // Room for one block: the second one moves elsewhere, and the third one nowhere.
    assertPlan(new SpreadPaper().rack("/r", "a b c", 0).rack("/r", "f g", 1)
        .row("a b c").row("a b c"), "0/0 a>f, 0/1 b>g", 3, Map.of(SpreadWait.NO_NODE, 1));
  }

  /** A planner remembers what its plans for other block groups put onto a node. */
  @Test
  void earlierPlansTakeRoom() {
    SpreadPaper paper = new SpreadPaper().rack("/r", "a", 0).rack("/r", "f", 1).row("a").row("a");
    SpreadPlanner planner = paper.planner();
    assertEquals("0/0 a>f", SpreadPaper.text(planner.plan(paper.rows)));
    assertEquals(Map.of(SpreadWait.NO_NODE, 1), planner.plan(paper.rows).staying);
    // With room enough, the moves go to different nodes.
    SpreadPaper wide = new SpreadPaper().rack("/r", "a f g").row("a").row("a");
    SpreadPlanner fair = wide.planner();
    assertEquals("0/0 a>f", SpreadPaper.text(fair.plan(wide.rows)));
    assertEquals("0/0 a>g", SpreadPaper.text(fair.plan(wide.rows)));
  }

  @Test
  void aRackWithoutABlockOfTheColumnIsPreferred() {
    assertPlan(new SpreadPaper().rack("/1", "a b").rack("/2", "c d").rack("/3", "e f")
        .row("a").row("a").row("c"), "0/0 a>e", 1, Map.of());
    assertPlan(new SpreadPaper().rack("/1", "a b").rack("/2", "c d")
        .row("a").row("a").row("c"), "0/0 a>b", 1, Map.of());
  }

  /** The first row is on three racks. It would be on two if its block moved to rack 2 or 3. */
  @Test
  void noRowGetsOntoFewerRacks() {
    assertPlan(new SpreadPaper().rack("/1", "a").rack("/2", "b x").rack("/3", "c y")
        .row("a b c").row("a - -"), "1/0 a>b", 1, Map.of());
    assertPlan(new SpreadPaper().rack("/1", "a").rack("/2", "b x").rack("/3", "c y")
        .row("a b c").row("a c b"), "", 1, Map.of(SpreadWait.NO_NODE, 1));
    assertPlan(new SpreadPaper().rack("/1", "a z").rack("/2", "b x").rack("/3", "c y")
        .row("a b c").row("a c b"), "0/0 a>z", 1, Map.of());
  }

  /** Each rack has two units of each row. A third one in a rack would be more than before. */
  @Test
  void noRackGetsMoreUnitsOfARowThanTheFullestHad() {
    assertPlan(new SpreadPaper().rack("/1", "a b").rack("/2", "c d x").row("a b c d")
        .row("a c b d"), "0/3 d>x", 2, Map.of(SpreadWait.NO_NODE, 1));
    assertPlan(new SpreadPaper().rack("/1", "a b y").rack("/2", "c d x").row("a b c d")
        .row("a c b d"), "0/0 a>y, 0/3 d>x", 2, Map.of());
  }

  @Test
  void rowsInRepairWait() {
    assertPlan(new SpreadPaper().rack("/r", "a b f").inRepair("a").row("a").row("b"),
        "1/0 a>f", 1, Map.of());
    assertPlan(new SpreadPaper().rack("/r", "a b f").inRepair("a").inRepair("a").row("b"),
        "", 1, Map.of(SpreadWait.IN_REPAIR, 1));
    // Three rows are together. Only one of them is not in repair, and the planner moves that one.
    assertPlan(new SpreadPaper().rack("/r", "a b f g").inRepair("a").inRepair("a").row("a"),
        "2/0 a>b", 1, Map.of(SpreadWait.IN_REPAIR, 1));
  }

  /** The replica at a is about to be deleted, because its unit is at f now. */
  @Test
  void whatHasMovedIsNotMovedAgain() {
    assertPlan(new SpreadPaper().rack("/r", "a b f g").moved("f", Map.of(0, "a")).row("a"),
        "", 1, Map.of(SpreadWait.LEAVING, 1));
    // A third block at a moves, but not to where the first one is.
    assertPlan(new SpreadPaper().rack("/r", "a f g").moved("f", Map.of(0, "a")).row("a")
        .row("a"), "1/0 a>g", 1, Map.of());
  }

  /** A dead node has no rack that is known, and may have what other nodes need not avoid. */
  @Test
  void blocksOfADeadNodeAreNotMoved() {
    assertPlan(new SpreadPaper().rack("/r", "b f").inRepair("a b").inRepair("a f"), "", 1,
        Map.of(SpreadWait.IN_REPAIR, 1));
  }

  private static String places(List<String> nodes, int units, Random random) {
    List<String> some = new ArrayList<>(nodes);
    Collections.shuffle(some, random);
    return String.join(" ", some.subList(0, units));
  }

  /** Carries a plan out on paper, and checks each rule on the result. */
  private static void assertAllowed(SpreadPaper paper, SpreadPlan plan,
      Map<String, String> racks) {
    List<Map<Integer, String>> after = new ArrayList<>();
    Set<String> old = new HashSet<>();
    for (SpreadRow row : paper.rows) {
      Map<Integer, String> units = new HashMap<>();
      row.held.forEach((unit, uuids) -> units.put(unit, uuids.iterator().next()));
      after.add(units);
      units.forEach((unit, uuid) -> old.add(row.id + uuid));
    }
    Set<String> moved = new HashSet<>();
    for (BlockMove move : plan.moves) {
      int row = (int) (move.group.groupId + 1_000) / 16;
      assertEquals(move.from, after.get(row).put(move.unit, move.to));
      assertTrue(moved.add(row + "/" + move.unit), "moved twice");
      assertFalse(old.contains(move.group + move.to), "a node has a unit of the row already");
    }
    int together = 0;
    for (int unit = 0; unit < after.get(0).size(); unit++) {
      Set<String> column = new HashSet<>();
      for (Map<Integer, String> row : after) {
        column.add(row.get(unit));
      }
      together += column.size() < after.size() ? 1 : 0;
    }
    assertEquals(plan.staying.getOrDefault(SpreadWait.NO_NODE, 0), together);
    for (int i = 0; i < after.size(); i++) {
      Set<String> nodes = new HashSet<>(after.get(i).values());
      assertEquals(after.get(i).size(), nodes.size(), "two units of a row on a node");
      RackUse now = RackUse.of(after.get(i).values(), racks);
      List<String> then = paper.rows.get(i).held.values().stream()
          .map(uuids -> uuids.iterator().next()).collect(Collectors.toList());
      RackUse before = RackUse.of(then, racks);
      assertTrue(now.racks >= before.racks && now.most <= before.most, now + " after " + before);
    }
  }

  /** How many racks a row is on, and how many units the fullest has. */
  private static final class RackUse {
    private final int racks;
    private final int most;

    private RackUse(int racks, int most) {
      this.racks = racks;
      this.most = most;
    }

    static RackUse of(Iterable<String> nodes, Map<String, String> rackOf) {
      Map<String, Integer> counts = new HashMap<>();
      nodes.forEach(node -> counts.merge(rackOf.get(node), 1, Integer::sum));
      return new RackUse(counts.size(), Collections.max(counts.values()));
    }

    @Override
    public String toString() {
      return racks + " racks, " + most + " units";
    }
  }

  @Test
  void plansForRandomPlacesKeepAllRules() {
    long seed = 20261126;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int moves = 0;
    for (int round = 0; round < 3_000; round++) {
      int units = 3 + random.nextInt(7);
      int files = 3 + random.nextInt(4);
      int racks = 1 + random.nextInt(5);
      boolean isAlways = racks == 1;
      int count = units + (isAlways ? files : random.nextInt(files + 3));
      SpreadPaper paper = new SpreadPaper();
      List<String> nodes = new ArrayList<>();
      Map<String, String> rackOf = new HashMap<>();
      for (int i = 0; i < count; i++) {
        nodes.add("n" + i);
        rackOf.put("n" + i, "/" + i % racks);
        paper.rack("/" + i % racks, "n" + i);
      }
      for (int row = 0; row <= files; row++) {
        paper.row(places(nodes, units, random));
      }
      SpreadPlan plan = paper.plan();
      moves += plan.moves.size();
      assertAllowed(paper, plan, rackOf);
      // A node that a unit leaves takes no other unit of the row before the next plan.
      for (int again = 0; isAlways && again < 2 * units && plan.together > 0; again++) {
        paper = paper.after(plan);
        plan = paper.plan();
        assertAllowed(paper, plan, rackOf);
      }
      assertTrue(!isAlways || plan.together == 0, "n + t nodes are enough");
    }
    assertTrue(moves > 3_000, moves + " moves");
  }
}
