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
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.spread.SpreadRow.Replica;

/**
 * Plans moves after which no DataNode has two blocks of the same column. A block moves only to a
 * DataNode that has no unit of its block group and no block of its column. After the move, the
 * block group must be on at least as many racks as before, and no rack may have more of its units
 * than the fullest rack had before. If possible, the new rack has no other block of the column.
 * Blocks that earlier plans of this planner have moved to a DataNode count as if they were there
 * already. Pure. Used by one thread.
 */
@InterfaceAudience.Private
public final class SpreadPlanner {
  private final Supplier<? extends Collection<SpreadNode>> supplier;
  private final Map<String, Long> plannedBytes = new HashMap<>();
  private final Map<String, Integer> plannedMoves = new HashMap<>();
  /** The live DataNodes by their UUIDs; null until the first block has to move. */
  private Map<String, SpreadNode> nodes;

  /**
   * @param nodes returns all live DataNodes; called at most once, when the first block has to move
   */
  public SpreadPlanner(Supplier<? extends Collection<SpreadNode>> nodes) {
    this.supplier = nodes;
  }

  /**
   * Plans the moves for the columns at one index of a CORE group.
   *
   * @param rows the block groups at that index
   * @return the plan
   */
  public SpreadPlan plan(List<SpreadRow> rows) {
    Square square = new Square(rows);
    Set<Integer> units = new TreeSet<>();
    rows.forEach(row -> units.addAll(row.held.keySet()));
    for (int unit : units) {
      square.part(unit);
    }
    return new SpreadPlan(square.moves, square.together, square.waits);
  }

  private Map<String, SpreadNode> nodes() {
    if (nodes == null) {
      nodes = new HashMap<>();
      supplier.get().forEach(node -> nodes.put(node.uuid, node));
    }
    return nodes;
  }

  private static Map<Integer, Set<String>> changeable(Map<Integer, Set<String>> of) {
    Map<Integer, Set<String>> copy = new HashMap<>();
    of.forEach((unit, uuids) -> copy.put(unit, new HashSet<>(uuids)));
    return copy;
  }

  /** A block group, and the moves of its units that are planned so far. */
  private static final class Row {
    private final SpreadRow now;
    /**
     * The UUIDs of the DataNodes of each unit: those that have it now, also if it is to move away,
     * and those to which it is to move.
     */
    private final Map<Integer, Set<String>> held;
    /** The UUIDs of the DataNodes of each unit after the planned moves. */
    private final Map<Integer, Set<String>> after;

    private Row(SpreadRow now) {
      this.now = now;
      held = changeable(now.held);
      after = changeable(now.staying);
    }

    private boolean hasAny(String uuid) {
      return held.values().stream().anyMatch(uuids -> uuids.contains(uuid));
    }

    private void move(int unit, String to) {
      held.get(unit).add(to);
      Set<String> only = after.get(unit);
      only.clear();
      only.add(to);
    }
  }

  /** A possible move of a block to a DataNode, with the numbers by which moves are compared. */
  private static final class Choice {
    private final Row row;
    private final SpreadNode node;
    private final int ofColumn;
    private final int ofRow;
    private final int planned;
    private final long free;

    private Choice(Row row, SpreadNode node, int ofColumn, int ofRow, int planned, long free) {
      this.row = row;
      this.node = node;
      this.ofColumn = ofColumn;
      this.ofRow = ofRow;
      this.planned = planned;
      this.free = free;
    }
  }

  /**
   * The best move comes first. In this order: few blocks of the column on the rack, few units of
   * the block group on it, few moves planned to the DataNode, much free space there.
   */
  private static final Comparator<Choice> BEST = Comparator
      .<Choice>comparingInt(choice -> choice.ofColumn).thenComparingInt(choice -> choice.ofRow)
      .thenComparingInt(choice -> choice.planned).thenComparingLong(choice -> -choice.free)
      .thenComparing(choice -> choice.node.uuid);

  /** The block groups at one index of a CORE group, and the plan for their columns. */
  private final class Square {
    private final List<Row> rows = new ArrayList<>();
    private final List<BlockMove> moves = new ArrayList<>();
    private final Map<SpreadWait, Integer> waits = new EnumMap<>(SpreadWait.class);
    private int together;

    private Square(List<SpreadRow> now) {
      now.forEach(row -> rows.add(new Row(row)));
    }

    /** Plans moves for a column, so that its blocks are on different DataNodes. */
    private void part(int unit) {
      Map<String, List<Row>> crowded = crowded(unit);
      if (crowded.isEmpty()) {
        if (isCrowdedNow(unit)) {
          together++;
          waits.merge(SpreadWait.LEAVING, 1, Integer::sum);
        }
        return;
      }
      together++;
      SpreadWait wait = null;
      for (Map.Entry<String, List<Row>> one : crowded.entrySet()) {
        List<Row> there = one.getValue();
        while (there.size() > 1) {
          Optional<Choice> best = choose(unit, one.getKey(), there);
          if (best.isEmpty()) {
            wait = there.stream().anyMatch(row -> row.now.movable.isEmpty())
                ? SpreadWait.IN_REPAIR : SpreadWait.NO_NODE;
            break;
          }
          there.remove(best.get().row);
          move(unit, best.get());
        }
      }
      if (wait != null) {
        waits.merge(wait, 1, Integer::sum);
      }
    }

    /**
     * Returns the DataNodes that have blocks of a column from two or more rows, after the planned
     * moves, each with these rows.
     */
    private Map<String, List<Row>> crowded(int unit) {
      Map<String, List<Row>> all = new TreeMap<>();
      for (Row row : rows) {
        row.after.getOrDefault(unit, Set.of()).forEach(uuid ->
            all.computeIfAbsent(uuid, none -> new ArrayList<>()).add(row));
      }
      all.values().removeIf(there -> there.size() < 2);
      return all;
    }

    private boolean isCrowdedNow(int unit) {
      Set<String> seen = new HashSet<>();
      return rows.stream().flatMap(row -> row.held.getOrDefault(unit, Set.of()).stream())
          .anyMatch(uuid -> !seen.add(uuid));
    }

    private Optional<Choice> choose(int unit, String from, List<Row> there) {
      Choice best = null;
      Set<String> ofColumn = new HashSet<>();
      rows.forEach(row -> ofColumn.addAll(row.held.getOrDefault(unit, Set.of())));
      for (Row row : there) {
        Replica replica = row.now.movable.get(unit);
        if (replica == null || !replica.node.equals(from)) {
          continue;
        }
        RackCount inRow = racks(row);
        Map<String, Integer> inColumn = racksOfColumn(unit, row);
        String fromRack = rack(from);
        for (SpreadNode node : nodes().values()) {
          long planned = plannedBytes.getOrDefault(node.uuid, 0L);
          if (!node.target || ofColumn.contains(node.uuid) || row.hasAny(node.uuid)
              || !node.takes(replica.type, replica.bytes, planned)
              || !inRow.allows(fromRack, node.rack)) {
            continue;
          }
          Choice choice = new Choice(row, node, inColumn.getOrDefault(node.rack, 0),
              inRow.after(fromRack, node.rack), plannedMoves.getOrDefault(node.uuid, 0),
              node.free(replica.type) - planned);
          if (best == null || BEST.compare(choice, best) < 0) {
            best = choice;
          }
        }
      }
      return Optional.ofNullable(best);
    }

    private void move(int unit, Choice choice) {
      Replica replica = choice.row.now.movable.get(unit);
      String to = choice.node.uuid;
      moves.add(new BlockMove(choice.row.now.id, unit, replica.type, replica.node, to));
      choice.row.move(unit, to);
      plannedBytes.merge(to, replica.bytes, Long::sum);
      plannedMoves.merge(to, 1, Integer::sum);
    }

    /**
     * Returns how many blocks of a column each rack has after the planned moves, without the block
     * of one row.
     */
    private Map<String, Integer> racksOfColumn(int unit, Row without) {
      Map<String, Integer> racks = new HashMap<>();
      for (Row row : rows) {
        if (row != without) {
          row.after.getOrDefault(unit, Set.of()).forEach(uuid ->
              racks.merge(rack(uuid), 1, Integer::sum));
        }
      }
      return racks;
    }

    private RackCount racks(Row row) {
      RackCount count = new RackCount();
      row.after.values().forEach(uuids -> uuids.forEach(uuid -> count.add(rack(uuid))));
      return count;
    }

    /**
     * Returns the rack of a DataNode. That of a dead one is unknown; its UUID is returned instead,
     * so that it counts as a rack of its own.
     */
    private String rack(String uuid) {
      SpreadNode node = nodes().get(uuid);
      return node == null ? uuid : node.rack;
    }
  }

  /** How many units of one block group each rack has. Used by one thread. */
  static final class RackCount {
    private final Map<String, Integer> units = new HashMap<>();

    void add(String rack) {
      units.merge(rack, 1, Integer::sum);
    }

    /** Returns how many units the new rack has after one unit has moved there from another rack. */
    int after(String from, String to) {
      return units.getOrDefault(to, 0) + (from.equals(to) ? 0 : 1);
    }

    /**
     * Returns whether a unit may move from one rack to another: the block group must stay on as
     * many racks, and the new rack must not get more of its units than the fullest rack has.
     */
    boolean allows(String from, String to) {
      boolean isLeft = units.getOrDefault(from, 0) == 1 && !from.equals(to);
      boolean isNew = !units.containsKey(to);
      return (!isLeft || isNew) && after(from, to) <= Collections.max(units.values());
    }
  }
}
