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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.namenode.core.look.PlaceView;
import org.hdfsppr.plan.GroupId;

/**
 * Finds columns of CORE groups that have two blocks on one node. A column restores one lost block.
 * If its node also has another block of the column, both are lost with the node, and the column
 * restores neither.
 */
final class ColumnSpread {
  private final PlaceView places;

  ColumnSpread(PlaceView places) {
    this.places = Objects.requireNonNull(places, "places");
  }

  /**
   * Returns, for each row of a group, the nodes of the units of its block group at one index. The
   * parity file's row is the last one. The map of a row is empty if the row has no block group at
   * the index, if the block group there is not the recorded one, or if the record has only a digest
   * of the row.
   */
  private List<Map<Integer, Set<String>>> rows(CoreGroup group, int index) {
    List<GroupId> ids = new ArrayList<>();
    for (int row = 0; row < group.rows.size(); row++) {
      GroupIdentity identity = group.identity(row, index);
      ids.add(identity == null ? null
          : new GroupId(group.poolId, identity.groupId, identity.generationStamp));
    }
    Map<GroupId, Map<Integer, Set<String>>> found =
        places.places(ids.stream().filter(Objects::nonNull).collect(Collectors.toList()));
    List<Map<Integer, Set<String>>> rows = new ArrayList<>();
    ids.forEach(id -> rows.add(id == null ? Map.of() : found.getOrDefault(id, Map.of())));
    return rows;
  }

  /** Returns how many of the columns at one index have two blocks on one node. */
  int together(CoreGroup group, int index) {
    Map<Integer, Set<String>> seen = new HashMap<>();
    Set<Integer> together = new HashSet<>();
    for (Map<Integer, Set<String>> row : rows(group, index)) {
      row.forEach((unit, nodes) -> {
        Set<String> before = seen.computeIfAbsent(unit, none -> new HashSet<>());
        for (String node : nodes) {
          if (!before.add(node)) {
            together.add(unit);
          }
        }
      });
    }
    return together.size();
  }

  /**
   * Returns whether some node has a block of the parity file together with another block of the
   * same column.
   */
  boolean isParityBeside(CoreGroup group) {
    for (int index = 0; index < group.parity().blockGroups; index++) {
      List<Map<Integer, Set<String>>> rows = rows(group, index);
      Map<Integer, Set<String>> parity = rows.remove(rows.size() - 1);
      for (Map<Integer, Set<String>> row : rows) {
        for (Map.Entry<Integer, Set<String>> unit : row.entrySet()) {
          Set<String> both = new HashSet<>(unit.getValue());
          both.retainAll(parity.getOrDefault(unit.getKey(), Set.of()));
          if (!both.isEmpty()) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
