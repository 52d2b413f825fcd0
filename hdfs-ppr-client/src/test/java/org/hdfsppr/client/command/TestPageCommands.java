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
package org.hdfsppr.client.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the commands that print documents of the NameNode, with documents of the test. */
@Timeout(60)
class TestPageCommands {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int WIDTH = 80;

  private CannedNameNode nameNode;
  private ToolRun tool;

  @BeforeEach
  void start() throws IOException {
    nameNode = new CannedNameNode().withAll();
    tool = new ToolRun(nameNode.conf());
  }

  @AfterEach
  void stop() {
    nameNode.close();
  }

  private ObjectNode status() throws IOException {
    return (ObjectNode) JSON.readTree(CannedNameNode.resource("status.json"));
  }

  /**
   * Compares what a command prints with the file of expected output, which is also the example in
   * the page about the command.
   */
  @ParameterizedTest
  @CsvSource({"status, -status, 0", "groups, -groups, 0", "running, -groups -running, 0",
      "nodes, -nodes, 0", "doubts, -doubts, 0", "explain, -explain blk_-9223372036854775792, 0",
      "doctor, -doctor, 1"})
  void peopleReadText(String name, String command, int code) throws IOException {
    assertEquals(code, tool.run(command.split(" ")), tool.err());
    assertEquals("", tool.err());
    String expected = CannedNameNode.resource(name + ".txt");
    assertEquals(expected, tool.out());
    tool.out().lines().forEach(line ->
        assertTrue(line.length() <= WIDTH && line.equals(line.stripTrailing()), line));
    String indented = expected.lines().map(line -> line.isEmpty() ? "" : "    " + line)
        .collect(Collectors.joining("\n"));
    String page = Files.readString(Path.of("../docs/command.md"));
    assertTrue(page.contains("    $ hdfs ppr " + command + "\n" + indented),
        () -> "docs/command.md has another example of " + command);
  }

  /** Programs get the NameNode's document as it is, in one line. */
  @ParameterizedTest
  @CsvSource({"status, -status", "groups, -groups", "repairs, -groups -running", "nodes, -nodes",
      "doubts, -doubts", "explain, -explain -9223372036854775790"})
  void programsReadTheDocument(String name, String command) throws IOException {
    assertEquals(0, tool.run((command + " -json").split(" ")), tool.err());
    assertEquals(1, tool.out().lines().count());
    assertEquals(JSON.readTree(CannedNameNode.resource(name + ".json")),
        JSON.readTree(tool.out()));
    assertEquals("", tool.err());
  }

  @Test
  void fieldsThatAreMissingCostTheirLineOnly() throws IOException {
    nameNode.json("/ppr/v1/status", "{\"state\":\"standby\",\"in_charge\":false,"
        + "\"why\":\"This NameNode is a standby.\",\"eta_s\":null}");
    assertEquals(0, tool.run("-status"), tool.err());
    assertTrue(tool.out().contains("In charge  no: This NameNode is a standby."), tool.out());
    for (String[] one : new String[][] {{"groups", "-groups"}, {"repairs", "-groups", "-running"},
        {"nodes", "-nodes"}, {"doubts", "-doubts"}, {"doctor", "-doctor"}}) {
      nameNode.json("/ppr/v1/" + one[0], "{}");
      assertEquals(0, tool.run(one.length == 2 ? new String[] {one[1]}
          : new String[] {one[1], one[2]}), tool.err());
      assertFalse(tool.out().isEmpty());
    }
  }

  /** Names and reasons come from other hosts, and must not write into an operator's terminal. */
  @Test
  void textsGiveTheTerminalNoOrders() throws IOException {
    ObjectNode status = status();
    status.put("headline", "\u001b[2Jall is well\nreally \u009b1m");
    nameNode.json("/ppr/v1/status", status.toString());
    assertEquals(0, tool.run("-status"));
    assertTrue(tool.out().contains("[2Jall is well really"), tool.out());
    assertTrue(tool.out().lines().allMatch(line ->
        line.chars().noneMatch(Character::isISOControl)), tool.out());
  }

  @ParameterizedTest
  @CsvSource({"ok, 0, 0, 0", "repairing, 0, 0, 0", "at_risk, 2, 0, 3", "data_lost, 0, 1, 3",
      "paused, 2, 0, 3", "paused, 0, 0, 0", "stuck, 2, 0, 4", "standby, 0, 0, 1",
      "not_in_charge, 0, 0, 1"})
  void checkHasExitCodes(String state, int atRisk, int lost, int code) throws IOException {
    ObjectNode status = status();
    status.put("state", state).put("at_risk", atRisk).put("unrecoverable", lost);
    nameNode.json("/ppr/v1/status", status.toString());
    assertEquals(code, tool.run("-status", "-check", "-json"), tool.err());
    assertEquals(status, JSON.readTree(tool.out()));
    assertEquals(0, tool.run("-status"));
  }

  /** The NameNode calls a DataNode dead after ten minutes. Scripts must not go on until then. */
  @Test
  void checkFailsWhileALiveDataNodeIsSilent() throws IOException {
    ObjectNode status = status();
    status.put("state", "ok").put("at_risk", 0).put("unrecoverable", 0)
        .put("data_nodes_silent", 1);
    nameNode.json("/ppr/v1/status", status.toString());
    assertEquals(3, tool.run("-status", "-check"), tool.err());
    assertTrue(tool.err().contains("1 live DataNode missed several heartbeats"), tool.err());
    assertTrue(tool.out().contains("17 of 18 DataNodes take part, 1 silent, 1 quarantined"),
        tool.out());
    assertEquals(0, tool.run("-status"));
    status.put("state", "standby");
    nameNode.json("/ppr/v1/status", status.toString());
    assertEquals(1, tool.run("-status", "-check"), "a standby checks nothing");
  }

  @Test
  void watchGoesOnAfterAFailure() throws IOException {
    tool.outputs(3, () -> nameNode.answer("/ppr/v1/status", 503, "text/plain", "It stops.\n"));
    assertEquals(0, tool.run("-status", "-watch", "-json"), tool.err());
    List<String> lines = tool.out().lines().collect(Collectors.toList());
    assertEquals(3, lines.size(), tool.out());
    assertEquals(status(), JSON.readTree(lines.get(0)));
    assertTrue(JSON.readTree(lines.get(2)).get("error").asText().contains("(503): It stops."),
        lines.get(2));
    assertEquals("", tool.err());
  }

  @Test
  void watchPaintsOnATerminalOnly() throws IOException {
    tool.outputs(2, () -> { });
    assertEquals(0, tool.run("-status", "-watch", "5"), tool.err());
    String text = CannedNameNode.resource("status.txt");
    assertEquals(text + System.lineSeparator() + text, tool.out());
    ToolRun terminal = new ToolRun(nameNode.conf(), true, "").outputs(2, () -> { });
    assertEquals(0, terminal.run("-status", "-watch"));
    assertTrue(terminal.out().startsWith("\033[2J\033[HAT RISK: "), terminal.out());
    assertEquals(3, terminal.out().split("\033\\[H", -1).length, terminal.out());
    assertTrue(terminal.out().endsWith("\033[K" + System.lineSeparator() + "\033[J"));
    terminal.outputs(2, () -> { });
    assertEquals(0, terminal.run("-status", "-watch", "-json"));
    assertFalse(terminal.out().contains("\033"), terminal.out());
  }

  @Test
  void groupsAreSelected() throws IOException {
    assertEquals(0, tool.run("-groups", "-stuck", "-json"), tool.err());
    JsonNode stuck = JSON.readTree(tool.out());
    assertEquals(3, stuck.get("groups").size());
    assertEquals(3, stuck.get("total").asInt());
    assertFalse(stuck.get("truncated").asBoolean());
    assertEquals(0, tool.run("-groups", "-doubted", "-json"), tool.err());
    assertEquals("blk_-9223372036854775760",
        JSON.readTree(tool.out()).get("groups").get(0).get("group").asText());
    assertEquals(0, tool.run("-groups", "-limit", "2", "-json"), tool.err());
    JsonNode two = JSON.readTree(tool.out());
    assertEquals(2, two.get("groups").size());
    assertEquals(120, two.get("total").asInt());
    assertTrue(two.get("truncated").asBoolean());
    assertEquals(0, tool.run("-groups", "-limit", "2"));
    assertTrue(tool.out().contains("These are 2 of 120 groups."), tool.out());
  }

  @Test
  void doctorAddsWhatThisHostKnows() throws IOException {
    String separator = System.getProperty("path.separator");
    ToolRun mixed = new ToolRun(nameNode.conf(), false, String.join(separator,
        "/opt/conf", "/opt/lib/hdfs-ppr-client-0.2.0-dropin.jar", "/opt/lib/guava-27.jar",
        "/opt/other/hdfs-ppr-client-0.1.0-dropin.jar"));
    assertEquals(1, mixed.run("-doctor"), mixed.err());
    assertTrue(mixed.out().contains("2 versions of hdfs-ppr"), mixed.out());
    assertTrue(mixed.out().contains("/opt/other/hdfs-ppr-client-0.1.0-dropin.jar"), mixed.out());
    nameNode.json("/ppr/v1/doctor", "{\"findings\":[],\"nodes\":[]}");
    assertEquals(1, mixed.run("-doctor", "-json"), mixed.err());
    JsonNode finding = JSON.readTree(mixed.out()).get("findings").get(0);
    assertEquals("client_class_path", finding.get("code").asText());
    assertEquals("error", finding.get("severity").asText());
    ToolRun alike = new ToolRun(nameNode.conf(), false, String.join(separator,
        "/opt/lib/hdfs-ppr-client-0.2.0-dropin.jar",
        "/opt/lib/hdfs-ppr-namenode-0.2.0-dropin.jar"));
    assertEquals(0, alike.run("-doctor"), alike.out());
    assertEquals("0 errors, 0 warnings" + System.lineSeparator(), alike.out());
  }

  /** The logs of commands do not say it, because scripts read them. */
  @Test
  void doctorNamesSettingsThatClientsDoNotRead() throws IOException {
    nameNode.json("/ppr/v1/doctor", "{\"findings\":[],\"nodes\":[]}");
    Configuration conf = new Configuration(nameNode.conf());
    conf.set("dfs.client.ppr.threads", "8");
    conf.set("dfs.datanode.ppr.repair.attempts", "8");
    ToolRun own = new ToolRun(conf, false, "");
    assertEquals(0, own.run("-doctor", "-json"), own.err());
    JsonNode findings = JSON.readTree(own.out()).get("findings");
    assertEquals(1, findings.size(), own.out());
    assertEquals("client_settings", findings.get(0).get("code").asText());
    assertEquals("warning", findings.get(0).get("severity").asText());
    assertTrue(findings.get(0).get("text").asText().startsWith(
        "On this host, dfs.client.ppr.threads is set and no longer read: "), own.out());
  }

  /** The worst stands first, and -json has the same order. */
  @Test
  void doctorOrdersFindings() throws IOException {
    assertEquals(1, tool.run("-doctor", "-json"), tool.err());
    assertEquals(List.of("port_closed", "kernel_java", "versions"),
        JSON.readTree(tool.out()).findValuesAsText("code"));
  }

  @Test
  void documentsMayBePacked() throws IOException {
    nameNode.packed("/ppr/v1/status",
        CannedNameNode.resource("status.json").getBytes(StandardCharsets.UTF_8));
    assertEquals(0, tool.run("-status", "-json"), tool.err());
    assertEquals(status(), JSON.readTree(tool.out()));
    assertTrue(nameNode.queries.get(0).startsWith("/ppr/v1/status?user.name="),
        nameNode.queries.toString());
  }

  private void assertRefused(int code, String words, String... args) {
    assertEquals(code, tool.run(args), tool.out());
    assertEquals("", tool.out());
    assertEquals(1, tool.err().lines().count(), tool.err());
    assertTrue(tool.err().contains(words), tool.err());
    assertFalse(tool.err().contains("Exception"), tool.err());
  }

  @ParameterizedTest
  @CsvSource({"401, hadoop.security.authentication is not kerberos here",
      "403, dfs.cluster.administrators", "404, it still starts", "500, HTTP status 500",
      "503, (503): it starts"})
  void refusalsOfTheServerSayWhatToDo(int code, String words) {
    nameNode.answer("/ppr/v1/status", code, "text/html", "<html>");
    assertRefused(1, words, "-status");
    assertEquals(1, tool.run("-status", "-json"));
    assertTrue(tool.out().startsWith("{\"error\":\"The NameNode at http://127.0.0.1:"), tool.out());
    assertEquals("", tool.err());
  }

  @Test
  void sentencesOfTheServerAreShown() {
    nameNode.answer("/ppr/v1/doubts", 404, "text/plain; charset=utf-8",
        "The page /v1/doubts is switched off.\n");
    assertRefused(1, "The page /v1/doubts is switched off.", "-doubts");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"<html>welcome</html> | is no JSON", "[1] | is no JSON",
      "{\"state\": | is no JSON", "'' | is no JSON", "{\"version\":2} | documents of version 2"})
  void otherDocumentsAreRefused(String body, String words) {
    nameNode.json("/ppr/v1/status", body);
    assertRefused(1, words, "-status");
  }

  @Test
  void aNameNodeThatIsDownIsNamed() throws IOException {
    int port = nameNode.port();
    nameNode.close();
    assertRefused(1, "No NameNode answers at http://127.0.0.1:" + port + ": Connection refused",
        "-nodes");
    assertRefused(1, "'/file' cannot be looked up: no NameNode answers", "-prioritize", "/file");
    assertRefused(1, "No NameNode answers at http://", "-explain", "/file");
    tool = new ToolRun(new Configuration(false));
    assertRefused(1, "which is no HDFS", "-status");
  }

  @Test
  void whatMakesNoSenseIsAMisuse() {
    assertRefused(2, "-watch", "-status", "-watch", "-check");
    assertRefused(2, "-watch is 0 s", "-status", "-watch", "0");
    assertRefused(2, "often", "-status", "-watch", "often");
    assertRefused(2, "-limit is 0", "-groups", "-limit", "0");
    assertRefused(2, "mutually exclusive", "-groups", "-stuck", "-running");
    assertRefused(2, "BLOCK|PATH", "-explain");
    assertRefused(2, "'blk_16' is no block of an erasure-coded file", "-explain", "blk_16");
    assertRefused(2, "'blk_x'", "-prioritize", "blk_x");
    assertRefused(2, "'-jso' is neither", "-explain", "-jso");
    assertRefused(2, "'1x' is no length of time", "-pause", "-for", "1x");
    assertRefused(2, "'0s' is no length of time", "-pause", "-for", "0s");
    assertRefused(2, "'9999d' is no length of time", "-pause", "-for", "9999d");
    assertRefused(2, "more", "-resume", "more");
  }

  /** There are two NameNodes, and neither says by RPC that it is active. */
  private Configuration pair(int firstPort, int secondPort) throws IOException {
    Configuration conf = NameNodePair.of("nn1", "nn2");
    conf.set("dfs.namenode.rpc-address.ns.nn1", "127.0.0.1:" + CannedNameNode.closedPort());
    conf.set("dfs.namenode.rpc-address.ns.nn2", "127.0.0.1:" + CannedNameNode.closedPort());
    conf.set("dfs.namenode.http-address.ns.nn1", "127.0.0.1:" + firstPort);
    conf.set("dfs.namenode.http-address.ns.nn2", "127.0.0.1:" + secondPort);
    return conf;
  }

  @Test
  void aStandbysPageIsBetterThanNone() throws IOException {
    tool = new ToolRun(pair(CannedNameNode.closedPort(), nameNode.port()));
    assertEquals(1, tool.run("-status", "-json"));
    assertEquals(status(), JSON.readTree(tool.out()));
    assertTrue(tool.err().startsWith("No NameNode is active (nn1, nn2): this is what nn2 knows"),
        tool.err());
    tool = new ToolRun(pair(CannedNameNode.closedPort(), CannedNameNode.closedPort()));
    assertRefused(1, "No NameNode is active. nn1: No NameNode answers at", "-status");
    assertTrue(tool.err().contains("; nn2: "), tool.err());
  }
}
