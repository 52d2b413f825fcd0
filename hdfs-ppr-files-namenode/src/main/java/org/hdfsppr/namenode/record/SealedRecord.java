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
package org.hdfsppr.namenode.record;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.core.membership.CoreMembership;

/**
 * The form that all records in the namespace have when an operator has finalized them ({@code hdfs
 * ppr -finalize}). Until then, and in records that were not changed since, an attribute has the
 * content alone, as 0.2.0 wrote it: readers take both. Numbers are big-endian.
 *
 * <pre>
 *  bytes  content
 *      n  lead of the kind, see {@link SealedKind}
 *      4  89 "PPR", with which no record of 0.2.0 begins
 *      1  number of the kind
 *      1  version of the form
 *      c  content: the record as 0.2.0 wrote it
 *      4  CRC-32C of all bytes before, in each version
 * </pre>
 *
 * <p>The checksum is compared first, so that a flipped bit in the version does not look like
 * another version.
 */
@InterfaceAudience.Private
public final class SealedRecord {
  /** The most bytes of a sealed record: those that 0.2.0 takes for the record of a CORE group. */
  public static final int BYTES_MAX = CoreMembership.BYTES_MAX;
  /** The version of the form that is written, and the oldest and the newest one that is read. */
  static final byte VERSION = 1;
  private static final byte[] MAGIC = {(byte) 0x89, 'P', 'P', 'R'};
  private static final int SUM_BYTES = Integer.BYTES;
  /** The number of the kind, and the version. */
  private static final int KIND_BYTES = 2;

  private SealedRecord() {
  }

  /**
   * @param kind the kind of the record
   * @param content the record as 0.2.0 would write it
   * @return its sealed form
   */
  public static byte[] seal(SealedKind kind, byte[] content) {
    return seal(kind, VERSION, content);
  }

  /** Seals a record in a version of the form. */
  static byte[] seal(SealedKind kind, int version, byte[] content) {
    byte[] lead = kind.lead();
    ByteBuffer out = ByteBuffer.allocate(
        lead.length + MAGIC.length + KIND_BYTES + content.length + SUM_BYTES);
    out.put(lead).put(MAGIC).put(kind.number).put((byte) version).put(content);
    return out.putInt(sum(out.array(), out.position())).array();
  }

  /**
   * Reads the value of an attribute.
   *
   * @param attribute the name of the attribute, without "trusted."
   * @param value its value, in either form; null if it has none
   * @return the record as 0.2.0 would write it; the value itself if it is not sealed
   * @throws BadRecordException if the value is sealed, and too old, too new or corrupt
   */
  public static byte[] open(String attribute, byte[] value) throws BadRecordException {
    Optional<SealedKind> kind = SealedKind.of(attribute);
    return value == null || kind.isEmpty() ? value : open(kind.get(), value);
  }

  /**
   * Reads the value of an attribute, as {@link #open(String, byte[])}.
   *
   * @param kind the kind of the records in the attribute
   * @param value its value, in either form
   * @return the record as 0.2.0 would write it
   * @throws BadRecordException if the value is sealed, and too old, too new or corrupt
   */
  public static byte[] open(SealedKind kind, byte[] value) throws BadRecordException {
    // A value that has lost the magic is left to the reader of 0.2.0's records, which refuses it.
    if (!isAt(MAGIC, value, kind.lead().length)) {
      return value;
    }
    int from = kind.lead().length + MAGIC.length + KIND_BYTES;
    int to = value.length - SUM_BYTES;
    if (to < from || !isAt(kind.lead(), value, 0)
        || sum(value, to) != ByteBuffer.wrap(value).getInt(to)) {
      throw bad(BadRecordException.Why.CORRUPT, kind, "its checksum does not fit its "
          + value.length + " bytes. It is not what was written, and stays as it is: look for what"
          + " else writes this attribute");
    }
    if (value[from - 2] != kind.number) {
      throw bad(BadRecordException.Why.CORRUPT, kind, "it is of the kind " + value[from - 2]
          + " and not " + kind.number + ". It was copied from another attribute, and stays as it"
          + " is: look for what else writes this attribute");
    }
    int version = value[from - 1] & 0xff;
    if (version > VERSION) {
      throw bad(BadRecordException.Why.TOO_NEW, kind, "its form is " + version + ", and this"
          + " software knows forms up to " + VERSION + ": upgrade hdfs-ppr on this NameNode");
    }
    if (version < VERSION) {
      throw bad(BadRecordException.Why.TOO_OLD, kind, "its form is " + version + ", and this"
          + " software knows forms from " + VERSION + ": have a version of hdfs-ppr that knows it"
          + " write it anew");
    }
    return Arrays.copyOfRange(value, from, to);
  }

  private static BadRecordException bad(BadRecordException.Why why, SealedKind kind,
      String what) {
    return new BadRecordException(why, "the sealed record trusted." + kind.attribute
        + " cannot be read: " + what);
  }

  private static boolean isAt(byte[] mark, byte[] value, int from) {
    return value.length >= from + mark.length
        && Arrays.equals(mark, 0, mark.length, value, from, from + mark.length);
  }

  private static int sum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
