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

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A row in the record of a CORE group: a file, and the identities that its block groups had when
 * the parity file was made. In a large group, a row has a single digest of all identities instead.
 * The digest shows whether any block group of the row has changed, but not which. Immutable.
 */
@InterfaceAudience.Private
public final class MemberRow {
  /** Bytes of a digest: the first half of SHA-256. */
  private static final int DIGEST_BYTES = 16;
  /** Bytes of an identity. */
  private static final int IDENTITY_BYTES = 3 * Long.BYTES;
  private static final int HEAD_BYTES = 1 + Long.BYTES + Integer.BYTES + Long.BYTES;
  private static final byte EXACT = 0;
  private static final byte DIGEST = 1;

  /** The inode id that the file had when the parity file was made */
  public final long fileId;
  /** Number of recorded block groups */
  public final int blockGroups;
  /** Bytes of file data in all recorded block groups */
  public final long length;
  /** The identities; null if there is a digest. */
  private final List<GroupIdentity> identities;
  /** The digest; null if there are identities. */
  private final byte[] digest;

  private MemberRow(long fileId, int blockGroups, long length, List<GroupIdentity> identities,
      byte[] digest) {
    this.fileId = fileId;
    this.blockGroups = blockGroups;
    this.length = length;
    this.identities = identities;
    this.digest = digest;
    if (fileId < 1 || blockGroups < 1 || length < blockGroups) {
      throw new IllegalArgumentException("A row cannot be file " + fileId + " with " + length
          + " bytes in " + blockGroups + " block groups");
    }
  }

  /**
   * Makes a row that has the identity of each block group.
   *
   * @param fileId inode id of the file, at least 1
   * @param identities its block groups, in the order of the file; at least one
   * @return the row
   * @throws IllegalArgumentException if there is no block group, or if their lengths add up to 2^63
   *     bytes or more
   */
  public static MemberRow of(long fileId, List<GroupIdentity> identities) {
    return new MemberRow(fileId, identities.size(), sum(identities),
        Collections.unmodifiableList(new ArrayList<>(identities)), null);
  }

  private static long sum(List<GroupIdentity> identities) {
    long sum = 0;
    for (GroupIdentity identity : identities) {
      sum += identity.length;
      if (sum < 0) {
        throw new IllegalArgumentException("The block groups have more than 2^63 bytes");
      }
    }
    return sum;
  }

  /** @return the same row with a digest instead of identities */
  public MemberRow toDigest() {
    return identities == null ? this
        : new MemberRow(fileId, blockGroups, length, null, digest(identities));
  }

  private static byte[] digest(List<GroupIdentity> identities) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      ByteBuffer numbers = ByteBuffer.allocate(IDENTITY_BYTES);
      for (GroupIdentity identity : identities) {
        numbers.clear();
        identity.put(numbers);
        sha.update(numbers.array());
      }
      return Arrays.copyOf(sha.digest(), DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Each Java platform has SHA-256", e);
    }
  }

  /** Returns how many bytes {@link #put} writes. */
  long size() {
    return HEAD_BYTES + (isExact() ? (long) IDENTITY_BYTES * blockGroups : DIGEST_BYTES);
  }

  void put(ByteBuffer out) {
    out.put(isExact() ? EXACT : DIGEST).putLong(fileId).putInt(blockGroups).putLong(length);
    if (isExact()) {
      identities.forEach(identity -> identity.put(out));
    } else {
      out.put(digest);
    }
  }

  static MemberRow parse(ByteBuffer in) throws BadMembershipException {
    byte form = in.get();
    long fileId = in.getLong();
    int blockGroups = in.getInt();
    long length = in.getLong();
    if (form == DIGEST) {
      byte[] digest = new byte[DIGEST_BYTES];
      in.get(digest);
      return new MemberRow(fileId, blockGroups, length, null, digest);
    }
    if (form != EXACT) {
      throw BadMembershipException.corrupt("a row has the unknown form " + form, null);
    }
    if (blockGroups < 0 || blockGroups > in.remaining() / IDENTITY_BYTES) {
      throw BadMembershipException.corrupt("a row claims " + blockGroups + " block groups, and "
          + in.remaining() + " bytes are left", null);
    }
    List<GroupIdentity> identities = new ArrayList<>(blockGroups);
    for (int i = 0; i < blockGroups; i++) {
      identities.add(new GroupIdentity(in.getLong(), in.getLong(), in.getLong()));
    }
    MemberRow row = of(fileId, identities);
    if (row.length != length) {
      throw BadMembershipException.corrupt("the block groups of a row have " + row.length
          + " bytes in all, and not " + length, null);
    }
    return row;
  }

  /** @return whether the row has the identity of each block group, and not only a digest */
  public boolean isExact() {
    return identities != null;
  }

  /**
   * @return identities of the block groups, in the order of the file
   * @throws IllegalStateException if the row has a digest
   */
  public List<GroupIdentity> identities() {
    if (identities == null) {
      throw new IllegalStateException(this + " has a digest only");
    }
    return identities;
  }

  /**
   * Compares the row with the present block groups of its file.
   *
   * @param now the block groups that the file has now, in the order of the record; null for a block
   *     group that is gone. The list is shorter than the record if the file has become shorter, and
   *     empty if the file is gone. Further elements are ignored
   * @return indices of the recorded block groups that have changed; if the row has only a digest
   *     and any block group has changed, all indices
   */
  public BitSet stale(List<GroupIdentity> now) {
    BitSet stale = new BitSet(blockGroups);
    if (identities == null) {
      boolean same = now.size() >= blockGroups
          && now.stream().limit(blockGroups).noneMatch(Objects::isNull)
          && Arrays.equals(digest, digest(now.subList(0, blockGroups)));
      stale.set(0, blockGroups, !same);
      return stale;
    }
    for (int i = 0; i < blockGroups; i++) {
      stale.set(i, i >= now.size() || !identities.get(i).equals(now.get(i)));
    }
    return stale;
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof MemberRow)) {
      return false;
    }
    MemberRow other = (MemberRow) o;
    return fileId == other.fileId && blockGroups == other.blockGroups && length == other.length
        && Objects.equals(identities, other.identities) && Arrays.equals(digest, other.digest);
  }

  @Override
  public int hashCode() {
    return Objects.hash(fileId, blockGroups, length, identities, Arrays.hashCode(digest));
  }

  @Override
  public String toString() {
    return "row of file " + fileId + " (" + blockGroups + " block groups, " + length + " bytes)";
  }
}
