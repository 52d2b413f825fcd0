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
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.namenode.manage.ManagerService.HeartbeatResponder;
import org.hdfsppr.namenode.manage.charge.PolicyClaims;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.manage.nodes.NameNodeView;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.state.ManagerSettings;
import org.hdfsppr.namenode.manage.status.Headline;
import org.hdfsppr.namenode.manage.status.LossStatus;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.ManagerState;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.StatusLists;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.namenode.schedule.CodeReads;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.schedule.MpprWeights;
import org.hdfsppr.namenode.schedule.RepairSchedulers;
import org.hdfsppr.namenode.schedule.SchedulerOptions;
import org.hdfsppr.namenode.track.TrackedRepair;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that the status follows a running manager, with simulated books and clock. */
@InterfaceAudience.Private
class TestStatusMaker {
  private static final int NODES = 20;
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);
  private static final long UNIT_BYTES = 8 << 20;

  private final PaperBooks books = new PaperBooks();
  private final ManagerMetrics metrics = ManagerMetrics.register("balanced");
  private final Set<Integer> dead = new HashSet<>();
  private int silent;
  private final List<RunningRepair> running = new ArrayList<>();
  private boolean inSafeMode;
  private long now = 1_000_000;
  private final DataNodeAgents agents = new DataNodeAgents(() -> now);
  private final RepairManager manager = manager();
  private final HeartbeatResponder heartbeats = new HeartbeatResponder(manager, () -> "BP", false);

  private RepairManager manager() {
    Configuration conf = new Configuration();
    CodeSource codes = policy -> Codes.forCodec(conf, policy.codec, policy.dataUnits,
        policy.parityUnits);
    return new RepairManager(new ManagerKnowledge(books, new Nodes(), agents,
        new PolicyClaims(codes), ManagerSettings.of(conf), metrics, () -> now),
        RepairSchedulers.byName("balanced", new SchedulerOptions(new CodeReads(codes), 0,
            new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, UNIT_BYTES, 6)), new Random(1)));
  }

  @AfterEach
  void stop() {
    metrics.unregister();
  }

  private final class Nodes implements NameNodeView {
    @Override
    public List<LiveNode> liveNodes() {
      List<LiveNode> nodes = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        if (!dead.contains(i)) {
          nodes.add(new LiveNode(node(i).withRepairPort(NodeRef.NO_REPAIR_PORT), true));
        }
      }
      return nodes;
    }

    @Override
    public int silentNodes() {
      return silent;
    }

    @Override
    public List<GroupPolicy> policies() {
      return List.of(RS);
    }

    @Override
    public boolean allowsRepairs() {
      return true;
    }

    @Override
    public boolean isInSafeMode() {
      return inSafeMode;
    }

    @Override
    public String blockPoolId() {
      return "BP";
    }
  }

  private static NodeRef node(int number) {
    return new NodeRef("u" + number, "10.0.0." + number, "h" + number, 9866, 9877, "/r");
  }

  private LostGroup group(int number, int spareUnits) {
    List<UnitHolder> live = new ArrayList<>();
    List<NodeRef> occupied = new ArrayList<>();
    for (int unit = 1; unit < 9; unit++) {
      live.add(new UnitHolder(unit, node((number + unit) % (NODES - 1))));
      occupied.add(node((number + unit) % (NODES - 1)));
    }
    return new LostGroup(new GroupId("BP", -16L * number - 16, 1), 6 * UNIT_BYTES, RS, live,
        List.of(0), spareUnits, now).occupying(occupied);
  }

  /** Lets time pass. Nodes send a heartbeat each second, and say how far their repairs are. */
  private void step(long ms, int donePercent) {
    for (long passed = 0; passed < ms; passed += 250) {
      now += 250;
      for (int i = 0; now % 1_000 == 0 && i < NODES; i++) {
        if (!dead.contains(i)) {
          beat(i, donePercent);
        }
      }
      manager.cycle();
    }
  }

  private void beat(int number, int donePercent) {
    running.clear();
    for (TrackedRepair repair : manager.tracker.all()) {
      if (repair.destination().uuid.equals("u" + number)) {
        running.add(new RunningRepair(repair.id, repair.term(),
            repair.assignment.group.id.groupId, 1, donePercent));
      }
    }
    for (RepairCommand command : heartbeats.heartbeat(null, new HeartbeatRequest(
        HeartbeatRequest.PROTOCOL_VERSION, "test", node(number), 0, new NodeLoad(0, 0, 100, 0, 0, 0)
        .withMachine(0, 0, 0), List.copyOf(running), List.of())).repairs()) {
      assertTrue(manager.tracker.byId(command.repairId).isPresent());
    }
  }

  private ManagerStatus withLists() {
    manager.status();
    step(1_000, 0);
    return manager.status();
  }

  /** Whether a script may restart the next DataNode must not depend on what repairs a group. */
  @Test
  void groupsThatStockHasAreNotWhole() {
    step(4_000, 0);
    books.stockHas(4, 0);
    step(1_000, 0);
    assertEquals(ManagerState.REPAIRING, manager.status().state);
    assertEquals("Stock repairs 4 groups.",
        Headline.of(manager.status()));
    books.stockHas(4, 3);
    step(1_000, 0);
    assertEquals(ManagerState.AT_RISK, manager.status().state);
    assertEquals(3, manager.status().get(StatusNumber.AT_RISK));
    books.stockHas(0, 0);
    step(1_000, 0);
    assertEquals(ManagerState.OK, manager.status().state);
  }

  @Test
  void liveNodesThatAreSilentAreCounted() {
    step(4_000, 0);
    assertEquals(0, manager.status().get(StatusNumber.DATA_NODES_SILENT));
    silent = 2;
    step(2_000, 0);
    assertEquals(2, manager.status().get(StatusNumber.DATA_NODES_SILENT));
    assertEquals(NODES, manager.status().get(StatusNumber.DATA_NODES));
  }

  @Test
  void theLossOfANode() {
    assertEquals(ManagerState.STARTING, manager.status().state);
    step(4_000, 0);
    assertEquals(ManagerState.OK, manager.status().state);
    assertEquals("BP", manager.status().blockPool);
    dead.add(NODES - 1);
    step(2_000, 0);
    assertEquals(List.of(), manager.status().losses);
    List<LostGroup> lost = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      lost.add(group(i, i == 0 ? 0 : 2));
      books.lose(lost.get(i));
    }
    step(500, 0);
    ManagerStatus status = manager.status();
    assertEquals(10, status.get(StatusNumber.GROUPS_QUEUED)
        + status.get(StatusNumber.REPAIRS_IN_FLIGHT));
    assertEquals(10 * UNIT_BYTES, status.work.bytesLeft(), "waiting and under way");
    assertEquals(ManagerState.AT_RISK, status.state);
    assertEquals(1, status.get(StatusNumber.AT_RISK), "also while it is being repaired");
    LossStatus loss = status.losses.get(0);
    assertEquals("u19", loss.nodes.get(0).uuid);
    assertEquals(10, loss.groups);
    assertEquals(10, loss.groupsLeft);
    assertFalse(loss.endedMs().isPresent());
    step(4_000, 50);
    status = manager.status();
    int begun = status.get(StatusNumber.REPAIRS_IN_FLIGHT);
    assertTrue(begun > 0);
    assertEquals(10 * UNIT_BYTES - begun * UNIT_BYTES / 2, status.work.bytesLeft());
    assertEquals(begun * UNIT_BYTES / 2, status.work.bytesInProgress());
    assertTrue(status.work.bytesPerSecond > 0);
    assertTrue(status.work.etaBoundSeconds.isPresent());
    assertFalse(status.busiest.isEmpty());
    for (int i = 0; i < 10; i++) {
      for (int wait = 0; wait < 40 && !books.isBegun(lost.get(i).id); wait++) {
        step(1_000, 60);
      }
      books.end(lost.get(i).id, RepairEnd.DONE);
      step(250, 60);
      loss = manager.status().losses.get(0);
      assertEquals(9 - i, loss.groupsLeft);
    }
    status = manager.status();
    assertEquals(now, loss.endedMs().get());
    assertEquals(10, status.work.done());
    assertEquals(10 * UNIT_BYTES, status.work.bytesRebuilt());
    assertEquals(0, status.work.bytesLeft());
    assertEquals(ManagerState.OK, status.state);
    assertTrue(status.history.size() > 0);
  }

  @Test
  void listsAreMadeOnlyWhileSomethingAsks() {
    step(4_000, 0);
    assertSame(StatusLists.NONE, manager.status().lists, "nothing has asked before");
    step(250, 0);
    StatusLists first = manager.status().lists;
    assertEquals(NODES, first.nodes.size());
    step(750, 0);
    assertSame(first, manager.status().lists, "once a second");
    step(250, 0);
    StatusLists second = manager.status().lists;
    assertNotSame(first, second);
    assertTrue(second.cycle > first.cycle);
    step(60_000, 0);
    long made = manager.status().lists.made.ms;
    assertTrue(now - made >= 49_000 && now - made <= 51_000,
        "for ten seconds after something has asked, not " + (now - made) + " ms ago");
    assertEquals(NODES, withLists().lists.nodesTotal);
    assertTrue(now - manager.status().lists.made.ms <= 1_000);
  }

  @Test
  void nothingAdvances() {
    step(4_000, 0);
    books.lose(group(1, 2));
    step(4_000, 30);
    assertEquals(1, manager.status().get(StatusNumber.REPAIRS_IN_FLIGHT));
    step(50_000, 30);
    assertEquals(ManagerState.REPAIRING, manager.status().state);
    step(15_000, 30);
    assertEquals(1, manager.status().get(StatusNumber.REPAIRS_IN_FLIGHT), "the same repair");
    assertEquals(ManagerState.STUCK, manager.status().state);
    assertFalse(manager.status().work.etaSeconds.isPresent(), "there is no rate");
    step(1_000, 31);
    assertEquals(ManagerState.REPAIRING, manager.status().state);
  }

  @Test
  void whatIsLostTooOften() {
    step(4_000, 0);
    books.lose(group(1, -1));
    step(70_000, 0);
    ManagerStatus status = withLists();
    assertEquals(ManagerState.DATA_LOST, status.state);
    assertEquals(0, status.work.bytesLeft(), "nothing can be rebuilt now");
    assertFalse(status.work.etaSeconds.isPresent());
    books.setActive(false);
    step(250, 0);
    assertEquals(ManagerState.STANDBY, manager.status().state);
    inSafeMode = true;
    step(250, 0);
    assertEquals(ManagerState.STARTING, manager.status().state);
    assertEquals(List.of(), manager.status().losses);
  }
}
