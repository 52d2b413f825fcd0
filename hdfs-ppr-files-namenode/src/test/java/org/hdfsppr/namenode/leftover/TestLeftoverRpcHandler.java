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
package org.hdfsppr.namenode.leftover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.FileNotFoundException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.namenode.convert.RpcCaller;
import org.hdfsppr.namenode.core.KeptFiles;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.Leftovers.Kind;
import org.hdfsppr.operate.Leftovers.State;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which callers may look at what is left, and what is counted. */
class TestLeftoverRpcHandler {
  private final VersionEngine engine = mock(VersionEngine.class);
  private final RpcCaller users = mock(RpcCaller.class);
  private final ClientProtocol namenode = mock(ClientProtocol.class);
  private long nowMs;
  private long stepMs;
  private final KeptFiles core = mock(KeptFiles.class);
  private final LeftoverRpcHandler desk =
      new LeftoverRpcHandler(engine, core, users, () -> namenode, () -> {
        nowMs += stepMs;
        return nowMs;
      });

  @BeforeEach
  void begin() throws Exception {
    when(users.isSuperuser()).thenReturn(true);
    when(users.name()).thenReturn("alice");
    when(core.dissolved()).thenReturn(Optional.of(Set.of()));
    when(core.holders(anyLong())).thenReturn(Optional.empty());
    when(namenode.getListing(anyString(), any(), anyBoolean()))
        .thenThrow(new FileNotFoundException("as the test says"));
  }

  /** Lists names; one that is a number is an inode id, too. */
  private void list(String directory, String... names) throws Exception {
    HdfsFileStatus[] entries = Arrays.stream(names).map(name ->
        new HdfsFileStatus.Builder().path(name.getBytes()).fileId(name.matches("[0-9]+")
            ? Long.parseLong(name) : 0).build()).toArray(HdfsFileStatus[]::new);
    doReturn(new DirectoryListing(entries, 0)).when(namenode)
        .getListing(eq(directory), any(), anyBoolean());
  }

  @Test
  void onlySuperusersOfTheActiveNameNodeSeeAnything() throws Exception {
    when(users.isSuperuser()).thenReturn(false);
    assertThrows(AccessControlException.class, () -> desk.leftovers(true));
    verify(users).audit(false, "pprClear go", "");
    doThrow(new StandbyException("as the test says")).when(users).checkActive();
    assertThrows(StandbyException.class, () -> desk.leftovers(false));
    verify(engine, never()).survey(any(), anyBoolean(), anyLong());
  }

  @Test
  void parityFilesAndRecordsOfUpdatesAreCounted() throws Exception {
    assertEquals(0, desk.leftovers(false).count());
    list("/.hdfs-ppr/core/groups", "00", "01");
    list("/.hdfs-ppr/core/groups/00", "256", "512");
    list("/.hdfs-ppr/core/groups/01", "257");
    list("/.hdfs-ppr/core/work", "x", "y");
    list("/.hdfs-ppr/updates", "u1", "u2");
    Leftovers left = desk.leftovers(true);
    verify(users).audit(true, "pprClear go", "");
    verify(engine).survey(any(), eq(true), anyLong());
    assertEquals(3, left.count(Kind.CORE_PARITY, State.USED));
    assertEquals(2, left.count(Kind.CORE_WORK, State.FREE));
    assertEquals(2, left.count(Kind.UPDATE_RECORD, State.USED));
    assertEquals("", left.unfinished);
  }

  @Test
  void parityFilesThatSnapshotsHoldAreNamedWithTheSnapshots() throws Exception {
    list("/.hdfs-ppr/core/groups", "00", "01");
    list("/.hdfs-ppr/core/groups/00", "256", "512", "768");
    list("/.hdfs-ppr/core/groups/01", "257");
    list("/.hdfs-ppr/core/work", "17", "18");
    when(core.dissolved()).thenReturn(Optional.of(Set.of(512L, 768L)));
    // A snapshot also holds the parity file 257, which is in use until its group is dissolved.
    when(core.holders(257)).thenReturn(Optional.of(List.of("/.snapshot/s1")));
    when(core.holders(512)).thenReturn(Optional.of(List.of("/.snapshot/s1", "/.snapshot/s2")));
    when(core.holders(18)).thenReturn(Optional.of(List.of("/.snapshot/s3")));
    Leftovers left = desk.leftovers(false);
    assertEquals(2, left.count(Kind.CORE_PARITY, State.USED));
    assertEquals(List.of("/.hdfs-ppr/core/groups/00/512 [/.snapshot/s1, /.snapshot/s2]"),
        named(left, Kind.CORE_PARITY, State.HELD));
    assertEquals(List.of("/.hdfs-ppr/core/groups/00/768 []"),
        named(left, Kind.CORE_PARITY, State.FREE));
    assertEquals(List.of("/.hdfs-ppr/core/work/18 [/.snapshot/s3]"),
        named(left, Kind.CORE_WORK, State.HELD));
    assertEquals(List.of("/.hdfs-ppr/core/work/17 []"),
        named(left, Kind.CORE_WORK, State.FREE));
    assertEquals(6, left.count());
  }

  private static List<String> named(Leftovers left, Kind kind, State state) {
    List<String> named = left.named.stream()
        .filter(item -> item.kind == kind && item.state == state)
        .map(item -> item.path + " " + item.snapshots).collect(Collectors.toList());
    assertEquals(named.size(), left.count(kind, state));
    return named;
  }

  @Test
  void parityFilesCountAsUsedUntilTheGroupsAreRead() throws Exception {
    list("/.hdfs-ppr/core/groups", "00");
    list("/.hdfs-ppr/core/groups/00", "256");
    list("/.hdfs-ppr/core/work", "17");
    when(core.dissolved()).thenReturn(Optional.empty());
    Leftovers left = desk.leftovers(false);
    assertEquals(1, left.count(Kind.CORE_PARITY, State.USED));
    assertEquals(1, left.count(Kind.CORE_WORK, State.USED), "a snapshot may hold it");
    assertTrue(left.unfinished.contains("has not read its CORE groups"), left.unfinished);
  }

  @Test
  void aLookThatTakesTooLongSaysSo() throws Exception {
    list("/.hdfs-ppr/updates", "u1", "u2");
    stepMs = 3_000;
    assertFalse(desk.leftovers(false).unfinished.isEmpty());
    stepMs = 0;
    assertTrue(desk.leftovers(false).unfinished.isEmpty());
  }
}
