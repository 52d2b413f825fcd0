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
 * Finds the columns of units that clients cannot read. The blocks of a column belong to files of
 * several names. A caller gets them only if it may read all these files: with the other blocks
 * and their XOR it could compute any of them.
 */
@InterfaceAudience.Private
public interface ColumnProtocol {
  /**
   * @param group the block group, as the caller knows it
   * @param unit index of the unit that the caller cannot read
   * @return the other blocks of the unit's column, each with its locations and a token to read it;
   *     the unit is the XOR of them, if zeros are thought behind the ends of shorter blocks. Empty
   *     if the unit is in no column, or if a block of the column is lost or not what the parity
   *     file was made of
   * @throws org.apache.hadoop.security.AccessControlException if the caller may not read all
   *     files of the column
   * @throws IOException if the NameNode does not answer now
   */
  List<LocatedBlock> column(GroupId group, int unit) throws IOException;

  /**
   * Finds all columns that a block group is in, so that they can be checked.
   *
   * @param blockGroup block id of the block group
   * @return the block groups beside it, and itself; empty if it is in no CORE group
   * @throws org.apache.hadoop.security.AccessControlException if the caller may not read all of
   *     their files
   * @throws IOException if the NameNode does not answer now
   */
  Optional<SquareBlocks> square(long blockGroup) throws IOException;
}
