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

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The members of a CORE group: the parity file and the t files that it was made of. Immutable. The
 * parity file's own row makes the record useless on a copy of the file, and after a change of it.
 */
@InterfaceAudience.Private
public final class CoreMembership {
  /** The fewest member files. */
  public static final int FILES_MIN = 2;
  /** The most member files: a matrix has at most 64 rows with the parity file's. */
  public static final int FILES_MAX = 63;
  /**
   * The most characters of a policy's name; Hadoop itself sets no bound, and names take some 20.
   */
  public static final int POLICY_CHARS_MAX = 128;

  /** Printable ASCII without blanks, such as names of policies consist of. */
  private static final Pattern POLICY = Pattern.compile("[!-~]{1," + POLICY_CHARS_MAX + "}");

  /** Id of the CORE group */
  public final long groupId;
  /** Name of the erasure coding policy of all files */
  public final String policy;
  /** The parity file's row, which has a digest */
  public final MemberRow parity;
  /** The rows of the member files, in the order of the matrix */
  public final List<MemberRow> files;
  /** The number of files of which the group was formed; some may have been taken out */
  public final int formedFiles;

  /**
   * Makes the record of a group that still has all the files with which it was formed.
   *
   * @param groupId id of the CORE group, at least 1
   * @param policy name of the erasure coding policy of all files, 1 to {@link #POLICY_CHARS_MAX}
   *     printable characters of ASCII
   * @param parity the parity file's row; the record keeps its digest
   * @param files the rows of the member files, {@link #FILES_MIN} to {@link #FILES_MAX}
   * @throws IllegalArgumentException if a value is out of its range, if two rows are of one file,
   *     if a block group occurs twice, or if the parity file is shorter than a member, or has block
   *     groups where no member has one
   */
  public CoreMembership(long groupId, String policy, MemberRow parity, List<MemberRow> files) {
    this(groupId, policy, parity, files, files.size());
  }

  /**
   * Makes the record of a group from which members may have been taken out. The other parameters
   * are those of the constructor above.
   *
   * @param formedFiles the number of files of which the group was formed, at least as many as there
   *     are now, and at most {@link #FILES_MAX}
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
