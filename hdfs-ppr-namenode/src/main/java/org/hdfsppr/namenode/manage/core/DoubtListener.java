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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;

/**
 * Is called about doubts concerning the units of groups. Other groups may read these units, too:
 * those that have columns of CORE with the group.
 */
@InterfaceAudience.Private
public interface DoubtListener {
  /**
   * A doubt about the units of a group has begun or ended.
   *
   * @param group the group
   */
  void doubtChanged(GroupId group);

  /**
   * A node has rebuilt a unit from its column, and the unit contradicts its row.
   *
   * @param group the row
   * @param unit index of the unit, and of the column
   */
  void columnContradicts(GroupId group, int unit);

  /**
   * A unit of a group is wrong, which explains why columns have contradicted the group.
   *
   * @param group the group
   */
  void rowIsWrong(GroupId group);
}
