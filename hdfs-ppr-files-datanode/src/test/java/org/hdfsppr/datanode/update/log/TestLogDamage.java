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
import static org.hdfsppr.datanode.update.log.LogBed.LATER_BOOT;
import static org.hdfsppr.datanode.update.log.LogBed.UNIT;
import static org.hdfsppr.datanode.update.log.LogBed.WAIT_MS;
import static org.hdfsppr.datanode.update.log.LogBed.begin;
import static org.hdfsppr.datanode.update.log.LogBed.data;
import static org.hdfsppr.datanode.update.log.LogBed.open;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.NumberedUpdate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Damages the bytes of a log at every place. A log either opens with what was acknowledged, or
 * names file and byte and leaves the files as they were.
 */
@InterfaceAudience.Private
class TestLogDamage {
  private static final String FIRST = LogFormat.name(1);
  private static final int DATA_BYTES = 300;

  private final MemoryFolder folder = new MemoryFolder();
  /** Where in the first segment the records of three updates begin, and the end. */
  private final int[] places = new int[4];

  @BeforeEach
  void writeThreeUpdates() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      begin(log, UNIT, 1);
      for (int i = 0; i < 3; i++) {
        places[i] = folder.bytes(FIRST).length;
        log.append(UNIT, 1, 1, 10 * i, data(i, DATA_BYTES));
        log.sync(WAIT_MS);
      }
      places[3] = folder.bytes(FIRST).length;
    }
  }

  /** Opens the log, appends an update, and opens it again. */
  private static void assertOpensWith(MemoryFolder damaged, long boot, int updates, String what)
      throws IOException {
    for (int more = 0; more < 2; more++) {
      try (UpdateLog log = open(damaged, boot)) {
        List<LogEntry> entries = log.entries(UNIT, 0, 10);
        assertEquals(updates + more, entries.size(), what);
        for (int i = 0; i < updates; i++) {
          assertArrayEquals(data(i, DATA_BYTES).array(), log.read(entries.get(i)), what);
        }
        if (more == 0) {
          log.append(UNIT, 1, 1, 0, data(99, 1));
        } else {
          assertArrayEquals(data(99, 1).array(), log.read(entries.get(updates)), what);
        }
      }
    }
    assertEquals(0, damaged.open(), "open files");
  }

  private static void assertLoud(MemoryFolder damaged, long boot, String file, long offset,
      String what) throws IOException {
    MemoryFolder before = damaged.copy();
    CorruptLogException e =
        assertThrows(CorruptLogException.class, () -> open(damaged, boot).close(), what);
    assertEquals(file, e.file, what);
    assertEquals(offset, e.offset, what);
    assertTrue(e.getMessage().contains(file) && e.getMessage().contains("byte " + offset), what);
    assertEquals(before.names(), damaged.names(), what);
    for (String name : before.names()) {
      assertArrayEquals(before.bytes(name), damaged.bytes(name), what);
    }
    assertEquals(0, damaged.open(), "open files, " + what);
  }

  private MemoryFolder with(byte[] first) {
    MemoryFolder damaged = new MemoryFolder();
    damaged.put(FIRST, first);
    return damaged;
  }

  @Test
  void tornTailIsCutOffAtEachByte() throws IOException {
    for (int cut = places[2]; cut < places[3]; cut++) {
      for (long boot : new long[] {BOOT, LATER_BOOT}) {
        assertOpensWith(with(Arrays.copyOf(folder.bytes(FIRST), cut)), boot, 2,
            "cut at " + cut + ", boot " + boot);
      }
    }
    assertOpensWith(with(folder.bytes(FIRST).clone()), BOOT, 3, "whole");
  }

  @Test
  void flippedBitInTheMiddleIsLoudAtEachByte() throws IOException {
    for (int at = places[1]; at < places[2]; at++) {
      for (long boot : new long[] {BOOT, LATER_BOOT}) {
        byte[] bytes = folder.bytes(FIRST).clone();
        bytes[at] ^= 1 << at % 8;
        assertLoud(with(bytes), boot, FIRST, places[1], "byte " + at + ", boot " + boot);
      }
    }
  }

  @Test
  void flippedBitOfTheLastRecordIsLoudUnlessPowerWasLost() throws IOException {
    for (int at = places[2]; at < places[3]; at++) {
      byte[] bytes = folder.bytes(FIRST).clone();
      bytes[at] ^= 4;
      assertLoud(with(bytes.clone()), BOOT, FIRST, places[2], "byte " + at);
      assertOpensWith(with(bytes), LATER_BOOT, 2, "byte " + at);
    }
  }

  @Test
  void flippedBitInTheHeaderOfTheSegmentIsLoud() throws IOException {
    for (int at = 0; at < LogFormat.SEGMENT_HEADER_BYTES; at++) {
      byte[] bytes = folder.bytes(FIRST).clone();
      bytes[at] ^= 16;
      assertLoud(with(bytes), LATER_BOOT, FIRST, 0, "byte " + at);
    }
  }

  @Test
  void damageBeforeAnotherSegmentIsLoud() throws IOException {
    String second = LogFormat.name(2);
    try (UpdateLog log = open(folder, BOOT)) {
      log.append(UNIT, 1, 1, 0, data(4, 10));
    }
    for (int cut = places[2] + 1; cut < places[3]; cut++) {
      MemoryFolder damaged = with(Arrays.copyOf(folder.bytes(FIRST), cut));
      damaged.put(second, folder.bytes(second).clone());
      assertLoud(damaged, LATER_BOOT, FIRST, places[2], "cut at " + cut);
    }
    // Without its last record the segment is whole, but the next one does not follow.
    MemoryFolder damaged = with(Arrays.copyOf(folder.bytes(FIRST), places[2]));
    damaged.put(second, folder.bytes(second).clone());
    assertLoud(damaged, LATER_BOOT, second, LogFormat.SEGMENT_HEADER_BYTES, "an update is missing");
  }

  @Test
  void missingSegmentIsLoud() throws IOException {
    for (int i = 0; i < 2; i++) {
      try (UpdateLog log = open(folder, BOOT)) {
        log.append(UNIT, 1, 1, 0, data(4 + i, 10));
      }
    }
    folder.delete(LogFormat.name(2));
    assertLoud(folder, BOOT, LogFormat.name(2), 0, "missing");
  }

  @Test
  void missingFirstSegmentIsLoud() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      log.append(UNIT, 1, 1, 0, data(4, 10));
    }
    MemoryFolder damaged = folder.copy();
    damaged.delete(FIRST);
    assertLoud(damaged, BOOT, FIRST, 0, "never dropped");
    try (UpdateLog log = open(folder, BOOT)) {
      log.append(UNIT, 1, 2, 0, data(5, 10));
      log.trim(LogBed.FILE, 1);
      log.append(UNIT, 1, 2, 0, data(6, 10));
    }
    assertEquals(List.of(LogFormat.name(3)), folder.names());
    try (UpdateLog log = open(folder, BOOT)) {
      log.append(UNIT, 1, 2, 0, data(7, 10));
    }
    folder.delete(LogFormat.name(3));
    // The record that says so was in the missing segment.
    assertLoud(folder, BOOT, FIRST, 0, "missing");
  }

  @Test
  void firstSegmentAfterADropIsNeeded() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      log.append(UNIT, 1, 2, 0, data(5, 2000));
      log.append(UNIT, 1, 2, 0, data(5, 2000));
      log.append(UNIT, 1, 2, 0, data(5, 2000));
      log.trim(LogBed.FILE, 1);
    }
    String first = folder.names().get(0);
    assertEquals(LogFormat.name(2), first);
    folder.delete(first);
    assertLoud(folder, BOOT, first, 0, "missing");
  }

  @Test
  void segmentUnderAnotherNameIsLoud() throws IOException {
    MemoryFolder renamed = new MemoryFolder();
    renamed.put(LogFormat.name(5), folder.bytes(FIRST).clone());
    assertLoud(renamed, BOOT, LogFormat.name(5), 0, "renamed");
  }

  @Test
  void segmentThatWasJustMadeIsMadeAgain() throws IOException {
    for (int length = 0; length <= LogFormat.SEGMENT_HEADER_BYTES; length++) {
      byte[] header = LogFormat.encode(new SegmentHeader(2, BOOT, 5, 0));
      for (int flip = 0; flip < 2; flip++) {
        MemoryFolder damaged = with(folder.bytes(FIRST).clone());
        byte[] second = Arrays.copyOf(header, length);
        if (flip == 1 && length > 0) {
          second[length - 1] ^= 1;
        }
        damaged.put(LogFormat.name(2), second);
        assertOpensWith(damaged, LATER_BOOT, 3, length + " bytes");
      }
    }
  }

  @Test
  void dataThatLookLikeARecordAreNone() throws IOException {
    // A user writes what the next record would be, with a claim that all was synced, and power is
    // lost while the update is written. Only the salt of the segment is not known to the user.
    MemoryFolder forged = new MemoryFolder();
    try (UpdateLog log = open(forged, BOOT)) {
      begin(log, UNIT, 1);
      int at = forged.bytes(FIRST).length;
      long inside = at + LogFormat.HEADER_BYTES + LogFormat.tableBytes(LogFormat.HEADER_BYTES + 5);
      RecordHeader lie =
          new RecordHeader(RecordKind.UPDATE, UNIT, 1, 0, new NumberedUpdate(2, 1, 0, 1));
      byte[] record =
          LogFormat.encode(lie, ByteBuffer.wrap(new byte[1]), 0, inside, Long.MAX_VALUE);
      log.append(UNIT, 1, 1, 0, ByteBuffer.wrap(record));
      byte[] bytes = forged.bytes(FIRST).clone();
      bytes[at + 60] ^= 1;
      MemoryFolder lost = with(bytes);
      assertOpensWith(lost, LATER_BOOT, 0, "forged");
    }
  }

  @Test
  void damageIsLoudWhenItIsRead() throws IOException {
    try (UpdateLog log = open(folder, BOOT)) {
      log.show(UNIT, 3);
      LogEntry second = log.entries(UNIT, 1, 1).get(0);
      byte[] bytes = folder.bytes(FIRST);
      for (int at = places[1]; at < places[2]; at++) {
        bytes[at] ^= 32;
        assertEquals(places[1], assertThrows(CorruptLogException.class, () -> log.read(second))
            .offset, "byte " + at);
        bytes[at] ^= 32;
      }
      bytes[places[2] - 1] ^= 1;
      assertThrows(CorruptLogException.class,
          () -> log.overlay(UNIT, 10, ByteBuffer.allocate(DATA_BYTES)));
      System.arraycopy(bytes, places[0], bytes, places[1], 100);
      assertThrows(CorruptLogException.class, () -> log.read(second));
    }
    assertEquals(0, folder.open(), "open files");
  }

  /** Writes bytes over a field of a record, and makes its checksum right again. */
  private byte[] signed(int record, int field, byte[] value) {
    byte[] bytes = folder.bytes(FIRST).clone();
    int at = places[record];
    System.arraycopy(value, 0, bytes, at + field, value.length);
    CRC32C crc = new CRC32C();
    long salt = LogFormat.segment(Arrays.copyOf(bytes, LogFormat.SEGMENT_HEADER_BYTES)).salt;
    crc.update(ByteBuffer.allocate(16).putLong(salt).putLong(at).array());
    crc.update(bytes, at, 104);
    ByteBuffer.wrap(bytes).putInt(at + 104, (int) crc.getValue());
    return bytes;
  }

  @Test
  void fieldsThatContradictEachOtherAreLoud() throws IOException {
    TreeMap<Integer, Integer> fields = new TreeMap<>();
    fields.put(4, 1);
    fields.put(24, 4);
    fields.put(28, 4);
    fields.put(32, 8);
    fields.put(40, 8);
    fields.put(48, 8);
    fields.put(56, 8);
    fields.put(64, 8);
    fields.put(72, 4);
    fields.put(84, 8);
    fields.put(92, 8);
    for (int field : fields.keySet()) {
      byte[] value = new byte[fields.get(field)];
      Arrays.fill(value, (byte) 0xff);
      assertLoud(with(signed(1, field, value)), BOOT, FIRST, places[1], "field " + field);
    }
    byte[] most = ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array();
    assertLoud(with(signed(1, 72, most)), BOOT, FIRST, places[1], "length");
  }

  @Test
  void anyBytesOpenOrAreRefused() throws IOException {
    long seed = Long.getLong("log.seed", 2121);
    System.out.println("-Dlog.seed=" + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = folder.bytes(FIRST).clone();
      switch (random.nextInt(4)) {
        case 0:
          bytes = new byte[random.nextInt(600)];
          random.nextBytes(bytes);
          break;
        case 1:
          for (int i = random.nextInt(8); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
          }
          break;
        case 2:
          byte[] value = new byte[1 + random.nextInt(8)];
          random.nextBytes(value);
          bytes = signed(random.nextInt(3), random.nextInt(104 - value.length), value);
          break;
        default:
          int from = random.nextInt(bytes.length);
          int to = random.nextInt(bytes.length);
          int length = random.nextInt(bytes.length - Math.max(from, to));
          System.arraycopy(bytes, from, bytes, to, length);
          break;
      }
      MemoryFolder fuzzed = with(bytes);
      try (UpdateLog log = open(fuzzed, random.nextInt(2) + 1)) {
        for (LogEntry entry : log.entries(UNIT, 0, Integer.MAX_VALUE)) {
          assertEquals(entry.length, log.read(entry).length);
        }
      } catch (CorruptLogException e) {
        assertEquals(FIRST, e.file);
      } catch (RuntimeException e) {
        fail("round " + round, e);
      }
      assertEquals(0, fuzzed.open(), "open files");
    }
  }
}
