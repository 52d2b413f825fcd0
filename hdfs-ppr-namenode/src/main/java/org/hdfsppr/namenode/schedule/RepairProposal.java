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
package org.hdfsppr.namenode.schedule;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.Assignment;

/**
 * A scheduler's answer for one group: which nodes repair it and at which cost, or why there is no
 * plan. Immutable.
 */
@InterfaceAudience.Private
public final class RepairProposal {
  private final Assignment assignment;
  /** The load that the caller removes from the fleet when the repair has ended; null if refused */
  public final RepairLoad load;
  /**
   * Predicted duration, s: the time until the busiest link or disk of the repair has moved all
   * bytes that are pending there
   */
  public final double seconds;
  /**
   * Longest predicted duration, s: later repairs may still begin on the same links, which then
   * share their rates
   */
  public final double secondsMax;
  /** Why there is no plan; null if there is one */
  public final NoPlanReason refusal;

  private RepairProposal(Assignment assignment, RepairLoad load, double seconds, double secondsMax,
      NoPlanReason refusal) {
    this.assignment = assignment;
    this.load = load;
    this.seconds = seconds;
    this.secondsMax = secondsMax;
    this.refusal = refusal;
  }

  /**
   * @param seconds time until the busiest link or disk of the repair has moved all bytes that are
   *     pending there, including the bytes of this repair, s
   */
  static RepairProposal of(Assignment assignment, RepairLoad load, double seconds) {
    return new RepairProposal(Objects.requireNonNull(assignment, "assignment"),
        Objects.requireNonNull(load, "load"), seconds, seconds, null);
  }

  static RepairProposal refused(NoPlanReason why) {
    return new RepairProposal(null, null, 0, 0, Objects.requireNonNull(why, "why"));
  }

  /**
   * Returns the same plan with an upper bound of its duration. Later repairs may raise the load of
   * the plan's links and disks up to {@code pendingSeconds}.
   */
  RepairProposal beside(double pendingSeconds) {
    return new RepairProposal(assignment, load, seconds, Math.max(seconds, pendingSeconds),
        refusal);
  }

  /**
   * @param parts the parts, in order
   * @return the same plan, ordered by several commands under one grant, see {@link
   *     Assignment#inParts}
   */
  public RepairProposal inParts(List<Assignment> parts) {
    return new RepairProposal(assignment.inParts(parts), load, seconds, secondsMax, refusal);
  }

  /** @return which units are repaired by which nodes; empty if there is no plan */
  public Optional<Assignment> assignment() {
    return Optional.ofNullable(assignment);
  }

  @Override
  public String toString() {
    return refusal == null ? assignment.toString() : refusal.toString();
  }
}
