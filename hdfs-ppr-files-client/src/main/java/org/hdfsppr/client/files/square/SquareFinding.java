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

/** What the checks of the block groups with one index in a CORE group have found. Immutable. */
@InterfaceAudience.Private
public final class SquareFinding {
  /** Inode id of the parity file, which names the group */
  public final long coreGroup;
  /** Index of the block groups in their files */
  public final int index;
  /** Paths of the files, the parity file last */
  public final List<String> files;
  /** What was found in each column that has bytes */
  public final List<ColumnFinding> columns;
  /** Bytes of all blocks that were checked */
  final long unitBytes;
  /** Bytes that came to this client */
  final long clientBytes;

  /**
   * @param coreGroup inode id of the parity file, which names the group
   * @param index index of the block groups in their files
   * @param files paths of the files, the parity file last
   * @param columns what was found in each column
   * @param unitBytes bytes of all blocks that were checked
   * @param clientBytes bytes that came to this client
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

  /** Makes the finding of a square whose check was ended by an error. */
  static SquareFinding failed(SquareBlocks square) {
    return new SquareFinding(square.coreGroup, square.index,
        square.rows.stream().map(row -> row.path).collect(Collectors.toList()),
        List.of(ColumnFinding.of(0, Verdict.NOT_CHECKED, Sentences.ERROR, "")), 0, 0);
  }
}
