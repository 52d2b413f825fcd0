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
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.test.MetricsAsserts;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.ReadGroup;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.namenode.manage.ManagerService.HeartbeatResponder;
import org.hdfsppr.namenode.manage.charge.PolicyClaims;
import org.hdfsppr.namenode.manage.endings.StockHandOver;
import org.hdfsppr.namenode.manage.launch.DestinationRules;
import org.hdfsppr.namenode.manage.launch.DestinationRules.UnfitStorages;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgent.DegradedMarks;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.manage.nodes.NameNodeView;
import org.hdfsppr.namenode.manage.operator.OperatorRefreshHandler;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.state.ManagerSettings;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.namenode.schedule.CodeReads;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.schedule.MpprWeights;
import org.hdfsppr.namenode.schedule.RepairSchedulers;
import org.hdfsppr.namenode.schedule.SchedulerOptions;
import org.hdfsppr.namenode.track.EndReason;
import org.hdfsppr.namenode.track.FaultyNodes;
import org.hdfsppr.namenode.track.TrackedRepair;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Tests what the manager does when something goes wrong. The books are simulated, and the test sets
 * the clock.
 */
@InterfaceAudience.Private
class TestRepairManager {
  private static final int NODES = 20;
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);
  private static final GroupPolicy LRC = new GroupPolicy("lrc-l2", 6, 4, 1 << 20);
  private static final GroupPolicy HITCHHIKER =
      new GroupPolicy("hitchhiker-xor", 6, 3, 1 << 20);
  private static final int UNIT_BYTES = 8 << 20;
  private static final NodeLoad IDLE = new NodeLoad(0, 0, 100, 0, 0, 0).withMachine(0, 0, 0);

  private final PaperBooks books = new PaperBooks();
  private final ManagerMetrics metrics = ManagerMetrics.register("balanced");
  private final Map<Integer, List<RunningRepair>> running = new HashMap<>();
  private long now = 1_000_000;
  private final Map<String, RepairCommand> ordered = new HashMap<>();
  private IntUnaryOperator versions = number -> HeartbeatRequest.PROTOCOL_VERSION;
  private final Set<Integer> avoided = new HashSet<>();
  private int commands;
  private int clockReadsOfAgents;
  private int movedNode = -1;
  private long knownTerm;
  private int nodeLists;
  private int policyLists;
  private DataNodeAgents agents;
  private PolicyClaims claims;
  private RepairManager manager;
  private HeartbeatResponder heartbeats;
  private int withAgents = NODES;
  private IntFunction<NodeLoad> loads = number -> IDLE;

  @BeforeEach
  void start() {
    start(new Configuration());
  }

  private void start(Configuration conf) {
    CodeSource codes = policy -> Codes.forCodec(conf, policy.codec, policy.dataUnits,
        policy.parityUnits);
    claims = new PolicyClaims(codes);
    agents = new DataNodeAgents(() -> {
      clockReadsOfAgents++;
      return now;
    });
    manager = new RepairManager(new ManagerKnowledge(books, new Nodes(), agents, claims,
        ManagerSettings.of(conf), metrics, () -> now),
        RepairSchedulers.byName("balanced", new SchedulerOptions(new CodeReads(codes), 0,
            new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, UNIT_BYTES, 6)), new Random(1)));
    heartbeats = new HeartbeatResponder(manager, () -> "BP", false);
  }

  @AfterEach
  void stop() {
    metrics.unregister();
  }

  private final class Nodes implements NameNodeView {
    @Override
    public List<LiveNode> liveNodes() {
      nodeLists++;
      List<LiveNode> nodes = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        NodeRef node = i == movedNode ? moved(i) : node(i);
        nodes.add(new LiveNode(node.withRepairPort(NodeRef.NO_REPAIR_PORT), true,
            avoided.contains(i)));
      }
      return nodes;
    }

    @Override
    public List<GroupPolicy> policies() {
      policyLists++;
      return List.of(RS, LRC, HITCHHIKER);
    }

    @Override
    public boolean isInSafeMode() {
      return false;
    }

    @Override
    public boolean allowsRepairs() {
      return true;
    }

    @Override
    public String blockPoolId() {
      return "BP";
    }
  }

  private static NodeRef node(int number) {
    return new NodeRef("u" + number, "10.0.0." + number, "h" + number, 9866, 9877, "/r");
  }

  /** Returns the same node after it has registered with another address. */
  private static NodeRef moved(int number) {
    return new NodeRef("u" + number, "10.0.1." + number, "h" + number, 9866, 9877, "/r");
  }

  /**
   * Returns a group that has lost unit 0. Its other units are on successive nodes, beginning with
   * {@code first}.
   */
  private LostGroup group(int number, GroupPolicy policy, int first, long groupBytes) {
    List<UnitHolder> live = new ArrayList<>();
    List<NodeRef> occupied = new ArrayList<>();
    for (int unit = 1; unit < policy.dataUnits + policy.parityUnits; unit++) {
      live.add(new UnitHolder(unit, node((first + unit) % NODES)));
      occupied.add(node((first + unit) % NODES));
    }
    return new LostGroup(new GroupId("BP", -16L * number - 16, 1001), groupBytes, policy, live,
        List.of(0), 2, now).occupying(occupied);
  }

  private LostGroup group(int number, GroupPolicy policy) {
    return group(number, policy, number, (long) policy.dataUnits * UNIT_BYTES);
  }

  private HeartbeatResponse beat(int number, List<RepairResult> results) {
    return beat(number, results, List.of());
  }

  private HeartbeatResponse beat(int number, List<RepairResult> results, List<ReadGroup> read) {
    HeartbeatResponse response = heartbeats.heartbeat(null, new HeartbeatRequest(
        versions.applyAsInt(number), "test", node(number), knownTerm, loads.apply(number),
        running.getOrDefault(number, List.of()), results)
        .withReadDegraded(read));
    for (RepairCommand command : response.repairs()) {
      commands++;
      ordered.put(command.repairId, command);
      running.computeIfAbsent(number, key -> new ArrayList<>()).add(new RunningRepair(
          command.repairId, command.term(), command.groupId().groupId, 1001, 0));
    }
    response.cancels().forEach(cancel -> running.getOrDefault(number, new ArrayList<>())
        .removeIf(repair -> repair.repairId.equals(cancel.repairId)));
    return response;
  }

  private void step(long ms) {
    for (long passed = 0; passed < ms; passed += 250) {
      now += 250;
      if (now % 1_000 == 0) {
        for (int i = 0; i < withAgents; i++) {
          beat(i, List.of());
        }
      }
      manager.cycle();
    }
  }

  private static int leader(TrackedRepair repair) {
    return Integer.parseInt(repair.destination().uuid.substring(1));
  }

  private static RepairResult failed(TrackedRepair repair, String uuid) {
    return failed(repair, uuid, FailureCause.INTERNAL);
  }

  private static RepairResult failed(TrackedRepair repair, String uuid, FailureCause cause) {
    return new RepairResult(repair.id, repair.term(), RepairOutcome.FAILED, List.of(), 0, 0)
        .withFailure(uuid, cause, "test");
  }

  /**
   * @param cause the contradiction that the repair has found among the units, or null
   */
  private static RepairResult rebuilt(TrackedRepair repair, FailureCause cause) {
    return rebuiltOf(repair, cause).withReadUnits(repair.assignment.group.live.stream()
        .map(holder -> holder.unit).collect(Collectors.toList()));
  }

  /** Returns the result of an old DataNode, which does not report which units it has read. */
  private static RepairResult rebuiltByAnOldNode(TrackedRepair repair) {
    return rebuiltOf(repair, null);
  }

  private static RepairResult rebuiltOf(TrackedRepair repair, FailureCause cause) {
    return new RepairResult(repair.id, repair.term(), RepairOutcome.REBUILT,
        List.copyOf(repair.assignment.unitsWithout(Set.of())), 0, 0)
        .withFailure(cause == null ? null : repair.destination().uuid, cause, "test");
  }

  /**
   * Ends each repair of a group with this failure, for some time.
   *
   * @return how many repairs there were
   */
  private int failAll(LostGroup group, FailureCause cause, long ms) {
    return failAll(group, cause, repair -> repair.destination().uuid, ms);
  }

  private int failAll(LostGroup group, FailureCause cause, Function<TrackedRepair, String> culprit,
      long ms) {
    int failures = 0;
    for (long end = now + ms; now < end; step(1_000)) {
      Optional<TrackedRepair> repair = manager.tracker.byGroup(group.id);
      if (repair.isPresent()) {
        running.clear();
        beat(leader(repair.get()),
            List.of(failed(repair.get(), culprit.apply(repair.get()), cause)));
        failures++;
      }
    }
    return failures;
  }

  private void lose(int groups) {
    for (int i = 0; i < groups; i++) {
      books.lose(group(i, RS));
    }
  }

  private static ReadGroup read(LostGroup group) {
    return new ReadGroup(group.id.groupId, group.id.generationStamp);
  }

  private boolean isUnderWay(LostGroup group) {
    return manager.tracker.byGroup(group.id).isPresent();
  }

  /**
   * Groups that clients read begin before older groups. Reports on groups that do not wait, or of
   * DataNodes that hold no unit of the group, have no effect.
   */
  @Test
  void whatClientsReadIsBegunBeforeWhatIsOlder() {
    Configuration conf = new Configuration();
    conf.setInt(PprKeys.NAMENODE_IN_FLIGHT_KEY, 3);
    start(conf);
    step(1_000);
    List<LostGroup> groups = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      LostGroup made = group(i, RS);
      groups.add(new LostGroup(made.id, made.groupBytes, RS, made.live, made.lost, 2, i)
          .occupying(made.occupied()));
      books.lose(groups.get(i));
    }
    step(250);
    int stranger = 0;
    assertTrue(groups.get(25).occupied().stream().noneMatch(node(stranger)::equals));
    beat(stranger, List.of(), List.of(read(groups.get(25)), new ReadGroup(-16_000, 1),
        new ReadGroup(groups.get(26).id.groupId, 1002)));
    int holder = 3;
    assertTrue(groups.get(20).occupied().stream().anyMatch(node(holder)::equals));
    beat(holder, List.of(), List.of(read(groups.get(20))));
    step(250);
    assertEquals(0, manager.tracker.size(), "the manager still listens");
    MetricsAsserts.assertGauge("GroupsReadDegraded", 1, MetricsAsserts.getMetrics(metrics));
    MetricsAsserts.assertCounter("GroupsPromoted", 1L, MetricsAsserts.getMetrics(metrics));
    step(3_000);
    assertEquals(3, manager.tracker.size());
    assertTrue(isUnderWay(groups.get(20)));
    assertTrue(isUnderWay(groups.get(0)));
    assertTrue(isUnderWay(groups.get(1)));
    MetricsAsserts.assertGauge("GroupsReadDegraded", 0, MetricsAsserts.getMetrics(metrics));
  }

  /**
   * Clients may meet a loss before the NameNode knows of it, or before a repair fails. So reads are
   * remembered for a while.
   */
  @Test
  void whatClientsReadIsRememberedForAWhile() {
    Configuration conf = new Configuration();
    conf.set(PprKeys.REPAIR_DELAY_KEY, "10h");
    start(conf);
    step(4_000);
    LostGroup group = group(1, RS);
    int holder = 5;
    assertTrue(group.occupied().stream().anyMatch(node(holder)::equals));
    beat(holder, List.of(), List.of(read(group)));
    step(5_000);
    books.lose(group(2, RS));
    books.lose(group);
    step(1_000);
    assertTrue(isUnderWay(group), "readers do not wait for nodes that may come back");
    assertEquals(1, manager.tracker.size());
    TrackedRepair first = manager.tracker.all().get(0);
    beat(leader(first), List.of(failed(first, null)));
    running.clear();
    step(500);
    assertFalse(isUnderWay(group), "a pause comes first");
    step(3_000);
    assertTrue(isUnderWay(group), "the manager still knows that the group is read");
    // The repair never ends by itself here, so its deadline ends it, and the group is tried again
    // as long as it is urgent.
    step(DegradedMarks.KEEP_MS + 300_000);
    assertFalse(isUnderWay(group), "no client has read the group for long");
  }

  /**
   * A group that waits for its nodes to come back begins when clients read it, but not before the
   * pause after the last failure.
   */
  @Test
  void readersEndTheDelay() {
    Configuration conf = new Configuration();
    conf.set(PprKeys.REPAIR_DELAY_KEY, "10h");
    start(conf);
    step(4_000);
    LostGroup group = group(1, RS);
    books.lose(group);
    books.lose(group(2, RS));
    step(5_000);
    assertEquals(0, manager.tracker.size());
    beat(5, List.of(), List.of(read(group)));
    step(500);
    assertTrue(isUnderWay(group));
    assertEquals(1, manager.tracker.size());
  }

  @Test
  void groupsThatAreBeingMadeAreNotRepaired() {
    step(4_000);
    LostGroup made = group(1, RS);
    LostGroup lost = group(2, RS);
    manager.madeGroups().add(made.id);
    books.lose(made);
    books.lose(lost);
    step(3_000);
    assertTrue(isUnderWay(lost));
    assertFalse(isUnderWay(made));
    assertEquals(0, manager.lastStatus().get(StatusNumber.GROUPS_QUEUED),
        "the group would keep versions waiting");
    manager.madeGroups().remove(made.id);
    // Each poll of the NameNode's queue also looks at some groups that have not changed.
    books.lose(made);
    step(3_000);
    assertTrue(isUnderWay(made), "its makers have left units out");
  }

  @Test
  void oneGroupThatCannotBeOrderedDoesNotKeepOthersFromIt() {
    step(4_000);
    for (int i = 0; i < 30; i++) {
      books.lose(i == 3 ? group(i, RS, i, 0) : group(i, RS));
    }
    step(3_000);
    assertEquals(29, commands);
    assertEquals(29, manager.tracker.size());
    assertEquals(29, books.begun(), "the repair that could not be ordered was taken back");
  }

  /** If the lost units came back, the running repair is cancelled and does not count as rebuilt. */
  @Test
  void onlyRepairsOfWhatCameBackAreCancelled() {
    step(4_000);
    lose(2);
    step(3_000);
    TrackedRepair done = manager.tracker.byGroup(group(0, RS).id).get();
    TrackedRepair returned = manager.tracker.byGroup(group(1, RS).id).get();
    books.end(group(0, RS).id, RepairEnd.DONE);
    books.end(group(1, RS).id, RepairEnd.RETURNED);
    step(250);
    assertEquals(0, manager.tracker.size());
    assertEquals(List.of(), cancelled(beat(leader(done), List.of()), done));
    assertEquals(List.of(returned.id), cancelled(beat(leader(returned), List.of()), returned));
    MetricsAsserts.assertCounter("RepairsDone", 1L, MetricsAsserts.getMetrics(metrics));
    MetricsAsserts.assertCounter("RepairsFailed", 0L, MetricsAsserts.getMetrics(metrics));
  }

  /** The simulated books report the same unit as lost and as present in turns. */
  @Test
  void whatReturnsAgainAndAgainIsNotBegunInEachCycle() {
    step(4_000);
    LostGroup group = group(1, RS);
    books.lose(group);
    int returns = 0;
    for (long end = now + 60_000; now < end; step(250)) {
      if (isUnderWay(group)) {
        running.clear();
        beat(leader(manager.tracker.byGroup(group.id).get()), List.of());
        books.end(group.id, RepairEnd.RETURNED);
        books.lose(group);
        returns++;
      }
    }
    assertTrue(returns >= 2 && returns <= 8, returns + " times in a minute");
    step(60_000);
    assertTrue(isUnderWay(group), "the repair is not given up");
    MetricsAsserts.assertCounter("RepairsFailed", 0L, MetricsAsserts.getMetrics(metrics));
  }

  /** Returns the cancels of a repair. */
  private static List<String> cancelled(HeartbeatResponse response, TrackedRepair repair) {
    return response.cancels().stream().map(command -> command.repairId).filter(repair.id::equals)
        .collect(Collectors.toList());
  }

  /** The books have forgotten a repair that the manager still tracks. */
  @Test
  void oneGroupThatCannotBeTrackedDoesNotKeepOthersFromBeingOrdered() {
    step(4_000);
    LostGroup first = group(0, RS);
    books.lose(first);
    step(1_000);
    TrackedRepair before = manager.tracker.byGroup(first.id).get();
    // The destination no longer names the repair, so no node is known to work on it.
    running.clear();
    beat(leader(before), List.of());
    lose(30);
    step(250);
    assertSame(before, manager.tracker.byGroup(first.id).get());
    assertEquals(30, manager.tracker.size());
    assertEquals(30, books.begun());
    assertEquals(1, books.aborts(), "the repair that began twice is aborted");
    step(750);
    assertEquals(1, books.aborts(), "a pause comes first");
    step(20_000);
    assertEquals(30, manager.tracker.size());
    assertEquals(30, books.begun());
  }

  /** The other repairs of the batch must not stay pending until stock's timeout. */
  @Test
  void aRepairThatCannotBeGivenUpDoesNotKeepOthersPending() {
    step(4_000);
    lose(30);
    step(3_000);
    assertEquals(30, books.begun());
    books.cannotAbort(group(3, RS).id);
    for (TrackedRepair repair : manager.tracker.all()) {
      running.clear();
      beat(leader(repair), List.of(failed(repair, null)));
    }
    manager.cycle();
    assertEquals(1, books.begun());
    assertTrue(books.isBegun(group(3, RS).id));
    MetricsAsserts.assertCounter("RepairsFailed", 30L, MetricsAsserts.getMetrics(metrics));
    step(3_000);
    assertEquals(29, manager.tracker.size(), "the repairs are planned anew");
  }

  /** Pages and commands read the published status, and not the state of the manager's parts. */
  @Test
  void theStatusSaysWhatTheManagerDoes() {
    assertFalse(manager.status().inCharge);
    manager.cycle();
    assertTrue(manager.status().inCharge);
    assertTrue(manager.status().why.contains("listens"), manager.status().why);
    step(4_000);
    Configuration conf = new Configuration();
    conf.setInt(PprKeys.NAMENODE_IN_FLIGHT_KEY, 3);
    start(conf);
    step(4_000);
    lose(10);
    books.hasNoDisk("u0");
    step(3_000);
    // The first call asks for the lists, and the next cycle makes them.
    manager.status();
    manager.cycle();
    ManagerStatus status = manager.status();
    assertTrue(status.inCharge);
    assertEquals("20 of 20 DataNodes take part", status.why);
    assertEquals(books.term(), status.term);
    assertEquals(3, status.get(StatusNumber.REPAIRS_IN_FLIGHT));
    assertEquals(7, status.get(StatusNumber.GROUPS_QUEUED));
    assertEquals(Map.of(2, 7), status.waitingBySpareUnits);
    assertEquals(NODES, status.get(StatusNumber.AGENTS));
    assertEquals(NODES, status.lists.nodes.size());
    assertTrue(status.lists.nodes.stream().allMatch(node -> node.load().isPresent()));
    assertEquals(3, status.lists.nodes.stream().mapToInt(each -> each.receiving).sum());
    TrackedRepair first = manager.tracker.all().get(0);
    assertEquals(first.id, status.lists.repairs.get(0).id);
    assertEquals(0, status.lists.repairs.get(0).donePercent);
    running.clear();
    running.put(leader(first), List.of(new RunningRepair(first.id, first.term(),
        first.assignment.group.id.groupId, 1001, 40)));
    beat(leader(first), List.of());
    assertEquals(0, status.lists.repairs.get(0).donePercent,
        "a status does not change after it was made");
    now += 1_000;
    manager.cycle();
    assertEquals(40, manager.status().lists.repairs.get(0).donePercent);
    for (int i = 0; i < 5; i++) {
      manager.cycleFailed();
    }
    manager.cycle();
    assertFalse(manager.status().inCharge);
    assertEquals(300_000, manager.status().pausedMs);
    assertTrue(manager.status().why.contains("5 cycles failed"), manager.status().why);
    books.setActive(false);
    manager.cycle();
    assertTrue(manager.status().why.contains("not active"), manager.status().why);
    assertEquals(0, manager.status().get(StatusNumber.REPAIRS_IN_FLIGHT));
  }

  /** What operators see must not decide whether repairs go on here. */
  @Test
  void aStatusThatCannotBeMadeKeepsNoRepairFromBeginning() {
    step(4_000);
    books.beforeCounts(() -> {
      throw new IllegalStateException("thrown on purpose");
    });
    lose(10);
    for (int i = 0; i < 10; i++) {
      step(250);
    }
    assertEquals(10, manager.tracker.size());
    assertTrue(claims.isOpen(), "stock gets the groups");
    assertEquals(0, manager.status().get(StatusNumber.REPAIRS_IN_FLIGHT), "the older status stays");
    books.setActive(false);
    step(1_000);
    books.beforeCounts(() -> { });
    step(250);
    assertTrue(manager.status().why.contains("not active"), manager.status().why);
  }

  @Test
  void aPauseOfTheNameNodeMakesNoNodeSilent() {
    step(4_000);
    lose(30);
    step(3_000);
    assertEquals(30, manager.tracker.size());
    now += 11_000;
    LostGroup another = group(30, RS);
    books.lose(another);
    manager.cycle();
    step(15_000);
    assertEquals(31, manager.tracker.size());
    assertEquals(0, books.aborts());
    assertTrue(books.released.isEmpty(), "during the pause no node could send heartbeats");
    assertTrue(claims.isOpen());
  }

  @Test
  void aSilentDestinationIsReplaced() {
    step(4_000);
    lose(1);
    step(3_000);
    TrackedRepair first = manager.tracker.all().get(0);
    withAgents = leader(first);
    // From now on all nodes send heartbeats except the destination of the repair.
    int rest = leader(first);
    for (long passed = 0; passed < 15_000; passed += 250) {
      now += 250;
      if (now % 1_000 == 0) {
        for (int i = 0; i < NODES; i++) {
          if (i != rest) {
            beat(i, List.of());
          }
        }
      }
      manager.cycle();
    }
    assertEquals(1, books.aborts());
    assertEquals(1, manager.tracker.size());
    assertTrue(!manager.tracker.all().get(0).destination().equals(first.destination()));
    assertEquals(1, ended(EndReason.DESTINATION_SILENT));
  }

  /** Returns how many repairs the metrics count as ended for a reason. */
  private long ended(EndReason reason) {
    return metrics.tally.counts().stream().filter(count -> count.reason == reason)
        .mapToLong(count -> count.repairs).sum();
  }

  @Test
  void onlyTheDestinationSpeaksForARepair() {
    step(4_000);
    lose(20);
    step(3_000);
    List<RepairResult> lies = new ArrayList<>();
    for (TrackedRepair repair : manager.tracker.all()) {
      if (leader(repair) != 7) {
        lies.add(failed(repair, "u3"));
      }
    }
    HeartbeatResponse response = beat(7, lies);
    assertEquals(lies.size(), response.acknowledged.size(),
        "all results are acknowledged, because nodes would otherwise repeat them");
    step(1_000);
    assertEquals(0, books.aborts());
  }

  /**
   * The groups are of LRC(6,2,2), on ten of the nodes. On each other node a repair has failed. They
   * must be tried again, because stock cannot repair them.
   */
  @Test
  void groupsOfOwnCodecsAreTriedAgainWhereverTheyFailed() {
    step(4_000);
    books.lose(group(1, LRC));
    step(3_000);
    for (int failures = 0; failures < 15; failures++) {
      List<TrackedRepair> all = manager.tracker.all();
      if (!all.isEmpty()) {
        TrackedRepair repair = all.get(0);
        running.clear();
        beat(leader(repair), List.of(failed(repair, repair.destination().uuid)));
      }
      step(61_000);
    }
    int before = commands;
    step(600_000);
    assertTrue(manager.tracker.size() == 1 || commands > before, "the group is not forgotten");
    assertTrue(books.released.isEmpty(), "stock can do nothing for it");
  }

  /** From units that contradict each other, stock might decode with the wrong one. */
  @Test
  void aGroupWhoseUnitsContradictEachOtherIsNotLeftToStock() {
    step(4_000);
    LostGroup wrong = group(1, RS);
    books.lose(wrong);
    step(3_000);
    int failed = failAll(wrong, FailureCause.VERIFICATION, 120_000);
    assertTrue(failed >= 6);
    assertEquals(failed, ended(EndReason.CONTRADICTION));
    // Other failures between the failed checks say nothing about the units.
    failed = failAll(wrong, FailureCause.DEAD, 3_600_000);
    assertEquals(failed, ended(EndReason.NODE_FAILED));
    assertEquals(Set.of(), books.released);
    assertInDoubt(1);
    int before = commands;
    step(3_600_000);
    assertTrue(commands > before, "the group is tried again");
    assertTrue(commands - before < 10, commands - before + " tries in an hour");

    LostGroup other = group(2, RS);
    books.lose(other);
    step(3_000);
    assertTrue(failAll(other, FailureCause.DEAD, 120_000) >= 6);
    assertEquals(Set.of(other.id), books.released, "this group is only hard to repair");
  }

  /** Returns the group with a single possible destination. */
  private LostGroup onNodesBut(int free, LostGroup group) {
    List<NodeRef> occupied = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      if (i != free) {
        occupied.add(node(i));
      }
    }
    return new LostGroup(group.id, group.groupBytes, group.policy, group.live, group.lost,
        group.spareUnits, now).occupying(occupied);
  }

  /**
   * Another node has written wrong units. The node that finds the contradiction is not to blame.
   */
  @Test
  void whoFindsThatUnitsContradictEachOtherIsNotKeptOut() {
    step(14_000);
    for (int i = 0; i < 5; i++) {
      LostGroup wrong = onNodesBut(15, group(i, RS, 0, 6L * UNIT_BYTES));
      books.lose(wrong);
      step(1_000);
      assertEquals(1, failAll(wrong, FailureCause.VERIFICATION, 1_000));
    }
    step(2_000);
    assertInDoubt(5);
    MetricsAsserts.assertGauge("NodesQuarantined", 0, MetricsAsserts.getMetrics(metrics));
    LostGroup other = onNodesBut(15, group(100, RS, 0, 6L * UNIT_BYTES));
    books.lose(other);
    step(2_000);
    assertEquals(15, leader(manager.tracker.byGroup(other.id).get()));
  }

  /**
   * @return a node that has failed so often that it is kept out for a while
   */
  private NodeRef quarantined() {
    int node = 5;
    lose(NODES);
    step(3_000);
    manager.tracker.all().stream().filter(repair -> repair.involves(node(node).uuid)).limit(3)
        .forEach(repair -> beat(leader(repair), List.of(failed(repair, node(node).uuid))));
    step(1_000);
    MetricsAsserts.assertGauge("NodesQuarantined", 1, MetricsAsserts.getMetrics(metrics));
    return node(node);
  }

  /** Only the groups whose repairs it has refused do without it for a while. */
  @Test
  void aNodeWithoutFreeThreadsIsNotKeptOut() {
    step(4_000);
    lose(NODES);
    step(3_000);
    String busy = node(5).uuid;
    List<TrackedRepair> refused = manager.tracker.all().stream()
        .filter(repair -> repair.involves(busy)).limit(4).collect(Collectors.toList());
    assertEquals(4, refused.size());
    refused.forEach(repair ->
        beat(leader(repair), List.of(failed(repair, busy, FailureCause.OVERLOADED))));
    step(1_000);
    assertEquals(4, ended(EndReason.NODE_FAILED));
    MetricsAsserts.assertGauge("NodesQuarantined", 0, MetricsAsserts.getMetrics(metrics));
  }

  private static Set<NodeRef> named(RepairCommand command) {
    return command.group.live.stream().map(holder -> holder.node).collect(Collectors.toSet());
  }

  private RepairCommand orderOf(LostGroup group) {
    return ordered.get(manager.tracker.byGroup(group.id).get().id);
  }

  /**
   * If the plan used it in a recipe, the destination would read from it, and its load would be
   * counted on other nodes.
   */
  @Test
  void whoIsKeptOutHasNoPartInARecipeEither() throws Exception {
    step(4_000);
    NodeRef out = quarantined();
    LinearCode code = Codes.forCodec(new Configuration(), LRC.codec, LRC.dataUnits,
        LRC.parityUnits);
    LostGroup group = group(100, LRC, 4, 6L * UNIT_BYTES);
    assertTrue(group.live.stream().anyMatch(holder -> holder.unit == 1
        && holder.node.equals(out)));
    assertTrue(code.recipes().stream().filter(recipe -> recipe.isFor(1 << 0)).allMatch(recipe ->
        recipe.helpers().stream().anyMatch(helper -> helper.unit() == 1)),
        "all recipes read its unit");
    books.lose(group);
    step(1_000);
    TrackedRepair repair = manager.tracker.byGroup(group.id).get();
    RepairCommand command = orderOf(group);
    PlanOptions options = new PlanOptions(TreeTopologies.byName(command.topology), 1 << 16, 0, 1)
        .inGivenOrder();
    Set<Integer> planned = new HashSet<>();
    RepairPlanner.plan(command.group, code, command.byDecoding ? options.byDecoding() : options)
        .root.forEach(node -> node.sources.forEach(share -> planned.add(share.unit)));
    assertEquals(repair.assignment.helpers.stream().map(holder -> holder.unit)
        .collect(Collectors.toSet()), planned);
    assertFalse(named(command).contains(out), "the node does not even check the result");
    assertEquals(8, named(command).size(), "all others may stand in");

    beat(leader(repair), List.of(failed(repair, null)));
    running.clear();
    step(2_000);
    assertTrue(named(orderOf(group)).contains(out), "a repair with this node is better than none");
  }

  /** An order names the present address of a node, both for helpers and for destinations. */
  @Test
  void ordersNameTheAddressThatANodeHasNow() {
    step(4_000);
    movedNode = 5;
    step(1_000);
    LostGroup fromIt = group(1, RS, 4, 6L * UNIT_BYTES);
    // All remaining units are needed, including the one on this node.
    fromIt = new LostGroup(fromIt.id, fromIt.groupBytes, RS, fromIt.live.subList(0, 6), fromIt.lost,
        0, now).occupying(fromIt.occupied());
    LostGroup toIt = onNodesBut(5, group(2, RS, 5, 6L * UNIT_BYTES));
    books.lose(fromIt);
    books.lose(toIt);
    step(1_000);
    assertEquals(moved(5).ipAddr, orderOf(toIt).targets.get(0).node.ipAddr);
    List<UnitHolder> live = orderOf(fromIt).group.live;
    assertEquals(6, live.size(), "each unit is named once: " + live);
    assertEquals(List.of(moved(5).ipAddr), live.stream().map(holder -> holder.node)
        .filter(node(5)::equals).map(ref -> ref.ipAddr).collect(Collectors.toList()));
  }

  /** No unit is left over to check the result with. */
  @Test
  void whoIsKeptOutIsNamedWhereOthersAreJustEnough() {
    step(4_000);
    NodeRef out = quarantined();
    LostGroup all = group(100, RS, 4, 6L * UNIT_BYTES);
    LostGroup seven = new LostGroup(all.id, all.groupBytes, RS, all.live.subList(0, 7), all.lost, 1,
        now).occupying(all.occupied());
    assertTrue(all.live.subList(0, 7).stream().anyMatch(holder -> holder.node.equals(out)));
    books.lose(seven);
    LostGroup eight = group(101, RS, 4, 6L * UNIT_BYTES);
    books.lose(eight);
    step(1_000);
    assertTrue(named(orderOf(seven)).contains(out));
    assertFalse(named(orderOf(eight)).contains(out));
  }

  /**
   * Without the units of a node that is kept out, the group could not be repaired for minutes, and
   * might lose another unit meanwhile.
   */
  @Test
  void theUnitsOfANodeThatIsKeptOutAreReadIfThereAreNoOthers() {
    step(4_000);
    NodeRef out = quarantined();
    LostGroup all = group(100, RS, 4, 6L * UNIT_BYTES);
    LostGroup six = new LostGroup(all.id, all.groupBytes, RS, all.live.subList(0, 6), all.lost, 0,
        now).occupying(all.occupied());
    assertTrue(six.live.stream().anyMatch(holder -> holder.node.equals(out)));
    books.lose(six);
    step(1_000);
    assertTrue(named(orderOf(six)).contains(out));
    assertTrue(orderOf(six).targets.stream().noneMatch(target -> target.node.equals(out)));
    // It is still kept out of the repairs that can do without it.
    LostGroup eight = group(101, RS, 4, 6L * UNIT_BYTES);
    books.lose(eight);
    step(1_000);
    assertFalse(named(orderOf(eight)).contains(out));
  }

  /** The NameNode has not heard yet that the replicas are gone; the node's others are all right. */
  @Test
  void aNodeWithoutAReplicaIsNotKeptOut() {
    step(4_000);
    int node = 5;
    lose(NODES);
    step(3_000);
    List<TrackedRepair> with = manager.tracker.all().stream()
        .filter(repair -> repair.involves(node(node).uuid)).limit(6)
        .collect(Collectors.toList());
    assertEquals(6, with.size());
    for (int i = 0; i < with.size(); i++) {
      FailureCause cause = i % 2 == 0 ? FailureCause.NO_SUCH_BLOCK : FailureCause.STALE_REPLICA;
      beat(leader(with.get(i)), List.of(failed(with.get(i), node(node).uuid, cause)));
    }
    step(1_000);
    assertGauge("NodesQuarantined", 0);
  }

  /** A repair that looks for the wrong unit needs all other units. */
  @Test
  void whoIsKeptOutIsNamedWhereUnitsContradictEachOther() {
    step(4_000);
    NodeRef out = quarantined();
    LostGroup group = group(100, RS, 4, 6L * UNIT_BYTES);
    books.lose(group);
    step(1_000);
    assertEquals(1, failAll(group, FailureCause.VERIFICATION, 1_000));
    step(3_000);
    books.end(group.id, RepairEnd.RETURNED);
    running.clear();
    books.lose(group);
    step(5_000);
    assertTrue(named(orderOf(group)).contains(out));
  }

  /**
   * Leaving out each unit in turn took the repair longer than its deadline. Its findings still
   * count.
   */
  @Test
  void whatIsSaidOfUnitsAfterTheDeadlineCounts() {
    step(4_000);
    LostGroup wrong = group(1, RS);
    books.lose(wrong);
    step(3_000);
    TrackedRepair late = manager.tracker.byGroup(wrong.id).get();
    for (int i = 0; manager.tracker.byId(late.id).isPresent(); i++) {
      assertTrue(i < 4_000, "the repair is never given up");
      step(250);
    }
    RepairResult result = failed(late, late.destination().uuid, FailureCause.VERIFICATION);
    beat((leader(late) + 1) % NODES, List.of(result));
    manager.cycle();
    assertInDoubt(0);
    beat(leader(late), List.of(result));
    manager.cycle();
    assertInDoubt(1);
    books.end(wrong.id);
    manager.cycle();
    assertInDoubt(1);
    books.delete(wrong.id);
    beat(leader(late), List.of(result));
    manager.cycle();
    assertInDoubt(0);
  }

  /** Units that come back with their node are the same bytes as before, so the doubt stays. */
  @Test
  void onlyARepairEndsADoubt() {
    step(4_000);
    LostGroup wrong = group(1, RS);
    books.lose(wrong);
    step(1_000);
    assertEquals(1, failAll(wrong, FailureCause.VERIFICATION, 1_000));
    running.clear();
    step(4_000);
    books.end(wrong.id, RepairEnd.RETURNED);
    step(1_000);
    assertEquals(Set.of(wrong.id), books.heldBack);
    assertInDoubt(1);
    books.lose(wrong);
    step(1_000);
    assertTrue(failAll(wrong, FailureCause.DEAD, 120_000) >= 6);
    assertEquals(Set.of(), books.released, "the group is still doubted");
    running.clear();
    for (int i = 0; !manager.tracker.byGroup(wrong.id).isPresent(); i++) {
      assertTrue(i < 4_000, "the group is not tried again");
      step(250);
    }
    TrackedRepair repair = repair(wrong);
    beat(leader(repair), List.of(rebuilt(repair, null)));
    running.clear();
    manager.cycle();
    books.end(wrong.id, RepairEnd.DONE);
    step(1_000);
    assertEquals(Set.of(), books.heldBack);
    assertInDoubt(0);
    books.lose(wrong);
    step(1_000);
    assertTrue(failAll(wrong, FailureCause.DEAD, 120_000) >= 6);
    assertEquals(Set.of(wrong.id), books.released, "the group is repaired like any other");
  }

  /** Returns a group whose unit 0 is on a node that leaves the cluster. */
  private LostGroup leavingGroup(int number, GroupPolicy policy) {
    LostGroup group = group(number, policy);
    List<UnitHolder> live = new ArrayList<>(group.live);
    live.add(new UnitHolder(0, node(number % NODES)));
    List<NodeRef> occupied = new ArrayList<>(group.occupied());
    occupied.add(node(number % NODES));
    return new LostGroup(group.id, group.groupBytes, policy, live, group.lost, 3, now)
        .occupying(occupied);
  }

  /**
   * Stock copies a unit of a leaving node if it cannot be rebuilt. A copy is right even if other
   * units are wrong.
   */
  @Test
  void whatOnlyLeavesIsCopiedByStockWhateverItsCode() {
    step(4_000);
    // The first group uses up the share of units that stock copies anyway.
    books.lose(leavingGroup(0, RS));
    step(1_000);
    books.released.clear();
    LostGroup own = leavingGroup(NODES, LRC);
    LostGroup doubted = leavingGroup(2 * NODES, RS);
    books.lose(own);
    books.lose(doubted);
    step(3_000);
    assertEquals(Set.of(), books.released);
    // The first failed node is left out of later plans. Stock can still copy the unit.
    AtomicBoolean first = new AtomicBoolean(true);
    failAll(own, FailureCause.DEAD, repair -> first.getAndSet(false)
        ? repair.assignment.helpers.get(0).node.uuid : null, 120_000);
    failAll(doubted, FailureCause.VERIFICATION, 120_000);
    assertEquals(Set.of(own.id, doubted.id), books.released);
  }

  /** The group waited behind many others to be handed to stock. Meanwhile it has lost a unit. */
  @Test
  void whatIsNotOnlyLeavingAnyMoreIsNotLeftToStock() {
    step(14_000);
    books.lose(leavingGroup(0, RS));
    step(1_000);
    books.released.clear();
    for (int i = 0; i < 600; i++) {
      books.lose(groupOnAllNodes(1_000 + i));
    }
    LostGroup own = leavingGroup(NODES, LRC);
    books.lose(onAllNodes(own));
    step(250);
    assertEquals(512, books.released.size());
    assertFalse(books.released.contains(own.id));
    books.lose(onAllNodes(group(NODES, LRC)));
    step(20_000);
    assertEquals(600, books.released.size());
    assertFalse(books.released.contains(own.id));
    books.lose(onAllNodes(own));
    step(20_000);
    assertTrue(books.released.contains(own.id), "the unit has come back");
  }

  /** The group has a unit on each node, so there is no plan. It must not go to stock either. */
  @Test
  void aGroupWhoseUnitsContradictEachOtherWaitsForNodes() {
    step(14_000);
    LostGroup wrong = group(1, RS);
    books.lose(wrong);
    step(1_000);
    assertEquals(1, failAll(wrong, FailureCause.VERIFICATION, 1_000));
    books.lose(groupOnAllNodes(1));
    step(400_000);
    assertEquals(Set.of(), books.released);
    books.lose(groupOnAllNodes(2));
    step(1_000);
    assertEquals(Set.of(group(2, RS).id), books.released);
    books.end(wrong.id);
    step(1_000);
    assertInDoubt(1);
  }

  @Test
  void aGroupThatFewNodesCanTakeDoesNotShutOutOthers() {
    step(4_000);
    for (int i = 0; i < 17; i++) {
      books.hasNoStorageFor("u" + i);
    }
    for (int i = 0; i < 6; i++) {
      books.losePicky(group(100 + i, RS));
    }
    step(3_000);
    LostGroup plain = group(500, RS, 9, 6L * UNIT_BYTES);
    books.lose(plain);
    step(2_000);
    assertTrue(manager.tracker.byGroup(plain.id).isPresent());
    assertFalse(books.released.contains(plain.id));
  }

  /** Loses units of groups on nodes 1 to 8, so that the other nodes may be destinations. */
  private void loseOnTheFirstNodes(int groups) {
    for (int i = 0; i < groups; i++) {
      books.lose(group(1_000 + i, RS, 0, 6L * UNIT_BYTES));
    }
  }

  /** Most nodes have only archive storages, and three have disks. */
  @Test
  void nodesWithoutTheWantedStorageAreAskedOnceInAWhileAndNotForEachGroup() {
    step(4_000);
    for (int i = 0; i < 17; i++) {
      books.hasNoDisk("u" + i);
    }
    for (int i = 1; i <= 6; i++) {
      books.lose(group(2_000 + i, RS, 0, 6L * UNIT_BYTES));
      step(4_000);
      assertEquals(i, manager.tracker.size(), "there is no pause for each node");
    }
    for (TrackedRepair repair : manager.tracker.all()) {
      assertTrue(leader(repair) >= 17, repair + " though disks have room");
    }
    int reports = books.reportsWithoutStorage();
    assertTrue(reports > 0 && reports <= 9, reports + " times, of the nodes 0 and 9 to 16");
    books.lose(group(3_000, RS, 0, 6L * UNIT_BYTES / 2));
    step(4_000);
    assertEquals(7, manager.tracker.size());
    assertTrue(books.reportsWithoutStorage() > reports, "half the size may have room");
    reports = books.reportsWithoutStorage();
    step(UnfitStorages.FOR_MS);
    books.lose(group(3_001, RS, 0, 6L * UNIT_BYTES));
    step(4_000);
    assertTrue(books.reportsWithoutStorage() > reports, "nodes get disks, and room");
    assertTrue(books.released.isEmpty());
  }

  @Test
  void storageThatIsOnlyAllowedIsTakenWhereNoneOfTheWantedTypeIs() {
    step(14_000);
    for (int i = 0; i < NODES; i++) {
      books.hasNoDisk("u" + i);
      if (i != 15) {
        books.isFull("u" + i);
      }
    }
    loseOnTheFirstNodes(5);
    step(8_000);
    assertEquals(5, manager.tracker.size());
    assertTrue(manager.tracker.all().stream().allMatch(repair -> leader(repair) == 15));
    assertTrue(books.released.isEmpty());
    LostGroup nowhere = group(7, RS, 7, 6L * UNIT_BYTES);
    assertTrue(nowhere.occupied().contains(node(15)));
    books.lose(nowhere);
    step(8_000);
    assertTrue(books.released.contains(nowhere.id), "stock cannot repair the group either");
  }

  @Test
  void aFewAgentsDoNotTakeOverForAll() {
    withAgents = NODES / 3 - 1;
    step(12_000);
    assertFalse(claims.isOpen());
    withAgents = NODES / 3;
    step(2_000);
    assertTrue(claims.isOpen());
    withAgents = NODES / 6;
    step(15_000);
    assertTrue(claims.isOpen(), "once the claims are open, some agents may be missing");
    withAgents = 1;
    step(15_000);
    assertFalse(claims.isOpen());
  }

  @Test
  void cyclesThatFailAgainAndAgainLeaveRepairsToStock() {
    step(4_000);
    assertTrue(claims.isOpen());
    for (int i = 0; i < 5; i++) {
      manager.cycleFailed();
    }
    assertFalse(claims.isOpen());
    step(60_000);
    assertFalse(claims.isOpen());
    step(300_000);
    assertTrue(claims.isOpen());
  }

  @Test
  void afterSafeModeAllIsAskedForAgain() {
    step(4_000);
    lose(20);
    step(250);
    books.setActive(false);
    step(1_000);
    assertEquals(0, manager.tracker.size());
    assertEquals(20, ended(EndReason.NOT_ACTIVE));
    books.setActive(true);
    running.clear();
    step(4_000);
    assertEquals(20, manager.tracker.size());
  }

  /** When a node of a large cluster leaves, a cycle polls thousands of groups. */
  @Test
  void agentsAreNotCountedForEachGroup() {
    for (int i = 0; i < NODES; i++) {
      beat(i, List.of());
    }
    step(250);
    clockReadsOfAgents = 0;
    step(1_000);
    int before = clockReadsOfAgents;
    assertTrue(before >= 4 * NODES, before + " times");
    for (int i = 0; i < 2_000; i++) {
      books.lose(leavingGroup(i, RS));
    }
    clockReadsOfAgents = 0;
    step(1_000);
    assertEquals(0, manager.tracker.size(), "the manager still listens");
    assertEquals(before, clockReadsOfAgents);
  }

  @Test
  void theNameNodeIsNotAskedForAllNodesInEachCycle() {
    step(4_000);
    nodeLists = 0;
    policyLists = 0;
    step(10_000);
    assertEquals(10, nodeLists, "of 40 cycles");
    assertEquals(10, policyLists);
  }

  /**
   * Returns a group with a unit, or the remainder of one, on each node, so that no node can be a
   * destination.
   */
  private LostGroup groupOnAllNodes(int number) {
    return onAllNodes(group(number, RS));
  }

  private LostGroup onAllNodes(LostGroup group) {
    return onNodesBut(-1, group);
  }

  @Test
  void thousandsOfGroupsGoBackToStockAFewHundredInACycle() {
    step(14_000);
    for (int i = 0; i < 3_000; i++) {
      books.lose(groupOnAllNodes(i));
    }
    books.lose(group(5_000, RS));
    for (int cycle = 1; books.released.size() < 3_000; cycle++) {
      assertTrue(cycle < 100, "only " + books.released.size() + " are released");
      step(250);
      assertTrue(books.releaseCalls() <= cycle, "each cycle releases groups in one call");
      books.claimsChanged();
    }
    assertTrue(books.releasedAtOnceMax() <= 512, books.releasedAtOnceMax() + " at once");
    assertEquals(1, manager.tracker.size(), "a group that waits for its release is not begun");
  }

  /**
   * If a cluster has exactly as many nodes as a group has units and loses a node, no group has a
   * destination.
   */
  @Test
  void whatGoesBackToStockTogetherIsOneLineInTheLog() {
    step(14_000);
    for (int i = 0; i < 300; i++) {
      books.lose(groupOnAllNodes(i));
    }
    GenericTestUtils.LogCapturer log = GenericTestUtils.LogCapturer.captureLogs(
        LoggerFactory.getLogger(StockHandOver.class));
    try {
      step(250);
    } finally {
      log.stopCapturing();
    }
    assertEquals(300, books.released.size());
    List<String> lines = log.getOutput().lines().filter(line -> line.contains("left to stock"))
        .collect(Collectors.toList());
    assertEquals(1, lines.size(), log.getOutput());
    assertTrue(lines.get(0).contains("300 groups"), lines.get(0));
    assertTrue(lines.get(0).contains("no DataNode may take the lost units"), lines.get(0));
  }

  /** The DataNodes know a newer term, as after a rollback of the NameNode's metadata. */
  @Test
  void dataNodesThatKnowANewerTermAreWonBack() {
    knownTerm = 90;
    step(4_000);
    lose(20);
    step(3_000);
    assertEquals(20, commands);
    for (TrackedRepair repair : manager.tracker.all()) {
      assertTrue(repair.term() > 90, repair.toString());
    }
    // Running repairs go on in the newer term. Repairs that were not ordered yet are ordered in the
    // newer term.
    List<TrackedRepair> before = manager.tracker.all();
    LostGroup another = group(30, RS);
    books.lose(another);
    manager.cycle();
    knownTerm = 200;
    beat((leader(manager.tracker.byGroup(another.id).get()) + 1) % NODES, List.of());
    step(6_000);
    assertTrue(manager.tracker.all().containsAll(before));
    assertEquals(21, manager.tracker.size());
    assertEquals(21, commands);
    assertEquals(1, books.aborts());
    TrackedRepair first = before.get(0);
    beat(leader(first), List.of(failed(first, first.destination().uuid)));
    step(250);
    assertEquals(2, books.aborts(), "the end of the repair counts");
  }

  /** The DataNode was restarted, or the answer with the command was lost. */
  @Test
  void whatItsDestinationHasForgottenIsPlannedAnewWithinAFewHeartbeats() {
    step(4_000);
    lose(20);
    step(3_000);
    TrackedRepair first = manager.tracker.all().get(0);
    long others = manager.tracker.all().stream()
        .filter(repair -> leader(repair) != leader(first)).count();
    running.remove(leader(first));
    step(6_000);
    assertEquals(20 - others, books.aborts());
    assertEquals(20, manager.tracker.size());
    TrackedRepair second = manager.tracker.byGroup(first.assignment.group.id).get();
    assertTrue(!second.destination().equals(first.destination()));
    step(20_000);
    assertEquals(20 - others, books.aborts(), "no other repair is given up");
  }

  private void saysThatItRepairs(int number, String id, long term, LostGroup group) {
    running.computeIfAbsent(number, key -> new ArrayList<>())
        .add(new RunningRepair(id, term, group.id.groupId, 1001, 0));
  }

  @Test
  void aNodeThatSaysItIsAtWorkOnEverythingBlocksNothing() {
    step(4_000);
    for (int i = 0; i < 20; i++) {
      saysThatItRepairs(7, "made-up-" + i, books.term(), group(i, RS));
      saysThatItRepairs(7, "newer-" + i, books.term() + 1, group(i, RS));
    }
    step(2_000);
    lose(20);
    step(3_000);
    assertEquals(20, manager.tracker.size());
  }

  @Test
  void whatAnotherNameNodeOrderedGoesOnForATimeThatIsBounded() {
    LostGroup atWork = group(1, RS);
    LostGroup claimed = group(2, RS);
    saysThatItRepairs(7, "4-1", books.term() - 1, atWork);
    saysThatItRepairs(8, "4-2", books.term() - 1, claimed);
    step(4_000);
    lose(3);
    step(20_000);
    assertEquals(1, manager.tracker.size());
    running.remove(7);
    step(4_000);
    assertTrue(manager.tracker.byGroup(atWork.id).isPresent());
    assertFalse(manager.tracker.byGroup(claimed.id).isPresent());
    step(300_000);
    assertTrue(manager.tracker.byGroup(claimed.id).isPresent());
  }

  @Test
  void oneNodeHoldsUpNoMoreGroupsThanItCanHaveOrders() {
    List<LostGroup> groups = new ArrayList<>();
    for (int i = 0; i < DataNodeAgents.AT_WORK_MAX + 100; i++) {
      groups.add(group(i, RS));
      saysThatItRepairs(7, "4-" + i, books.term() - 1, groups.get(i));
    }
    step(4_000);
    assertEquals(DataNodeAgents.AT_WORK_MAX, agents.groupsAtWork((uuid, repair) -> true).size());
    assertTrue(agents.groupsAtWork((uuid, repair) -> false).isEmpty());
  }

  /**
   * The manager has given the repair up, but the DataNode has not heard of it or goes on in spite
   * of it.
   */
  @Test
  void whatGoesOnThoughItWasGivenUpIsWaitedForUntilItsDeadline() {
    step(4_000);
    lose(1);
    step(3_000);
    TrackedRepair first = manager.tracker.all().get(0);
    // The node reports the result, and still names the repair as running.
    beat(leader(first), List.of(failed(first, "u3")));
    step(20_000);
    assertEquals(1, books.aborts());
    assertEquals(0, manager.tracker.size(), "no second repair of the group begins");
    step(first.deadlineMs - now);
    assertEquals(0, manager.tracker.size(),
        "until then the destination may still work on the repair");
    step(1_000);
    assertEquals(1, manager.tracker.size());
  }

  /** Polls return some groups again although nothing about them has changed. */
  @Test
  void whatIsLookedAtOnceMoreIsNotPlannedOnceMore() {
    step(4_000);
    withAgents = 0;
    now += 11_000;
    LostGroup group = group(1, RS);
    books.lose(group);
    step(1_000);
    MetricsAsserts.assertCounter("PlansRefused", 1L, MetricsAsserts.getMetrics(metrics));
    for (int i = 0; i < 8; i++) {
      books.lose(group);
      step(250);
    }
    MetricsAsserts.assertCounter("PlansRefused", 1L, MetricsAsserts.getMetrics(metrics));
  }

  /**
   * Repairs that are admitted later make a running repair slower. A repair after a failure may be
   * slow too.
   */
  @Test
  void aRepairHasTimeForAllThatMayBeginBesideItAndMoreAfterAFailure() {
    step(4_000);
    LostGroup small = group(1, RS);
    LostGroup large = group(2, RS, 2, 6L << 30);
    books.lose(small);
    books.lose(large);
    step(3_000);
    TrackedRepair first = manager.tracker.byGroup(small.id).get();
    TrackedRepair longer = manager.tracker.byGroup(large.id).get();
    long time = first.deadlineMs - first.startedMs;
    assertTrue(longer.deadlineMs - longer.startedMs > 2 * time,
        "alone a GiB over such links takes no longer than the least time");
    beat(leader(first), List.of(failed(first, null)));
    running.clear();
    step(3_000);
    TrackedRepair second = manager.tracker.byGroup(small.id).get();
    assertFalse(second.id.equals(first.id));
    assertEquals(2 * time, second.deadlineMs - second.startedMs);
  }

  private long secondsFor(LostGroup group) {
    books.lose(group);
    step(3_000);
    TrackedRepair repair = manager.tracker.byGroup(group.id).get();
    return (repair.deadlineMs - repair.startedMs) / 1000;
  }

  /**
   * Operators limit what repairs read and write. A repair gets the time that the limits require,
   * and no node is blamed.
   */
  @Test
  void aRepairHasTimeForTheLimitsOfItsNodes() {
    int limit = 1 << 18;
    step(4_000);
    long free = secondsFor(group(1, RS));
    assertTrue(free < 3 * 64 * UNIT_BYTES / limit, free + " s without limits");
    loads = number -> IDLE.withLimits(limit, NodeLoad.UNLIMITED);
    step(2_000);
    long reading = secondsFor(group(2, RS, 2, 6L * 64 * UNIT_BYTES));
    assertTrue(reading >= 3 * 64 * UNIT_BYTES / limit, reading + " s where reads are limited");
    loads = number -> IDLE.withLimits(NodeLoad.UNLIMITED, limit);
    step(2_000);
    long writing = secondsFor(group(3, RS, 3, 6L * 64 * UNIT_BYTES));
    assertTrue(writing >= 3 * 64 * UNIT_BYTES / limit, writing + " s where writes are limited");
  }

  /**
   * The manager counts the progress that heartbeats report, and does not wait for the ends of
   * repairs.
   */
  @Test
  void whatIsDoneOfRepairsMakesRoomForOthers() {
    step(4_000);
    lose(500);
    step(3_000);
    int room = manager.tracker.size();
    step(3_000);
    assertTrue(room < 500);
    assertEquals(room, manager.tracker.size());
    running.values().forEach(repairs -> repairs.replaceAll(repair -> new RunningRepair(
        repair.repairId, repair.term, repair.groupId, repair.generationStamp, 90)));
    step(3_000);
    assertTrue(manager.tracker.size() > room, room + " before and now");
  }

  private TrackedRepair repair(LostGroup group) {
    return manager.tracker.byGroup(group.id).get();
  }

  private boolean isOrderedAsDoubted(LostGroup group) {
    return ordered.get(repair(group).id).doubted;
  }

  /** Ends the running repair of a group with this failure. */
  private void fail(LostGroup group, FailureCause cause) {
    TrackedRepair repair = repair(group);
    running.get(leader(repair)).removeIf(one -> one.repairId.equals(repair.id));
    beat(leader(repair), List.of(failed(repair, null, cause)));
  }

  private void assertGauge(String name, int value) {
    MetricsAsserts.assertGauge(name, value, MetricsAsserts.getMetrics(metrics));
  }

  /** Checks that this number of groups is held back from stock, suspected or doubted. */
  private void assertInDoubt(int groups) {
    assertEquals(groups, books.heldBack.size());
    MetricsRecordBuilder record = MetricsAsserts.getMetrics(metrics);
    assertEquals(groups, MetricsAsserts.getIntGauge("GroupsDoubted", record)
        + MetricsAsserts.getIntGauge("GroupsSuspected", record));
  }

  /** Returns the group with unit 1 lost as well. */
  private LostGroup withoutUnit1(LostGroup group) {
    return new LostGroup(group.id, group.groupBytes, group.policy,
        group.live.stream().filter(holder -> holder.unit > 1).collect(Collectors.toList()),
        List.of(0, 1), 1, group.sinceMs).occupying(group.occupied());
  }

  /**
   * Every repair of the group has to check all bytes, even if repairs fail often or the group loses
   * more units.
   */
  @Test
  void aGroupWhoseUnitsContradictEachOtherIsOrderedAsSuchUntilItIsRebuilt() {
    step(4_000);
    LostGroup wrong = group(1, RS);
    LostGroup other = group(2, RS);
    books.lose(wrong);
    books.lose(other);
    step(3_000);
    assertFalse(isOrderedAsDoubted(wrong));
    fail(wrong, FailureCause.VERIFICATION);
    step(5_000);
    assertTrue(isOrderedAsDoubted(wrong));
    books.lose(withoutUnit1(wrong));
    fail(wrong, FailureCause.DEAD);
    books.lose(withoutUnit1(wrong));
    step(10_000);
    assertTrue(isOrderedAsDoubted(wrong));
    assertEquals(2, repair(wrong).assignment.targets.size());
    assertFalse(isOrderedAsDoubted(other));
    assertInDoubt(1);
    beat(leader(repair(wrong)), List.of(rebuilt(repair(wrong), null)));
    step(250);
    books.end(wrong.id, RepairEnd.DONE);
    step(250);
    assertInDoubt(0);
    running.clear();
    books.lose(wrong);
    step(3_000);
    assertFalse(isOrderedAsDoubted(wrong), "all that was read agreed");
  }

  /** A helper that has failed before is better than no extra unit to check the others with. */
  @Test
  void whoFailedStillHelpsToCheckAGroupWhoseUnitsContradictEachOther() {
    step(4_000);
    LostGroup wrong = withoutUnit1(group(1, RS));
    books.lose(wrong);
    step(3_000);
    fail(wrong, FailureCause.VERIFICATION);
    step(5_000);
    TrackedRepair repair = repair(wrong);
    running.clear();
    beat(leader(repair), List.of(failed(repair,
        repair.assignment.helpers.get(0).node.uuid, FailureCause.DEAD)));
    step(10_000);
    assertEquals(RS.dataUnits + 1, ordered.get(repair(wrong).id).group.live.size());
  }

  /**
   * The first repair reports its finding late. The returned second repair, which checks samples
   * only, is already running.
   */
  private TrackedRepair secondBeforeTheDoubt(LostGroup wrong) {
    TrackedRepair late = firstOfTwo(wrong);
    beat(leader(late),
        List.of(failed(late, late.destination().uuid, FailureCause.VERIFICATION)));
    return repair(wrong);
  }

  /** Returns a repair that the manager has given up, while the next repair is already running. */
  private TrackedRepair firstOfTwo(LostGroup wrong) {
    step(4_000);
    books.lose(wrong);
    step(3_000);
    TrackedRepair late = repair(wrong);
    for (int i = 0; manager.tracker.byId(late.id).isPresent(); i++) {
      assertTrue(i < 4_000, "the repair is never given up");
      step(250);
    }
    running.clear();
    step(10_000);
    assertFalse(isOrderedAsDoubted(wrong));
    return late;
  }

  /** Samples that agree, and units that come back, say nothing about the wrong unit. */
  @Test
  void whatIsSaidOfUnitsAfterTheGroupIsWholeCounts() {
    for (RepairEnd end : new RepairEnd[] {RepairEnd.DONE, RepairEnd.RETURNED}) {
      start();
      LostGroup wrong = group(1, RS);
      TrackedRepair late = firstOfTwo(wrong);
      books.end(wrong.id, end);
      manager.cycle();
      assertInDoubt(0);
      beat(leader(late),
          List.of(failed(late, late.destination().uuid, FailureCause.VERIFICATION)));
      manager.cycle();
      assertInDoubt(1);
      books.delete(wrong.id);
      running.clear();
    }
  }

  /** The bytes agreed only without one unit, and then a target could not be written. */
  @Test
  void whatIsSaidOfUnitsByWhoRebuiltOnlySomeCounts() {
    start();
    step(4_000);
    LostGroup wrong = group(1, RS);
    books.lose(wrong);
    step(3_000);
    TrackedRepair repair = repair(wrong);
    beat(leader(repair), List.of(new RepairResult(repair.id, repair.term(), RepairOutcome.REBUILT,
        List.of(), 0, 0).withFailure(repair.destination().uuid, FailureCause.VERIFICATION,
        "test")));
    manager.cycle();
    assertInDoubt(1);
  }

  @Test
  void whatWasOrderedBeforeTheDoubtIsEnded() {
    LostGroup wrong = group(1, RS);
    TrackedRepair second = secondBeforeTheDoubt(wrong);
    manager.cycle();
    assertFalse(isUnderWay(wrong));
    assertEquals(List.of(second.id), cancelled(beat(leader(second), List.of()), second));
    running.clear();
    step(10_000);
    assertTrue(isOrderedAsDoubted(wrong));
  }

  @Test
  void whatWasOrderedBeforeTheDoubtDoesNotEndIt() {
    for (RepairEnd end : new RepairEnd[] {RepairEnd.DONE, RepairEnd.RETURNED}) {
      start();
      LostGroup wrong = group(1, RS);
      secondBeforeTheDoubt(wrong);
      books.end(wrong.id, end);
      manager.cycle();
      assertInDoubt(1);
      running.clear();
      books.lose(wrong);
      step(10_000);
      assertTrue(isOrderedAsDoubted(wrong), end + " has checked nothing");
      books.end(wrong.id, RepairEnd.DELETED);
      manager.cycle();
      assertInDoubt(0);
      running.clear();
    }
  }

  /** Returns a repair of a group that was doubted before. */
  private TrackedRepair doubtedRepair(LostGroup wrong) {
    step(4_000);
    books.lose(wrong);
    step(3_000);
    fail(wrong, FailureCause.VERIFICATION);
    step(5_000);
    assertTrue(isOrderedAsDoubted(wrong));
    return repair(wrong);
  }

  /**
   * The presence of the units does not say which repair wrote them. It may be a repair that checked
   * samples only.
   */
  @Test
  void aDoubtEndsWithTheWordOfTheRepairItself() {
    LostGroup wrong = group(1, RS);
    TrackedRepair repair = doubtedRepair(wrong);
    books.end(wrong.id, RepairEnd.DONE);
    manager.cycle();
    assertInDoubt(1);
    beat((leader(repair) + 1) % NODES, List.of(rebuilt(repair, null)));
    manager.cycle();
    assertInDoubt(1);
    beat(leader(repair), List.of(new RepairResult(repair.id, repair.term(), RepairOutcome.REBUILT,
        List.of(), 0, 0).withFailure(null, null, "test")));
    manager.cycle();
    assertInDoubt(1);
    beat(leader(repair), List.of(rebuilt(repair, null)));
    manager.cycle();
    assertInDoubt(0);
  }

  /** The wrong unit is known, and still exists. */
  @Test
  void aRepairThatLeftOutAUnitDoesNotEndTheDoubt() {
    LostGroup wrong = group(1, RS);
    TrackedRepair repair = doubtedRepair(wrong);
    beat(leader(repair), List.of(rebuilt(repair, FailureCause.VERIFICATION)));
    manager.cycle();
    books.end(wrong.id, RepairEnd.DONE);
    step(3_000);
    assertInDoubt(1);
    running.clear();
    books.lose(wrong);
    step(3_000);
    assertTrue(isOrderedAsDoubted(wrong));
    // The two events come in the other order here.
    repair = repair(wrong);
    books.end(wrong.id, RepairEnd.DONE);
    manager.cycle();
    beat(leader(repair), List.of(rebuilt(repair, FailureCause.VERIFICATION)));
    step(3_000);
    assertInDoubt(1);
  }

  /**
   * The next repair is ordered as doubted, does not include the wrong unit, and does not report
   * what it has read.
   */
  @Test
  void aDoubtStaysAsLongAsTheUnitThatWasLeftOutIsThereAndUnread() {
    LostGroup wrong = group(1, RS);
    TrackedRepair repair = doubtedRepair(wrong);
    String bad = wrong.live.get(7).node.uuid;
    beat(leader(repair), List.of(withoutOne(repair, bad, false)));
    manager.cycle();
    books.end(wrong.id, RepairEnd.DONE);
    running.clear();
    step(3_000);
    books.lose(wrong);
    step(3_000);
    assertTrue(isOrderedAsDoubted(wrong));
    beat(leader(repair(wrong)), List.of(rebuiltByAnOldNode(repair(wrong))));
    manager.cycle();
    books.end(wrong.id, RepairEnd.DONE);
    step(1_000);
    assertInDoubt(1);
  }

  /** Two repairs together have read each of the group's units. */
  @Test
  void aDoubtEndsWhenTheUnitThatWasLeftOutHasBeenRead() {
    LostGroup wrong = group(1, RS);
    TrackedRepair repair = doubtedRepair(wrong);
    String bad = wrong.live.get(7).node.uuid;
    beat(leader(repair), List.of(withoutOne(repair, bad, false)
        .withReadUnits(List.of(1, 2, 3, 4, 5, 6, 7))));
    manager.cycle();
    books.end(wrong.id, RepairEnd.DONE);
    int doubted = 1;
    for (List<Integer> read : List.of(List.of(1, 2, 3, 4, 5, 6, 7), List.of(8, 2, 3, 4, 5, 6, 7))) {
      running.clear();
      step(3_000);
      assertInDoubt(doubted);
      books.lose(wrong);
      step(3_000);
      beat(leader(repair(wrong)), List.of(rebuilt(repair(wrong), null).withReadUnits(read)));
      manager.cycle();
      books.end(wrong.id, RepairEnd.DONE);
      manager.cycle();
      doubted = read.contains(8) ? 0 : 1;
      assertInDoubt(doubted);
    }
    assertEquals(0, doubted);
  }

  /** The new unit was computed from units that agree. */
  @Test
  void aDoubtEndsWhenTheUnitThatWasLeftOutIsWrittenAnewElsewhere() {
    LostGroup all = group(1, RS);
    TrackedRepair repair = doubtedRepair(all);
    NodeRef bad = all.live.get(7).node;
    beat(leader(repair), List.of(withoutOne(repair, bad.uuid, false)
        .withReadUnits(List.of(1, 2, 3, 4, 5, 6, 7))));
    manager.cycle();
    books.end(all.id, RepairEnd.DONE);
    running.clear();
    step(1_000);
    List<NodeRef> occupied = new ArrayList<>(all.occupied());
    occupied.remove(bad);
    LostGroup without = new LostGroup(all.id, all.groupBytes, RS, all.live.subList(0, 7),
        List.of(8), 1, now).occupying(occupied);
    books.lose(without);
    step(3_000);
    assertInDoubt(1);
    rebuild(without);
    assertInDoubt(0);
  }

  /**
   * One more unit is there than when the contradiction was found, and the repair may have read it
   * in place of the wrong unit.
   */
  @Test
  void aNodeThatHasNotReadAllRefutesNothingAndEndsNoDoubt() {
    step(4_000);
    LostGroup all = group(1, RS);
    LostGroup first = new LostGroup(all.id, all.groupBytes, RS, all.live.subList(0, 7), List.of(0),
        1, now).occupying(all.occupied());
    books.lose(first);
    step(3_000);
    GenericTestUtils.LogCapturer log = GenericTestUtils.LogCapturer.captureLogs(
        LoggerFactory.getLogger("org.hdfsppr.namenode.manage"));
    try {
      fail(first, FailureCause.VERIFICATION);
      books.lose(all);
      step(5_000);
      assertTrue(isOrderedAsDoubted(all));
      assertEquals(8, repair(all).assignment.group.live.size());
      beat(leader(repair(all)), List.of(rebuiltByAnOldNode(repair(all))));
      manager.cycle();
      books.end(all.id, RepairEnd.DONE);
      step(1_000);
    } finally {
      log.stopCapturing();
    }
    assertFalse(log.getOutput().contains("contradict each other, has calculated wrongly"),
        log.getOutput());
    assertInDoubt(1);
  }

  /** The group was not doubted before this repair. */
  @Test
  void aRepairThatLeftOutAUnitBeginsADoubt() {
    step(4_000);
    LostGroup wrong = group(1, RS);
    books.lose(wrong);
    step(3_000);
    TrackedRepair repair = repair(wrong);
    beat(leader(repair), List.of(rebuilt(repair, FailureCause.VERIFICATION)));
    manager.cycle();
    assertInDoubt(1);
    assertTrue(isUnderWay(wrong), "the repair has not failed");
  }

  /** The destination reports while the cycle takes in the news of the NameNode. */
  @Test
  void whatIsSaidOfUnitsWhileTheRepairEndsCounts() {
    step(4_000);
    LostGroup wrong = group(1, RS);
    books.lose(wrong);
    step(3_000);
    TrackedRepair repair = repair(wrong);
    books.beforePoll(() -> {
      books.beforePoll(() -> { });
      beat(leader(repair), List.of(failed(repair, null, FailureCause.VERIFICATION)));
      books.end(wrong.id, RepairEnd.RETURNED);
    });
    manager.cycle();
    assertFalse(isUnderWay(wrong));
    manager.cycle();
    assertInDoubt(1);
  }

  /** The manager schedules nothing, as in safe mode. */
  @Test
  void whatIsSaidOfUnitsWhileNothingIsScheduledCounts() {
    step(4_000);
    LostGroup early = group(1, RS);
    LostGroup late = group(2, RS);
    books.lose(early);
    books.lose(late);
    step(3_000);
    TrackedRepair first = repair(early);
    TrackedRepair second = repair(late);
    beat(leader(first), List.of(failed(first, null, FailureCause.VERIFICATION)));
    books.setActive(false);
    manager.cycle();
    assertEquals(0, manager.tracker.size());
    beat(leader(second), List.of(failed(second, null, FailureCause.VERIFICATION)));
    manager.cycle();
    assertInDoubt(2);
  }

  /**
   * Whichever exception ends a launch, its load must be removed, because nodes would otherwise look
   * busy for ever.
   */
  @Test
  void whatHasNotBegunCountsNowhere() {
    step(4_000);
    lose(20 * NODES);
    step(250);
    int begun = books.begun();
    assertTrue(begun > 0 && begun < 20 * NODES, begun + " begin at once");
    start();
    books.setActive(false);
    manager.cycle();
    books.setActive(true);
    books.beforeBegin(() -> {
      throw new OutOfMemoryError("test");
    });
    int failed = 0;
    for (int i = 0; i < 100; i++) {
      try {
        step(250);
      } catch (OutOfMemoryError e) {
        failed++;
      }
    }
    assertTrue(failed >= 5, failed + " cycles have failed");
    assertEquals(0, books.begun());
    books.beforeBegin(() -> { });
    step(2_000);
    assertEquals(begun, books.begun());
  }

  /** A file of one cell can be decoded from any single unit. */
  @Test
  void whoFailedHelpsNoShortGroupThatOthersSufficeFor() {
    step(4_000);
    LostGroup all = group(1, RS, 1, 1);
    LostGroup small = new LostGroup(all.id, 1, RS,
        all.live.stream().filter(holder -> holder.unit >= RS.dataUnits)
            .collect(Collectors.toList()), List.of(0), 2, now).occupying(all.occupied());
    books.lose(small);
    step(3_000);
    TrackedRepair repair = repair(small);
    String helper = repair.assignment.helpers.get(0).node.uuid;
    running.clear();
    beat(leader(repair), List.of(failed(repair, helper, FailureCause.DEAD)));
    step(5_000);
    assertTrue(repair(small).assignment.helpers.stream()
        .noneMatch(holder -> holder.node.uuid.equals(helper)));
  }

  /** DataNodes of older versions would check samples, or nothing. */
  @Test
  void nodesThatDoNotKnowOfDoubtsGetNoGroupWhoseUnitsContradictEachOther() {
    versions = number -> 1;
    step(14_000);
    LostGroup wrong = group(1, RS);
    books.lose(wrong);
    step(3_000);
    fail(wrong, FailureCause.VERIFICATION);
    GenericTestUtils.LogCapturer log = GenericTestUtils.LogCapturer.captureLogs(
        LoggerFactory.getLogger(DestinationRules.class));
    try {
      int before = commands;
      step(60_000);
      assertEquals(before, commands);
    } finally {
      log.stopCapturing();
    }
    assertTrue(log.getOutput().contains("1 group whose units contradict each other is held"),
        log.getOutput());
    assertEquals(Set.of(), books.released);
    assertInDoubt(1);
    int upgraded = 15;
    versions = number -> number == upgraded ? 2 : 1;
    step(15_000);
    assertEquals(upgraded, leader(repair(wrong)));
    assertTrue(isOrderedAsDoubted(wrong));
  }

  /** Ends the group's repair as a node that computes correctly would, and tells the books. */
  private void rebuild(LostGroup group) {
    TrackedRepair repair = repair(group);
    beat(leader(repair), List.of(rebuilt(repair, null)));
    manager.cycle();
    books.end(group.id, RepairEnd.DONE);
    running.clear();
    manager.cycle();
  }

  /** The node that found the contradiction may itself compute wrongly, so another node decides. */
  @Test
  void oneFailedCheckMakesNoDoubt() {
    step(4_000);
    LostGroup group = group(1, RS);
    books.lose(group);
    step(3_000);
    int first = leader(repair(group));
    fail(group, FailureCause.VERIFICATION);
    step(5_000);
    assertGauge("GroupsDoubted", 0);
    assertEquals(Set.of(group.id), books.heldBack, "stock would not check the bytes");
    assertTrue(first != leader(repair(group)), "another destination decides");
    assertTrue(isOrderedAsDoubted(group));
    rebuild(group);
    assertGauge("GroupsDoubted", 0);
    assertEquals(Set.of(), books.heldBack);
  }

  @Test
  void twoNodesThatAgreeMakeADoubt() {
    step(4_000);
    LostGroup group = group(1, RS);
    books.lose(group);
    step(3_000);
    fail(group, FailureCause.VERIFICATION);
    step(5_000);
    assertGauge("GroupsDoubted", 0);
    assertGauge("GroupsSuspected", 1);
    fail(group, FailureCause.VERIFICATION);
    step(5_000);
    assertGauge("GroupsDoubted", 1);
    assertGauge("GroupsSuspected", 0);
    assertGauge("NodesQuarantined", 0);
    assertEquals(Set.of(group.id), books.heldBack);
  }

  /** If no other node can decide, the group is doubted, and operators must be able to see it. */
  @Test
  void whatNoOtherNodeDecidesIsDoubted() {
    step(4_000);
    LostGroup returned = group(1, RS);
    books.lose(returned);
    step(3_000);
    fail(returned, FailureCause.VERIFICATION);
    step(5_000);
    books.end(returned.id, RepairEnd.RETURNED);
    running.clear();
    step(1_000);
    assertGauge("GroupsDoubted", 1);
    LostGroup failing = group(2, RS);
    books.lose(failing);
    step(3_000);
    fail(failing, FailureCause.VERIFICATION);
    step(5_000);
    failAll(failing, FailureCause.DEAD, 120_000);
    assertGauge("GroupsDoubted", 2);
    assertEquals(Set.of(), books.released);
  }

  /** Returns the group with only these nodes as possible destinations. */
  private LostGroup onNodesBut(Set<Integer> free, LostGroup group) {
    List<NodeRef> occupied = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      if (!free.contains(i)) {
        occupied.add(node(i));
      }
    }
    return new LostGroup(group.id, group.groupBytes, group.policy, group.live, group.lost,
        group.spareUnits, now).occupying(occupied);
  }

  private static final int BAD = 17;

  /** Repairs that the node leads fail their checks, and repairs that other nodes lead do not. */
  private void letLead(int from, int groups) {
    for (int i = from; i < from + groups; i++) {
      LostGroup group = onNodesBut(Set.of(BAD, 15 + i % 2), group(i, RS, 0, 6L * UNIT_BYTES));
      books.lose(group);
      for (int steps = 0; !isUnderWay(group) || leader(repair(group)) == BAD; steps++) {
        assertTrue(steps < 200, "no other node repairs the group");
        if (isUnderWay(group)) {
          running.clear();
          beat(BAD, List.of(failed(repair(group), "u" + BAD, FailureCause.VERIFICATION)));
        }
        step(1_000);
      }
      rebuild(group);
    }
  }

  @Test
  void aNodeThatCalculatesWronglyIsKeptOut() {
    step(14_000);
    GenericTestUtils.LogCapturer log = GenericTestUtils.LogCapturer.captureLogs(
        LoggerFactory.getLogger("org.hdfsppr.namenode.manage"));
    try {
      letLead(0, 40);
    } finally {
      log.stopCapturing();
    }
    step(2_000);
    assertGauge("NodesQuarantined", 1);
    assertGauge("GroupsDoubted", 0);
    assertEquals(Set.of(), books.heldBack);
    assertTrue(log.getOutput().contains("DataNode u" + BAD + " seems to be bad"),
        log.getOutput());
    LostGroup two = onNodesBut(Set.of(BAD, 15), group(199, RS, 0, 6L * UNIT_BYTES));
    books.lose(two);
    step(10_000);
    assertEquals(15, leader(repair(two)), "the node gets no repair that another node can take");
  }

  /** If the node were kept out, the lost unit would have no destination. */
  @Test
  void aNodeThatCalculatesWronglyLeadsWhatNoOtherNodeCanTake() {
    step(14_000);
    letLead(0, 40);
    step(2_000);
    LostGroup only = onNodesBut(BAD, group(200, RS, 0, 6L * UNIT_BYTES));
    books.lose(only);
    step(10_000);
    assertTrue(isUnderWay(only), "the group is repaired");
    assertEquals(BAD, leader(repair(only)));
    assertTrue(isOrderedAsDoubted(only), "every byte is checked");
    assertEquals(Set.of(), books.heldBack);
    assertEquals(Set.of(), books.released);
  }

  /**
   * Units on this node cannot be read the stock way. With one more loss, the group would be lost,
   * so its repairs use the node.
   */
  @ParameterizedTest
  @ValueSource(ints = {6, 7})
  void whatCannotBeReadOtherwiseIsHadFromANodeThatCalculatesWrongly(int live) {
    step(14_000);
    letLead(0, 40);
    step(2_000);
    LostGroup all = group(300, HITCHHIKER, BAD - 1, 6L * UNIT_BYTES);
    List<Integer> lost = new ArrayList<>(List.of(0));
    for (int unit = live; unit < 8; unit++) {
      lost.add(unit + 1);
    }
    LostGroup group = new LostGroup(all.id, all.groupBytes, HITCHHIKER, all.live.subList(0, live),
        lost, live - 6, now).occupying(all.occupied());
    GenericTestUtils.LogCapturer log = GenericTestUtils.LogCapturer.captureLogs(
        LoggerFactory.getLogger(DestinationRules.class));
    try {
      books.lose(group);
      step(15_000);
    } finally {
      log.stopCapturing();
    }
    assertTrue(isUnderWay(group), "the group is repaired");
    boolean isNeeded = live == 6;
    assertEquals(isNeeded, repair(group).assignment.helpers.stream()
        .anyMatch(holder -> holder.node.uuid.equals("u" + BAD)));
    RepairCommand command = orderOf(group);
    assertEquals(isNeeded, command.group.live.stream().anyMatch(holder ->
        holder.node.uuid.equals("u" + BAD) && holder.node.runsExtension()));
    assertFalse(command.doubted, "no unit is left to check with, or the node takes no part");
    assertTrue(leader(repair(group)) != BAD, "other nodes can lead");
    assertEquals(isNeeded ? 1 : 0, log.getOutput().split(
        "cannot be repaired without a DataNode that seems to calculate wrongly", -1).length - 1);
  }

  /**
   * For codes with local groups, more units than a decode needs may still have no relation between
   * them that could be checked.
   */
  @Test
  void whatCannotBeCheckedForANodeThatCalculatesWronglyIsRepairedAllTheSame() {
    step(14_000);
    letLead(0, 40);
    step(2_000);
    LostGroup group = onNodesBut(BAD, group(200, RS, 0, 6L * UNIT_BYTES));
    books.lose(group);
    step(10_000);
    assertTrue(isOrderedAsDoubted(group));
    TrackedRepair repair = repair(group);
    running.clear();
    beat(leader(repair), List.of(new RepairResult(repair.id, repair.term(), RepairOutcome.FAILED,
        List.of(), 0, 0).withFailure(null, null, RepairResult.TOO_FEW_HELPERS + ": a test")));
    step(10_000);
    assertTrue(isUnderWay(group));
    assertFalse(isOrderedAsDoubted(group));
  }

  /**
   * If more nodes should be kept out than may be, the first ones are kept out and the others are
   * named.
   */
  @Test
  void whoIsKeptOutIsNotReplacedByALaterOne() {
    FaultyNodes faulty = new FaultyNodes(() -> now);
    List<String> order = List.of("u9", "u3", "u5");
    for (String bad : order) {
      now += 1_000;
      for (int i = 0; i < 3; i++) {
        faulty.mark(bad, new GroupId("BP", -16L * i - 16, 1), "u" + (i % 2));
      }
    }
    assertEquals(order, faulty.longestFirst());
  }

  /** The node's stored replicas are right, and repairs read them the stock way. */
  @Test
  void whatANodeThatCalculatesWronglyStoresIsReadAllTheSame() {
    step(14_000);
    letLead(0, 40);
    step(2_000);
    for (boolean isNeeded : new boolean[] {false, true}) {
      LostGroup all = group(isNeeded ? 300 : 301, RS, BAD - 1, 6L * UNIT_BYTES);
      LostGroup group = isNeeded ? new LostGroup(all.id, all.groupBytes, RS, all.live.subList(0, 6),
          List.of(0), 0, now).occupying(all.occupied()) : all;
      books.lose(group);
      step(2_000);
      RepairCommand command = ordered.get(repair(group).id);
      UnitHolder bad = command.group.live.stream()
          .filter(holder -> holder.node.uuid.equals("u" + BAD)).findFirst().get();
      assertFalse(bad.node.runsExtension(), "the node adds no sums");
      assertEquals(isNeeded, repair(group).assignment.helpers.stream()
          .anyMatch(holder -> holder.node.uuid.equals("u" + BAD)), "other helpers come first");
      assertFalse(command.doubted, "no unit is left to check with, or the node is not read");
      books.end(group.id, RepairEnd.DONE);
      running.clear();
      manager.cycle();
    }
  }

  private RepairResult withoutOne(TrackedRepair repair, String out, boolean agree) {
    return rebuilt(repair, FailureCause.VERIFICATION).withLeftOut(List.of(out), agree);
  }

  /**
   * The units agree when they are read the stock way, so they are right and the helper computes
   * wrongly.
   */
  @Test
  void aHelperThatCalculatesWronglyIsKeptOutAndNoGroupIsDoubted() {
    step(14_000);
    String bad = "u3";
    for (int i = 0; i < 40; i++) {
      LostGroup group = onNodesBut(15 + i % 2, group(i, RS, 0, 6L * UNIT_BYTES));
      books.lose(group);
      step(2_000);
      TrackedRepair repair = repair(group);
      boolean isAsked = repair.assignment.helpers.stream()
          .anyMatch(holder -> holder.node.uuid.equals(bad) && holder.node.runsExtension());
      beat(leader(repair), List.of(isAsked ? withoutOne(repair, bad, true)
          : rebuilt(repair, null)));
      running.clear();
      manager.cycle();
      books.end(group.id, RepairEnd.DONE);
      manager.cycle();
      assertEquals(Set.of(), books.heldBack, "group " + i);
    }
    step(2_000);
    assertGauge("NodesQuarantined", 1);
    assertTrue(agents.distrusted().contains(bad));
    assertGauge("GroupsDoubted", 0);
  }

  /**
   * The findings of a single node keep no other node out, because this node itself may compute
   * wrongly.
   */
  @Test
  void oneNodeAloneKeepsNoOtherOut() {
    step(14_000);
    for (int i = 0; i < 20; i++) {
      LostGroup group = onNodesBut(BAD, group(i, RS, 0, 6L * UNIT_BYTES));
      books.lose(group);
      step(2_000);
      TrackedRepair repair = repair(group);
      beat(leader(repair), List.of(withoutOne(repair, "u3", true)));
      running.clear();
      manager.cycle();
      books.end(group.id, RepairEnd.DONE);
      manager.cycle();
    }
    step(2_000);
    assertGauge("NodesQuarantined", 0);
  }

  /**
   * The node's later repair finds no contradiction. But no other node has checked what it writes,
   * so the doubt stays.
   */
  @Test
  void theOnlyNodeThatFoundAContradictionDoesNotEndTheDoubt() {
    step(14_000);
    LostGroup group = onNodesBut(BAD, group(1, RS, 0, 6L * UNIT_BYTES));
    books.lose(group);
    step(2_000);
    fail(group, FailureCause.VERIFICATION);
    step(10_000);
    assertEquals(BAD, leader(repair(group)), "no other destination is possible");
    rebuild(group);
    assertEquals(Set.of(group.id), books.heldBack);
    assertGauge("GroupsDoubted", 1);
  }

  /** Runs an operator's command as a superuser. */
  private RefreshResponse command(String... args) {
    OperatorRefreshHandler door = new OperatorRefreshHandler(new OperatorRefreshHandler.Guard() {
      @Override
      public void check(String operation) {
        // Every caller may run commands.
      }

      @Override
      public void audit(String operation, String what) {
        audited.add(operation + " " + what);
      }
    }, command -> {
      boolean taken = manager.submit(command);
      manager.cycle();
      return taken;
    }, manager.operations());
    return door.handleRefresh("ppr", args);
  }

  private final List<String> audited = new ArrayList<>();

  @Test
  void aSuperuserEndsADoubt() {
    step(4_000);
    LostGroup wrong = group(1, RS);
    books.lose(wrong);
    step(3_000);
    assertTrue(failAll(wrong, FailureCause.VERIFICATION, 120_000) >= 6);
    assertGauge("GroupsDoubted", 1);
    step(5_000);
    assertEquals(OperatorRefreshHandler.REFUSED, command("undoubt", "blk_-16000").getReturnCode());
    assertGauge("GroupsDoubted", 1);
    assertEquals(List.of(), audited);
    RefreshResponse response = command("undoubt", "blk_" + (wrong.id.groupId + 3) + "_1001");
    assertEquals(OperatorRefreshHandler.DONE, response.getReturnCode(), response.getMessage());
    assertEquals(List.of("pprUndoubt blk_" + wrong.id.groupId), audited);
    assertEquals(Set.of(), books.heldBack);
    step(2_000);
    assertGauge("GroupsDoubted", 0);
    assertTrue(isUnderWay(wrong), "the group is repaired at once");
    assertFalse(isOrderedAsDoubted(wrong));
    assertEquals(OperatorRefreshHandler.REFUSED,
        command("undoubt", "blk_" + wrong.id.groupId).getReturnCode(), "the doubt has ended");
  }

  /**
   * The NameNode's role may have changed since, and held-back groups stay held back in either role.
   */
  @Test
  void aSuperuserEndsADoubtOnAStandby() {
    step(4_000);
    LostGroup wrong = group(1, RS);
    books.lose(wrong);
    step(3_000);
    fail(wrong, FailureCause.VERIFICATION);
    step(5_000);
    fail(wrong, FailureCause.VERIFICATION);
    manager.cycle();
    assertGauge("GroupsDoubted", 1);
    books.setActive(false);
    manager.cycle();
    assertEquals(OperatorRefreshHandler.DONE,
        command("undoubt", "blk_" + wrong.id.groupId).getReturnCode());
    assertEquals(Set.of(), books.heldBack);
  }

  @Test
  void aSuperuserReadmitsANode() {
    step(14_000);
    letLead(0, 40);
    step(2_000);
    assertGauge("NodesQuarantined", 1);
    String said = metrics.getQuarantinedNodes();
    assertTrue(said.contains("u" + BAD) && said.contains("10.0.0." + BAD + ":9866")
        && said.contains("seems to calculate wrongly"), said);
    assertEquals(OperatorRefreshHandler.REFUSED, command("readmit", "u1").getReturnCode());
    RefreshResponse response = command("readmit", "10.0.0." + BAD + ":9866");
    assertEquals(OperatorRefreshHandler.DONE, response.getReturnCode(), response.getMessage());
    assertEquals(List.of("pprReadmit 10.0.0." + BAD + ":9866"), audited);
    step(2_000);
    assertGauge("NodesQuarantined", 0);
    assertEquals("", metrics.getQuarantinedNodes());
    LostGroup only = onNodesBut(BAD, group(200, RS, 0, 6L * UNIT_BYTES));
    books.lose(only);
    step(2_000);
    assertTrue(isUnderWay(only));
  }

  @Test
  void aNodeThatCalculatesWronglyGetsAnotherChance() {
    step(14_000);
    letLead(0, 40);
    step(2_000);
    assertGauge("NodesQuarantined", 1);
    now += FaultyNodes.QUARANTINE_MS;
    step(14_000);
    assertGauge("NodesQuarantined", 0);
  }

  /** The port of the repair manager is cut off, so all destinations become silent at once. */
  @Test
  void whatFailsAtOnceSharesTheNameNodesLock() {
    Configuration conf = new Configuration();
    conf.setInt(PprKeys.NAMENODE_IN_FLIGHT_KEY, 5_000);
    start(conf);
    versions = number -> 2;
    loads = number -> new NodeLoad(0, 0, 5_000, 0, 0, 0).withMachine(0, 0, 0);
    step(14_000);
    for (int i = 0; i < 5_000; i++) {
      books.lose(group(i, RS, i % NODES, 6L * 1024));
    }
    for (int i = 0; i < 100 && manager.tracker.size() < 5_000; i++) {
      step(250);
    }
    int underWay = manager.tracker.size();
    assertEquals(5_000, underWay, "all repairs have begun");
    assertEquals(0, books.abortCalls());
    now += 20_000;
    // After a pause, silence counts only from some time later.
    List<Integer> perCycle = new ArrayList<>();
    for (int i = 0; i < 400 && books.aborts() < underWay; i++) {
      int before = books.aborts();
      now += 250;
      manager.cycle();
      perCycle.add(books.aborts() - before);
    }
    assertEquals(underWay, books.aborts());
    assertEquals(0, books.begun(), "no repair is pending any more");
    assertTrue(books.abortCalls() <= 3, books.abortCalls() + " calls");
    assertTrue(perCycle.stream().allMatch(aborts -> aborts <= 2_000), perCycle.toString());
  }

  /** Stock's settings make the NameNode avoid slow or busy nodes. */
  @Test
  void whatStockAvoidsGetsNothingThatOthersCanTake() {
    for (int i = 10; i < NODES; i++) {
      avoided.add(i);
    }
    step(14_000);
    // Nodes 9 to 18 are free, and only one of them is not avoided.
    for (int i = 0; i < 5; i++) {
      LostGroup group = onNodesBut(Set.of(9, 12, 15, 18), group(i, RS, 0, 6L * UNIT_BYTES));
      books.lose(group);
      step(2_000);
      assertEquals(9, leader(repair(group)));
    }
    LostGroup only = onNodesBut(15, group(100, RS, 0, 6L * UNIT_BYTES));
    books.lose(only);
    step(2_000);
    assertEquals(15, leader(repair(only)), "no other destination is possible");
    assertEquals(Set.of(), books.released);
    avoided.clear();
    step(2_000);
    LostGroup later = onNodesBut(Set.of(9, 18), group(101, RS, 0, 6L * UNIT_BYTES));
    books.lose(later);
    step(2_000);
    assertEquals(18, leader(repair(later)), "this node is idle");
  }

  /** The destination's report was lost, and the group is whole. */
  @Test
  void whatIsSuspectedForLongIsDoubted() {
    LostGroup wrong = group(1, RS);
    TrackedRepair late = firstOfTwo(wrong);
    books.end(wrong.id, RepairEnd.DONE);
    manager.cycle();
    beat(leader(late),
        List.of(failed(late, late.destination().uuid, FailureCause.VERIFICATION)));
    running.clear();
    step(2_000);
    assertGauge("GroupsSuspected", 1);
    assertGauge("GroupsDoubted", 0);
    step(600_000);
    assertGauge("GroupsSuspected", 0);
    assertGauge("GroupsDoubted", 1);
    assertEquals(Set.of(wrong.id), books.heldBack);
  }
}
