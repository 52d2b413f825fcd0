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
import org.hdfsppr.manage.proto.ManagerProtos.ReadGroupProto;
import org.hdfsppr.wire.WireRules;

/**
 * Names a block group of which clients have read lost units, by degraded reads. The group belongs
 * to the block pool of the NameNode that receives the heartbeat. Two objects are equal if group id
 * and generation stamp are equal.
 */
@InterfaceAudience.Private
public final class ReadGroup {
  /** Block id of the group */
  public final long groupId;
  /** Generation stamp of the group */
  public final long generationStamp;

  /**
   * @param groupId block id of the group
   * @param generationStamp generation stamp of the group
   */
  public ReadGroup(long groupId, long generationStamp) {
    this.groupId = groupId;
    this.generationStamp = generationStamp;
  }

  ReadGroupProto toProto() {
    return ReadGroupProto.newBuilder()
        .setGroupId(groupId)
        .setGenerationStamp(generationStamp)
        .build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static ReadGroup parse(ReadGroupProto proto) {
    return new ReadGroup(FieldRules.group(proto.getGroupId()),
        WireRules.within("generation_stamp", proto.getGenerationStamp(), 0, Long.MAX_VALUE));
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ReadGroup && groupId == ((ReadGroup) o).groupId
        && generationStamp == ((ReadGroup) o).generationStamp;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(groupId) + Long.hashCode(generationStamp);
  }

  @Override
  public String toString() {
    return "blk_" + groupId + "_" + generationStamp;
  }
}
