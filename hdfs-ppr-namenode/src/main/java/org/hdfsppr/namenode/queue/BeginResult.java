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

import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.plan.NodeRef;

/**
 * The answer to one assignment: the {@link RepairGrant} of a repair that has begun, or the reason
 * why the repair could not begin. Immutable.
 */
@InterfaceAudience.Private
public final class BeginResult {
  /** The reasons why a repair could not begin. */
  public enum Refusal {
    /** This NameNode is not active, or the assignment is of an older term. */
    NOT_ACTIVE,
    /**
     * The group has changed since its repair was planned. A later poll reports the group if it is
     * still claimed.
     */
    GROUP_CHANGED,
    /**
     * Stock or an earlier repair is at work on the group. A poll after the end of that work reports
     * the group again.
     */
    AT_WORK,
    /** A target cannot take its unit. The repair should be planned with another target. */
    TARGET_UNFIT,
    /**
     * A target has no storage with enough free space of a type that the file may be on. The repairs
     * of this group, and of other groups with the same storage policy and size, should be planned
     * with another target.
     */
    NO_STORAGE,
    /** The targets leave the group on fewer racks than it should be on. */
    TOO_FEW_RACKS
  }

  /** The assignment that was to begin */
  public final Assignment assignment;
  private final RepairGrant grant;
  private final Refusal refusal;
  /** What exactly was wrong, in words for an operator; empty if the repair was granted */
  public final String detail;
  private final NodeRef withoutStorage;

  private BeginResult(Assignment assignment, RepairGrant grant, Refusal refusal, String detail,
      NodeRef withoutStorage) {
    this.assignment = Objects.requireNonNull(assignment, "assignment");
    this.grant = grant;
    this.refusal = refusal;
    this.detail = detail;
    this.withoutStorage = withoutStorage;
  }

  /**
   * Makes the result of a repair that has begun.
   *
   * @param assignment which units are repaired by which nodes
   * @param grant identifies the repair in the NameNode
   * @return the result
   */
  public static BeginResult granted(Assignment assignment, RepairGrant grant) {
    return new BeginResult(assignment, Objects.requireNonNull(grant, "grant"), null, "",
        null);
  }

  /**
   * Makes the result of a repair that could not begin.
   *
   * @param assignment which units are repaired by which nodes
   * @param refusal why the repair could not begin
   * @param detail what exactly was wrong, in words for an operator
   * @return the result
   */
  public static BeginResult refused(Assignment assignment, Refusal refusal, String detail) {
    return new BeginResult(assignment, null, Objects.requireNonNull(refusal, "refusal"), detail,
        null);
  }

  /**
   * Makes the result of a repair that lacks a storage of the wanted type for a unit.
   *
   * @param assignment which units are repaired by which nodes
   * @param target the node without a storage for its unit
   * @return the result
   */
  public static BeginResult noStorage(Assignment assignment, NodeRef target) {
    return new BeginResult(assignment, null, Refusal.NO_STORAGE, target
        + " has no storage with room of a type that the file may be on", target);
  }

  /** @return the grant of the repair; empty if the repair was refused */
  public Optional<RepairGrant> grant() {
    return Optional.ofNullable(grant);
  }

  /** @return why the repair was refused; empty if it was granted */
  public Optional<Refusal> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** @return the target without a storage, if the repair was refused for that reason */
  public Optional<NodeRef> withoutStorage() {
    return Optional.ofNullable(withoutStorage);
  }

  @Override
  public String toString() {
    return grant != null ? grant.toString()
        : assignment.group + " refused, " + refusal + ": " + detail;
  }
}
