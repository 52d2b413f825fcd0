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

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.namenode.manage.ManagerService.HeartbeatResponder;
import org.hdfsppr.namenode.manage.charge.PolicyClaims;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.manage.nodes.NameNodeView;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.state.ManagerSettings;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.CodeReads;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.schedule.MpprWeights;
import org.hdfsppr.namenode.schedule.RepairSchedulers;
import org.hdfsppr.namenode.schedule.SchedulerOptions;
import org.hdfsppr.namenode.web.StatusPages;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * Measures what the status costs the manager's thread and viewers: 10,000 lost groups, 1,000 nodes,
 * simulated books. It asserts nothing, and is not a test. Run its main method.
 */
@InterfaceAudience.Private
public final class StatusCost {
  private static final int NODES = 1_000;
  private static final int GROUPS = 10_000;
  private static final int SECONDS = 60;
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);

  private final PaperBooks books = new PaperBooks();
  private final ManagerMetrics metrics = ManagerMetrics.register("balanced");
  private long now = 1_000_000;
  private final DataNodeAgents agents = new DataNodeAgents(() -> now);
  private final RepairManager manager = manager();
  private final HeartbeatResponder heartbeats = new HeartbeatResponder(manager, () -> "BP", false);
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  private RepairManager manager() {
    Configuration conf = new Configuration();
    CodeSource codes = policy -> Codes.forCodec(conf, policy.codec, policy.dataUnits,
        policy.parityUnits);
    List<NameNodeView.LiveNode> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      nodes.add(new NameNodeView.LiveNode(node(i).withRepairPort(NodeRef.NO_REPAIR_PORT), true));
    }
    NameNodeView view = new NameNodeView() {
      @Override
      public List<LiveNode> liveNodes() {
        return nodes;
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
        return false;
      }

      @Override
      public String blockPoolId() {
        return "BP";
      }
    };
    return new RepairManager(new ManagerKnowledge(books, view, agents, new PolicyClaims(codes),
        ManagerSettings.of(conf), metrics, () -> now),
        RepairSchedulers.byName("balanced", new SchedulerOptions(new CodeReads(codes), 0,
            new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, 64 << 20, 6)), new Random(1)));
  }

  private static NodeRef node(int i) {
    return new NodeRef("00000000-0000-0000-0000-" + (100_000_000_000L + i),
        "10.0." + i / 250 + "." + i % 250, "datanode" + i + ".example.com", 9866, 9877,
        "/rack" + i % 40);
  }

  private LostGroup group(int number, Random random) {
    List<UnitHolder> live = new ArrayList<>();
    List<NodeRef> occupied = new ArrayList<>();
    int first = random.nextInt(NODES);
    for (int unit = 1; unit < 9; unit++) {
      live.add(new UnitHolder(unit, node((first + 41 * unit) % NODES)));
      occupied.add(live.get(live.size() - 1).node);
    }
    return new LostGroup(new GroupId("BP", -16L * number - 16, 1), 6L * (256 << 20), RS, live,
        List.of(0), 2, now).occupying(occupied);
  }

  private void beat() {
    for (int i = 0; i < NODES; i++) {
      heartbeats.heartbeat(null, new HeartbeatRequest(HeartbeatRequest.PROTOCOL_VERSION, "test",
          node(i), 0, new NodeLoad(0, 0, 100, 0, 0, 0).withMachine(0, 0, 0), List.of(), List.of()));
    }
  }

  /** Returns the processor time of the cycles per second of simulated time, ms. */
  private double cycles(boolean withViewer) {
    long nanos = 0;
    for (int quarter = 0; quarter < 4 * SECONDS; quarter++) {
      now += 250;
      if (withViewer) {
        manager.status();
      }
      if (quarter % 4 == 0) {
        beat();
      }
      long start = threads.getCurrentThreadCpuTime();
      manager.cycle();
      nanos += threads.getCurrentThreadCpuTime() - start;
    }
    return nanos / 1e6 / SECONDS;
  }

  private void run(PrintStream out) {
    beat();
    for (int i = 0; i < 40; i++) {
      now += 250;
      manager.cycle();
      beat();
    }
    Random random = new Random(1);
    for (int i = 0; i < GROUPS; i++) {
      books.lose(group(i, random));
    }
    cycles(true);
    for (int round = 0; round < 3; round++) {
      double alone = cycles(false);
      double watched = cycles(true);
      out.printf("processor time of the manager's thread: %.1f ms/s without a viewer, %.1f ms/s"
          + " with viewers; %d groups wait, %d repairs are under way%n", alone, watched,
          manager.status().get(StatusNumber.GROUPS_QUEUED),
          manager.status().get(StatusNumber.REPAIRS_IN_FLIGHT));
    }
    StatusPages pages = new StatusPages(manager::status);
    for (String path : List.of("/v1/status", "/v1/history", "/v1/repairs", "/v1/groups",
        "/v1/nodes", "/v1/doubts")) {
      double ms = 0;
      int bytes = 0;
      for (int round = 0; round < 20; round++) {
        now += 1_000;
        beat();
        manager.status();
        manager.cycle();
        long start = threads.getCurrentThreadCpuTime();
        bytes = pages.find(path).get().body.length;
        ms = (threads.getCurrentThreadCpuTime() - start) / 1e6;
      }
      out.printf("%s: %,d bytes, written in %.1f ms%n", path, bytes, ms);
    }
    metrics.unregister();
  }

  /** @param args none */
  public static void main(String[] args) {
    new StatusCost().run(System.out);
  }
}
