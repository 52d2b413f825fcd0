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
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what follows when DataNodes have seen readers of an old version. */
class TestOldReaders {
  /** The grace of {@link TestVersionFate#making}, ms. */
  private static final long GRACE_MS = 5_000;
  private static final long PUBLISHED_MS = 10_000_000;
  private static final GroupId GROUP = new GroupId("pool", -3_200, 1_001);
  private static final List<FileGroup> GROUPS = List.of(new FileGroup(GROUP, 5, 0));
  private static final int NODES = 3;

  private final FakeDoor door = new FakeDoor(NODES);
  private final ClientProtocol namenode = mock(ClientProtocol.class);
  private long nowMs = PUBLISHED_MS - 500;
  private OldReadReports book;
  private OldReaders readers;
  private VersionRecord record;

  @BeforeEach
  void start() throws IOException {
    begin(0);
    record = TestVersionFate.making().publishing(PUBLISHED_MS);
    DatanodeInfo[] nodes = new DatanodeInfo[NODES];
    byte[] indices = new byte[NODES];
    for (int i = 0; i < NODES; i++) {
      NodeRef node = door.node(i);
      nodes[i] = new DatanodeInfoBuilder().setNodeID(new DatanodeID(node.ipAddr,
          node.hostName, node.uuid, node.xferPort, 1, 1, 1))
          .setNetworkLocation(node.rack).build();
      indices[i] = (byte) i;
    }
    LocatedBlocks blocks = mock(LocatedBlocks.class);
    when(blocks.getLocatedBlocks()).thenReturn(Collections.singletonList(new LocatedStripedBlock(
        new ExtendedBlock("pool", GROUP.groupId, 5, 1001), nodes, null, null, indices, 0,
        false, DatanodeInfo.EMPTY_ARRAY)));
    HdfsLocatedFileStatus status = mock(HdfsLocatedFileStatus.class);
    when(status.getLocatedBlocks()).thenReturn(blocks);
    when(namenode.getLocatedFileInfo(anyString(), anyBoolean())).thenReturn(status);
  }

  /** Begins with a book that waits for nodes. */
  private void begin(long waitMs) {
    book = new OldReadReports(() -> nowMs, waitMs);
    readers = new OldReaders(parts());
  }

  private EngineParts parts() {
    return new EngineParts(
        new EngineParts.Files(mock(VersionNamespace.class), VersionStores.of(() -> namenode)),
        new EngineParts.DataNodes(door, new OrderBook(), "run", book),
        new EngineParts.Manager(mock(VersionGate.class), new MadeGroups()),
        null,
        new VersionSettings(4, 0, 1 << 20), VersionHook.NONE,
        new EngineParts.Clocks(() -> nowMs, () -> nowMs));
  }

  private static OldReads report(boolean fromStart, boolean hasMore, OldReads.Read... reads) {
    return new OldReads(true, 60_000, fromStart, hasMore, List.of(reads));
  }

  private static OldReads.Read unit(int unit, long agoMs) {
    return new OldReads.Read(GROUP.groupId + unit, agoMs);
  }

  private void read(long agoMs) {
    book.hear(door.node(1), report(false, false, unit(2, agoMs)));
  }

  private OptionalLong keptUntil() throws IOException {
    return readers.keepUntil(record, nowMs);
  }

  @Test
  void aReadSinceTheMakingBeganRefuses() {
    long beganMs = readers.nowMs();
    assertTrue(readers.refusal("/f", GROUPS, beganMs).isEmpty());
    nowMs += 3_000;
    read(3_500);
    assertTrue(readers.refusal("/f", GROUPS, beganMs).isEmpty(), "it was read before");
    read(2_000);
    VersionRefusal refusal = readers.refusal("/f", GROUPS, beganMs).orElseThrow();
    assertEquals(RefusalReason.IN_USE, refusal.reason);
    assertTrue(refusal.sentence.contains("/f is being read: DataNode "
        + door.node(1).hostName + " has sent bytes of it to a client 2 s ago"),
        refusal.sentence);
    assertTrue(readers.refusal("/g", List.of(new FileGroup(new GroupId("pool", -4_800, 1), 5, 0)),
        beganMs).isEmpty());
  }

  /** Each read begins the grace anew, seven graces at the most. */
  @Test
  void theGraceIsProlongedSevenTimes() throws Exception {
    nowMs = record.graceEndMs();
    assertEquals(OptionalLong.empty(), keptUntil());
    read(GRACE_MS + 1);
    assertEquals(OptionalLong.empty(), keptUntil(), "nothing has read for a grace");
    nowMs = PUBLISHED_MS + 4_000;
    read(0);
    nowMs = record.graceEndMs();
    assertEquals(OptionalLong.of(PUBLISHED_MS + 4_000 + GRACE_MS), keptUntil());
    assertEquals(1, readers.kept());
    assertEquals(0, readers.asking());
    while (nowMs < PUBLISHED_MS + 8 * GRACE_MS) {
      read(0);
      long untilMs = keptUntil().orElseThrow();
      assertEquals(Math.min(nowMs + GRACE_MS, PUBLISHED_MS + 8 * GRACE_MS), untilMs);
      nowMs += GRACE_MS / 2;
    }
    read(0);
    assertEquals(OptionalLong.of(nowMs + VersionJanitor.HELD_MS), keptUntil());
    assertEquals(1, readers.asking());
    nowMs += VersionJanitor.HELD_MS;
    assertEquals(OptionalLong.empty(), keptUntil(), "its readers were closed");
    assertEquals(0, readers.kept());
  }

  private static VersionRecord withoutAGrace() {
    return VersionRecord.begin(VersionRequest.of("j1", "/f", 17).user("alice").policy("P")
        .graceMs(0).build(), new TargetFile(FileFacts.of("/f", FileFacts.Kind.FILE, 17)
            .with(f -> f.groups = GROUPS).build(), 12, "f",
            FsPermission.getFileDefault(), 1 << 20, null), 3);
  }

  @Test
  void withoutAGraceNothingIsKept() throws Exception {
    record = withoutAGrace().publishing(PUBLISHED_MS);
    nowMs = PUBLISHED_MS;
    read(0);
    assertEquals(OptionalLong.empty(), keptUntil());
  }

  /** Not all DataNodes say that the new version is on their disks, which is for no reader. */
  @Test
  void aGraceThatIsLongerThanWasAskedForIsForNoReader() throws Exception {
    record = withoutAGrace().keptAtLeast(PowerCutDurability.UNSAID_MS).publishing(PUBLISHED_MS);
    nowMs = record.graceEndMs();
    assertEquals(PUBLISHED_MS + PowerCutDurability.UNSAID_MS, nowMs);
    read(0);
    assertEquals(OptionalLong.empty(), keptUntil());

    record = TestVersionFate.making().keptAtLeast(PowerCutDurability.UNSAID_MS)
        .publishing(PUBLISHED_MS);
    nowMs = record.graceEndMs() + GRACE_MS;
    assertEquals(OptionalLong.empty(), keptUntil(), "the last read was a grace ago");
    read(0);
    assertEquals(OptionalLong.of(nowMs + GRACE_MS), keptUntil());
    nowMs = record.graceEndMs() + OldReaders.GRACES_MAX * GRACE_MS;
    read(0);
    assertEquals(OptionalLong.of(nowMs + OldReaders.KEPT_MS), keptUntil());
    assertEquals(1, readers.asking());
  }

  /** A node's first report may have been on its way, so that two of them are waited for. */
  @Test
  void reportsAreWaitedForThatComeAsRarelyAsTheyMay() throws Exception {
    book.hear(door.node(0), report(true, false));
    assertTrue(book.seesAll(door.node(0).uuid));
    long beginMs = nowMs;
    int reports = 0;
    EngineParts parts = parts();
    OldUnits units = OldUnits.locate(parts.store, door, 17);
    OldReaders.AwaitedReports awaited = new OldReaders(parts).nextReports(units, GROUPS);
    while (!awaited.areThere()) {
      nowMs += 100;
      if (nowMs - beginMs >= (reports + 1) * HeartbeatRequest.INTERVAL_MS_MAX) {
        reports++;
        book.hear(door.node(0), report(false, false));
      }
    }
    assertEquals(2, reports);

    // A node that says nothing any more is not waited for for long.
    long silentMs = nowMs;
    OldReaders.AwaitedReports silent = new OldReaders(parts).nextReports(units, GROUPS);
    while (!silent.areThere()) {
      nowMs += 100;
    }
    assertTrue(nowMs - silentMs < 3 * HeartbeatRequest.INTERVAL_MS_MAX);
  }

  /** A NameNode that has just started does not know yet what DataNodes have seen. */
  @Test
  void aNameNodeThatStartsHearsAllNodesFirst() throws Exception {
    nowMs = record.graceEndMs();
    begin(OldReadReports.BEGIN_MS);
    assertEquals(OptionalLong.of(nowMs + OldReaders.UNHEARD_MS), keptUntil());
    assertTrue(book.hear(door.node(0), report(false, false)), "it is to list all reads");
    assertFalse(book.hear(door.node(0), report(true, false)));
    assertFalse(book.hear(door.node(1), report(true, true)), "it goes on");
    assertFalse(book.hear(door.node(2), OldReads.UNSAID));
    assertEquals(OptionalLong.of(nowMs + OldReaders.UNHEARD_MS), keptUntil());
    book.hear(door.node(1), report(false, false, unit(0, 100)));
    assertEquals(OptionalLong.of(nowMs + OldReaders.UNHEARD_MS), keptUntil(),
        "a node may say more with its next heartbeat");
    nowMs += 200;
    book.hear(door.node(2), report(true, false));
    assertEquals(OptionalLong.of(nowMs - 300 + GRACE_MS), keptUntil());
  }

  @Test
  void aNodeThatSaysNothingIsNotWaitedForForEver() throws Exception {
    nowMs = record.graceEndMs();
    begin(OldReadReports.BEGIN_MS);
    nowMs += OldReadReports.BEGIN_MS;
    assertEquals(OptionalLong.empty(), keptUntil());
  }

  /** Has a node list groups, in as many reports as it takes. */
  private void list(int node, long first, int count) {
    for (long from = first; from < first + count; from += OldReads.BLOCKS_MAX) {
      book.hear(door.node(node), new OldReads(true, 0, false, false, LongStream
          .range(from, Math.min(from + OldReads.BLOCKS_MAX, first + count))
          .mapToObj(id -> new OldReads.Read(id * 16, 0)).collect(Collectors.toList())));
    }
  }

  private boolean isSeen(long id) {
    return book.seen(List.of(new FileGroup(new GroupId("pool", id * 16, 1), 5, 0)), 0).isPresent();
  }

  @Test
  void theBookHasABound() {
    list(1, 1, OldReadReports.LISTED_MAX);
    assertTrue(isSeen(1));
    read(0);
    int forgotten = OldReadReports.LISTED_MAX / ReadGroups.EVICTED_PART;
    assertFalse(isSeen(1), "those that were listed first are forgotten");
    assertFalse(isSeen(forgotten));
    assertTrue(isSeen(forgotten + 1));
    assertTrue(book.seen(GROUPS, 0).isPresent());
  }

  /** It lists groups that there are not, and groups that others have seen or are about to see. */
  @Test
  void aNodeThatListsTooMuchHidesNoReadersThatOthersHaveSeen() {
    list(0, 1, 100);
    list(1, 51, 100);
    list(2, 1, 300);
    list(0, 201, 100);
    for (int times = 1; times < 3; times++) {
      nowMs++;
      list(2, 1_000_000L * times, OldReadReports.LISTED_MAX);
    }
    list(1, 301, 100);
    for (int id = 1; id <= 400; id++) {
      assertEquals(id <= 150 || id > 200, isSeen(id), "group " + id);
    }
    assertTrue(isSeen(2_000_000L + OldReadReports.LISTED_MAX - 1));
    assertFalse(isSeen(2_000_000L));
    assertFalse(isSeen(1_000_000L + OldReadReports.LISTED_MAX - 1));
  }

  @Test
  void whatIsForgottenLeavesRoom() {
    for (int times = 0; times < 3; times++) {
      list(0, 1, 10);
      list(1, 5, 10);
      List<FileGroup> all = LongStream.range(1, 15)
          .mapToObj(id -> new FileGroup(new GroupId("pool", id * 16, 1), 5, 0))
          .collect(Collectors.toList());
      assertTrue(book.seen(all.subList(0, 1), 0).isPresent());
      book.forget(all);
      assertTrue(book.isQuiet());
      nowMs++;
    }
    list(1, 1_000_000, OldReadReports.LISTED_MAX);
    assertTrue(isSeen(1_000_000), "nothing is left of the others");
  }

  /** No janitor forgets the groups of a conversion that was given up. */
  @Test
  void readsThatAreOlderThanAnyWatchAreForgotten() {
    list(0, 1, 1);
    nowMs += OldReadReports.STALE_MS / 2;
    list(0, 2, 1);
    nowMs += OldReadReports.STALE_MS / 2 + 1;
    book.hear(door.node(1), report(true, false));
    assertFalse(isSeen(1));
    assertTrue(isSeen(2));
    nowMs += OldReadReports.STALE_MS / 2;
    book.hear(door.node(1), report(true, false));
    assertTrue(book.isQuiet());
  }

  @Test
  void nodesSayWhetherTheySeeAllReads() {
    String uuid = door.node(0).uuid;
    assertFalse(book.seesAll(uuid));
    book.hear(door.node(0), report(true, false));
    assertTrue(book.seesAll(uuid));
    assertEquals(1, book.reports(uuid));
    book.hear(door.node(0), new OldReads(false, 0, false, false, List.of()));
    assertFalse(book.seesAll(uuid));
    book.hear(door.node(0), OldReads.UNSAID);
    assertFalse(book.seesAll(uuid));
    assertEquals(3, book.reports(uuid));
  }
}
