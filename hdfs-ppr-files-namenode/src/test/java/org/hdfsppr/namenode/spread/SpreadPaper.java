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
package org.hdfsppr.namenode.spread;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.plan.GroupId;

/** Block groups and DataNodes on paper. Each row is written as the nodes of its units. */
final class SpreadPaper {
  static final long BYTES = 100;
  /** The unit of a row that has none at this place. */
  private static final String NONE = "-";

  final List<SpreadRow> rows = new ArrayList<>();
  private final Map<String, SpreadNode> nodes = new TreeMap<>();

  static GroupId id(int row) {
    return new GroupId("BP-1", -1_000 + 16 * row, 1);
  }

  /** Adds nodes, such as "a b c", of a rack, with room for some blocks. */
  SpreadPaper rack(String rack, String uuids, int blocks) {
    for (String uuid : uuids.split(" ")) {
      put(uuid, rack, true, StorageType.DISK, blocks);
    }
    return this;
  }

  SpreadPaper rack(String rack, String uuids) {
    return rack(rack, uuids, 1_000);
  }

  SpreadPaper put(String uuid, String rack, boolean isTarget, StorageType type, int blocks) {
    nodes.put(uuid, new SpreadNode(uuid, rack, isTarget, Map.of(type,
        new SpreadNode.Room(blocks * BYTES, blocks * BYTES, 0))));
    return this;
  }

  /** Adds a row without losses, such as "a b c - e". */
  SpreadPaper row(String units) {
    return row(units, true, Map.of());
  }

  /** Adds a row that is being repaired. */
  SpreadPaper inRepair(String units) {
    return row(units, false, Map.of());
  }

  /** Adds a row. Some of its units have a second replica, which the NameNode is about to delete. */
  SpreadPaper moved(String units, Map<Integer, String> leaving) {
    return row(units, true, leaving);
  }

  private SpreadPaper row(String units, boolean isWhole, Map<Integer, String> leaving) {
    Map<Integer, Set<String>> held = new HashMap<>();
    Map<Integer, Set<String>> staying = new HashMap<>();
    Map<Integer, SpreadRow.Replica> movable = new HashMap<>();
    String[] places = units.split(" ");
    for (int unit = 0; unit < places.length; unit++) {
      if (places[unit].equals(NONE)) {
        continue;
      }
      String old = leaving.get(unit);
      staying.put(unit, Set.of(places[unit]));
      held.put(unit, old == null ? Set.of(places[unit]) : Set.of(places[unit], old));
      if (isWhole && old == null) {
        movable.put(unit, new SpreadRow.Replica(places[unit], StorageType.DISK, BYTES));
      }
    }
    rows.add(new SpreadRow(id(rows.size()), held, staying, movable));
    return this;
  }

  /** Returns the same nodes, and the rows without losses after a plan was carried out. */
  SpreadPaper after(SpreadPlan plan) {
    SpreadPaper after = new SpreadPaper();
    after.nodes.putAll(nodes);
    for (SpreadRow row : rows) {
      Map<Integer, String> places = new TreeMap<>();
      row.held.forEach((unit, uuids) -> places.put(unit, uuids.iterator().next()));
      plan.moves.stream().filter(move -> move.group.equals(row.id))
          .forEach(move -> places.put(move.unit, move.to));
      after.row(String.join(" ", places.values()));
    }
    return after;
  }

  SpreadPlanner planner() {
    return new SpreadPlanner(nodes::values);
  }

  SpreadPlan plan() {
    return planner().plan(rows);
  }

  /** Writes the moves of a plan, such as "1/0 a>f" for unit 0 of the second row. */
  static String text(SpreadPlan plan) {
    return plan.moves.stream().map(move ->
        (move.group.groupId + 1_000) / 16 + "/" + move.unit + " " + move.from + ">"
            + move.to).collect(Collectors.joining(", "));
  }
}
