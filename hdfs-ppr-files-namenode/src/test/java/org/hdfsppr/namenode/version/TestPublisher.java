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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a version that has to wait is looked at for before it is published. */
class TestPublisher {
  private static final long INODE = 17;
  private static final long NEW_INODE = 21;
  private static final GroupId GROUP = new GroupId("pool", -3_200, 1_001);
  private static final GroupId NEW_GROUP = new GroupId("pool", -4_800, 1_002);
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);
  private static final GroupPolicy XOR = new GroupPolicy("hitchhiker-xor", 6, 3, 1 << 20);
  private static final GroupPolicy NONXOR = new GroupPolicy("hitchhiker-nonxor", 6, 3, 1 << 20);
  private static final PublishAnswer LATER = PublishAnswer.later("as the test says");
  /** After which try something happens. */
  private static final int EVENT = 3;

  private final FakeDoor door = new FakeDoor(3);
  private final List<PublishOrder> orders = new ArrayList<>();
  private final List<PublishAnswer> answers = new ArrayList<>();
  private final VersionNamespace namespace = mock(VersionNamespace.class);
  private final ClientProtocol namenode = mock(ClientProtocol.class);
  private GroupId doubted;
  private GroupPolicy to = NONXOR;
  private int lostUnits;
  private int lostNewUnits;
  private boolean isGone;
  private boolean isNewGone;
  private long nowMs = 1_000_000;
  private final OldReadReports book = new OldReadReports(() -> nowMs, 0);
  private Runnable event = () -> { };

  private final EngineParts parts = new EngineParts(
      new EngineParts.Files(namespace, VersionStores.of(() -> namenode)),
      new EngineParts.DataNodes(door, new OrderBook(), "run", book),
      new EngineParts.Manager(mock(VersionGate.class), new MadeGroups()),
      new CodePathCache(policy ->
          Codes.forCodec(new Configuration(false), policy.codec, policy.dataUnits,
                  policy.parityUnits)),
      new VersionSettings(4, 0, 1 << 20), VersionHook.NONE,
      new EngineParts.Clocks(() -> nowMs, () -> nowMs));

  private TargetFile file() {
    return new TargetFile(FileFacts.of("/f", FileFacts.Kind.FILE, INODE).with(f -> {
      f.groups = List.of(new FileGroup(GROUP, 6 << 20, lostUnits));
      f.policy = new PolicyFacts("RS", RS, true);
    }).build(), 16, "f", FsPermission.getFileDefault(),
        1 << 27, null);
  }

  private TargetFile newFile() {
    return new TargetFile(FileFacts.of("/new", FileFacts.Kind.FILE, NEW_INODE).with(f -> {
      f.groups = List.of(new FileGroup(NEW_GROUP, 6 << 20, lostNewUnits));
      f.policy = new PolicyFacts("P", to, true);
    }).build(), 16, "new",
        FsPermission.getFileDefault(), 1 << 27, null);
  }

  private Optional<TargetFile> file(String path, long inode) throws IOException {
    assertEquals("/.reserved/.inodes/" + inode, path);
    boolean isOld = inode == INODE;
    assertTrue(isOld || inode == NEW_INODE, path);
    if (isOld ? isGone : isNewGone) {
      throw new FileNotFoundException("as the test says");
    }
    return Optional.of(isOld ? file() : newFile());
  }

  @BeforeEach
  void start() throws IOException {
    when(namespace.file(anyString(), anyLong(), anyString()))
        .thenAnswer(call -> file(call.getArgument(0), call.getArgument(1)));
    when(namespace.publish(any())).thenAnswer(call -> {
      orders.add(call.getArgument(0));
      if (orders.size() == EVENT) {
        event.run();
      }
      return answers.isEmpty() ? PublishAnswer.PUBLISHED : answers.remove(0);
    });
    LocatedBlocks blocks = mock(LocatedBlocks.class);
    when(blocks.getLocatedBlocks()).thenReturn(List.of());
    HdfsLocatedFileStatus status = mock(HdfsLocatedFileStatus.class);
    when(status.getLocatedBlocks()).thenReturn(blocks);
    when(namenode.getLocatedFileInfo(anyString(), anyBoolean())).thenReturn(status);
    for (int i = 0; i < 10; i++) {
      answers.add(LATER);
    }
  }

  private PublishAnswer publish() throws Exception {
    return publish(VersionRequest.of("j1", "/f", INODE).user("alice").policy("P")
        .idleMs(3_600_000).build());
  }

  private Publisher publisher(VersionRequest request, VersionNews news) throws Exception {
    VersionRules rules = new VersionRules(parts.codes, group -> group.equals(doubted));
    MakingGuard guard = new MakingGuard(parts, Optional::empty, () -> false, () -> false);
    TargetFile file = file();
    PublishOrder order = new PublishOrder(VersionRecord.begin(request, file, 3), file, NEW_INODE,
        List.of(new FileGroup(NEW_GROUP, 6 << 20, 0)),
        PublishOrder.ANY_ATIME);
    Publisher publisher = new Publisher(parts, request, rules, guard, news);
    publisher.begin(order, to, OldUnits.locate(parts.store, door, INODE), nowMs, () -> 0);
    return publisher;
  }

  private PublishAnswer publish(VersionRequest request) throws Exception {
    Publisher publisher = publisher(request, () -> { });
    // No try waits for the next one here.
    PhaseSteps.takeAll(publisher);
    return publisher.answer();
  }

  private void assertRefused(RefusalReason reason) {
    VersionStopException stop = assertThrows(VersionStopException.class, this::publish);
    assertEquals(reason, stop.outcome(VersionBytes.NONE).reason);
    assertEquals(EVENT, orders.size(), "no try follows what was found");
  }

  private void read() {
    book.hear(door.node(1), new OldReads(true, 60_000, false, false,
        List.of(new OldReads.Read(GROUP.groupId + 2, 0))));
  }

  @Test
  void aVersionThatWaitsIsPublishedInTheEnd() throws Exception {
    assertTrue(publish().isPublished());
    assertEquals(11, orders.size());
    assertEquals(PublishOrder.ANY_ATIME, orders.get(10).atimeMax);
  }

  /** Others may publish for as long as they have something to publish. */
  @Test
  void aVersionThatDoesNotGetItsTurnIsNotGivenUp() throws Exception {
    answers.clear();
    for (int i = 0; i < 150; i++) {
      answers.add(PublishAnswer.noTurn("as the test says"));
    }
    assertTrue(publish().isPublished());
    assertEquals(0, orders.get(150).holdsInVain);
  }

  /** It is made, and would only be made once more. */
  @Test
  void aVersionThatTheLogIsTooSlowForWaits() throws Exception {
    answers.clear();
    answers.add(LATER);
    for (int i = 0; i < 150; i++) {
      answers.add(PublishAnswer.slow("as the test says"));
    }
    assertTrue(publish().isPublished());
    assertEquals(152, orders.size());
    for (int i = 0; i < orders.size(); i++) {
      assertEquals(Math.max(0, i - 1), orders.get(i).holdsInVain, "try " + i);
    }
  }

  /** The new version would have parity units that fit the wrong unit. */
  @Test
  void aDoubtThatComesUpMeanwhileStopsIt() {
    event = () -> doubted = GROUP;
    assertRefused(RefusalReason.DOUBTED);
  }

  @Test
  void aReadThatIsSeenMeanwhileStopsIt() {
    to = XOR;
    event = this::read;
    assertRefused(RefusalReason.IN_USE);
  }

  /** A stream that is open needs more of the parity units as soon as more units are lost. */
  @Test
  void aReadCountsAsSoonAsUnitsAreLost() throws Exception {
    event = () -> {
      read();
      lostUnits = 2;
    };
    assertRefused(RefusalReason.IN_USE);
  }

  /** The comparison finds that out, and nothing was renamed. */
  @Test
  void aFileThatIsDeletedMeanwhileIsNoFailure() throws Exception {
    event = () -> isGone = true;
    answers.subList(EVENT, answers.size()).clear();
    answers.add(PublishAnswer.changed("as the test says"));
    assertTrue(publish().change().isPresent());
    assertEquals(EVENT + 1, orders.size());
  }

  private void assertMadeAnew(VersionRequest.Builder request) {
    VersionStopException stop =
        assertThrows(VersionStopException.class, () -> publish(request.build()));
    VersionOutcome outcome = stop.outcome(VersionBytes.NONE);
    assertEquals(VersionEnd.FAILED, outcome.end);
    assertEquals("the new version of /f has lost 2 of the 9 units of " + NEW_GROUP
        + " before it was published", outcome.sentence);
    assertFalse(stop.isForGood, "the next try makes it anew");
    assertEquals(EVENT, orders.size(), "no try follows what was found");
  }

  /** The path would get fewer units than it has. */
  @Test
  void aVersionThatLosesUnitsMeanwhileIsMadeAnew() {
    event = () -> lostNewUnits = 2;
    assertMadeAnew(VersionRequest.of("j1", "/f", INODE).user("alice").policy("P"));
  }

  /** Readers of the old version may be there, which do not matter for that. */
  @Test
  void aVersionThatLosesUnitsWhileReadersCountIsMadeAnew() {
    to = XOR;
    event = () -> lostNewUnits = 2;
    assertMadeAnew(VersionRequest.of("j1", "/f", INODE).user("alice").policy("P")
        .idleMs(3_600_000));
  }

  /** The logs drop the updates as soon as it is published. */
  @Test
  void aVersionOfACommitThatLosesUnitsMeanwhileIsMadeAnew() {
    to = RS;
    event = () -> lostNewUnits = 2;
    assertMadeAnew(VersionRequest.of("j1", "/f", INODE).user("alice").policy("P")
        .commit(new CommitPlan("user.tag", new byte[0], made -> new byte[0], List.of(), "cau",
            Map.of())));
  }

  /** The comparison finds that out. */
  @Test
  void aNewVersionThatIsDeletedMeanwhileIsNoFailure() throws Exception {
    event = () -> isNewGone = true;
    answers.subList(EVENT, answers.size()).clear();
    answers.add(PublishAnswer.changed("as the test says"));
    assertTrue(publish().change().isPresent());
    assertEquals(EVENT + 1, orders.size());
  }

  /** The time of the last read counts as well then. */
  @Test
  void theAccessTimeCountsAsSoonAsUnitsAreLost() throws Exception {
    event = () -> lostUnits = 2;
    assertTrue(publish().isPublished());
    assertEquals(PublishOrder.ANY_ATIME, orders.get(EVENT - 1).atimeMax);
    assertEquals(0, orders.get(EVENT).atimeMax);
  }

  private static VersionRequest.Builder request() {
    return VersionRequest.of("j1", "/f", INODE).user("alice").policy("P").force(true);
  }

  /** A try waits on its thread, and there are few threads for hundreds of files. */
  @Test
  void fewConversionsTryAtATimeAndTheNextOneIsWoken() {
    int first = PublishLine.AT_A_TIME;
    List<Integer> woken = new ArrayList<>();
    List<PublishLine.Place> line = new ArrayList<>();
    for (int i = 0; i < first + 3; i++) {
      int own = i;
      line.add(parts.publishers.place(() -> woken.add(own)));
      assertEquals(i < first, line.get(i).isFirst(), "place " + i);
    }
    line.get(first + 1).leave();
    assertEquals(List.of(), woken, "one of those that wait has gone");
    line.get(0).leave();
    assertEquals(List.of(first), woken);
    assertTrue(line.get(first).isFirst());
    assertFalse(line.get(0).isFirst(), "it is the last one now");
    assertFalse(line.get(first + 2).isFirst());
    line.get(1).leave();
    assertEquals(List.of(first, first + 2), woken);
  }

  @Test
  void aConversionThatHasTriedHoldsUpNoOtherOne() throws Exception {
    for (int i = 0; i <= PublishLine.AT_A_TIME; i++) {
      assertFalse(publisher(request().build(), () -> { }).step().isDone());
      assertEquals(i + 1, orders.size());
    }
    assertTrue(publish(request().build()).isPublished());
  }

  /** Each commit has a thread of its own, and writers wait for it. */
  @Test
  void aCommitDoesNotWaitForConversions() throws Exception {
    answers.clear();
    for (int i = 0; i < PublishLine.AT_A_TIME; i++) {
      assertTrue(parts.publishers.place(() -> { }).isFirst());
    }
    assertFalse(publisher(request().build(), () -> { }).step().isDone());
    assertEquals(0, orders.size());
    to = RS;
    assertTrue(publisher(request().commit(new CommitPlan("user.tag", new byte[0],
        made -> new byte[0], List.of(), "cau", Map.of())).build(), () -> { }).step().isDone());
  }
}
