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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;

/** The progress of one command of a repair at one moment. Immutable. */
@InterfaceAudience.Private
public final class RepairProgress {
  /** The command's id, which log lines also show */
  public final String id;
  /** The units that the command reads and rebuilds, each with its node */
  public final Assignment assignment;
  /** The destination: the node that runs the repair */
  public final NodeRef destination;
  /** The state of the repair */
  public final RepairState state;
  /** How much of the repair is done, 0 to 100, as its destination reports */
  public final int donePercent;
  /** When the command was ordered, monotonic milliseconds */
  public final long startedMs;
  /** When the repair is given up in any case, monotonic milliseconds */
  public final long deadlineMs;

  /** @param repair a command under way */
  public RepairProgress(TrackedRepair repair) {
    this.id = repair.id;
    this.assignment = repair.assignment;
    this.destination = repair.destination();
    this.state = repair.state();
    this.donePercent = repair.donePercent();
    this.startedMs = repair.startedMs;
    this.deadlineMs = repair.deadlineMs;
  }

  /** @return the group that is repaired */
  public GroupId group() {
    return assignment.group.id;
  }

  @Override
  public String toString() {
    return id + " of " + group() + " to " + destination + ", " + state + ", " + donePercent + " %";
  }
}
