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
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
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
import java.util.Set;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.namenode.version.VersionPlaces.AtPath;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
    janitor = new VersionJanitor(new EngineParts(namespace, new VersionStore(() -> namenode),
        new FakeDoor(0), mock(VersionGate.class), new OrderDesk("run"), new MadeGroups(),
        null, new VersionSettings(4, 0, 1 << 20, 0, 0), VersionHook.NONE, () -> nowMs,
        () -> nowMs));
    when(namenode.getListing(anyString(), any(), anyBoolean())).thenReturn(
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

  private void places(boolean oldKept, boolean newKept, boolean oldExists, boolean oldHeld,
      AtPath atPath) throws IOException {
    when(namespace.places(any())).thenReturn(
        new VersionPlaces(oldKept, newKept, oldExists, oldHeld, atPath));
  }

  private VersionJanitor.Look look() throws IOException {
    return janitor.lookAtAll(taken::add, taken::remove, () -> true);
  }

  @Test
  void aVersionThatIsClearedUpGetsNoWorkerMeanwhile() throws Exception {
    places(false, true, true, false, AtPath.OLD);
    look();
    verify(namenode).delete(VersionNamespace.directory(INODE), true);
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
      VersionJanitor.Look look = look();
      assertEquals(1, look.kept());
      assertEquals(ms, look.nextMs());
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
    assertEquals(0, look().kept());
    verify(namenode).delete(VersionNamespace.directory(INODE), true);
  }

  @Test
  void anOldVersionThatASnapshotHoldsIsLookedAtNowAndThen() throws Exception {
    record = record.publishing(PUBLISHED_MS);
    places(true, false, true, true, AtPath.OTHER);
    nowMs = record.graceEndMs();
    assertReadOnceAndKeptUntil(record.graceEndMs() + VersionJanitor.HELD_MS);
    nowMs += VersionJanitor.HELD_MS;
    places(true, false, true, false, AtPath.OTHER);
    assertEquals(0, look().kept());
    verify(namenode).delete(VersionNamespace.directory(INODE), true);
  }

  /** Its grace may have ended while no NameNode was there to make the second rename. */
  @Test
  void aVersionThatWasFinishedAfterItsGraceIsClearedUpInTheNextLook() throws Exception {
    record = record.publishing(PUBLISHED_MS);
    places(true, true, true, false, AtPath.NOTHING);
    when(namespace.finish(any())).thenReturn(true);
    nowMs = record.graceEndMs() + 5;
    VersionJanitor.Look look = look();
    assertEquals(1, look.kept());
    assertEquals(record.graceEndMs(), look.nextMs());
    places(true, false, true, false, AtPath.OTHER);
    assertEquals(0, look().kept());
    verify(namenode).delete(VersionNamespace.directory(INODE), true);
  }

  private void attributes(XAttr... attributes) throws IOException {
    doReturn(List.of(attributes)).when(namenode).getXAttrs(anyString(), anyList());
  }

  private void entries(String... names) throws IOException {
    HdfsFileStatus[] entries = Arrays.stream(names).map(name ->
        new HdfsFileStatus.Builder().path(name.getBytes()).build()).toArray(HdfsFileStatus[]::new);
    doReturn(new DirectoryListing(entries, 0)).when(namenode).getListing(
        eq(VersionNamespace.directory(INODE)), any(), anyBoolean());
  }

  /** A crash came between the two edits that begin a version. */
  @Test
  void anEmptyDirectoryWithoutARecordIsDeleted() throws Exception {
    attributes();
    entries();
    assertEquals(0, look().kept());
    verify(namenode).delete(VersionNamespace.directory(INODE), true);
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
}
