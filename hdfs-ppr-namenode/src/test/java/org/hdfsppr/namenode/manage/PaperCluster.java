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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshResponse;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.namenode.extend.ManagerView;
import org.hdfsppr.namenode.manage.ManagerService.HeartbeatResponder;
import org.hdfsppr.namenode.manage.charge.PolicyClaims;
import org.hdfsppr.namenode.manage.explain.Explanation;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.manage.nodes.NameNodeView;
import org.hdfsppr.namenode.manage.operator.OperatorRefreshHandler;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.state.ManagerSettings;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.namenode.schedule.CodeReads;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.schedule.CoreScheduler;
import org.hdfsppr.namenode.schedule.MpprWeights;
import org.hdfsppr.namenode.schedule.RepairSchedulers;
import org.hdfsppr.namenode.schedule.SchedulerOptions;
import org.hdfsppr.namenode.track.TrackedRepair;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RequestFeatures;

/**
 * A whole manager with simulated books, 20 simulated DataNodes and a clock that the test sets. The
 * random seed is 1.
 */
@InterfaceAudience.Private
public final class PaperCluster implements AutoCloseable {
  /** How many DataNodes there are */
  public static final int NODES = 20;
  /** RS-6-3 */
  public static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);
  /** Stock cannot decode this code, so that its groups stay with the manager. */
  static final GroupPolicy LRC = new GroupPolicy("lrc-l2", 6, 4, 1 << 20);
  static final int UNIT_BYTES = 8 << 20;
  private static final NodeLoad IDLE = new NodeLoad(0, 0, 100, 0, 0, 0).withMachine(0, 0, 0);

  final PaperBooks books = new PaperBooks();
  final ManagerMetrics metrics = ManagerMetrics.register("test");
  final PolicyClaims claims;
  final RepairManager manager;
  final DataNodeAgents agents;
  final List<String> audited = new ArrayList<>();
  long now = 1_000_000;
  /** The nodes that send heartbeats: those below this number. */
  public int withAgents = NODES;
  int version = HeartbeatRequest.PROTOCOL_VERSION;
  /** What DataNodes know of commands. */
  long commandFeatures = CommandFeatures.KNOWN;
  /** What DataNodes say of reads of old versions, by number. */
  public final Map<Integer, OldReads> oldReads = new HashMap<>();
  boolean isSafe;

  private final Map<Integer, List<RunningRepair>> running = new HashMap<>();
  private final HeartbeatResponder heartbeats;

  /** @param conf the NameNode's settings */
  public PaperCluster(Configuration conf) {
    CodeSource codes = policy -> Codes.forCodec(conf, policy.codec, policy.dataUnits,
        policy.parityUnits);
    claims = new PolicyClaims(codes);
    agents = new DataNodeAgents(() -> now);
    SchedulerOptions options = new SchedulerOptions(new CodeReads(codes), 0,
        new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, UNIT_BYTES, 6));
    ManagerSettings settings = ManagerSettings.of(conf);
    manager = new RepairManager(new ManagerKnowledge(books, new Nodes(), agents, claims,
        settings, metrics, () -> now), new CoreScheduler(
        RepairSchedulers.byName("balanced", options,
          new Random(1)), options, settings.coreStrategy()));
    heartbeats = new HeartbeatResponder(manager, () -> "BP", false);
  }

  /** @return what the manager says to other parts of the plugin */
  public ManagerView view() {
    return manager;
  }

  /** @param group a group that waits from now on */
  public void lose(LostGroup group) {
    books.lose(group);
  }

  /** @param isActive whether the NameNode is active from now on */
  public void setActive(boolean isActive) {
    books.setActive(isActive);
  }

  private final class Nodes implements NameNodeView {
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
      return List.of(RS, LRC);
    }

    @Override
    public boolean allowsRepairs() {
      return true;
    }

    @Override
    public boolean isInSafeMode() {
      return isSafe;
    }

    @Override
    public String blockPoolId() {
      return "BP";
    }
  }

  /** Returns the time of the cluster, monotonic, ms. */
  public long nowMs() {
    return now;
  }

  @Override
  public void close() {
    metrics.unregister();
  }

  public static NodeRef node(int number) {
    return new NodeRef("u" + number, "10.0.0." + number, "h" + number, 9866, 9877, "/r");
  }

  static int numberOf(NodeRef node) {
    return Integer.parseInt(node.uuid.substring(1));
  }

  static String name(LostGroup group) {
    return "blk_" + group.id.groupId;
  }

  /**
   * Returns a group that has lost unit 0. Its other units are on the nodes from 1 on, and all nodes
   * but {@code free} hold something of it.
   *
   * @param number the number of the group
   * @param policy its policy
   * @param free the numbers of nodes that hold nothing of it
   * @return the group, which nothing knows yet
   */
  public LostGroup group(int number, GroupPolicy policy, Integer... free) {
    Set<Integer> open = new HashSet<>(List.of(free));
    List<UnitHolder> live = new ArrayList<>();
    for (int unit = 1; unit < policy.dataUnits + policy.parityUnits; unit++) {
      live.add(new UnitHolder(unit, node(unit)));
    }
    List<NodeRef> occupied = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      if (!open.contains(i)) {
        occupied.add(node(i));
      }
    }
    return new LostGroup(new GroupId("BP", -16L * number - 16, 1001),
        (long) policy.dataUnits * UNIT_BYTES, policy, live, List.of(0), 2, now).occupying(occupied);
  }

  /** Returns the same group after it has lost more, or less, than one unit. */
  static LostGroup with(LostGroup group, int spareUnits) {
    int left = group.policy.dataUnits + spareUnits;
    return new LostGroup(group.id, group.groupBytes, group.policy,
        group.live.subList(0, Math.min(left, group.live.size())), group.lost, spareUnits,
        group.sinceMs)
        .occupying(group.occupied());
  }

  HeartbeatResponse beat(int number, RepairResult... results) {
    HeartbeatResponse response = heartbeats.heartbeat(null, request(number, results));
    response.repairs().forEach(command ->
        running.computeIfAbsent(number, key -> new ArrayList<>()).add(new RunningRepair(
            command.repairId, command.term(), command.groupId().groupId, 1001, 0)));
    response.cancels().forEach(cancel -> running.getOrDefault(number, new ArrayList<>())
        .removeIf(repair -> repair.repairId.equals(cancel.repairId)));
    return response;
  }

  HeartbeatRequest request(int number, RepairResult... results) {
    return new HeartbeatRequest(version, "test", node(number), 0, IDLE,
        running.getOrDefault(number, List.of()), List.of(results))
        .withFeatures(RequestFeatures.UNSAID, commandFeatures)
        .withOldReads(oldReads.getOrDefault(number, OldReads.UNSAID));
  }

  /** Lets a node claim from now on that it runs a repair, or no repair any more. */
  void runs(int number, RunningRepair... repairs) {
    running.put(number, new ArrayList<>(List.of(repairs)));
  }

  /**
   * Runs a cycle each 250 ms, and lets the nodes send heartbeats each second.
   *
   * @param ms how much time passes, ms
   */
  public void step(long ms) {
    for (long passed = 0; passed < ms; passed += 250) {
      now += 250;
      if (now % 1_000 == 0) {
        for (int i = 0; i < withAgents; i++) {
          beat(i);
        }
      }
      manager.cycle();
    }
  }

  /**
   * @param group a group
   * @return whether a repair of it is under way
   */
  public boolean isUnderWay(LostGroup group) {
    return manager.tracker.byGroup(group.id).isPresent();
  }

  TrackedRepair repair(LostGroup group) {
    return manager.tracker.byGroup(group.id).get();
  }

  /** Lets the destination of the group's repair report a failure, and takes it in. */
  void fail(LostGroup group, String uuid, FailureCause cause) {
    TrackedRepair repair = repair(group);
    // The destination has the command before it reports anything.
    beat(numberOf(repair.destination()));
    running.clear();
    beat(numberOf(repair.destination()), new RepairResult(repair.id, repair.term(),
        RepairOutcome.FAILED, List.of(), 0, 0).withFailure(uuid, cause, "connection refused"));
    manager.cycle();
  }

  /** Lets the destination of the group's repair report success, and takes it in. */
  void rebuild(LostGroup group, Collection<Integer> readUnits) {
    TrackedRepair repair = repair(group);
    // The destination has the command before it reports anything.
    beat(numberOf(repair.destination()));
    running.clear();
    beat(numberOf(repair.destination()), new RepairResult(repair.id, repair.term(),
        RepairOutcome.REBUILT, List.copyOf(repair.assignment.unitsWithout(Set.of())), 0, 0)
        .withReadUnits(List.copyOf(readUnits)));
    manager.cycle();
    books.end(group.id, RepairEnd.DONE);
    manager.cycle();
  }

  /** Asks why a group is not repaired, and lets the manager's next cycle answer. */
  Explanation explain(LostGroup group) {
    return explain(group.id.groupId);
  }

  Explanation explain(long groupId) {
    CompletableFuture<Explanation> answer = manager.desk.ask(groupId);
    manager.cycle();
    return answer.getNow(null);
  }

  /**
   * Runs a superuser's command.
   *
   * @param args its words
   * @return its answer
   */
  public RefreshResponse command(String... args) {
    return new OperatorRefreshHandler(new OperatorRefreshHandler.Guard() {
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
    }, manager.operations()).handleRefresh("ppr", args);
  }
}
