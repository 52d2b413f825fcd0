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

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.CancelCommandProto;
import org.hdfsppr.wire.WireRules;

/** Orders a DataNode to stop a repair, whether the repair waits, runs or has ended. Immutable. */
@InterfaceAudience.Private
public final class CancelCommand implements ManagerCommand {
  /** The name of this kind of command in messages. */
  public static final String KIND = "cancel";

  /** Id of the repair to stop */
  public final String repairId;
  private final long term;
  /** Reason, in words for logs */
  public final String reason;

  /**
   * @param repairId id of the repair to stop
   * @param term the term of the manager that cancels the repair; it may be later than the term in
   *     which the repair was ordered
   * @param reason reason, in words for logs
   */
  public CancelCommand(String repairId, long term, String reason) {
    this.repairId = Objects.requireNonNull(repairId, "repairId");
    this.term = term;
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  @Override
  public String kind() {
    return KIND;
  }

  /** Returns the same id as {@link #repairId}, because the command stops that repair. */
  @Override
  public String id() {
    return repairId;
  }

  @Override
  public long term() {
    return term;
  }

  CancelCommandProto toProto() {
    return CancelCommandProto.newBuilder()
        .setRepairId(repairId)
        .setTerm(term())
        .setReason(FieldRules.message(reason))
        .build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static CancelCommand parse(CancelCommandProto proto) {
    return new CancelCommand(FieldRules.id(proto.getRepairId()), FieldRules.term(proto.getTerm()),
        WireRules.text("reason", proto.getReason()));
  }

  @Override
  public String toString() {
    return "cancel " + repairId + " in term " + term + ": " + reason;
  }
}
