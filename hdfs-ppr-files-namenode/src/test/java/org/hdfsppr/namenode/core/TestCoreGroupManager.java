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
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.namenode.convert.ConvertGate;
import org.hdfsppr.namenode.core.CorePaper.Node;
import org.hdfsppr.namenode.core.Forming.FileTries;
import org.hdfsppr.namenode.core.look.OwnedFolder;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.version.EngineStatuses;
import org.hdfsppr.namenode.version.ParityOutcome;
import org.hdfsppr.namenode.version.ParityRequest;
import org.hdfsppr.namenode.version.TargetFile;
import org.hdfsppr.namenode.version.VersionBytes;
import org.hdfsppr.namenode.version.VersionEnd;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.namenode.version.VersionOutcome;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.CoreRefusedException;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.UnusedGroup;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the steps of CORE groups on a namespace and an engine on paper. */
class TestCoreGroupManager {
  private static final long SETTLE_MS = 600_000;
  private static final int STEPS = 60;

  private final CorePaper files = new CorePaper();
  private final CoreGroupIndex book = new CoreGroupIndex(files);
  private final ConvertGate gate = mock(ConvertGate.class);
  private final VersionEngine engine = mock(VersionEngine.class);
  /** Requests that the engine has not answered. */
  private final List<ParityRequest> requests = new ArrayList<>();
  private final List<CompletableFuture<ParityOutcome>> futures = new ArrayList<>();
  private final List<String> cancelled = new ArrayList<>();
  private boolean isAtOnce = true;
  private int names;
  private long term = 3;
  private long nowMs = 1_000_000_000;
  /** Runs in the middle of steps. */
  private Runnable onClock = () -> { };
  private CoreGroupManager keeper;
  private Node data;

  @BeforeEach
  void start() {
    when(gate.isActive()).thenReturn(true);
    when(gate.term()).thenAnswer(call -> term);
    when(gate.whyNot()).thenReturn(Optional.empty());
    when(gate.whyNoJobs()).thenReturn(Optional.empty());
    when(engine.isActive()).thenReturn(true);
    when(engine.status()).thenReturn(EngineStatuses.waiting(""));
    when(engine.submit(any(ParityRequest.class))).thenAnswer(call -> {
      CompletableFuture<ParityOutcome> future = new CompletableFuture<>();
      requests.add(call.getArgument(0));
      futures.add(future);
      if (isAtOnce) {
        end(0, null);
      }
      return Optional.of(future);
    });
    doAnswer(call -> cancelled.add(call.getArgument(0))).when(engine).cancel(anyString());
    keeper = newKeeper();
    data = files.mkdir(1, "data");
  }

  /** Returns a keeper as another NameNode has one, which knows nothing. */
  private CoreGroupManager newKeeper() {
    book.clear();
    Configuration conf = new Configuration(false);
    conf.setLong(PprKeys.NAMENODE_CORE_SETTLE_KEY, SETTLE_MS);
    conf.setInt(PprKeys.NAMENODE_CORE_CONCURRENT_KEY, 4);
    return new CoreGroupManager(CoreSettings.of(conf),
        new CoreDoors(gate, files, files, files::places, engine), book, CoreTally.NONE,
        this::now, this::now);
  }

  private long now() {
    onClock.run();
    return nowMs;
  }

  /** Ends a request: with a file if there is no other outcome. */
  private void end(int index, VersionOutcome outcome) {
    ParityRequest request = requests.remove(index);
    CompletableFuture<ParityOutcome> future = futures.remove(index);
    if (outcome != null) {
      future.complete(ParityOutcome.notMade(outcome));
      return;
    }
    TargetFile made = files.file(files.makeParity(request.files));
    future.complete(ParityOutcome.made(made.inodeId(), made.groups, VersionBytes.NONE));
  }

  private void steps() {
    for (int i = 0; i < STEPS; i++) {
      nowMs += 1_000;
      keeper.step();
    }
  }

  /** Files and groups have rested since they were changed. */
  private void rest() {
    nowMs += SETTLE_MS;
  }

  private List<Node> write(int count, long... groups) {
    List<Node> written = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      written.add(files.create(data.inodeId, "f" + ++names, CorePaper.CORE, groups));
    }
    return written;
  }

  private void protect(boolean isRecursive, Integer number) throws IOException {
    keeper.protect(owned(data), "/data", isRecursive, number == null ? OptionalInt.empty()
        : OptionalInt.of(number), "alice");
  }

  private CoreStatus status() {
    return keeper.status().orElseThrow();
  }

  private long groups() {
    return status().sum(Number.GROUPS);
  }

  private Optional<CoreRows> rows(Node file, int index) {
    return book.rowsOf(file.groups.get(index).groupId);
  }

  private List<Node> formed() throws IOException {
    steps();
    List<Node> members = write(3, 5_000, 2_000);
    protect(false, null);
    steps();
    assertEquals(1, groups());
    return members;
  }

  @Test
  void groupsAreFormedAndAnswered() throws IOException {
    steps();
    write(2, 5_000, 2_000);
    Node shorter = write(1, 4_900).get(0);
    files.create(data.inodeId, "other", CorePaper.OTHER, 5_000);
    files.create(data.inodeId, "empty", CorePaper.CORE);
    files.create(data.inodeId, "replicated", null, 5_000);
    files.create(data.inodeId, "open", CorePaper.CORE, 5_000).open = "is open for writing";
    files.create(data.inodeId, "lost", CorePaper.CORE, 5_000).lostUnits = 1;
    files.create(data.inodeId, "secret", CorePaper.CORE, 5_000).isEncrypted = true;
    files.create(data.inodeId, "own", CorePaper.CORE, 5_000).isUnreadable = true;
    files.create(data.inodeId, "new", CorePaper.CORE, 5_000).mtime = nowMs + STEPS * 1_000;
    files.create(files.mkdir(data.inodeId, "below").inodeId, "f", CorePaper.CORE, 5_000);
    protect(false, null);
    steps();
    assertEquals(1, groups());
    assertEquals(3, status().sum(Number.MEMBERS));
    assertEquals(5_000 * 2 + 2_000 * 2 + 4_900, status().sum(Number.MEMBER_BYTES));
    assertEquals(7_000, status().sum(Number.PARITY_BYTES));
    assertEquals(Map.of("other_policy", 2L, "empty", 1L, "open", 1L, "units_lost", 1L,
        "encrypted", 1L, "settling", 1L, "unreadable", 1L), status().waiting());
    CoreRows rows = rows(shorter, 0).orElseThrow();
    assertEquals(4, rows.rows.size());
    assertEquals(5_000, rows.rows.get(3).bytes);
    assertTrue(rows.rows.stream().noneMatch(row -> row.stale));
    long parity = files.parities.first();
    assertEquals(parity, rows.coreGroup);
    CoreRows second = rows(files.nodes.get(parity), 1).orElseThrow();
    assertEquals(1, second.rows.stream().filter(row -> row == null).count());
    assertEquals(2_000, second.rows.get(3).bytes);
  }

  @Test
  void plainReedSolomonNeedsTheNumberOfFiles() throws IOException {
    steps();
    for (int i = 0; i < 4; i++) {
      files.create(files.mkdir(data.inodeId, "d" + i).inodeId, "a", CorePaper.RS, 9_000);
      files.create(data.inodeId, "f" + i, CorePaper.RS, 9_000 + i);
    }
    protect(true, 4);
    steps();
    assertEquals(1, groups());
    assertEquals(4, status().waiting().get("no_like_files"));
    // With another number, the group does not fit any more.
    protect(true, 2);
    steps();
    assertEquals(2, groups());
    assertEquals(Map.of("other_rules", 1L), status().dissolved);
    assertEquals(2, status().directories.get(0).files);
    // Without a number, the directory keeps its own.
    protect(true, null);
    assertEquals(2, status().directories.get(0).files);
  }

  @Test
  void filesOfOtherBlockSizesAreInOtherGroups() throws IOException {
    steps();
    write(2, 5_000);
    write(2, 5_000).forEach(file -> file.blockBytes = 2 * CorePaper.BLOCK);
    protect(false, null);
    steps();
    assertEquals(0, groups());
    assertEquals(Map.of("no_like_files", 4L), status().waiting());
  }

  /** A repair that did not know of the group has put a unit beside one of the parity file's. */
  @Test
  void aGroupWithAParityUnitBesideAMembersIsMadeAnew() throws IOException {
    steps();
    List<Node> members = write(3, 5_000, 2_000);
    files.isTogether = true;
    protect(false, null);
    steps();
    assertEquals(0, groups());
    assertTrue(files.parities.isEmpty());
    assertTrue(rows(members.get(0), 0).isEmpty());
    assertTrue(status().directories.get(0).failure.contains("same column"),
        status().directories.get(0).failure);
    files.isTogether = false;
    rest();
    steps();
    assertEquals(1, groups());
    assertTrue(rows(members.get(0), 0).isPresent());
  }

  /** Stock's balancer may move two blocks of a column together, and apart again. */
  @Test
  void columnsWithTwoBlocksOnANodeAreCounted() throws IOException {
    formed();
    assertEquals(0, status().sum(Number.COLUMNS_TOGETHER));
    files.isTogether = true;
    nowMs += 100_000;
    steps();
    assertEquals(2, status().sum(Number.COLUMNS_TOGETHER), "one at each index");
    files.isTogether = false;
    nowMs += 100_000;
    steps();
    assertEquals(0, status().sum(Number.COLUMNS_TOGETHER));
  }

  @Test
  void anotherNameNodeFindsTheGroups() throws IOException {
    List<Node> members = formed();
    when(gate.isActive()).thenReturn(false);
    files.activeSince = OptionalLong.empty();
    steps();
    assertTrue(keeper.status().isEmpty());
    assertTrue(rows(members.get(0), 0).isEmpty());
    assertThrows(RetriableException.class, () -> protect(false, null));
    when(gate.isActive()).thenReturn(true);
    files.activeSince = OptionalLong.of(8);
    term++;
    keeper = newKeeper();
    steps();
    assertEquals(1, groups());
    assertEquals("alice", status().directories.get(0).user);
    assertTrue(rows(members.get(2), 1).isPresent());
    assertEquals(Map.of(), status().dissolved);
  }

  private void enterSafeMode() {
    files.isInSafeMode = true;
    when(gate.isActive()).thenReturn(false);
    when(engine.isActive()).thenReturn(false);
    files.changes.clear();
  }

  /** The repair manager notices the end of safe mode later than the NameNode. */
  private void leaveSafeMode(List<Node> members) {
    assertEquals(List.of(), files.changes);
    files.isInSafeMode = false;
    for (int i = 0; i < 3; i++) {
      keeper.step();
      assertFalse(rows(members.get(0), 0).isEmpty());
    }
    assertEquals(List.of(), files.changes);
    when(gate.isActive()).thenReturn(true);
    when(engine.isActive()).thenReturn(true);
  }

  /** A member was deleted just before, and what follows from that waits. */
  @Test
  void groupsAreKeptAndLeftAloneInSafeMode() throws IOException {
    List<Node> members = formed();
    Node other = files.mkdir(1, "other");
    keeper.protect(owned(other), "/other", false, OptionalInt.empty(), "bob");
    enterSafeMode();
    // The manager may notice safe mode later than the NameNode, too.
    when(gate.isActive()).thenReturn(true);
    files.delete(members.get(1));
    files.delete(other);
    write(3, 5_000, 2_000);
    rest();
    steps();
    when(gate.isActive()).thenReturn(false);
    steps();
    assertEquals(1, groups());
    assertEquals("the NameNode is in safe mode", status().why);
    assertEquals(1, rows(members.get(0), 1).orElseThrow().rows.stream()
        .filter(row -> row.stale).count());
    assertThrows(IOException.class, () -> protect(false, null));
    leaveSafeMode(members);
    steps();
    assertEquals(Map.of("member_gone", 1L), status().dissolved);
    assertEquals(1, groups());
    assertEquals(1, status().directories.size());
    assertFalse(files.protectedIds.contains(other.inodeId));
  }

  @Test
  void aNameNodeInSafeModeReadsItsGroups() throws IOException {
    List<Node> members = formed();
    List<Node> others = formOther();
    Node parity = files.nodes.get(rows(members.get(0), 0).orElseThrow().coreGroup);
    Node copy = files.create(0, "copy", CorePaper.CORE, 5_000, 2_000);
    copy.record = parity.record;
    files.parities.add(copy.inodeId);
    files.delete(others.get(0));
    Node gone = files.mkdir(1, "gone");
    files.protectedIds.add(gone.inodeId);
    enterSafeMode();
    restart();
    assertEquals(2, groups());
    assertEquals(1, rows(others.get(1), 0).orElseThrow().rows.stream()
        .filter(row -> row.stale).count());
    assertNotUsed(copy.inodeId, "not as it was recorded", "left safe mode");
    assertEquals(1, status().directories.size());
    leaveSafeMode(members);
    steps();
    assertEquals(Map.of("bad_record", 1L, "member_gone", 1L), status().dissolved);
    assertEquals(0, status().unusedGroups);
    assertEquals(1, groups());
    assertFalse(files.protectedIds.contains(gone.inodeId));
    assertTrue(rows(members.get(2), 1).isPresent());
  }

  /** A parity file that was changed, and a group that has another one's files. */
  @Test
  void whatIsWrongIsPutInOrderAfterSafeMode() throws IOException {
    List<Node> members = formed();
    Node older = files.nodes.get(files.parities.first());
    files.parities.remove(older.inodeId);
    restart();
    assertEquals(1, groups());
    List<Node> others = formOther();
    files.parities.add(older.inodeId);
    Node spoilt = files.nodes.get(rows(others.get(0), 0).orElseThrow().coreGroup);
    spoilt.policy = CorePaper.OTHER;
    enterSafeMode();
    restart();
    assertEquals(1, groups());
    assertEquals(2, status().unusedGroups);
    leaveSafeMode(members);
    rest();
    steps();
    assertEquals(Map.of("replaced", 1L, "parity_changed", 1L), status().dissolved);
    assertEquals(0, status().unusedGroups);
    assertEquals(2, groups());
  }

  /** Another NameNode has dissolved the group while this one was not active. */
  @Test
  void aNameNodeInSafeModeKeepsNoRecordOfAnEarlierTime() throws IOException {
    List<Node> members = formed();
    enterSafeMode();
    steps();
    assertTrue(rows(members.get(0), 0).isPresent());
    files.parities.clear();
    files.activeSince = OptionalLong.of(9);
    steps();
    assertEquals(0, groups());
    assertTrue(rows(members.get(0), 0).isEmpty());
    files.activeSince = OptionalLong.empty();
    steps();
    assertTrue(keeper.status().isEmpty());
    assertEquals(List.of(), files.changes);
  }

  /** What was being made goes on, if the engine has not stopped it. */
  @Test
  void aParityFileThatWasMadeInSafeModeIsUsedAfterIt() throws IOException {
    steps();
    List<Node> members = write(3, 5_000);
    isAtOnce = false;
    protect(false, null);
    steps();
    enterSafeMode();
    end(0, null);
    steps();
    assertEquals(0, groups());
    assertEquals(List.of(), files.changes);
    files.isInSafeMode = false;
    when(gate.isActive()).thenReturn(true);
    when(engine.isActive()).thenReturn(true);
    steps();
    assertEquals(1, groups());
    assertTrue(rows(members.get(0), 0).isPresent());
    assertEquals(1, status().formed);
  }

  @Test
  void aDeletedMemberIsStaleAtOnceAndDissolvesItsGroup() throws IOException {
    List<Node> members = formed();
    files.delete(members.get(1));
    CoreRows rows = rows(members.get(0), 0).orElseThrow();
    assertEquals(1, rows.rows.stream().filter(row -> row.stale).count());
    assertTrue(rows(members.get(1), 0).isEmpty());
    steps();
    assertEquals(0, groups());
    assertTrue(rows(members.get(0), 0).isEmpty());
    assertTrue(files.parities.isEmpty());
    assertEquals(Map.of("member_gone", 1L), status().dissolved);
    // The others are in a group again as soon as there is a third one.
    write(1, 5_000, 2_000);
    rest();
    steps();
    assertEquals(1, groups());
  }

  @Test
  void aRewrittenBlockGroupIsStaleAndTheOthersAreNot() throws IOException {
    List<Node> members = formed();
    GroupIdentity old = members.get(0).groups.get(0);
    members.get(0).groups.set(0, new GroupIdentity(old.groupId, old.generationStamp + 100,
        old.length));
    assertTrue(book.rowsOf(old.groupId).isEmpty());
    assertEquals(1, rows(members.get(1), 0).orElseThrow().rows.stream()
        .filter(row -> row.stale).count());
    assertEquals(0, rows(members.get(1), 1).orElseThrow().rows.stream()
        .filter(row -> row.stale).count());
    steps();
    assertEquals(1L, status().dissolved.get("member_rewritten"));
    // It is formed anew, of what is there now.
    assertEquals(1, groups());
    assertTrue(rows(members.get(0), 0).isPresent());
  }

  @Test
  void anAppendedMemberStaysUntilItRests() throws IOException {
    List<Node> members = formed();
    long parity = files.parities.first();
    files.append(members.get(0), 300);
    members.get(0).mtime = nowMs;
    steps();
    assertEquals(parity, files.parities.first());
    assertTrue(rows(members.get(0), 0).isPresent());
    assertTrue(rows(members.get(0), 2).isEmpty());
    rest();
    steps();
    assertEquals(Map.of("member_grew", 1L), status().dissolved);
    assertTrue(files.parities.first() != parity);
    assertTrue(rows(members.get(0), 2).isPresent());
  }

  @Test
  void aRenamedMemberStaysInTheTreeAndLeavesOutsideOfIt() throws IOException {
    List<Node> members = formed();
    protect(true, null);
    Node below = files.mkdir(data.inodeId, "below");
    members.get(0).parent = below.inodeId;
    steps();
    assertEquals(1, groups());
    assertEquals(Map.of(), status().dissolved);
    members.get(0).parent = 1;
    steps();
    assertEquals(0, groups());
    assertEquals(Map.of("member_gone", 1L), status().dissolved);
  }

  @Test
  void aRenamedDirectoryStaysProtected() throws IOException {
    formed();
    data.name = "renamed";
    steps();
    assertEquals(1, groups());
    assertEquals("/renamed", status().directories.get(0).path);
  }

  @Test
  void aDeletedDirectoryIsForgotten() throws IOException {
    List<Node> members = formed();
    members.forEach(files::delete);
    files.delete(data);
    steps();
    assertEquals(List.of(), status().directories);
    assertTrue(files.protectedIds.isEmpty());
    assertTrue(files.parities.isEmpty());
  }

  @Test
  void aDirectoryInTheTrashIsNotProtected() throws IOException {
    formed();
    Node trash = files.mkdir(1, ".Trash");
    data.parent = trash.inodeId;
    steps();
    assertTrue(files.parities.isEmpty());
  }

  @Test
  void unprotectedDirectoriesKeepNothing() throws IOException {
    List<Node> members = formed();
    assertEquals(1, keeper.unprotect(data.inodeId, "/data").get(Number.GROUPS));
    steps();
    assertTrue(files.parities.isEmpty());
    assertTrue(files.protectedIds.isEmpty());
    assertEquals(Map.of("unprotected", 1L), status().dissolved);
    assertTrue(rows(members.get(0), 0).isEmpty());
    assertEquals(List.of("core-" + data.inodeId), cancelled);
    assertThrows(CoreRefusedException.class, () -> keeper.unprotect(data.inodeId, "/data"));
  }

  @Test
  void aGroupWhoseFilesChangeWhileItIsMadeIsNotPublished() throws IOException {
    isAtOnce = false;
    steps();
    List<Node> members = write(3, 5_000);
    protect(false, null);
    steps();
    assertEquals(1, status().sum(Number.FORMING));
    assertEquals(1, requests.size());
    files.delete(members.get(0));
    end(0, null);
    steps();
    assertEquals(0, groups());
    assertTrue(files.parities.isEmpty());
  }

  @Test
  void aFailedGroupIsTriedAgainLater() throws IOException {
    isAtOnce = false;
    steps();
    write(3, 5_000);
    protect(false, null);
    steps();
    end(0, VersionOutcome.notPublished(VersionEnd.FAILED, "nodes are busy", VersionBytes.NONE));
    nowMs += 1_000;
    keeper.step();
    assertEquals(1, status().failed + requests.size());
    steps();
    assertEquals("nodes are busy", status().directories.get(0).failure);
    nowMs += FileTries.PAUSE_MS_MAX;
    steps();
    assertEquals(1, requests.size());
    end(0, null);
    steps();
    assertEquals(1, groups());
    assertEquals("", status().directories.get(0).failure);
  }

  /** A NameNode ends before the record is written, and another one after it. */
  @Test
  void whatACrashLeavesIsAGroupOrNothing() throws IOException {
    steps();
    write(3, 5_000);
    for (String step : List.of("publish", "published")) {
      files.failing.addAll(List.of(step, "delete"));
      protect(false, null);
      nowMs += FileTries.PAUSE_MS_MAX;
      steps();
      files.failing.clear();
      assertFalse(files.parities.isEmpty());
      long left = files.parities.first();
      assertEquals(step.equals("published"), files.nodes.get(left).record != null);
      restart();
      assertEquals(1, groups());
      assertEquals(1, files.parities.size());
      assertEquals(step.equals("published"), files.parities.contains(left));
      keeper.unprotect(data.inodeId, "/data");
      steps();
      assertEquals(0, files.parities.size());
    }
  }

  /** The making ends after another term has begun, and its file may be whole. */
  @Test
  void noTermLeavesTheFilesOfAnEarlierOne() throws IOException {
    isAtOnce = false;
    steps();
    write(3, 5_000);
    protect(false, null);
    steps();
    assertEquals(1, requests.size());
    when(engine.isActive()).thenReturn(false);
    term++;
    steps();
    end(0, null);
    long left = files.parities.first();
    steps();
    assertEquals(0, groups());
    when(engine.isActive()).thenReturn(true);
    nowMs += 60_000;
    steps();
    assertFalse(files.parities.contains(left));
  }

  @Test
  void anUnfinishedParityFileIsNoGroupAndIsDeletedAfterSafeMode() throws IOException {
    List<Node> members = formed();
    Node left = files.create(0, "left", CorePaper.CORE, 5_000, 2_000);
    files.parities.add(left.inodeId);
    files.works.put("left by an older version", 17L);
    files.works.put("renamed while a snapshot had it", 18L);
    files.held.add(18L);
    enterSafeMode();
    term++;
    files.activeSince = OptionalLong.of(9);
    keeper = newKeeper();
    steps();
    assertEquals(0, status().unusedGroups);
    assertEquals(1, groups());
    assertTrue(files.parities.contains(left.inodeId));
    leaveSafeMode(members);
    steps();
    assertFalse(files.parities.contains(left.inodeId));
    assertEquals(Map.of("renamed while a snapshot had it", 18L), files.works);
    assertEquals(1, groups());
    assertEquals(Map.of(), status().dissolved);
  }

  /** Hadoop cannot delete what was renamed under a snapshot, until the snapshot is deleted. */
  @Test
  void aParityFileThatASnapshotHoldsIsKeptUntilItsSnapshotGoes() throws IOException {
    formed();
    assertEquals(Optional.of(Set.of()), keeper.dissolved());
    long parity = files.parities.first();
    files.held.add(parity);
    keeper.unprotect(data.inodeId, "/data");
    steps();
    nowMs += 60_000;
    steps();
    assertEquals(0, groups());
    assertTrue(files.parities.contains(parity));
    assertFalse(files.changes.contains("delete"));
    assertEquals(1, status().keptParities);
    assertEquals(Optional.of(Set.of(parity)), keeper.dissolved());
    // Another NameNode finds it, too.
    restart();
    assertEquals(0, groups());
    assertEquals(1, status().keptParities);
    assertEquals(Optional.of(Set.of(parity)), keeper.dissolved());
    files.held.clear();
    nowMs += 60_000;
    steps();
    assertTrue(files.parities.isEmpty());
    assertEquals(0, status().keptParities);
    assertEquals(Optional.of(Set.of()), keeper.dissolved());
    files.activeSince = OptionalLong.empty();
    keeper.step();
    assertEquals(Optional.empty(), keeper.dissolved());
  }

  @Test
  void aDeletionThatFailsUnexpectedlyIsCountedAndNotTriedAgain() throws IOException {
    formed();
    files.isBroken = true;
    files.changes.clear();
    keeper.unprotect(data.inodeId, "/data");
    steps();
    nowMs += 60_000;
    steps();
    assertEquals(1, files.changes.stream().filter("delete"::equals).count());
    assertEquals(0, groups());
    assertEquals(1, status().keptParities);
  }

  /** Repairs do not wait for millions of groups, so that those of lost rows come first. */
  @Test
  void groupsWithLostUnitsAreReadFirst() throws IOException {
    List<Node> first = formed();
    List<Node> others = formOther();
    others.get(2).lostUnits = 1;
    term++;
    List<Boolean> seen = new ArrayList<>();
    files.onMembers = () -> seen.add(rows(others.get(0), 0).isPresent());
    keeper = newKeeper();
    keeper.step();
    files.onMembers = () -> { };
    assertEquals(List.of(false, true), seen, "the other group was read first");
    assertTrue(rows(first.get(0), 0).isPresent());
    assertTrue(rows(others.get(0), 0).isPresent());
    // Without losses, they come in the order of their names.
    others.get(2).lostUnits = 0;
    seen.clear();
    term++;
    files.onMembers = () -> seen.add(rows(first.get(0), 0).isPresent());
    keeper = newKeeper();
    keeper.step();
    assertEquals(List.of(false, true), seen, "the first group was read first");
  }

  /** Superusers can read parity files, and must not read its bytes out of one. */
  @Test
  void aGroupWithAMemberThatSuperusersMayNotReadIsDissolved() throws IOException {
    List<Node> members = formed();
    members.get(1).isUnreadable = true;
    steps();
    assertEquals(0, groups());
    assertTrue(files.parities.isEmpty());
    assertEquals(Map.of("member_unreadable", 1L), status().dissolved);
    assertEquals(1L, status().waiting().get("unreadable"));
  }

  /** Other terms would dissolve groups with files of other users. */
  @Test
  void onlyTheOwnerChangesHowADirectoryIsProtected() throws IOException {
    formed();
    OwnedFolder others = new OwnedFolder(data.inodeId, false);
    for (boolean isRecursive : new boolean[] {true, false}) {
      assertThrows(AccessControlException.class, () -> keeper.protect(others, "/data",
          isRecursive, isRecursive ? OptionalInt.empty() : OptionalInt.of(7), "bob"));
    }
    assertEquals("bob",
        keeper.protect(others, "/data", false, OptionalInt.empty(), "bob").user);
    assertEquals(1, groups());
  }

  /** A superuser takes the record of a group away, since deleting the file by hand is not safe. */
  @Test
  void aGroupWithoutItsRecordIsDissolved() throws IOException {
    List<Node> members = formed();
    Node parity = files.nodes.get(files.parities.first());
    parity.record = null;
    members.get(0).lostUnits = 3;
    steps();
    assertEquals(1, groups(), "a file needs it");
    members.get(0).lostUnits = 0;
    steps();
    assertFalse(files.parities.contains(parity.inodeId));
    assertEquals(Map.of("parity_changed", 1L), status().dissolved);
  }

  /** Users ask at any moment, also while a NameNode reads its groups. */
  @Test
  void noStatusLeavesOutADirectoryWhileGroupsAreRead() throws IOException {
    formed();
    onClock = () -> keeper.status().ifPresent(status ->
        assertEquals(1, status.directories.size()));
    restart();
    assertEquals(1, groups());
  }

  @Test
  void aParityFileThatCannotBeDeletedIsNotUsedAndGoesLater() throws IOException {
    List<Node> members = formed();
    files.failing.add("delete");
    keeper.unprotect(data.inodeId, "/data");
    steps();
    assertEquals(1, files.parities.size());
    assertTrue(rows(members.get(0), 0).isEmpty());
    files.failing.clear();
    nowMs += 60_000;
    steps();
    assertTrue(files.parities.isEmpty());
  }

  /** Restarts the NameNode, and lets it read everything. */
  private void restart() {
    term++;
    keeper = newKeeper();
    steps();
  }

  /** Makes another group, so that there are two; returns its members. */
  private List<Node> formOther() {
    List<Node> others = write(3, 900_000);
    rest();
    steps();
    assertEquals(2, groups());
    return others;
  }

  private void assertNotUsed(long parity, String why, String remedy) {
    assertEquals(1, status().unusedGroups);
    UnusedGroup group = status().unused.get(0);
    assertEquals(parity, group.groupId);
    assertTrue(group.why.contains(why), group.why);
    assertTrue(group.remedy.contains(remedy), group.remedy);
    assertTrue(files.parities.contains(parity));
    assertEquals(Map.of(), status().dissolved);
  }

  /** Forgets the groups that were formed behind one, apart from that of a file. */
  private void forgetGroupsBehind(long parity, Node file) {
    long kept = rows(file, 0).orElseThrow().coreGroup;
    for (long id : new ArrayList<>(files.parities.tailSet(parity + 1))) {
      if (id != kept) {
        files.parities.remove(id);
        files.nodes.remove(id);
      }
    }
  }

  @Test
  void aGroupThatCannotBeReadIsKeptAndTheOthersWork() throws IOException {
    List<Node> members = formed();
    Node parity = files.nodes.get(files.parities.first());
    List<Node> others = formOther();
    byte[] record = parity.record;
    Object[][] cases = {
        {CorePaper.nonsense(), "it has 8 bytes", "-setfattr -x trusted." + CoreFolder.XATTR + " "
            + CoreFolder.parity(parity.inodeId)},
        {CorePaper.newer(record), "its format is 3", "upgrade"}};
    for (Object[] each : cases) {
      parity.record = (byte[]) each[0];
      forgetGroupsBehind(parity.inodeId, others.get(0));
      isAtOnce = false;
      restart();
      assertNotUsed(parity.inodeId, (String) each[1], (String) each[2]);
      assertTrue(rows(members.get(0), 0).isEmpty());
      assertTrue(rows(others.get(0), 0).isPresent());
      // Its files join a new group.
      end(0, null);
      steps();
      assertEquals(2, groups());
      assertTrue(rows(members.get(0), 0).orElseThrow().coreGroup > parity.inodeId);
      assertNotUsed(parity.inodeId, (String) each[1], (String) each[2]);
    }
    // An operator does what the status says.
    parity.record = null;
    nowMs += 60_000;
    steps();
    assertFalse(files.parities.contains(parity.inodeId));
    assertEquals(0, status().unusedGroups);
    assertEquals(List.of(), status().unused);
    assertEquals(2, groups());
  }

  @Test
  void aFileThatTheNameNodeCannotReadHoldsUpNoOtherGroup() throws IOException {
    List<Node> members = formed();
    long parity = files.parities.first();
    List<Node> others = formOther();
    isAtOnce = false;
    for (boolean isFault : new boolean[] {false, true}) {
      if (isFault) {
        files.broken.add(parity);
      } else {
        files.failing.add("record " + parity);
      }
      restart();
      assertNotUsed(parity, "as the test says", "tried again");
      assertTrue(rows(members.get(0), 0).isEmpty());
      assertTrue(rows(others.get(0), 0).isPresent());
      assertEquals(1, groups());
      // It comes back by itself.
      files.failing.clear();
      files.broken.clear();
      steps();
      assertEquals(0, status().unusedGroups);
      assertEquals(2, groups());
      assertTrue(rows(members.get(0), 0).isPresent());
      requests.clear();
      futures.clear();
    }
  }

  /** A short fault of the NameNode concerns all groups, and no group must be set aside for it. */
  @Test
  void aNameNodeThatDoesNotAnswerSetsNoGroupAside() throws IOException {
    List<Node> members = formed();
    term++;
    keeper = newKeeper();
    files.failing.add("record");
    for (int i = 1; i < GroupLoader.FAILURES_MAX; i++) {
      keeper.step();
    }
    files.failing.clear();
    keeper.step();
    assertTrue(rows(members.get(0), 0).isPresent());
    assertEquals(0, status().unusedGroups);
  }

  @Test
  void theStatusNamesSomeOfManyGroupsThatAreNotUsed() throws IOException {
    formed();
    int many = 3 * UnusedGroups.NAMED_MAX;
    List<Node> spoiled = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      Node node = files.create(0, "spoiled" + i, CorePaper.CORE, 5_000);
      node.record = CorePaper.nonsense();
      files.parities.add(node.inodeId);
      spoiled.add(node);
    }
    restart();
    assertEquals(many, status().unusedGroups);
    assertEquals(UnusedGroups.NAMED_MAX, status().unused.size());
    assertEquals(1, groups());
    // All of them are looked at again, some in each round.
    spoiled.forEach(node -> {
      files.parities.remove(node.inodeId);
      files.delete(node);
    });
    steps();
    assertEquals(0, status().unusedGroups);
    assertEquals(List.of(), status().unused);
  }

  @Test
  void aCopyOfAParityFileIsDeleted() throws IOException {
    formed();
    Node parity = files.nodes.get(files.parities.first());
    Node copy = files.create(0, "copy", CorePaper.CORE, 5_000, 2_000);
    copy.record = parity.record;
    files.parities.add(copy.inodeId);
    restart();
    assertFalse(files.parities.contains(copy.inodeId));
    assertTrue(files.parities.contains(parity.inodeId));
    assertEquals(Map.of("bad_record", 1L), status().dissolved);
    assertEquals(0, status().unusedGroups);
  }

  /** A file is in two groups, and has lost more units than its own code can rebuild. */
  @Test
  void aGroupThatAFileNeedsIsNotReplacedByANewerOne() throws IOException {
    List<Node> members = formed();
    Node older = files.nodes.get(files.parities.first());
    files.parities.remove(older.inodeId);
    restart();
    long newer = files.parities.first();
    assertTrue(newer > older.inodeId);
    files.parities.add(older.inodeId);
    members.get(1).lostUnits = 3;
    restart();
    assertTrue(files.parities.containsAll(List.of(older.inodeId, newer)));
    assertEquals(1, groups());
    assertNotUsed(newer, "one of both groups is needed", "wait for the repairs");
    members.get(1).lostUnits = 0;
    steps();
    assertEquals(Map.of("replaced", 1L), status().dissolved);
    assertEquals(List.of(newer), new ArrayList<>(files.parities));
    assertEquals(0, status().unusedGroups);
    assertTrue(rows(members.get(1), 0).isPresent());
  }

  @Test
  void anUnreadableProtectionConcernsItsDirectoryOnly() throws IOException {
    List<Node> members = formed();
    Node other = files.mkdir(1, "other");
    keeper.protect(owned(other), "/other", false, OptionalInt.empty(), "bob");
    data.attribute = CorePaper.nonsense();
    write(3, 800_000);
    for (int i = 0; i < 3; i++) {
      files.create(other.inodeId, "o" + i, CorePaper.CORE, 5_000);
    }
    restart();
    assertEquals(2, groups());
    assertEquals(Map.of(), status().dissolved);
    assertTrue(rows(members.get(0), 0).isPresent());
    CoreDirectory spoiled = status().directories.stream()
        .filter(one -> one.path.equals("/data")).findFirst().orElseThrow();
    assertTrue(spoiled.failure.contains("cannot be read"), spoiled.failure);
    assertEquals(1, spoiled.get(Number.GROUPS));
    // Whether a column can be used goes by the record of the group.
    files.delete(members.get(0));
    steps();
    assertEquals(Map.of("member_gone", 1L), status().dissolved);
    String refused = assertThrows(CoreRefusedException.class,
        () -> protect(false, null)).getMessage();
    assertTrue(refused.contains("not known how many files its groups have"), refused);
    protect(false, 5);
    steps();
    assertEquals(2, groups());
    assertEquals("", status().directories.get(0).failure);
  }

  /** Another NameNode may have been active between this one's last look and a call. */
  @Test
  void aProtectionThatHasChangedSinceTheLastLookIsNotWrittenOver() throws IOException {
    steps();
    protect(false, 4);
    byte[] ofAnother = new ProtectedDirectory(data.inodeId, "/data", 8, false, "bob").toBytes();
    data.attribute = ofAnother;
    for (Executable call : new Executable[] {() -> protect(false, null),
        () -> keeper.unprotect(data.inodeId, "/data")}) {
      String said = assertThrows(RetriableException.class, call).getMessage();
      assertTrue(said.contains("has changed just now"), said);
    }
    assertArrayEquals(ofAnother, data.attribute);
  }

  @Test
  void largeGroupsAreFoundByTheirDigests() throws IOException {
    steps();
    long[] groups = new long[300];
    Arrays.fill(groups, 3_000);
    List<Node> members = write(3, groups);
    protect(false, null);
    steps();
    assertEquals(1, groups());
    term++;
    keeper = newKeeper();
    steps();
    assertEquals(1, groups());
    assertTrue(rows(members.get(1), 299).isPresent());
    // Rewritten while no NameNode looks.
    when(gate.isActive()).thenReturn(false);
    steps();
    GroupIdentity old = members.get(0).groups.get(7);
    members.get(0).groups.set(7, new GroupIdentity(old.groupId, old.generationStamp + 100_000,
        old.length));
    when(gate.isActive()).thenReturn(true);
    term++;
    keeper = newKeeper();
    nowMs += 1_000;
    keeper.step();
    assertTrue(rows(members.get(1), 7).orElseThrow().rows.get(0).stale);
    assertTrue(rows(members.get(0), 8).isEmpty());
    steps();
    assertEquals(1L, status().dissolved.get("member_rewritten"));
  }

  /** The shortest file is deleted, so that only the columns behind its end can be used. */
  @Test
  void aLargeGroupThatAFileNeedsIsKeptByAnotherNameNode() throws IOException {
    steps();
    long[] groups = new long[300];
    Arrays.fill(groups, 3_000);
    List<Node> members = write(2, groups);
    members.addAll(write(1, Arrays.copyOf(groups, 200)));
    protect(false, null);
    steps();
    assertEquals(1, groups());
    long parity = files.parities.first();
    members.get(1).lostUnits = 3;
    files.delete(members.get(2));
    restart();
    assertTrue(files.parities.contains(parity));
    assertEquals(Map.of(), status().dissolved);
    CoreRows behind = rows(members.get(1), 250).orElseThrow();
    assertTrue(behind.rows.stream().noneMatch(row -> row != null && row.stale));
    CoreRows before = rows(members.get(1), 100).orElseThrow();
    assertEquals(1, before.rows.stream().filter(row -> row.stale).count());
    before.rows.forEach(row -> assertEquals(3_000, row.bytes));
    members.get(1).lostUnits = 2;
    steps();
    assertTrue(files.parities.isEmpty());
    assertEquals(Map.of("member_gone", 1L), status().dissolved);
  }

  /** All columns have a block of the file that was deleted, so that none can help. */
  @Test
  void aLargeGroupThatCannotHelpIsDissolvedByAnotherNameNode() throws IOException {
    steps();
    long[] groups = new long[300];
    Arrays.fill(groups, 3_000);
    List<Node> members = write(3, groups);
    protect(false, null);
    steps();
    members.get(1).lostUnits = 3;
    files.delete(members.get(2));
    restart();
    assertTrue(files.parities.isEmpty());
    assertEquals(Map.of("member_gone", 1L), status().dissolved);
  }

  /** The parity file is the only way to the bytes of a file that has lost too many units. */
  @Test
  void aGroupThatAFileNeedsIsKept() throws IOException {
    List<Node> members = formed();
    members.get(1).lostUnits = 3;
    keeper.unprotect(data.inodeId, "/data");
    steps();
    assertEquals(1, files.parities.size());
    assertTrue(rows(members.get(1), 0).isPresent());
    // Also at a NameNode that reads it.
    term++;
    keeper = newKeeper();
    steps();
    assertEquals(1, files.parities.size());
    assertTrue(rows(members.get(1), 1).isPresent());
    members.get(1).lostUnits = 2;
    steps();
    assertTrue(files.parities.isEmpty());
    assertEquals(Map.of("unprotected", 1L), status().dissolved);
  }

  @Test
  void aGroupThatCannotHelpIsDissolvedAlthoughUnitsAreLost() throws IOException {
    List<Node> members = formed();
    members.get(1).lostUnits = 3;
    files.delete(members.get(0));
    steps();
    assertTrue(files.parities.isEmpty());
  }

  /** The blocks of files that only a snapshot has are in the block map, and repairs read them. */
  @ParameterizedTest
  @CsvSource({"0, 2", "1, 2", "0, 300", "1, 300"})
  void aGroupWhoseBlocksASnapshotHasIsKeptForALostFile(int deleted, int count)
      throws IOException {
    steps();
    long[] groups = new long[count];
    Arrays.fill(groups, 3_000);
    List<Node> members = write(3, groups);
    protect(false, null);
    steps();
    members.get(1).lostUnits = 3;
    files.deleteUnderSnapshot(members.get(deleted));
    steps();
    assertEquals(Map.of(), status().dissolved);
    assertTrue(rows(members.get(1), 1).orElseThrow().rows.stream()
        .noneMatch(row -> row.stale));
    restart();
    assertEquals(Map.of(), status().dissolved);
    assertTrue(rows(members.get(1), 1).orElseThrow().rows.stream()
        .noneMatch(row -> row.stale));
    members.get(1).lostUnits = 2;
    steps();
    assertTrue(files.parities.isEmpty());
    assertEquals(Map.of("member_gone", 1L), status().dissolved);
  }

  /** The deleted file has one cell, so that only its first and its parity units are missed. */
  @Test
  void aShortFileThatIsDeletedLeavesTheOtherColumns() throws IOException {
    steps();
    List<Node> members = new ArrayList<>(write(2, 9_000, 3_000));
    members.addAll(write(1, 9_000, 1_000));
    protect(false, null);
    steps();
    assertEquals(1, groups());
    members.get(1).lostUnits = 3;
    files.delete(members.get(2));
    steps();
    assertEquals(1, files.parities.size());
    assertEquals(1, rows(members.get(1), 1).orElseThrow().rows.stream()
        .filter(row -> row.stale).count());
  }

  @Test
  void whatWasPlannedUnderOtherRulesIsNotMade() throws IOException {
    isAtOnce = false;
    steps();
    for (int i = 0; i < 24; i++) {
      files.create(data.inodeId, "f" + i, CorePaper.RS, 9_000);
    }
    protect(false, 2);
    steps();
    assertEquals(4, requests.size());
    assertEquals(8, status().sum(Number.QUEUED));
    protect(false, 4);
    for (int i = 0; i < 4; i++) {
      assertEquals(2, requests.get(0).files.size());
      end(0, null);
    }
    steps();
    assertEquals(4, requests.size());
    requests.forEach(request -> assertEquals(4, request.files.size()));
  }

  @Test
  void aDirectoryInWhichEverythingFailsRests() throws IOException {
    int[] tries = {0};
    when(engine.submit(any(ParityRequest.class))).thenAnswer(call -> {
      tries[0]++;
      return Optional.of(CompletableFuture.completedFuture(ParityOutcome.notMade(
          VersionOutcome.notPublished(VersionEnd.FAILED, "no nodes", VersionBytes.NONE))));
    });
    steps();
    for (int i = 0; i < 600; i++) {
      files.create(data.inodeId, "f" + i, CorePaper.RS, 9_000);
    }
    protect(false, 2);
    steps();
    steps();
    assertTrue(tries[0] >= Forming.FAILURES_MAX, tries[0] + " tries");
    assertTrue(tries[0] <= Forming.FAILURES_MAX + 20, tries[0] + " tries");
    assertEquals("no nodes", status().directories.get(0).failure);
  }

  /** Files that come and go must not keep a walk from its last files. */
  @Test
  void aWalkComesToItsEndAlthoughGroupsAreDissolved() throws IOException {
    steps();
    List<Node> members = write(90, 5_000);
    protect(false, null);
    steps();
    assertEquals(30, groups());
    for (int i = 0; i < 600; i++) {
      files.create(data.inodeId, "other" + i, CorePaper.OTHER, 5_000);
    }
    List<Node> last = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      last.add(files.create(data.inodeId, "z" + i, CorePaper.CORE, 900_000));
    }
    for (int i = 0; i < 30; i++) {
      files.delete(members.get(3 * i));
      for (int step = 0; step < 12; step++) {
        nowMs += 1_000;
        keeper.step();
      }
    }
    assertTrue(rows(last.get(0), 0).isPresent());
  }

  @Test
  void aDirectoryWithoutItsSubdirectoriesLeavesThemToTheOneAbove() throws IOException {
    steps();
    Node inner = files.mkdir(data.inodeId, "inner");
    Node below = files.mkdir(inner.inodeId, "below");
    List<Node> innerFiles = new ArrayList<>();
    List<Node> belowFiles = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      innerFiles.add(files.create(inner.inodeId, "f" + i, CorePaper.RS, 9_000));
      belowFiles.add(files.create(below.inodeId, "f" + i, CorePaper.RS, 9_000));
    }
    keeper.protect(owned(inner), "/data/inner", false, OptionalInt.of(2), "bob");
    protect(true, 4);
    steps();
    assertEquals(3, groups());
    assertEquals(3, rows(innerFiles.get(0), 0).orElseThrow().rows.size());
    assertEquals(5, rows(belowFiles.get(0), 0).orElseThrow().rows.size());
    assertEquals(Map.of(), status().dissolved);
  }

  @Test
  void aNameThatIsWrittenOtherwiseIsNoSecondGroup() throws IOException {
    List<Node> members = formed();
    files.misspelt = "0" + files.parities.first();
    term++;
    keeper = newKeeper();
    steps();
    assertEquals(1, files.parities.size());
    assertTrue(rows(members.get(0), 0).isPresent());
    assertEquals(Map.of(), status().dissolved);
  }
}
