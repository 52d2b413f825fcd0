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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;

/**
 * The groups that are owned or whose repairs have begun: when each was queued, and the name by
 * which the owner knows it. Guarded by the monitor of the queue that it belongs to.
 */
@InterfaceAudience.Private
final class OwnedGroups {
  private static final class Record {
    private final long sinceMs;
    private boolean owned;
    /** The name by which the owner knows the group, or null if it does not. */
    private GroupId told;
    private Flight flight;

    Record(long sinceMs) {
      this.sinceMs = sinceMs;
    }
  }

  private final Map<BlockInfo, Record> records = new LinkedHashMap<>();
  /** Names that the owner has been given and that mean nothing now. */
  private final Set<GroupId> gone = new LinkedHashSet<>();

  boolean isOwned(BlockInfo block) {
    Record record = records.get(block);
    return record != null && record.owned;
  }

  void own(BlockInfo block, long nowMs) {
    records.computeIfAbsent(block, b -> new Record(nowMs)).owned = true;
  }

  /** Ends the ownership of a group. */
  void disown(BlockInfo block) {
    Record record = records.get(block);
    record.owned = false;
    untell(record);
    if (record.flight == null) {
      records.remove(block);
    }
  }

  private void untell(Record record) {
    if (record.told != null) {
      gone.add(record.told);
      record.told = null;
    }
  }

  /**
   * Reports the group to the owner by this name.
   *
   * @return the time at which it was queued, or -1 if it is not owned
   */
  long tell(BlockInfo block, GroupId name) {
    Record record = records.get(block);
    if (record == null || !record.owned) {
      return -1;
    }
    if (record.told != null && !record.told.equals(name)) {
      gone.add(record.told);
    }
    record.told = name;
    gone.remove(name);
    return record.sinceMs;
  }

  void untell(BlockInfo block) {
    Record record = records.get(block);
    if (record != null) {
      untell(record);
    }
  }

  List<GroupId> takeGone() {
    List<GroupId> taken = new ArrayList<>(gone);
    gone.clear();
    return taken;
  }

  /** @param staysOwned whether more of the group is lost than its repair rebuilds */
  void begin(Flight flight, boolean staysOwned) {
    Record record = records.get(flight.block());
    record.told = null;
    record.flight = flight;
    record.owned &= staysOwned;
  }

  /** @param keepAge whether the group may be queued again with its age */
  void end(Flight flight, boolean keepAge) {
    Record record = records.get(flight.block());
    if (record != null && record.flight == flight) {
      record.flight = null;
      if (!record.owned && !keepAge) {
        records.remove(flight.block());
      }
    }
  }

  /** Forgets the age of a group that did not come back. */
  void forgetAge(BlockInfo block) {
    Record record = records.get(block);
    if (record != null && !record.owned && record.flight == null) {
      records.remove(block);
    }
  }

  /** Some of the groups; those come first that were not looked at for the longest time. */
  List<BlockInfo> takeSome(int max) {
    List<BlockInfo> taken = LookList.firstKeys(records, max);
    for (BlockInfo block : taken) {
      records.put(block, records.remove(block));
    }
    return taken;
  }

  /** Forgets all but the repairs that have begun. */
  void clear() {
    gone.clear();
    records.values().removeIf(record -> record.flight == null);
    for (Record record : records.values()) {
      record.owned = false;
      record.told = null;
    }
  }
}
