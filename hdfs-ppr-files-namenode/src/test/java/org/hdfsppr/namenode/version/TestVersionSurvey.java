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
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.namenode.version.VersionPlaces.AtPath;
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.Leftovers.State;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators read about an old version that is kept. */
class TestVersionSurvey {
  private static final long INODE = 17;
  private static final long PUBLISHED_MS = 1_000_000;
  private static final long LEAST_MS = PowerCutDurability.UNSAID_MS;

  private final ClientProtocol namenode = mock(ClientProtocol.class);
  private final VersionNamespace namespace = mock(VersionNamespace.class);
  private long nowMs = PUBLISHED_MS;
  private VersionRecord record;

  @BeforeEach
  void start() throws IOException {
    when(namenode.getListing(anyString(), any(), anyBoolean()))
        .thenReturn(new DirectoryListing(new HdfsFileStatus[0], 0));
    when(namenode.getListing(eq(VersionHome.FLAT.root), any(), anyBoolean())).thenReturn(
        new DirectoryListing(new HdfsFileStatus[] {new HdfsFileStatus.Builder()
            .path(Long.toString(INODE).getBytes()).build()}, 0));
    when(namenode.getXAttrs(anyString(), anyList())).thenAnswer(call ->
        List.of(new XAttr.Builder().setNameSpace(XAttr.NameSpace.TRUSTED)
            .setName(VersionNamespace.XATTR).setValue(record.toBytes()).build()));
    when(namespace.places(any())).thenReturn(
        new VersionPlaces(true, false, true, false, AtPath.OTHER));
  }

  private static VersionRecord published(long graceMs, long leastMs) {
    FileFacts facts = FileFacts.of("/ec/f", FileFacts.Kind.FILE, INODE)
        .with(f -> f.groups = List.of(new FileGroup(new GroupId("pool", -16, 1_001), 5,
        0))).build();
    return VersionRecord.begin(VersionRequest.of("j1", "/ec/f", INODE).user("alice")
        .policy("P").graceMs(graceMs).build(),
        new TargetFile(facts, 12, "f", FsPermission.getFileDefault(), 1 << 20, null), 3)
        .keptAtLeast(leastMs).publishing(PUBLISHED_MS);
  }

  private Leftovers.Item look() throws IOException {
    EngineParts parts = new EngineParts(
        new EngineParts.Files(namespace, VersionStores.of(() -> namenode)),
        new EngineParts.DataNodes(new FakeDoor(0), new OrderBook()),
        new EngineParts.Manager(mock(VersionGate.class), new MadeGroups()),
        null,
        new VersionSettings(4, 0, 1 << 20), VersionHook.NONE,
        new EngineParts.Clocks(() -> nowMs, () -> nowMs));
    Leftovers.Builder left = new Leftovers.Builder();
    new VersionSurvey(parts, new VersionJanitor(parts), new VersionJanitor.Turn() {
      @Override
      public boolean take(long inodeId) {
        return true;
      }

      @Override
      public void release(long inodeId) {
        // Nothing else takes versions here.
      }

      @Override
      public boolean goesOn() {
        return true;
      }
    }, left, false, () -> true).run();
    List<Leftovers.Item> named = left.build().named;
    assertEquals(1, named.size());
    assertEquals(State.GRACE, named.get(0).state);
    return named.get(0);
  }

  /** No stream is promised anything beyond the grace that was asked for. */
  @Test
  void aGraceThatWasLengthenedForAPowerCutIsForNoStream() throws Exception {
    record = published(0, LEAST_MS);
    assertTrue(look().why.contains("a power cut"), look().why);
    assertFalse(look().why.contains("streams"), look().why);
    assertEquals(PUBLISHED_MS + LEAST_MS, look().untilMs);
    record = published(LEAST_MS - 1, LEAST_MS);
    assertTrue(look().why.contains("streams"), look().why);
    nowMs = PUBLISHED_MS + LEAST_MS - 1;
    assertTrue(look().why.contains("a power cut"), look().why);
    record = published(LEAST_MS, 0);
    assertTrue(look().why.contains("streams"), look().why);
  }

  /** The grace is over, and no time says when the units are there. */
  @Test
  void whatWaitsForUnitsHasNoEnd() throws Exception {
    record = published(0, 0);
    when(namespace.lacking(any())).thenReturn(Optional.of("a group lacks units"));
    assertEquals("a group lacks units", look().why);
    assertEquals(0, look().untilMs);
  }
}
