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
import org.hdfsppr.manage.proto.ManagerProtos.ResidentProto;

/** Turns {@link ResidentBlocks} into a message and back. */
@InterfaceAudience.Private
final class ResidentCodec {
  private ResidentCodec() {
  }

  /**
   * Encodes at most {@link ResidentBlocks#BLOCKS_MAX} of the added blocks, and at most as many of
   * the removed blocks. Leaves out the others.
   */
  static ResidentProto toProto(ResidentBlocks resident) {
    return ResidentProto.newBuilder()
        .setComplete(resident.complete)
        .addAllAdded(Fields.first(resident.added, ResidentBlocks.BLOCKS_MAX))
        .addAllRemoved(Fields.first(resident.removed, ResidentBlocks.BLOCKS_MAX))
        .build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static ResidentBlocks parse(ResidentProto proto) {
    Fields.atMost("resident blocks added", proto.getAddedCount(), ResidentBlocks.BLOCKS_MAX);
    Fields.atMost("resident blocks removed", proto.getRemovedCount(), ResidentBlocks.BLOCKS_MAX);
    if (proto.getComplete() && proto.getRemovedCount() > 0) {
      throw new IllegalArgumentException("a complete list of resident blocks removes "
          + proto.getRemovedCount());
    }
    return proto.getComplete() ? ResidentBlocks.all(proto.getAddedList())
        : ResidentBlocks.changed(proto.getAddedList(), proto.getRemovedList());
  }
}
