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
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;

/**
 * Finds the CORE group of a block group. Any thread may ask, without the NameNode's lock. The
 * answer may be outdated when it is used. When a repair begins, it therefore compares the block
 * groups with the NameNode's block map once more, under the lock.
 */
@InterfaceAudience.Private
@FunctionalInterface
public interface CoreGroupLookup {
  /** Finds no CORE group for any block group. */
  CoreGroupLookup NONE = blockGroup -> Optional.empty();

  /**
   * @param blockGroup block id of a block group
   * @return this block group and those that have the same index in the other files of its CORE
   *     group; empty if it is in no CORE group, or if the record of its CORE group names an earlier
   *     state of it
   */
  Optional<CoreRows> rowsOf(long blockGroup);

  /**
   * Returns the block groups that a record names as those of the same CORE group and index, even if
   * files have changed since. A running NameNode answers from memory, so this may be called with
   * its lock held.
   *
   * @param blockGroup block id of a block group
   * @return the block groups with the same index in the other files of its CORE group, and in the
   *     parity file; empty if it is in no CORE group
   */
  default List<GroupId> recordedBeside(long blockGroup) {
    List<GroupId> others = new ArrayList<>();
    rowsOf(blockGroup).ifPresent(found -> found.rows.stream()
        .filter(row -> row != null && row.id.groupId != blockGroup)
        .forEach(row -> others.add(row.id)));
    return others;
  }

  /**
   * Returns whether this lookup knows all CORE groups. After a restart or a failover, it knows only
   * some until all records have been read.
   *
   * @return true if a block group for which this lookup finds no CORE group is in none
   */
  default boolean isComplete() {
    return true;
  }
}
