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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.conf.PprKeys;
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
import org.hdfsppr.namenode.doctor.DoctorCheck;
import org.hdfsppr.namenode.doctor.FindingCode;
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

/**
 * A cluster in which DataNodes say about themselves what a test wants. Their heartbeats pass the
 * codecs of both sides.
 */
@InterfaceAudience.Private
public final class DoctorCluster implements AutoCloseable {
  static final int NODES = 6;
  static final double LINK = 100e6;
  static final String OWN_JAR = "lib/hdfs-ppr-datanode.jar";
  static final String STALL = PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY;

  private final PaperBooks books = new PaperBooks();
  private final ManagerMetrics metrics = ManagerMetrics.register("test");
  long now = 5_000_000;
  private final long wallClockMs = 1_700_000_000_000L;
  private final DataNodeAgents agents = new DataNodeAgents(() -> now, () -> wallClockMs);
  private final Live live = new Live();
  /** The DataNodes that have the plugin, by number */
  public final Map<Integer, Node> nodes = new LinkedHashMap<>();
  private final PortProbes probes = new PortProbes(() -> now);
  final ServerSocket open;
  private final RepairManager manager;
  private final HeartbeatResponder heartbeats;
  private final List<DoctorCheck> checks;
  boolean linkRateSet = true;
  List<OwnJar> jarsOfNameNode = List.of(new OwnJar("lib/hdfs-ppr-namenode.jar", "0.2.0"));

  /** A DataNode that says what the test wants. */
  public final class Node {
    private final int number;
    String software = "0.2.0";
    String kernel = "isal";
    String fallback = "";
    long clockOffsetMs = 3;
    int port = open.getLocalPort();
    RepairRates rates = new RepairRates(0, 0, 0, 0);
    boolean limited;
    /** What it knows of commands */
    public long commandFeatures = CommandFeatures.KNOWN;
    /** Whether it sees each read over the network */
    public boolean seesReads = true;
    /** Whether it is of a version that says less */
    public boolean old;
    boolean silent;
    boolean isDescribed;
    final Map<String, String> settings = new LinkedHashMap<>(Map.of(
        PprKeys.DATANODE_ADDRESS_KEY, "0.0.0.0:9877", STALL, "10000"));
    List<OwnJar> jars = List.of(new OwnJar(OWN_JAR, "0.2.0"));
    final List<String> unreachable = new ArrayList<>();

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

  /**
   * Starts a cluster in which nothing is wrong.
   *
   * @param checks what an extension checks
   * @throws IOException if no port is free
   */
  public DoctorCluster(List<DoctorCheck> checks) throws IOException {
    this.checks = checks;
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

  @Override
  public void close() throws IOException {
    open.close();
    probes.close();
    metrics.unregister();
  }

  /**
   * Lets some seconds pass with heartbeats.
   *
   * @return the document
   * @throws IOException if a heartbeat cannot be read
   */
  public JsonNode examine() throws IOException {
    for (int second = 0; second < 3; second++) {
      now += 1_000;
      for (Node node : nodes.values()) {
        node.beat();
      }
      manager.cycle();
    }
    return document();
  }

  JsonNode document() throws IOException {
    ClusterExamination examination = new ClusterExamination(live, agents, probes,
        new ClusterFacts.NameNodeFacts("0.2.0", jarsOfNameNode, LINK, linkRateSet));
    return new ObjectMapper().readTree(
        new DoctorPages(examination, new Doctor(checks), () -> now).find("/v1/doctor").get().body);
  }

  /**
   * @param document what the doctor says
   * @param code the code of a check
   * @return the findings with this code; there is at least one
   */
  public static List<JsonNode> of(JsonNode document, FindingCode code) {
    List<JsonNode> found = new ArrayList<>();
    document.get("findings").forEach(finding -> {
      if (finding.get("code").asText().equals(code.word())) {
        found.add(finding);
      }
    });
    assertFalse(found.isEmpty(), code + ": " + document);
    return found;
  }

  /**
   * Checks that this is the only thing that is wrong.
   *
   * @param code the code of the finding
   * @param severity how urgent it is
   * @param ofNodes the nodes that it names
   * @return its text
   * @throws IOException if a heartbeat cannot be read
   */
  public String only(FindingCode code, String severity, String... ofNodes) throws IOException {
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

  /**
   * @param text a text
   * @param part what it has
   */
  public static void assertHas(String text, String part) {
    assertTrue(text.contains(part), text);
  }
}
