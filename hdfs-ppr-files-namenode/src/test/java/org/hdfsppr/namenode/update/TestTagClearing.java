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
package org.hdfsppr.namenode.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.record.SealedKind;
import org.hdfsppr.namenode.record.SealedRecord;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.update.append.LogPosition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When files of a directory are no files of updates any more. */
class TestTagClearing {
  private static final GroupPolicy POLICY = new GroupPolicy("rs", 1, 2, 1024);
  private static final long DIRECTORY = 50;
  private static final long FILE = 77;
  private static final String STRATEGY = "cau";
  private static final Map<Integer, List<String>> PLACES =
      Map.of(0, List.of("n0"), 1, List.of("n1"), 2, List.of("n2"));
  private static final UUID UUID_OF_FILE = new UUID(5, 1);

  private final AtomicLong nowMs = new AtomicLong(1_000_000);
  private final MemoryNamespace namespace = new MemoryNamespace();
  private final FakeLogs logs = new FakeLogs(3);
  private final TicketKeeper keeper = new TicketKeeper(new TicketParts(
      TicketSettings.of(new Configuration(false)), namespace, namespace, logs, logs, nowMs::get),
      () -> UUID_OF_FILE, () -> 1_700_000_000_000L);
  private long term;

  @BeforeEach
  void write() throws IOException {
    namespace.addFile(FILE, DIRECTORY, true, POLICY, PLACES);
    for (int i = 0; i < 8; i++) {
      nowMs.addAndGet(250);
      keeper.step();
    }
    term = write(0, 1);
  }

  /** Gives a writer tickets of some groups; returns the last one's term. */
  private long write(int from, int to) throws IOException {
    long given = 0;
    for (int group = from; group < to; group++) {
      given = keeper.grant(namespace.file(FILE, group), new TicketRequest("/dir/77",
          MemoryNamespace.group(group), true, Map.of()), true).get(0).ticket().orElseThrow()
          .term;
    }
    return given;
  }

  private void answer(LogPosition position) {
    logs.answer("n0", position);
    logs.answer("n1", position);
    logs.answer("n2", position);
  }

  private byte[] tag() {
    return namespace.value(FILE, UpdateTag.XATTR);
  }

  private void assertRefused() {
    assertTrue(assertThrows(UpdateRefusedException.class, () ->
        keeper.setUpdatable(DIRECTORY, false, null)).getMessage().contains("/dir/77"));
    assertNotNull(tag());
    assertTrue(namespace.isUpdatable(DIRECTORY));
  }

  @Test
  void aFileWithoutUpdatesLosesItsTag() throws IOException {
    answer(new LogPosition(term, 7, 2, true, 0));
    assertTrue(keeper.setUpdatable(DIRECTORY, false, null));
    assertNull(tag());
    assertFalse(namespace.isUpdatable(DIRECTORY));
    assertEquals(1, logs.begun.size(), "no leader of an earlier term goes on");
    assertTrue(logs.begun.get(0).term > term);
    assertNotNull(namespace.value(namespace.find(UUID_OF_FILE).orElseThrow(),
        FileRecords.GONE_XATTR));
    assertFalse(keeper.setUpdatable(DIRECTORY, false, null));
  }

  /**
   * The call has ended the terms of the file and removed its tag. If the writer got a ticket of
   * such a term, the log would take its updates, and no reader would ask the log for them.
   */
  @Test
  void aWriterThatWasCheckedBeforeGetsNoTicketsAfterwards() throws IOException {
    answer(new LogPosition(term, 7, 2, true, 0));
    UpdatableFile before = namespace.file(FILE, 0);
    assertNotNull(before.tag);
    assertTrue(keeper.setUpdatable(DIRECTORY, false, null));
    int begun = logs.begun.size();
    TicketRequest request = new TicketRequest(before.path, before.group, true, Map.of());
    assertTrue(assertThrows(RetriableException.class,
        () -> keeper.grant(before, request, true)).getMessage().contains(before.path));
    assertEquals(begun, logs.begun.size());
    assertNull(tag());
  }

  /**
   * The handler's thread reads the tag as it is stored, which is the sealed form. The keeper's
   * thread reads the content. The keeper must see that both are the same tag.
   */
  @Test
  void aWriterOfAFileWithASealedTagGetsTickets() throws IOException {
    byte[] sealed = SealedRecord.seal(SealedKind.UPDATE_TAG, tag());
    UpdatableFile read = namespace.file(FILE, 0);
    UpdatableFile file = new UpdatableFile.Builder(read.path, FILE).updatable(true).tag(sealed)
        .policy(POLICY).group(read.group, 0, read.groupBytes, PLACES).build();
    TicketRequest request = new TicketRequest(read.path, read.group, true, Map.of());
    assertTrue(keeper.grant(file, request, true).get(0).ticket().isPresent());
  }

  @Test
  void aFileWithUpdatesKeepsTheDirectoryUpdatable() {
    answer(new LogPosition(term, 7, 2, true, 1));
    assertRefused();
    assertEquals(0, logs.begun.size());
  }

  @Test
  void whatIsNotKnownIsTakenForUpdates() {
    assertRefused();
    answer(new LogPosition(term, 7, 2, true));
    assertRefused();
    answer(new LogPosition(term, 7, 2, true, 0));
    logs.mayBegin(false);
    assertRefused();
  }

  @Test
  void aWriterWithAnEarlierTicketMayBeFaster() throws IOException {
    answer(new LogPosition(term, 7, 2, true, 0));
    logs.beforeBegin(() -> answer(new LogPosition(term + 1, 8, 2, true, 1)));
    assertRefused();
  }

  /** Records are walked on the thread that gives all tickets. */
  @Test
  void callsLeaveTheThreadToWriters() throws IOException {
    answer(new LogPosition(term, 7, 2, true, 1));
    logs.whenAsked(() -> nowMs.addAndGet(1_000));
    assertRefused();
    for (int second = 0; second < 4; second++) {
      assertThrows(RetriableException.class,
          () -> keeper.setUpdatable(DIRECTORY, false, null));
      // Nothing is looked at where nothing is set.
      int asked = logs.asked();
      assertFalse(keeper.setUpdatable(DIRECTORY + 1, false, null));
      assertEquals(asked, logs.asked());
      nowMs.addAndGet(1_000);
    }
    assertRefused();
  }

  @Test
  void callThatHasNotEndedGoesOn() throws IOException {
    answer(new LogPosition(term, 7, 2, true, 0));
    // The look at the only file takes long, and its tag is not taken in this call.
    logs.whenAsked(() -> nowMs.addAndGet(6_000));
    assertThrows(RetriableException.class, () -> keeper.setUpdatable(DIRECTORY, false, null));
    assertNotNull(tag());
    assertFalse(namespace.isUpdatable(DIRECTORY));
    logs.whenAsked(() -> { });
    nowMs.addAndGet(60_000);
    assertTrue(keeper.setUpdatable(DIRECTORY, false, null));
    assertNull(tag());
  }

  /** The call before has let the directory's files not be updated any more. */
  @Test
  void updatesThatTheNextCallFindsKeepTheDirectoryAsItWas() throws IOException {
    namespace.setUpdatable(DIRECTORY, STRATEGY);
    answer(new LogPosition(term, 7, 2, true, 0));
    logs.beforeBegin(() -> nowMs.addAndGet(40_000));
    assertThrows(RetriableException.class, () -> keeper.setUpdatable(DIRECTORY, false, null));
    assertFalse(namespace.isUpdatable(DIRECTORY));
    logs.beforeBegin(() -> { });
    for (int calls = 0; calls < 2; calls++) {
      nowMs.addAndGet(600_000);
      answer(new LogPosition(term + 2, 8, 2, true, 1));
      assertRefused();
      assertEquals(Optional.of(STRATEGY), namespace.updatable(DIRECTORY));
    }
  }

  /** A writer of another file was faster than the end of its terms. */
  @Test
  void updatesThatTheEndOfTheNextCallFindsKeepTheDirectoryAsItWas() throws IOException {
    namespace.setUpdatable(DIRECTORY, STRATEGY);
    answer(new LogPosition(term, 7, 2, true, 0));
    logs.beforeBegin(() -> nowMs.addAndGet(40_000));
    assertThrows(RetriableException.class, () -> keeper.setUpdatable(DIRECTORY, false, null));
    nowMs.addAndGet(600_000);
    logs.beforeBegin(() -> answer(new LogPosition(term + 2, 8, 2, true, 1)));
    assertRefused();
    assertEquals(Optional.of(STRATEGY), namespace.updatable(DIRECTORY));
  }

  /** A file may have very many groups, and writers wait for the thread. */
  @Test
  void aFileWithManyGroupsIsLookedAtForNoLongerThanACall() throws IOException {
    write(1, 9);
    answer(LogPosition.NOTHING);
    int asked = logs.asked();
    logs.whenAsked(() -> nowMs.addAndGet(2_000));
    assertThrows(RetriableException.class, () -> keeper.setUpdatable(DIRECTORY, false, null));
    assertEquals(asked + 3, logs.asked(), "the fourth group is not looked at");
    assertTrue(namespace.isUpdatable(DIRECTORY));
    assertNotNull(tag());
    nowMs.addAndGet(60_000);
    logs.whenAsked(() -> nowMs.addAndGet(200));
    assertTrue(keeper.setUpdatable(DIRECTORY, false, null));
    assertNull(tag());
  }

  /** The end of the terms may take longer than the look did, and still has a bound. */
  @Test
  void theEndOfTheTermsOfManyGroupsHasABound() throws IOException {
    write(1, 9);
    answer(LogPosition.NOTHING);
    logs.beforeBegin(() -> nowMs.addAndGet(10_000));
    assertThrows(RetriableException.class, () -> keeper.setUpdatable(DIRECTORY, false, null));
    assertEquals(3, logs.begun.size(), "the fourth group is not ended");
    assertNotNull(tag());
    nowMs.addAndGet(600_000);
    logs.beforeBegin(() -> nowMs.addAndGet(2_000));
    assertTrue(keeper.setUpdatable(DIRECTORY, false, null));
    assertNull(tag());
  }

  @Test
  void filesElsewhereKeepTheirTags() throws IOException {
    answer(new LogPosition(term, 7, 2, true, 1));
    assertFalse(keeper.setUpdatable(DIRECTORY + 1, false, null));
    assertNotNull(tag());
  }
}
