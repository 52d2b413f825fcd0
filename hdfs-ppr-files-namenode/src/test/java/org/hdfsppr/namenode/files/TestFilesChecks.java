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

import static org.hdfsppr.namenode.manage.DoctorCluster.assertHas;
import static org.hdfsppr.namenode.manage.DoctorCluster.of;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.namenode.doctor.FindingCode;
import org.hdfsppr.namenode.manage.DoctorCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what is checked of update logs and of reads, beside what is checked of repairs. */
@InterfaceAudience.Private
class TestFilesChecks {
  private DoctorCluster cluster;

  @BeforeEach
  void start() throws IOException {
    start(false);
  }

  private void start(boolean givesOldTickets) throws IOException {
    cluster = new DoctorCluster(
        List.of(new SealedTicketCheck(givesOldTickets), new OldReadsCheck()));
  }

  @AfterEach
  void stop() throws IOException {
    cluster.close();
  }

  /** The order of the checks is that of the findings, where all are as urgent. */
  @Test
  void nothingIsWrong() throws Exception {
    List<String> codes = new ArrayList<>();
    for (JsonNode finding : cluster.examine().get("findings")) {
      assertEquals("ok", finding.get("severity").asText(), finding.toString());
      codes.add(finding.get("code").asText());
    }
    assertEquals(List.of("plugin_missing", "agent_silent", "two_versions", "versions_differ",
        "port_closed", "kernel_java", "tickets_old", "reads_unseen", "settings_differ",
        "clock_off", "link_rate"), codes);
  }

  @Test
  void dataNodesThatDoNotSeeReadsAreFound() throws Exception {
    cluster.nodes.get(2).seesReads = false;
    assertHas(cluster.only(FindingCode.READS_UNSEEN, "warning", "h2:9866"),
        "1 DataNode of 6 cannot tell"
        + " whether clients read old versions of files that are converted: h2:9866.");
    cluster.nodes.get(2).old = true;
    assertHas(of(cluster.examine(), FindingCode.READS_UNSEEN).get(0).get("text").asText(),
        "5 DataNodes can tell whether clients read old versions of files that are converted.");
  }

  @Test
  void dataNodesWithTicketsOfTheOldKindAreFound() throws Exception {
    cluster.nodes.get(2).commandFeatures |= CommandFeatures.UPDATE_LOG;
    assertHas(cluster.only(FindingCode.TICKETS_OLD, "warning", "h2:9866"),
        "Their units take no updates,"
        + " because dfs.namenode.ppr.update.old-tickets is false");
    cluster.close();
    start(true);
    cluster.nodes.get(2).commandFeatures |= CommandFeatures.UPDATE_LOG;
    assertHas(cluster.only(FindingCode.TICKETS_OLD, "warning", "h2:9866"),
        "can replace replicas of its blocks, also those that snapshots need");
    cluster.nodes.get(2).commandFeatures |= CommandFeatures.SEALED_TICKETS;
    JsonNode found = of(cluster.examine(), FindingCode.TICKETS_OLD).get(0);
    assertEquals("ok", found.get("severity").asText());
    assertHas(found.get("text").asText(),
        "So set dfs.namenode.ppr.update.old-tickets to false");
  }
}
