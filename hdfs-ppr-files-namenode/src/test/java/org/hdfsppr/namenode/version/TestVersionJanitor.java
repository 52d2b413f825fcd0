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
package org.hdfsppr.namenode.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.test.GenericTestUtils;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.namenode.version.VersionPlaces.AtPath;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Which versions the janitor touches, and when. */
class TestVersionJanitor {
  private static final long INODE = 17;
  private static final long PUBLISHED_MS = 1_000_000;

  private final ClientProtocol namenode = mock(ClientProtocol.class);
  private final VersionNamespace namespace = mock(VersionNamespace.class);
  private final Set<Long> taken = new HashSet<>();
  private long nowMs = PUBLISHED_MS;
  private VersionRecord record = TestVersionFate.making();
  private VersionJanitor janitor;

  @BeforeEach
  void start() throws IOException {
    janitor = new VersionJanitor(parts());
    when(namenode.getListing(eq(VersionHome.FLAT.root), any(), anyBoolean())).thenReturn(
        new DirectoryListing(new HdfsFileStatus[] {new HdfsFileStatus.Builder()
            .path(Long.toString(INODE).getBytes()).build()}, 0));
    when(namenode.getXAttrs(anyString(), anyList())).thenAnswer(call -> {
      assertTrue(taken.contains(INODE), "no worker can begin a version that is looked at");
      return List.of(new XAttr.Builder().setNameSpace(XAttr.NameSpace.TRUSTED)
          .setName(VersionNamespace.XATTR).setValue(record.toBytes()).build());
    });
    when(namenode.delete(anyString(), anyBoolean())).thenAnswer(call -> {
      assertTrue(taken.contains(INODE), "no worker can begin a version that is deleted");
      return true;
    });
  }

  private EngineParts parts() {
    return new EngineParts(
        new EngineParts.Files(namespace, VersionStores.of(() -> namenode)),
        new EngineParts.DataNodes(new FakeDoor(0), new OrderBook()),
        new EngineParts.Manager(mock(VersionGate.class), new MadeGroups()),
        null,
        new VersionSettings(4, 0, 1 << 20), VersionHook.NONE,
        new EngineParts.Clocks(() -> nowMs, () -> nowMs));
  }

  private void places(boolean oldKept, boolean newKept, boolean oldExists, boolean oldHeld,
      AtPath atPath) throws IOException {
    when(namespace.places(any())).thenReturn(
        new VersionPlaces(oldKept, newKept, oldExists, oldHeld, atPath));
  }

  private final class Turn implements VersionJanitor.Turn {
    @Override
    public boolean take(long inodeId) {
      return taken.add(inodeId);
    }

    @Override
    public void release(long inodeId) {
      taken.remove(inodeId);
    }

    @Override
    public boolean goesOn() {
      return true;
    }
  }

  private long look() throws IOException {
    return janitor.lookAtAll(new Turn());
  }

  @Test
  void aVersionThatIsClearedUpGetsNoWorkerMeanwhile() throws Exception {
    places(false, true, true, false, AtPath.OLD);
    look();
    verify(namenode).delete(VersionHome.FLAT.directory(INODE), true);
    assertEquals(Set.of(), taken);
  }

  @Test
  void aVersionWithAWorkerIsLeftAlone() throws Exception {
    // Without its worker, it would be deleted.
    places(false, true, true, false, AtPath.OLD);
    taken.add(INODE);
    look();
    verify(namenode, never()).delete(anyString(), anyBoolean());
    assertEquals(Set.of(INODE), taken, "the janitor gives back only what it has taken");
  }

  private void assertReadOnceAndKeptUntil(long ms) throws IOException {
    for (int looks = 0; looks < 3; looks++) {
      assertEquals(ms, look());
      assertEquals(1, janitor.kept());
    }
    verify(namenode, times(1)).getXAttrs(anyString(), anyList());
    verify(namenode, never()).delete(anyString(), anyBoolean());
  }

  @Test
  void anOldVersionIsReadOnceUntilItsGraceEnds() throws Exception {
    record = record.publishing(PUBLISHED_MS);
    places(true, false, true, false, AtPath.OTHER);
    assertReadOnceAndKeptUntil(record.graceEndMs());
    nowMs = record.graceEndMs();
    look();
    assertEquals(0, janitor.kept());
    verify(namenode).delete(VersionHome.FLAT.directory(INODE), true);
  }

  @Test
  void anOldVersionThatASnapshotHoldsIsLookedAtNowAndThen() throws Exception {
    record = record.publishing(PUBLISHED_MS);
    places(true, false, true, true, AtPath.OTHER);
    nowMs = record.graceEndMs();
    assertReadOnceAndKeptUntil(record.graceEndMs() + VersionJanitor.HELD_MS);
    nowMs += VersionJanitor.HELD_MS;
    places(true, false, true, false, AtPath.OTHER);
    look();
    assertEquals(0, janitor.kept());
    verify(namenode).delete(VersionHome.FLAT.directory(INODE), true);
  }

  /** A power cut may have lost units of the new version that the old one has. */
  @Test
  void anOldVersionStaysWhileTheNewOneLacksUnits() throws Exception {
    record = record.publishing(PUBLISHED_MS);
    places(true, false, true, false, AtPath.OTHER);
    nowMs = record.graceEndMs();
    when(namespace.lacking(any())).thenReturn(Optional.of("a group lacks units"));
    assertReadOnceAndKeptUntil(record.graceEndMs() + VersionJanitor.LACKING_MS);
    verify(namenode, never()).delete(anyString(), anyBoolean());
    nowMs += VersionJanitor.LACKING_MS;
    when(namespace.lacking(any())).thenReturn(Optional.empty());
    look();
    assertEquals(0, janitor.kept());
    verify(namenode).delete(VersionHome.FLAT.directory(INODE), true);
  }

  /** Readers of a commit's old version are no reason to keep it, but lost units are. */
  @Test
  void theVersionBeforeACommitStaysWhileTheNewOneLacksUnits() throws Exception {
    record = record.at(VersionHome.COMMITS).publishing(PUBLISHED_MS);
    places(true, false, true, false, AtPath.OTHER);
    nowMs = record.graceEndMs();
    taken.add(INODE);
    when(namespace.lacking(any())).thenReturn(Optional.of("a group lacks units"));
    assertEquals(nowMs + VersionJanitor.LACKING_MS,
        janitor.clear(VersionHome.COMMITS, INODE).orElseThrow());
    verify(namenode, never()).delete(anyString(), anyBoolean());
  }

  @Test
  void anOldVersionStaysIfTheNameNodeDoesNotSay() throws Exception {
    record = record.publishing(PUBLISHED_MS);
    places(true, false, true, false, AtPath.OTHER);
    nowMs = record.graceEndMs();
    when(namespace.lacking(any())).thenThrow(new IOException("as the test says"));
    look();
    verify(namenode, never()).delete(anyString(), anyBoolean());
  }

  /** The record says that it was being published. Its worker knows that nothing was renamed. */
  @Test
  void aVersionWhoseFileIsGoneStaysUnlessItsWorkerHasRenamedNothing() throws Exception {
    record = record.publishing(PUBLISHED_MS);
    places(false, true, false, false, AtPath.NOTHING);
    taken.add(INODE);
    assertFalse(janitor.settle(record, true));
    verify(namenode, never()).delete(anyString(), anyBoolean());
    assertFalse(janitor.settle(record, false));
    verify(namenode).delete(VersionHome.FLAT.directory(INODE), true);
  }

  @Test
  void anOldVersionInTheDirectoryStaysWhateverItsWorkerSays() throws Exception {
    record = record.publishing(PUBLISHED_MS);
    places(true, true, true, false, AtPath.OTHER);
    taken.add(INODE);
    janitor.settle(record, false);
    verify(namenode, never()).delete(anyString(), anyBoolean());
    // Published all the same, and its grace is over: the table of fates decides.
    places(true, false, true, false, AtPath.OTHER);
    nowMs = record.graceEndMs();
    when(namespace.lacking(any())).thenReturn(Optional.empty());
    assertTrue(janitor.settle(record, false));
    verify(namenode).delete(VersionHome.FLAT.directory(INODE), true);
  }

  /** Its grace may have ended while no NameNode was there to make the second rename. */
  @Test
  void aVersionThatWasFinishedAfterItsGraceIsClearedUpInTheNextLook() throws Exception {
    record = record.publishing(PUBLISHED_MS);
    places(true, true, true, false, AtPath.NOTHING);
    when(namespace.finish(any())).thenReturn(PublishAnswer.PUBLISHED);
    nowMs = record.graceEndMs() + 5;
    assertEquals(record.graceEndMs(), look());
    assertEquals(1, janitor.kept());
    places(true, false, true, false, AtPath.OTHER);
    look();
    assertEquals(0, janitor.kept());
    verify(namenode).delete(VersionHome.FLAT.directory(INODE), true);
  }

  private void attributes(XAttr... attributes) throws IOException {
    doReturn(List.of(attributes)).when(namenode).getXAttrs(anyString(), anyList());
  }

  private void entries(String... names) throws IOException {
    HdfsFileStatus[] entries = Arrays.stream(names).map(name ->
        new HdfsFileStatus.Builder().path(name.getBytes()).build()).toArray(HdfsFileStatus[]::new);
    doReturn(new DirectoryListing(entries, 0)).when(namenode).getListing(
        eq(VersionHome.FLAT.directory(INODE)), any(), anyBoolean());
  }

  /** A crash came between the two edits that begin a version. */
  @Test
  void anEmptyDirectoryWithoutARecordIsDeleted() throws Exception {
    attributes();
    entries();
    look();
    assertEquals(0, janitor.kept());
    verify(namenode).delete(VersionHome.FLAT.directory(INODE), true);
  }

  /** What is in it may be the only copy of a file of a user. */
  @Test
  void filesWithoutARecordAreKept() throws Exception {
    attributes();
    entries(VersionNamespace.OLD);
    look();
    verify(namenode, never()).delete(anyString(), anyBoolean());
  }

  @Test
  void filesWithADamagedRecordAreKept() throws Exception {
    byte[] text = record.toBytes();
    text[text.length - 3] ^= 1;
    attributes(new XAttr.Builder().setNameSpace(XAttr.NameSpace.TRUSTED)
        .setName(VersionNamespace.XATTR).setValue(text).build());
    look();
    verify(namenode, never()).delete(anyString(), anyBoolean());
  }

  @Test
  void anOldVersionWhosePathAnotherFileHasIsKept() throws Exception {
    record = record.publishing(PUBLISHED_MS);
    nowMs = record.graceEndMs() + 1;
    places(true, true, true, false, AtPath.OTHER);
    look();
    verify(namenode, never()).delete(anyString(), anyBoolean());
  }

  /** The listings of the directories of the tests, by their paths. */
  private void list(String directory, String... names) throws IOException {
    HdfsFileStatus[] entries = Arrays.stream(names).map(name ->
        new HdfsFileStatus.Builder().path(name.getBytes()).build()).toArray(HdfsFileStatus[]::new);
    doReturn(new DirectoryListing(entries, 0)).when(namenode).getListing(eq(directory), any(),
        anyBoolean());
  }

  private void isIn(VersionHome home) throws IOException {
    record = record.at(home);
    list(VersionHome.FLAT.root);
    list(home.root, "11", "12", "readme");
    list(home.root + "/11", "17", "18", "x");
  }

  @Test
  void versionsInShardsAreFoundAndThoseInWrongOnesAreKept() throws Exception {
    for (VersionHome home : new VersionHome[] {VersionHome.CONVERSIONS, VersionHome.COMMITS}) {
      isIn(home);
      places(false, true, true, false, AtPath.OLD);
      look();
      verify(namenode).delete(home.root + "/11/17", true);
    }
    verify(namenode, times(2)).delete(anyString(), anyBoolean());
  }

  /** The record of a directory that was moved by hand would have another one deleted. */
  @Test
  void aRecordThatNamesAnotherDirectoryIsADamagedOne() throws Exception {
    isIn(VersionHome.COMMITS);
    record = record.at(VersionHome.CONVERSIONS);
    places(false, true, true, false, AtPath.OLD);
    look();
    verify(namenode, never()).delete(anyString(), anyBoolean());
  }

  /** With millions of them, a look at all directories takes minutes. */
  @Test
  void graceEndsAreFoundWithoutALookAtAllDirectories() throws Exception {
    isIn(VersionHome.CONVERSIONS);
    record = record.publishing(PUBLISHED_MS);
    places(true, false, true, false, AtPath.OTHER);
    look();
    clearInvocations(namenode);
    assertEquals(record.graceEndMs(), janitor.lookAtDue(new Turn()));
    nowMs = record.graceEndMs();
    assertEquals(Long.MAX_VALUE, janitor.lookAtDue(new Turn()));
    verify(namenode).delete(record.directory(), true);
    verify(namenode, never()).getListing(anyString(), any(), anyBoolean());
    assertEquals(0, janitor.kept());
  }

  @Test
  void versionsThatAreTooManyToRememberAreFoundInTheNamespace() throws Exception {
    janitor = new VersionJanitor(parts(), new KeptVersions(0));
    isIn(VersionHome.CONVERSIONS);
    record = record.publishing(PUBLISHED_MS);
    places(true, false, true, false, AtPath.OTHER);
    assertEquals(record.graceEndMs(), look());
    assertEquals(1, janitor.kept());
    assertTrue(janitor.hasForgotten());
    nowMs = record.graceEndMs();
    assertEquals(Long.MAX_VALUE, look());
    verify(namenode).delete(record.directory(), true);
    assertEquals(0, janitor.kept());
    assertFalse(janitor.hasForgotten());
  }

  /** The old version is in no quota of its user, and would outlive what he has deleted. */
  @Test
  void theDeletionOfTheNewVersionEndsTheGrace() throws Exception {
    record = record.made(INODE + 5, -32).publishing(PUBLISHED_MS);
    VersionPlaces there = new VersionPlaces(true, false, true, false, AtPath.OTHER);
    when(namespace.places(any())).thenReturn(there);
    boolean[] exists = {true};
    when(namespace.exist(any())).thenAnswer(call -> exists.clone());
    when(namespace.isAtPath(anyLong())).thenReturn(true);
    look();
    look();
    verify(namenode, times(1)).getXAttrs(anyString(), anyList());
    // The path has a file that is not known: a later version, or one of a user.
    exists[0] = false;
    when(namespace.places(any())).thenReturn(there.withoutNew());
    look();
    verify(namenode, never()).delete(anyString(), anyBoolean());
    when(namespace.places(any())).thenReturn(
        new VersionPlaces(true, false, true, true, AtPath.NOTHING).withoutNew());
    look();
    verify(namenode, never()).delete(anyString(), anyBoolean());
    when(namespace.places(any())).thenReturn(
        new VersionPlaces(true, false, true, false, AtPath.NOTHING).withoutNew());
    look();
    verify(namenode).delete(record.directory(), true);
    assertEquals(0, janitor.kept());
  }

  /** The new versions that are nowhere any more. */
  private final Set<Long> gone = new HashSet<>();

  /** Has a version lie there that is published: the path has nothing, and the old one is kept. */
  private VersionRecord published(VersionHome home, long old, long made) throws IOException {
    VersionRecord of = TestVersionFate.making(old).at(home).made(made, 0).publishing(PUBLISHED_MS);
    doReturn(List.of(new XAttr.Builder().setNameSpace(XAttr.NameSpace.TRUSTED)
        .setName(VersionNamespace.XATTR).setValue(of.toBytes()).build()))
        .when(namenode).getXAttrs(eq(of.directory()), anyList());
    doAnswer(call -> {
      long[] ids = call.getArgument(0);
      boolean[] exist = new boolean[ids.length];
      for (int i = 0; i < ids.length; i++) {
        exist[i] = !gone.contains(ids[i]);
      }
      return exist;
    }).when(namespace).exist(any());
    doAnswer(call -> !gone.contains(call.<Long>getArgument(0))).when(namespace)
        .isAtPath(anyLong());
    doAnswer(call -> {
      VersionPlaces places = new VersionPlaces(true, false, true, false, AtPath.NOTHING);
      return gone.contains(((VersionRecord) call.getArgument(0)).newInodeId)
          ? places.withoutNew() : places;
    }).when(namespace).places(any());
    doReturn(true).when(namenode).delete(anyString(), anyBoolean());
    return of;
  }

  private void assertKept(VersionRecord of) {
    assertEquals(OptionalLong.of(of.graceEndMs()), janitor.clear(of.home, of.inodeId));
  }

  /**
   * The janitor deletes the new version itself when a later one has superseded it. The path has
   * nothing if its user has renamed the file.
   */
  @Test
  void aVersionThatALaterOneHasSupersededIsNotTakenForDeleted() throws Exception {
    VersionRecord first = published(VersionHome.FLAT, INODE, 21);
    VersionRecord second = published(VersionHome.COMMITS, 21, 22);
    assertTrue(janitor.clear(VersionHome.FLAT, INODE).isPresent());
    nowMs = second.graceEndMs();
    janitor.clear(VersionHome.COMMITS, 21);
    verify(namenode).delete(second.directory(), true);
    gone.add(21L);
    nowMs = first.graceEndMs() - 1;
    for (int looks = 0; looks < 2; looks++) {
      assertKept(first);
      look();
    }
    verify(namenode, never()).delete(first.directory(), true);
    gone.add(22L);
    look();
    janitor.lookAtDue(new Turn());
    verify(namenode).delete(first.directory(), true);
  }

  /** The version that the record names is gone, and has no units to compare. */
  @Test
  void theVersionThatHasSupersededTheNewOneIsAskedForItsUnits() throws Exception {
    VersionRecord first = published(VersionHome.FLAT, INODE, 21);
    VersionRecord second = published(VersionHome.COMMITS, 21, 22);
    assertTrue(janitor.clear(VersionHome.FLAT, INODE).isPresent());
    nowMs = second.graceEndMs();
    janitor.clear(VersionHome.COMMITS, 21);
    verify(namenode).delete(second.directory(), true);
    gone.add(21L);
    doAnswer(call -> ((VersionRecord) call.getArgument(0)).newInodeId == 22
        ? Optional.of("a group lacks units") : Optional.empty()).when(namespace).lacking(any());
    nowMs = first.graceEndMs();
    assertEquals(OptionalLong.of(nowMs + VersionJanitor.LACKING_MS),
        janitor.clear(VersionHome.FLAT, INODE));
    verify(namenode, never()).delete(first.directory(), true);
  }

  /** What superseded it may be at the path, if no janitor followed it. */
  @Test
  void theFileAtThePathIsAskedForItsUnitsIfTheNewVersionIsGone() throws Exception {
    VersionRecord first = published(VersionHome.FLAT, INODE, 21);
    gone.add(21L);
    doAnswer(call -> ((VersionRecord) call.getArgument(0)).newInodeId == 0
        ? Optional.of("a group lacks units") : Optional.empty()).when(namespace).lacking(any());
    nowMs = first.graceEndMs();
    assertEquals(OptionalLong.of(nowMs + VersionJanitor.LACKING_MS),
        janitor.clear(VersionHome.FLAT, INODE));
    verify(namenode, never()).delete(first.directory(), true);
  }

  /** The record does not say what became of it while no janitor followed it. */
  @Test
  void aVersionThatWasGoneBeforeItWasFollowedIsNotTakenForDeleted() throws Exception {
    VersionRecord first = published(VersionHome.FLAT, INODE, 21);
    gone.add(21L);
    nowMs = first.graceEndMs() - 1;
    for (int looks = 0; looks < 2; looks++) {
      assertKept(first);
      look();
    }
    verify(namenode, never()).delete(first.directory(), true);
    nowMs = first.graceEndMs();
    janitor.lookAtDue(new Turn());
    verify(namenode).delete(first.directory(), true);
  }

  /** The look that finds it gone began before it was superseded. */
  @Test
  void aVersionThatIsSupersededInTheMiddleOfALookIsNotTakenForDeleted() throws Exception {
    VersionRecord first = published(VersionHome.FLAT, INODE, 21);
    published(VersionHome.COMMITS, 21, 22);
    assertTrue(janitor.clear(VersionHome.FLAT, INODE).isPresent());
    nowMs = first.graceEndMs();
    doAnswer(call -> {
      published(VersionHome.COMMITS, 21, 22);
      janitor.clear(VersionHome.COMMITS, 21);
      gone.add(21L);
      nowMs = first.graceEndMs() - 1;
      return new VersionPlaces(true, false, true, false, AtPath.NOTHING).withoutNew();
    }).when(namespace).places(any());
    assertKept(first);
    verify(namenode, never()).delete(first.directory(), true);
  }

  /** A rename under a snapshot makes a file that Hadoop fails to delete. */
  @Test
  void theLogNamesTheSnapshotsThatForbidTheRename() throws Exception {
    record = record.publishing(PUBLISHED_MS);
    places(true, true, true, false, AtPath.OTHER);
    String old = VersionHome.FLAT.directory(INODE) + "/" + VersionNamespace.OLD;
    GenericTestUtils.LogCapturer log = GenericTestUtils.LogCapturer.captureLogs(
        LoggerFactory.getLogger(VersionJanitor.class));
    try {
      look();
      assertTrue(log.getOutput().contains("rename what is needed"), log.getOutput());
      log.clearOutput();
      when(namespace.snapshots(old)).thenReturn(List.of("/.snapshot/s1", "/.snapshot/s2"));
      janitor = new VersionJanitor(parts());
      look();
      assertFalse(log.getOutput().contains("rename what is needed"), log.getOutput());
      assertTrue(log.getOutput().contains("(/.snapshot/s1, /.snapshot/s2)"), log.getOutput());
      log.clearOutput();
      when(namespace.snapshots(old)).thenThrow(new IOException("as the test says"));
      janitor = new VersionJanitor(parts());
      look();
      assertTrue(log.getOutput().contains("rename and delete nothing of it"), log.getOutput());
    } finally {
      log.stopCapturing();
    }
  }
}
