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
package org.hdfsppr.namenode.manage.explain;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hdfsppr.namenode.manage.charge.SchedulingAuthority;
import org.hdfsppr.namenode.manage.launch.DestinationObstacle;
import org.hdfsppr.namenode.manage.operator.BlockNames;
import org.hdfsppr.namenode.manage.status.RepairPause;
import org.hdfsppr.namenode.model.CoreWork;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.NoPlanReason;
import org.hdfsppr.namenode.schedule.QueuedGroup;
import org.hdfsppr.namenode.track.GroupNotes;
import org.hdfsppr.namenode.track.RelaxedRule;
import org.hdfsppr.namenode.track.RepairProgress;
import org.hdfsppr.wire.FailureCause;

/**
 * Says in words why a group is not repaired yet. If several things stand in the way, it names the
 * one that has to end first. A function of the facts: no clock, no I/O.
 */
final class Explainer {
  private static final String READ_LOG = "The NameNode's log says more.";

  private final GroupFacts facts;
  private final String name;

  private Explainer(GroupFacts facts) {
    this.facts = facts;
    this.name = BlockNames.nameOf(facts.number);
  }

  static Explanation explain(GroupFacts facts) {
    return new Explainer(facts).explain();
  }

  private Explanation explain() {
    if (!facts.cluster.isActive) {
      return ofInactive();
    }
    if (facts.repair.isPresent()) {
      return ofRepair(facts.repair.get());
    }
    if (!facts.cluster.isInCharge) {
      return ofStock();
    }
    switch (facts.state) {
      case STOCKS_TURN:
        return ofStocksTurn(facts.end.map(end -> end.text).orElse(""),
            "Stock is about to get the group");
      case GONE:
        return ofGone();
      default:
        return ofWaiting();
    }
  }

  private Explanation say(GroupCause cause, String text, String next, String... commands) {
    String all = facts.version.isEmpty() ? text : text + " " + facts.version;
    return new Explanation(name, state(cause), cause, all, facts.tried, next, List.of(commands));
  }

  private String state(GroupCause cause) {
    switch (cause) {
      case REPAIRING:
        return "repairing";
      case STOCKS_TURN:
        return "with_stock";
      case WHOLE:
        return "whole";
      case UNKNOWN_GROUP:
        return "unknown";
      default:
        if (facts.isDoubtOpen) {
          return facts.isSuspected ? "suspected" : "doubted";
        }
        return facts.state.isWaiting() ? "waiting"
            : facts.cluster.isActive && !facts.cluster.isInCharge ? "with_stock" : "unknown";
    }
  }

  private String in(long atMs) {
    return Words.in(atMs - facts.nowMs);
  }

  private String findFile() {
    return "hdfs fsck -blockId " + name;
  }

  private String prioritize() {
    return "hdfs ppr -prioritize " + name;
  }

  private Explanation ofInactive() {
    if (facts.cluster.isInSafeMode) {
      return say(GroupCause.SAFE_MODE, "This NameNode is in safe mode, in which it repairs"
          + " nothing.", "When it leaves safe mode, it looks for lost units again, and repairs"
          + " begin some seconds later.", "hdfs dfsadmin -safemode get");
    }
    return say(GroupCause.NOT_IN_CHARGE, "This NameNode is not the active one, and schedules no"
        + " repairs.", "The active NameNode knows.", "hdfs haadmin -getAllServiceState");
  }

  private Explanation ofRepair(RepairProgress repair) {
    StringBuilder text = new StringBuilder("Repair ").append(repair.id).append(" began ")
        .append(Words.ago(facts.nowMs - repair.startedMs)).append(", is led by ")
        .append(repair.destination).append(" as ").append(facts.topology).append(", and is ")
        .append(repair.donePercent).append(" % done.");
    if (facts.isDoubtOpen) {
      text.append(" The group's units contradict each other, so that every byte is checked.");
    }
    if (facts.concessions.contains(RelaxedRule.ANY_RACK)) {
      text.append(" It leaves the group on fewer racks than it should be on: no other destination"
          + " was left.");
    }
    if (facts.concessions.contains(RelaxedRule.ANY_STORAGE)) {
      text.append(" It may write to storage of a type that the file's policy allows but does not"
          + " prefer.");
    }
    return say(GroupCause.REPAIRING, text.toString(), "If it advances, it ends by itself;"
        + " otherwise it is given up " + in(repair.deadlineMs) + " at the latest, and the group"
        + " is planned anew.");
  }

  private Explanation ofStock() {
    String held = facts.isDoubtOpen
        ? " The group's units contradict each other, so that stock does not get it either." : "";
    if (facts.cluster.isAllowed && facts.cluster.leftToStock.isPresent()) {
      return say(GroupCause.LEFT_TO_STOCK, "Repairs are not scheduled here: " + facts.cluster.why
          + "." + held, "Stock repairs the group if it has lost units and stock knows its code."
          + facts.cluster.leftToStock.flatMap(RepairPause::until)
          .map(until -> " The plugin takes over"
              + " at " + until.truncatedTo(ChronoUnit.SECONDS) + ", or when an operator says so.")
              .orElse(" The plugin takes over when an operator says so."), "hdfs ppr -resume");
    }
    if (!facts.cluster.isAllowed || facts.cluster.closedForMs > 0) {
      return say(GroupCause.NOT_IN_CHARGE, "Repairs are not scheduled here: " + facts.cluster.why
          + "." + held, facts.cluster.isAllowed ? "Stock schedules all repairs for "
          + Words.span(facts.cluster.closedForMs) + " more. " + READ_LOG
          : "Nothing is repaired until the setting is above 0 and the NameNode has restarted.");
    }
    return say(GroupCause.TOO_FEW_AGENTS, "Repairs are stock's: " + facts.cluster.why + "." + held,
        "Stock repairs the group if it has lost units and stock knows its code. The plugin takes"
        + " over when at least a third of the DataNodes takes part.", "hdfs ppr -nodes",
        "hdfs ppr -doctor");
  }

  private Explanation ofStocksTurn(String why, String stock) {
    return say(GroupCause.STOCKS_TURN, stock + (why.isEmpty() ? "." : ": " + why + "."),
        "Stock repairs it in its own order. If it is still lost after "
            + Words.span(SchedulingAuthority.STOCKS_TURN_MS) + ", the plugin takes it back.",
        findFile());
  }

  private Explanation ofGone() {
    GroupNotes.End end = facts.end.orElse(null);
    if (end != null && end.withStock
        && facts.nowMs - end.sinceMs < SchedulingAuthority.STOCKS_TURN_MS) {
      return ofStocksTurn(end.text,
          "Stock got the group " + Words.ago(facts.nowMs - end.sinceMs));
    }
    if (end != null && !end.withStock) {
      return say(GroupCause.WHOLE, "The NameNode misses no unit of the group: " + end.text + ", "
          + Words.ago(facts.nowMs - end.sinceMs) + ".", facts.isDoubtOpen
          ? "Its units contradict each other, and nothing is repaired that is not lost: see"
          + " docs/contradicting-units.md." : "Nothing is to be done.", findFile());
    }
    if (facts.isDoubtOpen) {
      return say(GroupCause.DOUBT, "The NameNode misses no unit of the group, but its units"
          + " contradict each other.", "Nothing is repaired that is not lost. Take the wrong unit"
          + " away: see docs/contradicting-units.md.", "hdfs ppr -doubts", findFile());
    }
    return say(GroupCause.UNKNOWN_GROUP, "The plugin knows of no lost unit of " + name + ": the"
        + " group is whole, or there is no such group, or its code is not one of those that are"
        + " scheduled here.", "A loss that the NameNode notices is known here within a second.",
        findFile());
  }

  private Explanation ofWaiting() {
    LostGroup view = facts.view().orElse(null);
    Optional<Explanation> rows = view == null ? Optional.empty() : ofRows(view);
    if (rows.isPresent()) {
      return rows.get();
    }
    if (facts.cluster.pause.isPresent()) {
      return ofPause(facts.cluster.pause.get(), view);
    }
    if (facts.cluster.isListening) {
      return say(GroupCause.QUEUED, "This NameNode has become active a moment ago, and listens to"
          + " the DataNodes, and reads its CORE groups, before it orders repairs.",
          "Repairs begin within 11 s, or within a minute if there are very many CORE groups.");
    }
    if (facts.noPlan.isPresent()) {
      return ofNoPlan(facts.noPlan.get());
    }
    Optional<Explanation> refused = ofRefusal();
    if (refused.isPresent()) {
      return refused.get();
    }
    if (facts.retryAtMs > facts.nowMs) {
      return ofBackoff();
    }
    QueuedGroup queued = facts.queued.orElse(null);
    if (queued != null && queued.place() == QueuedGroup.Place.POSTPONED
        && facts.delayUntilMs > facts.nowMs) {
      return say(GroupCause.DELAY, "The group waits for its lost DataNodes to come back, as"
          + " dfs.ppr.repair.delay wants. It can lose " + queued.group.spareUnits
          + " more units.", "The repair begins " + in(facts.delayUntilMs) + ", or at once if a"
          + " client reads the group or it loses more units.", prioritize());
    }
    return ofQueued(queued);
  }

  /**
   * Says why the repair has to wait for other rows, or is impossible now; empty if it may begin.
   */
  private Optional<Explanation> ofRows(LostGroup view) {
    CoreWork.State core = view.core.state;
    if (core == CoreWork.State.WAITS) {
      return Optional.of(say(GroupCause.WAITS_FOR_ROWS, "Other files of its CORE group have lost"
          + " blocks of the same columns, and are repaired first"
          + (view.isUnrecoverable() ? ". Its own code cannot rebuild it, but it is recoverable"
              + " through CORE." : ", because less is read in this order."),
          "The repair begins when the blocks that it reads are rebuilt.", findFile()));
    }
    if (!view.isUnrecoverable() || !view.isToWait()) {
      return Optional.empty();
    }
    return Optional.of(say(GroupCause.UNRECOVERABLE, "More units are lost than the code can"
        + " rebuild: lost are " + view.lost + ", and " + view.live.size() + " of the "
        + view.unitsToDecode() + " that are needed can be read."
        + (core == CoreWork.State.NONE ? "" : " The other files of its CORE group have lost too"
            + " much as well, so that it is not recoverable through CORE either."),
        "As soon as a DataNode with one of these units comes back, the group is repaired.",
        findFile(), "hdfs dfsadmin -report -dead"));
  }

  private Explanation ofPause(RepairPause pause, LostGroup view) {
    String risk = view != null && view.spareUnits == 0
        ? " The group has no spare unit: one more loss loses data." : "";
    return say(GroupCause.PAUSED, "An operator has paused all repairs since "
        + pause.since.truncatedTo(ChronoUnit.SECONDS) + "."
        + risk, pause.until().map(until -> "The pause ends by itself at "
            + until.truncatedTo(ChronoUnit.SECONDS) + ".")
        .orElse("The pause lasts until an operator ends it."), "hdfs ppr -resume");
  }

  /** Says when the dispatcher tries the group again. */
  private String nextTry() {
    return facts.queued.filter(one -> one.place() == QueuedGroup.Place.POSTPONED)
        .map(one -> "The group is tried again " + in(one.notBeforeMs()) + ".")
        .orElse("The group is tried again at once.");
  }

  private Explanation ofNoPlan(NoPlanReason why) {
    switch (why) {
      case NO_DESTINATION:
        return ofNoDestination();
      case TOO_FEW_SOURCES:
        return ofTooFewSources();
      case UNKNOWN_CODE:
        return say(GroupCause.UNKNOWN_CODE, "This NameNode does not know the code of the group's"
            + " policy.", nextTry(), findFile());
      case FAILED:
        return say(GroupCause.BACKOFF, "Planning the repair has failed with an error. " + READ_LOG,
            nextTry());
      default:
        return ofQueued(facts.queued.orElse(null));
    }
  }

  private Explanation ofNoDestination() {
    DestinationCensus all = facts.destinations;
    String text = "No DataNode may take the lost units: " + all.words() + ".";
    if (all.accepted() > 0) {
      return say(GroupCause.QUEUED, "At the last try no DataNode could take the lost units. Now, "
          + all.words() + ".", nextTry());
    }
    DestinationObstacle worst = all.worst().orElse(DestinationObstacle.HOLDS_UNIT);
    switch (worst) {
      case NO_STORAGE:
        return say(GroupCause.DISK_FULL, text, nextTry() + " Free or add space on DataNodes"
            + " that hold no unit of the group.", "hdfs dfsadmin -report -live");
      case TOO_OLD:
        return say(GroupCause.VERSION_TOO_OLD, text, nextTry() + " Upgrade the extension on these"
            + " DataNodes.", "hdfs ppr -nodes");
      case QUARANTINED:
      case DISTRUSTED:
        return say(GroupCause.QUARANTINE, text, nextTry() + " Each DataNode takes part again when"
            + " its quarantine ends.", readmit(all.nodes(worst)));
      case NO_AGENT:
        return say(GroupCause.TOO_FEW_AGENTS, text, nextTry() + " Install the extension on more"
            + " DataNodes, or open their way to the NameNode.", "hdfs ppr -doctor");
      default:
        return say(GroupCause.NO_DESTINATION, text, nextTry() + " Add DataNodes, or bring lost"
            + " ones back.", "hdfs dfsadmin -report -dead");
    }
  }

  /** Returns the command that lets a node take part again, for each of the first of these nodes. */
  private static String[] readmit(List<String> nodes) {
    List<String> commands = new ArrayList<>();
    nodes.stream().limit(GroupNotes.TRIES_MAX)
        .forEach(node -> commands.add("hdfs ppr -readmit " + node));
    return commands.toArray(new String[0]);
  }

  private Explanation ofTooFewSources() {
    if (!facts.keptOutHolders.isEmpty()) {
      return say(GroupCause.QUARANTINE, "The units that may be read do not determine the lost ones:"
          + " DataNodes with other units are kept out of repairs: "
          + String.join(", ", facts.keptOutHolders) + ".", nextTry(),
          readmit(facts.keptOutHolders));
    }
    return say(GroupCause.TOO_FEW_SOURCES, "The units that can be read now do not determine the"
        + " lost ones" + (facts.isDoubtOpen ? " in a way that shows which unit is wrong" : "")
        + ".", nextTry() + " It begins when a DataNode with one of its units comes back.",
        findFile(), "hdfs dfsadmin -report -dead");
  }

  /** Says why the NameNode did not begin the last plan; empty if it did. */
  private Optional<Explanation> ofRefusal() {
    if (!facts.notBegun.isPresent()) {
      return Optional.empty();
    }
    switch (facts.notBegun.get()) {
      case NO_STORAGE:
        return Optional.of(say(GroupCause.DISK_FULL, "The DataNode that was to take the lost unit"
            + " cannot: " + facts.whyNotBegun + ". Now, " + facts.destinations.words() + ".",
            nextTry(), "hdfs dfsadmin -report -live"));
      case TOO_FEW_RACKS:
        return Optional.of(say(GroupCause.RACKS_FULL, "Every DataNode that may take the lost units"
            + " is on a rack that has its share of the group's units already.", nextTry() + " It"
            + " then accepts fewer racks, as a repaired group on too few racks is better than a"
            + " group that lacks a unit.", "hdfs dfsadmin -printTopology"));
      case TARGET_UNFIT:
        return Optional.of(say(GroupCause.BACKOFF, "The NameNode refused the planned destination: "
            + facts.whyNotBegun + ".", nextTry(), prioritize()));
      case AT_WORK:
        return Optional.of(say(GroupCause.QUEUED, "A DataNode or stock is still at work on the"
            + " group, or an earlier repair has not ended there.", nextTry()));
      default:
        return Optional.empty();
    }
  }

  private Explanation ofBackoff() {
    String last = "The last repair failed, " + facts.failures + " in a row. ";
    String next = "The next repair begins " + in(facts.retryAtMs) + ", without the DataNodes that"
        + " failed if the others suffice.";
    FailureCause cause = facts.tries.isEmpty() ? null
        : facts.tries.get(facts.tries.size() - 1).cause().orElse(null);
    if (facts.isDoubtOpen) {
      return say(GroupCause.DOUBT, "The group's units contradict each other although their"
          + " checksums are right" + (facts.isSuspected ? ", as one DataNode has found. Another"
          + " one decides." : ", so that one of them is wrong. Nothing is rebuilt from them"
          + " unchecked."), "The next repair, which checks all bytes, begins "
          + in(facts.retryAtMs) + ". docs/contradicting-units.md says how to end the doubt.",
          findFile(), "hdfs ppr -undoubt " + name);
    }
    if (cause == FailureCause.UNREACHABLE) {
      return say(GroupCause.PORT_CLOSED, last + "The repair port of " + facts.lastNode
          + " gave no answer: it is closed, or the extension does not run there.", next,
          "hdfs ppr -doctor", prioritize());
    }
    if (cause == FailureCause.UNSUPPORTED) {
      return say(GroupCause.VERSION_TOO_OLD, last + "The version of the extension on "
          + facts.lastNode + " lacks what this repair needs: upgrade it.", next, "hdfs ppr -nodes",
          prioritize());
    }
    return say(GroupCause.BACKOFF, last + (cause == null ? "" : "The cause was " + cause
        + (facts.lastNode.isEmpty() ? "." : " at " + facts.lastNode + ".")), next, prioritize());
  }

  private Explanation ofQueued(QueuedGroup queued) {
    if (facts.isDoubtOpen) {
      return say(GroupCause.DOUBT, "The group's units seem to contradict each other. It waits for a"
          + " repair that checks all bytes.", "The repair begins when its nodes have room.",
          findFile(), "hdfs ppr -undoubt " + name);
    }
    if (queued != null && queued.place() == QueuedGroup.Place.PARKED) {
      return say(GroupCause.QUEUED, "Its nodes are busy: " + facts.parkedAt
          + " has as much to do as it may have.", "The group is tried again when "
          + facts.parkedAt + " has less to do.", prioritize());
    }
    String first = queued != null && queued.prioritized ? " It goes before all others." : "";
    return say(GroupCause.QUEUED, "The group waits for its turn: " + facts.cluster.waiting
        + " groups wait, and " + facts.cluster.inFlight + " of at most "
        + facts.cluster.inFlightMax + " repairs are under way." + first,
        "Groups with fewer spare units go first, then those that clients read, then the oldest.",
        prioritize());
  }
}
