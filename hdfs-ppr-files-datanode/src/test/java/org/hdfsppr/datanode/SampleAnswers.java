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
package org.hdfsppr.datanode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionFailure;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.ReasonCounts;
import org.hdfsppr.operate.UnseenReads;
import org.hdfsppr.operate.UnusedGroup;
import org.hdfsppr.operate.WaitingUpdates;

/**
 * What a NameNode may answer about conversions, CORE groups, updates and leftovers, with something
 * in each field. Its pages and the command {@code hdfs ppr} show the same answers, and the tests
 * of both record them.
 */
public final class SampleAnswers {
  /** When the answers are given. */
  public static final Instant NOW = Instant.parse("2026-01-31T12:05:00Z");

  private static final long NOW_MS = NOW.toEpochMilli();
  private static final long MINUTE_MS = 60_000;

  private SampleAnswers() {
  }

  private static ConversionCounts counts(int start) {
    ConversionCounts counts = ConversionCounts.NONE;
    long value = start;
    for (ConversionCounts.Number number : ConversionCounts.Number.values()) {
      counts = counts.plus(number, value);
      value = value * 3 + 1;
    }
    return counts.plusRefused("in_use", 3).plusRefused("snapshot", 1);
  }

  /** @return a job in each state, a job that has just begun, and a dry run */
  public static List<ConversionStatus> jobs() {
    List<ConversionStatus> jobs = new ArrayList<>();
    for (ConversionState state : ConversionState.values()) {
      jobs.add(ConversionStatus.of("20260131-1200-" + state.word(), state,
          ConversionOptions.of("HITCHHIKER-XORPLUS-10-4-1024k")).with(s -> s
              .setWhy("the job is " + state.word()).setSubmittedMs(NOW_MS - 9 * MINUTE_MS)
              .setStartedMs(state == ConversionState.QUEUED ? ConversionStatus.NEVER
              : NOW_MS - 8 * MINUTE_MS).setEndedMs(state.isEnd() ? NOW_MS - MINUTE_MS
              : ConversionStatus.NEVER).setCounts(counts(5 * state.number).toProto())
              .setTotalFiles(1_000).setTotalBytes(1L << 40).setBytesPerS(12_345_678.9)
              .setLeftMs(754_321).setRunningFiles(2).setUser("alice")
              .addAllPaths(List.of("/warm", "/cold/a b"))
              .addFailures(new ConversionFailure("/warm/a", "failed", "",
              "no DataNode may make unit 12").toProto())
              .addFailures(new ConversionFailure("/warm/b", "refused", "in_use",
              "a client writes it").toProto())).withUnseenReads(new UnseenReads(2, 18)));
    }
    jobs.add(ConversionStatus.of("new", ConversionState.RUNNING,
        ConversionOptions.of("RS-10-4-1024k")).with(s -> s.setSubmittedMs(NOW_MS - 2_000)
            .setStartedMs(NOW_MS - 1_000).setEndedMs(0)));
    jobs.add(ConversionStatus.of("dry", ConversionState.DONE,
        ConversionOptions.of("RS-10-4-1024k").with(o -> o.setDryRun(true))).with(s -> s
            .setSubmittedMs(NOW_MS - 7_000).setStartedMs(NOW_MS - 6_000).setEndedMs(NOW_MS - 5_000)
            .setCounts(counts(2).toProto()).setTotalFiles(17).setTotalBytes(1L << 30).setUser("bob")
            .addAllPaths(List.of("/cold"))));
    return jobs;
  }

  private static CoreDirectory directory(String path, boolean isRecursive, int start) {
    return CoreDirectory.of(path, 5, isRecursive).with(directory -> {
      directory.setUser("alice").setFailure("nodes are busy").setWalkedMs(NOW_MS - 5_000)
          .addAllWaiting(ReasonCounts.toProtos(
              Map.of("open", 1L, "no_like_files", 4L, "later", 2L)));
      long value = start;
      for (CoreDirectory.Number number : CoreDirectory.Number.values()) {
        directory.setField(number.field, value);
        value = value * 2 + 1;
      }
    });
  }

  /** @return three protected directories; the NameNode has not looked at the third one yet */
  public static CoreStatus core() {
    return new CoreStatus("this NameNode reads its groups", List.of(directory("/warm", true, 3),
        directory("/cold/a b", false, 7), CoreDirectory.of("/new", 2, false)), 17,
        Map.of("member_gone", 2L, "member_changed", 1L), 4)
        .withUnused(List.of(new UnusedGroup(17_001, "its format is 2", "upgrade")), 3)
        .withKept(2).withLosses(3, 1);
  }

  /** @return one commit in each state */
  public static List<CommitStatus> commits() {
    List<CommitStatus> commits = new ArrayList<>();
    for (CommitStatus.State state : CommitStatus.State.values()) {
      commits.add(CommitStatus.of("c" + state.ordinal(), "/images/disk", state, commit -> commit
          .setCommit(3).setUpdates(21).setBytes(8_192).setGroups(2).setMessage(
              state == CommitStatus.State.FAILED ? "two nodes of unit 3 do not answer" : "")));
    }
    return commits;
  }

  /** @return a file of four groups, of which three have logs that wait for a commit */
  public static WaitingUpdates waiting(String path) {
    WaitingUpdates.Numbers numbers = new WaitingUpdates.Numbers();
    numbers.units = 3;
    numbers.updates = 7;
    numbers.loggedBytes = 28_672;
    numbers.changedBytes = 24_576;
    numbers.stripes = 2;
    return new WaitingUpdates(path, 3, 4, 3, numbers);
  }

  /** @return files: updated and committed, updated only, silent in part, and never updated */
  public static List<WaitingUpdates> updates() {
    WaitingUpdates.Numbers silent = new WaitingUpdates.Numbers();
    silent.units = 6;
    silent.silentUnits = 2;
    silent.updates = 1;
    silent.loggedBytes = 1;
    silent.changedBytes = 1;
    silent.stripes = 1;
    return List.of(waiting("/images/disk"),
        new WaitingUpdates("/images/disk", 3, 5, 2, silent),
        new WaitingUpdates("/images/disk", 0, 1, 0, silent),
        new WaitingUpdates("/images/disk", 0, 0, 0, new WaitingUpdates.Numbers()));
  }

  /** @return something of each kind in each state, with all that may be said about it */
  public static Leftovers leftovers() {
    Leftovers.Builder all = new Leftovers.Builder();
    all.cleared = 3;
    all.unfinished = "the NameNode has other work";
    int number = 1;
    for (Leftovers.Kind kind : Leftovers.Kind.values()) {
      for (Leftovers.State state : Leftovers.State.values()) {
        all.count(kind, state, number);
        all.name(new Leftovers.Item(kind, state, "/.hdfs-ppr/versions/" + number,
            number % 2 == 0 ? "" : "/warm/" + number, number % 3 == 0 ? "" : "it is " + number,
            state == Leftovers.State.GRACE ? NOW_MS + number * MINUTE_MS : 0,
            state == Leftovers.State.HELD ? List.of("/warm/.snapshot/s1", "/.snapshot/s2")
                : List.of()));
        number++;
      }
    }
    return all.build();
  }
}
