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

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateBounds;

/**
 * The bytes of a log. A log is a folder of segments with consecutive numbers; their names are
 * {@code segment-} and 16 hexadecimal digits. A segment has a header and then records, without
 * gaps. All numbers are big-endian.
 *
 * <pre>
 *   segment   0  magic "PPRUPLOG"   8
 *             8  version, 2         4
 *            12  number             8
 *            20  boot               8
 *            28  salt               8
 *            36  floor              8
 *            44  CRC32C of 0..43    4
 *            48  records
 *
 *   record    0  magic "PUR1"       4
 *             4  kind               1
 *             5  zeros              3
 *             8  UUID of the file  16
 *            24  group              4
 *            28  unit               4
 *            32  term               8
 *            40  base               8
 *            48  sequence           8
 *            56  epoch              8
 *            64  offset             8
 *            72  length             4
 *            76  synced             8    bytes of the segment that were on the disk by then
 *            84  writer             8
 *            92  writer's number    8
 *           100  CRC32C of table    4
 *           104  CRC32C of salt, position of the record in the segment, and 0..103   4
 *           108  table              a CRC32C for each 4096 bytes of data, 4 each
 *             .  data
 * </pre>
 *
 * The checksum of a header includes the segment's salt, a random number, and the record's position.
 * So data of a user that look like a record are not taken for one. A delta has the fields of an
 * update. With the table, a reader can verify the part of the data that it reads without the rest.
 */
final class LogFormat {
  /** The length of a segment's header, bytes. */
  static final int SEGMENT_HEADER_BYTES = 48;
  /** The length of a record's header without its table, bytes. */
  static final int HEADER_BYTES = 108;
  /** How many bytes of data each checksum of the table covers; the last one may cover fewer. */
  static final int CHECKED_BYTES = 4096;
  /** How many bytes of data a record has at most. */
  static final int DATA_BYTES_MAX = UpdateBounds.UPDATE_BYTES_MAX;
  /** How many bytes a unit has at most. */
  static final long UNIT_BYTES_MAX = UpdateBounds.UNIT_BYTES_MAX;

  private static final long SEGMENT_MAGIC = 0x5050525550_4c4f47L;
  private static final int RECORD_MAGIC = 0x50555231;
  private static final int VERSION = 2;
  private static final int SYNCED_AT = 76;
  private static final int ORIGIN_AT = 84;
  private static final int TABLE_SUM_AT = 100;
  private static final int HEADER_SUM_AT = 104;
  private static final Pattern NAME = Pattern.compile("segment-([0-9a-f]{16})");

  private LogFormat() {
  }

  /** Returns the name of the file of a segment. */
  static String name(long number) {
    return String.format(Locale.ROOT, "segment-%016x", number);
  }

  /** Returns the number of the segment that has this file name, or -1 if no segment can have it. */
  static long number(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches() && name.charAt(8) < '8'
        ? Long.parseLong(matcher.group(1), 16) : -1;
  }

  /** Returns the length of the table for {@code length} bytes of data. */
  static int tableBytes(int length) {
    return 4 * ((length + CHECKED_BYTES - 1) / CHECKED_BYTES);
  }

  /** Returns the length of a record with {@code length} bytes of data. */
  static long recordBytes(int length) {
    return (long) HEADER_BYTES + tableBytes(length) + length;
  }

  static byte[] encode(SegmentHeader header) {
    ByteBuffer bytes = ByteBuffer.allocate(SEGMENT_HEADER_BYTES);
    bytes.putLong(SEGMENT_MAGIC).putInt(VERSION).putLong(header.number).putLong(header.boot)
        .putLong(header.salt).putLong(header.floor);
    bytes.putInt(sum(bytes.array(), 0, bytes.position()));
    return bytes.array();
  }

  /**
   * Reads the header of a segment.
   *
   * @throws IllegalArgumentException if the bytes are no valid header; the message says what is
   *     wrong
   */
  static SegmentHeader segment(byte[] array) {
    ByteBuffer bytes = ByteBuffer.wrap(array);
    long magic = bytes.getLong();
    int version = bytes.getInt();
    SegmentHeader header = new SegmentHeader(bytes.getLong(), bytes.getLong(), bytes.getLong(),
        bytes.getLong());
    int position = bytes.position();
    if (magic != SEGMENT_MAGIC) {
      throw new IllegalArgumentException("it does not begin as a segment does");
    }
    if (bytes.getInt() != sum(array, 0, position)) {
      throw new IllegalArgumentException("the header of the segment does not match its checksum");
    }
    if (version != VERSION) {
      throw new IllegalArgumentException("version " + version + " of the format; this version of"
          + " hdfs-ppr knows " + VERSION);
    }
    if (header.floor < 0) {
      throw new IllegalArgumentException("a floor of " + header.floor);
    }
    return header;
  }

  /**
   * Encodes a record.
   *
   * @param header the header, for which {@link RecordHeader#flaw} returns null
   * @param data the data, from position to limit; the buffer's position does not change
   * @param salt the salt of the segment
   * @param position where in the segment the record begins
   * @param synced how many bytes of the segment are on the disk already
   * @return the bytes
   */
  static byte[] encode(RecordHeader header, ByteBuffer data, long salt, long position,
      long synced) {
    ByteBuffer bytes = ByteBuffer.allocate((int) recordBytes(header.length));
    UnitId unit = header.unit;
    bytes.putInt(RECORD_MAGIC).put((byte) header.kind.number).put(new byte[3])
        .putLong(unit.file.getMostSignificantBits())
        .putLong(unit.file.getLeastSignificantBits())
        .putInt(unit.group).putInt(unit.unit).putLong(header.term).putLong(header.base)
        .putLong(header.sequence).putLong(header.epoch).putLong(header.offset)
        .putInt(header.length).putLong(synced)
        .putLong(header.origin.writer).putLong(header.origin.number);
    int dataAt = HEADER_BYTES + tableBytes(header.length);
    bytes.position(dataAt);
    bytes.put(data.duplicate());
    byte[] array = bytes.array();
    for (int piece = 0; piece * CHECKED_BYTES < header.length; piece++) {
      int from = dataAt + piece * CHECKED_BYTES;
      bytes.putInt(HEADER_BYTES + 4 * piece,
          sum(array, from, Math.min(CHECKED_BYTES, array.length - from)));
    }
    bytes.putInt(TABLE_SUM_AT, sum(array, HEADER_BYTES, tableBytes(header.length)));
    bytes.putInt(HEADER_SUM_AT, headerSum(array, 0, salt, position));
    return array;
  }

  /**
   * Returns whether the bytes at {@code at} are a header with the right checksum for a position in
   * a segment.
   */
  static boolean isHeader(byte[] array, int at, long salt, long position) {
    ByteBuffer bytes = ByteBuffer.wrap(array);
    return bytes.getInt(at) == RECORD_MAGIC
        && bytes.getInt(at + HEADER_SUM_AT) == headerSum(array, at, salt, position);
  }

  /**
   * Reads a header.
   *
   * @param array the first {@link #HEADER_BYTES} bytes of a record, or more
   * @param salt the salt of the segment
   * @param position where in the segment the record begins
   * @throws IllegalArgumentException if the bytes are no valid header; the message says what is
   *     wrong
   */
  static RecordHeader record(byte[] array, long salt, long position) {
    if (!isHeader(array, 0, salt, position)) {
      throw new IllegalArgumentException("no record, or its header does not match its checksum");
    }
    ByteBuffer bytes = ByteBuffer.wrap(array);
    bytes.position(4);
    int number = bytes.get();
    RecordKind kind = RecordKind.ofNumber(number);
    if (kind == null || bytes.get() != 0 || bytes.getShort() != 0) {
      throw new IllegalArgumentException("a record of the unknown kind " + number);
    }
    UnitId unit = new UnitId(new UUID(bytes.getLong(), bytes.getLong()), bytes.getInt(),
        bytes.getInt());
    long term = bytes.getLong();
    long base = bytes.getLong();
    long sequence = bytes.getLong();
    long epoch = bytes.getLong();
    long offset = bytes.getLong();
    int length = bytes.getInt();
    bytes.position(ORIGIN_AT);
    RecordHeader header = new RecordHeader(kind, unit, term, base, new NumberedUpdate(
        sequence, epoch, offset, length, Origin.of(bytes.getLong(), bytes.getLong())));
    String flaw = header.flaw();
    if (flaw != null) {
      throw new IllegalArgumentException(flaw);
    }
    return header;
  }

  /** Returns the field "synced" of a header whose checksum is right. */
  static long synced(byte[] array, int at) {
    return ByteBuffer.wrap(array).getLong(at + SYNCED_AT);
  }

  /** Returns whether a table of checksums matches the checksum in the header of its record. */
  static boolean isTable(byte[] header, byte[] table) {
    return ByteBuffer.wrap(header).getInt(TABLE_SUM_AT) == sum(table, 0, table.length);
  }

  /** Returns whether a piece of a record's data matches its checksum in the table. */
  static boolean isData(byte[] table, int piece, byte[] data, int from, int length) {
    return ByteBuffer.wrap(table).getInt(4 * piece) == sum(data, from, length);
  }

  private static int headerSum(byte[] array, int at, long salt, long position) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(16).putLong(salt).putLong(position).array());
    crc.update(array, at, HEADER_SUM_AT);
    return (int) crc.getValue();
  }

  private static int sum(byte[] array, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(array, from, length);
    return (int) crc.getValue();
  }
}
