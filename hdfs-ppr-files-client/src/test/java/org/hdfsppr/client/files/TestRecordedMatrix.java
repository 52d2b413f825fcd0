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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hdfsppr.client.files.RecordedMatrix.RowNow;
import org.hdfsppr.core.FailureMatrix;
import org.hdfsppr.core.ReedSolomonRow;
import org.hdfsppr.core.membership.CoreMembership;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.core.membership.MemberRow;
import org.junit.jupiter.api.Test;

/** Tests which blocks of a matrix count as stale and absent, for a group of two files in (5,3). */
class TestRecordedMatrix {
  private static final int CELL = 100;
  private static final RecordedMatrix MATRICES =
      new RecordedMatrix(new ReedSolomonRow(5, 3), 3, CELL);

  /** Two block groups of 10 cells in each column, and of two cells at the end. */
  private static final List<GroupIdentity> LONG = List.of(group(1, 3000), group(2, 200));
  /** One block group with one cell. */
  private static final List<GroupIdentity> SHORT = List.of(group(3, 50));
  private static final List<GroupIdentity> PARITY = List.of(group(4, 3000), group(5, 200));
  private static final CoreMembership GROUP = new CoreMembership(1, "P", MemberRow.of(30, PARITY),
      List.of(MemberRow.of(10, LONG), MemberRow.of(20, SHORT)));

  private static GroupIdentity group(long id, long length) {
    return new GroupIdentity(-16 * id, 1001, length);
  }

  private static void assertMatrix(FailureMatrix matrix, String... rows) {
    assertEquals(String.join("\n", rows) + "\n", matrix.toString());
  }

  private static FailureMatrix at(int index, RowNow... rows) {
    return MATRICES.at(index, GROUP, Arrays.asList(rows));
  }

  @Test
  void shortFilesHaveAbsentBlocks() {
    RowNow parity = new RowNow(PARITY, 0);
    assertMatrix(at(0, new RowNow(LONG, 0b101), new RowNow(SHORT, 0b1000), parity),
        "X.X..", ".00X.", ".....");
    assertMatrix(at(1, new RowNow(LONG, 0b10), new RowNow(SHORT, 0), parity),
        ".X0..", "00000", "..0..");
    assertEquals(0b11011, at(1, new RowNow(LONG, 0), new RowNow(SHORT, 0), parity)
        .relatedColumns());
    assertEquals(0b100, MATRICES.absentColumns(101));
    assertEquals(0, MATRICES.absentColumns(201));
  }

  /**
   * A changed block group is stale where the parity file was made of its blocks, and only there.
   */
  @Test
  void changedBlockGroupsAreStale() {
    List<GroupIdentity> changed = List.of(group(3, 51));
    FailureMatrix matrix = at(0, new RowNow(LONG, 0b100), new RowNow(changed, 0b1),
        new RowNow(PARITY, 0));
    assertMatrix(matrix, "..X..", "Y00ss", ".....");
    assertEquals(0b00110, matrix.relatedColumns());
    List<GroupIdentity> firstChanged = List.of(group(9, 3000), LONG.get(1));
    assertMatrix(at(0, new RowNow(firstChanged, 0), new RowNow(SHORT, 0), new RowNow(PARITY, 0)),
        "sssss", ".00..", ".....");
    assertMatrix(at(1, new RowNow(firstChanged, 1), new RowNow(SHORT, 0), new RowNow(PARITY, 0)),
        "X.0..", "00000", "..0..");
  }

  /** Row and record of a deleted file: no block is there, and the column lacks what was. */
  @Test
  void deletedFilesAreStaleWhereTheyHadBlocks() {
    assertMatrix(at(0, new RowNow(LONG, 1), new RowNow(List.of(), 0), new RowNow(PARITY, 0)),
        "X....", "s00ss", ".....");
    List<GroupIdentity> gap = new ArrayList<>(LONG);
    gap.set(0, null);
    assertMatrix(at(0, new RowNow(gap, 0), new RowNow(SHORT, 1), new RowNow(PARITY, 0)),
        "sssss", "X00..", ".....");
    assertMatrix(at(1, new RowNow(gap, 1), new RowNow(SHORT, 0), new RowNow(PARITY, 0)),
        "X.0..", "00000", "..0..");
  }

  /** An appended block group has no row in the matrix with its index, not even with its losses. */
  @Test
  void appendedBlockGroupsAreNotPartOfTheGroup() {
    List<GroupIdentity> appended = List.of(SHORT.get(0), group(7, 3000));
    assertMatrix(at(1, new RowNow(LONG, 0), new RowNow(appended, 0b11), new RowNow(PARITY, 0)),
        "..0..", "00000", "..0..");
  }

  @Test
  void changedParityFileProvesNothing() {
    List<GroupIdentity> changed = List.of(group(4, 3000), group(6, 200));
    FailureMatrix matrix =
        at(0, new RowNow(LONG, 1), new RowNow(SHORT, 0), new RowNow(changed, 0));
    assertMatrix(matrix, "X....", ".00..", "sssss");
    assertEquals(0, matrix.relatedColumns());
  }

  /** A digest tells only that something has changed, so all blocks of the row count as stale. */
  @Test
  void rowsWithDigestsAreStaleAsAWhole() {
    CoreMembership digests = GROUP.toDigests();
    List<GroupIdentity> firstChanged = List.of(group(9, 3000), LONG.get(1));
    List<RowNow> rows = List.of(new RowNow(firstChanged, 0), new RowNow(SHORT, 0),
        new RowNow(PARITY, 0));
    assertMatrix(MATRICES.at(0, digests, rows), "sssss", ".00..", ".....");
    assertMatrix(MATRICES.at(1, digests, rows), "sssss", "00000", "..0..");
    List<RowNow> same = List.of(new RowNow(LONG, 0), new RowNow(SHORT, 0), new RowNow(PARITY, 0));
    assertMatrix(MATRICES.at(1, digests, same), "..0..", "00000", "..0..");
  }

  @Test
  void wrongCallsAreRefused() {
    RowNow row = new RowNow(LONG, 0);
    assertThrows(IllegalArgumentException.class, () -> at(0, row, row));
    assertThrows(IllegalArgumentException.class, () -> at(-1, row, row, row));
    assertThrows(IllegalArgumentException.class, () -> at(2, row, row, row));
    assertThrows(IllegalArgumentException.class,
        () -> at(0, row, new RowNow(SHORT, 0b10), new RowNow(PARITY, 0)));
    for (int[] wrong : new int[][] {{0, 1}, {5, 1}, {3, 0}}) {
      assertThrows(IllegalArgumentException.class,
          () -> new RecordedMatrix(new ReedSolomonRow(5, 3), wrong[0], wrong[1]));
    }
  }
}
