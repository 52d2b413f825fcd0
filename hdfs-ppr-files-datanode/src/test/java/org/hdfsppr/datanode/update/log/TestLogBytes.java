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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.update.log.DiskLog.DiskFolder;
import org.hdfsppr.record.RecordFile;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.UnitId;
import org.junit.jupiter.api.Test;

/** Records the bytes of update logs. */
@InterfaceAudience.Private
class TestLogBytes {
  private static final UUID FILE = UUID.fromString("01020304-0506-4708-890a-0b0c0d0e0f10");
  private static final UnitId UNIT = new UnitId(FILE, 3, 8);
  private static final long SALT = 0x0123456789abcdefL;
  private static final long AT = 4711;
  private static final long SYNCED = 4096;
  private static final byte[] GONE = {};

  /** Reads a segment's header and writes it again. */
  private static byte[] segmentAgain(byte[] bytes) {
    return LogFormat.encode(LogFormat.segment(bytes));
  }

  private static byte[] sealed(int at, int value) {
    ByteBuffer bytes = ByteBuffer.wrap(LogFormat.encode(new SegmentHeader(1, 2, 3, 4)));
    bytes.putInt(at, value);
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), 0, 44);
    return bytes.putInt(44, (int) crc.getValue()).array();
  }

  @Test
  void headersOfSegmentsAreAsRecorded() throws IOException {
    RecordFile.of("update-log-segment", "the beginning of a segment of an update log",
        TestLogBytes::segmentAgain)
        .record("of the first segment", LogFormat.encode(new SegmentHeader(1, 0, 0, 0)))
        .record("of a later segment", LogFormat.encode(
            new SegmentHeader(255, -0x123456789abcdefL, SALT, 77)))
        .given("of a later version", sealed(8, 3))
        .given("of an earlier version", sealed(8, 1))
        .given("with a floor below 0", sealed(36, -1))
        .check();
    assertEquals("segment-00000000000000ff", LogFormat.name(255));
    assertEquals("in_use.lock", DiskFolder.LOCK);
  }

  private static byte[] write(RecordHeader header, int length) {
    byte[] data = new byte[length];
    for (int i = 0; i < length; i++) {
      data[i] = (byte) (i * 7 + 1);
    }
    return LogFormat.encode(header, ByteBuffer.wrap(data), SALT, AT, SYNCED);
  }

  /** Reads a whole record as a scan does, and writes it again. */
  private static byte[] recordAgain(byte[] bytes) throws IOException {
    if (bytes.length < LogFormat.HEADER_BYTES) {
      throw new EOFException("the file ends within a record");
    }
    RecordHeader header = LogFormat.record(bytes, SALT, AT);
    if (bytes.length < LogFormat.recordBytes(header.length)) {
      throw new EOFException("the file ends within a record");
    }
    int tableEnd = LogFormat.HEADER_BYTES + LogFormat.tableBytes(header.length);
    byte[] table = Arrays.copyOfRange(bytes, LogFormat.HEADER_BYTES, tableEnd);
    if (!LogFormat.isTable(bytes, table)) {
      throw new IOException("the table does not match its checksum");
    }
    for (int piece = 0; piece * LogFormat.CHECKED_BYTES < header.length; piece++) {
      int from = piece * LogFormat.CHECKED_BYTES;
      if (!LogFormat.isData(table, piece, bytes, tableEnd + from,
          Math.min(LogFormat.CHECKED_BYTES, header.length - from))) {
        throw new IOException("the data do not match their checksum");
      }
    }
    return LogFormat.encode(header, ByteBuffer.wrap(bytes, tableEnd, header.length).slice(),
        SALT, AT, LogFormat.synced(bytes, 0));
  }

  private static RecordHeader of(RecordKind kind, int length, Origin origin) {
    return new RecordHeader(kind, UNIT, 12, 13, new NumberedUpdate(14, 15, 16, length, origin));
  }

  @Test
  void recordsAreAsRecorded() throws IOException {
    byte[] unknown = write(RecordHeader.floor(9, 5), 0);
    unknown[4] = 8;
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(16).putLong(SALT).putLong(AT).array());
    crc.update(unknown, 0, 104);
    ByteBuffer.wrap(unknown).putInt(104, (int) crc.getValue());
    RecordFile.of("update-log-record", "a record of an update log, at byte 4711 of a segment with"
        + " the salt 0123456789abcdef", TestLogBytes::recordAgain)
        .record("UPDATE of two pieces", write(of(RecordKind.UPDATE, 4_100,
            Origin.of(-17, 18)), 4_100))
        .record("UPDATE of a byte", write(of(RecordKind.UPDATE, 1, Origin.NONE), 1))
        .record("DELTA", write(of(RecordKind.DELTA, 20, Origin.of(19, 20)), 20))
        .record("TERM", write(RecordHeader.begin(false, UNIT, 12, 13, 14), 0))
        .record("ANEW", write(RecordHeader.begin(true, UNIT, 12, 13, 14), 0))
        .record("TRIM", write(RecordHeader.trim(FILE, 15), 0))
        .record("FLOOR", write(RecordHeader.floor(9, 5), 0))
        .record("MARK", write(new RecordHeader(RecordKind.MARK, UNIT, 12, 13,
            new NumberedUpdate(14, 15, 11, 0)), 0))
        .given("of a kind of a later version", unknown)
        .check();
  }

  /** A whole log: what an UpdateLog writes for calls, and that it opens the same. */
  @Test
  void aLogIsAsRecorded() throws IOException {
    MemoryFolder folder = new MemoryFolder();
    try (UpdateLog log = LogBed.open(folder, LogBed.BOOT)) {
      LogBed.begin(log, LogBed.UNIT, 3);
      log.append(LogBed.UNIT, 3, 1, 100, LogBed.data(1, 30), Origin.of(4, 1));
      log.sync(LogBed.WAIT_MS);
      log.append(LogBed.UNIT, 3, 1, 110, LogBed.data(2, 900), Origin.of(4, 2));
      log.begin(LogBed.OTHER, 4, 0, 0, true);
      log.copy(LogBed.OTHER, 4, new NumberedUpdate(1, 2, 0, 900, Origin.of(5, 1))
          .asDelta(), LogBed.data(3, 900));
      log.begin(LogBed.UNIT, 6, 2, 2, false);
      log.append(LogBed.UNIT, 6, 2, 0, LogBed.data(4, 700), Origin.NONE);
      log.trim(LogBed.FILE, 1);
      log.trim(LogBed.OTHER_FILE, 2);
    }
    RecordFile file = RecordFile.of("update-log", "all files of an update log with segments of"
        + " 2048 bytes, read after a start of the machine", bytes -> bytes);
    for (String name : folder.names()) {
      file.record(name, folder.bytes(name), bytes -> reopened(folder, name, bytes));
    }
    file.check();
  }

  /** Opens a log, one file of which is another one, and returns what the file has then. */
  private static byte[] reopened(MemoryFolder folder, String name, byte[] other)
      throws IOException {
    MemoryFolder changed = folder.copy();
    changed.put(name, other);
    LogBed.open(changed, LogBed.LATER_BOOT).close();
    return changed.names().contains(name) ? changed.bytes(name) : GONE;
  }

  private static final UnitId COMMITTED =
      new UnitId(UUID.fromString("869e9380-e01e-4853-be35-74df83cd8aca"), 0, 0);
  private static final UUID OBJECT = UUID.fromString("fc0277d8-7009-4bed-8447-0c1f1ec767d7");

  private static byte[] segmentOf020() throws IOException {
    Map<String, byte[]> files = RecordFile.allOf020("update-log.txt");
    assertEquals(1, files.size());
    String name = files.keySet().iterator().next();
    assertEquals(1, LogFormat.number(name.substring(name.indexOf('/') + 1)));
    return files.get(name);
  }

  private static String say(RecordHeader record, long synced) {
    return record.kind + " " + record.unit.file.toString().substring(0, 2) + "/"
        + record.unit.group + "/" + record.unit.unit + " term " + record.term + "/"
        + record.base + " sequence " + record.sequence + " epoch " + record.epoch + " at "
        + record.offset + "+" + record.length + " synced " + synced + " by "
        + record.origin.number;
  }

  /** Each record of a log of that release is written as it was. */
  @Test
  void recordsOfRelease020AreRead() throws IOException {
    byte[] segment = segmentOf020();
    byte[] head = Arrays.copyOf(segment, LogFormat.SEGMENT_HEADER_BYTES);
    assertArrayEquals(head, segmentAgain(head));
    SegmentHeader header = LogFormat.segment(head);
    assertEquals(1, header.number);
    assertEquals(0, header.floor);
    List<String> read = new ArrayList<>();
    int at = head.length;
    while (at < segment.length) {
      byte[] bytes = Arrays.copyOfRange(segment, at, segment.length);
      RecordHeader record = LogFormat.record(bytes, header.salt, at);
      int length = (int) LogFormat.recordBytes(record.length);
      read.add(say(record, LogFormat.synced(bytes, 0)));
      assertArrayEquals(Arrays.copyOf(bytes, length), LogFormat.encode(record,
          ByteBuffer.wrap(bytes, length - record.length, record.length).slice(),
          header.salt, at, LogFormat.synced(bytes, 0)));
      at += length;
    }
    assertEquals(List.of(
        "ANEW 86/0/0 term 4/0 sequence 0 epoch 0 at 0+0 synced 48 by 0",
        "UPDATE 86/0/0 term 4/0 sequence 1 epoch 1 at 0+9 synced 156 by 1",
        "TERM 86/0/0 term 7/1 sequence 1 epoch 0 at 0+0 synced 277 by 0",
        "TRIM 86/0/0 term 0/0 sequence 0 epoch 1 at 0+0 synced 385 by 0",
        "UPDATE 86/0/0 term 7/1 sequence 2 epoch 2 at 3+7 synced 385 by 1",
        "ANEW fc/0/3 term 22/0 sequence 0 epoch 0 at 0+0 synced 612 by 0",
        "ANEW fc/0/4 term 23/0 sequence 0 epoch 0 at 0+0 synced 612 by 0",
        "ANEW fc/0/5 term 24/0 sequence 0 epoch 0 at 0+0 synced 612 by 0",
        "ANEW fc/0/0 term 19/0 sequence 0 epoch 0 at 0+0 synced 612 by 0",
        "ANEW fc/0/1 term 20/0 sequence 0 epoch 0 at 0+0 synced 612 by 0",
        "ANEW fc/0/2 term 21/0 sequence 0 epoch 0 at 0+0 synced 1152 by 0",
        "TERM fc/0/1 term 25/0 sequence 0 epoch 0 at 0+0 synced 1260 by 0"), read);
  }

  @Test
  void aLogOfRelease020IsOpened() throws IOException {
    byte[] segment = segmentOf020();
    MemoryFolder folder = new MemoryFolder();
    folder.put(LogFormat.name(1), segment.clone());
    try (UpdateLog log = LogBed.open(folder, LogBed.LATER_BOOT)) {
      assertEquals(7, log.state(COMMITTED).get().term);
      assertEquals(2, log.state(COMMITTED).get().last);
      assertEquals(1, log.trimmed(COMMITTED.file));
      List<LogEntry> entries = log.entries(COMMITTED, 0, 9);
      assertEquals(1, entries.size());
      assertEquals(3, entries.get(0).offset);
      assertEquals("not yet", new String(log.read(entries.get(0)), StandardCharsets.UTF_8));
      assertEquals(25, log.state(new UnitId(OBJECT, 0, 1)).get().term);
      assertEquals(24, log.state(new UnitId(OBJECT, 0, 5)).get().term);
    }
    assertArrayEquals(segment, folder.bytes(LogFormat.name(1)));
  }
}
