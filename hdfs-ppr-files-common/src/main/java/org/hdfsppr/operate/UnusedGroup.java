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
package org.hdfsppr.operate;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.UnusedGroupProto;

/**
 * A CORE group that the NameNode does not use for repairs, although it keeps the group's parity
 * file. Immutable.
 */
@InterfaceAudience.Private
public final class UnusedGroup {
  /** The inode id of the parity file, which is also the id of the group */
  public final long groupId;
  /** Why the NameNode does not use the group, as a sentence without a full stop */
  public final String why;
  /** What to do, as a sentence without a full stop */
  public final String remedy;

  /**
   * @param groupId the inode id of the parity file, which is also the id of the group
   * @param why why the NameNode does not use the group, as a sentence without a full stop
   * @param remedy what to do, as a sentence without a full stop
   */
  public UnusedGroup(long groupId, String why, String remedy) {
    this.groupId = groupId;
    this.why = Objects.requireNonNull(why, "why");
    this.remedy = Objects.requireNonNull(remedy, "remedy");
  }

  static UnusedGroup parse(UnusedGroupProto proto) {
    return new UnusedGroup(proto.getGroupId(), proto.getWhy(), proto.getRemedy());
  }

  UnusedGroupProto toProto() {
    return UnusedGroupProto.newBuilder().setGroupId(groupId).setWhy(why).setRemedy(remedy)
        .build();
  }

  @Override
  public String toString() {
    return "CORE group " + groupId + ": " + why;
  }
}
