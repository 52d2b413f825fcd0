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
package org.hdfsppr.namenode.queue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.plan.GroupId;

/**
 * Identifies a repair that has begun and is pending in the NameNode. The NameNode's books find the
 * repair by this object, so that there is one for each repair. Immutable.
 */
@InterfaceAudience.Private
public final class RepairGrant {
  /** Number of the repair, unique within this NameNode process */
  public final long number;
  /** The term in which the repair began */
  public final long term;
  /** The group that is repaired */
  public final GroupId group;
  /** The units to rebuild, each with its node and storage */
  public final List<CommandTarget> targets;

  /**
   * @param number a number that no other grant of this NameNode process has
   * @param term the term in which the repair began
   * @param group the group
   * @param targets the units to rebuild and their nodes, in the assignment's order
   */
  public RepairGrant(long number, long term, GroupId group, List<CommandTarget> targets) {
    this.number = number;
    this.term = term;
    this.group = group;
    this.targets = Collections.unmodifiableList(new ArrayList<>(targets));
  }

  @Override
  public String toString() {
    return "repair " + number + " of " + group + ": " + targets;
  }
}
