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
package org.hdfsppr.datanode.update.log;

import static org.hdfsppr.datanode.update.log.LogBed.BOOT;
import static org.hdfsppr.datanode.update.log.LogBed.FILE;
import static org.hdfsppr.datanode.update.log.LogBed.LATER_BOOT;
import static org.hdfsppr.datanode.update.log.LogBed.OTHER;
import static org.hdfsppr.datanode.update.log.LogBed.OTHER_FILE;
import static org.hdfsppr.datanode.update.log.LogBed.UNIT;
import static org.hdfsppr.datanode.update.log.LogBed.WAIT_MS;
import static org.hdfsppr.datanode.update.log.LogBed.begin;
import static org.hdfsppr.datanode.update.log.LogBed.data;
import static org.hdfsppr.datanode.update.log.LogBed.open;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.update.log.RecordRefusedException.Reason;
import org.hdfsppr.datanode.update.log.UnitLog.DroppedWriters;
import org.hdfsppr.update.append.LogSpace;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.TrimRequest;
import org.hdfsppr.update.append.UnitId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests the rules of a log one by one. */
@InterfaceAudience.Private
class TestUpdateLog {
  private MemoryFolder folder = new MemoryFolder();

  private static void assertRefused(Reason reason, Executable call) {
    assertEquals(reason, assertThrows(RecordRefusedException.class, call).reason);
  }

  private static List<Long> numbers(UpdateLog log) {
    return log.entries(UNIT, 0, Integer.MAX_VALUE).stream().map(entry -> entry.sequence)
        .collect(Collectors.toList());
  }

  private static KnownUpdate known(UpdateLog log, long writer, long number, long since) {
    return log.find(UNIT, Origin.of(writer, number), since);
  }

  /** Checks what a log says about update 2 of writer 7, which was sent in term 1 first. */
  private static void assertKnows(UpdateLog log) throws IOException {
    assertEquals(2, known(log, 7, 2, 1).entry().get().sequence);
    assertFalse(known(log, 7, 3, 1).entry().isPresent());
    assertFalse(known(log, 7, 3, 1).doubt().isPresent());
    assertTrue(known(log, 7, 1, 1).doubt().isPresent());
    assertFalse(known(log, 8, 1, 1).doubt().isPresent());
    assertRefused(Reason.SEQUENCE, () ->
        log.append(UNIT, 1, 1, 0, data(1, 1), Origin.of(7, 2)));
  }

  @Test
  void lastNumberOfEachWriterIsKnown() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, UNIT, 1);
      log.append(UNIT, 1, 1, 0, data(1, 1), Origin.of(7, 1));
      log.append(UNIT, 1, 1, 0, data(2, 1), Origin.of(7, 2));
      log.append(UNIT, 1, 1, 0, data(2, 1));
      assertKnows(log);
    }
    try (UpdateLog log = open(folder, BOOT)) {
      assertKnows(log);
      log.begin(UNIT, 2, 3, 3, false);
      log.append(UNIT, 2, 2, 0, data(3, 1), Origin.of(9, 1));
      log.trim(FILE, 1);
      assertEquals("the log has dropped updates since the writer sent this one first, and it may"
          + " have been among them", known(log, 7, 2, 1).doubt().get());
      assertFalse(known(log, 7, 3, 2).doubt().isPresent(), "it cannot have been among them");
      assertEquals(4, known(log, 9, 1, 1).entry().get().sequence);
    }
  }

  private static void assertKnowsDropped(UpdateLog log) {
    assertTrue(known(log, 7, 2, 1).doubt().isPresent(), "it was among them");
    assertFalse(known(log, 7, 3, 1).doubt().isPresent(), "those of the writer end before");
    assertFalse(known(log, 8, 1, 1).doubt().isPresent(), "all writers of those are known");
  }

  @Test
  void aWriterGoesOnBehindItsUpdatesThatWereDropped() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, UNIT, 1);
      log.append(UNIT, 1, 1, 0, data(1, 1), Origin.of(7, 1));
      log.append(UNIT, 1, 1, 0, data(2, 1), Origin.of(7, 2));
      log.trim(FILE, 1);
      assertKnowsDropped(log);
    }
    try (UpdateLog log = open(folder, BOOT)) {
      assertKnowsDropped(log);
      log.append(UNIT, 1, 2, 0, data(3, 1), Origin.of(7, 3));
      log.trim(FILE, 2);
      assertTrue(known(log, 7, 3, 1).doubt().isPresent());
      for (int writer = 0; writer < DroppedWriters.MOST; writer++) {
        assertFalse(known(log, 7, 4, 1).doubt().isPresent());
        log.append(UNIT, 1, 3, 0, data(4, 1), Origin.of(100 + writer, 1));
        log.trim(FILE, 3 + writer);
      }
      assertTrue(known(log, 7, 4, 1).doubt().isPresent(), "the log knows as many writers only");
      assertFalse(known(log, 7, 4, 2).doubt().isPresent());
      assertTrue(known(log, 8, 1, 1).doubt().isPresent(), "8 may be the one that is forgotten");
      assertFalse(known(log, 100, 2, 1).doubt().isPresent());
      // A history that begins anew does not have what was dropped where it comes from.
      log.begin(UNIT, 2, 20, 20, true);
      assertTrue(known(log, 100, 2, 1).doubt().isPresent());
      assertFalse(known(log, 100, 2, 2).doubt().isPresent());
    }
  }

  /** Copies an update of one byte into a term. */
  private static void copy(UpdateLog log, long sequence, long epoch, int seed, long term)
      throws IOException {
    log.copy(UNIT, term, new NumberedUpdate(sequence, epoch, 0, 1), data(seed, 1));
  }

  @Test
  void keepsUpdatesInOrder() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, UNIT, 5);
      assertEquals(1, log.append(UNIT, 5, 3, 100, data(1, 10)).sequence);
      assertEquals(2, log.append(UNIT, 5, 3, 105, data(2, 5000)).sequence);
    }
    assertEquals(0, folder.open(), "open files");
    try (UpdateLog log = open(folder, BOOT)) {
      UnitState state = log.state(UNIT).get();
      assertEquals(5, state.term);
      assertEquals(2, state.last);
      assertEquals(3, state.epochLeast());
      assertTrue(state.isComplete());
      List<LogEntry> entries = log.entries(UNIT, 1, 10);
      assertEquals(1, entries.size());
      assertEquals(105, entries.get(0).offset);
      assertArrayEquals(data(2, 5000).array(), log.read(entries.get(0)));
      assertEquals(1, log.entries(UNIT, 0, 1).size());
    }
  }

  @Test
  void readersSeeWhatIsShown() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, UNIT, 1);
      log.append(UNIT, 1, 1, 4, ByteBuffer.wrap(new byte[] {1, 1, 1, 1}));
      log.append(UNIT, 1, 1, 6, ByteBuffer.wrap(new byte[] {2, 2, 2, 2}));
      byte[] block = new byte[8];
      log.overlay(UNIT, 3, ByteBuffer.wrap(block));
      assertArrayEquals(new byte[8], block);
      log.show(UNIT, 1);
      log.overlay(UNIT, 3, ByteBuffer.wrap(block));
      assertArrayEquals(new byte[] {0, 1, 1, 1, 1, 0, 0, 0}, block);
      log.show(UNIT, 2);
      log.overlay(UNIT, 3, ByteBuffer.wrap(block));
      assertArrayEquals(new byte[] {0, 1, 1, 2, 2, 2, 2, 0}, block);
      ByteBuffer part = ByteBuffer.wrap(new byte[] {9, 9, 9, 9}, 1, 2);
      log.overlay(UNIT, 5, part);
      assertArrayEquals(new byte[] {9, 1, 2, 9}, part.array());
      assertEquals(1, part.position());
      log.overlay(OTHER, 0, part);
      assertArrayEquals(new byte[] {9, 1, 2, 9}, part.array());
    }
  }

  @Test
  void takesNoLowerTerm() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      assertRefused(Reason.UNKNOWN_TERM, () -> log.append(UNIT, 5, 1, 0, data(1, 1)));
      assertRefused(Reason.SEQUENCE, () -> log.begin(UNIT, 5, 0, 0, false));
      begin(log, UNIT, 5);
      assertRefused(Reason.STALE_TERM, () -> begin(log, UNIT, 5));
      assertRefused(Reason.STALE_TERM, () -> log.append(UNIT, 4, 1, 0, data(1, 1)));
      assertRefused(Reason.UNKNOWN_TERM, () -> log.append(UNIT, 6, 1, 0, data(1, 1)));
      log.append(UNIT, 5, 1, 0, data(1, 1));
      assertRefused(Reason.SEQUENCE, () -> log.begin(UNIT, 7, 0, 0, false));
      log.begin(UNIT, 7, 1, 1, false);
      assertRefused(Reason.STALE_TERM, () -> log.append(UNIT, 5, 1, 0, data(1, 1)));
      assertEquals(2, log.append(UNIT, 7, 1, 0, data(1, 1)).sequence);
    }
    try (UpdateLog log = open(folder, BOOT)) {
      assertRefused(Reason.STALE_TERM, () -> begin(log, UNIT, 7));
      assertRefused(Reason.STALE_TERM, () -> log.append(UNIT, 5, 1, 0, data(1, 1)));
    }
  }

  @Test
  void copyIsCompleteWithItsLastUpdate() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, UNIT, 1);
      log.append(UNIT, 1, 1, 0, data(1, 1));
      log.show(UNIT, 1);
      log.begin(UNIT, 2, 4, 6, true);
      assertEquals(0, log.entries(UNIT, 0, 10).size());
      byte[] block = new byte[1];
      log.overlay(UNIT, 0, ByteBuffer.wrap(block));
      assertEquals(0, block[0], "what does not count is not shown");
      assertRefused(Reason.SEQUENCE, () -> copy(log, 7, 1, 1, 2));
      assertRefused(Reason.SEQUENCE, () -> copy(log, 4, 1, 1, 2));
      copy(log, 5, 1, 5, 2);
    }
    try (UpdateLog log = open(folder, BOOT)) {
      assertFalse(log.state(UNIT).get().isComplete());
      copy(log, 6, 2, 6, 2);
      assertTrue(log.state(UNIT).get().isComplete());
      assertRefused(Reason.EPOCH, () -> copy(log, 7, 1, 7, 2));
    }
    try (UpdateLog log = open(folder, BOOT)) {
      assertTrue(log.state(UNIT).get().isComplete());
      assertEquals(List.of(5L, 6L), numbers(log));
    }
  }

  @Test
  void takesNothingOfACommittedEpoch() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, UNIT, 1);
      log.append(UNIT, 1, 1, 0, data(1, 1));
      log.trim(FILE, 1);
      assertRefused(Reason.EPOCH, () -> copy(log, 2, 1, 2, 1));
      log.append(UNIT, 1, 1, 0, data(2, 1));
      assertEquals(List.of(2L), numbers(log));
      assertEquals(2, log.entries(UNIT, 0, 1).get(0).epoch);
      assertRefused(Reason.EPOCH, () -> copy(log, 3, 1, 3, 1));
      log.trim(FILE, 2);
      log.trim(FILE, 5);
      assertEquals(6, log.append(UNIT, 1, 2, 0, data(3, 1)).epoch);
      assertEquals(6, log.state(UNIT).get().epochLeast());
      log.trim(OTHER_FILE, 9);
    }
    try (UpdateLog log = open(folder, BOOT)) {
      assertEquals(List.of(3L), numbers(log));
    }
  }

  @Test
  void trimHidesTrimmedUpdatesFromReaders() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, UNIT, 1);
      log.append(UNIT, 1, 1, 0, ByteBuffer.wrap(new byte[] {1, 1}));
      log.append(UNIT, 1, 2, 1, ByteBuffer.wrap(new byte[] {2, 2}));
      log.show(UNIT, 2);
      log.trim(FILE, 1);
      byte[] block = new byte[4];
      log.overlay(UNIT, 0, ByteBuffer.wrap(block));
      assertArrayEquals(new byte[] {0, 2, 2, 0}, block);
    }
  }

  @Test
  void trimDropsWholeSegmentsFromTheFront() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, OTHER, 1);
      log.append(OTHER, 1, 1, 0, data(0, 1));
      begin(log, UNIT, 2);
      while (log.segments() < 4) {
        log.append(UNIT, 2, 1, 0, data(1, 500));
      }
      LogEntry first = log.entries(UNIT, 0, 1).get(0);
      long before = log.bytes();
      log.trim(FILE, 1);
      assertEquals(4, log.segments(), "the first segment has an update of another file");
      log.trim(OTHER_FILE, 1);
      assertEquals(1, log.segments());
      assertTrue(log.bytes() < before / 2);
      assertEquals(Long.sum(0, folder.bytes(folder.lastName()).length), log.bytes());
      assertThrows(UpdateLogException.class, () -> log.read(first));
      assertEquals(1, log.state(OTHER).get().last, "a mark");
      assertTrue(log.state(UNIT).isPresent(), "the last segment has a record of it");
    }
    assertEquals(0, folder.open(), "open files");
  }

  @Test
  void unitWithoutUpdatesKeepsItsTerm() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, OTHER, 9);
      log.append(OTHER, 9, 4, 0, data(0, 1), Origin.of(7, 1));
      begin(log, UNIT, 2);
      while (log.segments() < 3) {
        log.append(UNIT, 2, 1, 0, data(1, 500));
      }
      log.trim(FILE, 1);
      log.trim(OTHER_FILE, 4);
      for (int epoch = 2; epoch < 5; epoch++) {
        while (log.segments() < 3) {
          log.append(UNIT, 2, epoch, 0, data(1, 500));
        }
        log.trim(FILE, epoch);
      }
      assertEquals(9, log.state(OTHER).get().term);
      assertEquals(0, log.floor(), "no unit is forgotten");
    }
    folder = folder.afterPowerLoss(new java.util.Random(1));
    try (UpdateLog log = open(folder, LATER_BOOT)) {
      UnitState state = log.state(OTHER).get();
      assertEquals(9, state.term);
      assertEquals(1, state.last);
      assertEquals(0, state.pending);
      assertTrue(state.isComplete());
      assertRefused(Reason.STALE_TERM, () -> begin(log, OTHER, 9));
      assertTrue(log.find(OTHER, Origin.of(7, 1), 9).doubt().isPresent());
      assertFalse(log.find(OTHER, Origin.of(7, 1), 10).doubt().isPresent());
      assertEquals(2, log.append(OTHER, 9, 1, 0, data(0, 1)).sequence);
      begin(log, OTHER, 10);
    }
  }

  @Test
  void unitsBeyondTheMarksAreForgottenAndComeBackInALaterTermOnly() throws IOException {
    int units = new LogLimits(1 << 20, LogBed.SEGMENT_BYTES, 10_000).marksMost() + 3;
    try (UpdateLog log = open(folder, BOOT)) {
      for (int i = 0; i < units; i++) {
        begin(log, new UnitId(OTHER_FILE, i, 0), 10 + i);
      }
      begin(log, UNIT, 2);
      for (int epoch = 1; epoch < 5; epoch++) {
        int segments = log.segments();
        while (log.segments() < segments + 2) {
          log.append(UNIT, 2, epoch, 0, data(1, 500));
        }
        log.trim(FILE, epoch);
      }
      assertFalse(log.state(new UnitId(OTHER_FILE, 0, 0)).isPresent());
      assertTrue(log.state(new UnitId(OTHER_FILE, units - 1, 0)).isPresent(), "the latest terms");
      assertTrue(log.floor() >= 10 && log.floor() < 10 + units - 1, "floor " + log.floor());
    }
    folder = folder.afterPowerLoss(new java.util.Random(1));
    try (UpdateLog log = open(folder, LATER_BOOT)) {
      UnitId first = new UnitId(OTHER_FILE, 0, 0);
      assertRefused(Reason.STALE_TERM, () -> begin(log, first, log.floor()));
      assertRefused(Reason.STALE_TERM, () -> log.append(first, 10, 1, 0, data(0, 1)));
      begin(log, first, log.floor() + 1);
    }
  }

  @Test
  void fileThatIsGoneLeavesNothing() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, OTHER, 9);
      log.append(OTHER, 9, 1, 0, data(0, 1));
      begin(log, UNIT, 10);
      log.append(UNIT, 10, 1, 0, data(0, 1));
      log.trim(OTHER_FILE, TrimRequest.ALL);
      assertEquals(Optional.empty(), log.state(OTHER));
      assertEquals(List.of(), log.entries(OTHER, 0, 9));
      long bytes = log.bytes();
      log.trim(OTHER_FILE, TrimRequest.ALL);
      assertEquals(bytes, log.bytes(), "the second order writes nothing");
      begin(log, OTHER, 11);
      assertRefused(Reason.EPOCH, () -> log.copy(OTHER, 11,
          new NumberedUpdate(1, 5, 0, 1), data(0, 1)));
      log.trim(OTHER_FILE, TrimRequest.ALL);
    }
    try (UpdateLog log = open(folder, BOOT)) {
      assertEquals(Optional.empty(), log.state(OTHER));
      assertTrue(log.state(UNIT).isPresent());
    }
  }

  @Test
  void trimmedUpdatesDoNotComeBack() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, OTHER, 1);
      log.append(OTHER, 1, 1, 0, data(0, 1));
      begin(log, UNIT, 2);
      log.append(UNIT, 2, 1, 0, data(1, 1));
      log.append(UNIT, 2, 2, 0, data(2, 1));
      log.trim(FILE, 1);
    }
    try (UpdateLog log = open(folder, BOOT)) {
      assertEquals(List.of(2L), numbers(log));
      assertEquals(2, log.state(UNIT).get().epochLeast());
    }
  }

  @Test
  void fullLogNamesTheFileToCommit() throws IOException {
    LogLimits limits = new LogLimits(10_000, LogBed.SEGMENT_BYTES, 10_000);
    try (UpdateLog log = open(folder, BOOT, limits)) {
      begin(log, OTHER, 1);
      log.append(OTHER, 1, 1, 0, data(0, 1));
      begin(log, UNIT, 2);
      LogFullException full = null;
      while (full == null) {
        try {
          log.append(UNIT, 2, 1, 0, data(1, 500));
        } catch (LogFullException e) {
          full = e;
        }
      }
      assertTrue(log.bytes() <= 10_000 && log.bytes() > 9_000, log.bytes() + " bytes");
      assertEquals(OTHER_FILE, full.file);
      log.trim(OTHER_FILE, 1);
      log.trim(FILE, 1);
      assertTrue(log.bytes() < 5_000, log.bytes() + " bytes");
      log.append(UNIT, 2, 2, 0, data(1, 500));
    }
  }

  @Test
  void numberOfRecordsIsBounded() throws IOException {
    try (UpdateLog log = open(folder, BOOT, new LogLimits(1 << 20, 4096, 10))) {
      begin(log, UNIT, 1);
      LogFullException full = null;
      int taken = 0;
      while (full == null) {
        try {
          log.append(UNIT, 1, 1, 0, data(1, 1));
          taken++;
        } catch (LogFullException e) {
          full = e;
        }
      }
      assertEquals(6, taken, "a file and a unit are records, and two may come with another");
      assertEquals(FILE, full.file);
      log.trim(FILE, 1);
      log.append(UNIT, 1, 1, 0, data(1, 1));
    }
  }

  @Test
  void recordLongerThanASegmentHasItsOwn() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, UNIT, 1);
      log.append(UNIT, 1, 1, 0, data(1, 10_000));
      log.append(UNIT, 1, 1, 0, data(2, 10_000));
      assertEquals(2, log.segments(), "that with the begin of the term is dropped");
    }
    try (UpdateLog log = open(folder, BOOT)) {
      assertArrayEquals(data(2, 10_000).array(), log.read(log.entries(UNIT, 1, 1).get(0)));
    }
  }

  @Test
  void failedWriteLeavesNoTrace() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, UNIT, 1);
      long bytes = log.bytes();
      folder.failAfter(0, false);
      assertThrows(UpdateLogException.class, () -> log.append(UNIT, 1, 1, 0, data(1, 50)));
      assertTrue(folder.heal());
      assertEquals(bytes, log.bytes());
      assertEquals(1, log.append(UNIT, 1, 1, 0, data(2, 50)).sequence);
    }
    try (UpdateLog log = open(folder, BOOT)) {
      assertArrayEquals(data(2, 50).array(), log.read(log.entries(UNIT, 0, 1).get(0)));
    }
  }

  @Test
  void failedWriteThatCannotBeUndoneEndsTheLog() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, UNIT, 1);
      folder.failAfter(0, true);
      assertThrows(UpdateLogException.class, () -> log.append(UNIT, 1, 1, 0, data(1, 50)));
      assertTrue(folder.heal());
      assertThrows(LogFailedException.class, () -> log.append(UNIT, 1, 1, 0, data(1, 50)));
    }
    try (UpdateLog log = open(folder, BOOT)) {
      assertEquals(0, log.state(UNIT).get().last);
    }
  }

  @Test
  void nothingIsAcknowledgedAfterAFailedSync() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, UNIT, 1);
      log.append(UNIT, 1, 1, 0, data(1, 50));
      folder.failAfter(0, false);
      assertThrows(LogFailedException.class, () -> log.sync(WAIT_MS));
      assertTrue(folder.heal());
      assertThrows(LogFailedException.class, () -> log.sync(WAIT_MS));
      assertThrows(LogFailedException.class, () -> log.append(UNIT, 1, 1, 0, data(1, 50)));
      assertThrows(LogFailedException.class, () -> begin(log, OTHER, 3));
      assertThrows(LogFailedException.class, () -> log.trim(FILE, 1));
      assertThrows(LogFailedException.class,
          () -> log.overlay(UNIT, 0, ByteBuffer.allocate(1)));
    }
  }

  @Test
  void whatAFailedSyncHasLeftIsWrittenAgainOnOpening() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, UNIT, 1);
      log.sync(WAIT_MS);
      log.append(UNIT, 1, 1, 0, data(1, 50));
      folder.failAfter(0, false);
      assertThrows(LogFailedException.class, () -> log.sync(WAIT_MS));
      assertTrue(folder.heal());
    }
    try (UpdateLog log = open(folder, BOOT)) {
      assertEquals(List.of(1L), numbers(log));
      log.sync(WAIT_MS);
      folder = folder.afterTotalLoss();
    }
    try (UpdateLog log = open(folder, LATER_BOOT)) {
      assertEquals(List.of(1L), numbers(log));
    }
  }

  @Test
  void oneFailureOfTheDiskFailsAllSyncsOfAFile() throws IOException {
    LogSegment segment = new LogSegment(folder, folder.create("x"),
        new SegmentHeader(1, BOOT, 5, 0));
    segment.sync();
    folder.failAfter(0, false);
    assertThrows(IOException.class, segment::sync);
    assertTrue(folder.heal());
    assertThrows(IOException.class, segment::sync);
    segment.release();
  }

  @Test
  void syncsOfAFileFollowEachOther() throws Exception {
    LogSegment segment = new LogSegment(folder, folder.create("x"),
        new SegmentHeader(1, BOOT, 5, 0));
    AtomicInteger inSync = new AtomicInteger();
    AtomicInteger mostAtOnce = new AtomicInteger();
    CountDownLatch both = new CountDownLatch(2);
    folder.beforeSync(() -> {
      mostAtOnce.accumulateAndGet(inSync.incrementAndGet(), Math::max);
      // The other thread has come to its sync, or is a moment before it.
      Thread.yield();
      inSync.decrementAndGet();
    });
    Callable<Void> syncs = () -> {
      both.countDown();
      both.await();
      for (int i = 0; i < 5_000; i++) {
        segment.sync();
      }
      return null;
    };
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<Void> first = threads.submit(syncs);
      Future<Void> second = threads.submit(syncs);
      first.get(WAIT_MS, TimeUnit.MILLISECONDS);
      second.get(WAIT_MS, TimeUnit.MILLISECONDS);
    } finally {
      threads.shutdownNow();
    }
    assertEquals(1, mostAtOnce.get());
    segment.release();
  }

  @Test
  void fullLogBeginsTerms() throws IOException {
    LogLimits limits = new LogLimits(100_000, LogBed.SEGMENT_BYTES, 10_000);
    try (UpdateLog log = open(folder, BOOT, limits)) {
      begin(log, UNIT, 1);
      assertThrows(LogFullException.class, () -> {
        while (true) {
          log.append(UNIT, 1, 1, 0, data(1, 50));
        }
      });
      long last = log.state(UNIT).get().last;
      // A begin is shorter than an update, and one may find room by chance.
      int begins = 0;
      LogFullException full = null;
      while (full == null) {
        try {
          log.begin(UNIT, 2 + begins, last, last, false);
          begins++;
        } catch (LogFullException e) {
          full = e;
        }
      }
      assertTrue(begins >= 10, begins + " begins");
      assertTrue(log.bytes() <= 100_000, log.bytes() + " bytes");
    }
  }

  /** The leader has updates for which this follower had no room; the next term begins with them. */
  @Test
  void fullLogTakesTheRestOfAHistory() throws IOException {
    LogLimits limits = new LogLimits(100_000, LogBed.SEGMENT_BYTES, 10_000, 10_000, 0);
    try (UpdateLog log = open(folder, BOOT, limits)) {
      begin(log, UNIT, 1);
      assertThrows(LogFullException.class, () -> {
        while (true) {
          log.append(UNIT, 1, 1, 0, data(1, 500));
        }
      });
      long last = log.state(UNIT).get().last;
      log.begin(UNIT, 2, last, last + 10, false);
      for (long number = last + 1; number <= last + 10; number++) {
        log.copy(UNIT, 2, new NumberedUpdate(number, 1, 0, 500, Origin.NONE), data(2, 500));
      }
      assertTrue(log.state(UNIT).get().isComplete());
      assertThrows(LogFullException.class, () -> log.append(UNIT, 2, 1, 0, data(1, 500)));
      log.trim(FILE, 1);
      log.append(UNIT, 2, 2, 0, data(1, 500));
    }
  }

  /** Another node leads, and has taken an update before it could know of this full log. */
  @Test
  void logThatIsFullForItsOwnUpdatesFollows() throws IOException {
    LogLimits limits = new LogLimits(100_000, LogBed.SEGMENT_BYTES, 160, 10_000, 10_000);
    for (int length : new int[] {1, 1000}) {
      folder = new MemoryFolder();
      try (UpdateLog log = open(folder, BOOT, limits)) {
        begin(log, OTHER, 1);
        begin(log, UNIT, 2);
        LogSpace before = log.room();
        log.append(UNIT, 2, 1, 0, data(1, length));
        assertEquals(1, before.minus(log.room()).records);
        int taken = 1;
        while (log.room().holds(LogLimits.need(length))) {
          log.append(UNIT, 2, 1, 0, data(1, length));
          taken++;
        }
        assertThrows(LogFullException.class, () -> log.append(UNIT, 2, 1, 0, data(1, length)));
        assertTrue(taken > 60, taken + " updates");
        for (long number = 1; number <= 5; number++) {
          log.copy(OTHER, 1, new NumberedUpdate(number, 1, 0, length, Origin.NONE),
              data(2, length));
          assertFalse(log.room().holds(LogLimits.need(length)));
        }
        assertThrows(LogFullException.class, () -> {
          for (long number = 6; number < 100; number++) {
            log.copy(OTHER, 1, new NumberedUpdate(number, 1, 0, length, Origin.NONE),
                data(2, length));
          }
        });
        // The rest of a history still finds room.
        long last = log.state(OTHER).get().last;
        log.begin(OTHER, 3, last, last + 5, false);
        for (long number = last + 1; number <= last + 5; number++) {
          log.copy(OTHER, 3, new NumberedUpdate(number, 1, 0, length, Origin.NONE),
              data(2, length));
        }
        log.trim(FILE, 1);
        log.trim(OTHER_FILE, 1);
        assertTrue(log.room().holds(LogLimits.need(length)));
        log.append(UNIT, 2, 2, 0, data(1, length));
      }
    }
  }

  @Test
  void manyUnitsLeaveRoomForTerms() throws IOException {
    try (UpdateLog log = open(folder, BOOT, new LogLimits(1 << 20, 4096, 640))) {
      begin(log, UNIT, 1);
      assertThrows(LogFullException.class, () -> {
        while (true) {
          log.append(UNIT, 1, 1, 0, data(1, 1));
        }
      });
      begin(log, OTHER, 2);
    }
  }

  @Test
  void syncedUpdatesSurviveALossOfPower() throws IOException {
    for (int seed = 0; seed < 50; seed++) {
      folder = new MemoryFolder();
      try (UpdateLog log = open(folder, BOOT)) {
        begin(log, UNIT, 1);
        log.append(UNIT, 1, 1, 0, data(1, 700));
        log.sync(WAIT_MS);
        log.append(UNIT, 1, 1, 0, data(2, 700));
        folder = folder.afterPowerLoss(new java.util.Random(seed));
      }
      try (UpdateLog log = open(folder, LATER_BOOT)) {
        List<LogEntry> entries = log.entries(UNIT, 0, 10);
        assertTrue(entries.size() >= 1, "seed " + seed);
        for (LogEntry entry : entries) {
          assertArrayEquals(data((int) entry.sequence, 700).array(), log.read(entry));
        }
      }
    }
  }

  @Test
  void limitsAreChecked() {
    assertThrows(IllegalArgumentException.class, () -> new LogLimits(4095, 2048, 10));
    assertThrows(IllegalArgumentException.class, () -> new LogLimits(4096, 100, 10));
    assertThrows(IllegalArgumentException.class, () -> new LogLimits(4096, 2048, 0));
    assertThrows(IllegalArgumentException.class, () -> LogLimits.of(1 << 20));
    assertEquals(8 << 20, LogLimits.of(32 << 20).segmentBytes);
    assertEquals(64 << 20, LogLimits.of(8L << 30).segmentBytes);
    assertEquals(1 << 30, LogLimits.of(1L << 40).segmentBytes, "for 2048 open files at most");
  }
}
