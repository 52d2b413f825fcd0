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
import org.hdfsppr.manage.proto.ManagerProtos.RunningProto;
import org.hdfsppr.wire.Door;

/** Turns a {@link RunningRepair} into a message and back. */
@InterfaceAudience.Private
final class RunningCodec {
  private RunningCodec() {
  }

  static RunningProto toProto(RunningRepair running) {
    return RunningProto.newBuilder()
        .setRepairId(running.repairId)
        .setTerm(running.term)
        .setGroupId(running.groupId)
        .setGenerationStamp(running.generationStamp)
        .setDonePercent(running.donePercent)
        .build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static RunningRepair parse(RunningProto proto) {
    return new RunningRepair(Fields.id(proto.getRepairId()), Fields.term(proto.getTerm()),
        proto.getGroupId(), proto.getGenerationStamp(),
        Door.within("done_percent", proto.getDonePercent(), 0, 100));
  }
}
