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
package org.hdfsppr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A judge that finds no fault is worth nothing. So each way in which a faulty run can look good has
 * a test here. The log lines are copied from real runs.
 */
@InterfaceAudience.Private
class TestConformanceReport {
  private static final String CLASS = "org.apache.hadoop.hdfs.TestReconstructStripedFile";
  private static final String DATANODE = "org.apache.hadoop.hdfs.server.datanode.DataNode - ";
  private static final String STARTED =
      "org.hdfsppr.datanode.PprDataNodePlugin - hdfs-ppr leads the reconstruction of"
          + " erasure-coded blocks on this DataNode and serves those of others on port 41237";
  private static final String STAYED_OUT =
      "org.hdfsppr.datanode.PprDataNodePlugin - hdfs-ppr does NOT take part on this DataNode,"
          + " stock reconstruction stays in charge: this Hadoop lacks [a field]";
  private static final String REFUSED =
      DATANODE + "ServicePlugin org.hdfsppr.datanode.PprDataNodePlugin@4f8c could not be started";
  private static final String ORDER =
      DATANODE + "DatanodeCommand action: DNA_ERASURE_CODING_RECOVERY";
  private static final String RECEIVED = DATANODE
      + "Received BP-17-127.0.0.1-1763:blk_-9223372036854775789_1001 src: /127.0.0.1:34782"
      + " dest: /127.0.0.1:36009 volume: /d/data11 of size 3145728";
  private static final String RECEIVED_33 = DATANODE
      + "Received BP-17-127.0.0.1-1763:blk_-9223372036854775789_1001 src: /127.0.0.1:34782"
      + " dest: /127.0.0.1:36009 of size 3145728";
  private static final String RECEIVED_REPLICATED = DATANODE
      + "Received BP-17-127.0.0.1-1763:blk_1073741825_1001 src: /127.0.0.1:34782"
      + " dest: /127.0.0.1:36009 volume: /d/data11 of size 3145728";
  private static final String COPIED = DATANODE
      + "DatanodeRegistration(127.0.0.1:36009, datanodeUuid=x): Transmitted"
      + " BP-17-127.0.0.1-1763:blk_-9223372036854775789_1001 (numBytes=3145728) to /127.0.0.1:1";

  private static final String REPAIRED = "org.hdfsppr.datanode.repair.RepairJob - Repair d3f2-1 of"
      + " BP-17-127.0.0.1-1763:blk_-9223372036854775792_1001: units [0] of [0] rebuilt in 31 ms"
      + " (connect 4, transfer 21, finalise 3), attempt 1, RACK, 2097152 bytes received";
  private static final String REPAIRED_THREE = REPAIRED.replace("[0] of [0]", "[0, 2, 7] of [0]");
  private static final String FELL_BACK = "org.hdfsppr.datanode.repair.RepairJob - Repair d3f2-1 of"
      + " BP-17-127.0.0.1-1763:blk_-9223372036854775792_1001 goes to the stock worker,"
      + " TOO_FEW_HELPERS: no plan";
  private static final String REFUSED_TASK = "org.hdfsppr.datanode.repair.RepairLead - The task for"
      + " BP-17-127.0.0.1-1763:blk_-9223372036854775792_1001 goes to the stock worker: QUEUE_FULL";

  private static final String NODE_STARTS =
      DATANODE + "Starting DataNode with maxLockedMemory = 0";
  private static final String NAMENODE_STARTS =
      "org.apache.hadoop.hdfs.server.namenode.NameNode - createNameNode []";
  private static final String MANAGER_STARTED =
      "org.hdfsppr.namenode.PprNameNodePlugin - hdfs-ppr schedules the repairs of erasure-coded"
          + " block groups on this NameNode; DataNodes reach it at port 20123";
  private static final String MANAGER_STAYED_OUT =
      "org.hdfsppr.namenode.PprNameNodePlugin - hdfs-ppr does NOT schedule repairs on this"
          + " NameNode, stock stays in charge: Problem binding to [localhost:20123]";
  private static final String OPEN =
      "org.hdfsppr.datanode.agent.ManagerLink - The repair manager of localhost:1 (ns) is active";
  private static final String COMMANDED = "org.hdfsppr.datanode.repair.RepairLead - Repair d3f2-1"
      + " of BP-17-127.0.0.1-1763:blk_-9223372036854775792_1001: commanded in term 65536, units of"
      + " [0] with RACK";

  private static final String CLIENT_OPENED = "org.apache.hadoop.fs.FileSystem - FS for hdfs is"
      + " class org.apache.hadoop.hdfs.PprFileSystem";

  @TempDir
  private Path dir;

  private final List<String> log = new ArrayList<>();

  @BeforeEach
  void beginLog() {
    mark(RunLog.MARK_JVM);
    mark(RunLog.MARK_BEGIN + CLASS + "#testOne");
    // The log may have further lines after this, because a repair can outlive the test that caused
    // it.
    mark(RunLog.MARK_END + CLASS + "#testOne SUCCESSFUL");
  }

  private void mark(String message) {
    log.add("2026-01-01 10:00:00,000 INFO  [main] " + ConformanceListener.class.getName() + " - "
        + message);
  }

  private void say(String message) {
    log.add("2026-01-01 10:00:00,001 INFO  [Command processor] " + message);
  }

  private Map<String, SuiteResult> suites(String... testcases) throws IOException {
    Files.writeString(dir.resolve("TEST-" + CLASS + ".xml"),
        "<?xml version='1.0' encoding='UTF-8'?><testsuite name='" + CLASS + "' time='1,021.5'>"
            + "<properties><property name='java.version' value='17'/></properties>"
            + String.join("", testcases) + "</testsuite>");
    return SuiteResult.readAll(dir);
  }

  private static String test(String name, String child) {
    return "<testcase name='" + name + "' classname='" + CLASS + "' time='1.0'>" + child
        + "</testcase>";
  }

  private ConformanceReport judge(String conf, Map<String, SuiteResult> suites,
      String... expected) throws IOException {
    return new ConformanceReport(conf, List.of(CLASS), suites,
        RunLog.read(new BufferedReader(new StringReader(String.join("\n", log))),
            Sign.patterns()),
        Expectations.parse(List.of(expected), conf));
  }

  private static void assertProblem(String part, ConformanceReport report) {
    assertEquals(1, report.problems().size(), report.problems().toString());
    assertTrue(report.problems().get(0).contains(part), report.problems().toString());
  }

  @Test
  void aRunInWhichOurClientDidNotReadDoesNotConform() throws IOException {
    say(STARTED);
    assertProblem("our client was not used",
        judge(ConformanceReport.CLIENT, suites(test("a", ""))));
    say(CLIENT_OPENED);
    assertEquals(List.of(), judge(ConformanceReport.CLIENT, suites(test("a", ""))).problems());
    assertProblem("ran in the stock configuration",
        judge(ConformanceReport.STOCK, suites(test("a", ""))));
  }

  @Test
  void pluginThatRepairsConforms() throws IOException {
    say(STARTED);
    say(ORDER);
    say(REPAIRED);
    ConformanceReport report = judge("datanode", suites(test("testOne", "")));
    assertEquals(List.of(), report.problems());
    assertEquals(List.of(), report.notes());
  }

  @Test
  void stockThatRepairsConforms() throws IOException {
    say(NODE_STARTS);
    say(NAMENODE_STARTS);
    say(ORDER);
    say(RECEIVED);
    assertEquals(List.of(), judge("stock", suites(test("testOne", ""))).problems());
  }

  @Test
  void pluginThatIsNotLoadedIsFound() throws IOException {
    say(NODE_STARTS);
    ConformanceReport report = judge("datanode", suites(test("testOne", "")));
    assertProblem("no DataNode started the plugin", report);
  }

  @Test
  void pluginThatFailsToStartOnOneNodeIsFound() throws IOException {
    for (String refusal : List.of(REFUSED, STAYED_OUT)) {
      say(STARTED);
      say(refusal);
      say(ORDER);
      say(REPAIRED);
      assertProblem("failed to start", judge("datanode", suites(test("testOne", ""))));
      log.clear();
      beginLog();
    }
  }

  @Test
  void testThatHangsIsFound() throws IOException {
    log.remove(log.size() - 1);
    mark(RunLog.MARK_BEGIN + CLASS + "#testOne");
    assertProblem("testOne never ended", judge("stock", suites(test("testOne", ""))));
  }

  @Test
  void pluginThatRepairsNothingIsFound() throws IOException {
    say(STARTED);
    say(ORDER);
    ConformanceReport report = judge("datanode", suites(test("testOne", "")));
    assertProblem("repaired nothing", report);
    assertEquals(List.of(CLASS + "#testOne: a repair was ordered, the plugin finished none."),
        report.notes());
  }

  @Test
  void unstatedFallbackIsFound() throws IOException {
    for (String fallback : List.of(FELL_BACK, REFUSED_TASK)) {
      say(STARTED);
      say(ORDER);
      say(REPAIRED);
      say(fallback);
      say(RECEIVED);
      assertProblem("1 repairs fell back to the stock worker, 0 are stated",
          judge("datanode", suites(test("testOne", ""))));
      log.clear();
      beginLog();
    }
  }

  @Test
  void statedFallbackIsAccepted() throws IOException {
    say(STARTED);
    say(ORDER);
    say(REPAIRED);
    say(FELL_BACK);
    say(RECEIVED);
    assertEquals(List.of(), judge("datanode", suites(test("testOne", "")),
        "datanode fallbacks " + CLASS + " 1 codec xor is not taken over").problems());
  }

  @Test
  void silentFallbackIsFoundOnAllVersions() throws IOException {
    say(STARTED);
    say(ORDER);
    say(REPAIRED);
    for (String received : List.of(RECEIVED, RECEIVED_33)) {
      say(received);
      assertProblem("admits to 0 fallbacks", judge("datanode", suites(test("testOne", ""))));
      log.remove(log.size() - 1);
    }
  }

  @Test
  void plainCopiesAndReplicatedBlocksAreNotTheStockWorkers() throws IOException {
    say(STARTED);
    say(ORDER);
    say(REPAIRED);
    say(COPIED);
    say(RECEIVED);
    say(RECEIVED_REPLICATED);
    assertEquals(List.of(), judge("datanode", suites(test("testOne", ""))).problems());
  }

  @Test
  void unitsThatThePluginSendsToTheirTargetsAreNotTheStockWorkers() throws IOException {
    say(STARTED);
    say(ORDER);
    say(REPAIRED_THREE);
    say(RECEIVED);
    say(RECEIVED);
    assertEquals(List.of(), judge("datanode", suites(test("testOne", ""))).problems());
    say(RECEIVED);
    assertProblem("the stock worker wrote 1 blocks",
        judge("datanode", suites(test("testOne", ""))));
  }

  @Test
  void aUnitThatThePluginGaveUpMayHaveBeenReceived() throws IOException {
    say(STARTED);
    say(ORDER);
    say(REPAIRED);
    say("org.hdfsppr.stream.Rebuild - Repair d3f2-1 of BP-17-127.0.0.1-1763:"
        + "blk_-9223372036854775792_1001: unit 1 cannot be written to 127.0.0.1:44799");
    say(RECEIVED);
    assertEquals(List.of(), judge("datanode", suites(test("testOne", ""))).problems());
    say(RECEIVED);
    assertProblem("the stock worker wrote 1 blocks",
        judge("datanode", suites(test("testOne", ""))));
  }

  @Test
  void evidenceOfAnotherClassDoesNotCount() throws IOException {
    say(STARTED);
    say(ORDER);
    mark(RunLog.MARK_JVM);
    say(REPAIRED);
    mark(RunLog.MARK_BEGIN + CLASS + "WithRandomECPolicy#testOne");
    say(REPAIRED);
    mark(RunLog.MARK_END + CLASS + "WithRandomECPolicy#testOne SUCCESSFUL");
    assertProblem("repaired nothing", judge("datanode", suites(test("testOne", ""))));
  }

  @Test
  void extensionInTheStockConfigurationIsFound() throws IOException {
    say(NODE_STARTS);
    say(NAMENODE_STARTS);
    say(STARTED);
    say(ORDER);
    say(RECEIVED);
    assertProblem("ran in the stock configuration", judge("stock", suites(test("testOne", ""))));
  }

  @Test
  void stockWritesThatAreNotRecognisedAreFound() throws IOException {
    say(NODE_STARTS);
    say(NAMENODE_STARTS);
    say(ORDER);
    assertProblem("writes are not recognised", judge("stock", suites(test("testOne", ""))));
  }

  @Test
  void nodesWhoseStartIsNotRecognisedAreFound() throws IOException {
    say(ORDER);
    say(RECEIVED);
    assertProblem("starts of nodes are not recognised",
        judge("stock", suites(test("testOne", ""))));
  }

  @Test
  void unitTestsWithoutAClusterAreNoted() throws IOException {
    for (String conf : List.of("datanode", "full")) {
      ConformanceReport report = judge(conf, suites(test("testOne", "")));
      assertEquals(List.of(), report.problems());
      assertEquals(List.of(CLASS + ": ran without a cluster, and so without the extension."),
          report.notes());
    }
  }

  @Test
  void managerThatOrdersConforms() throws IOException {
    List.of(NAMENODE_STARTS, MANAGER_STARTED, NODE_STARTS, STARTED, OPEN, COMMANDED, REPAIRED)
        .forEach(this::say);
    ConformanceReport report = judge("full", suites(test("testOne", "")));
    assertEquals(List.of(), report.problems());
    assertEquals(List.of(), report.notes());
  }

  @Test
  void managerThatCannotBindIsFound() throws IOException {
    List.of(NAMENODE_STARTS, MANAGER_STARTED, NODE_STARTS, STARTED, OPEN, NAMENODE_STARTS,
        MANAGER_STAYED_OUT).forEach(this::say);
    assertProblem("failed to start on some NameNodes",
        judge("full", suites(test("testOne", ""))));
  }

  @Test
  void managerThatIsNotLoadedIsFound() throws IOException {
    List.of(NAMENODE_STARTS, NODE_STARTS, STARTED).forEach(this::say);
    assertProblem("no NameNode started", judge("full", suites(test("testOne", ""))));
  }

  @Test
  void managerWithoutRegisteredNodesIsFound() throws IOException {
    List.of(NAMENODE_STARTS, MANAGER_STARTED, NODE_STARTS, STARTED, ORDER, REPAIRED)
        .forEach(this::say);
    assertProblem("no DataNode registered", judge("full", suites(test("testOne", ""))));
  }

  @Test
  void managerThatLeavesAllToStockIsFound() throws IOException {
    List.of(NAMENODE_STARTS, MANAGER_STARTED, NODE_STARTS, STARTED, OPEN, ORDER, REPAIRED)
        .forEach(this::say);
    assertProblem("the repair manager none", judge("full", suites(test("testOne", ""))));
  }

  @Test
  void ordersOfTheManagerThatNoNodeCarriesOutAreFound() throws IOException {
    List.of(NAMENODE_STARTS, MANAGER_STARTED, NODE_STARTS, STARTED, OPEN, COMMANDED)
        .forEach(this::say);
    assertProblem("repaired nothing", judge("full", suites(test("testOne", ""))));
  }

  @Test
  void missingReportIsFound() throws IOException {
    assertProblem("has no report", judge("stock", Map.of()));
  }

  @Test
  void classWithoutATestIsFound() throws IOException {
    assertProblem("ran no test", judge("stock", suites(test("testOne", "<skipped/>"))));
    assertProblem("ran no test", judge("stock", suites()));
  }

  @Test
  void failuresAndErrorsAreFound() throws IOException {
    ConformanceReport report = judge("stock", suites(
        test("testOne", "<failure type='AssertionError' message='3 of&#10; 4'>x</failure>"),
        test("testTwo()", "<error>x</error>"), test("testThree", "")));
    assertEquals(List.of(CLASS + "#testOne failed: AssertionError: 3 of 4",
        CLASS + "#testTwo failed: it does not say why."), report.problems());
  }

  @Test
  void expectedFailureIsANoteAndOnlyInItsConfiguration() throws IOException {
    say(STARTED);
    Map<String, SuiteResult> suites = suites(test("testOne", "<failure>x</failure>"));
    String expected = "datanode failure " + CLASS + "#testOne asserts the stock buffer pool";
    ConformanceReport report = judge("datanode", suites, expected);
    assertEquals(List.of(), report.problems());
    assertEquals(List.of(CLASS + "#testOne failed as expected: asserts the stock buffer pool"),
        report.notes());
    log.remove(log.size() - 1);
    assertProblem("testOne failed", judge("stock", suites, expected));
  }

  @Test
  void expectedFailureThatPassesIsReported() throws IOException {
    say(STARTED);
    ConformanceReport report = judge("datanode", suites(test("testOne", "")),
        "datanode failure " + CLASS + "#testOne asserts the stock buffer pool");
    assertEquals(List.of(), report.problems());
    assertEquals(List.of(CLASS + "#testOne passed although expected.txt lists it."),
        report.notes());
  }

  @Test
  void aTestMayLoseItsRaceAndFailInNoOtherWay() throws IOException {
    say(STARTED);
    String race = "datanode race " + CLASS + "#testOne \"3 timed out\" it looks at one instant";
    String lost = "<failure type='AssertionError' message='Found 3 timed out'/>";
    ConformanceReport report = judge("datanode", suites(test("testOne", lost)), race);
    assertEquals(List.of(), report.problems());
    assertEquals(List.of(CLASS + "#testOne lost a race of its own (AssertionError: Found 3 timed"
        + " out): it looks at one instant"), report.notes());

    // A test with a known race passes most of the time, and the report then has no note on it.
    report = judge("datanode", suites(test("testOne", "")), race);
    assertEquals(List.of(), report.problems());
    assertEquals(List.of(), report.notes());

    assertProblem("#testOne failed: Other: 2 lost", judge("datanode",
        suites(test("testOne", "<error type='Other' message='2 lost'/>")), race));
    assertProblem("#testTwo failed", judge("datanode", suites(test("testTwo", lost)), race));
    // The judge looks at the failure of each run of a parameterised test separately.
    assertProblem("2 lost", judge("datanode", suites(test("testOne[1]", lost),
        test("testOne[2]", "<failure type='AssertionError' message='2 lost'/>")), race));
    log.remove(log.size() - 1);
    assertProblem("#testOne failed", judge("stock", suites(test("testOne", lost)), race));
  }

  @Test
  void tableStatesCountsAndVerdict() throws IOException {
    say(STARTED);
    say(ORDER);
    say(REPAIRED);
    say(REPAIRED);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    judge("datanode", suites(test("testOne", ""), test("testTwo", "<skipped/>")))
        .print(new PrintStream(bytes, true, StandardCharsets.UTF_8.name()), "3.4.3");
    String text = bytes.toString(StandardCharsets.UTF_8.name());
    assertTrue(text.startsWith("Hadoop 3.4.3, configuration datanode"), text);
    assertTrue(
        text.matches("(?s).*TestReconstructStripedFile +2 +0 +0 +1 +1021\\.5 +0 +2 +0 +0\n.*"),
        text);
    assertTrue(text.endsWith("CONFORMS\n"), text);
  }

  @Test
  void requestedClassesComeFromTheFileOrTheCommandLine() {
    List<String> file = List.of("# a comment", "", "org.x.TestA", " org.x.TestB # why");
    assertEquals(List.of("org.x.TestA", "org.x.TestB"), ConformanceReport.requested(file, ""));
    assertEquals(List.of("TestC", "TestD"),
        ConformanceReport.requested(file, "TestC#testOne,TestC#testTwo,TestD"));
  }
}
