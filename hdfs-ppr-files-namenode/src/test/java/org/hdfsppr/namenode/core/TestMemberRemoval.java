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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.core.membership.GroupIdentity;
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
import org.hdfsppr.operate.CoreStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Moves a member of a group to the trash. The namespace and the engine are on paper. */
class TestMemberRemoval {
  private static final long SETTLE_MS = 600_000;

  private final CorePaper files = new CorePaper();
  private final ConvertGate gate = mock(ConvertGate.class);
  private final VersionEngine engine = mock(VersionEngine.class);
  private final List<ParityRequest> requests = new ArrayList<>();
  private final List<CompletableFuture<ParityOutcome>> futures = new ArrayList<>();
  private static final int CONCURRENT = 4;

  private final List<String> cancelled = new ArrayList<>();
  private final List<Node> members = new ArrayList<>();
  private Node data;
  private Node trash;
  private CoreGroupManager keeper;
  private long nowMs = 10 * SETTLE_MS;

  /** Forms a group of five files, of which the first two are the longest. */
  @BeforeEach
  void form() throws IOException {
    when(gate.isActive()).thenReturn(true);
    when(gate.whyNot()).thenReturn(Optional.empty());
    when(gate.whyNoJobs()).thenReturn(Optional.empty());
    when(engine.isActive()).thenReturn(true);
    when(engine.status()).thenReturn(EngineStatuses.waiting(""));
    when(engine.submit(any(ParityRequest.class))).thenAnswer(call -> {
      requests.add(call.getArgument(0));
      futures.add(new CompletableFuture<>());
      return Optional.of(futures.get(futures.size() - 1));
    });
    doAnswer(call -> cancelled.add(call.getArgument(0))).when(engine).cancel(anyString());
    data = files.mkdir(1, "data");
    trash = files.mkdir(files.mkdir(1, ".Trash").inodeId, "Current");
    long[][] lengths = {{3_000, 2_000}, {3_000, 2_000}, {3_000, 1_500}, {2_900, 1_500}, {3_000}};
    for (long[] groups : lengths) {
      members.add(files.create(data.inodeId, "f" + members.size(), CorePaper.RS, groups));
    }
    restart();
    keeper.protect(owned(data), "/data", false, OptionalInt.of(5), "alice");
    steps();
    end(null);
    steps();
    assertEquals(1, status().sum(Number.GROUPS));
    assertEquals(5, status().sum(Number.MEMBERS));
  }

  private void restart() {
    Configuration conf = new Configuration(false);
    conf.setLong(PprKeys.NAMENODE_CORE_SETTLE_KEY, SETTLE_MS);
    conf.setInt(PprKeys.NAMENODE_CORE_CONCURRENT_KEY, CONCURRENT);
    keeper = new CoreGroupManager(CoreSettings.of(conf, 1_000),
        new CoreDoors(gate, files, files, files::places, engine), new CoreGroupIndex(files),
        CoreTally.NONE, () -> nowMs, () -> nowMs);
    steps();
  }

  private void steps() {
    for (int i = 0; i < 60; i++) {
      nowMs += 1_000;
      keeper.step();
    }
  }

  /** Ends the only request: with a file if there is no other outcome. */
  private ParityRequest end(VersionOutcome outcome) {
    assertEquals(1, requests.size(), requests.toString());
    return endFirst(outcome);
  }

  private ParityRequest endFirst(VersionOutcome outcome) {
    ParityRequest request = requests.remove(0);
    CompletableFuture<ParityOutcome> future = futures.remove(0);
    if (outcome != null) {
      future.complete(ParityOutcome.notMade(outcome));
      return request;
    }
    TargetFile made = files.file(files.makeParity(request.files));
    future.complete(ParityOutcome.made(made.inodeId(), made.groups, VersionBytes.NONE));
    return request;
  }

  private CoreStatus status() {
    return keeper.status().orElseThrow();
  }

  private static List<Long> ids(List<TargetFile> of) {
    return of.stream().map(TargetFile::inodeId).collect(Collectors.toList());
  }

  private List<Long> membersBut(Node node) {
    return members.stream().filter(member -> member != node).map(member -> member.inodeId)
        .collect(Collectors.toList());
  }

  private void throwAway(int member) {
    members.get(member).parent = trash.inodeId;
    steps();
  }

  private void assertDissolved(String reason) {
    assertEquals(Map.of(reason, 1L), status().dissolved);
    assertEquals(0, status().sum(Number.GROUPS));
    assertTrue(files.parities.isEmpty());
  }

  /** Two files are read, and the nodes of the others are left alone. */
  @Test
  void theOthersGoOnWithTheXorOfTheParityFileAndTheMember() throws IOException {
    long before = files.parities.first();
    throwAway(2);
    // Until the new parity file is there, the group is used.
    assertEquals(1, status().sum(Number.GROUPS));
    assertEquals(5, status().sum(Number.MEMBERS));
    assertEquals(Set.of(before), files.parities);
    ParityRequest request = end(null);
    assertEquals(List.of(before, members.get(2).inodeId), ids(request.files));
    assertEquals(membersBut(members.get(2)), ids(request.beside));
    steps();
    assertEquals(1, status().sum(Number.GROUPS));
    assertEquals(4, status().sum(Number.MEMBERS));
    assertEquals(Map.of("taken_out", 1L), status().dissolved);
    assertEquals(1, files.parities.size());
    assertTrue(files.parities.first() > before);
    // The group is as it should be also after a restart, and nothing more is made.
    restart();
    assertEquals(4, status().sum(Number.MEMBERS));
    assertEquals(Map.of(), status().dissolved);
    assertEquals(List.of(), requests);
    // A second one goes, but then three of five files are left, and no third one.
    throwAway(3);
    assertEquals(List.of(files.parities.first(), members.get(3).inodeId),
        ids(end(null).files));
    steps();
    assertEquals(3, status().sum(Number.MEMBERS));
    throwAway(4);
    assertEquals(Map.of("member_gone", 1L, "taken_out", 1L), status().dissolved);
    assertTrue(files.parities.isEmpty());
  }

  @Test
  void twoMembersAtOnceDissolveTheirGroup() {
    members.get(0).parent = trash.inodeId;
    members.get(1).parent = trash.inodeId;
    steps();
    assertDissolved("member_gone");
    assertEquals(List.of(), requests);
  }

  /** Without the last of the longest, the parity file would be longer than the others. */
  @Test
  void theLastOfTheLongestDissolvesItsGroup() throws IOException {
    throwAway(0);
    end(null);
    steps();
    assertEquals(4, status().sum(Number.MEMBERS));
    throwAway(1);
    assertEquals(Map.of("member_gone", 1L, "taken_out", 1L), status().dissolved);
    assertEquals(List.of(), requests);
  }

  @Test
  void aMemberThatIsMovedElsewhereOrDeletedDissolvesItsGroup() {
    members.get(2).parent = 1;
    steps();
    assertDissolved("member_gone");
    assertEquals(List.of(), requests);
  }

  @Test
  void whatHasOtherBytesIsNotTakenOut() {
    GroupIdentity old = members.get(2).groups.get(1);
    members.get(2).groups.set(1, new GroupIdentity(old.groupId, old.generationStamp + 900,
        old.length));
    throwAway(2);
    assertDissolved("member_gone");
    assertEquals(List.of(), requests);
  }

  /** A change that comes between two looks at the group's files is seen by the second one. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void whatChangesBetweenTwoLooksIsNotTakenOut(int changed) {
    files.atLook = () -> {
      GroupIdentity old = members.get(changed).groups.get(0);
      members.get(changed).groups.set(0, new GroupIdentity(old.groupId,
          old.generationStamp + 900, old.length));
    };
    throwAway(2);
    assertNull(files.atLook, "the files were looked at");
    assertEquals(List.of(), requests);
    assertDissolved("member_gone");
  }

  /** The parity of a single file would be a copy of it. */
  @Test
  void aMemberThatWouldBeAloneIsNotLeft() throws IOException {
    Node pairs = files.mkdir(1, "pairs");
    Node first = files.create(pairs.inodeId, "g0", CorePaper.RS, 3_000);
    files.create(pairs.inodeId, "g1", CorePaper.RS, 3_000);
    keeper.protect(owned(pairs), "/pairs", false, OptionalInt.of(2), "alice");
    steps();
    end(null);
    steps();
    assertEquals(2, status().sum(Number.GROUPS));
    first.parent = trash.inodeId;
    steps();
    assertEquals(List.of(), requests);
    assertEquals(Map.of("member_gone", 1L), status().dissolved);
    assertEquals(1, status().sum(Number.GROUPS));
  }

  /** Members of more groups than the setting allows at a time are taken out one after the other. */
  @Test
  void noMoreGroupsThanTheSettingAllowsAreMadeAtATime() throws IOException {
    Node many = files.mkdir(1, "many");
    List<Node> thrown = new ArrayList<>();
    for (int i = 0; i < (CONCURRENT + 1) * 3; i++) {
      Node file = files.create(many.inodeId, "g" + i, CorePaper.RS, 3_000);
      if (i % 3 == 0) {
        thrown.add(file);
      }
    }
    keeper.protect(owned(many), "/many", false, OptionalInt.of(3), "alice");
    for (int i = 0; i < CONCURRENT + 1; i++) {
      steps();
      while (!requests.isEmpty()) {
        endFirst(null);
      }
    }
    steps();
    assertEquals(1 + CONCURRENT + 1, status().sum(Number.GROUPS));
    thrown.forEach(file -> file.parent = trash.inodeId);
    steps();
    assertEquals(CONCURRENT, requests.size());
    endFirst(null);
    steps();
    assertEquals(CONCURRENT, requests.size());
    while (!requests.isEmpty()) {
      endFirst(null);
    }
    steps();
    assertEquals(Map.of("taken_out", CONCURRENT + 1L), status().dissolved);
    assertEquals(5 + 2 * (CONCURRENT + 1), status().sum(Number.MEMBERS));
  }

  /** What was appended to it is in no column, and must not get into the parity of the others. */
  @Test
  void aMemberThatHasGrownIsNotTakenOut() {
    files.append(members.get(2), 500);
    members.get(2).mtime = nowMs;
    steps();
    assertEquals(1, status().sum(Number.GROUPS), "a file that has grown rests first");
    throwAway(2);
    assertEquals(List.of(), requests);
    assertDissolved("member_gone");
  }

  /** Those that stay may have grown: their blocks are not read. */
  @Test
  void growthOfAMemberThatStaysDoesNotMatter() throws IOException {
    files.append(members.get(0), 500);
    members.get(0).mtime = nowMs;
    throwAway(2);
    assertEquals(List.of(2, 2), end(null).files.stream().map(file -> file.groups.size())
        .collect(Collectors.toList()));
    steps();
    assertEquals(4, status().sum(Number.MEMBERS));
  }

  @Test
  void aLostUnitDissolvesTheGroup() {
    members.get(3).lostUnits = 1;
    throwAway(2);
    assertDissolved("member_gone");
    assertEquals(List.of(), requests);
  }

  @Test
  void aFailureDissolvesTheGroup() {
    throwAway(2);
    end(VersionOutcome.notPublished(VersionEnd.FAILED, "nodes are gone", VersionBytes.NONE));
    steps();
    assertDissolved("member_gone");
    assertEquals(List.of(), requests);
  }

  /** The trash was emptied, and the blocks are gone. */
  @Test
  void aMemberThatIsDeletedMeanwhileDissolvesItsGroup() {
    throwAway(2);
    files.delete(members.get(2));
    steps();
    assertDissolved("member_gone");
    assertEquals(1, cancelled.size());
    end(null);
    steps();
    assertEquals(0, status().sum(Number.GROUPS));
    assertTrue(files.parities.isEmpty());
  }

  @Test
  void aChangeOfAnotherMemberMeanwhileDissolvesTheGroup() {
    throwAway(2);
    GroupIdentity old = members.get(0).groups.get(0);
    members.get(0).groups.set(0, new GroupIdentity(old.groupId, old.generationStamp + 900,
        old.length));
    end(null);
    steps();
    assertEquals(0, status().sum(Number.GROUPS));
    assertEquals(Map.of("member_gone", 1L), status().dissolved);
  }

  /** Only the columns of the old parity file were ever planned for the repair of the file. */
  @Test
  void theOldParityFileStaysWhileAFileNeedsIt() {
    long before = files.parities.first();
    throwAway(2);
    members.get(0).lostUnits = 3;
    end(null);
    steps();
    assertEquals(Set.of(before), files.parities);
    assertEquals(5, status().sum(Number.MEMBERS));
    assertEquals(Map.of(), status().dissolved);
    members.get(0).lostUnits = 0;
    steps();
    assertDissolved("member_gone");
    assertEquals(List.of(), requests);
  }

  /** A repair that did not know of the new parity file has put a unit beside one of its units. */
  @Test
  void aParityUnitBesideAMembersDissolvesTheGroup() {
    throwAway(2);
    files.isTogether = true;
    end(null);
    steps();
    assertDissolved("member_gone");
    assertEquals(0, status().sum(Number.MEMBERS));
  }

  /** The member is restored before its row is out: nothing has happened. */
  @Test
  void aRestoredMemberStays() {
    throwAway(2);
    members.get(2).parent = data.inodeId;
    end(null);
    steps();
    assertEquals(5, status().sum(Number.MEMBERS));
    assertEquals(Map.of(), status().dissolved);
    // The next time, it is taken out.
    throwAway(2);
    end(null);
    steps();
    assertEquals(4, status().sum(Number.MEMBERS));
  }

  @Test
  void aFailureToPublishKeepsTheOldParityFileUntilTheGroupIsDissolved() {
    throwAway(2);
    files.failing.add("publish");
    end(null);
    steps();
    assertDissolved("member_gone");
  }

  /** A crash between the two steps leaves both parity files. The newer one counts. */
  @Test
  void afterACrashTheNewParityFileIsUsed() {
    long before = files.parities.first();
    throwAway(2);
    files.failing.add("delete");
    end(null);
    steps();
    assertEquals(2, files.parities.size());
    files.failing.clear();
    restart();
    assertEquals(4, status().sum(Number.MEMBERS));
    assertEquals(1, files.parities.size());
    assertTrue(files.parities.first() > before);
  }

  @Test
  void groupsWithAnotherNumberOfFilesAreDissolvedAlsoIfAMemberWasTakenOut() throws IOException {
    throwAway(2);
    end(null);
    steps();
    keeper.protect(owned(data), "/data", false, OptionalInt.of(4), "alice");
    steps();
    assertEquals(1L, status().dissolved.get("other_rules"));
  }

  @Test
  void aNameNodeThatIsNotActiveAnyMoreForgetsWhatItMakes() {
    throwAway(2);
    files.activeSince = OptionalLong.empty();
    keeper.step();
    requests.clear();
    futures.clear();
    files.activeSince = OptionalLong.of(8);
    steps();
    assertEquals(1, requests.size());
    end(null);
    steps();
    assertEquals(4, status().sum(Number.MEMBERS));
  }
}
