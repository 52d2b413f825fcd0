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
package org.hdfsppr.namenode.track;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;

/**
 * Records by the numbers of their groups. Nearly always, a number has one record; groups of the
 * same number and different generation stamps are a chain, the newest first. One map instead of two
 * saves memory, because a million groups may wait.
 */
@InterfaceAudience.Private
final class BookRecords {
  private final Map<Long, GroupRecord> newest = new HashMap<>();
  private int size;

  /** Returns the record of a group; null if there is none. */
  GroupRecord get(GroupId id) {
    GroupRecord record = newest.get(id.groupId);
    while (record != null && !record.id.equals(id)) {
      record = record.older();
    }
    return record;
  }

  /** Returns the newest record of the groups with this number; null if there is none. */
  GroupRecord newest(long number) {
    return newest.get(number);
  }

  /** Adds the record of a group that has none. */
  void add(GroupRecord record) {
    record.setOlder(newest.put(record.id.groupId, record));
    size++;
  }

  /** Removes a record that is there. */
  void remove(GroupRecord record) {
    long number = record.id.groupId;
    GroupRecord first = newest.get(number);
    if (first != record) {
      GroupRecord newer = first;
      while (newer.older() != record) {
        newer = newer.older();
      }
      newer.setOlder(record.older());
    } else if (record.older() == null) {
      newest.remove(number);
    } else {
      newest.put(number, record.older());
    }
    record.setOlder(null);
    size--;
  }

  int size() {
    return size;
  }

  /** Returns all records, in no certain order. */
  List<GroupRecord> all() {
    List<GroupRecord> all = new ArrayList<>(size);
    for (GroupRecord first : newest.values()) {
      for (GroupRecord record = first; record != null; record = record.older()) {
        all.add(record);
      }
    }
    return all;
  }
}
