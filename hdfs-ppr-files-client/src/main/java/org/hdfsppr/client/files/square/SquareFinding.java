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
package org.hdfsppr.client.files.square;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.verify.Sentences;
import org.hdfsppr.client.verify.Verdict;
import org.hdfsppr.column.SquareBlocks;

/**
 * The result of the checks of a square: the block groups with the same index in all files of a CORE
 * group. Each is a row, and the blocks of one unit are a column. Immutable.
 */
@InterfaceAudience.Private
public final class SquareFinding {
  /** The inode id of the parity file, which identifies the CORE group */
  public final long coreGroup;
  /** The index that the block groups have in their files */
  public final int index;
  /** The paths of the files, the parity file last */
  public final List<String> files;
  /** The result for each column that has bytes */
  public final List<ColumnFinding> columns;
  /** How many bytes all blocks have that were checked */
  final long unitBytes;
  /** How many bytes came over the network to this client */
  final long clientBytes;

  /**
   * @param coreGroup the inode id of the parity file, which identifies the CORE group
   * @param index the index that the block groups have in their files
   * @param files the paths of the files, the parity file last
   * @param columns the result for each column that has bytes
   * @param unitBytes how many bytes all blocks have that were checked
   * @param clientBytes how many bytes came over the network to this client
   */
  SquareFinding(long coreGroup, int index, List<String> files, List<ColumnFinding> columns,
      long unitBytes, long clientBytes) {
    this.coreGroup = coreGroup;
    this.index = index;
    this.files = Collections.unmodifiableList(new ArrayList<>(files));
    this.columns = Collections.unmodifiableList(new ArrayList<>(columns));
    this.unitBytes = unitBytes;
    this.clientBytes = clientBytes;
  }

  /** Makes the result for block groups whose check an error has ended. */
  static SquareFinding failed(SquareBlocks square) {
    return new SquareFinding(square.coreGroup, square.index,
        square.rows.stream().map(row -> row.path).collect(Collectors.toList()),
        List.of(ColumnFinding.of(0, Verdict.NOT_CHECKED, Sentences.ERROR, "")), 0, 0);
  }
}
