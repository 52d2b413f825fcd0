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
 * Finds the CORE group of a block group. Any thread may ask, without any lock of the NameNode's. An
 * answer may be old by the time it is used: a repair compares the block groups with the NameNode's
 * block map once more, under the lock, when it begins.
 */
@InterfaceAudience.Private
@FunctionalInterface
public interface CoreGroupLookup {
  /** The book with no CORE groups. */
  CoreGroupLookup NONE = blockGroup -> Optional.empty();

  /**
   * @param blockGroup block id of a block group
   * @return the block group among the others of its CORE group; empty if it is in none, or only in
   *     one whose record does not name it as it is now
   */
  Optional<CoreRows> rowsOf(long blockGroup);

  /**
   * Returns the block groups that are recorded beside one, without a look at what there is now. The
   * books of a running NameNode answer from memory, so that this may be asked with its lock held.
   *
   * @param blockGroup block id of a block group
   * @return the block groups with the same index of the other files of its CORE group, and of the
   *     parity file; empty if it is in none
   */
  default List<GroupId> recordedBeside(long blockGroup) {
    List<GroupId> others = new ArrayList<>();
    rowsOf(blockGroup).ifPresent(found -> found.rows.stream()
        .filter(row -> row != null && row.id.groupId != blockGroup)
        .forEach(row -> others.add(row.id)));
    return others;
  }

  /**
   * Returns whether this book knows all CORE groups. After a restart or a failover, it does not
   * until they have been read.
   *
   * @return whether a block group that is in no group of this book is in none
   */
  default boolean isComplete() {
    return true;
  }
}
