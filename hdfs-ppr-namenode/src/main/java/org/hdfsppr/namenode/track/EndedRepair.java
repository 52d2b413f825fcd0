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
 * What is remembered of a command that has ended here, and may go on where it was ordered.
 * Immutable.
 */
@InterfaceAudience.Private
public final class EndedRepair {
  private final GroupId group;
  private final String uuid;
  private final long deadlineMs;
  /** The units to rebuild, if it was doubted and the NameNode knows of them all; or null. */
  private final Set<Integer> doneAsDoubted;
  private final RepairScope scope;

  /** @param isDone whether the NameNode knows of all units, and of no other command for them */
  EndedRepair(Repair repair, boolean isDone) {
    this.group = repair.assignment().group().id();
    this.uuid = repair.destination().uuid();
    this.deadlineMs = repair.deadlineMs();
    this.doneAsDoubted = isDone && repair.assignment().isDoubted()
        ? repair.assignment().unitsWithout(Collections.emptySet()) : null;
    this.scope = RepairScope.of(repair.assignment());
  }

  /** @return the node that led it */
  public String uuid() {
    return uuid;
  }

  /** @return what it may have read and written */
  public RepairScope scope() {
    return scope;
  }

  /** @return the group that was repaired */
  public GroupId group() {
    return group;
  }

  /** When the node that led it gives up by itself, monotonic milliseconds. */
  long deadlineMs() {
    return deadlineMs;
  }

  /**
   * Whether it is what made the group whole although that was doubted: the NameNode has known since
   * then of all its units, and this repair alone has rebuilt those that were lost.
   *
   * @param result its destination's word
   * @return whether the repair has ended the doubt
   */
  public boolean isDoneAsDoubted(RepairResult result) {
    return doneAsDoubted != null && result.outcome() == RepairOutcome.REBUILT
        && !result.leavesDoubt() && result.rebuiltUnits().containsAll(doneAsDoubted);
  }
}
