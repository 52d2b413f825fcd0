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
package org.hdfsppr.core.formation;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A closed file of a protected directory, with those attributes of its inode that decide whether it
 * can be in a group. Immutable.
 */
@InterfaceAudience.Private
public final class CandidateFile {
  /** Inode id */
  public final long fileId;
  /** Length, bytes */
  public final long length;
  public final int blockGroups;
  /** Name of the erasure coding policy */
  public final String policy;
  /** Inode id of the file's directory */
  public final long directoryId;
  /** When the file was last modified, ms since 1970 (UTC) */
  public final long modifiedMs;

  /**
   * @param fileId inode id
   * @param length bytes, at least 0
   * @param blockGroups number of block groups; 0 for an empty file, and at least 1 for others
   * @param policy name of the erasure coding policy
   * @param directoryId inode id of the file's directory
   * @param modifiedMs when the file was last modified, ms since 1970 (UTC)
   * @throws IllegalArgumentException if a number is negative, or if exactly one of the length and
   *     the number of block groups is 0
   */
  public CandidateFile(long fileId, long length, int blockGroups, String policy, long directoryId,
      long modifiedMs) {
    if (length < 0 || blockGroups < 0 || length == 0 != (blockGroups == 0)) {
      throw new IllegalArgumentException("File " + fileId + " cannot have " + length + " bytes in "
          + blockGroups + " block groups");
    }
    this.fileId = fileId;
    this.length = length;
    this.blockGroups = blockGroups;
    this.policy = Objects.requireNonNull(policy, "policy");
    this.directoryId = directoryId;
    this.modifiedMs = modifiedMs;
  }

  @Override
  public String toString() {
    return "file " + fileId + " (" + length + " bytes, " + policy + ")";
  }
}
