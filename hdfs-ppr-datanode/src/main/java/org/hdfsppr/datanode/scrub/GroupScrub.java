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
package org.hdfsppr.datanode.scrub;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.plan.ZeroSumPlan;
import org.hdfsppr.plan.ZeroSumPlanner;
import org.hdfsppr.verify.WrongSlices;
import org.hdfsppr.verify.WrongUnitEvidence;
import org.hdfsppr.wire.PeerText;
import org.hdfsppr.wire.RepairException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks one block group. The DataNodes that hold the units form a chain: each multiplies its unit
 * by coefficients of the code, adds the sum that it receives, and sends the result on. All sums
 * that reach this node must be zero. If they are not, this node reads the wrong slices of each unit
 * separately and calculates the sums itself. Only this second reading proves a contradiction. The
 * sums of the chain may also be wrong because a DataNode calculates wrongly, or because the group
 * changes during the check, and then no unit is wrong. Used by one thread.
 */
final class GroupScrub {
  /**
   * The name of this node as the receiver of the chain's sums. It differs from the node's usual
   * reference, because this node may also be in the chain as the holder of a unit.
   */
  static final NodeRef READER = new NodeRef("the leader of the check", "", "", 0,
      NodeRef.NO_REPAIR_PORT, "");
  private static final Logger LOG = LoggerFactory.getLogger(GroupScrub.class);
  /**
   * How many times one check reads the group at most. The manager can check the group again in its
   * next pass, so a check does not try long. Eight times are enough for two nodes that do not serve
   * repairs, one unreadable unit, and a repetition after wrong sums.
   */
  private static final int ATTEMPTS_MOST = 8;
  /**
   * After this many failures of a node, the check ends. If the node cannot read its replica, the
   * check goes on without the node's units instead.
   */
  private static final int STRIKES_MOST = 2;
  /** After this many readings with wrong sums although the units agree, the check ends. */
  private static final int TRANSIENTS_MOST = 3;

  /** Reads the units of the group. */
  interface Readings {
    /**
     * Lets the DataNodes of a chain calculate the sums of a plan.
     *
     * @return the slices whose sums are not zero
     */
    WrongSlices sums(ZeroSumPlan plan) throws IOException;

    /**
     * Reads these slices of each unit separately, calculates the sums on this node, and finds out
     * which units can be wrong.
     */
    WrongUnitEvidence oneByOne(ZeroSumPlanner planner, List<UnitHolder> live, List<Integer> slices)
        throws IOException;

    /** Returns the reason why the check has to end early, or null. */
    String endedBecause();

    /**
     * Returns a sentence that says how a unit on this node differs from the command's description;
     * null if no unit differs.
     */
    String changed();
  }

  private final ScrubCommand command;
  private final LinearCode code;
  private final ZeroSumPlanner planner;
  private final String ownUuid;
  private final UnaryOperator<NodeRef> asKnown;
  private final Readings readings;
  /** The units that cannot be read, by their index, each with the reason. */
  private final Map<Integer, String> unreadable = new TreeMap<>();
  /**
   * UUIDs of the nodes that do not serve sums for this check. Other nodes of the chain read their
   * units as stock does.
   */
  private final Set<String> withoutPort = new HashSet<>();
  private final Map<String, Integer> strikes = new HashMap<>();
  private long unitBytes;
  private int transients;
  /**
   * How many slices had wrong sums in the last reading; 0 if there were none, or once the units
   * have been read separately.
   */
  private long unexplained;

  /**
   * @param command the manager's command
   * @param code the group's code
   * @param sliceBytes the most bytes of a slice
   * @param ownUuid UUID of this DataNode. If it holds units, it becomes the last node of the chain,
   *     so that the finished sums cross no link
   * @param asKnown returns a node as given, or without its port for repairs if this DataNode knows
   *     that the node serves none
   * @param readings reads the group
   */
  GroupScrub(ScrubCommand command, LinearCode code, int sliceBytes, String ownUuid,
      UnaryOperator<NodeRef> asKnown, Readings readings) {
    this.command = command;
    this.code = code;
    this.ownUuid = ownUuid;
    this.asKnown = asKnown;
    this.readings = readings;
    this.planner = new ZeroSumPlanner(command.layout, code, READER,
        SliceGeometry.sliceBytesAtRate(sliceBytes, command.bytesPerSecond,
            code.subChunks()));
  }

  /** Checks the group. The ending, and not an exception, says which other nodes have failed. */
  ScrubEnding check() {
    String failure = "it was read " + ATTEMPTS_MOST + " times in vain";
    for (int attempt = 0; attempt < ATTEMPTS_MOST; attempt++) {
      String why = readings.changed();
      if (why != null) {
        return ScrubEnding.notChecked(why);
      }
      ScrubEnding ending;
      try {
        ending = attempt();
      } catch (RepairException e) {
        LOG.debug("Check {} of {} met a failure", command.id(), command.groupId(), e);
        failure = e.toString();
        ending = readings.endedBecause() == null ? afterFailure(e)
            : ScrubEnding.notChecked(readings.endedBecause());
      } catch (IOException e) {
        LOG.debug("Check {} of {} has failed", command.id(), command.groupId(), e);
        ending = ScrubEnding.notChecked(readings.endedBecause() == null ? PeerText.firstLine(e)
            : readings.endedBecause());
      }
      if (ending != null) {
        return withUnexplained(ending);
      }
    }
    return withUnexplained(ScrubEnding.notChecked(failure));
  }

  /**
   * If the last sums were wrong and the check has ended before it found the reason, returns an
   * ending that says so. Otherwise returns the given ending.
   */
  private ScrubEnding withUnexplained(ScrubEnding ending) {
    if (unexplained == 0 || ending.finding.outcome != ScrubOutcome.NOT_CHECKED) {
      return ending;
    }
    // If an ending names no suspects, the manager only orders the check again, and shows operators
    // nothing.
    List<String> suspects = ending.finding.suspects;
    return ScrubEnding.notChecked(ending.text + "; the sums of " + unexplained
        + " slices were wrong, and it is not known why",
        suspects.isEmpty() && readings.endedBecause() == null
            ? suspects(units(command.holders)) : suspects, unitBytes);
  }

  /** Reads the group once. Returns the ending of the check, or null if it has to read it again. */
  private ScrubEnding attempt() throws IOException {
    List<UnitHolder> live = live();
    ZeroSumPlan plan;
    try {
      plan = planner.plan(live, false);
    } catch (NoPlanException e) {
      return unreadable.isEmpty() ? ScrubEnding.notChecked(e.getMessage())
          : ending(ScrubOutcome.UNREADABLE, e.getMessage() + reasons(), unreadable.keySet());
    }
    WrongSlices wrong = readings.sums(plan);
    unitBytes = live.stream()
        .mapToLong(holder -> command.layout.length(holder.unit)).sum();
    unexplained = wrong.count();
    if (wrong.count() == 0) {
      return agreement(plan, live);
    }
    WrongUnitEvidence evidence;
    try {
      evidence = readings.oneByOne(planner, live, wrong.some());
    } catch (NoPlanException e) {
      return ScrubEnding.notChecked(e.getMessage(), suspects(units(live)), unitBytes);
    }
    unexplained = 0;
    String why = readings.changed();
    if (why != null) {
      return ScrubEnding.notChecked(why);
    }
    if (evidence.isClean()) {
      return ++transients < TRANSIENTS_MOST ? null : ScrubEnding.notChecked("the sums of its"
          + " DataNodes were wrong " + transients + " times, but its units agree when they are"
          + " read one by one: one of these nodes seems to calculate wrongly; test the memory of"
          + " these machines", suspects(units(live)), unitBytes);
    }
    return contradiction(plan, evidence, wrong, live);
  }

  /** Returns the holders of the units that can be read, those of this node first. */
  private List<UnitHolder> live() {
    List<UnitHolder> live = new ArrayList<>();
    for (UnitHolder holder : command.holders) {
      if (!unreadable.containsKey(holder.unit)) {
        NodeRef node = asKnown.apply(holder.node);
        live.add(new UnitHolder(holder.unit, withoutPort.contains(node.uuid)
            ? node.withRepairPort(NodeRef.NO_REPAIR_PORT) : node));
      }
    }
    live.sort(Comparator.comparingInt(holder -> holder.node.uuid.equals(ownUuid) ? 0 : 1));
    return live;
  }

  private ScrubEnding agreement(ZeroSumPlan plan, List<UnitHolder> live) {
    if (!unreadable.isEmpty()) {
      return ending(ScrubOutcome.UNREADABLE, "the other units agree" + reasons(),
          unreadable.keySet());
    }
    if (!plan.uncovered.isEmpty()) {
      return ScrubEnding.notChecked("without its units " + plan.missing + ", nothing shows"
          + " whether units " + plan.uncovered + " are right; the others agree", List.of(),
          unitBytes);
    }
    return ending(ScrubOutcome.AGREES, plan.missing.isEmpty() ? ""
        : "units " + plan.missing + " are missing; the others agree", List.of());
  }

  private ScrubEnding contradiction(ZeroSumPlan plan, WrongUnitEvidence evidence, WrongSlices wrong,
      List<UnitHolder> live) {
    List<Integer> units = evidence.suspects();
    StringBuilder text = new StringBuilder("its units contradict each other");
    int wrongUnit = ScrubFinding.NO_UNIT;
    if (units.size() == 1) {
      wrongUnit = units.get(0);
      boolean isAll = evidence.isComplete() && wrong.count() == wrong.some().size();
      text.append(": ").append(place(wrongUnit))
          .append(" is wrong, as it alone explains all wrong bytes")
          .append(isAll ? "" : " that were looked at");
    } else if (units.isEmpty()) {
      text.append(": more than one unit is wrong");
      units = units(live);
    } else {
      text.append(": the others do not show which one is wrong");
    }
    text.append("; ").append(wrong.count()).append(" of ").append(plan.geometry.slices())
        .append(plan.geometry.slices() == 1 ? " slice " : " slices ")
        .append(wrong.count() == 1 ? "is" : "are").append(" wrong, the first at byte ")
        .append(evidence.firstOffset())
        .append(plan.geometry.subChunks() == 1 ? " of the units" : " of the units, or in the"
            + " same cell").append(reasons());
    return new ScrubEnding(new ScrubFinding(ScrubOutcome.CONTRADICTION, wrongUnit,
        suspects(units), unitBytes), text.toString());
  }

  private ScrubEnding ending(ScrubOutcome outcome, String text, Collection<Integer> units) {
    return new ScrubEnding(new ScrubFinding(outcome, ScrubFinding.NO_UNIT, suspects(units),
        unitBytes), text);
  }

  /** Returns how a node's failure ends the check, or null if another reading may succeed. */
  private ScrubEnding afterFailure(RepairException e) {
    String uuid = e.node.uuid;
    List<String> suspect = e.node.equals(READER) ? List.of() : List.of(uuid);
    switch (e.failureCause) {
      case OVERLOADED:
        // The node has more important work for now.
        return notToBlame(e, suspect).givingWay();
      case NO_SUCH_BLOCK:
      case STALE_REPLICA:
        return notToBlame(e, suspect);
      case UNREACHABLE:
      case UNSUPPORTED:
      case PROTOCOL:
        return withoutPort.add(uuid) ? null
            : ScrubEnding.notChecked(e.toString(), suspect, unitBytes);
      case CORRUPT_REPLICA:
      case INTERNAL:
        if (strikes.merge(uuid, 1, Integer::sum) < STRIKES_MOST) {
          return null;
        }
        return noteUnreadable(uuid, e) ? null
            : ScrubEnding.notChecked(e.toString(), suspect, unitBytes);
      default:
        return strikes.merge(uuid, 1, Integer::sum) < STRIKES_MOST ? null
            : ScrubEnding.notChecked(e.toString(), suspect, unitBytes);
    }
  }

  /**
   * Returns the ending of a check that failed because a node has more important work, or because
   * the group is being changed or deleted. Such a failure is no node's fault, so the ending names
   * no suspect unless sums were wrong. The manager checks the group again later.
   */
  private ScrubEnding notToBlame(RepairException e, List<String> suspect) {
    return ScrubEnding.notChecked(e.toString(), unexplained == 0 ? List.of() : suspect, unitBytes);
  }

  /** Notes a node's units as unreadable; returns false if all of them were noted before. */
  private boolean noteUnreadable(String uuid, RepairException e) {
    boolean isNew = false;
    for (UnitHolder holder : command.holders) {
      if (holder.node.uuid.equals(uuid)) {
        isNew |= unreadable.putIfAbsent(holder.unit, PeerText.firstLine(e)) == null;
      }
    }
    return isNew;
  }

  private static List<Integer> units(List<UnitHolder> live) {
    List<Integer> units = new ArrayList<>();
    live.forEach(holder -> units.add(holder.unit));
    return units;
  }

  /** Returns the UUIDs of the nodes that hold the given units. */
  private List<String> suspects(Collection<Integer> units) {
    Set<String> nodes = new LinkedHashSet<>();
    for (UnitHolder holder : command.holders) {
      if (units.contains(holder.unit)) {
        nodes.add(holder.node.uuid);
      }
    }
    return new ArrayList<>(nodes);
  }

  /** Returns a text with the place of each unit that could not be read, and the reason. */
  private String reasons() {
    StringBuilder text = new StringBuilder();
    unreadable.forEach((unit, why) -> text.append("; ").append(place(unit))
        .append(" could not be read: ").append(why));
    return text.toString();
  }

  private String place(int unit) {
    String node = "no DataNode";
    for (UnitHolder holder : command.holders) {
      if (holder.unit == unit) {
        node = holder.node.hostName + ":" + holder.node.xferPort;
      }
    }
    return "unit " + unit + " (blk_" + command.groupId().blockId(unit) + ") on " + node;
  }
}
