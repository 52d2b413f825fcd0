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
package org.hdfsppr.datanode.version;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.service.Services;
import org.hdfsppr.stream.UnitSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.ArgumentCaptor;

/** A node keeps changes for others, until their time has come. */
class TestForwardedChanges {
  private static final int LENGTH = 10_000;
  private static final long KEEP_MS = 1_000;
  private static final BlockRef BLOCK = new BlockRef("BP-1", -7, 1001, LENGTH);
  private static final ExtendedBlock NAME = name("BP-1", 1001);

  @TempDir
  private Path folder;
  private final AtomicLong nanos = new AtomicLong();
  private final ForwardedChanges changes = new ForwardedChanges(nanos::get);

  @AfterEach
  void close() {
    changes.close();
    assertEquals(0, changes.bytes());
  }

  private static ExtendedBlock name(String pool, long generationStamp) {
    return ForwardedChanges.name(new BlockRef(pool, -7, generationStamp, LENGTH))
        .toExtendedBlock();
  }

  private ForwardedChanges.Change begin() throws IOException {
    return changes.begin(BLOCK, folder);
  }

  private static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private byte[] read(int offset, int length) throws IOException {
    try (UnitSource source = changes.open(NAME)) {
      // The room around it shows bytes that are written in wrong places.
      ByteBuffer into = ByteBuffer.allocateDirect(length + 6);
      into.position(3).limit(3 + length);
      source.read(offset, into);
      assertEquals(0, into.remaining());
      into.flip();
      byte[] read = new byte[length];
      into.position(3);
      into.get(read);
      return read;
    }
  }

  @Test
  void whatWasWrittenIsReadAndNothingElse() throws IOException {
    byte[] expected = bytes(9, LENGTH);
    ForwardedChanges.Change change = begin();
    for (int at : new int[] {5_000, 100, 612}) {
      change.write(at, ByteBuffer.wrap(expected, at, 512));
    }
    assertNull(changes.open(NAME), "it is kept when all of it is written");
    change.keep(KEEP_MS);
    change.closeUnlessKept();
    assertEquals(LENGTH, changes.open(NAME).length());
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      // Across two pieces that touch.
      int from = 100 + random.nextInt(1_024);
      int length = random.nextInt(1_124 - from) + 1;
      assertArrayEquals(Arrays.copyOfRange(expected, from, from + length), read(from, length),
          from + " + " + length);
    }
    for (int[] range : new int[][] {{99, 2}, {1_123, 2}, {0, 100}, {4_000, 2_000}, {9_999, 1}}) {
      assertThrows(IOException.class, () -> read(range[0], range[1]), range[0] + "");
    }
    assertEquals(0, folder.toFile().list().length, "the file has no name");
    assertNull(changes.open(name("BP-1", 1002)), "another version");
    assertNull(changes.open(name("BP-2", 1001)), "another pool");
    assertNull(changes.open(BLOCK.toExtendedBlock()), "a reader of the replica itself");
  }

  @Test
  void aLaterChangeOfTheSameBlockReplacesIt() throws IOException {
    for (int seed = 1; seed <= 2; seed++) {
      ForwardedChanges.Change change = begin();
      change.write(0, ByteBuffer.wrap(bytes(seed, 100)));
      change.keep(KEEP_MS);
    }
    assertArrayEquals(bytes(2, 100), read(0, 100));
    assertEquals(100, changes.bytes());
  }

  @Test
  void whatIsNotKeptIsDropped() throws IOException {
    ForwardedChanges.Change change = begin();
    change.write(0, ByteBuffer.wrap(bytes(1, 100)));
    assertEquals(100, changes.bytes());
    change.closeUnlessKept();
    assertEquals(0, changes.bytes());
  }

  @Test
  void changesGoWhenTheirTimeHasCome() throws IOException {
    ForwardedChanges.Change change = begin();
    change.write(0, ByteBuffer.wrap(bytes(1, 100)));
    change.keep(KEEP_MS);
    nanos.addAndGet(999_999_999L);
    begin().close();
    assertNotNull(changes.open(NAME));
    nanos.addAndGet(1);
    begin().close();
    assertNull(changes.open(NAME));
    assertEquals(0, changes.bytes());
  }

  @Test
  void theirTimeBeginsWhenTheyAreKept() throws IOException {
    ForwardedChanges.Change change = begin();
    nanos.addAndGet(10_000_000_000L);
    change.write(0, ByteBuffer.wrap(bytes(1, 100)));
    change.keep(KEEP_MS);
    begin().close();
    assertArrayEquals(bytes(1, 100), read(0, 100));
  }

  /** Nobody may ever begin another one. */
  @Test
  void changesGoAlsoIfNoOtherOneComes() throws IOException {
    ScheduledExecutorService timer = mock(ScheduledExecutorService.class);
    changes.watch(timer, new Services(System::nanoTime));
    ArgumentCaptor<Runnable> look = ArgumentCaptor.forClass(Runnable.class);
    verify(timer).scheduleWithFixedDelay(look.capture(), anyLong(), anyLong(), any());
    ForwardedChanges.Change change = begin();
    change.write(0, ByteBuffer.wrap(bytes(1, 100)));
    change.keep(KEEP_MS);
    look.getValue().run();
    assertNotNull(changes.open(NAME));
    nanos.addAndGet(1_000_000_000L);
    look.getValue().run();
    assertNull(changes.open(NAME));
    assertEquals(0, changes.bytes());
  }

  /** A change that others may be reading is not replaced by the same one. */
  @Test
  void whatIsHereIsKeptForLonger() throws IOException {
    assertFalse(changes.renew(BLOCK, Map.of(0L, 1L), KEEP_MS));
    ForwardedChanges.Change change = begin();
    for (int at : new int[] {100, 612, 2_000}) {
      change.write(at, ByteBuffer.wrap(bytes(at, 512)));
    }
    assertFalse(changes.renew(BLOCK, Map.of(100L, 612L), KEEP_MS), "not all of it is written");
    change.keep(KEEP_MS);
    nanos.addAndGet(999_999_999L);
    assertTrue(changes.renew(BLOCK, Map.of(100L, 1_124L, 2_000L, 2_001L), KEEP_MS));
    nanos.addAndGet(999_999_999L);
    begin().close();
    assertArrayEquals(bytes(612, 512), read(612, 512));
    for (long[] range : new long[][] {{99, 101}, {1_000, 1_125}, {1_000, 2_001}, {5_000, 5_001}}) {
      assertFalse(changes.renew(BLOCK, Map.of(range[0], range[1]), KEEP_MS), range[0] + "");
    }
    assertFalse(changes.renew(new BlockRef("BP-1", -7, 1002, LENGTH), Map.of(100L, 101L),
        KEEP_MS), "another version");
  }

  /** An interrupt closes the file for all threads. The room is free then, and others say so. */
  @Test
  void aChangeThatCannotBeReadIsDropped() throws IOException {
    ForwardedChanges.Change change = begin();
    change.write(0, ByteBuffer.wrap(bytes(1, 100)));
    change.keep(KEEP_MS);
    Thread.currentThread().interrupt();
    assertThrows(ClosedByInterruptException.class, () -> read(0, 100));
    assertTrue(Thread.interrupted());
    assertFalse(changes.renew(BLOCK, Map.of(0L, 100L), KEEP_MS));
    assertNull(changes.open(NAME));
    assertEquals(0, changes.bytes());
    change.close();
    assertEquals(0, changes.bytes());
  }

  /** Each piece takes memory, also if it has one byte only. */
  @Test
  void piecesHaveABound() throws IOException {
    try (ForwardedChanges.Change change = begin()) {
      byte[] one = new byte[1];
      for (int i = 0; i < ForwardedChanges.PIECES_MAX; i++) {
        change.write(2L * i, ByteBuffer.wrap(one));
      }
      // It follows the last one, and takes no piece of its own.
      change.write(2L * ForwardedChanges.PIECES_MAX - 1, ByteBuffer.wrap(one));
      assertThrows(ForwardedChanges.NoRoomException.class, () ->
          change.write(2L * ForwardedChanges.PIECES_MAX + 1, ByteBuffer.wrap(one)));
    }
    begin().close();
  }

  /** Bytes that follow each other are read across the places where they were written. */
  @Test
  void shortWritesBecomeLongPieces() throws IOException {
    byte[] expected = bytes(4, LENGTH);
    ForwardedChanges.Change change = begin();
    for (int at = 0; at < LENGTH; at += 500) {
      change.write(at, ByteBuffer.wrap(expected, at, 500));
    }
    change.keep(KEEP_MS);
    assertArrayEquals(expected, read(0, LENGTH));
    Random random = new Random(5);
    for (int i = 0; i < 200; i++) {
      int from = random.nextInt(LENGTH);
      int length = 1 + random.nextInt(LENGTH - from);
      assertArrayEquals(Arrays.copyOfRange(expected, from, from + length), read(from, length),
          from + " + " + length);
    }
  }

  @Test
  void thereIsABound() throws IOException {
    for (int i = 0; i < ForwardedChanges.CHANGES_MAX; i++) {
      ForwardedChanges.Change change =
          changes.begin(new BlockRef("BP-1", i, 1, LENGTH), folder);
      change.keep(KEEP_MS);
    }
    assertThrows(ForwardedChanges.NoRoomException.class, this::begin);
    nanos.addAndGet(1_000_000_000L);
    begin().close();
  }
}
