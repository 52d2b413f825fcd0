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

import java.util.Collection;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hdfsppr.manage.proto.ManagerProtos.ResultProto;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.WireRules;

/**
 * A DataNode's report about the end of a job that a manager ordered. The destination reports a
 * repair, the node that led a check reports the check, and the node that linked or made blocks
 * reports these. Immutable.
 */
@InterfaceAudience.Private
public final class RepairResult {
  /**
   * How many nodes a repair can leave out at most. Each node that is left out holds a unit of the
   * group.
   */
  private static final int LEFT_OUT_MAX = RequestBounds.UNITS_MAX;
  /** The first word of {@link #message} if too few nodes could help. */
  public static final String TOO_FEW_HELPERS = "TOO_FEW_HELPERS";

  /** Id of the repair, as in the command */
  public final String repairId;
  /** The term of the command */
  public final long term;
  /** The outcome */
  public final RepairOutcome outcome;
  /** Indices of the units that the targets have stored; may be fewer than the command names */
  public final List<Integer> rebuiltUnits;
  /** UUID of the node that failed, or null if no single node can be named */
  public final String failedNode;
  /** The cause of the failure, or null */
  public final FailureCause cause;
  /** An explanation of the failure, as one line for logs; empty if nothing failed */
  public final String message;
  /** Length of all rebuilt units together, bytes */
  public final long bytes;
  /** Milliseconds from the arrival of the command to the end of the repair */
  public final long elapsedMs;
  /**
   * UUIDs of the nodes that the destination left out after a contradiction, because the units of
   * the other nodes agree. Wrong bytes came from one of these nodes.
   */
  public final List<String> leftOut;
  /**
   * Whether the destination read the units a second time and found that all these units, including
   * those of {@link #leftOut}, agree in every byte. In that case a node has calculated wrongly, and
   * none of these units is wrong. The result says nothing about units that were not read.
   */
  public final boolean unitsAgree;
  /**
   * Indices of the units that agree with each other in every byte that the check covers. The check
   * covers the length of the longest rebuilt unit.
   */
  public final List<Integer> readUnits;
  /**
   * True if it remains open whether the units of {@link #leftOut} are wrong, because the
   * destination could not read them a second time
   */
  public final boolean undecided;
  /**
   * What a check has found; null if the job was no check, or if the DataNode refused the command
   */
  public final ScrubFinding scrub;
  /**
   * What a {@code LinkCommand} or a {@code MakeCommand} has done; null for any other job. The
   * outcome of such a command is {@link RepairOutcome#REBUILT} if all its blocks exist, whether
   * this run or an earlier run has made them. Whatever the outcome is, {@link #rebuiltUnits} names
   * the blocks that exist: by the indices of the links in the command, or by the units of the made
   * blocks.
   */
  public final VersionReport version;

  private final ResultProto proto;

  /**
   * Makes the result of a job in which nothing failed, see {@link #withFailure}.
   *
   * @param repairId id of the repair, as in the command
   * @param term the term of the command
   * @param outcome the outcome
   * @param rebuiltUnits units that the targets have stored; may be fewer than the command names
   * @param bytes length of all rebuilt units together, bytes
   * @param elapsedMs milliseconds from the arrival of the command to the end of the repair
   */
  public RepairResult(String repairId, long term, RepairOutcome outcome,
      List<Integer> rebuiltUnits, long bytes, long elapsedMs) {
    this(ResultProto.newBuilder()
        .setRepairId(repairId)
        .setTerm(term)
        .setOutcome(outcome.number)
        .addAllRebuiltUnits(rebuiltUnits)
        .setMessage("")
        .setBytes(bytes)
        .setElapsedMs(elapsedMs));
  }

  private RepairResult(ResultProto.Builder result) {
    scrub = result.hasScrub() ? ScrubFinding.parse(result.getScrub()) : null;
    if (scrub != null) {
      result.setScrub(scrub.toProto());
    }
    version = result.hasVersion() ? VersionReport.parse(result.getVersion()) : null;
    if (version != null) {
      result.setVersion(version.toProto());
    }
    proto = result.build();
    repairId = proto.getRepairId();
    term = proto.getTerm();
    outcome = RepairOutcome.ofNumber(proto.getOutcome());
    rebuiltUnits = proto.getRebuiltUnitsList();
    failedNode = proto.hasFailedNode() ? proto.getFailedNode() : null;
    cause = proto.hasCause() ? FailureCause.ofNumber(proto.getCause()) : null;
    message = proto.getMessage();
    bytes = proto.getBytes();
    elapsedMs = proto.getElapsedMs();
    leftOut = proto.getLeftOutList();
    unitsAgree = proto.getUnitsAgree();
    readUnits = proto.getReadUnitsList();
    undecided = proto.getUndecided();
  }

  /**
   * Adds a failure.
   *
   * @param node UUID of the node that failed, or null if no single node can be named
   * @param why the cause of that node's failure, or null. If units contradicted each other, the
   *     cause is always {@link FailureCause#VERIFICATION}, even if the repair succeeded without one
   *     of these units, or if a target failed
   * @param line one line for logs; empty if nothing failed
   * @return the same result with this failure
   */
  public RepairResult withFailure(String node, FailureCause why, String line) {
    ResultProto.Builder result = proto.toBuilder().setMessage(line);
    if (node != null) {
      result.setFailedNode(node);
    }
    if (why != null) {
      result.setCause(why.number);
    }
    return new RepairResult(result);
  }

  /**
   * Adds the nodes that the destination left out because units contradicted each other.
   *
   * @param nodes see {@link #leftOut}
   * @param agree see {@link #unitsAgree}
   * @return the same result with these nodes
   */
  public RepairResult withLeftOut(List<String> nodes, boolean agree) {
    return new RepairResult(
        proto.toBuilder().clearLeftOut().addAllLeftOut(nodes).setUnitsAgree(agree));
  }

  /**
   * Adds the units whose every byte the destination checked.
   *
   * @param units see {@link #readUnits}
   * @return the same result with these units
   */
  public RepairResult withReadUnits(List<Integer> units) {
    return new RepairResult(proto.toBuilder().clearReadUnits().addAllReadUnits(units));
  }

  /**
   * Marks the result as undecided: the destination could not read the units of the left-out nodes a
   * second time.
   *
   * @return the same result, marked as undecided
   */
  public RepairResult asUndecided() {
    return new RepairResult(proto.toBuilder().setUndecided(true));
  }

  /**
   * Turns the result of a job that has done only a part of its command into a failure. The result
   * still names the units that were stored.
   *
   * @return the same result with the outcome {@link RepairOutcome#FAILED}
   */
  public RepairResult asFailed() {
    return new RepairResult(proto.toBuilder().setOutcome(RepairOutcome.FAILED.number));
  }

  /**
   * Turns the result of the last part of a job into the result of the whole job.
   *
   * @param units the units that all parts have stored
   * @param ms milliseconds from the arrival of the command to the end of the job
   * @return the same result with these units and this time
   */
  public RepairResult ofAllParts(Collection<Integer> units, long ms) {
    return new RepairResult(
        proto.toBuilder().clearRebuiltUnits().addAllRebuiltUnits(units).setElapsedMs(ms));
  }

  /**
   * Makes the result of a command that the DataNode did not try.
   *
   * @param repairId id of the repair, as in the command
   * @param term the term of the command
   * @param outcome {@link RepairOutcome#REFUSED} or {@link RepairOutcome#STALE}
   * @param cause the cause, or null
   * @param message one line for logs
   * @return the result
   */
  public static RepairResult notTried(String repairId, long term, RepairOutcome outcome,
      FailureCause cause, String message) {
    return new RepairResult(repairId, term, outcome, List.of(), 0, 0)
        .withFailure(null, cause, message);
  }

  /**
   * Makes the result of a check. The outcome is always {@link RepairOutcome#FAILED}, whatever the
   * check has found. A check rebuilds nothing, and a manager must not take its result for a
   * successful repair.
   *
   * @param commandId id of the check, as in the command
   * @param term the term of the command
   * @param finding what the check has found
   * @param message one line for logs; empty if nothing failed and the units agree
   * @param elapsedMs milliseconds from the arrival of the command to the end of the check
   * @return the result
   */
  public static RepairResult ofScrub(String commandId, long term, ScrubFinding finding,
      String message, long elapsedMs) {
    return ofScrub(commandId, term, finding, null, message, elapsedMs);
  }

  /**
   * Like {@link #ofScrub(String, long, ScrubFinding, String, long)}, but with a cause.
   *
   * @param cause {@link FailureCause#OVERLOADED} if the node has no time for the check now;
   *     otherwise null
   * @return the result
   */
  public static RepairResult ofScrub(String commandId, long term, ScrubFinding finding,
      FailureCause cause, String message, long elapsedMs) {
    RepairResult failed = new RepairResult(commandId, term, RepairOutcome.FAILED, List.of(), 0,
        elapsedMs).withFailure(null, cause, message);
    return new RepairResult(failed.proto.toBuilder().setScrub(finding.toProto()));
  }

  /**
   * Adds the report of a {@code LinkCommand} or a {@code MakeCommand}.
   *
   * @param report what the command has done
   * @return the same result with this report
   */
  public RepairResult withVersion(VersionReport report) {
    return new RepairResult(proto.toBuilder().setVersion(report.toProto()));
  }

  /**
   * Encodes the result, with at most {@link #LEFT_OUT_MAX} of the nodes that were left out. Cuts a
   * message that is too long.
   */
  ResultProto toProto() {
    ResultProto.Builder builder = proto.toBuilder().setMessage(FieldRules.message(message))
        .setBytes(bytes).setElapsedMs(elapsedMs)
        .clearLeftOut().addAllLeftOut(FieldRules.first(leftOut, LEFT_OUT_MAX));
    if (!unitsAgree) {
      builder.clearUnitsAgree();
    }
    if (!undecided) {
      builder.clearUndecided();
    }
    return builder.build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static RepairResult parse(ResultProto proto) {
    // Only commands that link or make blocks of a version may have more units than a block group.
    int units = proto.hasVersion() ? RequestBounds.LISTED_UNITS_MAX : RequestBounds.UNITS_MAX;
    FieldRules.atMost("rebuilt_units", proto.getRebuiltUnitsCount(), units);
    for (int unit : proto.getRebuiltUnitsList()) {
      WireRules.within("rebuilt unit", unit, 0, units - 1);
    }
    FieldRules.atMost("left_out", proto.getLeftOutCount(), LEFT_OUT_MAX);
    for (String node : proto.getLeftOutList()) {
      WireRules.name("left_out", node);
    }
    FieldRules.atMost("read_units", proto.getReadUnitsCount(), units);
    for (int unit : proto.getReadUnitsList()) {
      WireRules.within("read unit", unit, 0, units - 1);
    }
    FieldRules.id(proto.getRepairId());
    FieldRules.term(proto.getTerm());
    if (proto.hasFailedNode()) {
      WireRules.name("failed_node", proto.getFailedNode());
    }
    WireRules.text("message", proto.getMessage());
    FieldRules.bytes("bytes", proto.getBytes());
    FieldRules.bytes("elapsed_ms", proto.getElapsedMs());
    // The object drops fields that this version does not know, because they could be of any size.
    return new RepairResult(
        proto.toBuilder().setUnknownFields(UnknownFieldSet.getDefaultInstance()));
  }

  /**
   * Says whether the repair failed only because the destination found too few nodes to rebuild the
   * units, or too few to check all bytes of a doubted group.
   *
   * @return whether too few nodes could help
   */
  public boolean saysTooFewHelpers() {
    return outcome == RepairOutcome.FAILED && cause == null && message.startsWith(TOO_FEW_HELPERS);
  }

  /**
   * Says whether the group remains in doubt: units contradicted each other, and a second reading
   * did not show that only a node's arithmetic was wrong.
   *
   * @return whether a doubt remains
   */
  public boolean leavesDoubt() {
    return cause == FailureCause.VERIFICATION
        && !(outcome == RepairOutcome.REBUILT && unitsAgree);
  }

  @Override
  public String toString() {
    if (scrub != null) {
      return "check " + repairId + " of term " + term + ": " + scrub
          + (message.isEmpty() ? "" : ": " + message);
    }
    return (version == null ? "repair " : "version command ") + repairId + " of term " + term
        + ": " + outcome
        + (rebuiltUnits.isEmpty() ? "" : " units " + rebuiltUnits)
        + (cause == null ? "" : ", " + cause) + (failedNode == null ? "" : " at " + failedNode)
        + (leftOut.isEmpty() ? "" : " without " + leftOut)
        + (unitsAgree ? ", the units agree after all" : "")
        + (undecided ? ", undecided" : "") + (version == null ? "" : ", " + version)
        + (message.isEmpty() ? "" : ": " + message);
  }
}
