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
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The record of a CORE group: the parity file, and the t member files from which it was made. The
 * parity file has the record in an extended attribute. The record also has a row for the parity
 * file itself. So it does not fit a copy of the parity file, or the parity file after a change.
 * Immutable.
 *
 * <p>The bytes of the extended attribute, with big-endian numbers:
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
 * <p>With identities, a record takes 24 bytes for each block group of each member file. So records
 * of groups of 5 files have identities up to 134 block groups in each file; longer ones have
 * digests.
 */
@InterfaceAudience.Private
public final class CoreMembership {
  /** The fewest member files. */
  public static final int FILES_MIN = 2;
  /**
   * How many member files a group has at most: {@code FailureMatrix}, which has a row for each
   * file, has at most 64 rows, and one of them is the parity file's.
   */
  public static final int FILES_MAX = 63;
  /**
   * How many characters the name of a policy has at most. Hadoop sets no bound; usual names have
   * about 20 characters.
   */
  public static final int POLICY_CHARS_MAX = 128;

  /**
   * How many bytes a record has at most. The default of {@code
   * dfs.namenode.fs-limits.max-xattr-size} is 16384. HDFS also counts the name of the attribute,
   * for which 64 bytes are left.
   */
  public static final int BYTES_MAX = 16384 - 64;

  private static final int MAGIC = 'P' << 24 | 'P' << 16 | 'R' << 8 | 'C';
  private static final byte FORMAT = 1;
  /**
   * The format of groups from which members were taken out. Earlier versions do not know this
   * format, so they do not use or change such groups.
   */
  private static final byte FORMAT_TAKEN_OUT = 2;
  private static final int SUM_BYTES = Integer.BYTES;
  /**
   * The shortest record: all fields before the policy's name, a name of one character, t, and the
   * checksum.
   */
  private static final int BYTES_MIN = Integer.BYTES + 1 + Long.BYTES + 1 + 1 + 1 + SUM_BYTES;
  /** Names of policies consist of printable ASCII characters without blanks. */
  private static final Pattern POLICY = Pattern.compile("[!-~]{1," + POLICY_CHARS_MAX + "}");

  /** Id of the CORE group */
  public final long groupId;
  /** Name of the erasure coding policy of all files */
  public final String policy;
  /** The row of the parity file, which always has a digest instead of identities */
  public final MemberRow parity;
  /** The rows of the member files, in the order that they have in the group */
  public final List<MemberRow> files;
  /** With how many files the group was formed; some of them may have been taken out since */
  public final int formedFiles;

  /**
   * Makes the record of a group that still has all the files with which it was formed.
   *
   * @param groupId id of the CORE group, at least 1
   * @param policy name of the erasure coding policy of all files, 1 to {@link #POLICY_CHARS_MAX}
   *     printable characters of ASCII
   * @param parity the row of the parity file; if it has identities, the record takes their digest
   * @param files the rows of the member files, {@link #FILES_MIN} to {@link #FILES_MAX}
   * @throws IllegalArgumentException if a value is out of its range, if two rows are of the same
   *     file, if a block group occurs twice, or if the parity file is shorter than a member file,
   *     or has more block groups than each of the member files
   */
  public CoreMembership(long groupId, String policy, MemberRow parity, List<MemberRow> files) {
    this(groupId, policy, parity, files, files.size());
  }

  /**
   * Makes the record of a group from which members may have been taken out.
   *
   * @param groupId id of the CORE group, at least 1
   * @param policy name of the erasure coding policy of all files, as in the other constructor
   * @param parity the row of the parity file; if it has identities, the record takes their digest
   * @param files the rows of the files that are still in the group
   * @param formedFiles with how many files the group was formed, at least the number of {@code
   *     files}, and at most {@link #FILES_MAX}
   * @throws IllegalArgumentException as for the other constructor
   */
  public CoreMembership(long groupId, String policy, MemberRow parity, List<MemberRow> files,
      int formedFiles) {
    this.groupId = groupId;
    this.policy = Objects.requireNonNull(policy, "policy");
    this.parity = parity.toDigest();
    this.files = Collections.unmodifiableList(new ArrayList<>(files));
    if (groupId < 1 || !POLICY.matcher(policy).matches() || files.size() < FILES_MIN
        || formedFiles < files.size() || formedFiles > FILES_MAX) {
      throw new IllegalArgumentException("CORE group " + groupId + " cannot have policy '" + policy
          + "' and " + files.size() + " files of " + formedFiles);
    }
    this.formedFiles = formedFiles;
    Set<Long> fileIds = new HashSet<>(Set.of(parity.fileId));
    Set<Long> groups = new HashSet<>();
    for (MemberRow row : files) {
      if (!fileIds.add(row.fileId)) {
        throw new IllegalArgumentException("File " + row.fileId + " has two rows");
      }
      if (row.length > parity.length || row.blockGroups > parity.blockGroups) {
        throw new IllegalArgumentException("The parity file, a " + parity + ", is shorter than the "
            + row);
      }
      if (row.isExact()) {
        for (GroupIdentity identity : row.identities()) {
          if (!groups.add(identity.groupId)) {
            throw new IllegalArgumentException("Block group " + identity + " occurs twice");
          }
        }
      }
    }
    if (files.stream().allMatch(row -> row.blockGroups < parity.blockGroups)) {
      throw new IllegalArgumentException("The parity file, a " + parity + ", has more block groups"
          + " than each of " + files);
    }
  }

  /** @return the same group with a digest for each row */
  public CoreMembership toDigests() {
    List<MemberRow> digests = new ArrayList<>();
    files.forEach(row -> digests.add(row.toDigest()));
    return new CoreMembership(groupId, policy, parity, digests, formedFiles);
  }

  /**
   * Encodes the record. If it would be too long with the identities of all block groups, each row
   * has a digest instead.
   *
   * @return the record, at most {@link #BYTES_MAX} bytes
   */
  public byte[] toBytes() {
    CoreMembership written = size() <= BYTES_MAX ? this : toDigests();
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(written.size()));
    byte[] policy = written.policy.getBytes(StandardCharsets.US_ASCII);
    boolean isWhole = isWhole();
    out.putInt(MAGIC).put(isWhole ? FORMAT : FORMAT_TAKEN_OUT).putLong(written.groupId);
    out.put((byte) policy.length).put(policy).put((byte) written.files.size());
    if (!isWhole) {
      out.put((byte) written.formedFiles);
    }
    written.parity.put(out);
    written.files.forEach(row -> row.put(out));
    return out.putInt(sum(out.array(), out.position())).array();
  }

  private boolean isWhole() {
    return formedFiles == files.size();
  }

  private long size() {
    return BYTES_MIN - 1 + policy.length() + (isWhole() ? 0 : 1) + parity.size()
        + files.stream().mapToLong(MemberRow::size).sum();
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
   * @throws BadMembershipException if a newer version has written the record, or if {@link
   *     #toBytes} cannot have written it
   */
  public static CoreMembership parse(byte[] record) throws BadMembershipException {
    if (record.length < BYTES_MIN || record.length > BYTES_MAX) {
      throw BadMembershipException.corrupt("it has " + record.length + " bytes, and a record has "
          + BYTES_MIN + " to " + BYTES_MAX, null);
    }
    ByteBuffer in = ByteBuffer.wrap(record);
    if (in.getInt() != MAGIC) {
      throw BadMembershipException.corrupt("it does not begin as one", null);
    }
    // The checksum is checked before the format, so that a flipped bit in the format does not look
    // like a newer version.
    int length = record.length - SUM_BYTES;
    if (sum(record, length) != in.getInt(length)) {
      throw BadMembershipException.corrupt("its checksum does not fit its bytes", null);
    }
    byte format = in.get();
    if (format != FORMAT && format != FORMAT_TAKEN_OUT) {
      throw new BadMembershipException(BadMembershipException.Why.TOO_NEW, "its format is "
          + (format & 0xff) + ", and this software knows formats up to " + FORMAT_TAKEN_OUT, null);
    }
    in.limit(length);
    try {
      CoreMembership group = parse(in, format == FORMAT);
      if (in.hasRemaining()) {
        throw BadMembershipException.corrupt("it has " + in.remaining()
            + " bytes behind its last row", null);
      }
      return group;
    } catch (BufferUnderflowException e) {
      throw BadMembershipException.corrupt("it ends within a row", e);
    } catch (IllegalArgumentException e) {
      throw BadMembershipException.corrupt(e.getMessage(), e);
    }
  }

  private static CoreMembership parse(ByteBuffer in, boolean isWhole)
      throws BadMembershipException {
    long groupId = in.getLong();
    byte[] policy = new byte[in.get() & 0xff];
    in.get(policy);
    int files = in.get() & 0xff;
    int formed = isWhole ? files : in.get() & 0xff;
    if (!isWhole && formed <= files) {
      throw BadMembershipException.corrupt("it has " + files + " files, and was formed of "
          + formed, null);
    }
    MemberRow parity = MemberRow.parse(in);
    if (parity.isExact()) {
      throw BadMembershipException.corrupt("the row of its parity file has no digest", null);
    }
    List<MemberRow> rows = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      rows.add(MemberRow.parse(in));
    }
    // ISO 8859-1 maps each byte to a different character, so that a wrong byte stays visible to the
    // check of the name. ASCII would replace it.
    return new CoreMembership(groupId, new String(policy, StandardCharsets.ISO_8859_1), parity,
        rows, formed);
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof CoreMembership)) {
      return false;
    }
    CoreMembership other = (CoreMembership) o;
    return groupId == other.groupId && policy.equals(other.policy) && parity.equals(other.parity)
        && files.equals(other.files) && formedFiles == other.formedFiles;
  }

  @Override
  public int hashCode() {
    return Objects.hash(groupId, policy, parity, files, formedFiles);
  }

  @Override
  public String toString() {
    return "CORE group " + groupId + " (" + policy + ", parity " + parity + ", " + files + ")";
  }
}
