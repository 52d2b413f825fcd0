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
package org.hdfsppr.core.membership;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The bytes of a {@link CoreMembership} in an extended attribute. Numbers are big-endian.
 *
 * <pre>
 *  bytes  content
 *      4  "PPRC"
 *      1  format: 1, or 2 if members were taken out
 *      8  id of the CORE group
 *      1  p, characters of the policy's name
 *      p  name of the policy, ASCII
 *      1  t, number of member files
 *      1  only in format 2: number of files of which the group was formed, more than t
 *   rows  of the parity file, then of the t member files, each:
 *      1  0: identities, 1: a digest
 *      8  inode id
 *      4  g, number of block groups
 *      8  bytes of file data
 *         0: 24 g bytes: block id, generation stamp, bytes of each block group
 *         1: 16 bytes: first half of SHA-256 over these 24 g bytes
 *      4  CRC-32C of all bytes before
 * </pre>
 *
 * <p>A record with identities takes 24 bytes for each block group of each member, so that groups
 * with up to 134 block groups in each of 5 files have them.
 */
@InterfaceAudience.Private
public final class MembershipCodec {
  /**
   * The most bytes of a record. {@code dfs.namenode.fs-limits.max-xattr-size} is 16384 by default,
   * and counts the attribute's name, for which 64 bytes are left.
   */
  public static final int BYTES_MAX = 16384 - 64;

  private static final int MAGIC = 'P' << 24 | 'P' << 16 | 'R' << 8 | 'C';
  private static final byte FORMAT = 1;
  /** Of groups from which members were taken out, so that earlier versions leave them alone. */
  private static final byte FORMAT_TAKEN_OUT = 2;
  private static final byte EXACT = 0;
  private static final byte DIGEST = 1;
  private static final int SUM_BYTES = Integer.BYTES;
  /** Everything before the policy's name, the name's shortest form, t, and the checksum. */
  private static final int BYTES_MIN = Integer.BYTES + 1 + Long.BYTES + 1 + 1 + 1 + SUM_BYTES;
  private static final int ROW_HEAD_BYTES = 1 + Long.BYTES + Integer.BYTES + Long.BYTES;

  private MembershipCodec() {
  }

  /**
   * Encodes a record. If identities of all block groups do not fit, each row has a digest instead.
   *
   * @param group the group
   * @return at most {@link #BYTES_MAX} bytes
   */
  public static byte[] encode(CoreMembership group) {
    CoreMembership written = size(group) <= BYTES_MAX ? group : group.toDigests();
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(size(written)));
    byte[] policy = written.policy.getBytes(StandardCharsets.US_ASCII);
    boolean isWhole = isWhole(written);
    out.putInt(MAGIC).put(isWhole ? FORMAT : FORMAT_TAKEN_OUT).putLong(written.groupId);
    out.put((byte) policy.length).put(policy).put((byte) written.files.size());
    if (!isWhole) {
      out.put((byte) written.formedFiles);
    }
    put(out, written.parity);
    for (MemberRow row : written.files) {
      put(out, row);
    }
    return out.putInt(sum(out.array(), out.position())).array();
  }

  private static boolean isWhole(CoreMembership group) {
    return group.formedFiles == group.files.size();
  }

  private static long size(CoreMembership group) {
    long size = BYTES_MIN - 1 + group.policy.length() + (isWhole(group) ? 0 : 1)
        + size(group.parity);
    for (MemberRow row : group.files) {
      size += size(row);
    }
    return size;
  }

  private static long size(MemberRow row) {
    return ROW_HEAD_BYTES + (row.isExact() ? (long) MemberRow.IDENTITY_BYTES * row.blockGroups
        : MemberRow.DIGEST_BYTES);
  }

  private static void put(ByteBuffer out, MemberRow row) {
    out.put(row.isExact() ? EXACT : DIGEST).putLong(row.fileId).putInt(row.blockGroups)
        .putLong(row.length);
    if (row.isExact()) {
      for (GroupIdentity identity : row.identities()) {
        out.putLong(identity.groupId).putLong(identity.generationStamp)
            .putLong(identity.length);
      }
    } else {
      out.put(row.digest());
    }
  }

  private static int sum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  /**
   * Decodes and checks a record.
   *
   * @param record the value of the extended attribute
   * @return the group
   * @throws BadMembershipException if the record is too new, or is not what {@link #encode} writes
   */
  public static CoreMembership decode(byte[] record) throws BadMembershipException {
    if (record.length < BYTES_MIN || record.length > BYTES_MAX) {
      throw corrupt("it has " + record.length + " bytes, and a record has " + BYTES_MIN + " to "
          + BYTES_MAX, null);
    }
    ByteBuffer in = ByteBuffer.wrap(record);
    if (in.getInt() != MAGIC) {
      throw corrupt("it does not begin as one", null);
    }
    // The checksum comes first: a flipped bit in the format must not look like a newer version.
    int length = record.length - SUM_BYTES;
    if (sum(record, length) != in.getInt(length)) {
      throw corrupt("its checksum does not fit its bytes", null);
    }
    byte format = in.get();
    if (format != FORMAT && format != FORMAT_TAKEN_OUT) {
      throw new BadMembershipException(BadMembershipException.Why.TOO_NEW, "its format is "
          + (format & 0xff) + ", and this software knows formats up to " + FORMAT_TAKEN_OUT, null);
    }
    in.limit(length);
    try {
      CoreMembership group = group(in, format == FORMAT);
      if (in.hasRemaining()) {
        throw corrupt("it has " + in.remaining() + " bytes behind its last row", null);
      }
      return group;
    } catch (BufferUnderflowException e) {
      throw corrupt("it ends within a row", e);
    } catch (IllegalArgumentException e) {
      throw corrupt(e.getMessage(), e);
    }
  }

  private static BadMembershipException corrupt(String message, Throwable cause) {
    return new BadMembershipException(BadMembershipException.Why.CORRUPT, message, cause);
  }

  private static CoreMembership group(ByteBuffer in, boolean isWhole)
      throws BadMembershipException {
    long groupId = in.getLong();
    byte[] policy = new byte[in.get() & 0xff];
    in.get(policy);
    int files = in.get() & 0xff;
    int formed = isWhole ? files : in.get() & 0xff;
    if (!isWhole && formed <= files) {
      throw corrupt("it has " + files + " files, and was formed of " + formed, null);
    }
    MemberRow parity = row(in);
    if (parity.isExact()) {
      throw corrupt("the row of its parity file has no digest", null);
    }
    List<MemberRow> rows = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      rows.add(row(in));
    }
    // ISO 8859-1 maps each byte to one character, so that no wrong byte is replaced by a right one.
    return new CoreMembership(groupId, new String(policy, StandardCharsets.ISO_8859_1), parity,
        rows, formed);
  }

  private static MemberRow row(ByteBuffer in) throws BadMembershipException {
    byte form = in.get();
    long fileId = in.getLong();
    int blockGroups = in.getInt();
    long length = in.getLong();
    if (form == DIGEST) {
      byte[] digest = new byte[MemberRow.DIGEST_BYTES];
      in.get(digest);
      return MemberRow.digested(fileId, blockGroups, length, digest);
    }
    if (form != EXACT) {
      throw corrupt("a row has the unknown form " + form, null);
    }
    if (blockGroups < 0 || blockGroups > in.remaining() / MemberRow.IDENTITY_BYTES) {
      throw corrupt("a row claims " + blockGroups + " block groups, and " + in.remaining()
          + " bytes are left", null);
    }
    List<GroupIdentity> identities = new ArrayList<>(blockGroups);
    for (int i = 0; i < blockGroups; i++) {
      identities.add(new GroupIdentity(in.getLong(), in.getLong(), in.getLong()));
    }
    MemberRow row = MemberRow.of(fileId, identities);
    if (row.length != length) {
      throw corrupt("the block groups of a row have " + row.length + " bytes in all, and not "
          + length, null);
    }
    return row;
  }
}
