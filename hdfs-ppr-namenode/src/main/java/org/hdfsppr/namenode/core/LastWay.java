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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.core.membership.MemberRow;
import org.hdfsppr.namenode.model.Column;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.version.FileGroup;
import org.hdfsppr.namenode.version.TargetFile;

/**
 * Says whether a group may be the last way to bytes of a member: a block group of it has lost more
 * units than its own code can rebuild, and a column with one of its units is as it was recorded.
 * The parity file of such a group must not be deleted. Pure.
 */
@InterfaceAudience.Private
final class LastWay {
  private final GroupPolicy policy;
  private final List<MemberRow> rows;
  /** What there is of the recorded block groups, by their ids. */
  private final Map<Long, FileGroup> groups = new HashMap<>();

  private LastWay(CoreGroup group, List<Optional<TargetFile>> now) {
    this.policy = group.policy();
    this.rows = group.rows();
    for (Optional<TargetFile> file : now) {
      file.ifPresent(one -> one.groups().forEach(found ->
          groups.put(found.id().groupId(), found)));
    }
  }

  /**
   * Compares a group with what there is now.
   *
   * @param now the members in the order of rows, then the parity file; empty where a file is gone
   * @return whether a file may need it
   */
  static boolean isOf(CoreGroup group, List<Optional<TargetFile>> now) {
    LastWay way = new LastWay(group, now);
    int longest = group.parity().blockGroups();
    for (int index = 0; index < longest; index++) {
      for (int row = 0; row < way.rows.size(); row++) {
        if (way.isLost(row, index) && way.hasColumn(row, index)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns what is recorded; null if the file has no block group there. */
  private GroupIdentity recorded(int row, int index) {
    MemberRow of = rows.get(row);
    return index < of.blockGroups() ? of.identities().get(index) : null;
  }

  private boolean isAsRecorded(GroupIdentity recorded) {
    FileGroup found = groups.get(recorded.groupId());
    return found != null && found.bytes() == recorded.length()
        && found.id().generationStamp() == recorded.generationStamp();
  }

  private boolean isLost(int row, int index) {
    GroupIdentity recorded = recorded(row, index);
    return recorded != null && isAsRecorded(recorded)
        && groups.get(recorded.groupId()).lostUnits() > policy.parityUnits();
  }

  /** Returns whether a unit of a row is in a column that no change of another row concerns. */
  private boolean hasColumn(int row, int index) {
    for (int unit = 0; unit < policy.dataUnits() + policy.parityUnits(); unit++) {
      boolean isRight = Column.unitBytes(policy, recorded(row, index).length(), unit) > 0;
      for (int other = 0; isRight && other < rows.size(); other++) {
        GroupIdentity recorded = recorded(other, index);
        isRight = recorded == null || isAsRecorded(recorded)
            || Column.unitBytes(policy, recorded.length(), unit) == 0;
      }
      if (isRight) {
        return true;
      }
    }
    return false;
  }
}
