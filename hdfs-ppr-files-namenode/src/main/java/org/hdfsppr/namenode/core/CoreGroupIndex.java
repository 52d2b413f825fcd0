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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.core.membership.MemberRow;
import org.hdfsppr.namenode.core.look.BlockView;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.plan.GroupId;

/**
 * All CORE groups in memory, by their block groups. Each answer compares the recorded block groups
 * with the block map, so that a changed one is never called usable. One thread adds and removes
 * groups; any thread may ask.
 */
@InterfaceAudience.Private
public final class CoreGroupIndex implements CoreGroupLookup {
  /** Where a block group is in a CORE group: its row, and its index in that row. Immutable. */
  private static final class Place {
    private final CoreGroup group;
    private final int row;
    private final int index;

    Place(CoreGroup group, int row, int index) {
      this.group = group;
      this.row = row;
      this.index = index;
    }
  }

  /**
   * The first of the ids that stand for block groups whose identity is unknown. HDFS never gives
   * the first 16 ids to block groups, so no look-up finds one.
   */
  private static final long NO_GROUP = Long.MIN_VALUE;
  private static final long NO_STAMP = 1;

  private final BlockView blocks;
  private final Map<Long, Place> places = new ConcurrentHashMap<>();

  public CoreGroupIndex(BlockView blocks) {
    this.blocks = Objects.requireNonNull(blocks, "blocks");
  }

  void add(CoreGroup group) {
    for (int row = 0; row < group.rows.size(); row++) {
      List<GroupIdentity> identities = identities(group.rows.get(row));
      for (int index = 0; index < identities.size(); index++) {
        places.put(identities.get(index).groupId, new Place(group, row, index));
      }
    }
  }

  private static List<GroupIdentity> identities(MemberRow row) {
    return row.isExact() ? row.identities() : List.of();
  }

  void remove(CoreGroup group) {
    for (MemberRow row : group.rows) {
      for (GroupIdentity identity : identities(row)) {
        places.computeIfPresent(identity.groupId,
            (id, place) -> place.group == group ? null : place);
      }
    }
  }

  void clear() {
    places.clear();
  }

  @Override
  public List<GroupId> recordedBeside(long blockGroup) {
    Place place = places.get(blockGroup);
    List<GroupId> others = new ArrayList<>();
    for (int row = 0; place != null && row < place.group.rows.size(); row++) {
      GroupIdentity identity = place.group.identity(row, place.index);
      if (identity != null && identity.groupId != blockGroup) {
        others.add(new GroupId(place.group.poolId, identity.groupId,
            identity.generationStamp));
      }
    }
    return others;
  }

  @Override
  public Optional<CoreRows> rowsOf(long blockGroup) {
    Place place = places.get(blockGroup);
    if (place == null) {
      return Optional.empty();
    }
    CoreGroup group = place.group;
    List<GroupIdentity> recorded = new ArrayList<>();
    List<Long> ids = new ArrayList<>();
    for (int row = 0; row < group.rows.size(); row++) {
      GroupIdentity identity = group.identity(row, place.index);
      recorded.add(identity);
      ids.add(identity == null ? null : identity.groupId);
    }
    List<GroupIdentity> now = blocks.groups(ids);
    List<CoreRows.Row> rows = new ArrayList<>();
    for (int row = 0; row < recorded.size(); row++) {
      rows.add(group.hasBlockGroup(row, place.index)
          ? row(group, row, place.index, now.get(row)) : null);
    }
    return rows.get(place.row).stale ? Optional.empty()
        : Optional.of(new CoreRows(group.id(), place.index, group.policy, rows));
  }

  private static CoreRows.Row row(CoreGroup group, int row, int index, GroupIdentity now) {
    GroupIdentity identity = group.identity(row, index);
    GroupId id = identity == null ? new GroupId(group.poolId, NO_GROUP + row, NO_STAMP)
        : new GroupId(group.poolId, identity.groupId, identity.generationStamp);
    return new CoreRows.Row(id, group.bytesAtMost(row, index),
        identity == null || !identity.equals(now));
  }
}
