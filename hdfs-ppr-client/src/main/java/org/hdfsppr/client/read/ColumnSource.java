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

/**
 * Knows from which blocks of other files a lost block of a CORE group can be rebuilt. Thread-safe.
 */
@InterfaceAudience.Private
public interface ColumnSource {
  /**
   * A source that knows no column: readers treat each block group as if it were in no CORE group.
   */
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
   * @return the blocks, whose sum by XOR equals the unit; an empty list if the unit is in no column
   *     that this client may read, or if the NameNode does not answer
   */
  List<LocatedBlock> of(GroupId group, int unit);

  /**
   * Like {@link #of}, but for a reader that has no other way to the unit's bytes. So this method
   * asks the NameNode even if the NameNode has just failed to answer {@link #of}.
   *
   * @param group the block group
   * @param unit index of the unit in its group
   * @return the blocks; an empty list if the unit is in no column
   * @throws IOException if the NameNode does not answer, or if this client may not read the column
   */
  List<LocatedBlock> ofOnlyWay(GroupId group, int unit) throws IOException;

  /**
   * Forgets which blocks the NameNode has named for the unit's column, because a rebuild from these
   * blocks has failed.
   *
   * @param group the block group
   * @param unit index of the unit in its group
   */
  void forget(GroupId group, int unit);
}
