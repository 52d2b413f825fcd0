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
package org.hdfsppr.namenode.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.scrub.BackgroundScrubber.Discoveries;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/** Tests the background checks on invented files and nodes, with a clock of the test. */
class TestBackgroundScrubber {
  private static final long RATE = 1_000_000;
  private static final long UNIT_BYTES = 10_000_000;
  private static final long UNIT_MS = UNIT_BYTES * 1_000 / RATE;
  private static final long INTERVAL_MS = Duration.ofDays(7).toMillis();
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final int NO_UNIT = ScrubFinding.NO_UNIT;

  private final PaperNamespace namespace = new PaperNamespace(3);
  private final PaperNodes nodes = new PaperNodes();
  private OrderBook book = new OrderBook();
  private long nowMs;
  private ScrubCounts tally = ScrubCounts.NONE;
  private BackgroundScrubber scrubber = scrubber("/");

  private BackgroundScrubber scrubber(String... paths) {
    Clock wall = new Clock() {
      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        return START.plusMillis(nowMs);
      }
    };
    nodes.links = new LinkLoads();
    return new BackgroundScrubber(new ScrubSettings(RATE, List.of(paths), INTERVAL_MS),
        new BackgroundScrubber.Doors(namespace, nodes, nodes, book),
        found -> tally = tally.plus(found), () -> nowMs, wall);
  }

  private void step(long ms) {
    nowMs += ms;
    scrubber.step();
  }

  private void report(PaperNodes.Order order, ScrubOutcome outcome) {
    order.report(book, outcome, NO_UNIT);
  }

  private ScrubStatus.Directory directory() {
    return scrubber.status().directories.get(0);
  }

  /** Puts files with one group each on the same five nodes; group ids are -16, -32, ... */
  private void put(int files) {
    for (int i = 0; i < files; i++) {
      namespace.put("/ec/f" + i, PaperNamespace.group(0, -16L * (i + 1), UNIT_BYTES,
          0, 1, 2, 3, 4));
    }
  }

  private long only(List<PaperNodes.Order> orders) {
    assertEquals(1, orders.size(), "orders");
    return orders.get(0).group.id().groupId;
  }

  /** Has one group after the other checked until the pass has ended; returns the groups' ids. */
  private List<Long> finishPass() {
    List<Long> checked = new ArrayList<>();
    for (int i = 0; i < 1_000 && directory().started() != null; i++) {
      step(UNIT_MS);
      for (PaperNodes.Order order : nodes.take()) {
        checked.add(order.group.id().groupId);
        report(order, ScrubOutcome.AGREES);
      }
    }
    assertNull(directory().started(), "the pass has ended");
    return checked;
  }

  /**
   * Simulates a day of a cluster of 30 nodes. At no moment a node takes part in two checks, or in
   * checks of more bytes than the rate allows up to the end of the present one; and all groups are
   * checked once.
   */
  @Test
  void sparesEachNode() {
    long seed = Long.getLong("seed", 20_261L);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int files = 150;
    long id = -16;
    Set<Long> all = new HashSet<>();
    for (int i = 0; i < files; i++) {
      List<ScrubTarget> groups = new ArrayList<>();
      for (int j = random.nextInt(4); j >= 0; j--) {
        int[] on = random.ints(0, 30).distinct().limit(5).toArray();
        groups.add(PaperNamespace.group(groups.size() * 3 * UNIT_BYTES, id,
            1 + random.nextInt((int) UNIT_BYTES), on));
        all.add(id);
        id -= 16;
      }
      namespace.put("/d" + i % 7 + "/f" + i, groups.toArray(new ScrubTarget[0]));
    }
    Map<String, Integer> busy = new HashMap<>();
    Map<String, Long> bytes = new HashMap<>();
    Map<PaperNodes.Order, Long> endsMs = new HashMap<>();
    List<Long> checked = new ArrayList<>();
    int most = 0;
    scrubber.step();
    do {
      for (PaperNodes.Order order : nodes.take()) {
        for (UnitHolder holder : order.group.holders) {
          String uuid = holder.node.uuid;
          assertEquals(1, busy.merge(uuid, 1, Integer::sum), "checks on " + uuid);
          long before = bytes.merge(uuid, order.group.unitBytes(), Long::sum)
              - order.group.unitBytes();
          // Rounded down to a millisecond for each check.
          assertTrue(before <= (nowMs + checked.size()) * RATE / 1_000,
              uuid + " had " + before + " bytes to read in " + nowMs + " ms");
        }
        // Some checks are fast and some are slow.
        endsMs.put(order, nowMs + random.nextInt((int) (2 * UNIT_MS)));
        checked.add(order.group.id().groupId);
      }
      most = Math.max(most, endsMs.size());
      endsMs.entrySet().removeIf(running -> {
        if (running.getValue() > nowMs) {
          return false;
        }
        report(running.getKey(), ScrubOutcome.AGREES);
        running.getKey().group.holders.forEach(holder -> busy.merge(holder.node.uuid, -1,
            Integer::sum));
        return true;
      });
      step(250);
    } while (directory().started() != null && nowMs < Duration.ofDays(1).toMillis());
    assertEquals(all, new HashSet<>(checked));
    assertEquals(all.size(), checked.size(), "no group is checked twice");
    assertTrue(most > 2, "checks of other nodes run at the same time, at most " + most);
    assertEquals(all.size(), directory().last().checked);
    assertEquals(tally.toString(), directory().last().toString());
  }

  @Test
  void repairsGoFirst() {
    put(3);
    nodes.whyNot = "repairs go first";
    step(250);
    assertTrue(nodes.take().isEmpty());
    assertEquals(ScrubStatus.State.WAITING, scrubber.status().state);
    assertEquals("repairs go first", scrubber.status().why);

    nodes.whyNot = null;
    step(250);
    PaperNodes.Order order = nodes.take().get(0);
    assertEquals(ScrubStatus.State.RUNNING, scrubber.status().state);

    nodes.whyNot = "repairs go first";
    step(250);
    step(250);
    assertEquals(List.of(order.id), nodes.cancelled, "one cancellation");
    report(order, ScrubOutcome.NOT_CHECKED);
    step(UNIT_MS);
    assertTrue(nodes.take().isEmpty());
    // However often a group is cancelled, it has another turn.
    for (int i = 0; i < 9; i++) {
      nodes.whyNot = null;
      step(UNIT_MS);
      order = nodes.take().get(0);
      nodes.whyNot = "repairs go first";
      step(250);
      report(order, ScrubOutcome.NOT_CHECKED);
    }
    nodes.whyNot = null;
    Set<Long> checked = new HashSet<>(finishPass());
    assertEquals(Set.of(-16L, -32L, -48L), checked, "the cancelled group has had its turn");
    assertEquals(0, directory().last().notChecked);
    assertEquals(3, directory().last().checked);
  }

  @Test
  void skipsWhatCannotBeChecked() {
    List<UnitHolder> four = PaperNamespace.group(0, -16, UNIT_BYTES, 0, 1, 2, 3).holders;
    namespace.put("/ec/a-not-whole", PaperNamespace.group(0, -16, UNIT_BYTES, four, false));
    namespace.put("/ec/b-open", PaperNamespace.group(0, -32, UNIT_BYTES,
        PaperNamespace.group(0, -32, UNIT_BYTES, 0, 1, 2, 3, 4).holders, true));
    namespace.put("/ec/c-doubted", PaperNamespace.group(0, -48, UNIT_BYTES, 0, 1, 2, 3, 4));
    nodes.doubted.add(-48L);
    namespace.put("/ec/d-without-plugin", PaperNamespace.group(0, -64, UNIT_BYTES,
        5, 6, 7, 8, 9));
    for (int i = 5; i < 10; i++) {
      nodes.withoutPlugin.add(PaperNamespace.node(i).uuid);
    }
    namespace.put("/ec/e-fine", PaperNamespace.group(0, -80, UNIT_BYTES, 0, 1, 2, 3, 4));
    namespace.put("/ec/f-replicated");
    step(250);
    assertEquals(List.of(-80L), finishedAfter(nodes.take()));
    ScrubCounts last = directory().last();
    assertEquals("5 groups, 1 checked, 0 contradictions, 4 not checked, 50000000 bytes",
        last.toString());
    assertEquals(last.toString(), tally.toString());
  }

  private List<Long> finishedAfter(List<PaperNodes.Order> orders) {
    orders.forEach(order -> report(order, ScrubOutcome.AGREES));
    List<Long> checked = orders.stream().map(order -> order.group.id().groupId)
        .collect(Collectors.toList());
    checked.addAll(finishPass());
    return checked;
  }

  @Test
  void aContradictionBeginsADoubt() {
    put(2);
    nodes.takesDoubts = false;
    step(250);
    PaperNodes.Order order = nodes.take().get(0);
    order.report(book, ScrubOutcome.CONTRADICTION, 4, "uuid-4");
    step(UNIT_MS);
    assertEquals(List.of(), scrubber.status().findings, "another node looks, too");
    PaperNodes.Order second = nodes.take().get(0);
    assertEquals(-16, second.group.id().groupId);
    assertFalse(second.leader.equals(order.leader), "another node leads");
    second.report(book, ScrubOutcome.CONTRADICTION, 4, "uuid-4");
    step(250);
    step(250);
    assertEquals(List.of(), nodes.doubts);
    nodes.takesDoubts = true;
    step(250);
    step(250);
    assertEquals(List.of("-16 unit 4"), nodes.doubts);
    Discovery found = scrubber.status().findings.get(0);
    assertEquals("unit 4 (blk_-12 on dn4:9866) is wrong", found.text);
    assertEquals(ScrubOutcome.CONTRADICTION, found.outcome);
    assertEquals("dn4", found.node.hostName);
    assertEquals(1, scrubber.status().findingsTotal);

    assertEquals(List.of(-32L), finishPass());
    assertEquals(1, directory().last().contradictions);
    assertEquals(2, directory().last().checked);
    assertEquals(1, tally.contradictions);
  }

  /** Puts a group, and has its first check find unit 4 wrong; returns the order of the second. */
  private PaperNodes.Order accuse() {
    put(2);
    step(250);
    PaperNodes.Order order = nodes.take().get(0);
    order.report(book, ScrubOutcome.CONTRADICTION, 4);
    step(UNIT_MS);
    assertEquals(List.of(), nodes.doubts);
    return nodes.take().get(0);
  }

  @Test
  void aLeaderThatCalculatesWronglyBeginsNoDoubt() {
    PaperNodes.Order second = accuse();
    report(second, ScrubOutcome.AGREES);
    step(250);
    assertEquals(List.of(), nodes.doubts);
    Discovery found = scrubber.status().findings.get(0);
    assertEquals(ScrubOutcome.NOT_CHECKED, found.outcome);
    assertTrue(found.text.contains("seems to calculate wrongly"), found.text);
    finishPass();
    assertEquals(0, directory().last().contradictions);
    assertEquals(1, directory().last().notChecked);
  }

  @Test
  void manyDoubtsLeaveRoomForSuperusers() {
    for (int i = 0; i < 9; i++) {
      namespace.put("/ec/f" + i, PaperNamespace.group(0, -16L * (i + 1), UNIT_BYTES,
          5 * i, 5 * i + 1, 5 * i + 2, 5 * i + 3, 5 * i + 4));
    }
    step(250);
    for (int leader = 0; leader < 2; leader++) {
      List<PaperNodes.Order> orders = nodes.take();
      assertEquals(9, orders.size());
      orders.forEach(order -> order.report(book, ScrubOutcome.CONTRADICTION, 4));
      step(UNIT_MS);
    }
    assertEquals(BackgroundScrubber.DOUBTS_PER_STEP, nodes.doubts.size());
    step(250);
    step(250);
    assertEquals(9, nodes.doubts.size());
  }

  @Test
  void twoLeadersThatNameDifferentUnitsNameNone() {
    PaperNodes.Order second = accuse();
    second.report(book, ScrubOutcome.CONTRADICTION, 3);
    step(250);
    assertEquals(List.of("-16 unit -1"), nodes.doubts);
  }

  @Test
  void repairsDoNotWaitForASecondLeader() {
    PaperNodes.Order second = accuse();
    nodes.whyNot = "repairs go first";
    step(250);
    assertEquals(List.of(second.id), nodes.cancelled);
    report(second, ScrubOutcome.NOT_CHECKED);
    step(250);
    step(250);
    assertEquals(List.of("-16 unit 4"), nodes.doubts);

    // The same while the group waits for its second check.
    nodes.whyNot = null;
    step(UNIT_MS);
    PaperNodes.Order other = nodes.take().get(0);
    other.report(book, ScrubOutcome.CONTRADICTION, 2);
    nodes.whyNot = "repairs go first";
    step(250);
    step(250);
    assertEquals(List.of("-16 unit 4", "-32 unit 2"), nodes.doubts);
    nodes.whyNot = null;
    step(UNIT_MS);
    assertEquals(2, directory().last().contradictions);
    assertEquals(2, directory().last().groups);
  }

  private void repairAt(int... at) {
    List<String> uuids = new ArrayList<>();
    for (int node : at) {
      uuids.add(PaperNamespace.node(node).uuid);
    }
    nodes.links.repairsAt(uuids, nowMs);
  }

  @Test
  void aRepairHoldsUpTheChecksOfItsNodesAlone() {
    put(1);
    namespace.put("/ec/other", PaperNamespace.group(0, -160, UNIT_BYTES, 5, 6, 7, 8, 9));
    repairAt(4);
    step(250);
    PaperNodes.Order other = nodes.take().get(0);
    assertEquals(-160, other.group.id().groupId);
    assertEquals(ScrubStatus.State.RUNNING, scrubber.status().state);
    report(other, ScrubOutcome.AGREES);
    step(5_000);
    assertEquals(ScrubStatus.State.WAITING, scrubber.status().state);
    assertEquals("repairs go first at 1 DataNode", scrubber.status().why);

    step(LinkLoads.QUIET_MS);
    PaperNodes.Order order = nodes.take().get(0);
    assertEquals(-16, order.group.id().groupId);
    repairAt(0, 9);
    step(250);
    step(250);
    assertEquals(List.of(order.id), nodes.cancelled, "one cancellation");
    report(order, ScrubOutcome.NOT_CHECKED);
    step(UNIT_MS + LinkLoads.QUIET_MS);
    assertEquals(-16, only(nodes.take()), "its nodes belong to no repair any more");
  }

  @Test
  void anOrderThatANodeDoesNotTakeCostsNothing() {
    put(1);
    nodes.isFull = true;
    step(250);
    assertTrue(nodes.take().isEmpty());
    nodes.isFull = false;
    step(250);
    assertEquals(-16, only(nodes.take()), "the nodes neither work nor rest");
  }

  @Test
  void anAccusationCountsAtOnceWhereARepairUsesTheNodes() {
    PaperNodes.Order second = accuse();
    repairAt(7);
    step(250);
    assertTrue(nodes.cancelled.isEmpty() && nodes.doubts.isEmpty(), "the repair is elsewhere");
    repairAt(2);
    step(250);
    assertEquals(List.of(second.id), nodes.cancelled);
    report(second, ScrubOutcome.NOT_CHECKED);
    step(250);
    step(250);
    assertEquals(List.of("-16 unit 4"), nodes.doubts);
  }

  /** A repair of the group may come next, and must not read the wrong unit. */
  @Test
  void anAccusationCountsAtOnceWhenTheGroupLosesAUnit() {
    put(1);
    step(250);
    nodes.take().get(0).report(book, ScrubOutcome.CONTRADICTION, 4);
    step(0);
    assertEquals(List.of(), nodes.doubts, "another leader is to find it, too");
    namespace.put("/ec/f0", PaperNamespace.group(0, -16, UNIT_BYTES, 0, 1, 2, 3));
    step(ScrubOrders.ASK_MS - 1);
    assertEquals(List.of(), nodes.doubts, "the NameNode is not asked all the time");
    step(1);
    assertEquals(List.of("-16 unit 4"), nodes.doubts);
  }

  @Test
  void aContradictionCountsWithoutASecondLeader() {
    // Only one node knows checks.
    for (int i = 1; i < 5; i++) {
      nodes.withoutPlugin.add(PaperNamespace.node(i).uuid);
    }
    put(1);
    step(250);
    nodes.take().get(0).report(book, ScrubOutcome.CONTRADICTION, 4);
    step(250);
    assertEquals(List.of("-16 unit 4"), nodes.doubts);

    // The others are at work for very long, or a unit is lost meanwhile, or the group is deleted.
    nodes.withoutPlugin.clear();
    for (String end : List.of("overdue", "lost", "deleted")) {
      nodes.doubts.clear();
      nodes.doubted.clear();
      put(1);
      namespace.notes.clear();
      book = new OrderBook();
      scrubber = scrubber("/");
      step(250);
      nodes.take().get(0).report(book, ScrubOutcome.CONTRADICTION, 4);
      step(0);
      if (end.equals("lost")) {
        namespace.put("/ec/f0", PaperNamespace.group(0, -16, UNIT_BYTES,
            PaperNamespace.group(0, -16, UNIT_BYTES, 0, 1, 2, 3).holders, false));
      } else if (end.equals("deleted")) {
        namespace.delete("/ec");
      }
      step(end.equals("overdue") ? ScrubOrders.ACCUSED_MS_MAX : 60_000);
      step(250);
      assertEquals(end.equals("deleted") ? List.of() : List.of("-16 unit 4"), nodes.doubts, end);
      assertEquals(end.equals("deleted") ? 0 : 1, directory().last().contradictions, end);
    }
  }

  /** A check may read some units before a change of the group, and the others afterwards. */
  @Test
  void aGroupThatChangedIsNotAccused() {
    List<ScrubTarget> changes = List.of(
        PaperNamespace.group(0, -16, UNIT_BYTES, 0, 1, 2, 3, 5),
        PaperNamespace.group(0, -16, UNIT_BYTES + 1, 0, 1, 2, 3, 4),
        PaperNamespace.group(0, -16, UNIT_BYTES,
            PaperNamespace.group(0, -16, UNIT_BYTES, 0, 1, 2, 3).holders, false),
        PaperNamespace.group(0, -16, UNIT_BYTES,
            PaperNamespace.group(0, -16, UNIT_BYTES, 0, 1, 2, 3, 4).holders, true));
    for (ScrubTarget changed : changes) {
      namespace.notes.clear();
      namespace.put("/ec/f", PaperNamespace.group(0, -16, UNIT_BYTES, 0, 1, 2, 3, 4));
      book = new OrderBook();
      scrubber = scrubber("/");
      step(UNIT_MS);
      PaperNodes.Order order = nodes.take().get(0);
      namespace.put("/ec/f", changed);
      order.report(book, ScrubOutcome.CONTRADICTION, 4);
      step(60_000);
      assertEquals(List.of(), nodes.doubts);
      assertEquals(List.of(), scrubber.status().findings);
      nodes.take().forEach(again -> report(again, ScrubOutcome.AGREES));
      step(250);
      assertEquals(0, directory().last().contradictions);
      assertEquals(1, directory().last().groups);
    }
  }

  @Test
  void aContradictionIsNotBelievedWhileTheNameNodeDoesNotAnswer() {
    put(1);
    step(250);
    PaperNodes.Order order = nodes.take().get(0);
    namespace.failure = new IOException("busy");
    order.report(book, ScrubOutcome.CONTRADICTION, 4);
    step(250);
    assertEquals(List.of(), nodes.doubts);
    namespace.failure = null;
    for (int leader = 0; leader < 2; leader++) {
      step(UNIT_MS);
      nodes.take().get(0).report(book, ScrubOutcome.CONTRADICTION, 4);
    }
    step(250);
    assertEquals(List.of("-16 unit 4"), nodes.doubts, "the second try finds it");
  }

  @Test
  void aGroupIsCheckedAgainOnceARestartedNodeIsBack() {
    put(1);
    step(250);
    nodes.take().get(0).report(book, ScrubOutcome.NOT_CHECKED, NO_UNIT,
        "uuid-1");
    step(UNIT_MS);
    step(ScrubOrders.RETRY_BLAMED_MS - 1);
    assertEquals(List.of(), nodes.take(), "the node may not be back yet");
    step(1);
    nodes.take().get(0).report(book, ScrubOutcome.AGREES, NO_UNIT);
    step(250);
    assertEquals(List.of(), scrubber.status().findings);
    assertEquals(0, directory().last().notChecked);
    assertEquals(1, directory().last().checked);
  }

  @Test
  void saysWhatElseItFinds() {
    put(2);
    step(250);
    nodes.take().get(0).report(book, ScrubOutcome.UNREADABLE, NO_UNIT,
        "uuid-3");
    step(UNIT_MS);
    for (int tries = 0; tries < 2; tries++) {
      assertEquals(1, scrubber.status().findings.size());
      nodes.take().get(0).report(book, ScrubOutcome.NOT_CHECKED, NO_UNIT,
          "uuid-1");
      step(250);
      step(ScrubOrders.RETRY_BLAMED_MS);
    }
    assertEquals(List.of("it was not checked, because of DataNodes [uuid-1]",
        "a unit cannot be read"),
        scrubber.status().findings.stream().map(discovery -> discovery.text)
        .collect(Collectors.toList()));
    assertEquals(List.of(), nodes.doubts);
    assertEquals(2, directory().last().notChecked);
  }

  @Test
  void theListOfFindingsIsBounded() {
    Discoveries list = new Discoveries();
    ScrubTarget group = PaperNamespace.group(0, -16, 1, 0, 1, 2, 3, 4);
    for (int i = 0; i < 1_000; i++) {
      list.add(new Discovery(START, group.id(), i % 2 == 0 ? ScrubOutcome.CONTRADICTION
          : ScrubOutcome.UNREADABLE, NO_UNIT, null, "finding " + i));
    }
    assertEquals(1_000, list.total());
    assertEquals(Discoveries.CONTRADICTIONS_MAX + Discoveries.OTHERS_MAX, list.all().size());
    assertEquals("finding 998", list.all().get(0).text);
    assertEquals("finding 999", list.all().get(Discoveries.CONTRADICTIONS_MAX).text);
  }

  @Test
  void triesAGroupTwiceInAPass() {
    put(1);
    Set<String> ids = new HashSet<>();
    Set<String> leaders = new HashSet<>();
    for (int i = 0; i < 2; i++) {
      step(UNIT_MS);
      PaperNodes.Order order = nodes.take().get(0);
      ids.add(order.id);
      leaders.add(order.leader.uuid);
      report(order, ScrubOutcome.NOT_CHECKED);
    }
    step(UNIT_MS);
    assertTrue(nodes.take().isEmpty());
    assertEquals(2, ids.size());
    assertEquals(2, leaders.size(), "another node tries it");
    assertEquals(1, directory().last().notChecked);
  }

  @Test
  void aLostReportCostsOneTry() {
    put(1);
    step(250);
    PaperNodes.Order order = nodes.take().get(0);
    step(order.deadlineMs);
    assertTrue(nodes.take().isEmpty(), "the report may still be on its way");
    step(60_000);
    assertEquals(-16, only(nodes.take()), "the group has another turn");
  }

  @Test
  void aLeaderThatIsGoneHoldsNoOthersBack() {
    put(1);
    step(250);
    PaperNodes.Order order = nodes.take().get(0);
    nodes.withoutPlugin.add(order.leader.uuid);
    // The units that the lost check was to read are in the nodes' rates still.
    step(UNIT_MS);
    PaperNodes.Order next = nodes.take().get(0);
    assertNotEquals(order.leader.uuid, next.leader.uuid);
    report(next, ScrubOutcome.AGREES);
    step(250);
    assertEquals(1, directory().last().checked);
  }

  @Test
  void believesTheLeaderOnly() {
    put(2);
    step(250);
    PaperNodes.Order order = nodes.take().get(0);
    String other = order.leader.uuid.equals("uuid-0") ? "uuid-1" : "uuid-0";
    order.reportBy(other, book, ScrubOutcome.CONTRADICTION, 1);
    step(UNIT_MS);
    assertEquals(List.of(), scrubber.status().findings);
    assertTrue(nodes.take().isEmpty(), "the check is still under way");
    report(order, ScrubOutcome.AGREES);
    step(250);
    assertEquals(-32, only(nodes.take()));
  }

  @Test
  void aRestartGoesOnFromTheCursor() {
    put(6);
    List<Long> before = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      // Slower than the ledger writes.
      step(ScrubProgressStore.WRITE_EVERY_MS);
      before.add(only(nodes.orders.values().stream().collect(Collectors.toList())));
      report(nodes.take().get(0), ScrubOutcome.AGREES);
    }
    step(ScrubProgressStore.WRITE_EVERY_MS);
    nodes.take();
    assertEquals(List.of(-16L, -32L, -48L), before);
    String note = new String(namespace.notes.get("/"), StandardCharsets.UTF_8);
    assertTrue(note.contains("\"cursor\":\"/ec/f2\""), note);

    // Another NameNode, which has the namespace in common and nothing else.
    book = new OrderBook();
    BackgroundScrubber old = scrubber;
    scrubber = scrubber("/");
    nodes.term++;
    step(250);
    assertEquals(1, directory().pass());
    assertEquals(3, directory().counts.checked);
    PaperNodes.Order order = nodes.take().get(0);
    assertEquals(-64, order.group.id().groupId);
    assertEquals(8, order.term);
    report(order, ScrubOutcome.AGREES);
    assertEquals(List.of(-80L, -96L), finishPass());
    assertEquals(6, directory().last().checked);
    assertEquals(START, Instant.parse(fieldOfNote("started")).minusMillis(60_000));

    // The first one is not active any more. When it is, it believes the note.
    nodes.isActive = false;
    scrubber = old;
    step(250);
    assertEquals(List.of(), scrubber.status().directories);
    nodes.isActive = true;
    step(250);
    assertEquals(6, directory().last().checked);
    assertEquals(ScrubStatus.State.IDLE, scrubber.status().state);
  }

  private String fieldOfNote(String name) {
    String note = new String(namespace.notes.get("/"), StandardCharsets.UTF_8);
    int at = note.indexOf("\"" + name + "\":\"") + name.length() + 4;
    return note.substring(at, note.indexOf('"', at));
  }

  @Test
  void aNewTermForgetsTheChecksOfTheOldOne() {
    put(2);
    step(250);
    PaperNodes.Order order = nodes.take().get(0);
    nodes.term++;
    step(UNIT_MS);
    PaperNodes.Order again = nodes.take().get(0);
    assertEquals(order.group.id(), again.group.id());
    assertEquals(8, again.term);
    assertFalse(order.reportBy(order.leader.uuid, book, ScrubOutcome.CONTRADICTION, NO_UNIT));
    step(250);
    assertEquals(List.of(), nodes.doubts);
  }

  @Test
  void writesANoteAtMostOnceAMinute() {
    put(200);
    for (int i = 0; i < 100; i++) {
      step(UNIT_MS);
      nodes.take().forEach(order -> report(order, ScrubOutcome.AGREES));
    }
    long minutes = 100 * UNIT_MS / 60_000;
    assertTrue(namespace.noteCalls <= minutes + 1, namespace.noteCalls + " in " + minutes + " min");
    assertTrue(namespace.noteCalls >= minutes - 1, namespace.noteCalls + " in " + minutes + " min");
  }

  @Test
  void withoutNotesThePassGoesOn() {
    put(3);
    namespace.withoutNotes = true;
    step(250);
    nodes.take().forEach(order -> report(order, ScrubOutcome.AGREES));
    assertEquals(List.of(-32L, -48L), finishPass());
    assertEquals(3, directory().last().checked);
  }

  @Test
  void aFileThatCannotBeDescribedDoesNotStopAPass() {
    put(4);
    namespace.poison = "/ec/f1";
    nodes.poison = -48;
    step(250);
    assertEquals(List.of(-16L, -64L), finishedAfter(nodes.take()));
    assertEquals(2, directory().last().checked);
    assertEquals(2, directory().last().notChecked);

    // A file may also become one that cannot be described, before its check and afterwards.
    nodes.poison = 0;
    for (boolean isUnderWay : new boolean[] {false, true}) {
      namespace.poison = null;
      namespace.notes.clear();
      book = new OrderBook();
      scrubber = scrubber("/");
      step(UNIT_MS);
      PaperNodes.Order order = nodes.take().get(0);
      namespace.poison = isUnderWay ? "/ec/f0" : "/ec/f1";
      step(60_000);
      order.report(book, ScrubOutcome.CONTRADICTION, 4);
      finishPass();
      assertEquals(4, directory().last().groups);
      assertEquals(isUnderWay ? 3 : 2, directory().last().checked, "under way " + isUnderWay);
    }
  }

  @Test
  void slashesDoNotNameHosts() {
    Configuration conf = new Configuration(false);
    conf.set(PprKeys.NAMENODE_SCRUB_PATHS_KEY, "//warehouse, /a//b/, ///");
    assertEquals(List.of("/warehouse", "/a/b", "/"), ScrubSettings.of(conf).paths);
  }

  /** A note is not overwritten because the NameNode did not answer when it was to be read. */
  @Test
  void aNoteIsReadAsSoonAsTheNameNodeAnswers() {
    put(6);
    for (int i = 0; i < 3; i++) {
      step(ScrubProgressStore.WRITE_EVERY_MS);
      report(nodes.take().get(0), ScrubOutcome.AGREES);
    }
    step(ScrubProgressStore.WRITE_EVERY_MS);
    nodes.take();
    book = new OrderBook();
    scrubber = scrubber("/");
    nodes.term++;
    for (IOException failure : List.of(new StandbyException("not yet"),
        new RetriableException("not yet"))) {
      namespace.failure = failure;
      step(60_000);
      assertEquals("what was noted at / cannot be read yet", scrubber.status().why);
      assertTrue(nodes.take().isEmpty());
    }
    namespace.failure = null;
    step(60_000);
    assertEquals(3, directory().counts.checked);
    assertEquals(-64, only(nodes.take()));
  }

  @Test
  void aDirectoryThatIsRenamedAwayAndBackGoesOn() {
    scrubber = scrubber("/ec");
    put(6);
    for (int i = 0; i < 3; i++) {
      step(ScrubProgressStore.WRITE_EVERY_MS);
      report(nodes.take().get(0), ScrubOutcome.AGREES);
    }
    step(ScrubProgressStore.WRITE_EVERY_MS);
    namespace.delete("/ec");
    book = new OrderBook();
    byte[] note = namespace.notes.remove("/ec");
    scrubber = scrubber("/ec");
    nodes.term++;
    step(250);
    assertEquals("/ec does not exist", scrubber.status().why);
    nodes.take();
    put(6);
    namespace.notes.put("/ec", note);
    step(600_000);
    assertEquals(3, directory().counts.checked);
    assertEquals(-64, only(nodes.take()));
  }

  @Test
  void aMissingPathWaitsAndTheOthersDoNot() {
    namespace.put("/other/f", PaperNamespace.group(0, -16, UNIT_BYTES, 0, 1, 2, 3, 4));
    scrubber = scrubber("/ec", "/other");
    step(250);
    step(250);
    report(nodes.orders.values().iterator().next(), ScrubOutcome.AGREES);
    assertEquals(-16, only(nodes.take()));
    put(1);
    step(UNIT_MS);
    assertTrue(nodes.take().isEmpty(), "it is looked for after ten minutes only");
    assertEquals(ScrubStatus.State.WAITING, scrubber.status().state);
    assertEquals("/ec does not exist", scrubber.status().why);
    step(600_000);
    assertEquals(1, nodes.take().size());
    assertNotNull(directory().started());
  }

  @Test
  void aNameNodeThatDoesNotAnswerIsAskedAgain() {
    put(2);
    namespace.failure = new IOException("/ec/secret is busy");
    step(250);
    assertEquals(ScrubStatus.State.WAITING, scrubber.status().state);
    assertEquals("the NameNode did not answer about /: IOException", scrubber.status().why);
    namespace.failure = null;
    step(1_000);
    assertTrue(nodes.take().isEmpty());
    step(10_000);
    assertEquals(-16, only(nodes.take()));
  }

  @Test
  void theNextPassBeginsAfterTheInterval() {
    put(1);
    step(0);
    assertEquals(-16, only(new ArrayList<>(nodes.orders.values())));
    report(nodes.take().get(0), ScrubOutcome.AGREES);
    step(250);
    assertEquals(ScrubStatus.State.IDLE, scrubber.status().state);
    assertEquals("the next pass begins at 2026-01-08T00:00:00Z", scrubber.status().why);
    step(INTERVAL_MS - 251);
    assertTrue(nodes.take().isEmpty());
    step(1);
    PaperNodes.Order order = nodes.take().get(0);
    assertEquals(2, directory().pass());
    assertNotNull(directory().lastFinished());
    report(order, ScrubOutcome.AGREES);
    step(250);
    assertEquals(2, directory().pass());
    assertEquals(1, directory().last().checked);
  }

  @Test
  void aGroupThatMovedIsCheckedWhereItIs() {
    put(2);
    step(250);
    PaperNodes.Order first = nodes.take().get(0);
    namespace.put("/ec/f1", PaperNamespace.group(0, -32, UNIT_BYTES, 5, 6, 7, 8, 9));
    step(UNIT_MS);
    report(first, ScrubOutcome.AGREES);
    step(40_000);
    PaperNodes.Order second = nodes.take().get(0);
    assertEquals("uuid-5", second.group.holders.get(0).node.uuid);
    namespace.delete("/ec");
    report(second, ScrubOutcome.AGREES);
    step(250);
    assertEquals(2, directory().last().checked);
  }

  @Test
  void anUnreadableNoteBeginsAnew() {
    put(1);
    for (String text : List.of("", "no json", "[]", "[".repeat(1_000_000), "{\"version\":2}",
        "{\"version\":1,\"started\":\"yesterday\"}")) {
      namespace.notes.put("/", text.getBytes(StandardCharsets.UTF_8));
      book = new OrderBook();
      scrubber = scrubber("/");
      step(UNIT_MS);
      assertEquals(-16, only(nodes.take()), text);
    }
  }

  @Test
  void aNoteSurvivesItsText() throws IOException {
    PassNote note = PassNote.NONE.begun(START).advanced("/ec/\u00e4 \"f\"",
        new ScrubCounts(7, 5, 1, 2, 123_456_789_012L));
    assertEquals(note.toString(), PassNote.parse(note.toBytes()).toString());
    PassNote ended = note.finished(START.plusSeconds(5)).begun(START.plusSeconds(9));
    PassNote read = PassNote.parse(ended.toBytes());
    assertEquals(ended.toString(), read.toString());
    assertEquals(START, read.lastStarted);
    assertEquals(note.counts.toString(), read.last.toString());
    assertEquals(2, read.pass);
    assertFalse(PassNote.parse(PassNote.NONE.toBytes()).isUnderWay());
  }
}
