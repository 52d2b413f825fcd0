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
package org.hdfsppr.namenode.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgent;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.version.VersionDataNodes;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.Test;

/** Tests which nodes get commands for versions. */
@InterfaceAudience.Private
class TestVersionHeartbeatOrders {
  private static final String UUID = "uuid-1";

  private long nowMs;
  private final DataNodeAgents agents = new DataNodeAgents(() -> nowMs);
  private final VersionDataNodes orders = new VersionHeartbeatOrders(agents);

  private DataNodeAgent hear(long features) {
    NodeRef node = new NodeRef(UUID, "10.0.0.1", "dn1", 9866, 9877, "/r1");
    return agents.hear(new HeartbeatRequest(2, "0.2.0", node, 1,
        new NodeLoad(0, 0, 100, 0, 0, 0).withMachine(0, 0, 0), List.of(), List.of())
        .withFeatures(15, features), false);
  }

  private static LinkCommand links(String id) {
    return new LinkCommand(id, 1, List.of(new LinkCommand.Link(
        new BlockRef("BP", -32, 1001, 5), new BlockRef("BP", -64, 1002, 5))), 1000);
  }

  @Test
  void onlyLiveNodesThatKnowVersionsWork() {
    hear(CommandFeatures.KNOWN & ~CommandFeatures.VERSIONS);
    assertFalse(orders.canWork(UUID), "an older version");
    assertEquals(List.of(), orders.workers());
    hear(CommandFeatures.KNOWN);
    assertTrue(orders.canWork(UUID));
    assertEquals(UUID, orders.workers().get(0).uuid);
    nowMs += DataNodeAgents.SILENCE_MS_MAX + 1;
    assertFalse(orders.canWork(UUID), "silent");
    assertFalse(orders.link(UUID, links("version-1")));
  }

  /** A DataNode of 0.2.0 knows patches, and not the ways in which changes are sent now. */
  @Test
  void onlyNodesThatKnowAllOfItPatch() {
    for (long unknown : new long[] {CommandFeatures.PATCHES, CommandFeatures.CHANGE_WAYS,
        CommandFeatures.COLLECTED}) {
      hear(CommandFeatures.KNOWN & ~unknown);
      assertFalse(orders.canPatch(UUID));
    }
    hear(CommandFeatures.KNOWN);
    assertTrue(orders.canPatch(UUID));
  }

  @Test
  void theNodeSaysWhetherItSendsDigests() {
    hear(CommandFeatures.KNOWN & ~CommandFeatures.BLOCK_DIGESTS);
    assertFalse(orders.sendsDigests(UUID));
    hear(CommandFeatures.KNOWN);
    assertTrue(orders.sendsDigests(UUID));
  }

  @Test
  void linksWaitForTheNextHeartbeatUnlessTheyAreGivenUp() {
    DataNodeAgent agent = hear(CommandFeatures.KNOWN);
    assertTrue(orders.link(UUID, links("version-1")));
    assertTrue(orders.link(UUID, links("version-2")));
    orders.cancel(UUID, "version-1", 1);
    assertEquals("version-2", agent.takeOrders().get(0).id());
    assertEquals(List.of(), agent.takeOrders());
    assertEquals(List.of(), agent.takeCancels(), "what was never sent needs no cancellation");
  }
}
