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
package org.hdfsppr.namenode.core;

import static org.hdfsppr.namenode.core.CorePaper.owned;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.namenode.convert.ConvertGate;
import org.hdfsppr.namenode.core.CorePaper.Node;
import org.hdfsppr.namenode.version.EngineStatuses;
import org.hdfsppr.namenode.version.ParityOutcome;
import org.hdfsppr.namenode.version.ParityRequest;
import org.hdfsppr.namenode.version.TargetFile;
import org.hdfsppr.namenode.version.VersionBytes;
import org.hdfsppr.namenode.version.VersionEnd;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.namenode.version.VersionOutcome;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.CoreRefusedException;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.GroupAnswer;
import org.hdfsppr.operate.GroupSubmission;
import org.hdfsppr.operate.SubmissionTerms;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups that users submit, on a namespace and an engine on paper. */
class TestSubmittedGroups {
  private static final long SETTLE_MS = 600_000;
  private static final long WALK_MS = 300_000;

  private final CorePaper files = new CorePaper();
  private final ConvertGate gate = mock(ConvertGate.class);
  private final VersionEngine engine = mock(VersionEngine.class);
  /** The inode ids of the files of each group that the engine was asked for. */
  private final List<List<Long>> made = new ArrayList<>();
  private boolean isEngineFull = true;
  private boolean isFailing;
  private long nowMs = 1_000_000_000;
  private CoreGroupManager keeper;
  private Node data;

  @BeforeEach
  void start() {
    when(gate.isActive()).thenReturn(true);
    when(gate.term()).thenReturn(3L);
    when(gate.whyNot()).thenReturn(Optional.empty());
    when(engine.isActive()).thenReturn(true);
    when(engine.status()).thenReturn(EngineStatuses.waiting(""));
    when(engine.submit(any(ParityRequest.class))).thenAnswer(call -> {
      if (isEngineFull) {
        return Optional.empty();
      }
      ParityRequest request = call.getArgument(0);
      made.add(request.files.stream().map(TargetFile::inodeId).collect(Collectors.toList()));
      if (isFailing) {
        return Optional.of(CompletableFuture.completedFuture(ParityOutcome.notMade(
            VersionOutcome.notPublished(VersionEnd.FAILED, "no nodes", VersionBytes.NONE))));
      }
      TargetFile parity = files.file(files.makeParity(request.files));
      return Optional.of(CompletableFuture.completedFuture(
          ParityOutcome.made(parity.inodeId(), parity.groups, VersionBytes.NONE)));
    });
    data = files.mkdir(1, "data");
    keeper = keeper(4);
  }

  private CoreGroupManager keeper(int concurrent) {
    Configuration conf = new Configuration(false);
    conf.setLong(PprKeys.NAMENODE_CORE_SETTLE_KEY, SETTLE_MS);
    conf.setInt(PprKeys.NAMENODE_CORE_CONCURRENT_KEY, concurrent);
    CoreGroupManager made = new CoreGroupManager(CoreSettings.of(conf),
        new CoreDoors(gate, files, files, files::places, engine), new CoreGroupIndex(files),
        CoreTally.NONE, () -> nowMs, () -> nowMs);
    for (int i = 0; i < 10; i++) {
      made.step();
    }
    return made;
  }

  private void steps(int steps) {
    for (int i = 0; i < steps; i++) {
      nowMs += 1_000;
      keeper.step();
    }
  }

  private Node create(String name, long... groups) {
    return files.create(data.inodeId, name, CorePaper.RS, groups);
  }

  private SubmissionTerms begin(int perGroup) throws IOException {
    return keeper.beginSubmission(owned(data), "/data", true, OptionalInt.of(perGroup), "alice");
  }

  private List<GroupAnswer> submit(List<List<Long>> groups) throws IOException {
    return keeper.submit(data.inodeId, new GroupSubmission("/data", groups), "alice");
  }

  private GroupAnswer submit(Node... group) throws IOException {
    List<Long> ids = new ArrayList<>();
    for (Node node : group) {
      ids.add(node.inodeId);
    }
    return submit(List.of(ids)).get(0);
  }

  private CoreStatus status() {
    return keeper.status().orElseThrow();
  }

  @Test
  void submittedGroupsAreMadeAndTheWalkWaits() throws IOException {
    List<Node> all = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      all.add(create("f" + i, 5_000));
    }
    SubmissionTerms terms = begin(2);
    assertEquals("/data", terms.directory.path);
    assertEquals(SETTLE_MS, terms.settleMs);
    assertEquals(0.25, terms.slack());
    assertEquals(FilePlanner.BLOCK_GROUPS_MAX, terms.blockGroupsMax);
    assertEquals(List.of(), terms.inner);
    isEngineFull = false;
    steps(30);
    // The NameNode's own look would have formed three groups.
    assertEquals(0, status().sum(Number.GROUPS));
    assertTrue(submit(all.get(0), all.get(5)).isTaken());
    assertTrue(submit(all.get(2), all.get(3)).isTaken());
    steps(30);
    assertEquals(2, status().sum(Number.GROUPS));
    assertEquals(List.of(List.of(all.get(0).inodeId, all.get(5).inodeId),
        List.of(all.get(2).inodeId, all.get(3).inodeId)), made);
    // After an interval without submissions, it looks itself.
    steps((int) (WALK_MS / 1_000) + 30);
    assertEquals(3, status().sum(Number.GROUPS));
    // A user that protects the directory as usual wants it at once.
    create("g0", 9_000);
    create("g1", 9_000);
    begin(2);
    keeper.protect(owned(data), "/data", true, OptionalInt.empty(), "alice");
    steps(30);
    assertEquals(4, status().sum(Number.GROUPS));
  }

  /** A submission twice, as after a lost answer, changes nothing. */
  @Test
  void noFileIsInTwoGroups() throws IOException {
    Node one = create("f1", 5_000);
    Node two = create("f2", 5_000);
    Node three = create("f3", 5_000);
    begin(2);
    assertTrue(submit(one, two).isTaken());
    GroupAnswer again = submit(one, two);
    assertEquals(Map.of(one.inodeId, "being_formed", two.inodeId, "being_formed"),
        again.unfit);
    assertEquals(Map.of(two.inodeId, "being_formed"), submit(two, three).unfit);
    assertEquals(1, status(1).sum(Number.QUEUED));
    isEngineFull = false;
    steps(10);
    assertEquals(Map.of(two.inodeId, "in_group"), submit(two, three).unfit);
    assertEquals(1, made.size());
  }

  private CoreStatus status(int steps) {
    steps(steps);
    return status();
  }

  @Test
  void whatDoesNotFitIsNamed() throws IOException {
    Node good = create("good", 5_000);
    Node open = create("open", 5_000);
    open.open = "is open for writing";
    Node encrypted = create("encrypted", 5_000);
    encrypted.isEncrypted = true;
    Node lost = create("lost", 5_000);
    lost.lostUnits = 1;
    Node settling = create("settling", 5_000);
    settling.mtime = nowMs;
    Node other = files.create(data.inodeId, "other", CorePaper.OTHER, 5_000);
    Node replicated = files.create(data.inodeId, "replicated", null, 5_000);
    Node empty = create("empty");
    long[] many = new long[FilePlanner.BLOCK_GROUPS_MAX + 1];
    Arrays.fill(many, 5);
    Node large = create("large", many);
    Node outside = files.create(1, "outside", CorePaper.RS, 5_000);
    Node gone = create("gone", 5_000);
    files.delete(gone);
    begin(2);
    Map<Node, String> reasons = Map.of(open, "open", encrypted, "encrypted", lost, "units_lost",
        settling, "settling", other, "other_policy", replicated, "other_policy", empty, "empty",
        large, "too_large", outside, "other_directory", gone, "gone");
    for (Map.Entry<Node, String> one : reasons.entrySet()) {
      GroupAnswer answer = submit(good, one.getKey());
      assertEquals(Map.of(one.getKey().inodeId, one.getValue()), answer.unfit,
          one.getKey().name);
      assertEquals(one.getValue(), answer.reason);
    }
    assertEquals(0, status(1).sum(Number.QUEUED));
  }

  @Test
  void filesThatDoNotFitTogetherAreNoGroup() throws IOException {
    Node one = create("f1", 5_000);
    Node two = create("f2", 5_000);
    Node third = create("f3", 5_000);
    Node unlike = create("f4", 1_000);
    Node blocks = create("f5", 5_000);
    blocks.blockBytes = 2 * CorePaper.BLOCK;
    Node below = files.create(files.mkdir(data.inodeId, "below").inodeId, "f", CorePaper.RS,
        5_000);
    Node core = files.create(data.inodeId, "core", CorePaper.CORE, 5_000);
    begin(2);
    for (Node other : List.of(unlike, blocks, below, core)) {
      GroupAnswer answer = submit(one, other);
      assertEquals("no_like_files", answer.reason, other.name);
      assertEquals(Map.of(), answer.unfit);
    }
    assertEquals("other_rules", submit(one, two, third).reason);
    // The policy says three, whatever the directory says.
    assertEquals("other_rules", submit(core, one).reason);
    assertTrue(submit(one, two).isTaken());
  }

  @Test
  void filesOfInnerDirectoriesAreNamedByThem() throws IOException {
    Node inner = files.mkdir(data.inodeId, "inner");
    Node one = files.create(inner.inodeId, "f1", CorePaper.RS, 5_000);
    Node two = files.create(inner.inodeId, "f2", CorePaper.RS, 5_000);
    keeper.protect(owned(inner), "/data/inner", false, OptionalInt.of(3), "bob");
    SubmissionTerms terms = begin(2);
    assertEquals(List.of("/data/inner"), terms.inner.stream().map(directory -> directory.path)
        .collect(Collectors.toList()));
    assertEquals("other_directory", submit(one, two).reason);
    assertEquals(List.of(), keeper.beginSubmission(owned(inner), "/data/inner", true,
        OptionalInt.empty(), "bob").inner);
  }

  @Test
  void onlyProtectedDirectoriesTakeGroups() throws IOException {
    Node one = create("f1", 5_000);
    Node two = create("f2", 5_000);
    assertThrows(CoreRefusedException.class, () -> submit(one, two));
    begin(2);
    assertTrue(submit(one, two).isTaken());
    keeper.unprotect(data.inodeId, "/data");
    assertThrows(CoreRefusedException.class, () -> submit(one, two));
    isEngineFull = false;
    steps(10);
    assertEquals(List.of(), made);
    files.activeSince = OptionalLong.empty();
    steps(1);
    assertThrows(RetriableException.class, () -> begin(2));
    files.activeSince = OptionalLong.of(8);
    keeper = keeper(0);
    CoreRefusedException off = assertThrows(CoreRefusedException.class, () -> begin(2));
    assertTrue(off.getMessage().contains("dfs.namenode.ppr.core.concurrent"), off.getMessage());
  }

  @Test
  void aFullQueueTakesGroupsLater() throws IOException {
    begin(2);
    List<List<Long>> groups = new ArrayList<>();
    for (int i = 0; i <= FormingQueue.USER_MAX; i++) {
      groups.add(List.of(create("a" + i, 5_000).inodeId, create("b" + i, 5_000).inodeId));
    }
    List<GroupAnswer> answers = new ArrayList<>();
    for (int from = 0; from < groups.size(); from += GroupSubmission.GROUPS_MAX) {
      answers.addAll(submit(groups.subList(from,
          Math.min(groups.size(), from + GroupSubmission.GROUPS_MAX))));
    }
    GroupAnswer last = answers.remove(answers.size() - 1);
    answers.forEach(answer -> assertTrue(answer.isTaken()));
    assertTrue(last.later);
    assertEquals("queue_full", last.reason);
    assertEquals(FormingQueue.USER_MAX, status(1).sum(Number.QUEUED));
    // Another user has room.
    keeper.beginSubmission(owned(data), "/data", true, OptionalInt.empty(), "bob");
    assertTrue(keeper.submit(data.inodeId, new GroupSubmission("/data",
        groups.subList(groups.size() - 1, groups.size())), "bob").get(0).isTaken());
    isEngineFull = false;
    steps(2);
    assertTrue(submit(create("z0", 5_000), create("z1", 5_000)).isTaken());
  }

  @Test
  void aDirectoryInWhichEverythingFailsTakesGroupsLater() throws IOException {
    begin(2);
    isFailing = true;
    isEngineFull = false;
    for (int i = 0; i < Forming.FAILURES_MAX; i++) {
      assertTrue(submit(create("a" + i, 5_000), create("b" + i, 5_000)).isTaken());
    }
    Node tried = create("c", 5_000);
    while (made.size() < Forming.FAILURES_MAX) {
      steps(1);
    }
    keeper.step();
    GroupAnswer answer = submit(tried, create("d", 5_000));
    assertTrue(answer.later);
    assertEquals("resting", answer.reason);
    nowMs += Forming.REST_MS;
    assertTrue(submit(tried, create("e", 5_000)).isTaken());
    steps(5);
    assertEquals("tried_before", submit(tried, create("f", 5_000)).reason);
  }
}
