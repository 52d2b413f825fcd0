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
package org.hdfsppr.manage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.FailureCause;

/** How a commanded repair ended, as its destination says. Immutable. */
@InterfaceAudience.Private
public final class RepairResult {
  /** With this the message of a repair begins for which too few nodes could help. */
  public static final String TOO_FEW_HELPERS = "TOO_FEW_HELPERS";

  private final String repairId;
  private final long term;
  private final RepairOutcome outcome;
  private final List<Integer> rebuiltUnits;
  private final String failedNode;
  private final FailureCause cause;
  private final String message;
  private final long bytes;
  private final long elapsedMs;
  private final List<String> leftOut;
  private final boolean unitsAgree;
  private final List<Integer> readUnits;
  private final boolean undecided;

  /**
   * @param repairId the command's
   * @param term the command's
   * @param outcome how it ended
   * @param rebuiltUnits the units that are on their targets now; may be fewer than were wanted
   * @param failedNode UUID of the node that failed, or null if none can be named
   * @param cause what happened there, or null; {@link FailureCause#VERIFICATION} wherever units
   *     contradicted each other, also if one was left out and all is rebuilt, or a target failed
   * @param message for people, one line; empty if all is well
   * @param bytes of rebuilt units
   * @param elapsedMs from the arrival of the command
   */
  public RepairResult(String repairId, long term, RepairOutcome outcome,
      List<Integer> rebuiltUnits, String failedNode, FailureCause cause, String message,
      long bytes, long elapsedMs) {
    this(repairId, term, outcome, rebuiltUnits, failedNode, cause, message, bytes, elapsedMs,
        Collections.emptyList(), false, Collections.emptyList(), false);
  }

  private RepairResult(String repairId, long term, RepairOutcome outcome,
      List<Integer> rebuiltUnits, String failedNode, FailureCause cause, String message,
      long bytes, long elapsedMs, List<String> leftOut, boolean unitsAgree,
      List<Integer> readUnits, boolean undecided) {
    this.repairId = Objects.requireNonNull(repairId, "repairId");
    this.term = term;
    this.outcome = Objects.requireNonNull(outcome, "outcome");
    this.rebuiltUnits = Collections.unmodifiableList(new ArrayList<>(rebuiltUnits));
    this.failedNode = failedNode;
    this.cause = cause;
    this.message = Objects.requireNonNull(message, "message");
    this.bytes = bytes;
    this.elapsedMs = elapsedMs;
    this.leftOut = Collections.unmodifiableList(new ArrayList<>(leftOut));
    this.unitsAgree = unitsAgree;
    this.readUnits = Collections.unmodifiableList(new ArrayList<>(readUnits));
    this.undecided = undecided;
  }

  /**
   * The same, of a repair in which units contradicted each other at first.
   *
   * @param nodes see {@link #leftOut}
   * @param agree see {@link #unitsAgree}
   */
  public RepairResult withLeftOut(List<String> nodes, boolean agree) {
    return new RepairResult(repairId, term, outcome, rebuiltUnits, failedNode, cause, message,
        bytes, elapsedMs, nodes, agree, readUnits, undecided);
  }

  /**
   * The same, of a repair that has checked every byte.
   *
   * @param units see {@link #readUnits}
   */
  public RepairResult withReadUnits(List<Integer> units) {
    return new RepairResult(repairId, term, outcome, rebuiltUnits, failedNode, cause, message,
        bytes, elapsedMs, leftOut, unitsAgree, units, undecided);
  }

  /** The same, of a repair that could not read once more what it had left out. */
  public RepairResult asUndecided() {
    return new RepairResult(repairId, term, outcome, rebuiltUnits, failedNode, cause, message,
        bytes, elapsedMs, leftOut, unitsAgree, readUnits, true);
  }

  /** A command that was not tried. */
  public static RepairResult notTried(String repairId, long term, RepairOutcome outcome,
      FailureCause cause, String message) {
    return new RepairResult(repairId, term, outcome, Collections.emptyList(), null, cause, message,
        0, 0);
  }

  public String repairId() {
    return repairId;
  }

  public long term() {
    return term;
  }

  public RepairOutcome outcome() {
    return outcome;
  }

  public List<Integer> rebuiltUnits() {
    return rebuiltUnits;
  }

  /** UUID of the node that failed, or null. */
  public String failedNode() {
    return failedNode;
  }

  /** What happened, or null. */
  public FailureCause cause() {
    return cause;
  }

  public String message() {
    return message;
  }

  /** Bytes of rebuilt units. */
  public long bytes() {
    return bytes;
  }

  public long elapsedMs() {
    return elapsedMs;
  }

  /**
   * UUIDs of the nodes without which the units added up, one of which is the source of wrong bytes;
   * empty if none was left out, or if the DataNode is too old to say so.
   */
  public List<String> leftOut() {
    return leftOut;
  }

  /**
   * Whether the units that were read, those of {@link #leftOut} as well, agree in every byte after
   * all: then a node has calculated wrongly, and none of these units is wrong. Of units that were
   * not read it says nothing.
   */
  public boolean unitsAgree() {
    return unitsAgree;
  }

  /**
   * Units that agree with each other in every byte that the check covers, which is as many as the
   * longest rebuilt unit has; empty if only samples were checked, or if the DataNode is too old to
   * say so.
   */
  public List<Integer> readUnits() {
    return readUnits;
  }

  /**
   * Whether nothing was tried because too few nodes could help, or too few to check all bytes where
   * that was demanded. No node failed.
   */
  public boolean saysTooFewHelpers() {
    return outcome == RepairOutcome.FAILED && cause == null && message.startsWith(TOO_FEW_HELPERS);
  }

  /** Whether what was left out is only suspected, because it could not be read once more. */
  public boolean isUndecided() {
    return undecided;
  }

  /**
   * Whether it leaves a doubt about what the units hold: they contradicted each other, and that was
   * not a node's wrong arithmetic.
   */
  public boolean leavesDoubt() {
    return cause == FailureCause.VERIFICATION
        && !(outcome == RepairOutcome.REBUILT && unitsAgree);
  }

  @Override
  public String toString() {
    return "repair " + repairId + " of term " + term + ": " + outcome
        + (rebuiltUnits.isEmpty() ? "" : " units " + rebuiltUnits)
        + (cause == null ? "" : ", " + cause) + (failedNode == null ? "" : " at " + failedNode)
        + (leftOut.isEmpty() ? "" : " without " + leftOut)
        + (unitsAgree ? ", the units agree after all" : "")
        + (undecided ? ", undecided" : "")
        + (message.isEmpty() ? "" : ": " + message);
  }
}
