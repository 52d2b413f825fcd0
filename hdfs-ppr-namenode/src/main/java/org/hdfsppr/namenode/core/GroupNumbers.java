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

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.CoreDirectory.Number;

/** Sums up groups. Pure. */
@InterfaceAudience.Private
final class GroupNumbers {
  private GroupNumbers() {
  }

  /** Returns the sums over the groups of each directory, by its inode id. */
  static Map<Long, Map<Number, Long>> of(Collection<GroupShelf.Item> items) {
    Map<Long, Map<Number, Long>> all = new HashMap<>();
    for (GroupShelf.Item item : items) {
      Map<Number, Long> one =
          all.computeIfAbsent(item.directory(), none -> new EnumMap<>(Number.class));
      CoreGroup group = item.group();
      one.merge(Number.GROUPS, 1L, Long::sum);
      one.merge(Number.MEMBERS, (long) group.members().size(), Long::sum);
      one.merge(Number.MEMBER_BYTES, group.memberBytes(), Long::sum);
      one.merge(Number.PARITY_BYTES, group.parity().length(), Long::sum);
      one.merge(Number.PARITY_SPACE_BYTES, group.paritySpaceBytes(), Long::sum);
      one.merge(Number.STALE, (long) item.stale(), Long::sum);
      one.merge(Number.COLUMNS_TOGETHER, (long) item.together(), Long::sum);
    }
    return all;
  }
}
