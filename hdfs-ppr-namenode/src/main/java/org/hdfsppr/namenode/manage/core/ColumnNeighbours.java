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
package org.hdfsppr.namenode.manage.core;

import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;

/** Says where the other blocks of a column of CORE are, or are about to be. */
@InterfaceAudience.Private
public interface ColumnNeighbours {
  /**
   * @param group a group that is being planned
   * @param unit a lost unit of the group
   * @param node a candidate for the unit's destination
   * @return whether the node has another block of the unit's column, or is about to get one
   */
  boolean isBeside(LostGroup group, int unit, NodeRef node);

  /**
   * @param blockGroup block id of a block group
   * @return the block groups with which it shares columns of CORE; empty if it is in no CORE group
   */
  List<GroupId> recordedBeside(long blockGroup);

  /**
   * @param repair a repair, or one command of it
   * @return whether all blocks of its columns may be read: none is of a group whose units may
   *     contradict each other. True if the repair reads no column
   */
  boolean mayRead(Assignment repair);

  /**
   * Returns a check for repairs that are to begin at the same time; the caller applies it to one
   * repair after the other. It is needed because the destination of a repair may have changed after
   * other repairs were planned. Two of them could then put two blocks of a column onto one node.
   *
   * @return accepts a repair if it puts no block onto a node that gets another block of the same
   *     column from an accepted repair, and if its plan took account of all columns of its group
   */
  Predicate<Assignment> apart();
}
