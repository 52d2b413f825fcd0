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
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.hdfsppr.core.membership.MemberRow;
import org.hdfsppr.operate.CoreDirectory.Number;

/**
 * All CORE groups of this NameNode, with the results of their last comparisons with the files. It
 * also keeps the {@link CoreGroupIndex} up to date. Used by one thread.
 */
final class CoreGroupRegistry {
  /** A group, with the results of its last comparison with its files. */
  final class Item {
    final CoreGroup group;
    private long directory;
    private int stale;
    private int together;

    private Item(CoreGroup group, long directory) {
      this.group = group;
      this.directory = directory;
    }

    /** Returns the inode id of the directory that protects the group; 0 if this is unknown. */
    long directory() {
      return directory;
    }

    /** Returns how many columns had two blocks on one node at the last look. */
    int together() {
      return together;
    }

    void setTogether(int columns) {
      change(() -> together = columns);
    }

    void found(CoreGroupRules.Verdict verdict) {
      change(() -> {
        directory = verdict.directory == 0 ? directory : verdict.directory;
        stale = verdict.stale;
      });
    }

    /**
     * Changes the results, and the sums that include them, unless the group was removed since.
     */
    private void change(Runnable what) {
      boolean isCounted = items.get(group.id()) == this;
      if (isCounted) {
        count(-1);
      }
      what.run();
      if (isCounted) {
        count(1);
      }
    }

    private void count(int sign) {
      numbers.count(sign, group, directory, stale, together);
    }
  }

  private final CoreGroupIndex book;
  private final NavigableMap<Long, Item> items = new TreeMap<>();
  /** The group of each member, by the member's inode id. */
  private final Map<Long, Item> ofFile = new HashMap<>();
  private final GroupNumbers numbers = new GroupNumbers();

  CoreGroupRegistry(CoreGroupIndex book) {
    this.book = book;
  }

  Item add(CoreGroup group, long directory) {
    Item item = new Item(group, directory);
    Item before = items.put(group.id(), item);
    if (before != null) {
      before.count(-1);
    }
    item.count(1);
    group.members().forEach(member -> ofFile.put(member.fileId, item));
    book.add(group);
    return item;
  }

  void remove(CoreGroup group) {
    Item item = items.remove(group.id());
    if (item != null) {
      item.count(-1);
    }
    for (MemberRow member : group.members()) {
      ofFile.remove(member.fileId, item);
    }
    book.remove(group);
  }

  /** Returns the other groups that also have a member of this one. */
  List<CoreGroup> besides(CoreGroup group) {
    List<CoreGroup> others = new ArrayList<>();
    for (MemberRow member : group.members()) {
      Item item = ofFile.get(member.fileId);
      if (item != null && !others.contains(item.group)) {
        others.add(item.group);
      }
    }
    return others;
  }

  boolean hasFile(long fileId) {
    return ofFile.containsKey(fileId);
  }

  /** Returns a group; null if none has this id. */
  Item item(long groupId) {
    return items.get(groupId);
  }

  /**
   * Returns the group with this id or, if there is none, the one with the next higher id; null if
   * there is none either.
   */
  Item from(long groupId) {
    Map.Entry<Long, Item> next = items.ceilingEntry(groupId);
    return next == null ? null : next.getValue();
  }

  Collection<Item> items() {
    return items.values();
  }

  Map<Number, Long> numbers(long directory) {
    return numbers.of(directory);
  }

  int size() {
    return items.size();
  }

  void clear() {
    items.clear();
    numbers.clear();
    ofFile.clear();
    book.clear();
  }

  /**
   * Sums over the groups of each directory. They are kept up to date as groups are added, changed
   * and removed: the status needs them each second, and there may be millions of groups. Used by
   * one thread.
   */
  static final class GroupNumbers {
    /** By the inode id of each directory that has groups, its sums. */
    private final Map<Long, Map<Number, Long>> sums = new HashMap<>();

    /**
     * Adds a group to the sums of its directory, or subtracts it. It must be subtracted with the
     * same numbers with which it was added.
     *
     * @param sign 1 to add, -1 to subtract
     * @param directory inode id of the directory that protects the group
     * @param stale how many block groups of its members have changed since they were recorded
     * @param together how many of its columns have two blocks on one node
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
}
