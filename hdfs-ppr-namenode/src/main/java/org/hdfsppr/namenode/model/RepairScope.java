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
package org.hdfsppr.namenode.model;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.RequestBounds;

/**
 * What is known of a command when it has ended: its group and destination, and the units that it
 * may have read and written, with their nodes. It shows for which units of the group the
 * destination's report is valid. The report may come when the NameNode has ended the repair long
 * ago. Immutable, and small enough to be kept for many repairs.
 */
@InterfaceAudience.Private
public final class RepairScope {
  private static final int NO_COLUMN = -1;
  private static final List<Integer> ALL_UNITS = IntStream.range(0, RequestBounds.UNITS_MAX)
      .boxed().collect(Collectors.toList());

  /** The group */
  public final GroupId group;
  /** UUID of the command's destination; null for a check that is no repair */
  public final String destination;
  /**
   * The time at which the destination gives up by itself, monotonic, ms; {@link Long#MIN_VALUE} if
   * the NameNode has not ended the repair
   */
  public final long deadlineMs;
  /**
   * The units that the command was to rebuild, if the group was doubted and the NameNode knows the
   * rebuilt replicas of all of them; otherwise null.
   */
  private final Set<Integer> doneAsDoubted;
  /** The units that the repair may read, each with its node */
  public final UnitPlaces live;
  private final UnitPlaces rebuilt;
  private final UnitPlaces occupied;
  /** How many bytes of each unit a check of this repair covers */
  public final long streamBytes;
  private final boolean readsAll;
  /** Index of the unit that a column rebuilds, if {@link #isByColumn} */
  public final int columnUnit;

  private RepairScope(LostGroup group, List<UnitHolder> targets, long streamBytes, int columnUnit,
      long deadlineMs, Set<Integer> doneAsDoubted) {
    this.group = group.id;
    this.destination = targets.isEmpty() ? null : targets.get(0).node.uuid;
    this.deadlineMs = deadlineMs;
    this.doneAsDoubted = doneAsDoubted;
    this.columnUnit = columnUnit;
    GroupPolicy policy = group.policy;
    // A unit behind the end of the file has no bytes that could be wrong.
    List<UnitHolder> withBytes = group.live.stream()
        .filter(holder -> group.unitBytes(holder.unit) > 0).collect(Collectors.toList());
    live = UnitPlaces.of(withBytes);
    rebuilt = UnitPlaces.of(targets);
    occupied = UnitPlaces.of(group.occupied().stream().map(node -> new UnitHolder(0, node))
        .collect(Collectors.toList()));
    this.streamBytes = streamBytes;
    // If the code is one of Hadoop's, and at most one more unit can be read than a repair needs, a
    // check has to read all units. This project's codes can repair and check with fewer than k
    // units, or with parts of units.
    readsAll = !PprCodec.byName(policy.codec).isPresent()
        && withBytes.stream().map(holder -> holder.unit).distinct().count()
        <= group.unitsToDecode() + 1;
  }

  /**
   * Makes the scope of a repair that the NameNode has not ended yet.
   *
   * @param order the repair, as it was ordered
   * @return the scope
   */
  public static RepairScope of(Assignment order) {
    return of(order, Long.MIN_VALUE, null);
  }

  /**
   * Makes the scope of a command that has ended for the NameNode, but that its DataNode may still
   * be carrying out.
   *
   * @param order the command, as it was ordered
   * @param deadlineMs the time at which the destination gives up by itself, monotonic, ms
   * @param isDone whether the NameNode knows all rebuilt units and no other command rebuilt units
   *     of the same group
   * @return the scope
   */
  public static RepairScope ofEnded(Assignment order, long deadlineMs, boolean isDone) {
    return of(order, deadlineMs,
        isDone && order.doubted ? order.unitsWithout(Collections.emptySet()) : null);
  }

  private static RepairScope of(Assignment order, long deadlineMs, Set<Integer> doneAsDoubted) {
    LostGroup group = order.group;
    return new RepairScope(group, order.targets, order.targets.stream()
        .mapToLong(target -> group.unitBytes(target.unit)).max().orElse(0),
        order.column().map(column -> column.unit).orElse(NO_COLUMN), deadlineMs, doneAsDoubted);
  }

  /**
   * Makes the scope of a check that has read all units of a group in every byte, and written none.
   *
   * @param group the group, as it was at the time of the check
   * @return the scope
   */
  public static RepairScope ofCheck(LostGroup group) {
    return new RepairScope(group, List.of(),
        group.live.stream().mapToLong(holder -> group.unitBytes(holder.unit)).max().orElse(0),
        NO_COLUMN, Long.MIN_VALUE, null);
  }

  /**
   * Returns whether this repair alone has made the doubted group whole: the repair has rebuilt all
   * lost units, and the NameNode already knew all of them when the repair ended.
   *
   * @param result the destination's report
   * @return whether the repair can end the doubt
   */
  public boolean isDoneAsDoubted(RepairResult result) {
    return doneAsDoubted != null && result.outcome == RepairOutcome.REBUILT
        && !result.leavesDoubt() && result.rebuiltUnits.containsAll(doneAsDoubted);
  }

  /**
   * @return whether the repair rebuilds its unit from a column of CORE, so that a contradiction may
   *     come from a block of another group
   */
  public boolean isByColumn() {
    return columnUnit != NO_COLUMN;
  }

  /**
   * Returns the places (each a unit and its node) of the units that the repair has read and that
   * agree with each other.
   *
   * @param units the units that the DataNode reports as read. An older DataNode reports none. In
   *     that case the result has all units if no check is possible without each of them, and
   *     otherwise no units
   * @return the places
   */
  public UnitPlaces read(Collection<Integer> units) {
    return live.ofUnits(units.isEmpty() && readsAll ? ALL_UNITS : units);
  }

  /**
   * Leaves out the places whose units will not come back, because a successful repair wrote these
   * units to other nodes.
   *
   * @param places the places of units at an earlier time
   * @return the places that still have their units or may get them back
   */
  public UnitPlaces stillThere(UnitPlaces places) {
    UnitPlaces others = places.without(live);
    // A node that failed, and that the order therefore left out, may still have its unit.
    UnitPlaces replaced = others.ofUnitsIn(live).notOnNodesOf(occupied);
    return places.without(replaced).without(others.ofUnitsIn(rebuilt));
  }
}
