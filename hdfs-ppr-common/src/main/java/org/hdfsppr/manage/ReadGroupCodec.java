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
import org.hdfsppr.wire.Door;

/** Turns a {@link ReadGroup} into a message and back. */
@InterfaceAudience.Private
final class ReadGroupCodec {
  private ReadGroupCodec() {
  }

  static ReadGroupProto toProto(ReadGroup group) {
    return ReadGroupProto.newBuilder()
        .setGroupId(group.groupId)
        .setGenerationStamp(group.generationStamp)
        .build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static ReadGroup parse(ReadGroupProto proto) {
    return new ReadGroup(Fields.group(proto.getGroupId()),
        Door.within("generation_stamp", proto.getGenerationStamp(), 0, Long.MAX_VALUE));
  }
}
