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
package org.hdfsppr.namenode.core;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.core.membership.MemberRow;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.model.CoreColumn;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.version.FileGroup;

/**
 * Finds out whether bytes of a member may be lost without the group: a block group of some row has
 * lost more units than its own code can rebuild, and at least one column with a unit of this block
 * group can still be used. The parity file of such a group must not be deleted.
 *
 * <p>It looks at the recorded block groups, and not at the files. Repairs can also read blocks
 * whose file only a snapshot has, or that belong to another file since a concat.
 */
final class LastRecoveryPath {
  private final GroupPolicy policy;
  private final CoreGroup group;
  /** The recorded block groups that still exist, by their ids. */
  private final Map<Long, FileGroup> groups = new HashMap<>();

  private LastRecoveryPath(CoreGroup group, List<FileGroup> now) {
    this.policy = group.policy;
    this.group = group;
    now.forEach(found -> groups.put(found.id.groupId, found));
  }

  /**
   * Compares a group with the present state of its block groups.
   *
   * @return whether bytes of a file may be lost without the group
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  static boolean isOf(CoreGroup group, CoreNamespace namespace) throws IOException {
    List<Long> recorded = new ArrayList<>();
    for (MemberRow row : group.rows) {
      if (row.isExact()) {
        row.identities().forEach(identity -> recorded.add(identity.groupId));
      }
    }
    return isOf(group, namespace.blockGroups(recorded));
  }

  /**
   * Compares a group with the present state of its block groups. Pure.
   *
   * @param now those of the recorded block groups that exist, in any order
   * @return whether bytes of a file may be lost without the group
   */
  static boolean isOf(CoreGroup group, List<FileGroup> now) {
    LastRecoveryPath way = new LastRecoveryPath(group, now);
    int longest = group.parity().blockGroups;
    for (int index = 0; index < longest; index++) {
      for (int row = 0; row < group.rows.size(); row++) {
        if (way.isLost(row, index) && way.hasColumn(row, index)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isAsRecorded(GroupIdentity recorded) {
    FileGroup found = groups.get(recorded.groupId);
    return found != null && found.bytes == recorded.length
        && found.id.generationStamp == recorded.generationStamp;
  }

  private boolean isLost(int row, int index) {
    GroupIdentity recorded = group.identity(row, index);
    return recorded != null && isAsRecorded(recorded)
        && groups.get(recorded.groupId).lostUnits > policy.parityUnits;
  }

  /**
   * Returns whether some unit of a row is in a column of which all block groups are as recorded.
   */
  private boolean hasColumn(int row, int index) {
    for (int unit = 0; unit < policy.dataUnits + policy.parityUnits; unit++) {
      boolean isRight = hasBlock(row, index, unit);
      for (int other = 0; isRight && other < group.rows.size(); other++) {
        GroupIdentity recorded = group.identity(other, index);
        isRight = recorded != null && isAsRecorded(recorded) || !hasBlock(other, index, unit);
      }
      if (isRight) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether a row has a block in a column. If the row's length is unknown, it may have one.
   */
  private boolean hasBlock(int row, int index, int unit) {
    return group.hasBlockGroup(row, index)
        && CoreColumn.unitBytes(policy, group.bytesAtMost(row, index), unit) > 0;
  }
}
