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
package org.hdfsppr.namenode.track;

import java.util.Collections;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.plan.GroupId;

/**
 * A command that has ended for the NameNode, but that its DataNode may still be carrying out.
 * Immutable.
 */
@InterfaceAudience.Private
public final class EndedRepair {
  /** The group that was repaired */
  public final GroupId group;
  /** UUID of the command's destination */
  public final String uuid;
  /** The time at which the destination gives up by itself, monotonic, ms. */
  final long deadlineMs;
  /**
   * The units that the command was to rebuild, if the group was doubted and the NameNode knows the
   * rebuilt replicas of all of them; otherwise null.
   */
  private final Set<Integer> doneAsDoubted;
  /** The units that the command may have read and written */
  public final RepairScope scope;

  /**
   * @param isDone whether the NameNode knows all rebuilt units and no other command rebuilt units
   *     of the same group
   */
  EndedRepair(TrackedRepair repair, boolean isDone) {
    this.group = repair.assignment.group.id;
    this.uuid = repair.destination().uuid;
    this.deadlineMs = repair.deadlineMs;
    this.doneAsDoubted = isDone && repair.assignment.doubted
        ? repair.assignment.unitsWithout(Collections.emptySet()) : null;
    this.scope = RepairScope.of(repair.assignment);
  }

  /**
   * Returns whether this repair alone has made the doubted group whole: the repair has rebuilt all
   * lost units, and the NameNode already knew all of them when the repair ended.
   *
   * @param result the destination's report
   * @return whether the repair can end the doubt
   */
  public boolean isDoneAsDoubted(RepairResult result) {
    return doneAsDoubted != null && result.outcome == RepairOutcome.REBUILT
        && !result.leavesDoubt() && result.rebuiltUnits.containsAll(doneAsDoubted);
  }
}
