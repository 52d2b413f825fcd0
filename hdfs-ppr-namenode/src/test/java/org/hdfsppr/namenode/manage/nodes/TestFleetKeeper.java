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
package org.hdfsppr.namenode.manage.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.LinkOrDisk;
import org.hdfsppr.namenode.schedule.Loads;
import org.hdfsppr.namenode.schedule.NodeCapacity;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.Test;

/** Tests that the fleet follows the NameNode's view of its nodes. */
@InterfaceAudience.Private
class TestFleetKeeper {
  private static final int BLOCK_BYTES = 128 << 20;
  private static final double ROUNDING = 1e-6;

  private final AtomicLong clockMs = new AtomicLong(1_000_000);
  private final DataNodeAgents agents = new DataNodeAgents(clockMs::get);
  private final Fleet fleet = new Fleet(node -> 0);
  private final FleetKeeper keeper =
      new FleetKeeper(fleet, NodeCapacity.ofLink(25e6), agents);

  private static NodeRef node(String ipAddr, String hostName, int port, String rack) {
    return new NodeRef("uuid", ipAddr, hostName, port, NodeRef.NO_REPAIR_PORT, rack);
  }

  private void follows(NodeRef node) {
    keeper.update(List.of(new NameNodeView.LiveNode(node, true)), Set.of());
    NodeRef ref = fleet.find(node).ref();
    assertEquals(node.ipAddr, ref.ipAddr);
    assertEquals(node.hostName, ref.hostName);
    assertEquals(node.xferPort, ref.xferPort);
    assertEquals(node.rack, ref.rack);
    assertEquals(1, fleet.size(), "the node is counted once");
  }

  private double seconds(NodeLoad load) {
    NodeRef node = node("10.0.0.1", "h1", 9866, "/a");
    agents.hear(new HeartbeatRequest(1, "0.1", node.withRepairPort(9877), 1, load,
        Collections.emptyList(), Collections.emptyList()), false);
    clockMs.incrementAndGet();
    keeper.update(List.of(new NameNodeView.LiveNode(node, true)), Set.of());
    return fleet.find(node).seconds();
  }

  /** The plan reads a block, and the links are idle. */
  @Test
  void disksCountAsTheNodeReportsThem() {
    NodeLoad load = new NodeLoad(0, 0, 8, 0, 0, 0).withMachine(0, 0, 0);
    seconds(load);
    fleet.add(Loads.of(0, LinkOrDisk.Kind.READ, BLOCK_BYTES));
    assertEquals(0, seconds(load), 0, "unknown disks do not limit the plan");
    assertEquals(1, seconds(load.withDisks(0, BLOCK_BYTES)), ROUNDING);
    assertEquals(2, seconds(load.withDisks(50, BLOCK_BYTES)), ROUNDING,
        "users take half of the disks");
    assertEquals(10, seconds(load.withDisks(100, BLOCK_BYTES)), ROUNDING,
        "users leave a tenth of the disks");
    assertEquals(0, seconds(load), 0, "the disks are unknown again");
  }

  /**
   * The node registers again while it is alive, as a container does that was restarted elsewhere.
   */
  @Test
  void aNodeThatRegistersAnewIsReachedWhereItIsNow() {
    follows(node("10.0.0.1", "h1", 9866, "/a"));
    follows(node("10.0.0.2", "h1", 9866, "/a"));
    follows(node("10.0.0.2", "h2", 9866, "/a"));
    follows(node("10.0.0.2", "h2", 9867, "/a"));
    follows(node("10.0.0.2", "h2", 9867, "/b"));
    follows(node("10.0.0.1", "h1", 9866, "/a"));
  }
}
