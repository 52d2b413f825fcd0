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
package org.hdfsppr.namenode.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.namenode.manage.core.PaperCoreGroupLookup;
import org.hdfsppr.namenode.manage.explain.Explanation;
import org.hdfsppr.namenode.manage.operator.OperatorRefreshHandler;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.namenode.track.GrantRecord;
import org.hdfsppr.namenode.track.TrackedRepair;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The manager repairs rows of a CORE group: five files and their parity file under RS (6,3). Books,
 * nodes and clock are simulated.
 */
class TestCoreManager {
  private static final int UNITS = 9;
  private static final int ROWS = 6;
  private static final long BYTES = 6L * PaperCluster.UNIT_BYTES;

  private PaperCluster cluster;
  private final PaperCoreGroupLookup book = new PaperCoreGroupLookup();
  private final Map<Integer, LostGroup> groups = new HashMap<>();

  @BeforeEach
  void start() {
    start(new Configuration());
  }

  /** With this strategy, rows that can repair themselves go first, and the others wait for them. */
  private void startRowFirst() {
    cluster.close();
    Configuration conf = new Configuration();
    conf.set(PprKeys.NAMENODE_CORE_STRATEGY_KEY, "row-first");
    start(conf);
  }

  private void start(Configuration conf) {
    cluster = new PaperCluster(conf);
    cluster.step(15_000);
    cluster.manager.useColumns(book);
    List<CoreRows.Row> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      rows.add(new CoreRows.Row(id(row), BYTES, false));
      cluster.books.store(group(row, Set.of()));
    }
    book.add(1, 0, PaperCluster.RS, rows);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static GroupId id(int row) {
    return new GroupId("BP", -16L * row - 16, 1001);
  }

  /** Unit u of row r is on node (u + 3 r) mod 20, so that the nodes of a column differ. */
  private static NodeRef holder(int row, int unit) {
    return PaperCluster.node((unit + 3 * row) % PaperCluster.NODES);
  }

  private LostGroup group(int row, Set<Integer> lost) {
    List<UnitHolder> live = new ArrayList<>();
    List<NodeRef> occupied = new ArrayList<>();
    for (int unit = 0; unit < UNITS; unit++) {
      if (!lost.contains(unit)) {
        live.add(new UnitHolder(unit, holder(row, unit)));
        occupied.add(holder(row, unit));
      }
    }
    return new LostGroup(id(row), BYTES, PaperCluster.RS, live, new ArrayList<>(lost),
        3 - lost.size(), cluster.now).occupying(occupied);
  }

  private void lose(int row, Integer... units) {
    groups.put(row, group(row, Set.of(units)));
    cluster.books.lose(groups.get(row));
  }

  private GrantRecord grant(int row) {
    return cluster.manager.tracker.grant(id(row)).orElseThrow();
  }

  private boolean isUnderWay(int row) {
    return cluster.manager.tracker.grant(id(row)).isPresent();
  }

  private List<TrackedRepair> commands(int row) {
    return cluster.manager.tracker.commands(grant(row));
  }

  /** Lets the destination of a command report success; the NameNode has no block report yet. */
  private RepairCommand report(TrackedRepair repair) {
    int number = PaperCluster.numberOf(repair.destination());
    HeartbeatResponse fetched = cluster.beat(number);
    cluster.beat(number, new RepairResult(repair.id, repair.term(), RepairOutcome.REBUILT,
        List.copyOf(repair.assignment.unitsWithout(Set.of())), 0, 0));
    cluster.manager.cycle();
    return fetched.repairs().stream().filter(one -> one.repairId.equals(repair.id))
        .findFirst().orElse(null);
  }

  private static Set<Integer> units(Collection<TrackedRepair> commands) {
    Set<Integer> units = new HashSet<>();
    commands.forEach(one -> units.addAll(one.assignment.unitsWithout(Set.of())));
    return units;
  }

  @Test
  void aLoneLossIsRebuiltFromItsColumn() {
    lose(0, 4);
    cluster.manager.cycle();
    TrackedRepair repair = commands(0).get(0);
    assertTrue(repair.assignment.column().isPresent(), repair.toString());
    String target = repair.destination().uuid;
    for (int row = 0; row < ROWS; row++) {
      assertFalse(row > 0 && target.equals(holder(row, 4).uuid), "off its column");
    }
    HeartbeatResponse fetched = cluster.beat(PaperCluster.numberOf(repair.destination()));
    RepairCommand command = fetched.repairs().get(0);
    assertEquals("rs-6-3*4x5", command.codec);
    assertEquals(UNITS + 5, command.blocks.size());
    assertEquals(id(0).block(4, PaperCluster.UNIT_BYTES),
        command.blocks.get(command.targets.get(0).unit));
    Set<Long> read = new HashSet<>();
    command.group.live.subList(0, 5).forEach(one ->
        read.add(command.blocks.get(one.unit).blockId));
    Set<Long> column = new HashSet<>();
    for (int row = 1; row < ROWS; row++) {
      column.add(id(row).block(4, 1).blockId);
    }
    assertEquals(column, read);
    assertEquals(1, cluster.metrics.counted(ManagerCounter.REPAIRS_BY_COLUMN));
  }

  private void doubt(int row) {
    cluster.command("doubt", "blk_" + id(row).groupId, "4");
    assertTrue(cluster.manager.isDoubted(id(row)), "row " + row);
  }

  private boolean readsColumn(int row) {
    return !grant(row).assignment.columns().isEmpty();
  }

  /** What the column gives cannot be checked, so that it would carry the error into row 0. */
  @Test
  void aDoubtAboutAnotherRowStopsARepairByColumn() {
    lose(0, 4);
    cluster.manager.cycle();
    TrackedRepair repair = commands(0).get(0);
    assertTrue(readsColumn(0));
    int destination = PaperCluster.numberOf(repair.destination());
    assertEquals(1, cluster.beat(destination).repairs().size());
    doubt(2);
    assertFalse(isUnderWay(0), "it has ended in the cycle in which the doubt began");
    assertEquals(repair.id, cluster.beat(destination).cancels().get(0).repairId);
    cluster.step(20_000);
    assertTrue(isUnderWay(0));
    assertFalse(readsColumn(0));
  }

  /** Row 0 waits, and its plan would be renewed only seconds later. */
  @Test
  void aDoubtAboutAnotherRowRenewsThePlans() {
    cluster.command("pause");
    lose(0, 4);
    cluster.manager.cycle();
    cluster.manager.cycle();
    doubt(2);
    cluster.command("resume");
    assertTrue(isUnderWay(0));
    assertFalse(readsColumn(0));
    assertEquals(0, cluster.books.aborts());
  }

  /** When the doubt has ended, the column is as good as before. */
  @Test
  void theEndOfADoubtRenewsThePlans() {
    cluster.command("pause");
    doubt(2);
    lose(0, 4);
    cluster.manager.cycle();
    cluster.manager.cycle();
    cluster.command("undoubt", "blk_" + id(2).groupId);
    assertFalse(cluster.manager.isDoubted(id(2)));
    cluster.command("resume");
    assertTrue(readsColumn(0));
  }

  /** Row 1 reads columns in its second command only, when the first has given it another unit. */
  @Test
  void aDoubtStopsCommandsThatWait() {
    lose(1, 0, 1, 2, 3);
    cluster.manager.cycle();
    assertTrue(grant(1).assignment.parts().size() > 1);
    Set<String> before = new HashSet<>();
    commands(1).forEach(one -> before.add(one.id));
    doubt(2);
    assertFalse(isUnderWay(1));
    cluster.step(30_000);
    assertFalse(isUnderWay(1), "its row has lost too much, and its columns may not be read");
    cluster.command("undoubt", "blk_" + id(2).groupId);
    cluster.step(20_000);
    assertTrue(isUnderWay(1));
  }

  /** Lets the repair of unit 4 of row 0 by its column find that the row says otherwise. */
  private void contradict() {
    lose(0, 4);
    cluster.manager.cycle();
    assertTrue(readsColumn(0));
    String finder = commands(0).get(0).destination().uuid;
    cluster.fail(groups.get(0), finder, FailureCause.VERIFICATION);
    assertTrue(cluster.manager.isDoubted(id(0)), "a unit of the row may be the wrong one");
  }

  private void awaitUnderWay(int row) {
    for (int i = 0; !isUnderWay(row); i++) {
      assertTrue(i < 4_000, "no repair of row " + row + " begins");
      cluster.step(250);
    }
  }

  private void rebuild(int row, Set<Integer> read) {
    cluster.rebuild(groups.get(row), read);
    cluster.books.store(group(row, Set.of()));
  }

  /** The row rebuilds the unit, and all its units agree. */
  private void findRowRight() {
    awaitUnderWay(0);
    assertFalse(readsColumn(0));
    assertTrue(grant(0).assignment.doubted, "every byte is checked");
    Set<Integer> read = new HashSet<>();
    groups.get(0).live.forEach(holder -> read.add(holder.unit));
    rebuild(0, read);
    assertFalse(cluster.manager.isDoubted(id(0)));
  }

  private boolean isTrusted(int unit) {
    return cluster.manager.columnTrust()
        .mayBeRead(book.rowsOf(id(0).groupId).orElseThrow(), 0, unit);
  }

  /**
   * The column that has contradicted row 0 has a wrong block of another row, as row 0 is right. Row
   * 3 must not get the error through it, nor a client.
   */
  @Test
  void aColumnThatHasContradictedARowIsNotRead() {
    assertTrue(isTrusted(4));
    contradict();
    assertFalse(isTrusted(4));
    findRowRight();
    assertFalse(isTrusted(4));
    assertTrue(isTrusted(5));
    lose(3, 4);
    cluster.manager.cycle();
    assertFalse(readsColumn(3));
    rebuild(3, Set.of());
    String block = "blk_" + id(1).groupId;
    assertEquals(OperatorRefreshHandler.DONE, cluster.command("undoubt", block).getReturnCode());
    assertTrue(isTrusted(4));
    assertEquals(OperatorRefreshHandler.REFUSED, cluster.command("undoubt", block).getReturnCode());
    lose(3, 4);
    awaitUnderWay(3);
    assertTrue(readsColumn(3));
  }

  /** That row 0 is right does not say that the column is. */
  @Test
  void theEndOfADoubtByHandLeavesTheColumnAlone() {
    contradict();
    String said = cluster.command("undoubt", "blk_" + id(0).groupId).getMessage();
    assertTrue(said.contains("ended. 1 column of CORE"), said);
    assertFalse(isTrusted(4));
    said = cluster.command("undoubt", "blk_" + id(0).groupId).getMessage();
    assertTrue(said.contains("1 column of CORE"), said);
    assertTrue(isTrusted(4));
  }

  /** A unit of row 0 is the wrong one, so that the column was right. */
  @Test
  void aWrongRowExplainsWhyTheColumnContradictedIt() {
    contradict();
    doubt(0);
    assertTrue(isTrusted(4));
  }

  /** Each block of the column but that of row 0 is lost, and rebuilt by its own row. */
  @Test
  void blocksThatAreRebuiltMakeTheColumnRight() {
    contradict();
    findRowRight();
    for (int row = 1; row < ROWS; row++) {
      assertFalse(isTrusted(4));
      lose(row, 4);
      cluster.manager.cycle();
      assertFalse(readsColumn(row), "row " + row);
      rebuild(row, Set.of());
    }
    assertTrue(isTrusted(4));
  }

  /** More rows change at once than one cycle looks at, and the doubted row's is not looked at. */
  @Test
  void aPlanThatReadsADoubtedRowDoesNotBegin() {
    cluster.close();
    Configuration conf = new Configuration();
    conf.setInt(PprKeys.NAMENODE_IN_FLIGHT_KEY, 1);
    start(conf);
    int squares = 1_001;
    PaperCoreGroupLookup many = new PaperCoreGroupLookup();
    List<LostGroup> lost = new ArrayList<>();
    for (int square = 0; square < squares; square++) {
      List<CoreRows.Row> rows = new ArrayList<>();
      for (int row = 0; row < 3; row++) {
        GroupId id = new GroupId("BP", -16L * (1_000 + 3 * square + row), 1001);
        rows.add(new CoreRows.Row(id, BYTES, false));
        // The last one needs a column, and goes first.
        LostGroup like = group(row, row > 0 ? Set.of()
            : square < squares - 1 ? Set.of(4) : Set.of(0, 1, 2, 3));
        LostGroup one = new LostGroup(id, BYTES, PaperCluster.RS, like.live, like.lost,
            3 - like.lost.size(), cluster.now).occupying(like.occupied());
        cluster.books.store(one);
        if (row == 0) {
          lost.add(one);
        }
      }
      many.add(10 + square, 0, PaperCluster.RS, rows);
    }
    cluster.manager.useColumns(many);
    cluster.command("pause");
    lost.forEach(cluster.books::lose);
    for (int cycle = 0; cycle < 3; cycle++) {
      cluster.manager.cycle();
    }
    lost.forEach(cluster.books::lose);
    cluster.manager.cycle();
    LostGroup last = lost.get(squares - 1);
    GroupId beside = many.recordedBeside(last.id.groupId).get(0);
    assertTrue(cluster.manager.submit(() -> {
      cluster.manager.operations().resume();
      cluster.manager.operations().doubt(beside.groupId, 4);
    }));
    cluster.manager.cycle();
    assertEquals(0, cluster.manager.tracker.size(), "it is planned, and does not begin");
    assertEquals(0, cluster.books.aborts());
    cluster.manager.cycle();
    assertEquals(1, cluster.manager.tracker.size());
    assertFalse(cluster.isUnderWay(last), "its row has lost too much");
  }

  /** Without the knowledge of columns, a node gets the repair of the row. */
  @Test
  void oldNodesRepairByTheRow() {
    cluster.commandFeatures = CommandFeatures.DOUBTED | CommandFeatures.BLOCKS;
    cluster.step(3_000);
    lose(0, 4);
    cluster.manager.cycle();
    assertTrue(commands(0).get(0).assignment.column().isEmpty());
  }

  /**
   * Row 1 has lost four units of nine, and column 0 three blocks. Row 1 begins as soon as the
   * blocks that it reads are reported by their nodes.
   */
  @Test
  void rowsWaitForEachOtherAndForNoBlockReport() {
    startRowFirst();
    lose(1, 0, 1, 2, 3);
    lose(0, 0);
    lose(2, 0);
    cluster.manager.cycle();
    assertTrue(isUnderWay(0) && isUnderWay(2));
    assertFalse(isUnderWay(1));
    assertEquals(1, cluster.manager.lastStatus().get(StatusNumber.RECOVERABLE_THROUGH_CORE));
    assertEquals(0, cluster.manager.lastStatus().get(StatusNumber.UNRECOVERABLE));
    Explanation said = cluster.explain(groups.get(1));
    assertEquals("waits_for_rows", said.cause.code(), said.toString());
    assertTrue(said.text.contains("recoverable through CORE"), said.text);
    Set<String> rebuilt = new HashSet<>();
    for (int row : new int[] {0, 2}) {
      assertFalse(isUnderWay(1));
      TrackedRepair repair = commands(row).get(0);
      repair.targets().forEach(target -> rebuilt.add(target.node.uuid));
      report(repair);
    }
    assertTrue(isUnderWay(1), "no block report has come");
    assertEquals(1, commands(1).size(), "the second command waits for the first");
    TrackedRepair first = commands(1).get(0);
    assertTrue(first.assignment.column().isPresent(), first.toString());
    Set<String> read = new HashSet<>();
    first.assignment.helpers.forEach(one -> read.add(one.node.uuid));
    assertTrue(read.containsAll(rebuilt), read + " has " + rebuilt);
    report(first);
    assertEquals(2, commands(1).size());
    assertTrue(commands(1).get(1).assignment.column().isEmpty());
    assertEquals(Set.of(0, 1, 2, 3), units(commands(1)));
    report(commands(1).get(1));
    for (int row = 0; row < 3; row++) {
      cluster.books.end(id(row), RepairEnd.DONE);
    }
    cluster.manager.cycle();
    assertEquals(0, cluster.manager.lastStatus().get(StatusNumber.GROUPS_QUEUED));
    assertEquals(0, cluster.manager.lastStatus().get(StatusNumber.RECOVERABLE_THROUGH_CORE));
  }

  /** Both rows have one possible destination, where their blocks of one column would meet. */
  @Test
  void rowsThatBeginTogetherPutNoBlocksOfAColumnOntoOneNode() {
    NodeRef only = PaperCluster.node(17);
    List<NodeRef> others = new ArrayList<>();
    for (int node = 0; node < PaperCluster.NODES; node++) {
      if (node != 17) {
        others.add(PaperCluster.node(node));
      }
    }
    for (int row = 0; row < 2; row++) {
      LostGroup lost = group(row, Set.of(4));
      groups.put(row, new LostGroup(id(row), BYTES, PaperCluster.RS, lost.live, List.of(4), 2,
          cluster.now).occupying(others));
      cluster.books.lose(groups.get(row));
    }
    cluster.manager.cycle();
    assertTrue(isUnderWay(0) != isUnderWay(1), "one of them waits");
    assertEquals(only.uuid, commands(isUnderWay(0) ? 0 : 1).get(0).destination().uuid);
    cluster.manager.cycle();
    assertTrue(isUnderWay(0) != isUnderWay(1), "its unit can be read from the column later");
  }

  /**
   * Row 1 has lost four units. Each node, but three, has a block of the column of one of them, and
   * nearly all may get one of the others.
   */
  @Test
  void aNodeMayGetAUnitIfItIsOnTheColumnOfAnother() {
    lose(1, 0, 1, 2, 3);
    cluster.manager.cycle();
    assertTrue(isUnderWay(1));
    assertApart(1);
    assertEquals(4, grant(1).assignment.targets.size());
  }

  /** No target of a row is on a node that has a unit of the row, or a block of its column. */
  private void assertApart(int row) {
    Set<String> taken = new HashSet<>();
    Set<Integer> units = new HashSet<>();
    grant(row).assignment.targets.forEach(target -> {
      assertTrue(taken.add(target.node.uuid), "two units on a node");
      units.add(target.unit);
      for (int other = 0; other < ROWS; other++) {
        assertFalse(other != row && holder(other, target.unit).equals(target.node),
            "unit " + target.unit + " beside row " + other);
      }
    });
    for (int unit = 0; unit < UNITS; unit++) {
      assertFalse(!units.contains(unit) && taken.contains(holder(row, unit).uuid));
    }
  }

  /** Loses unit 4 of row 0, which only the given nodes could take. */
  private void loseWithNodes(Integer... free) {
    LostGroup lost = group(0, Set.of(4));
    List<NodeRef> others = new ArrayList<>();
    for (int node = 0; node < PaperCluster.NODES; node++) {
      if (!List.of(free).contains(node)) {
        others.add(PaperCluster.node(node));
      }
    }
    groups.put(0, new LostGroup(id(0), BYTES, PaperCluster.RS, lost.live, List.of(4), 2,
        cluster.now).occupying(others));
    cluster.books.lose(groups.get(0));
  }

  /** Node 13 has a block of the column, and node 17, which has none, is silent for a while. */
  @Test
  void aRowWaitsForANodeOffItsColumn() {
    cluster.withAgents = 17;
    cluster.step(15_000);
    loseWithNodes(13, 17);
    cluster.step(20_000);
    assertFalse(isUnderWay(0), "node 17 may come back");
    cluster.withAgents = PaperCluster.NODES;
    cluster.step(12_000);
    assertTrue(isUnderWay(0));
    assertApart(0);
    assertEquals("u17", commands(0).get(0).destination().uuid);
  }

  /** Two blocks of a column on a node are better than a row that lacks a unit for long. */
  @Test
  void withoutSuchANodeTheRowIsRepairedInTheEnd() {
    cluster.step(1_000);
    loseWithNodes(13);
    cluster.step(25_000);
    assertFalse(isUnderWay(0));
    Explanation said = cluster.explain(groups.get(0));
    assertTrue(said.text.contains("block with the same index"), said.text);
    cluster.step(20_000);
    assertTrue(isUnderWay(0));
    assertEquals("u13", commands(0).get(0).destination().uuid);
    assertTrue(commands(0).get(0).assignment.column().isEmpty(), "the column has the node");
    assertTrue(cluster.books.released.isEmpty());
  }

  /** Stock knows no columns. It gets the row when no node has taken its unit for a minute. */
  @Test
  void stockGetsARowOnlyAfterAWhile() {
    loseWithNodes();
    cluster.step(50_000);
    assertTrue(cluster.books.released.isEmpty());
    cluster.step(25_000);
    assertEquals(Set.of(id(0)), cluster.books.released);
  }

  /** A CORE group is formed after the loss was seen, and before the repair is planned. */
  @Test
  void aRowOfANewGroupKeepsOffItsColumn() {
    cluster.manager.useColumns(blockGroup -> Optional.empty());
    cluster.command("pause");
    loseWithNodes(13, 17);
    cluster.step(1_000);
    cluster.manager.useColumns(book);
    cluster.command("resume");
    cluster.step(1_000);
    assertApart(0);
    assertEquals(0, cluster.books.refusedBesideColumn());
  }

  /** A CORE group is formed after the plan: the NameNode's books refuse it. */
  @Test
  void aGroupThatIsFormedAfterThePlanMatters() {
    cluster.manager.useColumns(blockGroup -> Optional.empty());
    cluster.books.beforeBegin(() -> cluster.books.useColumns(book));
    loseWithNodes(13);
    cluster.step(5_000);
    assertTrue(cluster.books.refusedBesideColumn() > 0);
    assertFalse(isUnderWay(0));
    cluster.manager.useColumns(book);
    loseWithNodes(13, 17);
    cluster.step(15_000);
    assertApart(0);
  }

  /** The row's group is dissolved while it waits, and the row is in another group at once. */
  @Test
  void aRowThatChangesItsGroupKeepsOffItsNewColumn() {
    cluster.command("pause");
    loseWithNodes(13, 17);
    cluster.step(1_000);
    // The new member's block is on node 17. That of row 3, which was on node 13, is no neighbour.
    GroupId member = new GroupId("BP", -16L * 100, 1001);
    cluster.books.store(new LostGroup(member, BYTES, PaperCluster.RS,
        List.of(new UnitHolder(4, PaperCluster.node(17))), List.of(), 3, cluster.now)
        .occupying(List.of()));
    PaperCoreGroupLookup anew = new PaperCoreGroupLookup();
    List<CoreRows.Row> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      rows.add(new CoreRows.Row(row == 3 ? member : id(row), BYTES, false));
    }
    anew.add(2, 0, PaperCluster.RS, rows);
    cluster.manager.useColumns(anew);
    cluster.step(11_000);
    cluster.command("resume");
    cluster.step(1_000);
    assertTrue(isUnderWay(0));
    assertEquals("u13", commands(0).get(0).destination().uuid);
    assertEquals(0, cluster.books.refusedBesideColumn());
  }

  /** After a restart, the groups are read while the NameNode listens to the DataNodes. */
  @Test
  void repairsBeginWhenAllGroupsAreRead() {
    cluster.close();
    cluster = new PaperCluster(new Configuration());
    PaperCoreGroupLookup late = new PaperCoreGroupLookup();
    late.setComplete(false);
    cluster.manager.useColumns(late);
    lose(0, 4);
    cluster.step(30_000);
    assertFalse(isUnderWay(0));
    assertEquals("queued", cluster.explain(groups.get(0)).cause.code());
    late.setComplete(true);
    cluster.step(1_000);
    assertTrue(isUnderWay(0));
  }

  @Test
  void repairsDoNotWaitForEverForGroupsToBeRead() {
    cluster.close();
    cluster = new PaperCluster(new Configuration());
    book.setComplete(false);
    cluster.manager.useColumns(book);
    lose(0, 4);
    cluster.step(59_000);
    assertFalse(isUnderWay(0));
    cluster.step(3_000);
    assertTrue(isUnderWay(0));
  }

  /** Another NameNode has ordered a repair of row 1, and only that knows where its units go. */
  @Test
  void aRowWaitsForARepairOfItsColumnWhoseTargetsAreUnknown() {
    cluster.runs(3, new RunningRepair("4-1", 4, id(1).groupId, 1001, 0));
    cluster.step(2_000);
    lose(0, 4);
    cluster.step(5_000);
    assertFalse(isUnderWay(0));
    cluster.runs(3);
    cluster.step(3_000);
    assertTrue(isUnderWay(0));
  }

  /** If the first repair fails, the row that waits for it does not begin. */
  @Test
  void aRowWaitsOnIfTheRepairBeforeFails() {
    startRowFirst();
    lose(1, 0, 1, 2, 3);
    lose(0, 0);
    cluster.manager.cycle();
    assertTrue(isUnderWay(0));
    cluster.fail(groups.get(0), holder(0, 1).uuid, FailureCause.UNREACHABLE);
    cluster.manager.cycle();
    assertFalse(isUnderWay(1));
  }

  @Test
  void aColumnThatFailedIsLeftAndTheRowIsRead() {
    lose(0, 4);
    cluster.manager.cycle();
    assertTrue(commands(0).get(0).assignment.column().isPresent());
    cluster.fail(groups.get(0), holder(1, 4).uuid, FailureCause.UNREACHABLE);
    cluster.step(120_000);
    assertTrue(isUnderWay(0));
    assertTrue(commands(0).get(0).assignment.column().isEmpty());
  }

  @Test
  void whatNothingCanRebuildIsSaid() {
    lose(0, 0, 1, 2, 3);
    lose(1, 0, 1, 2, 3);
    cluster.manager.cycle();
    assertFalse(isUnderWay(0) || isUnderWay(1));
    assertEquals(2, cluster.manager.lastStatus().get(StatusNumber.UNRECOVERABLE));
    assertEquals(0, cluster.manager.lastStatus().get(StatusNumber.RECOVERABLE_THROUGH_CORE));
    Explanation said = cluster.explain(groups.get(0));
    assertEquals("unrecoverable", said.cause.code());
    assertTrue(said.text.contains("CORE"), said.text);
    assertTrue(cluster.books.released.isEmpty());
  }

  /** When the CORE group is dissolved, rows are repaired by themselves. */
  @Test
  void withoutARecordRowsAreOnTheirOwn() {
    cluster.manager.useColumns(blockGroup -> Optional.empty());
    lose(0, 4);
    cluster.manager.cycle();
    assertTrue(commands(0).get(0).assignment.column().isEmpty());
  }
}
