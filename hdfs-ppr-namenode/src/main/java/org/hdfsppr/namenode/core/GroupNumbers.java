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

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.CoreDirectory.Number;

/**
 * Sums over the groups of each directory, which are kept while groups come, change and go: the
 * status is made each second, and there may be millions of groups. Used by one thread.
 */
@InterfaceAudience.Private
final class GroupNumbers {
  /** By the inode id of the directory; without those that have no group. */
  private final Map<Long, Map<Number, Long>> sums = new HashMap<>();

  /**
   * Counts a group, or takes one out that was counted with the same numbers.
   *
   * @param sign 1 to count it, -1 to take it out
   * @param directory inode id of the directory by which the group is protected
   * @param stale how many of its rows are stale
   * @param together how many of its columns have two blocks on a node
   */
  void count(int sign, CoreGroup group, long directory, int stale, int together) {
    Map<Number, Long> one = sums.computeIfAbsent(directory, none -> new EnumMap<>(Number.class));
    one.merge(Number.GROUPS, (long) sign, Long::sum);
    one.merge(Number.MEMBERS, (long) sign * group.members().size(), Long::sum);
    one.merge(Number.MEMBER_BYTES, sign * group.memberBytes, Long::sum);
    one.merge(Number.PARITY_BYTES, sign * group.parity().length, Long::sum);
    one.merge(Number.PARITY_SPACE_BYTES, sign * group.paritySpaceBytes, Long::sum);
    one.merge(Number.STALE, (long) sign * stale, Long::sum);
    one.merge(Number.COLUMNS_TOGETHER, (long) sign * together, Long::sum);
    if (one.get(Number.GROUPS) == 0) {
      sums.remove(directory);
    }
  }

  /** Returns the sums over the groups of a directory. */
  Map<Number, Long> of(long directory) {
    return sums.getOrDefault(directory, Map.of());
  }

  void clear() {
    sums.clear();
  }
}
