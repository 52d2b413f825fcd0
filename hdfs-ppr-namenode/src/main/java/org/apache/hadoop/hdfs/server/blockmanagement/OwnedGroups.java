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
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.plan.GroupId;

/**
 * Keeps the groups that are in the owned part of the queue or whose repairs have begun. For each
 * group it keeps the time at which the group was queued, and the id by which the repair manager
 * knows the group. Guarded by the monitor of the {@link SplitLowRedundancyBlocks} that has this
 * object.
 */
final class OwnedGroups {
  private static final class Record {
    private final long sinceMs;
    private boolean owned;
    /**
     * The id by which the repair manager knows the group, or null if it does not know the group.
     */
    private GroupId reportedId;
    /** The repair that has begun, or null. */
    private RepairGrant grant;

    Record(long sinceMs) {
      this.sinceMs = sinceMs;
    }
  }

  private final Map<BlockInfo, Record> records = new LinkedHashMap<>();
  /** Ids that were reported to the repair manager and are not valid any more. */
  private final Set<GroupId> gone = new LinkedHashSet<>();

  boolean isOwned(BlockInfo block) {
    Record record = records.get(block);
    return record != null && record.owned;
  }

  void own(BlockInfo block, long nowMs) {
    records.computeIfAbsent(block, b -> new Record(nowMs)).owned = true;
  }

  /** Notes that a group has left the owned part of the queue. */
  void disown(BlockInfo block) {
    Record record = records.get(block);
    record.owned = false;
    untell(record);
    if (record.grant == null) {
      records.remove(block);
    }
  }

  private void untell(Record record) {
    if (record.reportedId != null) {
      gone.add(record.reportedId);
      record.reportedId = null;
    }
  }

  /**
   * Notes that the group is reported to the repair manager under this id.
   *
   * @return the time at which the group was queued, or -1 if the group is not owned
   */
  long tell(BlockInfo block, GroupId name) {
    Record record = records.get(block);
    if (record == null || !record.owned) {
      return -1;
    }
    if (!name.equals(record.reportedId)) {
      untell(record);
      // If the manager knows an equal id already, it keeps that object, and so does this record.
      record.reportedId = name;
    }
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

  /** @param staysOwned whether more units of the group are lost than its repair rebuilds */
  void begin(BlockInfo block, RepairGrant grant, boolean staysOwned) {
    Record record = records.get(block);
    record.reportedId = null;
    record.grant = grant;
    record.owned &= staysOwned;
  }

  /** Returns the repair of the group that has begun; null if there is none. */
  RepairGrant grantOf(BlockInfo block) {
    Record record = records.get(block);
    return record == null ? null : record.grant;
  }

  /**
   * Notes that the repair of a group has ended.
   *
   * @param keepAge whether to keep the time at which the group was queued, in case it is queued
   *     again
   */
  void end(BlockInfo block, boolean keepAge) {
    Record record = records.get(block);
    record.grant = null;
    if (!record.owned && !keepAge) {
      records.remove(block);
    }
  }

  /**
   * Forgets when a group was queued, unless it is in the owned part again or its repair is under
   * way.
   */
  void forgetAge(BlockInfo block) {
    Record record = records.get(block);
    if (record != null && !record.owned && record.grant == null) {
      records.remove(block);
    }
  }

  /** Returns some of the groups, first those whose last look is longest ago. */
  List<BlockInfo> takeSome(int max) {
    List<BlockInfo> taken = InspectionQueue.first(records.keySet(), max);
    for (BlockInfo block : taken) {
      records.put(block, records.remove(block));
    }
    return taken;
  }

  /** Forgets all groups except those whose repairs have begun. */
  void clear() {
    gone.clear();
    records.values().removeIf(record -> record.grant == null);
    for (Record record : records.values()) {
      record.owned = false;
      record.reportedId = null;
    }
  }
}
