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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.ResultProto;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RequestBounds;

/** Turns a {@link RepairResult} into a message and back. */
@InterfaceAudience.Private
final class ResultCodec {
  /**
   * The most nodes that a repair can leave out. Each node that is left out holds a unit of the
   * group.
   */
  private static final int LEFT_OUT_MAX = RequestBounds.UNITS_MAX;

  private ResultCodec() {
  }

  static ResultProto toProto(RepairResult result) {
    ResultProto.Builder builder = ResultProto.newBuilder()
        .setRepairId(result.repairId)
        .setTerm(result.term)
        .setOutcome(result.outcome.number)
        .addAllRebuiltUnits(result.rebuiltUnits)
        .setMessage(Fields.message(result.message))
        .setBytes(result.bytes)
        .setElapsedMs(result.elapsedMs);
    if (result.failedNode != null) {
      builder.setFailedNode(result.failedNode);
    }
    if (result.cause != null) {
      builder.setCause(result.cause.number);
    }
    builder.addAllLeftOut(Fields.first(result.leftOut, LEFT_OUT_MAX));
    if (result.unitsAgree) {
      builder.setUnitsAgree(true);
    }
    builder.addAllReadUnits(result.readUnits);
    if (result.undecided) {
      builder.setUndecided(true);
    }
    if (result.scrub != null) {
      builder.setScrub(ScrubFindingCodec.toProto(result.scrub));
    }
    if (result.version != null) {
      builder.setVersion(VersionReportCodec.toProto(result.version));
    }
    return builder.build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static RepairResult parse(ResultProto proto) {
    // Only commands of versions have units that are not those of a block group.
    int units = proto.hasVersion() ? RequestBounds.LISTED_UNITS_MAX : RequestBounds.UNITS_MAX;
    Fields.atMost("rebuilt_units", proto.getRebuiltUnitsCount(), units);
    for (int unit : proto.getRebuiltUnitsList()) {
      Door.within("rebuilt unit", unit, 0, units - 1);
    }
    Fields.atMost("left_out", proto.getLeftOutCount(), LEFT_OUT_MAX);
    for (String node : proto.getLeftOutList()) {
      Door.name("left_out", node);
    }
    Fields.atMost("read_units", proto.getReadUnitsCount(), units);
    for (int unit : proto.getReadUnitsList()) {
      Door.within("read unit", unit, 0, units - 1);
    }
    RepairResult result = new RepairResult(Fields.id(proto.getRepairId()),
        Fields.term(proto.getTerm()), RepairOutcome.ofNumber(proto.getOutcome()),
        proto.getRebuiltUnitsList(),
        proto.hasFailedNode() ? Door.name("failed_node", proto.getFailedNode()) : null,
        proto.hasCause() ? FailureCause.ofNumber(proto.getCause()) : null,
        Door.text("message", proto.getMessage()), Fields.bytes("bytes", proto.getBytes()),
        Fields.bytes("elapsed_ms", proto.getElapsedMs()))
        .withLeftOut(proto.getLeftOutList(), proto.getUnitsAgree())
        .withReadUnits(proto.getReadUnitsList())
        .withScrub(proto.hasScrub() ? ScrubFindingCodec.parse(proto.getScrub()) : null)
        .withVersion(proto.hasVersion() ? VersionReportCodec.parse(proto.getVersion()) : null);
    return proto.getUndecided() ? result.asUndecided() : result;
  }
}
