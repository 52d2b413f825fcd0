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
package org.hdfsppr.namenode.column;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hdfsppr.column.SquareBlocks;
import org.hdfsppr.namenode.model.CoreRows;

/** Looks up where the blocks of a column are now, for the caller of the present RPC. */
@InterfaceAudience.Private
public interface ColumnBlocks {
  /**
   * @param rows the block groups of the CORE group at one index, one for each row
   * @param lost index of the row whose block the caller wants to restore
   * @param unit index of the column
   * @return the blocks of the other rows in this column, each with its locations and a token for
   *     the caller; empty if one of them is lost, or is not the recorded one any more
   * @throws org.apache.hadoop.security.AccessControlException if the caller may not read all files
   *     of the group
   * @throws IOException if this NameNode cannot answer now
   */
  List<LocatedBlock> locate(CoreRows rows, int lost, int unit) throws IOException;

  /**
   * @param rows the block groups of a CORE group at one index, one for each row
   * @return these block groups, each with locations and tokens of its units; without rows if one of
   *     the block groups is not the recorded one any more
   * @throws org.apache.hadoop.security.AccessControlException if the caller may not read all files
   *     of the group
   * @throws IOException if this NameNode cannot answer now
   */
  SquareBlocks locate(CoreRows rows) throws IOException;
}
