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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.test.MetricsAsserts;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.namenode.manage.ManagerService.HeartbeatResponder;
import org.hdfsppr.namenode.manage.charge.PolicyClaims;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.manage.nodes.NameNodeView;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.state.ManagerSettings;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.namenode.schedule.CodeReads;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.schedule.DestinationFilter;
import org.hdfsppr.namenode.schedule.DestinationRank;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.MpprWeights;
import org.hdfsppr.namenode.schedule.RepairProposal;
import org.hdfsppr.namenode.schedule.RepairScheduler;
import org.hdfsppr.namenode.schedule.RepairSchedulers;
import org.hdfsppr.namenode.schedule.SchedulerOptions;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Two units of a group are rebuilt one after the other, and the second repair reads the first unit.
 * Agents and books are simulated, and the test sets the clock.
 */
@InterfaceAudience.Private
class TestSeveralCommands {
  private static final int NODES = 20;
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);
  private static final NodeLoad IDLE = new NodeLoad(0, 0, 100, 0, 0, 0).withMachine(0, 0, 0);

  private final PaperBooks books = new PaperBooks();
  private final ManagerMetrics metrics = ManagerMetrics.register("balanced");
  private long now = 1_000_000;
  /** The steps that the second step waits for. */
  private Set<Integer> after = Set.of(0);
  private final DataNodeAgents agents = new DataNodeAgents(() -> now);
  private final RepairManager manager = manager();
  private final HeartbeatResponder heartbeats =
      new HeartbeatResponder(manager, () -> "BP", false);
  private final Map<Integer, RepairCommand> orderedByUnit = new HashMap<>();
  private final Map<Integer, List<RunningRepair>> running = new HashMap<>();
  private final List<String> cancelled = new ArrayList<>();

  private RepairManager manager() {
    CodeSource codes = policy -> Codes.forCodec(new Configuration(), policy.codec,
        policy.dataUnits, policy.parityUnits);
    RepairScheduler balanced = RepairSchedulers.byName("balanced",
        new SchedulerOptions(new CodeReads(codes),
        0, new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, 1 << 20, 6)), new Random(1));
    return new RepairManager(new ManagerKnowledge(books, new Nodes(), agents,
        new PolicyClaims(codes), ManagerSettings.of(new Configuration()), metrics, () -> now),
        new InTwoSteps(balanced));
  }

  @AfterEach
  void stop() {
    metrics.unregister();
  }

  /** A scheduler that plans as another one does, but rebuilds one unit after the other. */
  private final class InTwoSteps implements RepairScheduler {
    private final RepairScheduler scheduler;

    InTwoSteps(RepairScheduler scheduler) {
      this.scheduler = scheduler;
    }

    @Override
    public String name() {
      return scheduler.name();
    }

    @Override
    public DestinationRank rank() {
      return scheduler.rank();
    }

    @Override
    public RepairProposal plan(Fleet fleet, LostGroup group, DestinationFilter filter) {
      RepairProposal proposal = scheduler.plan(fleet, group, filter);
      return proposal.assignment().isPresent()
          ? proposal.inParts(parts(proposal.assignment().get())) : proposal;
    }

    private List<Assignment> parts(Assignment whole) {
      UnitHolder first = whole.targets.get(0);
      List<UnitHolder> helpers = new ArrayList<>(whole.helpers);
      if (!after.isEmpty()) {
        helpers.set(0, first);
      }
      return List.of(
          new Assignment(whole.group, whole.helpers, List.of(first), whole.topology),
          new Assignment(whole.group, helpers, List.of(whole.targets.get(1)), whole.topology)
              .waitingFor(after));
    }

    @Override
    public int looksAgain() {
      return 0;
    }
  }

  private static final class Nodes implements NameNodeView {
    @Override
    public List<LiveNode> liveNodes() {
      List<LiveNode> nodes = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        nodes.add(new LiveNode(node(i).withRepairPort(NodeRef.NO_REPAIR_PORT), true));
      }
      return nodes;
    }

    @Override
    public List<GroupPolicy> policies() {
      return List.of(RS);
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

  /** Loses units 0 and 1 of a group. */
  private LostGroup loseTwo() {
    List<UnitHolder> live = new ArrayList<>();
    List<NodeRef> occupied = new ArrayList<>();
    for (int unit = 2; unit < 9; unit++) {
      live.add(new UnitHolder(unit, node(unit)));
      occupied.add(node(unit));
    }
    LostGroup group = new LostGroup(new GroupId("BP", -16, 1001), 48L << 20, RS, live,
        List.of(0, 1), 1, now).occupying(occupied);
    books.lose(group);
    return group;
  }

  private void beat(int number, RepairResult... results) {
    HeartbeatResponse response = heartbeats.heartbeat(null, new HeartbeatRequest(
        HeartbeatRequest.PROTOCOL_VERSION, "test", node(number), 0, IDLE,
        running.getOrDefault(number, List.of()), List.of(results)));
    for (RepairCommand command : response.repairs()) {
      assertEquals(1, command.targets.size(), "each command has its own unit only");
      orderedByUnit.put(command.targets.get(0).unit, command);
      running.computeIfAbsent(number, key -> new ArrayList<>()).add(new RunningRepair(
          command.repairId, command.term(), command.groupId().groupId, 1001, 0));
    }
    response.cancels().stream().map(command -> command.repairId).forEach(cancelled::add);
  }

  private void step(long ms) {
    for (long passed = 0; passed < ms; passed += 250) {
      now += 250;
      if (now % 1_000 == 0) {
        for (int i = 0; i < NODES; i++) {
          beat(i);
        }
      }
      manager.cycle();
    }
  }

  private static int leader(RepairCommand command) {
    CommandTarget target = command.targets.get(0);
    return Integer.parseInt(target.node.uuid.substring(1));
  }

  private void report(RepairCommand command, RepairOutcome outcome) {
    int leader = leader(command);
    running.remove(leader);
    boolean isRebuilt = outcome == RepairOutcome.REBUILT;
    beat(leader, new RepairResult(command.repairId, command.term(), outcome, isRebuilt
        ? List.of(command.targets.get(0).unit) : List.of(), 0, 0)
        .withFailure(null, isRebuilt ? null : FailureCause.INTERNAL, "test"));
  }

  private static List<String> idsOf(RepairCommand command, int unit) {
    return command.group.live.stream().filter(holder -> holder.unit == unit)
        .map(holder -> holder.node.uuid).collect(Collectors.toList());
  }

  @Test
  void theSecondStartsWhenTheFirstHasReportedAndNoBlockReportHasCome() {
    step(4_000);
    LostGroup group = loseTwo();
    step(20_000);
    assertEquals(Set.of(0), orderedByUnit.keySet(), "the second command waits");
    RepairCommand first = orderedByUnit.get(0);
    assertEquals(List.of(), idsOf(first, 1));
    report(first, RepairOutcome.REBUILT);
    step(2_000);
    assertEquals(Set.of(0, 1), orderedByUnit.keySet());
    RepairCommand second = orderedByUnit.get(1);
    assertEquals(List.of("u" + leader(first)), idsOf(second, 0),
        "the second command reads the rebuilt unit");
    assertEquals(1, books.begun(), "both commands have one grant");
    assertTrue(!second.repairId.equals(first.repairId));
    step(40_000);
    assertEquals(0, books.aborts(), "the second command has begun, and the first has reported");
    report(second, RepairOutcome.REBUILT);
    step(1_000);
    books.end(group.id, RepairEnd.DONE);
    step(1_000);
    assertEquals(0, manager.tracker.size());
    assertEquals(List.of(), cancelled);
    MetricsAsserts.assertCounter("RepairsDone", 1L, MetricsAsserts.getMetrics(metrics));
    MetricsAsserts.assertCounter("UnitsRebuilt", 2L, MetricsAsserts.getMetrics(metrics));
    MetricsAsserts.assertCounter("RepairsStarted", 2L, MetricsAsserts.getMetrics(metrics));
    MetricsAsserts.assertCounter("RepairsFailed", 0L, MetricsAsserts.getMetrics(metrics));
  }

  @Test
  void aFailureEndsAllUnderTheGrantOnce() {
    after = Set.of();
    step(4_000);
    LostGroup group = loseTwo();
    step(2_000);
    assertEquals(Set.of(0, 1), orderedByUnit.keySet(), "neither command waits");
    RepairCommand second = orderedByUnit.get(1);
    report(orderedByUnit.get(0), RepairOutcome.FAILED);
    orderedByUnit.clear();
    step(750);
    assertEquals(1, books.aborts());
    beat(leader(second));
    assertEquals(List.of(second.repairId), cancelled);
    running.clear();
    MetricsAsserts.assertCounter("RepairsFailed", 1L, MetricsAsserts.getMetrics(metrics));
    step(5_000);
    assertEquals(Set.of(0, 1), orderedByUnit.keySet(), "the group is planned anew");
    assertEquals(1, books.begun());
    assertTrue(manager.tracker.byGroup(group.id).isPresent());
  }

  @Test
  void aFailureOfTheSecondDoesNotCancelTheFirstThatHasReported() {
    step(4_000);
    loseTwo();
    step(2_000);
    report(orderedByUnit.get(0), RepairOutcome.REBUILT);
    step(2_000);
    report(orderedByUnit.get(1), RepairOutcome.FAILED);
    step(500);
    assertEquals(1, books.aborts());
    for (int i = 0; i < NODES; i++) {
      beat(i);
    }
    assertEquals(List.of(), cancelled);
    MetricsAsserts.assertCounter("RepairsFailed", 1L, MetricsAsserts.getMetrics(metrics));
  }

  /** DataNodes would refuse a command of an old term. */
  @Test
  void nothingIsOrderedUnderAGrantOfAnotherTerm() {
    step(4_000);
    loseTwo();
    step(2_000);
    RepairCommand first = orderedByUnit.get(0);
    books.heardOfTerm(books.term() + 5);
    step(500);
    assertEquals(0, books.aborts(), "a fetched command goes on");
    orderedByUnit.clear();
    report(first, RepairOutcome.REBUILT);
    step(250);
    assertEquals(1, books.aborts());
    step(3_000);
    assertEquals(Set.of(0), orderedByUnit.keySet(), "the group is planned anew");
    assertEquals(books.term(), orderedByUnit.get(0).term());
  }
}
