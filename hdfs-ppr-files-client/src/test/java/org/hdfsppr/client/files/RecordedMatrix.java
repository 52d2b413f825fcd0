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
package org.hdfsppr.client.files;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.core.FailureMatrix;
import org.hdfsppr.core.RowCode;
import org.hdfsppr.core.membership.CoreMembership;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.core.membership.MemberRow;

/**
 * Makes the matrices of a CORE group: one for each index of a block group. A matrix compares what
 * is recorded with what is there, so that no strategy repairs a column from a block that the parity
 * file was not made of.
 */
@InterfaceAudience.Private
public final class RecordedMatrix {
  /** What is there now of a row. Immutable. */
  @InterfaceAudience.Private
  public static final class RowNow {
    private final List<GroupIdentity> groups;
    private final long lost;

    /**
     * @param groups the block groups as {@link MemberRow#stale} wants them
     * @param lost the columns of lost blocks of the block group that stands now where the matrix is
     *     made; none if there is no such block group
     */
    public RowNow(List<GroupIdentity> groups, long lost) {
      this.groups = Collections.unmodifiableList(new ArrayList<>(groups));
      this.lost = lost;
    }

    /** Returns the block group at an index, or null if there is none. */
    private GroupIdentity group(int index) {
      return index < groups.size() ? groups.get(index) : null;
    }
  }

  private final RowCode code;
  private final int dataUnits;
  private final int cellBytes;

  /**
   * @param code the inner code
   * @param dataUnits k, at least 1 and less than n
   * @param cellBytes length of a cell, at least 1 byte
   * @throws IllegalArgumentException if a number is out of its range
   */
  public RecordedMatrix(RowCode code, int dataUnits, int cellBytes) {
    this.code = code;
    this.dataUnits = dataUnits;
    this.cellBytes = cellBytes;
    if (dataUnits < 1 || dataUnits >= code.units() || cellBytes < 1) {
      throw new IllegalArgumentException("A row of " + code + " cannot have " + dataUnits
          + " data units with cells of " + cellBytes + " bytes");
    }
  }

  /**
   * Makes the matrix of the block groups with an index.
   *
   * @param index index of the block groups in their files, 0 or more, less than the number of block
   *     groups of the parity file
   * @param membership what is recorded
   * @param rows what is there now: of the member files in their order, then of the parity file
   * @return the matrix, with the rows in this order
   * @throws IllegalArgumentException if there is no such index, if a row misses, or if a block is
   *     lost that the row does not have
   */
  public FailureMatrix at(int index, CoreMembership membership, List<RowNow> rows) {
    List<MemberRow> recorded = new ArrayList<>(membership.files);
    recorded.add(membership.parity);
    if (rows.size() != recorded.size() || index < 0
        || index >= membership.parity.blockGroups) {
      throw new IllegalArgumentException("There are " + rows.size() + " rows, and block group "
          + index + " is asked for, of " + membership);
    }
    long[] lost = new long[rows.size()];
    for (int row = 0; row < lost.length; row++) {
      lost[row] = index < recorded.get(row).blockGroups ? rows.get(row).lost : 0;
    }
    FailureMatrix matrix = FailureMatrix.of(code, lost);
    for (int row = 0; row < lost.length; row++) {
      matrix = withRow(matrix, row, index, recorded.get(row), rows.get(row));
    }
    return matrix;
  }

  private FailureMatrix withRow(FailureMatrix matrix, int row, int index, MemberRow recorded,
      RowNow now) {
    if (index >= recorded.blockGroups) {
      // The parity file was made without a block group of this row. If the row has one now, it is
      // in no relation of this matrix, and is repaired as a group of its own.
      return matrix.withAbsent(row, allColumns());
    }
    GroupIdentity group = now.group(index);
    FailureMatrix present =
        matrix.withAbsent(row, group == null ? allColumns() : absentColumns(group.length));
    if (!recorded.stale(now.groups).get(index)) {
      return present;
    }
    long made = recorded.isExact()
        ? allColumns() & ~absentColumns(recorded.identities().get(index).length) : allColumns();
    return present.withStale(row, made);
  }

  private long allColumns() {
    return -1L >>> Long.SIZE - code.units();
  }

  /**
   * @param groupBytes bytes of file data in a block group, at least 1
   * @return the columns in which the block group has no block, because it is too short
   */
  public long absentColumns(long groupBytes) {
    long absent = 0;
    for (int unit = 0; unit < dataUnits; unit++) {
      if (StripedBlockUtil.getInternalBlockLength(groupBytes, cellBytes, dataUnits, unit) == 0) {
        absent |= 1L << unit;
      }
    }
    return absent;
  }
}
