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

import static org.hdfsppr.namenode.manage.PaperCluster.LRC;
import static org.hdfsppr.namenode.manage.PaperCluster.RS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.namenode.manage.explain.Explanation;
import org.hdfsppr.namenode.manage.explain.GroupCause;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Drives a manager into each state in which a group is not repaired, asks why, and compares the
 * answer with what the test has done. Groups of a code that stock does not know stay with the
 * manager when there is no plan.
 */
@InterfaceAudience.Private
class TestExplain {
  private PaperCluster cluster = new PaperCluster(new Configuration());

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void restart(String key, String value) {
    Configuration conf = new Configuration();
    conf.set(key, value);
    cluster.close();
    cluster = new PaperCluster(conf);
  }

  private LostGroup lose(LostGroup group) {
    cluster.books.lose(group);
    return group;
  }

  private Explanation assertCause(GroupCause cause, String state, LostGroup group,
      String... words) {
    Explanation said = cluster.explain(group);
    assertEquals(cause, said.cause, said.toString());
    assertEquals(state, said.state, said.toString());
    assertEquals(PaperCluster.name(group), said.group);
    for (String word : words) {
      assertTrue(said.text.contains(word), said + " does not say: " + word);
    }
    assertTrue(said.text.endsWith("."), said.text);
    assertTrue(said.next.endsWith("."), said.next);
    return said;
  }

  @Test
  void noDestinationIsLeft() {
    cluster.step(14_000);
    LostGroup group = lose(cluster.group(1, LRC));
    cluster.step(3_000);
    Explanation said = assertCause(GroupCause.NO_DESTINATION, "waiting", group,
        "No DataNode may take the lost units: of 20 live DataNodes, 20 hold a unit");
    assertTrue(said.next.contains("tried again in"), said.next);
  }

  @Test
  void tooFewDataNodesTakePart() {
    cluster.withAgents = 2;
    cluster.step(14_000);
    LostGroup group = lose(cluster.group(1, RS, 15));
    cluster.step(1_000);
    Explanation said = assertCause(GroupCause.TOO_FEW_AGENTS, "with_stock", group,
        "2 of 20 DataNodes take part, too few");
    assertTrue(said.commands.contains("hdfs ppr -doctor"), said.commands.toString());
  }

  /** Enough DataNodes take part, but not those that could take this group's unit. */
  @Test
  void theDataNodesThatCouldTakeTheUnitTakeNoPart() {
    cluster.withAgents = 18;
    cluster.step(14_000);
    LostGroup group = lose(cluster.group(1, LRC, 18, 19));
    cluster.step(3_000);
    assertCause(GroupCause.TOO_FEW_AGENTS, "waiting", group,
        "2 do not take part in repairs (h18:9866, h19:9866)");
  }

  @Test
  void theOnlyDestinationIsQuarantined() {
    cluster.step(14_000);
    for (int i = 0; i < 3; i++) {
      LostGroup other = lose(cluster.group(10 + i, RS, 15));
      cluster.step(1_000);
      cluster.fail(other, "u15", FailureCause.INTERNAL);
      cluster.books.end(other.id);
      cluster.manager.cycle();
    }
    LostGroup group = lose(cluster.group(1, LRC, 15));
    cluster.step(3_000);
    Explanation said = assertCause(GroupCause.QUARANTINE, "waiting", group,
        "1 are kept out of repairs because repairs with them failed (h15:9866)");
    assertEquals(List.of("hdfs ppr -readmit h15:9866"), said.commands);
  }

  @Test
  void theUnitsContradictEachOther() {
    cluster.step(14_000);
    LostGroup group = lose(cluster.group(1, RS, 15, 16));
    cluster.step(1_000);
    cluster.fail(group, null, FailureCause.VERIFICATION);
    assertCause(GroupCause.DOUBT, "suspected", group, "contradict each other", "Another one");
    cluster.step(5_000);
    cluster.fail(group, null, FailureCause.VERIFICATION);
    Explanation said = assertCause(GroupCause.DOUBT, "doubted", group, "one of them is wrong");
    assertEquals(2, said.tried.size());
    assertTrue(said.tried.get(0).contains("VERIFICATION"), said.tried.toString());
    assertTrue(said.commands.contains("hdfs ppr -undoubt blk_-32"), said.commands.toString());
  }

  @Test
  void stockHasTheGroup() {
    cluster.step(14_000);
    LostGroup group = lose(cluster.group(1, RS));
    cluster.step(2_000);
    assertTrue(cluster.books.released.contains(group.id));
    assertCause(GroupCause.STOCKS_TURN, "with_stock", group,
        "Stock got the group ", " s ago: no DataNode may take the lost units");
    cluster.step(1_000);
    lose(group);
    LostGroup later = cluster.group(1, RS, 15);
    cluster.books.lose(later);
    cluster.step(2_000);
    assertCause(GroupCause.REPAIRING, "repairing", group);
  }

  @Test
  void theLostNodesMayComeBack() {
    restart(PprKeys.REPAIR_DELAY_KEY, "1h");
    cluster.step(14_000);
    LostGroup group = lose(cluster.group(1, RS, 15));
    cluster.step(2_000);
    Explanation said = assertCause(GroupCause.DELAY, "waiting", group, "dfs.ppr.repair.delay");
    assertTrue(said.next.contains("in 59 min"), said.next);
    assertEquals(List.of("hdfs ppr -prioritize blk_-32"), said.commands);
  }

  @Test
  void anOperatorHasPausedRepairs() {
    cluster.step(14_000);
    cluster.command("pause");
    LostGroup group = lose(PaperCluster.with(cluster.group(1, RS, 15), 0));
    cluster.step(2_000);
    Explanation said = assertCause(GroupCause.PAUSED, "waiting", group, "paused all repairs",
        "no spare unit");
    assertEquals(List.of("hdfs ppr -resume"), said.commands);
    cluster.command("pause", "3600000");
    cluster.step(1_000);
    assertTrue(cluster.explain(group).next.contains("ends by itself at"));
  }

  @Test
  void anOperatorHasLeftAllToStock() {
    cluster.step(14_000);
    LostGroup group = lose(cluster.group(1, RS, 15));
    cluster.command("stock");
    cluster.step(2_000);
    Explanation said = assertCause(GroupCause.REPAIRING, "repairing", group, "is led by");
    assertEquals(List.of(), said.commands);
    LostGroup other = cluster.group(2, RS, 15);
    said = assertCause(GroupCause.LEFT_TO_STOCK, "with_stock", other,
        "an operator has left all repairs to stock");
    assertEquals("Stock repairs the group if it has lost units and stock knows its code. The plugin"
        + " takes over when an operator says so.", said.next);
    assertEquals(List.of("hdfs ppr -resume"), said.commands);
    cluster.command("stock", "3600000");
    cluster.step(1_000);
    assertTrue(cluster.explain(other).next.contains(" at "));
  }

  @Test
  void theNameNodeIsInSafeModeOrStandby() {
    cluster.step(14_000);
    LostGroup group = lose(cluster.group(1, RS, 15));
    cluster.isSafe = true;
    cluster.books.setActive(false);
    assertCause(GroupCause.SAFE_MODE, "unknown", group, "in safe mode");
    cluster.isSafe = false;
    cluster.step(1_000);
    assertCause(GroupCause.NOT_IN_CHARGE, "unknown", group, "not the active one");
  }

  @Test
  void tooManyUnitsAreLost() {
    cluster.step(14_000);
    LostGroup group = lose(PaperCluster.with(cluster.group(1, RS, 15), -1));
    cluster.step(2_000);
    assertCause(GroupCause.UNRECOVERABLE, "waiting", group,
        "5 of the 6 that are needed can be read");
    cluster.command("pause");
    cluster.step(1_000);
    assertCause(GroupCause.UNRECOVERABLE, "waiting", group, "More units are lost");
  }

  @Test
  void theRacksAreFull() {
    cluster.step(14_000);
    LostGroup group = cluster.group(1, RS, 15);
    cluster.books.loseSpread(group);
    assertCause(GroupCause.RACKS_FULL, "waiting", group, "has its share of the group's units");
    cluster.step(1_000);
    assertCause(GroupCause.REPAIRING, "repairing", group, "on fewer racks than it should be on");
  }

  @Test
  void theDisksAreFull() {
    cluster.step(14_000);
    cluster.books.isFull("u15");
    cluster.books.isFull("u16");
    LostGroup group = lose(cluster.group(1, LRC, 15, 16));
    cluster.step(3_000);
    assertCause(GroupCause.DISK_FULL, "waiting", group,
        "2 have no storage with room of a type that the file may be on (h15:9866, h16:9866)");
  }

  @Test
  void theRepairPortOfAHelperIsClosed() {
    cluster.step(14_000);
    LostGroup group = lose(cluster.group(1, RS, 15, 16));
    cluster.step(1_000);
    cluster.fail(group, "u3", FailureCause.UNREACHABLE);
    Explanation said = assertCause(GroupCause.PORT_CLOSED, "waiting", group,
        "repair port of h3:9866 gave no answer", "1 in a row");
    assertEquals(1, said.tried.size());
    assertTrue(said.tried.get(0).contains("UNREACHABLE at h3:9866"), said.tried.toString());
    assertTrue(said.commands.contains("hdfs ppr -doctor"), said.commands.toString());
  }

  /** A doubted group wants nodes that know of doubts, and any group nodes that know its code. */
  @Test
  void theVersionOfTheDataNodesIsTooOld() {
    cluster.version = 1;
    cluster.step(14_000);
    LostGroup group = lose(cluster.group(1, LRC, 15, 16));
    LostGroup other = lose(cluster.group(2, LRC, 15, 16));
    cluster.step(1_000);
    cluster.fail(other, "u4", FailureCause.UNSUPPORTED);
    assertCause(GroupCause.VERSION_TOO_OLD, "waiting", other, "extension on h4:9866 lacks");
    cluster.fail(group, null, FailureCause.VERIFICATION);
    cluster.step(5_000);
    assertCause(GroupCause.VERSION_TOO_OLD, "suspected", group,
        "2 run a version that does not check all bytes");
  }

  @Test
  void aPauseFollowsAFailure() {
    cluster.step(14_000);
    LostGroup group = lose(cluster.group(1, RS, 15, 16));
    cluster.step(1_000);
    for (int i = 1; i <= 4; i++) {
      cluster.fail(group, "u5", FailureCause.STALLED);
      assertCause(GroupCause.BACKOFF, "waiting", group, i + " in a row", "STALLED at h5:9866");
      cluster.step(1_000L << i);
      assertTrue(cluster.isUnderWay(group), "try " + i);
    }
    Explanation said = assertCause(GroupCause.REPAIRING, "repairing", group, "0 % done");
    assertEquals(4, said.tried.size());
  }

  /** Only the last tries are kept. */
  @Test
  void whatWasTriedIsBounded() {
    cluster.step(14_000);
    LostGroup group = lose(cluster.group(1, LRC, 15, 16));
    for (int i = 0; i < 8; i++) {
      for (int waited = 0; !cluster.isUnderWay(group); waited++) {
        assertTrue(waited < 1_000, "the group is not tried again");
        cluster.step(1_000);
      }
      cluster.fail(group, "u" + (1 + i), FailureCause.DEAD);
    }
    cluster.step(250);
    List<String> tried = cluster.explain(group).tried;
    assertEquals(5, tried.size());
    assertTrue(tried.get(0).contains("h4:9866") && tried.get(4).contains("h8:9866"),
        tried.toString());
  }

  @Test
  void aGroupWaitsForItsTurnAndIsRepaired() {
    restart(PprKeys.NAMENODE_IN_FLIGHT_KEY, "1");
    cluster.step(14_000);
    LostGroup first = lose(cluster.group(1, RS, 15, 16));
    LostGroup second = lose(cluster.group(2, RS, 15, 16));
    cluster.step(1_000);
    assertCause(GroupCause.REPAIRING, "repairing", first, "led by 10.0.0.1");
    assertCause(GroupCause.QUEUED, "waiting", second, "1 groups wait, and 1 of at most 1");
    cluster.books.end(first.id, RepairEnd.DONE);
    cluster.step(1_000);
    assertCause(GroupCause.WHOLE, "whole", first, "its units are rebuilt");
    assertCause(GroupCause.UNKNOWN_GROUP, "unknown", cluster.group(77, RS), "no lost unit");
  }
}
