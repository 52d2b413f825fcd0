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
 * Keeps sums over the groups of each directory up to date while groups come, change and go, because
 * the status is made each second and there may be millions of groups. Used by one thread.
 */
@InterfaceAudience.Private
final class GroupNumbers {
  /** The sums by inode id of the directory; directories without groups have no entry. */
  private final Map<Long, Map<Number, Long>> sums = new HashMap<>();

  /**
   * Adds a group to the sums, or subtracts it with the numbers with which it was added.
   *
   * @param sign 1 to add, -1 to subtract
   * @param directory inode id of the directory by which the group is protected
   * @param stale how many block groups of its members are stale
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

  Map<Number, Long> of(long directory) {
    return sums.getOrDefault(directory, Map.of());
  }

  void clear() {
    sums.clear();
  }
}
