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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hdfsppr.plan.GroupId;

/** Says which blocks of other files bring a lost block of a CORE group back. Thread-safe. */
@InterfaceAudience.Private
public interface ColumnSource {
  /** Knows no column: a reader reads each block group as if it were in no CORE group. */
  ColumnSource NONE = new ColumnSource() {
    @Override
    public List<LocatedBlock> of(GroupId group, int unit) {
      return List.of();
    }

    @Override
    public List<LocatedBlock> ofOnlyWay(GroupId group, int unit) {
      return List.of();
    }

    @Override
    public void forget(GroupId group, int unit) {
      // It remembers nothing.
    }
  };

  /**
   * Returns the other blocks of a unit's column.
   *
   * @param group the block group
   * @param unit index of the unit in its group
   * @return the blocks, whose XOR the unit is; an empty list if the unit is in no column that this
   *     client may read, or if the NameNode does not answer
   */
  List<LocatedBlock> of(GroupId group, int unit);

  /**
   * Returns the other blocks of a unit's column, if a column is the only way to the bytes. Asks the
   * NameNode even if it has just failed to answer {@link #of}.
   *
   * @param group the block group
   * @param unit index of the unit in its group
   * @return the blocks; an empty list if the unit is in no column
   * @throws IOException if the NameNode does not answer, or if this client may not read the column
   */
  List<LocatedBlock> ofOnlyWay(GroupId group, int unit) throws IOException;

  /**
   * Forgets an answer, because it has led to a failure.
   *
   * @param group the block group
   * @param unit index of the unit in its group
   */
  void forget(GroupId group, int unit);
}
