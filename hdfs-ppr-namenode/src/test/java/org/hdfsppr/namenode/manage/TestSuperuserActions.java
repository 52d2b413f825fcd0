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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.test.MetricsAsserts;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.namenode.manage.operator.OperatorRefreshHandler;
import org.hdfsppr.namenode.manage.status.ManagerState;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what a pause stops and what it does not, and that a prioritized group goes first. */
@InterfaceAudience.Private
class TestSuperuserActions {
  private PaperCluster cluster = new PaperCluster(new Configuration());
  private int polls;

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void restart(String... settings) {
    Configuration conf = new Configuration();
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    cluster.close();
    cluster = new PaperCluster(conf);
  }

  private List<LostGroup> lose(int groups) {
    List<LostGroup> lost = new ArrayList<>();
    for (int i = 1; i <= groups; i++) {
      lost.add(cluster.group(i, RS, 15, 16, 17, 18, 19));
      cluster.books.lose(lost.get(i - 1));
      cluster.now++;
    }
    cluster.now += 250 - cluster.now % 250;
    return lost;
  }

  private void assertAnswer(int code, String words, String... command) {
    RefreshResponse response = cluster.command(command);
    assertTrue(response.getMessage().contains(words), response.getMessage());
    assertEquals(code, response.getReturnCode(), response.getMessage());
  }

  private void assertDone(String words, String... command) {
    assertAnswer(OperatorRefreshHandler.DONE, words, command);
  }

  private void assertRefused(String words, String... command) {
    assertAnswer(OperatorRefreshHandler.REFUSED, words, command);
  }

  @Test
  void pressureGoesOutWithHeartbeats() {
    cluster.step(14_000);
    assertEquals(60, cluster.beat(1).pressure);
    assertEquals(0, cluster.beat(1).linkBytesPerSecond, "an assumed rate holds nothing back");
    assertDone("Repairs press urgent where users are busy", "pressure", "urgent");
    assertEquals(100, cluster.beat(1).pressure);
    assertDone("Repairs press urgent where users are busy. But"
        + " dfs.namenode.ppr.link.bytes.per-second is not set", "pressure");
    assertEquals(100, cluster.beat(1).pressure, "a question changes nothing");
    restart(PprKeys.PRESSURE_KEY, "55", PprKeys.NAMENODE_LINK_RATE_KEY, "25000000");
    cluster.step(14_000);
    assertEquals(55, cluster.beat(1).pressure);
    assertEquals(25_000_000, cluster.beat(1).linkBytesPerSecond);
    assertEquals("Repairs press 55 % where users are busy",
        cluster.command("pressure").getMessage());
  }

  @Test
  void repairsOfGroupsWithoutASpareUnitAreUrgent() {
    cluster.step(14_000);
    LostGroup safe = cluster.group(1, PaperCluster.RS, 15, 16, 17, 18, 19);
    LostGroup last = PaperCluster.with(cluster.group(2, PaperCluster.RS, 15, 16, 17, 18, 19), 0);
    cluster.books.lose(safe);
    cluster.books.lose(last);
    cluster.now += 250;
    cluster.manager.cycle();
    Map<Long, Boolean> urgent = new HashMap<>();
    for (int i = 0; i < PaperCluster.NODES; i++) {
      cluster.beat(i).repairs().forEach(command ->
          urgent.put(command.groupId().groupId, command.urgent));
    }
    assertEquals(Map.of(safe.id.groupId, false, last.id.groupId, true), urgent);
  }

  @Test
  void duringAPauseNoRepairBeginsAndThoseUnderWayEnd() {
    restart(PprKeys.NAMENODE_IN_FLIGHT_KEY, "3");
    cluster.step(14_000);
    final List<LostGroup> groups = lose(10);
    cluster.step(1_000);
    assertEquals(3, cluster.manager.tracker.size());
    assertDone("until 'hdfs ppr -resume': 3 under way go on, 7 groups wait, 0 of them without a"
        + " spare unit", "pause");
    cluster.books.end(groups.get(0).id, RepairEnd.DONE);
    cluster.fail(groups.get(1), "u3", FailureCause.INTERNAL);
    cluster.step(1_000);
    assertEquals(1, cluster.manager.tracker.size(), "one ended, one failed, one goes on");
    MetricsRecordBuilder counted = MetricsAsserts.getMetrics(cluster.metrics);
    MetricsAsserts.assertCounter("RepairsDone", 1L, counted);
    cluster.books.beforePoll(() -> polls++);
    cluster.step(20 * 60_000);
    assertTrue(cluster.claims.isOpen());
    assertTrue(polls >= 20 * 60 * 4, "the queue is polled " + polls
        + " times, so that stock's rescue does not act");
    assertEquals(Set.of(), cluster.books.released);
    assertTrue(cluster.manager.status().why.contains("paused"), cluster.manager.status().why);
    assertTrue(cluster.manager.tracker.size() <= 1, "none has begun");
    assertDone("resumed", "resume");
    cluster.step(1_000);
    assertEquals(3, cluster.manager.tracker.size());
    assertRefused("neither paused here", "resume");
    assertEquals(List.of("pprPause until resumed", "pprResume "), cluster.audited);
  }

  @Test
  void aPauseWithATimeEndsByItself() {
    cluster.step(14_000);
    assertDone("for 1 min: ", "pause", "60000");
    List<LostGroup> groups = lose(1);
    cluster.step(50_000);
    assertFalse(cluster.isUnderWay(groups.get(0)));
    assertDone("for 30 s: ", "pause", "30000");
    cluster.step(20_000);
    assertFalse(cluster.isUnderWay(groups.get(0)), "the second command has put the end off");
    cluster.step(11_000);
    assertTrue(cluster.isUnderWay(groups.get(0)));
  }

  @Test
  void stockGetsAllGroupsUntilAnOperatorEndsIt() {
    cluster.step(14_000);
    final List<LostGroup> groups = lose(10);
    cluster.step(1_000);
    int atWork = cluster.manager.tracker.size();
    assertTrue(atWork > 0);
    assertDone("until 'hdfs ppr -resume': " + (10 - atWork) + " groups go to stock, " + atWork
        + " repairs under way go on", "stock");
    cluster.step(1_000);
    assertFalse(cluster.claims.isOpen());
    ManagerStatus status = cluster.manager.status();
    assertEquals(ManagerState.NOT_IN_CHARGE, status.state);
    assertTrue(status.leftToStock.isPresent());
    assertEquals("an operator has left all repairs to stock until 'hdfs ppr -resume'",
        status.why);
    cluster.step(3_600_000);
    assertFalse(cluster.claims.isOpen(), "it does not end by itself");
    assertDone("scheduled here again", "resume");
    cluster.step(1_000);
    assertTrue(cluster.claims.isOpen());
    assertFalse(cluster.manager.status().leftToStock.isPresent());
    assertTrue(cluster.isUnderWay(groups.get(9)));
    assertRefused("neither paused here nor left to stock", "resume");
    assertEquals(List.of("pprStock until resumed", "pprResume "), cluster.audited);
  }

  @Test
  void theTimeOfStockEndsByItselfOrByAPause() {
    cluster.step(14_000);
    assertDone("for 1 min: ", "stock", "60000");
    cluster.step(59_000);
    assertFalse(cluster.claims.isOpen());
    cluster.step(2_000);
    assertTrue(cluster.claims.isOpen());
    cluster.command("stock");
    cluster.step(1_000);
    assertFalse(cluster.claims.isOpen());
    cluster.command("pause");
    List<LostGroup> groups = lose(1);
    cluster.step(1_000);
    assertTrue(cluster.claims.isOpen(), "a pause holds groups here");
    assertFalse(cluster.isUnderWay(groups.get(0)));
    assertEquals(ManagerState.PAUSED, cluster.manager.status().state);
    cluster.command("stock");
    cluster.step(1_000);
    assertFalse(cluster.claims.isOpen(), "the last command counts");
    assertFalse(cluster.manager.status().pause.isPresent());
  }

  /** {@code hdfs ppr -stock} goes to all NameNodes. */
  @Test
  void aStandbyLeavesAllToStockWhenItBecomesActive() {
    cluster.books.setActive(false);
    cluster.step(5_000);
    assertDone("a restart ends it", "stock");
    cluster.books.setActive(true);
    cluster.step(250);
    assertFalse(cluster.claims.isOpen());
    cluster.step(60_000);
    assertFalse(cluster.claims.isOpen());
  }

  /** An operator who restarts DataNodes during a pause does not want stock to begin then. */
  @Test
  void aPauseHoldsEvenIfFewDataNodesTakePart() {
    cluster.step(14_000);
    cluster.command("pause");
    lose(3);
    cluster.withAgents = 1;
    cluster.step(60_000);
    assertTrue(cluster.claims.isOpen());
    assertEquals(Set.of(), cluster.books.released);
    cluster.command("resume");
    cluster.step(2_000);
    assertFalse(cluster.claims.isOpen(), "from now on it is stock's turn, as without a pause");
  }

  @Test
  void whatStockWasToGetStaysHereUntilThePauseEnds() {
    cluster.step(14_000);
    LostGroup group = cluster.group(1, RS, 15, 16, 17, 18, 19);
    cluster.books.lose(group);
    cluster.step(1_000);
    for (int i = 1; i < 6; i++) {
      cluster.fail(group, "u3", FailureCause.INTERNAL);
      cluster.step(61_000);
    }
    assertTrue(cluster.isUnderWay(group));
    cluster.command("pause");
    cluster.fail(group, "u3", FailureCause.INTERNAL);
    cluster.step(10_000);
    assertEquals(Set.of(), cluster.books.released);
    cluster.command("resume");
    cluster.step(1_000);
    assertEquals(Set.of(group.id), cluster.books.released);
  }

  /** While repairs are paused, no other node can decide. */
  @Test
  void aSuspicionDoesNotBecomeADoubtByAPause() {
    cluster.step(14_000);
    LostGroup group = lose(1).get(0);
    cluster.step(1_000);
    cluster.fail(group, null, FailureCause.VERIFICATION);
    cluster.command("pause");
    cluster.step(700_000);
    assertEquals(1, cluster.manager.status().get(StatusNumber.SUSPECTED));
    assertEquals(0, cluster.manager.status().get(StatusNumber.DOUBTED));
    cluster.command("resume");
    cluster.step(2_000);
    assertEquals(0, cluster.manager.status().get(StatusNumber.DOUBTED));
    assertTrue(cluster.isUnderWay(group));
  }

  /** Repeated pauses must not keep a suspicion open for ever. */
  @Test
  void repeatedPausesDoNotKeepASuspicionOpen() {
    cluster.step(14_000);
    LostGroup group = lose(1).get(0);
    cluster.step(1_000);
    cluster.fail(group, null, FailureCause.VERIFICATION);
    // No other node decides, because none is reached.
    cluster.withAgents = 0;
    for (int i = 0; i < 13; i++) {
      cluster.command("pause", "300000");
      cluster.step(350_000);
      assertEquals(i < 12 ? 1 : 0, cluster.manager.status().get(StatusNumber.SUSPECTED),
          "after pause " + i);
    }
    assertEquals(1, cluster.manager.status().get(StatusNumber.DOUBTED));
  }

  /** {@code hdfs ppr -pause} goes to all NameNodes. */
  @Test
  void aStandbyHoldsAPauseWhenItBecomesActive() {
    cluster.books.setActive(false);
    cluster.step(5_000);
    assertDone("a restart ends it", "pause");
    cluster.books.setActive(true);
    List<LostGroup> groups = lose(2);
    cluster.step(60_000);
    assertEquals(0, cluster.manager.tracker.size());
    cluster.command("resume");
    cluster.step(1_000);
    assertTrue(cluster.isUnderWay(groups.get(1)));
  }

  @Test
  void aPrioritizedGroupGoesBeforeAllOthers() {
    restart(PprKeys.NAMENODE_IN_FLIGHT_KEY, "1");
    cluster.step(14_000);
    List<LostGroup> groups = lose(8);
    LostGroup urgent = PaperCluster.with(cluster.group(9, RS, 15, 16, 17), 0);
    cluster.command("pause");
    cluster.books.lose(urgent);
    cluster.step(1_000);
    LostGroup last = groups.get(7);
    assertDone(PaperCluster.name(last) + " goes before all other groups when the pause ends",
        "prioritize", PaperCluster.name(last) + "_1001");
    cluster.command("resume");
    cluster.step(1_000);
    assertTrue(cluster.isUnderWay(last), cluster.manager.tracker.all().toString());
    assertRefused("is being repaired already, by repair", "prioritize", PaperCluster.name(last));
    cluster.fail(last, "u3", FailureCause.INTERNAL);
    cluster.step(250);
    assertTrue(cluster.isUnderWay(urgent), "the pause after a failure counts");
    cluster.step(5_000);
    cluster.books.end(urgent.id, RepairEnd.DONE);
    cluster.step(1_000);
    assertTrue(cluster.isUnderWay(last), "the wish lasts until the group is whole");
    cluster.books.end(last.id, RepairEnd.DONE);
    cluster.step(1_000);
    cluster.books.lose(last);
    cluster.step(1_000);
    assertFalse(cluster.isUnderWay(last), "and no longer");
  }

  @Test
  void aPrioritizedGroupWaitsNoLonger() {
    restart(PprKeys.REPAIR_DELAY_KEY, "1h");
    cluster.step(14_000);
    List<LostGroup> groups = lose(2);
    cluster.step(5_000);
    assertEquals(0, cluster.manager.tracker.size());
    LostGroup group = groups.get(1);
    assertDone("goes before all other", "prioritize", PaperCluster.name(group));
    cluster.step(250);
    assertTrue(cluster.isUnderWay(group), "the delay is cut");
    assertEquals(1, cluster.manager.tracker.size());
    for (int i = 0; i < 4; i++) {
      cluster.fail(group, "u3", FailureCause.INTERNAL);
      cluster.step(1_000);
      if (!cluster.isUnderWay(group)) {
        assertDone("goes before", "prioritize", PaperCluster.name(group));
        cluster.step(250);
      }
      assertTrue(cluster.isUnderWay(group), "the pause after failure " + i + " is cut");
    }
  }

  @Test
  void whatDoesNotWaitIsNotPrioritized() {
    cluster.step(14_000);
    assertRefused("blk_-16000 does not wait here", "prioritize", "blk_-16000");
    LostGroup gone = PaperCluster.with(cluster.group(1, RS, 15), -1);
    cluster.books.lose(gone);
    cluster.step(1_000);
    assertRefused("lost too many units", "prioritize", PaperCluster.name(gone));
    cluster.books.setActive(false);
    cluster.step(1_000);
    assertRefused("not active", "prioritize", PaperCluster.name(gone));
    assertEquals(List.of(), cluster.audited);
  }
}
