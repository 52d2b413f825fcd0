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
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.FilesRecords;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.namenode.manage.charge.PolicyClaims;
import org.hdfsppr.namenode.manage.charge.SchedulingAuthority;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.manage.nodes.NameNodeView;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.state.ManagerSettings;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.LockTimes;
import org.hdfsppr.namenode.queue.QueueChanges;
import org.hdfsppr.namenode.queue.QueueCounts;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.schedule.CodeReads;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.schedule.MpprWeights;
import org.hdfsppr.namenode.schedule.RepairSchedulers;
import org.hdfsppr.namenode.schedule.SchedulerOptions;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests when the manager owns lost groups, and when stock does. */
class TestRepairManagerClaims {
  private static final String SCHEDULED_HERE = "Repairs are scheduled here, 1 DataNodes take part";

  private final Configuration conf = new Configuration(false);
  private final CodeSource codes = policy -> Codes.forCodec(conf, policy.codec,
      policy.dataUnits, policy.parityUnits);
  private final ReconstructionQueue books = mock(ReconstructionQueue.class);
  private final NameNodeView namenode = mock(NameNodeView.class);
  private final AtomicLong clockMs = new AtomicLong();
  private final DataNodeAgents agents = new DataNodeAgents(clockMs::get);
  private final PolicyClaims claims = new PolicyClaims(codes);
  private final ManagerMetrics metrics = ManagerMetrics.register("balanced");
  private final RepairManager manager = new RepairManager(new ManagerKnowledge(books,
      namenode, agents, claims, ManagerSettings.of(conf), metrics, clockMs::get),
      RepairSchedulers.byName("balanced", new SchedulerOptions(new CodeReads(codes), 0,
          new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, 1 << 20, 6)), new Random(1)));

  @BeforeEach
  void nameThePool() {
    when(namenode.blockPoolId()).thenReturn("BP-1");
    when(namenode.unreadRecords()).thenReturn(FilesRecords.NONE);
  }

  @AfterEach
  void unregister() {
    metrics.unregister();
  }

  private void anAgentIsHeardOf() {
    agents.hear(new HeartbeatRequest(HeartbeatRequest.PROTOCOL_VERSION, "0.1",
        new NodeRef("uuid", "127.0.0.1", "localhost", 9866, 9877, ""), 0,
        new NodeLoad(0, 0, 8, 0, 0, 0).withMachine(0, 0, 0), Collections.emptyList(),
        Collections.emptyList()), false);
  }

  private void cycle(boolean allowed) {
    when(namenode.allowsRepairs()).thenReturn(allowed);
    when(books.lockTimes()).thenReturn(LockTimes.NONE);
    when(books.counts()).thenReturn(new QueueCounts(0, 0, 0, 0, 0, 0, 0));
    when(books.poll(anyInt())).thenReturn(new QueueChanges(0, false, Collections.emptyMap(),
        Collections.emptyList(), Collections.emptyList(), false));
    manager.cycle();
  }

  /**
   * A NameNode that has just become active knows least about what is really lost, so stock has to
   * wait.
   */
  @Test
  void stockWaitsUntilThisOneHasListened() {
    cycle(true);
    assertTrue(claims.isOpen(), "the NameNode is still standby");
    when(books.isActive()).thenReturn(true);
    clockMs.addAndGet(100_000);
    cycle(true);
    clockMs.addAndGet(10_900);
    cycle(true);
    assertTrue(claims.isOpen(), "the NameNode still listens");
    clockMs.addAndGet(200);
    cycle(true);
    assertFalse(claims.isOpen(), "no DataNode has sent a heartbeat");
  }

  @Test
  void withoutAgentsAllIsStocks() {
    when(books.isActive()).thenReturn(true);
    cycle(true);
    clockMs.addAndGet(12_000);
    cycle(true);
    assertFalse(claims.isOpen());
    anAgentIsHeardOf();
    cycle(true);
    assertTrue(claims.isOpen());
  }

  /** Another NameNode has left versions before a failover, and clears them up after the next. */
  @Test
  void recordsThatNothingHereReadsLeaveAllToStock() {
    when(namenode.unreadRecords()).thenReturn(new FilesRecords(1, 0, 0, 0));
    anAgentIsHeardOf();
    cycle(true);
    assertTrue(claims.isOpen(), "a standby does not look");
    when(books.isActive()).thenReturn(true);
    cycle(true);
    cycle(true);
    assertFalse(claims.isOpen());
    assertFalse(manager.status().inCharge);
    assertTrue(manager.status().why.contains("1 versions of files"), manager.status().why);
    when(namenode.unreadRecords()).thenReturn(FilesRecords.NONE);
    for (int s = 0; s <= 60; s++) {
      anAgentIsHeardOf();
      cycle(true);
      clockMs.addAndGet(1_000);
    }
    cycle(true);
    assertTrue(claims.isOpen());
  }

  private void listen(LogCapturer log, long ms) {
    for (long end = clockMs.get() + ms; clockMs.get() < end; clockMs.addAndGet(250)) {
      if (clockMs.get() % 1_000 == 0) {
        anAgentIsHeardOf();
      }
      assertEquals("", log.getOutput(), "this NameNode still listens");
      cycle(true);
    }
  }

  /**
   * The claims were opened before this NameNode became active, so no later change could log the
   * start.
   */
  @Test
  void anOrdinaryStartSaysOnceThatRepairsAreScheduledHere() {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(SchedulingAuthority.class));
    try {
      when(namenode.liveNodes()).thenReturn(List.of(new NameNodeView.LiveNode(node(0), true)));
      for (int term = 1; term <= 2; term++) {
        when(books.isActive()).thenReturn(false);
        anAgentIsHeardOf();
        cycle(true);
        when(books.isActive()).thenReturn(true);
        cycle(true);
        log.clearOutput();
        listen(log, 2_500);
        anAgentIsHeardOf();
        for (int i = 0; i < 10; i++) {
          cycle(true);
        }
        assertEquals(1, StringUtils.countMatches(log.getOutput(), SCHEDULED_HERE));
        log.clearOutput();
        clockMs.addAndGet(250);
        cycle(true);
        assertEquals("", log.getOutput(), "the line is logged once");
      }
      cycle(false);
      assertTrue(log.getOutput().contains("max-streams is 0: nothing is repaired"));
      log.clearOutput();
      cycle(true);
      assertEquals(1, StringUtils.countMatches(log.getOutput(), SCHEDULED_HERE),
          "the line is logged at each change");
    } finally {
      log.stopCapturing();
    }
  }

  /**
   * A start that schedules no repairs must be logged too. A start without DataNodes must not look
   * like a success.
   */
  @Test
  void aStartThatSchedulesNothingSaysSo() {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(SchedulingAuthority.class));
    try {
      cycle(false);
      when(books.isActive()).thenReturn(true);
      cycle(false);
      assertEquals("", log.getOutput().replaceAll(".*This NameNode schedules repairs\\R", ""));
      cycle(false);
      cycle(false);
      assertEquals(1, StringUtils.countMatches(log.getOutput(), "nothing is repaired"));
      log.clearOutput();
      when(books.isActive()).thenReturn(false);
      cycle(true);
      when(books.isActive()).thenReturn(true);
      cycle(true);
      for (int i = 0; i < 48; i++) {
        clockMs.addAndGet(250);
        cycle(true);
      }
      assertEquals(0, StringUtils.countMatches(log.getOutput(), SCHEDULED_HERE));
      assertEquals(1, StringUtils.countMatches(log.getOutput(),
          "Repairs are stock's: 0 DataNodes take part"));
    } finally {
      log.stopCapturing();
    }
  }

  /**
   * With this setting stock repairs nothing, and operators use it to stop repairs on a running
   * NameNode.
   */
  @Test
  void withoutReplicationStreamsNothingIsClaimed() {
    anAgentIsHeardOf();
    cycle(false);
    assertFalse(claims.isOpen());
    cycle(true);
    assertTrue(claims.isOpen());
    cycle(false);
    assertFalse(claims.isOpen());
    verify(books, times(2)).claimsChanged();
  }

  private static NodeRef node(int i) {
    return new NodeRef("uuid" + i, "127.0.0.1", "localhost", 10_000 + i, NodeRef.NO_REPAIR_PORT,
        "/r");
  }

  /**
   * Plans a lost group of RS(6,3) with this number of readable units, none of them on a node with
   * an agent.
   */
  private GroupId planGroupWith(int readable) {
    GroupPolicy policy = new GroupPolicy("rs", 6, 3, 1 << 20);
    List<NameNodeView.LiveNode> nodes = new ArrayList<>();
    List<UnitHolder> live = new ArrayList<>();
    List<NodeRef> occupied = new ArrayList<>();
    List<Integer> lost = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      if (i < readable) {
        nodes.add(new NameNodeView.LiveNode(node(i), true));
        live.add(new UnitHolder(i, node(i)));
        occupied.add(node(i));
      } else {
        lost.add(i);
      }
    }
    GroupId id = new GroupId("BP-1", -16, 1001);
    when(namenode.allowsRepairs()).thenReturn(true);
    when(namenode.liveNodes()).thenReturn(nodes);
    when(namenode.policies()).thenReturn(List.of(policy));
    when(books.isActive()).thenReturn(true);
    when(books.lockTimes()).thenReturn(LockTimes.NONE);
    when(books.counts()).thenReturn(new QueueCounts(0, 0, 0, 0, 0, 0, 0));
    when(books.poll(anyInt())).thenReturn(new QueueChanges(
        1, false, Collections.emptyMap(), Collections.emptyList(), List.of(new LostGroup(id,
            12 << 20, policy, live, lost, 0, 0).occupying(occupied)), false));
    anAgentIsHeardOf();
    manager.cycle();
    for (int seconds = 1; seconds <= 24; seconds++) {
      clockMs.set(seconds * 1_000L);
      manager.cycle();
    }
    return id;
  }

  @Test
  void whatStockCouldRepairIsLeftToItWithoutADestination() {
    GroupId id = planGroupWith(8);
    verify(books, atLeastOnce()).release(List.of(id), 300_000);
  }
}
