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
package org.hdfsppr.datanode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.junit.jupiter.api.Test;

/** The trees that a DataNode accepts. */
class TestNeighbourRules {
  private static final int PORT = 9877;
  private static final NodeRef SELF = node("self", "10.0.0.1", 9866, PORT);

  private final NeighbourRules rules = new NeighbourRules(PORT, false);

  private static NodeRef node(String uuid, String ipAddr, int xferPort, int repairPort) {
    return new NodeRef(uuid, ipAddr, "host-" + ipAddr, xferPort, repairPort, "/r");
  }

  private static NodeRef node(String uuid, String ipAddr) {
    return node(uuid, ipAddr, 9866, PORT);
  }

  private static RepairSource share(int unit, NodeRef holder) {
    return new RepairSource(unit, new BlockRef("BP-1", -1024 + unit, 1001, 1 << 20), holder,
        new byte[] {1}, 1);
  }

  private static PlanNode tree(NodeRef node, PlanNode... children) {
    return new PlanNode(node, Collections.singletonList(share(0, node)), Arrays.asList(children));
  }

  private static PlanNode reading(NodeRef... holders) {
    RepairSource[] shares = new RepairSource[holders.length + 1];
    shares[0] = share(0, SELF);
    for (int i = 0; i < holders.length; i++) {
      shares[i + 1] = share(i + 1, holders[i]);
    }
    return new PlanNode(SELF, Arrays.asList(shares), Collections.emptyList());
  }

  private void assertRefused(NodeRef blamed, String said, PlanNode own) {
    assertRefused(rules, blamed, said, own);
  }

  private static void assertRefused(NeighbourRules rules, NodeRef blamed, String said,
      PlanNode own) {
    RepairException e = assertThrows(RepairException.class, () -> rules.check(SELF, own));
    assertEquals(FailureCause.UNSUPPORTED, e.failureCause);
    assertEquals(blamed, e.node, e.toString());
    assertTrue(e.getMessage().contains(said), e.getMessage());
  }

  @Test
  void honestTreesPass() throws Exception {
    rules.check(SELF, tree(SELF, tree(node("a", "10.0.0.2"), tree(node("b", "10.0.0.3"))),
        tree(node("c", "fd00::7"))));
    // Several DataNodes of one host; the DataNodes without the extension share its address.
    rules.check(SELF, reading(node("a", "10.0.0.1", 9867, 0), node("b", "10.0.0.2", 9866, 0),
        node("b", "10.0.0.2", 9866, 0), node("c", "10.0.0.2", 9867, 0)));
  }

  /** Otherwise a caller could try the ports of a network one after the other. */
  @Test
  void onePortForAll() throws Exception {
    for (int port : new int[] {22, 9866, 0}) {
      NodeRef other = node("a", "10.0.0.2", 9866, port);
      assertRefused(other, "port " + port, tree(SELF, tree(other)));
    }
    NodeRef deep = node("b", "10.0.0.3", 9866, 22);
    assertRefused(deep, "9877", tree(SELF, tree(node("a", "10.0.0.2"), tree(deep))));
    // As in Hadoop's mini clusters.
    new NeighbourRules(0, false).check(SELF, tree(SELF, tree(node("a", "10.0.0.2", 9866, 7000)),
        tree(node("b", "10.0.0.2", 9867, 7001))));
  }

  @Test
  void anAddressForEach() {
    NodeRef alias = node("alias", "10.0.0.1", 9999, PORT);
    assertRefused(alias, "another DataNode", tree(SELF, tree(alias)));
    NodeRef second = node("b", "10.0.0.2");
    assertRefused(second, "another DataNode",
        tree(SELF, tree(node("a", "10.0.0.2")), tree(second)));
    assertRefused(second, "another DataNode",
        tree(SELF, tree(node("a", "10.0.0.2"), tree(second))));
    NodeRef holder = node("c", "10.0.0.2", 9866, 0);
    assertRefused(holder, "another DataNode", reading(node("a", "10.0.0.2", 9866, 0), holder));
  }

  @Test
  void addressesOfDataNodes() throws Exception {
    for (String address : List.of("127.0.0.1", "0.0.0.0", "224.0.0.1", "::1", "::", "ff02::1",
        "internal.example.com", "127.1", "2130706433", "")) {
      NodeRef child = node("a", address);
      assertRefused(child, address, tree(SELF, tree(child)));
      NodeRef holder = node("a", address, 9866, 0);
      assertRefused(holder, address, reading(holder));
    }
    NodeRef alone = node("self", "127.0.0.1");
    rules.check(alone, tree(alone, tree(node("a", "127.0.0.2"))));
  }

  /** With host names, the addresses may be those of a gateway. */
  @Test
  void clustersThatConnectByName() throws Exception {
    NeighbourRules byName = new NeighbourRules(PORT, true);
    NodeRef one = new NodeRef("a", "10.0.0.9", "dn1", 9866, PORT, "/r");
    NodeRef two = new NodeRef("b", "10.0.0.9", "dn2", 9866, PORT, "/r");
    byName.check(SELF, tree(SELF, tree(one), tree(two)));
    NodeRef alias = new NodeRef("c", "10.0.0.8", "DN1", 9866, PORT, "/r");
    assertRefused(byName, alias, "dn1", tree(SELF, tree(one), tree(alias)));
  }
}
