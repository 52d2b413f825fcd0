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

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hdfsppr.client.command.ToolRun;
import org.hdfsppr.client.command.Transcript;
import org.hdfsppr.client.spread.SpreadMoves;
import org.hdfsppr.datanode.SampleAnswers;
import org.hdfsppr.datanode.Snapshot;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.operate.ConversionRefusedException;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreRefusedException;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.FinalizedRecords;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.SpreadAnswer;
import org.hdfsppr.operate.SpreadPlace;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.operate.WaitingUpdates;
import org.junit.jupiter.api.Test;

/** What commands print of the answers of a NameNode's plugin is what it was. */
class TestPluginSnapshots extends OnCannedPlugins {
  private static final Snapshot RECORDED = Snapshot.of("hdfs-ppr-files-client", "plugin");

  private final Transcript text = new Transcript();

  private void check(String file) {
    RECORDED.assertSame(file + ".txt", text.toString());
  }

  private void refused(IOException why, String... args) {
    plugins.fail(why);
    text.run(tool, args);
    plugins.fail(why);
    String[] withJson = Arrays.copyOf(args, args.length + 1);
    withJson[args.length] = "-json";
    text.run(tool, withJson);
  }

  @Test
  void conversions() {
    text.both(tool, "-convert", "-status");
    plugins.jobs = SampleAnswers.jobs();
    text.both(tool, "-convert", "-status");
    for (ConversionStatus job : SampleAnswers.jobs()) {
      plugins.job = job;
      text.both(tool, "-convert", "-status", job.id);
    }
    String id = plugins.job.id;
    for (String action : List.of("-pause", "-resume", "-cancel")) {
      text.both(tool, "-convert", action, id);
    }
    text.both(tool, "-convert", "-status", "other");
    plugins.job = null;
    text.both(tool, "-convert", "-policy", "RS-6-3-1024k", "-id", "one", "/warm", "/cold");
    refused(new ConversionRefusedException("the policy RS-6-3-1024k is not enabled"),
        "-convert", "-policy", "RS-6-3-1024k", "-id", "two", "/warm");
    check("convert");
  }

  @Test
  void conversionsThatAreAwaited() {
    for (boolean isJson : new boolean[] {false, true}) {
      for (boolean isTerminal : new boolean[] {false, true}) {
        plugins.job = ConversionStatus.of("one", ConversionState.RUNNING,
            ConversionOptions.of("RS-6-3-1024k")).with(s -> s.setUser("alice")
                .addAllPaths(List.of("/warm")).setSubmittedMs(ToolRun.NOW.toEpochMilli() - 9_000)
                .setStartedMs(ToolRun.NOW.toEpochMilli() - 8_000).setEndedMs(0).setTotalFiles(1_000)
                .setTotalBytes(1L << 40).setBytesPerS(12_345_678.9).setLeftMs(754_321));
        ConversionStatus end = SampleAnswers.jobs().get(ConversionState.DONE.ordinal());
        ToolRun waiting = new ToolRun(plugins.client(), isTerminal, "").outputs(3, () ->
            plugins.job = ConversionStatus.of("one", end.state, end.options).with(s -> s
                .setCounts(end.counts.toProto()).setSubmittedMs(end.submittedMs)
                .setStartedMs(end.startedMs).setEndedMs(end.endedMs)));
        text.run(waiting, isJson
            ? new String[] {"-convert", "-status", "one", "-wait", "-json"}
            : new String[] {"-convert", "-status", "one", "-wait"});
      }
    }
    plugins.job = null;
    ToolRun dry = new ToolRun(plugins.client()).outputs(2, () -> { });
    text.both(dry, "-convert", "-policy", "RS-6-3-1024k", "-dry-run", "-id", "dry", "/warm");
    RECORDED.assertSame("convert-wait.txt", text.toString().replace("\033", "<ESC>")
        .replace("\r", "<CR>"));
  }

  @Test
  void core() {
    text.both(tool, "-core", "-protect", "/warm", "-recursive", "-t", "7");
    text.both(tool, "-core", "-protect", "/cold");
    text.both(tool, "-core", "-unprotect", "/cold");
    text.both(tool, "-core", "-status", "/nothing");
    plugins.coreStatus = CoreStatus.NONE;
    text.both(tool, "-core", "-status").both(tool, "-core", "-check");
    plugins.coreStatus = SampleAnswers.core();
    text.both(tool, "-core", "-status");
    // Users that are no superusers learn of fewer things.
    plugins.coreStatus = new CoreStatus("", List.of(CoreDirectory.of("/warm", 5, false)),
        0, Map.of(), 0).withUnused(List.of(), 3);
    text.both(tool, "-core", "-status", "/warm");
    refused(new CoreRefusedException("/ is not to be protected"), "-core", "-protect", "/");
    text.both(tool, "-core", "-protect", "/a", "-mapreduce");
    check("core");
  }

  @Test
  void spreading() {
    for (int i = 0; i < 2; i++) {
      plugins.spreads.add(new SpreadAnswer(List.of(), 900, 0, Map.of(), new SpreadPlace(20, 3)));
      plugins.spreads.add(new SpreadAnswer(List.of(), 90, 1, Map.of("leaving", 1L, "no_node", 2L),
          null));
      plugins.spreads.add(new SpreadAnswer(List.of(SpreadMoves.of(5, "a", "b")), 9, 2,
          Map.of("no_node", 1L), null));
    }
    text.run(tool, "-core", "-spread").run(tool, "-core", "-spread", "/warm");
    text.run(tool, "-core", "-spread", "-json").run(tool, "-core", "-spread", "/warm", "-json");
    check("core-spread");
  }

  @Test
  void commits() {
    for (CommitStatus commit : SampleAnswers.commits()) {
      plugins.commits.add(commit);
      plugins.commits.remove();
      text.both(tool, "-commit", "/images/disk", "-no-wait");
    }
    plugins.commits.clear();
    plugins.commits.addAll(SampleAnswers.commits());
    plugins.commits.removeLast();
    plugins.commits.removeLast();
    text.run(new ToolRun(plugins.client()).outputs(9, () -> { }), "-commit", "/images/disk");
    plugins.commits.add(CommitStatus.of("c9", "/images/disk", CommitStatus.State.PUBLISHED,
        commit -> commit.setCommit(4).setUpdates(1).setBytes(1).setGroups(1)
            .setMessage("the logs still have its updates")));
    plugins.commits.remove();
    text.both(tool, "-commit", "/images/disk");
    refused(new UpdateRefusedException("/images/disk is no erasure-coded file"), "-commit",
        "/images/disk");
    check("commit");
  }

  @Test
  void updates() {
    for (WaitingUpdates pending : SampleAnswers.updates()) {
      plugins.pending = pending;
      text.both(tool, "-updates", "/images/disk");
    }
    refused(new UpdateRefusedException("/images/disk may not be updated"), "-updates",
        "/images/disk");
    check("updates");
  }

  @Test
  void updatable() {
    text.both(tool, "-updatable", "/images").both(tool, "-updatable", "/images", "-off");
    for (String strategy : List.of("cau", "default")) {
      text.both(tool, "-updatable", "/images", "-strategy", strategy);
    }
    plugins.isUpdatabilityChanged = false;
    text.both(tool, "-updatable", "/images").both(tool, "-updatable", "/images", "-off");
    refused(new UpdateRefusedException("/images has updates that are in no version"), "-updatable",
        "/images", "-off");
    check("updatable");
  }

  @Test
  void leftovers() {
    text.both(tool, "-clear");
    plugins.leftovers = new Leftovers.Builder()
        .count(Leftovers.Kind.UPDATE_RECORD, Leftovers.State.USED, 1).build();
    text.both(tool, "-clear");
    plugins.leftovers = SampleAnswers.leftovers();
    text.both(tool, "-clear").both(tool, "-clear", "-go");
    check("clear");
  }

  @Test
  void finalizing() {
    plugins.finalized = new FinalizedRecords(FinalizedRecords.NEVER, false,
        "hdfs-ppr on these NameNodes of the nameservice is not known to read sealed records: nn2"
            + " (older, or without the jar of files); upgrade it there with the jar of files, start"
            + " these NameNodes, and try again");
    text.both(tool, "-finalize", "-status");
    plugins.finalized = new FinalizedRecords(1_767_225_600_000L, true, "");
    text.both(tool, "-finalize");
    plugins.finalized = new FinalizedRecords(1_767_225_600_000L, false, "");
    text.both(tool, "-finalize");
    check("finalize");
  }

  @Test
  void whatIsNotUnderstood() {
    for (String command : List.of("-convert", "-convert -policy P", "-convert -status -pause a",
        "-convert -status a -policy P", "-convert -status -wait", "-convert -policy P -id / /a",
        "-convert -policy P -concurrency 0 /a", "-convert -policy P -idle soon /a",
        "-convert -policy P -bandwidth 1 /a", "-convert -policy P file:///a",
        "-core", "-core -status -protect /a", "-core -spread -check", "-core -spread /a -recursive",
        "-core -protect /a -t 16", "-core -status /a /b", "-core -protect file:///a",
        "-commit", "-commit /a /b", "-updates", "-updatable", "-update /a",
        "-update /a -offset -1", "-clear /a", "-nbd", "-nbd -size 1g /a", "-nbd -nothing /a",
        "-nbd --unix a --listen b:1 /a", "-nbd --tls-any-client /a", "-nbd --listen b /a",
        "-verify", "-verify /f -sample 0", "-verify /f -seed 1",
        "-verify /f -parallel 33", "-verify hdfs://a/f hdfs://b/f")) {
      text.run(tool, command.split(" "));
    }
    check("not-understood");
  }

  /** No plugin is active, or answers. */
  @Test
  void withoutAPlugin() {
    plugins.active = 7;
    text.both(tool, "-clear");
    plugins.stop(0);
    plugins.stop(1);
    for (String command : List.of("-convert -status", "-core -status", "-commit /a", "-updates /a",
        "-updatable /a", "-clear")) {
      text.both(tool, command.split(" "));
    }
    check("without-plugin");
  }

  @Test
  void noOtherFilesAreThere() {
    RECORDED.assertFiles(List.of("convert.txt", "convert-wait.txt", "core.txt", "core-spread.txt",
        "commit.txt", "updates.txt", "updatable.txt", "clear.txt", "finalize.txt",
        "not-understood.txt", "without-plugin.txt"));
  }
}
