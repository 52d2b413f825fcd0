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
 * Checks one group. The sums of a chain over all units have to be zero. If some are not, this node
 * reads those slices once more, unit by unit, and adds up itself. Only what that second reading
 * shows is a contradiction: a node that calculates wrongly, or a group that changes meanwhile,
 * accuses no unit. Used by one thread.
 */
final class GroupScrub {
  /** Stands for this node where it receives sums, as it may have another place in the chain. */
  static final NodeRef READER = new NodeRef("the leader of the check", "", "", 0,
      NodeRef.NO_REPAIR_PORT, "");
  private static final Logger LOG = LoggerFactory.getLogger(GroupScrub.class);
  /**
   * The most readings of a group. A check can wait for the next pass, so that it does not try long:
   * enough for two nodes without a port, one unreadable unit, and wrong sums once more.
   */
  private static final int ATTEMPTS_MOST = 8;
  /** A node that has failed so often ends the check, or is left out if its disk is the reason. */
  private static final int STRIKES_MOST = 2;
  /** The most readings in which sums were wrong although the units agree. */
  private static final int TRANSIENTS_MOST = 3;

  /** Reads the units of the group. */
  interface Readings {
    /**
     * Has DataNodes add up the sums of a plan.
     *
     * @return the slices whose sums are not zero
     */
    WrongSlices sums(ZeroSumPlan plan) throws IOException;

    /** Reads slices of each unit by itself, and adds up here. */
    WrongUnitEvidence oneByOne(ZeroSumPlanner planner, List<UnitHolder> live, List<Integer> slices)
        throws IOException;

    /** Returns the reason why the check has to end early, or null. */
    String endedBecause();

    /**
     * Returns a sentence if the unit on this node is not the one of the command any more, or null.
     */
    String changed();
  }

  private final ScrubCommand command;
  private final LinearCode code;
  private final ZeroSumPlanner planner;
  private final String ownUuid;
  private final UnaryOperator<NodeRef> asKnown;
  private final Readings readings;
  /** Why a unit cannot be read, by the unit. */
  private final Map<Integer, String> unreadable = new TreeMap<>();
  /** UUIDs of the nodes that serve no sums, so that others read their units as stock does. */
  private final Set<String> withoutPort = new HashSet<>();
  private final Map<String, Integer> strikes = new HashMap<>();
  private long unitBytes;
  private int transients;
  /** The wrong slices of the last sums, until a second reading explains them. */
  private long unexplained;

  /**
   * @param command the manager's command
   * @param code the group's code
   * @param sliceBytes the most bytes of a slice
   * @param ownUuid UUID of this DataNode; its units come first in the chain, so that the sums reach
   *     this node over no link
   * @param asKnown gives the reference to a node with the port that this node knows of
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

  /** Checks the group. Throws nothing because of other nodes: that is part of the ending. */
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

  /** Says also that sums were wrong, if the check ended before it could find out why. */
  private ScrubEnding withUnexplained(ScrubEnding ending) {
    if (unexplained == 0 || ending.finding.outcome != ScrubOutcome.NOT_CHECKED) {
      return ending;
    }
    // Without suspects the manager would only try once more, and show nothing.
    List<String> suspects = ending.finding.suspects;
    return ScrubEnding.notChecked(ending.text + "; the sums of " + unexplained
        + " slices were wrong, and it is not known why",
        suspects.isEmpty() && readings.endedBecause() == null
            ? suspects(units(command.holders)) : suspects, unitBytes);
  }

  /** Returns null if the group has to be read once more. */
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

  /** Draws conclusions from a node's failure. Returns null if another reading may succeed. */
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
   * Ends a check because a node has more important work, or the group is being changed or deleted,
   * for which no node is to blame unless sums were wrong. The group has another turn.
   */
  private ScrubEnding notToBlame(RepairException e, List<String> suspect) {
    return ScrubEnding.notChecked(e.toString(), unexplained == 0 ? List.of() : suspect, unitBytes);
  }

  /** Returns whether the node holds a unit that was not known as unreadable before. */
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

  /** Returns the UUIDs of the nodes that hold units. */
  private List<String> suspects(Collection<Integer> units) {
    Set<String> nodes = new LinkedHashSet<>();
    for (UnitHolder holder : command.holders) {
      if (units.contains(holder.unit)) {
        nodes.add(holder.node.uuid);
      }
    }
    return new ArrayList<>(nodes);
  }

  /** Says of each unit that could not be read where it lies, and why. */
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
