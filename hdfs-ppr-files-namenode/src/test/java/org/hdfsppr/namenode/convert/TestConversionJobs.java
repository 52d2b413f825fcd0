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
package org.hdfsppr.namenode.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.namenode.version.FileFacts;
import org.hdfsppr.namenode.version.FileGroup;
import org.hdfsppr.namenode.version.RefusalReason;
import org.hdfsppr.namenode.version.VersionBytes;
import org.hdfsppr.namenode.version.VersionEnd;
import org.hdfsppr.namenode.version.VersionOutcome;
import org.hdfsppr.namenode.version.VersionRefusal;
import org.hdfsppr.namenode.walk.TreeWalk;
import org.hdfsppr.operate.ConversionAction;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.operate.ConversionRefusedException;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;
import org.hdfsppr.operate.UnseenReads;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests jobs step by step, without a NameNode: their states, counts, and what outlives a failover.
 */
class TestConversionJobs {
  private static final String FROM = ScriptedEngine.FROM;
  private static final String TO = ScriptedEngine.TO;

  private final PaperFiles files = new PaperFiles();
  private final PaperFolder folder = new PaperFolder();
  private final Configuration conf = new Configuration(false);
  private ConvertSettings settings;
  private ScriptedEngine engine = new ScriptedEngine();
  private boolean isActive = true;
  private long term = 5;
  private long nowMs = 1_000_000;
  /** Runs in the middle of steps. */
  private Runnable onClock = () -> { };
  private ConversionJobs conversions;
  private final List<ConversionCounts> metered = new ArrayList<>();

  private final ConvertGate gate = new ConvertGate() {
    @Override
    public boolean isActive() {
      return isActive;
    }

    @Override
    public long term() {
      return term;
    }

    @Override
    public Optional<String> whyNoJobs() {
      return Optional.empty();
    }

    @Override
    public Optional<String> whyNot() {
      return Optional.of("repairs go first");
    }

    @Override
    public Optional<UnseenReads> unseenReads() {
      return Optional.empty();
    }
  };

  private final Clock clock = new Clock() {
    @Override
    public ZoneOffset getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(nowMs + 1_600_000_000_000L);
    }
  };

  private ConversionJobs start() {
    conversions = new ConversionJobs(settings == null ? ConvertSettings.of(conf) : settings,
        new ConvertDoors(gate, folder, files, engine),
        policy -> ReedSolomon.hadoop(policy.dataUnits, policy.parityUnits),
        metered::add, Runnable::run, this::now, clock);
    conversions.step();
    return conversions;
  }

  private long now() {
    onClock.run();
    return nowMs;
  }

  /** Another NameNode becomes the active one, with nothing but the folder. */
  private void failOver() {
    term++;
    engine = new ScriptedEngine();
    start();
  }

  private void steps(int count) {
    for (int i = 0; i < count; i++) {
      nowMs += 250;
      conversions.step();
    }
  }

  private static ConversionRequest request(String id, ConversionOptions options,
      String... paths) {
    return new ConversionRequest(id, options, List.of(paths));
  }

  private static ConversionOptions to(int concurrency) {
    return ConversionOptions.of(TO).with(o -> o.setConcurrency(concurrency));
  }

  private ConversionStatus job(String id) {
    return conversions.jobs().orElseThrow().stream().filter(one -> one.id.equals(id))
        .findFirst().orElseThrow();
  }

  private void submit(String id, ConversionOptions options, String... paths) throws IOException {
    conversions.submit(request(id, options, paths), "alice");
  }

  private void putFiles(int count) {
    for (int i = 0; i < count; i++) {
      files.put("/d/f" + i, FROM);
    }
  }

  /** Users ask at any moment, also while a NameNode reads its jobs. */
  @Test
  void noAnswerLeavesOutAJobWhileTheJobsAreRead() throws IOException {
    putFiles(1);
    start();
    submit("j", to(1), "/d");
    onClock = () -> conversions.jobs().ifPresent(all -> assertEquals(1, all.size()));
    failOver();
    assertEquals("j", job("j").id);
  }

  @Test
  void allFilesOfAllPathsAreConverted() throws IOException {
    putFiles(3);
    files.put("/d/sub/x", FROM);
    files.put("/d/replicated", null);
    files.put("/d/so", TO);
    files.put("/one", FROM);
    start();
    submit("j", to(10), "/d", "/one");
    assertEquals(ConversionState.QUEUED, job("j").state);
    steps(1);
    assertEquals(ConversionState.RUNNING, job("j").state);
    assertEquals(List.of("/d/f0", "/d/f1", "/d/f2", "/d/sub/x", "/one"),
        new ArrayList<>(new TreeSet<>(engine.running.keySet())));
    assertEquals(5, job("j").runningFiles);
    assertEquals("alice", engine.requests.get(0).user);
    assertEquals(86_400_000, engine.requests.get(0).idleMs, "the NameNode's default");
    for (String path : new ArrayList<>(engine.running.keySet())) {
      engine.publish(path);
    }
    steps(1);
    ConversionStatus job = job("j");
    assertEquals(ConversionState.DONE, job.state, job.toString());
    assertEquals(5, job.counts.get(Number.CONVERTED));
    assertEquals(1, job.counts.get(Number.ALREADY));
    assertEquals(Map.of("replicated", 1L), job.counts.refused);
    assertEquals(7 * PaperFiles.FILE_BYTES, job.counts.get(Number.BYTES_PASSED));
    assertEquals(5 * 400, job.counts.get(Number.BYTES_MOVED));
    assertEquals(7, job.totalFiles.orElseThrow());
    assertEquals(List.of(), job.failures, "replicated files need no words");
    assertEquals(job.counts.toString(), metered.stream().reduce(ConversionCounts.NONE,
        ConversionCounts::plus).toString());
  }

  /** Files end in any order, and a failover at any point leaves none out and counts none twice. */
  @Test
  void aFailoverAtAnyPointLeavesNoFileOut() throws IOException {
    final int count = 6;
    for (int done = 0; done <= count; done++) {
      folder.texts.clear();
      files.files.clear();
      putFiles(count);
      engine = new ScriptedEngine();
      start();
      submit("j", to(3), "/d");
      steps(1);
      for (int i = 0; i < done; i++) {
        // The last one that is under way ends first.
        List<String> running = new ArrayList<>(engine.running.keySet());
        String last = running.get(running.size() - 1);
        engine.publish(last);
        files.put(last, TO);
        steps(1);
      }
      nowMs += ConversionJobs.WRITE_EVERY_MS;
      steps(1);
      failOver();
      for (int i = 0; i <= count && job("j").state != ConversionState.DONE; i++) {
        steps(1);
        for (String path : new ArrayList<>(engine.running.keySet())) {
          engine.publish(path);
          files.put(path, TO);
        }
      }
      assertEquals(ConversionState.DONE, job("j").state, "after " + done);
      assertEquals(0, files.files.values().stream().filter(FROM::equals).count());
      assertEquals(count, job("j").counts.files(), "after " + done + ": " + job("j"));
    }
  }

  @Test
  void theEngineMayBeFullOrGiveFilesBack() throws IOException {
    putFiles(4);
    engine.places = 1;
    start();
    submit("j", to(4), "/d");
    steps(2);
    assertEquals(List.of("/d/f0"), new ArrayList<>(engine.running.keySet()));
    assertEquals("all places are taken", job("j").why);
    engine.end("/d/f0", VersionOutcome.notPublished(VersionEnd.STOPPED, "stops",
        VersionBytes.NONE));
    engine.isActive = false;
    steps(3);
    assertEquals(ConversionState.RUNNING, job("j").state);
    assertEquals("repairs go first", job("j").why);
    engine.isActive = true;
    engine.atOnce = VersionOutcome.published(VersionBytes.NONE);
    nowMs += ConversionJob.LATER_MS;
    steps(3);
    assertEquals(ConversionState.DONE, job("j").state);
    assertEquals(4, job("j").counts.get(Number.CONVERTED));
  }

  @Test
  void safeModeIsWaitedFor() throws IOException {
    putFiles(3);
    engine.atOnce = VersionOutcome.published(VersionBytes.NONE);
    start();
    files.isInSafeMode = true;
    submit("j", to(4), "/d");
    submit("dry", ConversionOptions.of(TO).with(o -> o.setDryRun(true)), "/d");
    steps(3);
    assertEquals(0, engine.requests.size());
    for (String id : List.of("j", "dry")) {
      assertEquals(ConversionState.RUNNING, job(id).state);
      assertEquals("the NameNode is in safe mode", job(id).why);
      assertEquals(0, job(id).counts.files());
    }
    files.isInSafeMode = false;
    steps(3);
    assertEquals(3, job("j").counts.get(Number.CONVERTED));
    assertEquals(3, job("dry").counts.get(Number.CONVERTED));
  }

  /** Each end of a version lets the thread take a step. */
  @ParameterizedTest
  @EnumSource(value = RefusalReason.class,
      names = {"SAFE_MODE", "NOT_IN_CHARGE", "FULL"})
  void filesThatAreGivenBackAreNotTriedWithoutAPause(RefusalReason why) throws IOException {
    putFiles(3);
    engine.atOnce = VersionOutcome.refused(new VersionRefusal(why, "no"));
    start();
    submit("j", to(4), "/d");
    for (int i = 0; i < 1_000; i++) {
      nowMs++;
      conversions.step();
    }
    assertEquals(3, engine.requests.size());
    nowMs += ConversionJob.LATER_MS;
    engine.atOnce = VersionOutcome.published(VersionBytes.NONE);
    steps(2);
    assertEquals(3, job("j").counts.get(Number.CONVERTED));
  }

  @Test
  void outcomesAreCountedAndTheLastFailuresKept() throws IOException {
    putFiles(40);
    start();
    submit("j", to(40), "/d");
    steps(1);
    int i = 0;
    for (String path : new ArrayList<>(engine.running.keySet())) {
      VersionOutcome outcome = i % 4 == 0
          ? VersionOutcome.refused(new VersionRefusal(RefusalReason.OPEN, path + " is open"))
          : i % 4 == 1 ? VersionOutcome.refused(new VersionRefusal(RefusalReason.SAME_POLICY, ""))
          : VersionOutcome.notPublished(i % 4 == 2 ? VersionEnd.CHANGED : VersionEnd.FAILED,
              "no", VersionBytes.NONE);
      engine.end(path, outcome);
      i++;
    }
    steps(1);
    ConversionStatus job = job("j");
    assertEquals(ConversionState.DONE, job.state);
    assertEquals(Map.of("open", 10L), job.counts.refused);
    assertEquals(10, job.counts.get(Number.ALREADY));
    assertEquals(10, job.counts.get(Number.CHANGED));
    assertEquals(10, job.counts.get(Number.FAILED));
    assertEquals(ConversionStatus.FAILURES_MAX, job.failures.size());
    assertEquals("failed", job.failures.get(15).outcome);
  }

  @Test
  void pauseResumeAndCancel() throws IOException {
    putFiles(6);
    start();
    submit("j", to(2), "/d");
    steps(1);
    conversions.steer("j", ConversionAction.PAUSE);
    engine.publish("/d/f0");
    files.put("/d/f0", TO);
    steps(2);
    assertEquals(ConversionState.PAUSED, job("j").state);
    assertEquals(1, job("j").counts.get(Number.CONVERTED), "a file under way is finished");
    assertEquals(1, engine.running.size(), "none begins");
    failOver();
    steps(2);
    assertEquals(ConversionState.PAUSED, job("j").state, "a pause outlives a failover");
    conversions.steer("j", ConversionAction.RESUME);
    steps(1);
    assertEquals(ConversionState.RUNNING, job("j").state);
    assertEquals(List.of("/d/f1", "/d/f2"), new ArrayList<>(engine.running.keySet()));
    conversions.steer("j", ConversionAction.CANCEL);
    assertEquals(List.of("j"), engine.cancelled);
    steps(2);
    assertEquals(ConversionState.CANCELLED, job("j").state);
    assertEquals(1, job("j").counts.files());
    assertEquals(0, engine.running.size());
    assertThrows(ConversionRefusedException.class,
        () -> conversions.steer("j", ConversionAction.RESUME));
    assertEquals(ConversionState.CANCELLED,
        conversions.steer("j", ConversionAction.CANCEL).state, "repeated");
  }

  @Test
  void jobsQueueAndDryRunsHavePlacesOfTheirOwn() throws IOException {
    conf.setInt(PprKeys.NAMENODE_CONVERT_JOBS_KEY, 1);
    settings = ConvertSettings.of(conf, 5, 100);
    putFiles(1);
    start();
    submit("a", to(1), "/d");
    submit("b", to(1), "/d");
    submit("dry", ConversionOptions.of(TO).with(o -> o.setDryRun(true)), "/d");
    String why = assertThrows(ConversionRefusedException.class, () -> submit("c", to(1), "/d"))
        .getMessage();
    assertTrue(why.startsWith("User alice has 3 jobs that have not ended"), why);
    conversions.submit(request("d", to(1), "/x"), "bob");
    conversions.submit(request("e", to(1), "/x"), "bob");
    why = assertThrows(ConversionRefusedException.class,
        () -> conversions.submit(request("f", to(1), "/x"), "carol")).getMessage();
    assertTrue(why.startsWith("5 jobs have not ended"), why);
    steps(1);
    assertEquals(ConversionState.RUNNING, job("a").state);
    assertEquals(ConversionState.QUEUED, job("b").state);
    assertEquals(ConversionState.DONE, job("dry").state);
    engine.publish("/d/f0");
    files.put("/d/f0", TO);
    steps(2);
    assertEquals(ConversionState.DONE, job("b").state);
    assertEquals(1, job("b").counts.get(Number.ALREADY));
  }

  /** Jobs with a small bandwidth would hold all places for days. */
  @Test
  void theJobsOfOneUserLeaveAPlaceToOthers() throws IOException {
    putFiles(1);
    start();
    submit("a", to(1), "/d");
    submit("b", to(1), "/d");
    steps(1);
    assertEquals(ConversionState.RUNNING, job("a").state);
    assertEquals(ConversionState.QUEUED, job("b").state);
    conversions.submit(request("c", to(1), "/x"), "bob");
    steps(1);
    assertEquals(ConversionState.QUEUED, job("b").state);
    assertTrue(job("c").state != ConversionState.QUEUED, job("c").toString());
    engine.publish("/d/f0");
    files.put("/d/f0", TO);
    steps(2);
    assertEquals(ConversionState.DONE, job("b").state);
  }

  @Test
  void aRepeatedSubmissionBeginsNothing() throws IOException {
    putFiles(1);
    start();
    submit("j", to(1), "/d");
    steps(1);
    submit("j", to(1), "/d");
    assertEquals(1, conversions.jobs().orElseThrow().size());
    failOver();
    assertEquals(ConversionState.RUNNING,
        conversions.submit(request("j", to(1), "/d"), "alice").state);
    assertThrows(ConversionRefusedException.class,
        () -> conversions.submit(request("j", to(1), "/d"), "bob"));
    assertThrows(ConversionRefusedException.class, () -> submit("j", to(1), "/other"));
    assertThrows(ConversionRefusedException.class, () -> submit("j", to(2), "/d"));
    assertThrows(ConversionRefusedException.class,
        () -> submit("j", to(1).with(o -> o.setIdleMs(0)), "/d"));
    submit("j", ConversionOptions.of(TO), "/d");
    assertThrows(ConversionRefusedException.class,
        () -> submit("j", ConversionOptions.of(TO).with(o -> o.setDryRun(true)), "/d"));
  }

  @Test
  void directoriesGetThePolicyWhereTheirFilesCould() throws IOException {
    files.put("/d/f", TO);
    files.put("/d/own/f", TO);
    files.put("/d/other/f", TO);
    files.put("/d/under/f", TO);
    files.policies.put("/d", FROM);
    files.policies.put("/d/own", FROM);
    files.policies.put("/d/other", ScriptedEngine.OTHER);
    files.forbidden.add("policy of /d/own");
    start();
    submit("dry", ConversionOptions.of(TO).with(o -> o.setDryRun(true)), "/d");
    submit("only", ConversionOptions.of(TO).with(o -> o.setFilesOnly(true)), "/d");
    steps(2);
    assertEquals(FROM, files.policies.get("/d"));
    assertEquals(1, job("dry").counts.get(Number.DIRECTORIES));
    submit("j", to(1), "/d");
    steps(2);
    assertEquals(Map.of("/d", TO, "/d/own", FROM, "/d/other", ScriptedEngine.OTHER),
        files.policies);
    assertEquals(1, job("j").counts.get(Number.DIRECTORIES));
    assertEquals(Map.of("directory_policy", 1L), job("j").counts.refused);
    assertTrue(job("j").failures.get(0).sentence.startsWith("New files in /d/own keep"),
        job("j").failures.toString());
  }

  @Test
  void directoriesThatTheUserMayNotListAreRefused() throws IOException {
    putFiles(1);
    files.put("/d/secret/f", FROM);
    files.forbidden.add("/d/secret");
    start();
    engine.atOnce = VersionOutcome.published(VersionBytes.NONE);
    submit("j", to(1), "/d", "/gone");
    steps(3);
    assertEquals(ConversionState.DONE, job("j").state, job("j").toString());
    assertEquals(Map.of("no_permission", 1L, "not_found", 1L), job("j").counts.refused);
    assertEquals(1, job("j").counts.get(Number.CONVERTED));
  }

  @Test
  void aDryRunSaysWhatWouldBeDone() throws IOException {
    putFiles(2);
    engine.facts.put("/d/f0", FileFacts.of("/d/f0", FileFacts.Kind.FILE, 7).with(f -> {
      f.policy = engine.policy(FROM).orElseThrow();
      f.open = "is open";
    }).build());
    engine.facts.put("/d/f1", FileFacts.of("/d/f1", FileFacts.Kind.FILE, 8).with(f -> {
      f.policy = engine.policy(FROM).orElseThrow();
      f.groups = List.of(new FileGroup(new GroupId("BP", -16, 1), 3 << 20, 0));
    }).build());
    start();
    submit("dry", ConversionOptions.of(TO).with(o -> o.setDryRun(true)), "/d");
    steps(1);
    ConversionStatus job = job("dry");
    assertEquals(ConversionState.DONE, job.state);
    assertEquals(0, engine.requests.size());
    assertEquals(1, job.counts.get(Number.CONVERTED));
    assertEquals(Map.of("open", 1L), job.counts.refused);
    assertEquals(40, job.counts.get(Number.BYTES_MOVED));
    assertEquals(5 << 20, job.counts.get(Number.SPACE_BEFORE));
    assertEquals(15 << 20, job.counts.get(Number.REPAIR_BEFORE), "five units by three each");
  }

  @Test
  void aJobThatCannotListFilesFailsInTheEnd() throws IOException {
    putFiles(1);
    files.failure = new StandbyException("standby at /d");
    start();
    submit("j", to(1), "/d");
    nowMs += 2 * ConversionJob.FAILING_MS_MAX;
    steps(2);
    assertEquals(ConversionState.RUNNING, job("j").state, "it waits for the NameNode");
    assertFalse(job("j").why.contains("/d"), job("j").why);
    files.failure = new IOException("no");
    for (int i = 0; i < 10_000; i++) {
      // Other jobs, and calls of users, let the thread take steps at any time.
      nowMs++;
      conversions.step();
    }
    assertEquals(ConversionState.RUNNING, job("j").state, "a NameNode may have a bad minute");
    nowMs += ConversionJob.FAILING_MS_MAX;
    steps(1);
    assertEquals(ConversionState.FAILED, job("j").state);
    assertFalse(job("j").why.contains("/d"), "names no file");
  }

  /** A NameNode that was away must not write what it remembers over what another has done. */
  @Test
  void whatAnotherNameNodeHasWrittenIsReadAgain() throws IOException {
    putFiles(4);
    start();
    submit("j", to(1), "/d");
    steps(1);
    ConversionJobs old = conversions;
    ScriptedEngine oldEngine = engine;
    failOver();
    steps(1);
    engine.publish("/d/f0");
    files.put("/d/f0", TO);
    nowMs += ConversionJobs.WRITE_EVERY_MS;
    steps(1);
    byte[] newer = folder.texts.get("j");
    // The old one believes that it is active in its old term.
    term = 5;
    oldEngine.publish("/d/f0");
    nowMs += ConversionJobs.WRITE_EVERY_MS;
    old.step();
    assertEquals(new String(newer), new String(folder.texts.get("j")));
    assertTrue(old.jobs().isEmpty(), "it forgets what it knew");
    old.step();
    assertEquals(1, old.jobs().orElseThrow().get(0).counts.files());
  }

  @Test
  void aStandbyKnowsNoJobs() throws IOException {
    putFiles(1);
    start();
    submit("j", to(1), "/d");
    isActive = false;
    steps(1);
    assertTrue(conversions.jobs().isEmpty());
    assertThrows(RetriableException.class, () -> submit("k", to(1), "/d"));
    isActive = true;
    term++;
    assertThrows(RetriableException.class, () -> submit("k", to(1), "/d"));
    steps(1);
    assertEquals(ConversionState.RUNNING, job("j").state);
  }

  @Test
  void aFolderThatCannotBeWrittenLosesNoJob() throws IOException {
    putFiles(1);
    start();
    folder.failure = new IOException("safe mode");
    assertThrows(IOException.class, () -> submit("j", to(1), "/d"));
    assertEquals(0, conversions.jobs().orElseThrow().size());
    folder.failure = null;
    submit("j", to(1), "/d");
    folder.failure = new IOException("safe mode");
    steps(2);
    for (int i = 0; i < 2; i++) {
      assertThrows(ConversionRefusedException.class,
          () -> conversions.steer("j", ConversionAction.PAUSE), "also when it is repeated");
    }
    folder.failure = null;
    nowMs += ConversionJobs.WRITE_EVERY_MS;
    steps(1);
    failOver();
    assertEquals(ConversionState.PAUSED, job("j").state);
  }

  @Test
  void anActionThatIsRepeatedIsDurable() throws IOException {
    putFiles(1);
    start();
    submit("j", to(1), "/d");
    steps(1);
    folder.failure = new IOException("safe mode");
    assertThrows(ConversionRefusedException.class,
        () -> conversions.steer("j", ConversionAction.CANCEL));
    folder.failure = null;
    assertEquals(ConversionState.CANCELLED,
        conversions.steer("j", ConversionAction.CANCEL).state);
    failOver();
    assertEquals(ConversionState.CANCELLED, job("j").state);
  }

  @Test
  void aRecordThatCannotBeWrittenStopsNoOtherJob() throws IOException {
    putFiles(2);
    engine.atOnce = VersionOutcome.published(VersionBytes.NONE);
    start();
    submit("a", to(1), "/d/f0");
    conversions.submit(request("b", to(1), "/d/f1"), "bob");
    folder.broken = "a";
    steps(3);
    assertEquals(ConversionState.DONE, job("a").state);
    assertEquals(ConversionState.DONE, job("b").state);
    folder.broken = "";
    nowMs += ConversionJobs.WRITE_EVERY_MS;
    steps(1);
    failOver();
    assertEquals(ConversionState.DONE, job("a").state);
  }

  @Test
  void oneFileThatCannotBeLookedAtEndsNoJob() throws IOException {
    putFiles(3);
    files.poison = "/d/f1";
    engine.atOnce = VersionOutcome.published(VersionBytes.NONE);
    start();
    submit("j", to(1), "/d");
    steps(3);
    assertEquals(ConversionState.DONE, job("j").state);
    assertEquals(2, job("j").counts.get(Number.CONVERTED));
    assertEquals(1, job("j").counts.get(Number.FAILED));
    assertEquals("/d/f1", job("j").failures.get(0).path);
  }

  @Test
  void pathsLeaveRoomForWhatChangesInARecord() throws IOException {
    putFiles(1);
    start();
    // JSON writes six characters for each of them.
    String path = "/" + "\u0001".repeat(2_000);
    String why = assertThrows(ConversionRefusedException.class, () -> submit("j", to(1), path))
        .getMessage();
    assertTrue(why.contains("too many quotes and control characters"), why);
    assertTrue(folder.texts.isEmpty());
    submit("k", to(1), "/" + "x".repeat(4_000));
  }

  @Test
  void aRecordThatCannotBeReadIsNotOverwritten() throws IOException {
    byte[] newer = "hdfs-ppr-job 999 x\n{}".getBytes(StandardCharsets.UTF_8);
    folder.texts.put("j", newer);
    start();
    assertThrows(ConversionRefusedException.class, () -> submit("j", to(1), "/d"));
    assertEquals(newer, folder.texts.get("j"));
  }

  @Test
  void aWalkOverDirectoriesWithoutFilesHurries() throws IOException {
    files.put("/d" + "/e".repeat(3 * TreeWalk.PAGES_PER_CALL) + "/f", FROM);
    start();
    submit("j", to(1), "/d");
    assertTrue(conversions.step(), "the search goes on soon");
    conversions.step();
    conversions.step();
    conversions.step();
    assertFalse(conversions.step());
    assertEquals(1, engine.running.size());
  }

  /** Users' calls wait for the end of a step. */
  @Test
  void aStepIsShortAlsoWhereTheNameNodeIsBusy() throws IOException {
    for (int i = 0; i < 40; i++) {
      files.put("/d/f" + i, TO);
    }
    start();
    submit("j", to(1), "/d");
    files.onStatus = () -> nowMs += ConversionJob.LOOK_MS_PER_STEP / 4;
    assertTrue(conversions.step(), "the next step comes soon");
    long looked = job("j").counts.get(Number.ALREADY);
    assertTrue(looked > 0 && looked <= 4, "looked at " + looked);
    steps(40);
    assertEquals(40, job("j").counts.get(Number.ALREADY));
    assertEquals(ConversionState.DONE, job("j").state);
  }

  @Test
  void allJobsGetOnWhileTheEngineIsFull() throws IOException {
    putFiles(20);
    files.put("/e/x", FROM);
    files.put("/so", TO);
    engine.places = 1;
    start();
    for (int i = 0; i < 20; i++) {
      submit("ended-" + i, to(1), "/so");
      steps(2);
    }
    submit("a", to(20), "/d");
    conversions.submit(request("b", to(1), "/e"), "bob");
    for (int i = 0; i < 6; i++) {
      steps(1);
      engine.publish(engine.running.keySet().iterator().next());
    }
    steps(1);
    assertEquals(ConversionState.DONE, job("b").state, job("a").toString());
  }

  @Test
  void filesAreCountedWithTheRightsOfTheUser() throws IOException {
    putFiles(3);
    files.put("/d/secret/f", FROM);
    files.forbidden.add("/d/secret");
    start();
    submit("j", to(1), "/d");
    steps(2);
    assertTrue(job("j").totalFiles.isEmpty(), job("j").toString());
  }

  @Test
  void endedJobsAreKeptForATime() throws IOException {
    settings = ConvertSettings.of(conf, 64, 2);
    files.put("/f", TO);
    start();
    for (String id : List.of("a", "b", "c")) {
      submit(id, to(1), "/f");
      steps(2);
    }
    nowMs += 60_000;
    steps(1);
    assertEquals(List.of("b", "c"), new ArrayList<>(folder.texts.keySet()));
    nowMs += ConvertSettings.ENDED_MS;
    steps(1);
    assertTrue(folder.texts.isEmpty());
    assertEquals(0, conversions.jobs().orElseThrow().size());
  }
}
