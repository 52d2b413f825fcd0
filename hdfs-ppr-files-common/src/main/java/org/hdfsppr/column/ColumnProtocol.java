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
package org.hdfsppr.column;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hdfsppr.plan.GroupId;

/**
 * The calls with which clients ask the NameNode for the columns of units. The blocks of a column
 * belong to different files. A caller gets them only if it may read all of these files, because
 * from all other blocks of the column it could compute the remaining one.
 */
@InterfaceAudience.Private
public interface ColumnProtocol {
  /**
   * Returns the column of a unit that the caller cannot read.
   *
   * @param group the block group, as the caller knows it
   * @param unit index of the unit that the caller cannot read
   * @return the other blocks of the unit's column, each with its locations and a token to read it.
   *     The unit is the XOR of these blocks, if shorter ones are padded with zeros. The list is
   *     empty if the unit is in no column, if a block of the column is lost, or if one has changed
   *     since the parity file was made
   * @throws org.apache.hadoop.security.AccessControlException if the caller may not read all files
   *     of the column
   * @throws IOException if the NameNode does not answer now
   */
  List<LocatedBlock> column(GroupId group, int unit) throws IOException;

  /**
   * Returns the blocks of all columns to which the units of a block group belong, so that the
   * caller can check the columns.
   *
   * @param blockGroup block id of the block group
   * @return the block group itself, and the block groups of the other files of its CORE group at
   *     the same index; empty if it is in no CORE group
   * @throws org.apache.hadoop.security.AccessControlException if the caller may not read all files
   *     of the CORE group
   * @throws IOException if the NameNode does not answer now
   */
  Optional<SquareBlocks> square(long blockGroup) throws IOException;
}
