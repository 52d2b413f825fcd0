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

import static org.hdfsppr.namenode.manage.PaperCluster.RS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.namenode.manage.PaperCluster;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.operate.UnseenReads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what the manager says to the engine of versions about repairs and about its charge. */
@InterfaceAudience.Private
class TestVersionManagerGate {
  private final PaperCluster cluster = new PaperCluster(new Configuration());
  private final LostGroup lost = cluster.group(1, RS, 15, 16, 17, 18, 19);
  private final VersionManagerGate gate =
      new VersionManagerGate(cluster.view());

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void assertSays(String why) {
    String said = gate.whyNoCommit().orElse("");
    assertTrue(said.startsWith("the repair manager of this NameNode is not in charge: ")
        && said.contains(why), said);
  }

  @Test
  void repairsHoldMakingsAtTheirNodesAndAPauseHoldsAll() {
    cluster.step(14_000);
    assertEquals(Optional.empty(), gate.whyNoCommit());
    assertEquals(Optional.empty(), gate.whyNot());
    cluster.lose(lost);
    for (int i = 0; !cluster.isUnderWay(lost); i++) {
      assertTrue(i < 4_000, "no repair of the group begins");
      cluster.step(250);
    }
    assertEquals(Optional.empty(), gate.whyNot());
    assertEquals(Optional.empty(), gate.whyNoCommit());
    List<String> free = new ArrayList<>();
    for (int i = 0; i < PaperCluster.NODES; i++) {
      String uuid = PaperCluster.node(i).uuid;
      if (!gate.links().isHeldUp(LinkLoads.Work.MAKING, List.of(uuid), cluster.nowMs())) {
        free.add(uuid);
      }
    }
    assertEquals(PaperCluster.NODES - 1 - RS.dataUnits, free.size(),
        "the destination and the helpers have a repair: " + free);
    cluster.command("pause");
    cluster.step(1_000);
    assertTrue(gate.whyNot().isPresent());
    assertEquals(Optional.empty(), gate.whyNoCommit());
  }

  @Test
  void aManagerThatListensHoldsCommits() {
    cluster.step(250);
    assertSays("listens");
    cluster.step(14_000);
    assertEquals(Optional.empty(), gate.whyNoCommit());
  }

  /** Nodes without the plugin, of earlier versions, and with other logs cannot tell. */
  @Test
  void dataNodesThatSeeNoReadsAreCounted() {
    assertEquals(Optional.empty(), gate.unseenReads(), "the DataNodes are not known yet");
    cluster.withAgents = 7;
    for (int i = 0; i < 5; i++) {
      cluster.oldReads.put(i, new OldReads(i > 0, 0, false, false, List.of()));
    }
    cluster.step(14_000);
    UnseenReads unseen = gate.unseenReads().orElseThrow();
    assertEquals(PaperCluster.NODES, unseen.dataNodes);
    assertEquals(PaperCluster.NODES - 4, unseen.blind);
    cluster.withAgents = 3;
    cluster.step(600_000);
    assertEquals(PaperCluster.NODES - 2, gate.unseenReads().orElseThrow().blind, "silent nodes");
  }

  @Test
  void aStandbyMakesNoCommit() {
    cluster.step(14_000);
    cluster.setActive(false);
    cluster.step(1_000);
    assertSays("not active");
  }
}
