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
package org.hdfsppr.client.files.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.client.command.ToolRun;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.ConversionFailure;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.operate.ConversionRefusedException;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.operate.UnseenReads;
import org.junit.jupiter.api.Test;

/** Tests {@code hdfs ppr -convert} with NameNodes that a test controls. */
class TestConvertCommand extends OnCannedPlugins {
  private static ConversionStatus job(ConversionState state, boolean isDry) {
    return ConversionStatus.of("j-1", state, ConversionOptions.of("LRC-6-2-2-1024k").with(o -> o
        .setDryRun(isDry))).with(s -> s.setUser("alice").addPaths("/warm")
        .setSubmittedMs(ToolRun.NOW.toEpochMilli() - 90_000)
        .setStartedMs(ToolRun.NOW.toEpochMilli() - 60_000)
        .setEndedMs(state.isEnd() ? ToolRun.NOW.toEpochMilli() - 30_000 : 0)
        .setTotalFiles(40).setTotalBytes(40L << 20));
  }

  private static ConversionCounts counts(int converted) {
    return ConversionCounts.NONE.plus(Number.CONVERTED, converted)
        .plus(Number.BYTES_PASSED, (long) converted << 20)
        .plus(Number.BYTES_CONVERTED, (long) converted << 20);
  }

  @Test
  void aJobIsSubmittedWithAllOptions() {
    assertEquals(0, tool.run("-convert", "-policy", "P", "-idle", "1h30m", "-grace", "0", "-force",
        "-full-check", "-files-only", "-concurrency", "3", "-bandwidth", "50m", "-id", "j-7",
        "hdfs://ns/a b", "rel"), tool.err());
    ConversionRequest request = plugins.requests.get(0);
    assertEquals("j-7", request.id);
    assertEquals(5_400_000, request.options.idleMs);
    assertEquals(0, request.options.graceMs);
    assertEquals(3, request.options.concurrency);
    assertEquals(50L << 20, request.options.bytesPerSecond);
    assertTrue(request.options.force && request.options.fullCheck
        && request.options.filesOnly);
    assertEquals("/a b", request.paths.get(0));
    assertTrue(request.paths.get(1).matches("/user/[^/]+/rel"), request.paths.get(1));
    assertEquals("Job j-7 is submitted and queued. See how far it is: hdfs ppr -convert -status"
        + " j-7" + System.lineSeparator(), tool.out());
  }

  @Test
  void defaultsAreLeftToTheNameNode() {
    assertEquals(0, tool.run("-convert", "-policy", "P", "-json", "/a"), tool.err());
    ConversionOptions options = plugins.requests.get(0).options;
    assertEquals(ConversionOptions.UNSET, options.idleMs);
    assertEquals(ConversionOptions.UNSET, options.graceMs);
    assertEquals(ConversionOptions.UNSET, options.concurrency);
    assertEquals(ConversionOptions.UNSET, options.bytesPerSecond);
    assertTrue(options.fullCheck, "the old parity units go");
    assertEquals(0, tool.run("-convert", "-policy", "P", "-sample-check", "/a"), tool.err());
    assertFalse(plugins.requests.get(1).options.fullCheck);
    assertTrue(plugins.requests.get(0).id.startsWith("convert-20260131-120500-"),
        plugins.requests.get(0).id);
  }

  @Test
  void whatIsNotUnderstoodIsSaid() {
    String[][] all = {{"-policy is missing", "/a"}, {"PATH is missing", "-policy", "P"},
        {"use one of", "-status", "-pause", "x"},
        {"no policy or PATH", "-pause", "x", "-policy", "P"},
        {"-wait needs a job", "-status", "-wait"},
        {"is no length of time", "-policy", "P", "-idle", "soon", "/a"},
        {"is no rate in bytes", "-policy", "P", "-bandwidth", "1", "/a"},
        {"-concurrency is 0", "-policy", "P", "-concurrency", "0", "/a"},
        {"is no job", "-cancel", "a/b"}, {"is no HDFS", "-policy", "P", "file:///a"},
        {"a command of its own", "-policy", "P", "/a", "hdfs://o/a"}};
    for (String[] each : all) {
      List<String> args = new ArrayList<>(List.of("-convert"));
      args.addAll(List.of(each).subList(1, each.length));
      assertEquals(2, tool.run(args.toArray(new String[0])), each[0]);
      assertTrue(tool.err().contains(each[0]), tool.err());
    }
    List<String> many = new ArrayList<>(List.of("-convert", "-policy", "P"));
    for (int i = 0; i <= ConversionRequest.PATHS_MAX; i++) {
      many.add("/p" + i);
    }
    assertEquals(2, tool.run(many.toArray(new String[0])));
    assertTrue(tool.err().contains("1 to 64 paths"), tool.err());
    assertEquals(0, plugins.requests.size());
  }

  /**
   * The first NameNode is asked first, is a standby, and becomes active while the call is tried.
   */
  @Test
  void callsFollowAFailover() {
    plugins.active = 1;
    assertEquals(0, tool.run("-convert", "-policy", "P", "-id", "j-1", "/a"), tool.err());
    plugins.active = 2;
    tool.outputs(10, () -> plugins.active = 0);
    assertEquals(0, tool.run("-convert", "-policy", "P", "-id", "j-1", "/a"), tool.err());
    plugins.fail(CannedPlugins.busy());
    tool.outputs(10, () -> { });
    assertEquals(0, tool.run("-convert", "-status", "j-1"), tool.err());
    plugins.stop(1);
    assertEquals(0, tool.run("-convert", "-status", "j-1"), tool.err());
  }

  @Test
  void whereAllNameNodesAreStandbysTheCommandSaysSo() {
    plugins.active = 2;
    tool.outputs(5, () -> { });
    assertEquals(1, tool.run("-convert", "-policy", "P", "/a"));
    assertTrue(tool.err().contains("No NameNode has answered. nn0: it is not the active one; nn1:"
        + " it is not the active one"), tool.err());
  }

  @Test
  void whereNoPluginAnswersTheCommandEndsAtOnce() {
    plugins.stop(0);
    plugins.stop(1);
    assertEquals(1, tool.run("-convert", "-status"));
    assertTrue(tool.err().contains("No NameNode has answered. nn0: hdfs-ppr does not answer at"),
        tool.err());
    assertTrue(tool.err().contains("dfs.namenode.plugins"), tool.err());
  }

  @Test
  void refusalsAreFinalAndOneSentence() {
    for (IOException e : new IOException[] {
        new ConversionRefusedException("The policy P is not enabled"),
        new AccessControlException("Permission denied: user=bob")}) {
      plugins.requests.clear();
      plugins.fail(e);
      assertEquals(1, tool.run("-convert", "-policy", "P", "/a"));
      assertEquals(e.getMessage() + System.lineSeparator(), tool.err());
      assertEquals(1, plugins.requests.size(), "it is not tried again");
    }
    assertEquals(1, tool.run("-convert", "-status", "none"));
    assertTrue(tool.err().contains("There is no job none"), tool.err());
  }

  @Test
  void waitingShowsProgressAndJudgesTheEnd() throws Exception {
    plugins.job = job(ConversionState.RUNNING, false).with(running -> running
        .setCounts(counts(10).toProto()).setBytesPerS(1 << 20).setLeftMs(30_000));
    tool.outputs(5, () -> plugins.job = job(ConversionState.DONE, false)
        .with(done -> done.setCounts(counts(39).plusRefused("replicated", 1).toProto())));
    assertEquals(0, tool.run("-convert", "-status", "j-1", "-wait"), tool.err());
    assertTrue(tool.out().contains("running: 10 of about 40 files, 25 %, 1.0 MiB/s, about 30 s"
        + " left"), tool.out());
    assertTrue(tool.out().contains("Job j-1 to LRC-6-2-2-1024k is done, 30 s ago"), tool.out());

    plugins.job = job(ConversionState.DONE, false).with(done -> done
        .setCounts(counts(39).plusRefused("open", 1).toProto()).addFailures(
            new ConversionFailure("/warm/x", "refused", "open", "it is open").toProto()));
    assertEquals(1, tool.run("-convert", "-status", "j-1", "-wait"));
    assertTrue(tool.out().contains("- /warm/x refused (open): it is open"), tool.out());

    plugins.job = job(ConversionState.DONE, false).with(done -> done.clearPaths()
        .addPaths("/\u0007")
        .addFailures(new ConversionFailure("/warm/\u001b[2Jx\u009b", "refused", "open", "it is")
            .toProto()));
    assertEquals(0, tool.run("-convert", "-status", "j-1"));
    assertTrue(tool.out().contains("- /warm/?[2Jx? refused") && tool.out().contains("/?"),
        "a name of a file moves no cursor: " + tool.out());

    tool.outputs(5, () -> plugins.job = job(ConversionState.CANCELLED, false));
    plugins.job = job(ConversionState.PAUSED, false);
    assertEquals(1, tool.run("-convert", "-status", "j-1", "-wait", "-json"));
    String[] lines = tool.out().split(System.lineSeparator());
    assertEquals("paused", new ObjectMapper().readTree(lines[0]).path("state").asText());
    assertEquals("cancelled", new ObjectMapper().readTree(lines[1]).path("state").asText());
  }

  @Test
  void onATerminalOneLineIsRewritten() {
    ToolRun terminal = new ToolRun(plugins.client(), true, "");
    plugins.job = job(ConversionState.RUNNING, false)
        .with(running -> running.setCounts(counts(10).toProto()));
    terminal.outputs(5, () -> plugins.job = job(ConversionState.DONE, false));
    assertEquals(0, terminal.run("-convert", "-status", "j-1", "-wait"));
    assertTrue(terminal.out().startsWith("\r\033[Krunning: 10"), terminal.out());
  }

  @Test
  void aDryRunWaitsAndSaysWhatItWouldCost() throws Exception {
    plugins.job = job(ConversionState.DONE, true).with(done -> done.setCounts(counts(10)
        .plus(Number.GROUPS, 10)
        .plus(Number.BYTES_LINKED, 60L << 20).plus(Number.BYTES_MADE, 20L << 20)
        .plus(Number.BYTES_MOVED, 60L << 20).plus(Number.SPACE_BEFORE, 90L << 20)
        .plus(Number.SPACE_AFTER, 100L << 20).plus(Number.REPAIR_BEFORE, 54L << 20)
        .plus(Number.REPAIR_AFTER, 27L << 20).plus(Number.DIRECTORIES, 1).toProto()));
    assertEquals(0, tool.run("-convert", "-policy", "LRC-6-2-2-1024k", "-dry-run", "-id", "j-1",
        "/warm"), tool.err());
    for (String words : List.of("Dry run j-1 to LRC-6-2-2-1024k is done", "10 would be converted",
        "10 block groups: 60.0 MiB linked, 20.0 MiB made, 60.0 MiB moved",
        "90.0 MiB now, 100 MiB then (+11 %)", "54.0 MiB now, 27.0 MiB then (-50 %)",
        "1 directory would get the policy")) {
      assertTrue(tool.out().replaceAll("\\s+", " ").contains(words), words + ": " + tool.out());
    }
    assertTrue(tool.out().lines().allMatch(line -> line.length() <= 80), tool.out());
    assertEquals(0, tool.run("-convert", "-status", "j-1", "-json"));
    JsonNode json = new ObjectMapper().readTree(tool.out());
    assertEquals(27 << 20, json.path("repair_after").asLong());
    assertTrue(json.path("dry_run").asBoolean());
    assertNotNull(json.get("left_s"));
  }

  @Test
  void aDryRunSaysThatSomeDataNodesSeeNoReads() throws Exception {
    ConversionStatus dry = job(ConversionState.DONE, true);
    for (int blind : new int[] {3, 0, -1}) {
      plugins.job = blind < 0 ? dry : dry.withUnseenReads(new UnseenReads(blind, 18));
      assertEquals(0, tool.run("-convert", "-policy", "LRC-6-2-2-1024k", "-dry-run", "-id", "j-1",
          "/warm"), tool.err());
      assertEquals(blind > 0, tool.out().replaceAll("\\s+", " ").contains("Readers 3 of 18"
          + " DataNodes cannot tell whether clients read old versions: a stream that is open there"
          + " is not noticed. See 'hdfs ppr -doctor'"), tool.out());
      assertEquals(blind > 0, tool.out().contains("cannot tell"), tool.out());
      assertEquals(0, tool.run("-convert", "-status", "j-1", "-json"));
      JsonNode json = new ObjectMapper().readTree(tool.out());
      assertEquals(blind < 0 ? "null" : Integer.toString(blind),
          json.get("reads_unseen").toString());
      assertEquals(blind < 0 ? "null" : "18", json.get("data_nodes").toString());
    }
  }

  @Test
  void jobsAreListedAndSteered() {
    assertEquals(0, tool.run("-convert", "-status"));
    assertEquals("There are no conversion jobs." + System.lineSeparator(), tool.out());
    plugins.job = job(ConversionState.RUNNING, false)
        .with(running -> running.setCounts(counts(10).toProto()));
    assertEquals(0, tool.run("-convert", "-status"));
    assertTrue(tool.out().contains("j-1  LRC-6-2-2-1024k"), tool.out());
    for (String action : List.of("-pause", "-resume", "-cancel")) {
      assertEquals(0, tool.run("-convert", action, "j-1"), tool.err());
    }
    assertEquals(List.of("PAUSE j-1", "RESUME j-1", "CANCEL j-1"), plugins.actions);
  }

  @Test
  void anotherFileSystemIsRefused() {
    Configuration conf = plugins.client();
    conf.set("fs.defaultFS", "file:///");
    assertEquals(1, new ToolRun(conf).run("-convert", "-status"));
  }
}
