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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.NodeSelf;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.manage.OwnJar;
import org.hdfsppr.manage.RepairRates;
import org.hdfsppr.manage.SelfReport;
import org.hdfsppr.manage.Wire;
import org.hdfsppr.namenode.doctor.ClusterFacts;
import org.hdfsppr.namenode.doctor.Doctor;
import org.hdfsppr.namenode.doctor.FindingCode;
import org.hdfsppr.namenode.files.OldReadsCheck;
import org.hdfsppr.namenode.files.SealedTicketCheck;
import org.hdfsppr.namenode.manage.ManagerService.HeartbeatResponder;
import org.hdfsppr.namenode.manage.charge.PolicyClaims;
import org.hdfsppr.namenode.manage.nodes.ClusterExamination;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.manage.nodes.NameNodeView;
import org.hdfsppr.namenode.manage.nodes.PortProbes;
import org.hdfsppr.namenode.manage.state.ManagerKnowledge;
import org.hdfsppr.namenode.manage.state.ManagerSettings;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.schedule.CodeReads;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.schedule.MpprWeights;
import org.hdfsppr.namenode.schedule.RepairSchedulers;
import org.hdfsppr.namenode.schedule.SchedulerOptions;
import org.hdfsppr.namenode.web.DoctorPages;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.RequestFeatures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that each mistake of an installation is found in what DataNodes say in their heartbeats,
 * which pass the codecs of both sides, and that nothing is found where nothing is wrong.
 */
@InterfaceAudience.Private
class TestDoctor {
  private static final int NODES = 6;
  private static final double LINK = 100e6;
  private static final String OWN_JAR = "lib/hdfs-ppr-datanode.jar";
  private static final String STALL = PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY;

  private final PaperBooks books = new PaperBooks();
  private final ManagerMetrics metrics = ManagerMetrics.register("test");
  private long now = 5_000_000;
  private final long wallClockMs = 1_700_000_000_000L;
  private final DataNodeAgents agents = new DataNodeAgents(() -> now, () -> wallClockMs);
  private final Live live = new Live();
  private final Map<Integer, Node> nodes = new LinkedHashMap<>();
  private final PortProbes probes = new PortProbes(() -> now);
  private ServerSocket open;
  private RepairManager manager;
  private HeartbeatResponder heartbeats;
  private boolean linkRateSet = true;
  private boolean oldTickets;
  private List<OwnJar> jarsOfNameNode = List.of(new OwnJar("lib/hdfs-ppr-namenode.jar", "0.2.0"));

  /** A DataNode that says what the test wants. */
  private final class Node {
    private final int number;
    private String software = "0.2.0";
    private String kernel = "isal";
    private String fallback = "";
    private long clockOffsetMs = 3;
    private int port = open.getLocalPort();
    private RepairRates rates = new RepairRates(0, 0, 0, 0);
    private boolean limited;
    private long commandFeatures = CommandFeatures.KNOWN;
    private boolean seesReads = true;
    private boolean old;
    private boolean silent;
    private boolean isDescribed;
    private final Map<String, String> settings = new LinkedHashMap<>(Map.of(
        PprKeys.DATANODE_ADDRESS_KEY, "0.0.0.0:9877", STALL, "10000"));
    private List<OwnJar> jars = List.of(new OwnJar(OWN_JAR, "0.2.0"));
    private final List<String> unreachable = new ArrayList<>();

    Node(int number) {
      this.number = number;
    }

    NodeRef ref() {
      return new NodeRef("u" + number, "127.0.0.1", "h" + number, 9866, port, "");
    }

    void beat() throws IOException {
      if (silent) {
        return;
      }
      NodeLoad load = new NodeLoad(0, 0, 8, 0, 0, 0).withMachine(0, 0, 0).withRepairRates(rates);
      if (limited) {
        load = load.withLimits(1 << 20, NodeLoad.UNLIMITED);
      }
      NodeSelf self = isDescribed ? null
          : new NodeSelf("3.4.3", "17.0.9", kernel, fallback, settings, jars);
      HeartbeatResponse response =
          new Wire(request -> heartbeats.heartbeat(null, request), old).heartbeat(
              new HeartbeatRequest(HeartbeatRequest.PROTOCOL_VERSION, software, ref(), 0, load,
              List.of(), List.of())
                  .withFeatures(RequestFeatures.KNOWN, commandFeatures)
                  .withOldReads(new OldReads(seesReads, 0, true, false, List.of()))
                  .withSelfReport(new SelfReport(wallClockMs + clockOffsetMs, self,
                      unreachable)));
      isDescribed = !response.wantsSelf;
    }
  }

  private final class Live implements NameNodeView {
    @Override
    public List<LiveNode> liveNodes() {
      List<LiveNode> all = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        all.add(new LiveNode(
            new NodeRef("u" + i, "127.0.0.1", "h" + i, 9866, NodeRef.NO_REPAIR_PORT, "/r"),
            true));
      }
      return all;
    }

    @Override
    public List<GroupPolicy> policies() {
      return List.of();
    }

    @Override
    public String blockPoolId() {
      return "BP";
    }

    @Override
    public boolean allowsRepairs() {
      return true;
    }

    @Override
    public boolean isInSafeMode() {
      return false;
    }
  }

  @BeforeEach
  void start() throws IOException {
    open = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread accepting = new Thread(() -> {
      try {
        while (true) {
          open.accept().close();
        }
      } catch (IOException e) {
        // The test has closed the socket.
        assertTrue(open.isClosed(), e.toString());
      }
    });
    accepting.setDaemon(true);
    accepting.start();
    Configuration conf = new Configuration(false);
    CodeSource codes = policy -> Codes.forCodec(conf, policy.codec, policy.dataUnits,
        policy.parityUnits);
    manager = new RepairManager(new ManagerKnowledge(books, live, agents, new PolicyClaims(codes),
        ManagerSettings.of(conf), metrics, () -> now),
        RepairSchedulers.byName("balanced", new SchedulerOptions(new CodeReads(codes), 0,
            new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, 1 << 20, 6)), new Random(1)));
    heartbeats = new HeartbeatResponder(manager, () -> "BP", false);
    for (int i = 0; i < NODES; i++) {
      nodes.put(i, new Node(i));
    }
  }

  @AfterEach
  void stop() throws IOException {
    open.close();
    probes.close();
    metrics.unregister();
  }

  /** Lets some seconds pass with heartbeats, and returns the document. */
  private JsonNode examine() throws IOException {
    for (int second = 0; second < 3; second++) {
      now += 1_000;
      for (Node node : nodes.values()) {
        node.beat();
      }
      manager.cycle();
    }
    return document();
  }

  private JsonNode document() throws IOException {
    ClusterExamination examination = new ClusterExamination(live, agents, probes,
        new ClusterFacts.NameNodeFacts("0.2.0", jarsOfNameNode, LINK, linkRateSet));
    return new ObjectMapper().readTree(
        new DoctorPages(examination, new Doctor(List.of(
            new SealedTicketCheck(oldTickets), new OldReadsCheck())), () -> now).find("/v1/doctor").get().body);
  }

  /** Returns the findings with this code; there is at least one. */
  private static List<JsonNode> of(JsonNode document, FindingCode code) {
    List<JsonNode> found = new ArrayList<>();
    document.get("findings").forEach(finding -> {
      if (finding.get("code").asText().equals(code.word())) {
        found.add(finding);
      }
    });
    assertFalse(found.isEmpty(), code + ": " + document);
    return found;
  }

  /** Checks that this is the only thing that is wrong, and returns its text. */
  private String only(FindingCode code, String severity, String... ofNodes) throws IOException {
    JsonNode document = examine();
    for (JsonNode finding : document.get("findings")) {
      boolean isIt = finding.get("code").asText().equals(code.word());
      assertEquals(isIt ? severity : "ok", finding.get("severity").asText(), finding.toString());
      assertEquals(isIt, !finding.get("remedy").asText().isEmpty(), finding.toString());
    }
    List<JsonNode> found = of(document, code);
    assertEquals(1, found.size(), found.toString());
    List<String> named = new ArrayList<>();
    found.get(0).get("nodes").forEach(node -> named.add(node.asText()));
    assertEquals(List.of(ofNodes), named);
    assertEquals(found.get(0), document.get("findings").get(0), "what is wrong comes first");
    return found.get(0).get("text").asText();
  }

  private static void assertHas(String text, String part) {
    assertTrue(text.contains(part), text);
  }

  @Test
  void nothingIsWrong() throws Exception {
    JsonNode document = examine();
    Set<String> checked = new TreeSet<>();
    for (JsonNode finding : document.get("findings")) {
      assertEquals("ok", finding.get("severity").asText(), finding.toString());
      assertTrue(checked.add(finding.get("code").asText()));
    }
    assertEquals(FindingCode.values().length, checked.size());
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
    nodes.remove(2);
    assertHas(only(FindingCode.PLUGIN_MISSING, "warning", "h2:9866"), "1 DataNode of 6 live ones");
  }

  @Test
  void withoutAnyPluginThereIsNothingToCompare() throws Exception {
    nodes.clear();
    JsonNode document = examine();
    assertEquals(1, document.get("findings").size());
    assertEquals(NODES, of(document, FindingCode.PLUGIN_MISSING).get(0).get("nodes").size());
    assertTrue(document.get("nodes").get(0).get("software").isNull());
    assertTrue(document.get("nodes").get(0).get("settings").isNull());
  }

  @Test
  void aSilentPluginIsFoundAndForgottenAfterAnHour() throws Exception {
    examine();
    nodes.get(4).silent = true;
    for (int i = 0; i < 5; i++) {
      examine();
    }
    assertHas(only(FindingCode.AGENT_SILENT, "error", "h4:9866"), "silent for 18 s");
    now += 3_600_000;
    only(FindingCode.PLUGIN_MISSING, "warning", "h4:9866");
    nodes.get(4).silent = false;
    assertEquals("ok", of(examine(), FindingCode.PLUGIN_MISSING).get(0).get("severity").asText());
  }

  @Test
  void differentVersionsAreFound() throws Exception {
    nodes.get(1).software = "0.1.0";
    nodes.get(1).old = true;
    assertHas(only(FindingCode.VERSIONS_DIFFER, "warning", "h1:9866"),
        "0.1.0 on h1:9866, 0.2.0 on h0:9866, h2:9866, h3:9866, h4:9866, h5:9866; this NameNode"
        + " runs 0.2.0");
  }

  /** The first version did not say its version. Classes that are not in a jar have none, either. */
  @Test
  void aNodeWithoutAVersionIsOldIfItSaysNothingElse() throws Exception {
    nodes.get(1).software = "unknown";
    assertEquals("ok", of(examine(), FindingCode.VERSIONS_DIFFER).get(0).get("severity").asText());
    nodes.get(1).old = true;
    nodes.get(1).software = "0.2.0";
    examine();
    nodes.get(1).software = "unknown";
    assertHas(only(FindingCode.VERSIONS_DIFFER, "warning", "h1:9866"), "0.1.0 on h1:9866");
  }

  @Test
  void dataNodesThatDoNotSeeReadsAreFound() throws Exception {
    nodes.get(2).seesReads = false;
    assertHas(only(FindingCode.READS_UNSEEN, "warning", "h2:9866"), "1 DataNode of 6 cannot tell"
        + " whether clients read old versions of files that are converted: h2:9866.");
    nodes.get(2).old = true;
    assertHas(of(examine(), FindingCode.READS_UNSEEN).get(0).get("text").asText(),
        "5 DataNodes can tell whether clients read old versions of files that are converted.");
  }

  @Test
  void anOldNodeIsUnknownAndNotWrong() throws Exception {
    nodes.get(1).old = true;
    JsonNode document = examine();
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
    nodes.get(3).jars = List.of(new OwnJar(OWN_JAR, "0.2.0"), new OwnJar("lib/client.jar", "0.2.0"),
        new OwnJar("hdfs/old.jar", "0.1.0"));
    nodes.get(4).jars = List.of(new OwnJar(OWN_JAR, "0.2.0"), new OwnJar("target/classes", ""));
    assertHas(only(FindingCode.TWO_VERSIONS, "error", "h3:9866"),
        "h3:9866 has " + OWN_JAR + " (0.2.0) and lib/client.jar (0.2.0) and hdfs/old.jar (0.1.0)");
  }

  @Test
  void twoVersionsOnTheNameNodeAreFound() throws Exception {
    jarsOfNameNode = List.of(new OwnJar("lib/a.jar", "0.2.0"), new OwnJar("lib/b.jar", "0.1.0"));
    assertHas(only(FindingCode.TWO_VERSIONS, "error"),
        "this NameNode has lib/a.jar (0.2.0) and lib/b.jar (0.1.0)");
  }

  @Test
  void aPortThatOtherDataNodesCannotReachIsFound() throws Exception {
    nodes.get(0).unreachable.add("u5");
    nodes.get(2).unreachable.add("u5");
    nodes.get(2).unreachable.add("u-of-a-node-that-is-gone");
    assertHas(only(FindingCode.PORT_CLOSED, "error", "h5:9866"),
        "port " + open.getLocalPort() + " of h5:9866, from h0:9866, h2:9866");
  }

  @Test
  void aPortThatTheNameNodeCannotReachIsFound() throws Exception {
    int closed = FreePort.choose();
    nodes.get(3).port = closed;
    assertHas(only(FindingCode.PORT_CLOSED, "warning", "h3:9866"),
        "port " + closed + " of h3:9866 (Connection refused). Updates in place need it");
    nodes.get(3).port = open.getLocalPort();
    assertEquals("ok", of(examine(), FindingCode.PORT_CLOSED).get(0).get("severity").asText(),
        "another port is tried at once");
  }

  @Test
  void aKernelThatFellBackIsFound() throws Exception {
    nodes.get(2).kernel = "java";
    nodes.get(2).fallback = "/tmp is mounted noexec";
    nodes.get(3).kernel = "gfni";
    nodes.get(4).kernel = "java";
    assertHas(only(FindingCode.KERNEL_JAVA, "warning", "h2:9866", "h4:9866"),
        "h2:9866 (/tmp is mounted noexec), h4:9866 (dfs.ppr.kernel is java)");
  }

  @Test
  void theJavaKernelOnAllNodesIsWrongOnlyIfItWasNotChosen() throws Exception {
    nodes.values().forEach(node -> node.kernel = "java");
    assertEquals("ok", of(examine(), FindingCode.KERNEL_JAVA).get(0).get("severity").asText());
    for (Node node : nodes.values()) {
      node.fallback = "no library";
      node.isDescribed = false;
    }
    assertEquals(NODES, of(examine(), FindingCode.KERNEL_JAVA).get(0).get("nodes").size());
  }

  @Test
  void aSettingThatDiffersIsFoundWithTheFewestNodesFirst() throws Exception {
    nodes.get(1).settings.put(STALL, "7000");
    nodes.get(0).settings.put(PprKeys.DATANODE_ADDRESS_KEY, "10.0.0.9:9877");
    assertEquals(STALL + " is '7000' on h1:9866, '10000' on h0:9866, h2:9866, h3:9866, h4:9866,"
        + " h5:9866.", only(FindingCode.SETTINGS_DIFFER, "warning", "h1:9866"));
  }

  @Test
  void aPortThatDiffersIsASettingThatDiffers() throws Exception {
    nodes.get(0).settings.put(PprKeys.DATANODE_ADDRESS_KEY, "0.0.0.0:9999");
    assertHas(only(FindingCode.SETTINGS_DIFFER, "warning", "h0:9866"), "'port 9999' on h0:9866");
  }

  @Test
  void aClockThatIsTenMinutesOffIsFound() throws Exception {
    nodes.get(2).clockOffsetMs = 600_000;
    nodes.get(3).clockOffsetMs = -600_000;
    nodes.get(4).clockOffsetMs = -60_000;
    assertHas(only(FindingCode.CLOCK_OFF, "warning", "h2:9866", "h3:9866"),
        "h2:9866 (600 s ahead), h3:9866 (600 s behind)");
  }

  @Test
  void dataNodesWithTicketsOfTheOldKindAreFound() throws Exception {
    nodes.get(2).commandFeatures |= CommandFeatures.UPDATE_LOG;
    assertHas(only(FindingCode.TICKETS_OLD, "warning", "h2:9866"), "Their units take no updates,"
        + " because dfs.namenode.ppr.update.old-tickets is false");
    oldTickets = true;
    assertHas(only(FindingCode.TICKETS_OLD, "warning", "h2:9866"),
        "can replace replicas of its blocks, also those that snapshots need");
    nodes.get(2).commandFeatures |= CommandFeatures.SEALED_TICKETS;
    JsonNode found = of(examine(), FindingCode.TICKETS_OLD).get(0);
    assertEquals("ok", found.get("severity").asText());
    assertHas(found.get("text").asText(),
        "So set dfs.namenode.ppr.update.old-tickets to false");
  }

  @Test
  void aLinkRateThatIsTooHighIsFound() throws Exception {
    nodes.get(2).rates = new RepairRates(1, 2, 25_000_000, 3_000_000);
    nodes.get(3).rates = new RepairRates(1, 2, 0, 24_000_000);
    assertHas(only(FindingCode.LINK_RATE, "warning", "h2:9866", "h3:9866"),
        "no more than 200 Mbit/s over a node's link, but dfs.namenode.ppr.link.bytes.per-second"
        + " says 800 Mbit/s (100000000 bytes per second)");
    nodes.get(2).rates = new RepairRates(1, 2, 25_000_001, 3_000_000);
    assertEquals("ok", of(examine(), FindingCode.LINK_RATE).get(0).get("severity").asText());
  }

  @Test
  void aLinkRateThatIsNotSetIsSaid() throws Exception {
    String words = "repairs yield to users only where dfs.namenode.ppr.link.bytes.per-second is";
    assertFalse(of(examine(), FindingCode.LINK_RATE).get(0).get("text").asText().contains(words));
    linkRateSet = false;
    assertHas(of(examine(), FindingCode.LINK_RATE).get(0).get("text").asText(), words);
    nodes.get(2).rates = new RepairRates(1, 2, (long) LINK, (long) LINK);
    assertHas(of(examine(), FindingCode.LINK_RATE).get(0).get("text").asText(), words);
  }

  @Test
  void limitsOfAnOperatorAreNoSlowLinks() throws Exception {
    nodes.get(2).rates = new RepairRates(0, 0, 1_000_000, 1_000_000);
    nodes.get(2).limited = true;
    assertEquals("ok", of(examine(), FindingCode.LINK_RATE).get(0).get("severity").asText());
  }

  @Test
  void aLinkRateThatIsTooLowIsFound() throws Exception {
    nodes.get(1).rates = new RepairRates(1, 2, 30_000_000, 399_999_999);
    assertEquals("ok", of(examine(), FindingCode.LINK_RATE).get(0).get("severity").asText());
    nodes.get(1).rates = new RepairRates(1, 2, 30_000_000, 400_000_000);
    assertHas(only(FindingCode.LINK_RATE, "warning", "h1:9866"), "up to 3200 Mbit/s");
  }

  /** A NameNode that starts asks all nodes once, also as a standby. */
  @Test
  void theLargePartIsAskedForOnlyWhileItIsMissing() throws Exception {
    nodes.values().forEach(node -> node.isDescribed = true);
    examine();
    assertEquals("isal", document().get("nodes").get(0).get("kernel").asText());
    nodes.get(0).beat();
    assertTrue(nodes.get(0).isDescribed);
    nodes.get(0).software = "0.3.0";
    nodes.get(0).beat();
    assertFalse(nodes.get(0).isDescribed, "what the old version said does not hold any more");
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
