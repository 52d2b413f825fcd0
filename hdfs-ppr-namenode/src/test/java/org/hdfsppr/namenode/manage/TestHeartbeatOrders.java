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

import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgent;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.scrub.ScrubTarget;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Test;

/** Tests which nodes get checks, and how an order looks. */
class TestHeartbeatOrders {
  private long nowMs;
  private final DataNodeAgents agents = new DataNodeAgents(() -> nowMs);
  private final HeartbeatOrders door = new HeartbeatOrders(agents);

  private static NodeRef node(int number, int repairPort) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "dn" + number, 9866, repairPort,
        "/r" + number % 2);
  }

  private DataNodeAgent hear(int number, long features) {
    return agents.hear(new HeartbeatRequest(2, "0.2.0", node(number, 9877), 1,
        new NodeLoad(0, 0, 100, 0, 0, 0).withMachine(0, 0, 0), List.of(), List.of())
        .withFeatures(15, features), false);
  }

  private static ScrubTarget group() {
    List<UnitHolder> holders = new ArrayList<>();
    for (int unit = 0; unit < 5; unit++) {
      holders.add(new UnitHolder(unit, node(unit, NodeRef.NO_REPAIR_PORT)));
    }
    return new ScrubTarget(0, new GroupId("BP", -16, 1001), 3 << 20,
        new GroupPolicy("rs", 3, 2, 1 << 20), holders, false);
  }

  @Test
  void onlyLiveNodesThatKnowChecksLead() {
    hear(1, CommandFeatures.KNOWN);
    hear(2, CommandFeatures.KNOWN & ~CommandFeatures.SCRUB);
    assertTrue(door.canLead("uuid-1"));
    assertFalse(door.canLead("uuid-2"), "an older version");
    assertFalse(door.canLead("uuid-3"), "no plugin");
    nowMs += DataNodeAgents.SILENCE_MS_MAX + 1;
    assertFalse(door.canLead("uuid-1"), "silent");
    assertFalse(door.order(node(1, 0), "scrub-1-1", 1, group(), 1 << 20, 1_000));
  }

  @Test
  void theLeaderComesFirstAndItsRackNext() {
    DataNodeAgent leader = hear(3, CommandFeatures.KNOWN);
    hear(1, CommandFeatures.KNOWN);
    assertTrue(door.order(node(3, 0), "scrub-1-1", 1, group(), 1 << 20, 1_000));
    List<ManagerCommand> orders = leader.takeOrders();
    assertEquals(1, orders.size());
    ScrubCommand order = (ScrubCommand) orders.get(0);
    List<Integer> units = new ArrayList<>();
    order.holders.forEach(holder -> units.add(holder.unit));
    assertEquals(List.of(3, 1, 0, 2, 4), units);
    assertEquals(9877, order.holders.get(1).node.repairPort);
    assertEquals(NodeRef.NO_REPAIR_PORT, order.holders.get(2).node.repairPort);
    assertTrue(leader.takeOrders().isEmpty());
  }

  @Test
  void fewOrdersWait() {
    DataNodeAgent leader = hear(3, CommandFeatures.KNOWN);
    int taken = 0;
    while (taken < 100
        && door.order(node(3, 0), "scrub-1-" + taken, 1, group(), 1 << 20, 1_000)) {
      taken++;
    }
    assertEquals(4, taken);
    agents.dropOrders();
    assertTrue(leader.takeOrders().isEmpty());
  }
}
