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
package org.hdfsppr.namenode.manage.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hdfsppr.core.RepairStrategies;
import org.hdfsppr.namenode.model.CoreColumn;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.CoreWork;
import org.hdfsppr.namenode.model.CoreWork.State;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/** Tests what the rows of a CORE group do: see {@link CoreSquare}. */
class TestCoreSquare {
  private static final GroupPolicy RS = new GroupPolicy("rs", 12, 2, 1 << 10);
  private static final int UNITS = 14;
  private static final int FILES = 5;
  private static final long BYTES = 12L << 20;

  private final Map<Integer, Set<Integer>> lost = new HashMap<>();
  private final Map<Integer, Map<Integer, NodeRef>> rebuilt = new HashMap<>();
  private final Map<Integer, Map<Integer, NodeRef>> underWay = new HashMap<>();
  private final Set<Integer> stale = new HashSet<>();
  private final Set<Integer> changed = new HashSet<>();
  private final Map<Integer, Long> bytes = new HashMap<>();
  private final Set<Integer> gone = new HashSet<>();
  private final Set<Integer> doubted = new HashSet<>();

  private static NodeRef node(int row, int unit) {
    return new NodeRef("u" + row + "-" + unit, "10.0.0.1", "h", 9866, 9877, "/r");
  }

  private static GroupId id(int row) {
    return new GroupId("BP", -16L * (row + 1), 1001);
  }

  private void lose(int row, Integer... units) {
    lost.computeIfAbsent(row, any -> new HashSet<>()).addAll(List.of(units));
  }

  private CoreRows rows() {
    List<CoreRows.Row> rows = new ArrayList<>();
    for (int row = 0; row <= FILES; row++) {
      rows.add(gone.contains(row) ? null
          : new CoreRows.Row(id(row), bytes.getOrDefault(row, BYTES), stale.contains(row)));
    }
    return new CoreRows(77, 0, RS, rows);
  }

  private RowState now(int row) {
    List<UnitHolder> live = new ArrayList<>();
    Set<Integer> missing = lost.getOrDefault(row, Set.of());
    for (int unit = 0; unit < UNITS; unit++) {
      if (!missing.contains(unit)) {
        live.add(new UnitHolder(unit, node(row, unit)));
      }
    }
    long length = bytes.getOrDefault(row, BYTES);
    LostGroup view = new LostGroup(id(row), changed.contains(row) ? length - 1 : length, RS, live,
        new ArrayList<>(missing), 2 - missing.size(), 0).occupying(List.of());
    RowState now = new RowState(gone.contains(row) ? null : view,
        rebuilt.getOrDefault(row, Map.of()), underWay.getOrDefault(row, Map.of()),
        !missing.isEmpty() && !underWay.containsKey(row) && !rebuilt.containsKey(row));
    return doubted.contains(row) ? now.inDoubt() : now;
  }

  private Map<Integer, CoreWork> decide() {
    List<RowState> now = new ArrayList<>();
    for (int row = 0; row <= FILES; row++) {
      now.add(now(row));
    }
    return CoreSquare.decide(rows(), now, 0, RepairStrategies.RGS);
  }

  @Test
  void aLoneLossHasItsColumn() {
    lose(1, 3);
    CoreWork work = decide().get(1);
    assertEquals(State.ALONE, work.state);
    CoreColumn column = work.column(3).orElseThrow();
    assertEquals(FILES, column.size());
    for (int block = 0; block < FILES; block++) {
      int row = block < 1 ? 0 : block + 1;
      assertEquals(id(row).block(3, BYTES / 12), column.blocks().get(block));
      assertEquals(node(row, 3), column.holders.get(block).node);
    }
    assertTrue(work.isOnColumn(3, "u4-3"));
    assertFalse(work.isOnColumn(3, "u1-3") || work.isOnColumn(3, "u4-2"));
    assertFalse(work.isOnColumn(2, "u4-3"), "it matters for its own column only");
  }

  /** The replica is corrupt, or its node is in maintenance: it is not read, but it is there. */
  @Test
  void aReplicaThatCannotBeReadIsOnItsColumn() {
    lose(1, 3);
    List<RowState> now = new ArrayList<>();
    for (int row = 0; row <= FILES; row++) {
      now.add(now(row));
    }
    now.set(2, now.get(2).at(Map.of(3, Set.of("bad"))));
    CoreWork work = CoreSquare.decide(rows(), now, 0, RepairStrategies.RGS).get(1);
    assertTrue(work.isOnColumn(3, "bad"));
    assertTrue(work.column(3).orElseThrow().holders.stream()
        .noneMatch(holder -> holder.node.uuid.equals("bad")));
  }

  /** If all members are gone, the parity row has no columns, and the decision does not fail. */
  @Test
  void aBlockAloneInItsColumnHasNoColumn() {
    for (int row = 0; row < FILES; row++) {
      gone.add(row);
    }
    lose(FILES, 3);
    CoreWork work = decide().get(FILES);
    assertEquals(State.ALONE, work.state);
    assertEquals(Optional.empty(), work.column(3));
    lose(FILES, 4, 5);
    assertEquals(List.of(), decide().get(FILES).steps);
  }

  /** Two lost units of one row each have a column; the row and the columns compete. */
  @Test
  void twoLossesOfARowEachHaveAColumn() {
    lose(2, 0, 13);
    CoreWork work = decide().get(2);
    assertEquals(State.ALONE, work.state);
    assertTrue(work.column(0).isPresent() && work.column(13).isPresent());
  }

  @Test
  void aStaleOrChangedRowTakesItsColumnsAway() {
    lose(1, 3);
    stale.add(4);
    CoreWork work = decide().get(1);
    assertEquals(State.ALONE, work.state);
    assertTrue(work.column(3).isEmpty());
    stale.clear();
    changed.add(5);
    assertTrue(decide().get(1).column(3).isEmpty());
    changed.clear();
    changed.add(1);
    assertFalse(decide().containsKey(1), "its own group is another one");
  }

  /** A file that was too short to have a block there counts as zeros. */
  @Test
  void aShortRowIsNotRead() {
    bytes.put(0, 1024L);
    lose(1, 3);
    gone.add(4);
    CoreColumn column = decide().get(1).column(3).orElseThrow();
    assertEquals(FILES - 2, column.size());
  }

  @Test
  void aUnitThatCannotBeReadTakesItsColumnAway() {
    lose(1, 3);
    List<RowState> now = new ArrayList<>();
    for (int row = 0; row <= FILES; row++) {
      now.add(now(row));
    }
    LostGroup whole = now.get(2).view;
    List<UnitHolder> without = new ArrayList<>(whole.live);
    without.removeIf(holder -> holder.unit == 3);
    now.set(2, new RowState(whole.withLive(without), Map.of(), Map.of(), false));
    assertTrue(CoreSquare.decide(rows(), now, 0, RepairStrategies.RGS).get(1).column(3).isEmpty());
  }

  /** The centre row has lost more than its code can bear. Its neighbours share a column with it. */
  private void plus() {
    lose(1, 6);
    lose(2, 5, 6, 7);
    lose(3, 6);
  }

  @Test
  void aPlusIsRepairedInWaves() {
    plus();
    Map<Integer, CoreWork> first = decide();
    List<Integer> waiting = new ArrayList<>();
    first.forEach((row, work) -> {
      if (work.state == State.WAITS) {
        waiting.add(row);
      } else {
        assertEquals(State.ORDERED, work.state, work.toString());
      }
    });
    List<CoreWork.RowStep> centre = first.get(2).steps;
    assertEquals(2, centre.size(), centre.toString());
    assertTrue(centre.get(0).vertical && !centre.get(1).vertical);
    assertEquals(Set.of(0), centre.get(1).after);
    assertEquals(1, waiting.size(), "one neighbour waits for the others: " + first);
    int last = waiting.get(0);
    int other = 4 - last;
    // Both repairs are under way: the last row waits although its own code could rebuild it.
    underWay.put(2, Map.of(5, node(9, 5), 6, node(9, 6), 7, node(9, 7)));
    underWay.put(other, Map.of(6, node(8, 6)));
    assertEquals(State.WAITS, decide().get(last).state);
    // One has reported.
    underWay.remove(other);
    rebuilt.put(other, Map.of(6, node(8, 6)));
    assertEquals(State.WAITS, decide().get(last).state);
    // Both have reported, and the NameNode does not know yet.
    underWay.remove(2);
    rebuilt.put(2, Map.of(5, node(9, 5), 6, node(9, 6), 7, node(9, 7)));
    CoreWork work = decide().get(last);
    assertEquals(State.ALONE, work.state);
    Set<String> read = new HashSet<>();
    work.column(6).orElseThrow().holders.forEach(holder -> read.add(holder.node.uuid));
    assertTrue(read.contains("u9-6") && read.contains("u8-6"), read.toString());
    assertTrue(work.isOnColumn(6, "u9-6"));
  }

  @Test
  void theStepPatternReadsFewBlocks() {
    lose(3, 4);
    lose(4, 4, 5);
    Map<Integer, CoreWork> works = decide();
    // RGS reads 17 blocks: 12 for the row with two losses, and then 5 of a column.
    assertEquals(List.of(new CoreWork.RowStep(Set.of(4, 5), false, Set.of())),
        works.get(4).steps);
    assertEquals(State.WAITS, works.get(3).state);
  }

  @Test
  void whatNothingCanRebuildIsHopeless() {
    lose(1, 1, 2, 3);
    lose(2, 1, 2, 3);
    lose(4, 7);
    Map<Integer, CoreWork> works = decide();
    assertEquals(State.HOPELESS, works.get(1).state);
    assertEquals(State.HOPELESS, works.get(2).state);
    assertEquals(State.ALONE, works.get(4).state);
  }

  /** With stale parity, a row that has lost too much is hopeless, and no column is read. */
  @Test
  void aStaleParityLeavesRowsAlone() {
    lose(1, 1, 2, 3);
    lose(3, 1);
    stale.add(FILES);
    Map<Integer, CoreWork> works = decide();
    assertEquals(State.HOPELESS, works.get(1).state);
    assertEquals(State.ALONE, works.get(3).state);
    assertTrue(works.get(3).column(1).isEmpty());
  }

  @Test
  void onlyCodesInWhichAnyUnitsSufficeHaveColumns() {
    assertTrue(CoreSquare.isSupported(rows()));
    List<CoreRows.Row> rows = rows().rows;
    assertTrue(CoreSquare.isSupported(
        new CoreRows(1, 0, new GroupPolicy("core-t5", 12, 2, 1024), rows)));
    assertFalse(CoreSquare.isSupported(
        new CoreRows(1, 0, new GroupPolicy("lrc-l2", 12, 4, 1024), rows)));
    assertFalse(CoreSquare.isSupported(
        new CoreRows(1, 0, new GroupPolicy("hitchhiker-xor", 10, 4, 1024), rows)));
    List<CoreRows.Row> many = new ArrayList<>();
    for (int row = 0; row < 20; row++) {
      many.add(new CoreRows.Row(id(row), BYTES, false));
    }
    assertFalse(CoreSquare.isSupported(new CoreRows(1, 0, RS, many)));
  }

  /** Any unit of that row may be wrong: its columns would spread it. */
  @Test
  void noColumnReadsARowInDoubt() {
    lose(1, 3, 4, 5);
    assertEquals(State.ORDERED, decide().get(1).state);
    doubted.add(4);
    CoreWork work = decide().get(1);
    assertEquals(State.HOPELESS, work.state);
    assertTrue(work.column(3).isEmpty());
    // What the row in doubt has lost is rebuilt by the other rows.
    lose(4, 3, 4, 5, 6);
    lost.remove(1);
    work = decide().get(4);
    assertEquals(State.ORDERED, work.state);
    assertTrue(work.column(3).isPresent() && work.column(6).isPresent());
  }
}
