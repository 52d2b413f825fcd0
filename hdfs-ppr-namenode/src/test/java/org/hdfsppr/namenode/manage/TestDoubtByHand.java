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

import static org.hdfsppr.namenode.manage.PaperCluster.RS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshResponse;
import org.hdfsppr.namenode.manage.explain.Explanation;
import org.hdfsppr.namenode.manage.explain.GroupCause;
import org.hdfsppr.namenode.manage.operator.OperatorRefreshHandler;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the doubt about a group in which a check, and no repair, has found a contradiction. */
@InterfaceAudience.Private
class TestDoubtByHand {
  private static final int WRONG = 4;

  private final PaperCluster cluster = new PaperCluster(new Configuration());
  private final LostGroup lost = cluster.group(1, RS, 15, 16, 17, 18, 19);
  private final LostGroup whole = whole();
  private final String name = PaperCluster.name(whole);

  @AfterEach
  void stop() {
    cluster.close();
  }

  private LostGroup whole() {
    List<UnitHolder> live = new ArrayList<>(lost.live);
    live.add(new UnitHolder(0, PaperCluster.node(0)));
    return new LostGroup(lost.id, lost.groupBytes, RS, live, List.of(), 3, 0)
        .occupying(lost.occupied());
  }

  private void assertAnswer(int code, String words, String... command) {
    RefreshResponse response = cluster.command(command);
    assertTrue(response.getMessage().contains(words), response.getMessage());
    assertEquals(code, response.getReturnCode(), response.getMessage());
  }

  private void assertDoubted(int groups) {
    cluster.step(1_000);
    assertEquals(groups, cluster.manager.status().get(StatusNumber.DOUBTED));
    assertEquals(0, cluster.manager.status().get(StatusNumber.SUSPECTED));
    assertEquals(groups, cluster.manager.status().lists.doubts.size());
  }

  private void begin() {
    cluster.step(14_000);
    cluster.manager.status();
    cluster.books.store(whole);
    assertAnswer(OperatorRefreshHandler.DONE, name + " is doubted", "doubt", name, "" + WRONG);
    assertDoubted(1);
  }

  /** Loses unit 0, rebuilds it from units that agree, and reports these as read. */
  private void repairFrom(Set<Integer> units) {
    cluster.books.lose(lost);
    for (int i = 0; !cluster.isUnderWay(lost); i++) {
      assertTrue(i < 4_000, "no repair of the group begins");
      cluster.step(250);
    }
    assertTrue(cluster.repair(lost).assignment.doubted, "every byte is checked");
    cluster.rebuild(lost, units);
  }

  private Set<Integer> units() {
    return lost.live.stream().map(holder -> holder.unit).collect(Collectors.toSet());
  }

  @Test
  void aGroupThatIsWholeIsDoubtedAndKeptFromStock() {
    begin();
    assertEquals(Set.of(whole.id), cluster.books.heldBack);
    assertEquals(List.of("pprDoubt " + name + " unit 4"), cluster.audited);
    assertAnswer(OperatorRefreshHandler.DONE, "was doubted already", "doubt", name + "_1001");
    assertAnswer(OperatorRefreshHandler.DONE, "is ended", "undoubt", name);
    assertDoubted(0);
    assertEquals(Set.of(), cluster.books.heldBack);
  }

  @Test
  void aDoubtThatFailsDoesNotEndACycle() {
    cluster.step(14_000);
    cluster.books.store(whole);
    cluster.books.beforeFind = () -> {
      throw new IllegalStateException("the NameNode fails");
    };
    ManagerGate gate = new ManagerGate(cluster.manager);
    assertTrue(gate.doubt(whole.id, WRONG));
    assertDoubted(0);
    cluster.books.beforeFind = () -> { };
    assertTrue(gate.doubt(whole.id, WRONG));
    assertDoubted(1);
  }

  @Test
  void aGroupThatIsWholeIsExplainedAsDoubted() {
    begin();
    Explanation explanation = cluster.explain(whole);
    assertEquals(GroupCause.DOUBT, explanation.cause);
    assertEquals("doubted", explanation.state);
    assertTrue(explanation.text.contains("misses no unit"), explanation.text);
    assertAnswer(OperatorRefreshHandler.DONE, "is ended", "undoubt", name);
    cluster.step(1_000);
    assertEquals(GroupCause.UNKNOWN_GROUP, cluster.explain(whole).cause);
  }

  @Test
  void aRepairThatHasNotReadTheWrongUnitDoesNotEndTheDoubt() {
    begin();
    Set<Integer> others = units();
    others.remove(WRONG);
    repairFrom(others);
    assertDoubted(1);
    repairFrom(units());
    assertDoubted(0);
  }

  @Test
  void withoutAWrongUnitEachUnitHasToBeRead() {
    begin();
    assertAnswer(OperatorRefreshHandler.DONE, "ended", "undoubt", name);
    assertAnswer(OperatorRefreshHandler.DONE, name + " is doubted", "doubt", name);
    Set<Integer> others = units();
    others.remove(WRONG + 1);
    repairFrom(others);
    assertDoubted(1);
  }

  /** A group without losses is in no queue, so that nothing reports its end. */
  @Test
  void theDoubtEndsWithTheFile() {
    begin();
    cluster.books.delete(whole.id);
    cluster.books.beforeFind = () -> {
      throw new IllegalStateException("the NameNode fails");
    };
    // The cycle goes on.
    cluster.step(14_000);
    cluster.books.beforeFind = () -> { };
    cluster.step(14_000);
    cluster.manager.status();
    assertDoubted(0);
  }

  @Test
  void whatDoesNotExistIsNotDoubted() {
    cluster.step(14_000);
    assertAnswer(OperatorRefreshHandler.REFUSED, "no block group " + name, "doubt", name);
    cluster.books.store(whole);
    assertAnswer(OperatorRefreshHandler.REFUSED, "no such unit", "doubt", name, "9");
    assertAnswer(OperatorRefreshHandler.NOT_UNDERSTOOD, "'x' is no number of a unit", "doubt", name,
        "x");
    assertAnswer(OperatorRefreshHandler.NOT_UNDERSTOOD, "'16' is no number", "doubt", name, "16");
    cluster.books.setActive(false);
    cluster.step(1_000);
    assertAnswer(OperatorRefreshHandler.REFUSED, "not active", "doubt", name);
    assertFalse(cluster.books.heldBack.contains(whole.id));
    assertEquals(List.of(), cluster.audited);
  }
}
