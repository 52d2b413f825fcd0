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
import org.hdfsppr.manage.proto.ManagerProtos.RunningProto;
import org.hdfsppr.wire.WireRules;

/** A repair that a manager ordered and that waits or runs at its destination. Immutable. */
@InterfaceAudience.Private
public final class RunningRepair {
  /** Id of the repair, as in the command */
  public final String repairId;
  /** The term of the command */
  public final long term;
  /** Block id of the group */
  public final long groupId;
  /** Generation stamp of the group */
  public final long generationStamp;
  /** Progress of the current attempt at the repair, percent, 0 to 100 */
  public final int donePercent;

  /**
   * @param repairId id of the repair, as in the command
   * @param term the term of the command
   * @param groupId block id of the group
   * @param generationStamp generation stamp of the group
   * @param donePercent progress of the current attempt in percent, 0 to 100; a new attempt after a
   *     failure begins at 0
   */
  public RunningRepair(String repairId, long term, long groupId, long generationStamp,
      int donePercent) {
    this.repairId = Objects.requireNonNull(repairId, "repairId");
    this.term = term;
    this.groupId = groupId;
    this.generationStamp = generationStamp;
    this.donePercent = donePercent;
  }

  RunningProto toProto() {
    return RunningProto.newBuilder()
        .setRepairId(repairId)
        .setTerm(term)
        .setGroupId(groupId)
        .setGenerationStamp(generationStamp)
        .setDonePercent(donePercent)
        .build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static RunningRepair parse(RunningProto proto) {
    return new RunningRepair(FieldRules.id(proto.getRepairId()), FieldRules.term(proto.getTerm()),
        proto.getGroupId(), proto.getGenerationStamp(),
        WireRules.within("done_percent", proto.getDonePercent(), 0, 100));
  }

  @Override
  public String toString() {
    return "repair " + repairId + " of term " + term + " of blk_" + groupId + "_"
        + generationStamp + ", " + donePercent + " % done";
  }
}
