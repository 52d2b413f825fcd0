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

import static org.hdfsppr.namenode.manage.DoctorCluster.LINK;
import static org.hdfsppr.namenode.manage.DoctorCluster.NODES;
import static org.hdfsppr.namenode.manage.DoctorCluster.OWN_JAR;
import static org.hdfsppr.namenode.manage.DoctorCluster.STALL;
import static org.hdfsppr.namenode.manage.DoctorCluster.assertHas;
import static org.hdfsppr.namenode.manage.DoctorCluster.of;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.manage.OwnJar;
import org.hdfsppr.manage.RepairRates;
import org.hdfsppr.namenode.doctor.FindingCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that each mistake of an installation is found in what DataNodes say in their heartbeats,
 * which pass the codecs of both sides, and that nothing is found where nothing is wrong.
 */
@InterfaceAudience.Private
class TestDoctor {
  private DoctorCluster cluster;

  @BeforeEach
  void start() throws IOException {
    cluster = new DoctorCluster(List.of());
  }

  @AfterEach
  void stop() throws IOException {
    cluster.close();
  }

  @Test
  void nothingIsWrong() throws Exception {
    JsonNode document = cluster.examine();
    Set<String> checked = new TreeSet<>();
    for (JsonNode finding : document.get("findings")) {
      assertEquals("ok", finding.get("severity").asText(), finding.toString());
      assertTrue(checked.add(finding.get("code").asText()));
    }
    // The other two are those of an extension.
    assertEquals(FindingCode.values().length - 2, checked.size());
    assertEquals(NODES, document.get("nodes").size());
    JsonNode node = document.get("nodes").get(2);
    assertEquals("u2", node.get("uuid").asText());
    assertEquals("h2:9866", node.get("node").asText());
    assertEquals("0.2.0", node.get("software").asText());
    assertEquals("3.4.3", node.get("hadoop").asText());
    assertEquals("17.0.9", node.get("java").asText());
    assertEquals("isal", node.get("kernel").asText());
    assertEquals(3, node.get("clock_offset_ms").asLong());
    assertEquals("10000", node.get("settings").get(STALL).asText());
    assertEquals(OWN_JAR + " (0.2.0)", node.get("jars").get(0).asText());
    assertEquals(0, document.get("ports_unchecked").asInt());
    assertFalse(document.get("truncated").asBoolean());
  }

  @Test
  void aMissingPluginIsFound() throws Exception {
    cluster.nodes.remove(2);
    assertHas(cluster.only(FindingCode.PLUGIN_MISSING, "warning", "h2:9866"),
        "1 DataNode of 6 live ones");
  }

  @Test
  void withoutAnyPluginThereIsNothingToCompare() throws Exception {
    cluster.nodes.clear();
    JsonNode document = cluster.examine();
    assertEquals(1, document.get("findings").size());
    assertEquals(NODES, of(document, FindingCode.PLUGIN_MISSING).get(0).get("nodes").size());
    assertTrue(document.get("nodes").get(0).get("software").isNull());
    assertTrue(document.get("nodes").get(0).get("settings").isNull());
  }

  @Test
  void aSilentPluginIsFoundAndForgottenAfterAnHour() throws Exception {
    cluster.examine();
    cluster.nodes.get(4).silent = true;
    for (int i = 0; i < 5; i++) {
      cluster.examine();
    }
    assertHas(cluster.only(FindingCode.AGENT_SILENT, "error", "h4:9866"), "silent for 18 s");
    cluster.now += 3_600_000;
    cluster.only(FindingCode.PLUGIN_MISSING, "warning", "h4:9866");
    cluster.nodes.get(4).silent = false;
    assertEquals("ok",
        of(cluster.examine(), FindingCode.PLUGIN_MISSING).get(0).get("severity").asText());
  }

  @Test
  void differentVersionsAreFound() throws Exception {
    cluster.nodes.get(1).software = "0.1.0";
    cluster.nodes.get(1).old = true;
    assertHas(cluster.only(FindingCode.VERSIONS_DIFFER, "warning", "h1:9866"),
        "0.1.0 on h1:9866, 0.2.0 on h0:9866, h2:9866, h3:9866, h4:9866, h5:9866; this NameNode"
        + " runs 0.2.0");
  }

  /** The first version did not say its version. Classes that are not in a jar have none, either. */
  @Test
  void aNodeWithoutAVersionIsOldIfItSaysNothingElse() throws Exception {
    cluster.nodes.get(1).software = "unknown";
    assertEquals("ok",
        of(cluster.examine(), FindingCode.VERSIONS_DIFFER).get(0).get("severity").asText());
    cluster.nodes.get(1).old = true;
    cluster.nodes.get(1).software = "0.2.0";
    cluster.examine();
    cluster.nodes.get(1).software = "unknown";
    assertHas(cluster.only(FindingCode.VERSIONS_DIFFER, "warning", "h1:9866"), "0.1.0 on h1:9866");
  }

  @Test
  void anOldNodeIsUnknownAndNotWrong() throws Exception {
    cluster.nodes.get(1).old = true;
    JsonNode document = cluster.examine();
    for (JsonNode finding : document.get("findings")) {
      assertEquals("ok", finding.get("severity").asText(), finding.toString());
    }
    assertHas(of(document, FindingCode.SETTINGS_DIFFER).get(0).get("text").asText(),
        "1 DataNode cannot be compared");
    JsonNode node = document.get("nodes").get(1);
    assertEquals("0.2.0", node.get("software").asText());
    for (String unknown : List.of("hadoop", "java", "kernel", "clock_offset_ms", "settings",
        "jars")) {
      assertTrue(node.get(unknown).isNull(), unknown);
    }
  }

  @Test
  void twoVersionsOnOneClassPathAreFound() throws Exception {
    cluster.nodes.get(3).jars =
        List.of(new OwnJar(OWN_JAR, "0.2.0"), new OwnJar("lib/client.jar", "0.2.0"),
            new OwnJar("hdfs/old.jar", "0.1.0"));
    cluster.nodes.get(4).jars =
        List.of(new OwnJar(OWN_JAR, "0.2.0"), new OwnJar("target/classes", ""));
    assertHas(cluster.only(FindingCode.TWO_VERSIONS, "error", "h3:9866"),
        "h3:9866 has " + OWN_JAR + " (0.2.0) and lib/client.jar (0.2.0) and hdfs/old.jar (0.1.0)");
  }

  @Test
  void twoVersionsOnTheNameNodeAreFound() throws Exception {
    cluster.jarsOfNameNode =
        List.of(new OwnJar("lib/a.jar", "0.2.0"), new OwnJar("lib/b.jar", "0.1.0"));
    assertHas(cluster.only(FindingCode.TWO_VERSIONS, "error"),
        "this NameNode has lib/a.jar (0.2.0) and lib/b.jar (0.1.0)");
  }

  @Test
  void aPortThatOtherDataNodesCannotReachIsFound() throws Exception {
    cluster.nodes.get(0).unreachable.add("u5");
    cluster.nodes.get(2).unreachable.add("u5");
    cluster.nodes.get(2).unreachable.add("u-of-a-node-that-is-gone");
    assertHas(cluster.only(FindingCode.PORT_CLOSED, "error", "h5:9866"),
        "port " + cluster.open.getLocalPort() + " of h5:9866, from h0:9866, h2:9866");
  }

  @Test
  void aPortThatTheNameNodeCannotReachIsFound() throws Exception {
    int closed = FreePort.choose();
    cluster.nodes.get(3).port = closed;
    assertHas(cluster.only(FindingCode.PORT_CLOSED, "warning", "h3:9866"),
        "port " + closed + " of h3:9866 (Connection refused). Updates in place need it");
    cluster.nodes.get(3).port = cluster.open.getLocalPort();
    assertEquals("ok",
        of(cluster.examine(), FindingCode.PORT_CLOSED).get(0).get("severity").asText(),
        "another port is tried at once");
  }

  @Test
  void aKernelThatFellBackIsFound() throws Exception {
    cluster.nodes.get(2).kernel = "java";
    cluster.nodes.get(2).fallback = "/tmp is mounted noexec";
    cluster.nodes.get(3).kernel = "gfni";
    cluster.nodes.get(4).kernel = "java";
    assertHas(cluster.only(FindingCode.KERNEL_JAVA, "warning", "h2:9866", "h4:9866"),
        "h2:9866 (/tmp is mounted noexec), h4:9866 (dfs.ppr.kernel is java)");
  }

  @Test
  void theJavaKernelOnAllNodesIsWrongOnlyIfItWasNotChosen() throws Exception {
    cluster.nodes.values().forEach(node -> node.kernel = "java");
    assertEquals("ok",
        of(cluster.examine(), FindingCode.KERNEL_JAVA).get(0).get("severity").asText());
    for (DoctorCluster.Node node : cluster.nodes.values()) {
      node.fallback = "no library";
      node.isDescribed = false;
    }
    assertEquals(NODES, of(cluster.examine(), FindingCode.KERNEL_JAVA).get(0).get("nodes").size());
  }

  @Test
  void aSettingThatDiffersIsFoundWithTheFewestNodesFirst() throws Exception {
    cluster.nodes.get(1).settings.put(STALL, "7000");
    cluster.nodes.get(0).settings.put(PprKeys.DATANODE_ADDRESS_KEY, "10.0.0.9:9877");
    assertEquals(STALL + " is '7000' on h1:9866, '10000' on h0:9866, h2:9866, h3:9866, h4:9866,"
        + " h5:9866.", cluster.only(FindingCode.SETTINGS_DIFFER, "warning", "h1:9866"));
  }

  @Test
  void aPortThatDiffersIsASettingThatDiffers() throws Exception {
    cluster.nodes.get(0).settings.put(PprKeys.DATANODE_ADDRESS_KEY, "0.0.0.0:9999");
    assertHas(cluster.only(FindingCode.SETTINGS_DIFFER, "warning", "h0:9866"),
        "'port 9999' on h0:9866");
  }

  @Test
  void aClockThatIsTenMinutesOffIsFound() throws Exception {
    cluster.nodes.get(2).clockOffsetMs = 600_000;
    cluster.nodes.get(3).clockOffsetMs = -600_000;
    cluster.nodes.get(4).clockOffsetMs = -60_000;
    assertHas(cluster.only(FindingCode.CLOCK_OFF, "warning", "h2:9866", "h3:9866"),
        "h2:9866 (600 s ahead), h3:9866 (600 s behind)");
  }

  @Test
  void aLinkRateThatIsTooHighIsFound() throws Exception {
    cluster.nodes.get(2).rates = new RepairRates(1, 2, 25_000_000, 3_000_000);
    cluster.nodes.get(3).rates = new RepairRates(1, 2, 0, 24_000_000);
    assertHas(cluster.only(FindingCode.LINK_RATE, "warning", "h2:9866", "h3:9866"),
        "no more than 200 Mbit/s over a node's link, but dfs.namenode.ppr.link.bytes.per-second"
        + " says 800 Mbit/s (100000000 bytes per second)");
    cluster.nodes.get(2).rates = new RepairRates(1, 2, 25_000_001, 3_000_000);
    assertEquals("ok",
        of(cluster.examine(), FindingCode.LINK_RATE).get(0).get("severity").asText());
  }

  @Test
  void aLinkRateThatIsNotSetIsSaid() throws Exception {
    String words = "repairs yield to users only where dfs.namenode.ppr.link.bytes.per-second is";
    assertFalse(of(cluster.examine(), FindingCode.LINK_RATE).get(0).get("text").asText()
        .contains(words));
    cluster.linkRateSet = false;
    assertHas(of(cluster.examine(), FindingCode.LINK_RATE).get(0).get("text").asText(), words);
    cluster.nodes.get(2).rates = new RepairRates(1, 2, (long) LINK, (long) LINK);
    assertHas(of(cluster.examine(), FindingCode.LINK_RATE).get(0).get("text").asText(), words);
  }

  @Test
  void limitsOfAnOperatorAreNoSlowLinks() throws Exception {
    cluster.nodes.get(2).rates = new RepairRates(0, 0, 1_000_000, 1_000_000);
    cluster.nodes.get(2).limited = true;
    assertEquals("ok",
        of(cluster.examine(), FindingCode.LINK_RATE).get(0).get("severity").asText());
  }

  @Test
  void aLinkRateThatIsTooLowIsFound() throws Exception {
    cluster.nodes.get(1).rates = new RepairRates(1, 2, 30_000_000, 399_999_999);
    assertEquals("ok",
        of(cluster.examine(), FindingCode.LINK_RATE).get(0).get("severity").asText());
    cluster.nodes.get(1).rates = new RepairRates(1, 2, 30_000_000, 400_000_000);
    assertHas(cluster.only(FindingCode.LINK_RATE, "warning", "h1:9866"), "up to 3200 Mbit/s");
  }

  /** A NameNode that starts asks all cluster.nodes once, also as a standby. */
  @Test
  void theLargePartIsAskedForOnlyWhileItIsMissing() throws Exception {
    cluster.nodes.values().forEach(node -> node.isDescribed = true);
    cluster.examine();
    assertEquals("isal", cluster.document().get("nodes").get(0).get("kernel").asText());
    cluster.nodes.get(0).beat();
    assertTrue(cluster.nodes.get(0).isDescribed);
    cluster.nodes.get(0).software = "0.3.0";
    cluster.nodes.get(0).beat();
    assertFalse(cluster.nodes.get(0).isDescribed,
        "what the old version said does not hold any more");
  }

  @Test
  void thePageExplainsEachCode() throws Exception {
    Matcher rows = Pattern.compile("(?m)^\\| `([a-z_]+)` \\|").matcher(
        Files.readString(Path.of("..", "docs", "doctor.md")));
    Set<String> explained = new TreeSet<>();
    while (rows.find()) {
      assertTrue(explained.add(rows.group(1)), rows.group(1) + " is there twice");
    }
    Set<String> codes = new TreeSet<>();
    for (FindingCode code : FindingCode.values()) {
      codes.add(code.word());
    }
    assertEquals(codes, explained);
  }
}
