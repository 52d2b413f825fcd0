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
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.Time;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.doctor.Doctor;
import org.hdfsppr.namenode.doctor.FindingCode;
import org.hdfsppr.namenode.web.DoctorPages;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests mistakes of an installation on a cluster with both plugins: a node without the plugin, a
 * node with another setting, and a node whose repair port other nodes cannot reach.
 */
@InterfaceAudience.Private
@Timeout(120)
class TestDoctorOnCluster {
  private static final int GOOD = 4;
  private static final int UNITS = 5;

  @TempDir
  private File directory;
  private DoctorPages pages;

  private JsonNode document() {
    try {
      return new ObjectMapper().readTree(pages.find("/v1/doctor").get().body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode first(JsonNode document, FindingCode code) {
    for (JsonNode finding : document.get("findings")) {
      if (finding.get("code").asText().equals(code.word())) {
        return finding;
      }
    }
    throw new AssertionError("no " + code.word() + " in " + document);
  }

  private static String name(DataNode datanode) {
    return datanode.getDatanodeId().getHostName() + ":" + datanode.getXferPort();
  }

  private static void assertFound(JsonNode document, FindingCode code, String severity,
      DataNode datanode) {
    JsonNode finding = first(document, code);
    assertEquals(severity, finding.get("severity").asText(), finding.toString());
    assertEquals("[\"" + name(datanode) + "\"]", finding.get("nodes").toString(),
        finding.toString());
  }

  private DataNode add(RepairCluster cluster, Configuration conf) throws Exception {
    cluster.mini().startDataNodes(conf, 1, true, null, null);
    cluster.mini().waitActive();
    return cluster.mini().getDataNodes().get(cluster.mini().getDataNodes().size() - 1);
  }

  @Test
  void mistakesAreFound() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + FreePort.choose());
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 200);
    try (RepairCluster cluster = RepairCluster.start(conf, GOOD);
        ManagerService service = ManagerService.start(cluster.mini().getNamesystem(), conf)) {
      // Only this NameNode's own port differs between clusters in one JVM, so a bad node needs a
      // configuration of its own and not a change of the common one.
      Configuration plain = new Configuration(conf);
      plain.unset("dfs.datanode.plugins");
      DataNode withoutPlugin = add(cluster, plain);
      Configuration hasty = new Configuration(conf);
      hasty.set(PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY, "7s");
      DataNode withOtherSetting = add(cluster, hasty);
      Configuration hidden = new Configuration(conf);
      // The node listens at another address of this host than the one that the others know.
      hidden.set(PprKeys.DATANODE_ADDRESS_KEY, "127.0.0.2:0");
      DataNode withClosedPort = add(cluster, hidden);
      pages = new DoctorPages(service.examination(),
          new Doctor(service.parts.checks()), Time::monotonicNow);
      RepairCluster.await("all plugins say what they are", () -> {
        int said = 0;
        for (JsonNode node : document().get("nodes")) {
          said += node.get("settings").isNull() ? 0 : 1;
        }
        return said == GOOD + 2;
      });

      JsonNode document = document();
      assertFound(document, FindingCode.PLUGIN_MISSING, "warning", withoutPlugin);
      assertFound(document, FindingCode.SETTINGS_DIFFER, "warning", withOtherSetting);
      assertTrue(first(document, FindingCode.SETTINGS_DIFFER).get("text").asText()
          .startsWith(PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY + " is '7000' on "));
      assertFound(document, FindingCode.PORT_CLOSED, "warning", withClosedPort);
      for (FindingCode fine : new FindingCode[] {FindingCode.AGENT_SILENT,
          FindingCode.VERSIONS_DIFFER, FindingCode.TWO_VERSIONS, FindingCode.CLOCK_OFF}) {
        assertEquals("ok", first(document, fine).get("severity").asText(), fine.word());
      }

      repairWithHelpOf(cluster, withClosedPort);
      RepairCluster.await("a DataNode says that it cannot reach the port", () ->
          first(document(), FindingCode.PORT_CLOSED).get("severity").asText().equals("error"));
      assertFound(document(), FindingCode.PORT_CLOSED, "error", withClosedPort);
    }
  }

  /** Loses a unit of a group that has another unit on this node, and waits for the repair. */
  private static void repairWithHelpOf(RepairCluster cluster, DataNode helper) throws Exception {
    Path parent = cluster.directory("/striped", "RS-3-2-1024k");
    for (int i = 0; i < 100; i++) {
      Path file = new Path(parent, "f" + i);
      cluster.write(file, 3 << 20, 4 << 20, i);
      LocatedStripedBlock group = cluster.groups(file).get(0);
      int own = -1;
      for (int unit = 0; unit < UNITS; unit++) {
        DatanodeInfo holder = RepairCluster.holders(group).get(unit);
        own = holder != null && holder.getDatanodeUuid().equals(helper.getDatanodeUuid()) ? unit
            : own;
      }
      if (own >= 0) {
        int lost = own == 0 ? 1 : 0;
        cluster.report(group, lost);
        cluster.awaitUnits(file, UNITS);
        return;
      }
    }
    throw new AssertionError("the node holds no unit of any file");
  }
}
