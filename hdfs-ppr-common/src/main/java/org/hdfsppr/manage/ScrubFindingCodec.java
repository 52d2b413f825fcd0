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
import org.hdfsppr.manage.proto.ManagerProtos.ScrubFindingProto;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.RequestBounds;

/** Turns a {@link ScrubFinding} into a message and back. */
@InterfaceAudience.Private
final class ScrubFindingCodec {
  /** The most suspects. Each of them holds a unit of the group. */
  private static final int SUSPECTS_MAX = RequestBounds.UNITS_MAX;

  private ScrubFindingCodec() {
  }

  static ScrubFindingProto toProto(ScrubFinding finding) {
    ScrubFindingProto.Builder builder = ScrubFindingProto.newBuilder()
        .setOutcome(finding.outcome.number)
        .addAllSuspects(Fields.first(finding.suspects, SUSPECTS_MAX))
        .setUnitBytes(finding.unitBytes);
    if (finding.wrongUnit != ScrubFinding.NO_UNIT) {
      builder.setWrongUnit(finding.wrongUnit);
    }
    return builder.build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static ScrubFinding parse(ScrubFindingProto proto) {
    ScrubOutcome outcome = ScrubOutcome.ofNumber(proto.getOutcome());
    if (proto.hasWrongUnit() && outcome != ScrubOutcome.CONTRADICTION) {
      throw new IllegalArgumentException("wrong_unit " + proto.getWrongUnit()
          + " without a contradiction: outcome " + proto.getOutcome());
    }
    Fields.atMost("suspects", proto.getSuspectsCount(), SUSPECTS_MAX);
    for (String node : proto.getSuspectsList()) {
      Door.name("suspect", node);
    }
    return new ScrubFinding(outcome, proto.hasWrongUnit()
        ? Door.within("wrong_unit", proto.getWrongUnit(), 0, RequestBounds.UNITS_MAX - 1)
        : ScrubFinding.NO_UNIT, proto.getSuspectsList(),
        Fields.bytes("unit_bytes", proto.getUnitBytes()));
  }
}
