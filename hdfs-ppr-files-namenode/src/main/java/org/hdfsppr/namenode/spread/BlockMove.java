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
package org.hdfsppr.namenode.spread;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.plan.GroupId;

/** The move of one unit of a block group from a DataNode to another one. Immutable. */
@InterfaceAudience.Private
public final class BlockMove {
  /** The block group */
  public final GroupId group;
  /** The unit */
  public final int unit;
  /** The storage type, which does not change with the move */
  public final StorageType type;
  /** UUID of the DataNode that has the unit */
  public final String from;
  /** UUID of the DataNode that is to get the unit */
  public final String to;

  /**
   * @param group the block group
   * @param unit the unit
   * @param type the storage type, which does not change with the move
   * @param from UUID of the DataNode that has the unit
   * @param to UUID of the DataNode that is to get the unit
   */
  public BlockMove(GroupId group, int unit, StorageType type, String from, String to) {
    this.group = Objects.requireNonNull(group, "group");
    this.unit = unit;
    this.type = Objects.requireNonNull(type, "type");
    this.from = Objects.requireNonNull(from, "from");
    this.to = Objects.requireNonNull(to, "to");
  }

  @Override
  public String toString() {
    return group.groupId + "/" + unit + " " + from + ">" + to;
  }
}
