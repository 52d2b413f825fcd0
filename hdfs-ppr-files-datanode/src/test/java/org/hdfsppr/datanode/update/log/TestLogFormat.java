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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.UnitId;
import org.junit.jupiter.api.Test;

/** Tests that the bytes of a log are those of its description, and which of them are refused. */
@InterfaceAudience.Private
class TestLogFormat {
  private static final UnitId UNIT = new UnitId(new UUID(0x0102030405060708L, 9), 10, 11);
  private static final long SALT = 77;
  private static final long AT = 4711;

  private static RecordHeader update(long offset, int length) {
    return new RecordHeader(RecordKind.UPDATE,
        UNIT, 12, 13, new NumberedUpdate(14, 15, offset, length, Origin.of(-17, 18)));
  }

  private static byte[] record(int length) {
    byte[] data = new byte[length];
    Arrays.fill(data, (byte) 5);
    return LogFormat.encode(update(16, length), ByteBuffer.wrap(data), SALT, AT, 99);
  }

  private static int sum(byte[]... parts) {
    CRC32C crc = new CRC32C();
    for (byte[] part : parts) {
      crc.update(part);
    }
    return (int) crc.getValue();
  }

  @Test
  void recordHasTheDescribedBytes() {
    byte[] bytes = record(5000);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    assertEquals("PUR1", new String(bytes, 0, 4, StandardCharsets.US_ASCII));
    assertEquals(1, bytes[4]);
    assertEquals(0x0102030405060708L, buffer.getLong(8));
    assertEquals(9, buffer.getLong(16));
    assertEquals(10, buffer.getInt(24));
    assertEquals(11, buffer.getInt(28));
    assertEquals(12, buffer.getLong(32));
    assertEquals(13, buffer.getLong(40));
    assertEquals(14, buffer.getLong(48));
    assertEquals(15, buffer.getLong(56));
    assertEquals(16, buffer.getLong(64));
    assertEquals(5000, buffer.getInt(72));
    assertEquals(99, buffer.getLong(76));
    assertEquals(-17, buffer.getLong(84));
    assertEquals(18, buffer.getLong(92));
    assertEquals(sum(Arrays.copyOfRange(bytes, 108, 116)), buffer.getInt(100));
    assertEquals(sum(ByteBuffer.allocate(16).putLong(SALT).putLong(AT).array(),
        Arrays.copyOf(bytes, 104)), buffer.getInt(104));
    assertEquals(sum(Arrays.copyOfRange(bytes, 116, 116 + 4096)), buffer.getInt(108));
    assertEquals(sum(Arrays.copyOfRange(bytes, 116 + 4096, 116 + 5000)), buffer.getInt(112));
    assertEquals(116 + 5000, bytes.length);
  }

  @Test
  void readsWhatItWrites() {
    byte[] bytes = record(5000);
    RecordHeader read = LogFormat.record(bytes, SALT, AT);
    assertEquals(RecordKind.UPDATE, read.kind);
    assertEquals(UNIT, read.unit);
    assertEquals(12, read.term);
    assertEquals(13, read.base);
    assertEquals(14, read.sequence);
    assertEquals(15, read.epoch);
    assertEquals(16, read.offset);
    assertEquals(5000, read.length);
    assertEquals(Origin.of(-17, 18), read.origin);
    assertEquals(99, LogFormat.synced(bytes, 0));
  }

  @Test
  void recordIsBoundToItsPlace() {
    byte[] bytes = record(10);
    assertThrows(IllegalArgumentException.class, () -> LogFormat.record(bytes, SALT, AT + 1));
    assertThrows(IllegalArgumentException.class, () -> LogFormat.record(bytes, SALT + 1, AT));
  }

  @Test
  void segmentHeaderIsChecked() {
    byte[] bytes = LogFormat.encode(new SegmentHeader(3, 4, 5, 6));
    assertEquals("PPRUPLOG", new String(bytes, 0, 8, StandardCharsets.US_ASCII));
    SegmentHeader read = LogFormat.segment(bytes);
    assertEquals(3, read.number);
    assertEquals(4, read.boot);
    assertEquals(5, read.salt);
    assertEquals(6, read.floor);
    for (int i = 0; i < bytes.length; i++) {
      byte[] wrong = bytes.clone();
      wrong[i] ^= 1;
      assertThrows(IllegalArgumentException.class, () -> LogFormat.segment(wrong), "byte " + i);
    }
    ByteBuffer newer = ByteBuffer.wrap(bytes.clone());
    newer.putInt(8, 3).putInt(44, sum(Arrays.copyOf(newer.array(), 44)));
    assertTrue(assertThrows(IllegalArgumentException.class,
        () -> LogFormat.segment(newer.array())).getMessage().contains("version 3"));
  }

  @Test
  void namesAreNumbers() {
    assertEquals("segment-00000000000000ff", LogFormat.name(255));
    assertEquals(255, LogFormat.number("segment-00000000000000ff"));
    assertEquals(Long.MAX_VALUE, LogFormat.number(LogFormat.name(Long.MAX_VALUE)));
    for (String other : Arrays.asList("segment-ff", "segment-00000000000000fF", "x",
        "segment-8000000000000000", "segment-00000000000000ff.tmp")) {
      assertEquals(-1, LogFormat.number(other), other);
    }
  }

  @Test
  void fieldsThatMakeNoSenseAreNamed() {
    assertNull(update(0, 1).flaw());
    assertNull(update(LogFormat.UNIT_BYTES_MAX - 7, 7).flaw());
    assertNull(update(0, LogFormat.DATA_BYTES_MAX).flaw());
    assertNotNull(update(LogFormat.UNIT_BYTES_MAX - 6, 7).flaw());
    assertNotNull(update(Long.MAX_VALUE, 7).flaw());
    assertNotNull(update(-1, 7).flaw());
    assertNotNull(update(0, 0).flaw());
    assertNotNull(update(0, -1).flaw());
    assertNotNull(update(0, LogFormat.DATA_BYTES_MAX + 1).flaw());
    assertNotNull(
        new RecordHeader(RecordKind.UPDATE, UNIT, 0, 0, new NumberedUpdate(1, 1, 0, 1)).flaw());
    assertNotNull(new RecordHeader(RecordKind.UPDATE, UNIT, 1, -1, new NumberedUpdate(1, 1, 0, 1))
        .flaw());
    assertNotNull(
        new RecordHeader(RecordKind.UPDATE, UNIT, 1, 0, new NumberedUpdate(0, 1, 0, 1)).flaw());
    assertNotNull(
        new RecordHeader(RecordKind.UPDATE, UNIT, 1, 0, new NumberedUpdate(1, 0, 0, 1)).flaw());
    assertNotNull(
        new RecordHeader(RecordKind.TERM, UNIT, 1, 0, new NumberedUpdate(1, 1, 0, 0)).flaw());
    assertNotNull(new RecordHeader(
        RecordKind.TERM, UNIT, 1, 0, new NumberedUpdate(1, 0, 0, 0, Origin.of(1, 1))).flaw());
    assertNotNull(
        new RecordHeader(RecordKind.ANEW, UNIT, 1, 0, new NumberedUpdate(1, 0, 0, 9)).flaw());
    assertNotNull(
        new RecordHeader(RecordKind.TRIM, UNIT, 0, 0, new NumberedUpdate(0, 1, 0, 0)).flaw());
    assertNotNull(
        new RecordHeader(RecordKind.FLOOR, UNIT, 1, 0, new NumberedUpdate(0, 0, 0, 0)).flaw());
    assertNull(RecordHeader.trim(UNIT.file, 1).flaw());
    assertNull(RecordHeader.floor(0, 1).flaw());
    assertNull(RecordHeader.begin(true, UNIT, 1, 0, 0).flaw());
    assertNull(RecordKind.ofNumber(0));
    assertNotNull(
        new RecordHeader(RecordKind.MARK, UNIT, 0, 0, new NumberedUpdate(1, 1, 0, 0)).flaw());
    assertNotNull(
        new RecordHeader(RecordKind.MARK, UNIT, 1, 0, new NumberedUpdate(1, 1, -1, 0)).flaw());
    assertNotNull(
        new RecordHeader(RecordKind.MARK, UNIT, 1, 0, new NumberedUpdate(1, 1, 0, 1)).flaw());
    assertNull(
        new RecordHeader(RecordKind.MARK, UNIT, 1, 0, new NumberedUpdate(0, 0, 0, 0)).flaw());
    assertNull(RecordKind.ofNumber(8));
    assertNotNull(
        new RecordHeader(RecordKind.DELTA, UNIT, 1, 0, new NumberedUpdate(1, 0, 0, 1)).flaw());
    assertNull(
        new RecordHeader(RecordKind.DELTA, UNIT, 1, 0, new NumberedUpdate(1, 1, 0, 1)).flaw());
  }

  @Test
  void partsOfTheDataAreChecked() {
    byte[] bytes = record(5000);
    byte[] table = Arrays.copyOfRange(bytes, 108, 116);
    byte[] data = Arrays.copyOfRange(bytes, 116, bytes.length);
    assertTrue(LogFormat.isTable(bytes, table));
    assertTrue(LogFormat.isData(table, 0, data, 0, 4096));
    assertTrue(LogFormat.isData(table, 1, data, 4096, 904));
    data[4096] ^= 1;
    assertTrue(LogFormat.isData(table, 0, data, 0, 4096));
    assertFalse(LogFormat.isData(table, 1, data, 4096, 904));
    table[7] ^= 1;
    assertFalse(LogFormat.isTable(bytes, table));
  }
}
