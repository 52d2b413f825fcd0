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
import org.hdfsppr.manage.proto.ManagerProtos.ScrubFindingProto;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.WireRules;

/** The part of a result that says what the check of a group has found. Immutable. */
@InterfaceAudience.Private
public final class ScrubFinding {
  /** How many suspects a finding names at most. Each of them holds a unit of the group. */
  private static final int SUSPECTS_MAX = RequestBounds.UNITS_MAX;
  /** The value of {@link #wrongUnit} if no single unit is known to be wrong. */
  public static final int NO_UNIT = -1;

  /** The outcome */
  public final ScrubOutcome outcome;
  /**
   * Index of the unit that alone explains all wrong bytes. {@link #NO_UNIT} if the outcome is no
   * contradiction, if it is not known which unit is wrong, or if several units are wrong
   */
  public final int wrongUnit;
  /**
   * UUIDs of the nodes that explain the outcome. After a contradiction, at least one of these nodes
   * has a wrong unit. If units could not be read, these nodes hold them. If the group was not
   * checked, one of these nodes calculates wrongly or does not answer.
   */
  public final List<String> suspects;
  /**
   * Length of all units that were read, together, bytes; a unit counts once even if it was read
   * twice
   */
  public final long unitBytes;

  /**
   * @param outcome the outcome
   * @param wrongUnit the unit that alone explains all wrong bytes, or {@link #NO_UNIT}
   * @param suspects see {@link #suspects}
   * @param unitBytes length of all units that were read, together, bytes; a unit counts once even
   *     if it was read twice
   */
  public ScrubFinding(ScrubOutcome outcome, int wrongUnit, List<String> suspects,
      long unitBytes) {
    this.outcome = Objects.requireNonNull(outcome, "outcome");
    this.wrongUnit = wrongUnit;
    this.suspects = Collections.unmodifiableList(new ArrayList<>(suspects));
    this.unitBytes = unitBytes;
  }

  ScrubFindingProto toProto() {
    ScrubFindingProto.Builder builder = ScrubFindingProto.newBuilder()
        .setOutcome(outcome.number)
        .addAllSuspects(FieldRules.first(suspects, SUSPECTS_MAX))
        .setUnitBytes(unitBytes);
    if (wrongUnit != NO_UNIT) {
      builder.setWrongUnit(wrongUnit);
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
    FieldRules.atMost("suspects", proto.getSuspectsCount(), SUSPECTS_MAX);
    for (String node : proto.getSuspectsList()) {
      WireRules.name("suspect", node);
    }
    return new ScrubFinding(outcome, proto.hasWrongUnit()
        ? WireRules.within("wrong_unit", proto.getWrongUnit(), 0, RequestBounds.UNITS_MAX - 1)
        : NO_UNIT, proto.getSuspectsList(),
        FieldRules.bytes("unit_bytes", proto.getUnitBytes()));
  }

  @Override
  public String toString() {
    return outcome + (wrongUnit == NO_UNIT ? "" : ", unit " + wrongUnit + " is wrong")
        + (suspects.isEmpty() ? "" : ", suspects " + suspects) + ", " + unitBytes
        + " bytes of units";
  }
}
