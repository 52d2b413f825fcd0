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
package org.hdfsppr.namenode.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;

/**
 * Describes the block groups that have the same index in the files of a CORE group: one of each
 * member file, and last that of the parity file. Each internal block of one of them is the XOR of
 * the internal blocks with the same index of all others. Immutable.
 */
@InterfaceAudience.Private
public final class CoreRows {
  /** One block group of a CORE group. Immutable. */
  public static final class Row {
    /** The block group that the file had when the parity file was made */
    public final GroupId id;
    /** Length of its data, bytes */
    public final long bytes;
    /** Whether the file has another block group at this index now, or none */
    public final boolean stale;

    /**
     * @param id the block group that the file had when the parity file was made
     * @param bytes length of its data, at least 1 byte
     * @param stale whether the file has another block group at this index now, or none. No column
     *     in which this row has a block may be read then
     */
    public Row(GroupId id, long bytes, boolean stale) {
      this.id = Objects.requireNonNull(id, "id");
      this.bytes = bytes;
      this.stale = stale;
      if (bytes < 1) {
        throw new IllegalArgumentException("Block group " + id + " has " + bytes + " bytes");
      }
    }
  }

  /** Inode id of the parity file, which names the CORE group */
  public final long coreGroup;
  /** Index of the block groups in their files */
  public final int index;
  /** Codec, units and cell size of all rows */
  public final GroupPolicy policy;
  /**
   * One row for each member file in their order, then that of the parity file; null for a member
   * that has no block group at this index
   */
  public final List<Row> rows;

  /**
   * @param coreGroup inode id of the parity file, which names the CORE group
   * @param index index of the block groups in their files
   * @param policy codec, units and cell size of all rows
   * @param rows t members and the parity file, which is last; null for a member that has no block
   *     group at this index, whose bytes count as zeros
   * @throws IllegalArgumentException if the parity file has no block group here, or there are fewer
   *     than three rows
   */
  public CoreRows(long coreGroup, int index, GroupPolicy policy, List<Row> rows) {
    this.coreGroup = coreGroup;
    this.index = index;
    this.policy = Objects.requireNonNull(policy, "policy");
    this.rows = Collections.unmodifiableList(new ArrayList<>(rows));
    if (rows.size() < 3 || rows.get(rows.size() - 1) == null || index < 0) {
      throw new IllegalArgumentException("CORE group " + coreGroup + " cannot have " + rows.size()
          + " rows at index " + index + ", the last of which is " + rows.get(rows.size() - 1));
    }
  }
}
