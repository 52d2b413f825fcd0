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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hdfsppr.operate.UnusedGroup;

/** Groups that are not used, but whose parity files are kept. Used by one thread. */
final class UnusedGroups {
  /**
   * How many of these groups the status names at most; this is enough to see what they have in
   * common.
   */
  static final int NAMED_MAX = 20;

  /** The ids of all unused groups; the one that was read longest ago comes first. */
  private final Set<Long> ids = new LinkedHashSet<>();
  private final Map<Long, UnusedGroup> named = new LinkedHashMap<>();

  /** Notes a group that was just read, and why it is not used. */
  void put(UnusedGroup group) {
    long id = group.groupId;
    ids.remove(id);
    ids.add(id);
    if (named.containsKey(id) || named.size() < NAMED_MAX) {
      named.put(id, group);
    }
  }

  void remove(long groupId) {
    ids.remove(groupId);
    named.remove(groupId);
  }

  boolean has(long groupId) {
    return ids.contains(groupId);
  }

  /** Returns the ids of the groups that were read longest ago, in this order. */
  List<Long> next(int most) {
    return ids.stream().limit(most).collect(Collectors.toList());
  }

  int size() {
    return ids.size();
  }

  /** Returns at most {@link #NAMED_MAX} of the groups, with the reasons why they are not used. */
  List<UnusedGroup> named() {
    return new ArrayList<>(named.values());
  }

  void clear() {
    ids.clear();
    named.clear();
  }
}
