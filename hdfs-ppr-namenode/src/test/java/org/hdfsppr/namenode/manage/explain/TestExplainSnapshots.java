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
package org.hdfsppr.namenode.manage.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.datanode.Snapshot;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.namenode.manage.launch.DestinationObstacle;
import org.hdfsppr.namenode.manage.status.RepairPause;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreWork;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.BeginResult;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.namenode.schedule.NoPlanReason;
import org.hdfsppr.namenode.schedule.RepairLoad;
import org.hdfsppr.namenode.schedule.RepairQueue;
import org.hdfsppr.namenode.track.FailedTry;
import org.hdfsppr.namenode.track.GroupNotes;
import org.hdfsppr.namenode.track.GroupState;
import org.hdfsppr.namenode.track.RelaxedRule;
import org.hdfsppr.namenode.track.RepairProgress;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.namenode.web.ExplainPages;
import org.hdfsppr.namenode.web.PageResponse;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Why a group is not repaired: the document of each answer that the manager gives. */
@InterfaceAudience.Private
class TestExplainSnapshots {
  private static final Snapshot RECORDED = Snapshot.of("hdfs-ppr-namenode", "documents/explain");
  private static final String END = ".json";
  private static final long NUMBER = Long.MIN_VALUE + 16;
  private static final GroupId ID = new GroupId("BP", NUMBER, 1001);
  private static final long NOW_MS = 100_000_000;
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00.125Z");
  private static final RepairPause ENDLESS = new RepairPause(NOW, null);
  private static final RepairPause BOUNDED = new RepairPause(NOW, NOW.plusSeconds(3_600));

  private final Map<String, Consumer<GroupFacts>> all = new LinkedHashMap<>();

  TestExplainSnapshots() {
    inactive();
    stock();
    ended();
    waiting();
    withoutPlan();
    failed();
  }

  static List<String> names() {
    return new ArrayList<>(new TestExplainSnapshots().all.keySet());
  }

  private static NodeRef node(int number) {
    return new NodeRef("u" + number, "10.0.0." + number, "h" + number, 9866, 9877, "/r");
  }

  private static LostGroup group(int live, int spare) {
    List<UnitHolder> holders = new ArrayList<>();
    List<NodeRef> occupied = new ArrayList<>();
    for (int unit = 1; unit <= live; unit++) {
      holders.add(new UnitHolder(unit, node(unit)));
      occupied.add(node(unit));
    }
    return new LostGroup(ID, 6L << 20, new GroupPolicy("rs", 6, 3, 1 << 20), holders, List.of(0),
        spare, NOW_MS - 60_000).occupying(occupied);
  }

  private static void queue(GroupFacts facts, LostGroup group, long notBeforeMs) {
    RepairQueue queue = new RepairQueue();
    queue.put(group, notBeforeMs);
    facts.queued = queue.entry(ID);
  }

  private static void repair(GroupFacts facts) {
    RepairTracker tracker = new RepairTracker(() -> NOW_MS - 12_000);
    LostGroup group = group(8, 2);
    tracker.next(tracker.open(
        new Assignment(group, group.live.subList(0, 6), List.of(new UnitHolder(0, node(9))),
        "chain"),
        new RepairGrant(1, 3, ID, List.of(new CommandTarget(0, node(9), "s", StorageType.DISK))),
        RepairLoad.none(), 60_000, 0)).forEach(one -> {
          tracker.sent(one.id);
          tracker.running(one.id, 40);
        });
    facts.state = GroupState.AT_WORK;
    facts.repair = tracker.byGroup(ID).map(RepairProgress::new);
    facts.topology = "chain";
  }

  private static void end(GroupFacts facts, Consumer<GroupNotes> action) {
    GroupNotes notes = new GroupNotes();
    action.accept(notes);
    facts.end = notes.end(NUMBER);
    facts.state = GroupState.GONE;
  }

  private static void census(GroupFacts facts, DestinationObstacle why, String... nodes) {
    facts.destinations.refuse(DestinationObstacle.HOLDS_UNIT, "h1:9866");
    for (String node : nodes) {
      facts.destinations.refuse(why, node);
    }
    facts.noPlan = Optional.of(NoPlanReason.NO_DESTINATION);
  }

  private static void fail(GroupFacts facts, FailureCause cause, String node) {
    facts.failures = 2;
    facts.retryAtMs = NOW_MS + 30_000;
    facts.lastNode = node;
    facts.tries = List.of(new FailedTry(NOW_MS - 9_000, "u1", FailureCause.DEAD, "x"),
        new FailedTry(NOW_MS - 4_000, node.isEmpty() ? null : "u2", cause, "y"));
    facts.tried = List.of("9 s ago: connection reset (DEAD at h1:9866)",
        "4 s ago: connection refused");
  }

  private static void doubt(GroupFacts facts, boolean isSuspected) {
    facts.isDoubtOpen = true;
    facts.isSuspected = isSuspected;
    facts.state = GroupState.DOUBTED;
  }

  private void inactive() {
    all.put("standby", facts -> facts.cluster.isActive = false);
    all.put("safe-mode", facts -> {
      facts.cluster.isActive = false;
      facts.cluster.isInSafeMode = true;
    });
  }

  private void stock() {
    all.put("left-to-stock", facts -> {
      facts.cluster.isInCharge = false;
      facts.cluster.why = "an operator has left all repairs to stock";
      facts.cluster.leftToStock = Optional.of(ENDLESS);
    });
    all.put("left-to-stock-for-a-time", facts -> {
      facts.cluster.isInCharge = false;
      facts.cluster.why = "an operator has left all repairs to stock";
      facts.cluster.leftToStock = Optional.of(BOUNDED);
      doubt(facts, false);
    });
    all.put("not-allowed", facts -> {
      facts.cluster.isInCharge = false;
      facts.cluster.isAllowed = false;
      facts.cluster.why = "dfs.namenode.replication.max-streams is 0";
    });
    all.put("closed", facts -> {
      facts.cluster.isInCharge = false;
      facts.cluster.closedForMs = 200_000;
      facts.cluster.why = "too many cycles have failed";
    });
    all.put("too-few-agents", facts -> {
      facts.cluster.isInCharge = false;
      facts.cluster.why = "2 of 20 DataNodes take part, too few";
    });
    all.put("stocks-turn", facts -> facts.state = GroupState.STOCKS_TURN);
    all.put("stock-has-it", facts -> end(facts, notes -> {
      notes.leftToStock(ID, "no DataNode may take the lost units");
      notes.handed(ID, NOW_MS - 7_000);
    }));
  }

  private void ended() {
    all.put("unknown", facts -> facts.version = "A file of it was converted.");
    all.put("whole", facts -> end(facts, notes ->
        notes.whole(ID, NOW_MS - 7_200_000, "its units are rebuilt")));
    all.put("whole-and-doubted", facts -> {
      end(facts, notes -> notes.gone(ID, NOW_MS - 150_000));
      facts.isDoubtOpen = true;
    });
    all.put("gone-and-doubted", facts -> facts.isDoubtOpen = true);
    all.put("repairing", TestExplainSnapshots::repair);
    all.put("repairing-with-concessions", facts -> {
      repair(facts);
      facts.isDoubtOpen = true;
      facts.concessions = Set.of(RelaxedRule.ANY_RACK, RelaxedRule.ANY_STORAGE);
    });
  }

  private void waiting() {
    all.put("waits-for-rows", facts -> queue(facts, group(8, 2).withCore(new CoreWork(
        CoreWork.State.WAITS, Map.of(), Map.of(), List.of())), Long.MIN_VALUE));
    all.put("waits-for-rows-lost", facts -> queue(facts, group(5, -1).withCore(new CoreWork(
        CoreWork.State.WAITS, Map.of(), Map.of(), List.of())), Long.MIN_VALUE));
    all.put("unrecoverable", facts -> queue(facts, group(5, -1), Long.MIN_VALUE));
    all.put("unrecoverable-with-core", facts -> queue(facts, group(5, -1).withCore(new CoreWork(
        CoreWork.State.HOPELESS, Map.of(), Map.of(), List.of())), Long.MIN_VALUE));
    all.put("paused", facts -> {
      queue(facts, group(6, 0), Long.MIN_VALUE);
      facts.cluster.pause = Optional.of(ENDLESS);
    });
    all.put("paused-for-a-time", facts -> {
      queue(facts, group(8, 2), Long.MIN_VALUE);
      facts.cluster.pause = Optional.of(BOUNDED);
    });
    all.put("listening", facts -> facts.cluster.isListening = true);
    all.put("delay", facts -> {
      queue(facts, group(8, 2), NOW_MS + 3_540_000);
      facts.delayUntilMs = NOW_MS + 3_540_000;
    });
    all.put("queued", facts -> queue(facts, group(8, 2), Long.MIN_VALUE));
    all.put("queued-first", facts -> {
      RepairQueue queue = new RepairQueue();
      queue.put(group(8, 2));
      queue.prioritize(ID, Long.MIN_VALUE);
      facts.queued = queue.entry(ID);
    });
    all.put("doubted", facts -> doubt(facts, false));
  }

  private void withoutPlan() {
    all.put("no-destination", facts -> {
      census(facts, DestinationObstacle.NO_NEW_BLOCKS, "h2:9866");
      queue(facts, group(8, 2), NOW_MS + 10_000);
    });
    all.put("no-destination-before", facts -> {
      census(facts, DestinationObstacle.AVOIDED, "h2:9866");
      facts.destinations.accept();
    });
    all.put("disk-full", facts -> census(facts, DestinationObstacle.NO_STORAGE, "h2:9866",
        "h3:9866",
        "h4:9866", "h5:9866", "h6:9866", "h7:9866"));
    all.put("version-too-old", facts -> census(facts, DestinationObstacle.TOO_OLD, "h2:9866"));
    all.put("quarantined", facts -> census(facts, DestinationObstacle.QUARANTINED, "h2:9866",
        "h3:9866"));
    all.put("distrusted", facts -> census(facts, DestinationObstacle.DISTRUSTED, "h2:9866"));
    all.put("no-agent", facts -> census(facts, DestinationObstacle.NO_AGENT, "h2:9866"));
    for (DestinationObstacle why : List.of(DestinationObstacle.FINDER,
        DestinationObstacle.ON_COLUMN, DestinationObstacle.FAILED_BEFORE)) {
      all.put("obstacle-" + why.name().toLowerCase(Locale.ROOT), facts ->
          census(facts, why, "h2:9866"));
    }
    all.put("too-few-sources", facts -> facts.noPlan = Optional.of(NoPlanReason.TOO_FEW_SOURCES));
    all.put("too-few-sources-doubted", facts -> {
      doubt(facts, true);
      facts.noPlan = Optional.of(NoPlanReason.TOO_FEW_SOURCES);
    });
    all.put("sources-kept-out", facts -> {
      facts.noPlan = Optional.of(NoPlanReason.TOO_FEW_SOURCES);
      facts.keptOutHolders = List.of("h2:9866", "h3:9866");
    });
    all.put("unknown-code", facts -> facts.noPlan = Optional.of(NoPlanReason.UNKNOWN_CODE));
    all.put("planning-failed", facts -> facts.noPlan = Optional.of(NoPlanReason.FAILED));
    all.put("nothing-lost", facts -> facts.noPlan = Optional.of(NoPlanReason.NOTHING_LOST));
    for (BeginResult.Refusal why : BeginResult.Refusal.values()) {
      all.put("not-begun-" + why.name().toLowerCase(Locale.ROOT), facts -> {
        facts.notBegun = Optional.of(why);
        facts.whyNotBegun = "h2:9866 leaves the cluster";
        facts.destinations.accept();
      });
    }
  }

  private void failed() {
    all.put("failed", facts -> fail(facts, FailureCause.STALLED, "h2:9866"));
    all.put("failed-nowhere", facts -> fail(facts, FailureCause.STALLED, ""));
    all.put("failed-without-cause", facts -> fail(facts, null, "h2:9866"));
    all.put("failed-port-closed", facts -> fail(facts, FailureCause.UNREACHABLE, "h2:9866"));
    all.put("failed-too-old", facts -> fail(facts, FailureCause.UNSUPPORTED, "h2:9866"));
    all.put("failed-suspected", facts -> {
      fail(facts, FailureCause.VERIFICATION, "h2:9866");
      doubt(facts, true);
    });
    all.put("failed-doubted", facts -> {
      fail(facts, FailureCause.VERIFICATION, "h2:9866");
      doubt(facts, false);
    });
  }

  @ParameterizedTest
  @MethodSource("names")
  void isAsRecorded(String name) {
    boolean isGone = Set.of("unknown", "gone-and-doubted").contains(name);
    GroupFacts facts = new GroupFacts(NUMBER, NOW_MS);
    facts.cluster.isActive = true;
    facts.cluster.isInCharge = true;
    facts.cluster.isAllowed = true;
    facts.cluster.waiting = 120;
    facts.cluster.inFlight = 30;
    facts.cluster.inFlightMax = 100;
    facts.state = isGone ? GroupState.GONE : GroupState.WAITING;
    all.get(name).accept(facts);
    ExplainRequests desk = new ExplainRequests(() -> NOW_MS);
    desk.ask(NUMBER);
    desk.answerSome(any -> Explainer.explain(facts));
    PageResponse page = new ExplainPages(desk).find("/v1/explain/blk_" + NUMBER).orElseThrow();
    assertEquals(200, page.status);
    RECORDED.assertSame(name + END,
        Snapshot.indented(new String(page.body, StandardCharsets.UTF_8)) + "\n");
  }

  @Test
  void noOtherFilesAreThere() {
    RECORDED.assertFiles(all.keySet().stream().map(name -> name + END)
        .collect(Collectors.toCollection(TreeSet::new)));
  }
}
