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
package org.hdfsppr.namenode.version;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has every byte of all groups of a new file checked against the equations of the code. If
 * DataNodes have sent digests of all units, these are compared; otherwise the units are read once
 * more. Only reading finds out which unit is wrong, so that the units are also read if digests
 * contradict each other. Used by one thread at a time.
 *
 * <p>Reading takes hours. In that time, a node that was given up may send heartbeats again, and its
 * replica of a unit may take the place of the one that was checked. So the NameNode locates the
 * units once more after each round. If one of the {@link GroupWork#made} units of a group has
 * another replica by then, the group is checked again.
 *
 * <pre>
 *   locate the units -> check each group that is due -> locate the units -> ... -> none is due
 * </pre>
 */
final class VerificationRounds implements Phase {
  /** How long stock may take to delete the surplus replica of a unit, ms. */
  private static final long SECOND_MS_MAX = 60_000;
  /**
   * How often a group is checked at the most, if after each check one of its units is on another
   * DataNode. A unit may be ordered this many times, each time on another node.
   */
  private static final int CHECKS_MAX = GroupMaking.TRIES_MAX;

  private static final Logger LOG = LoggerFactory.getLogger(VerificationRounds.class);
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  private final VersionContext context;
  private final EngineParts parts;
  private final WorkFile work;
  private final List<GroupWork> groups;
  private final MakingGuard guard;
  /** A name of the file that is made, for log lines and messages. */
  private final String what;
  private final FullVerification reading;
  /** Whether the units of the first group that is due are being read. */
  private boolean isReading;
  /** The groups that are left in this round. Empty between two rounds, while units are located. */
  private final Deque<Integer> due = new ArrayDeque<>();
  /** Since when the units are located for the next round, monotonic ms. */
  private long locatingMs;
  /** Where the units are in this round; null before the first one. */
  private OldUnits units;
  /**
   * For each group: where its units were at its last check. A round takes hours, in which a group
   * that was found right in an earlier round may get another replica of a unit.
   */
  private final Map<Integer, OldUnits> checked = new HashMap<>();
  /** For each group: how often it was checked. */
  private final Map<Integer, Integer> checks = new HashMap<>();

  /** @param isUrgent whether DataNodes fetch the orders before their next regular heartbeat */
  VerificationRounds(VersionContext context, WorkFile work, List<GroupWork> groups,
      MakingGuard guard, String what, boolean isUrgent) {
    this.context = context;
    this.parts = context.parts;
    this.work = work;
    this.groups = groups;
    this.guard = guard;
    this.what = what;
    this.reading = new FullVerification(context, what, isUrgent);
    this.locatingMs = parts.clockMs.getAsLong();
  }

  /** Has one group checked or, between two rounds, looks where the units are. */
  @Override
  public Progress step() throws IOException, VersionStopException {
    if (due.isEmpty()) {
      return locate() ? beginRound() : MakingGuard.LOOK;
    }
    int index = due.element();
    if (!isChecked(index)) {
      return MakingGuard.LOOK;
    }
    checked.put(index, units);
    checks.merge(index, 1, Integer::sum);
    due.remove();
    locatingMs = parts.clockMs.getAsLong();
    return Progress.AT_ONCE;
  }

  private Progress beginRound() throws VersionStopException {
    due.addAll(unchecked());
    if (due.stream().anyMatch(index -> checks.getOrDefault(index, 0) == CHECKS_MAX)) {
      throw new VersionStopException(VersionEnd.FAILED, "units of " + what + " were on other"
          + " DataNodes after each of " + CHECKS_MAX + " checks");
    }
    return due.isEmpty() ? Progress.DONE : Progress.AT_ONCE;
  }

  /**
   * Returns the groups that were not checked yet, or whose made units were on other nodes when they
   * were checked.
   */
  private List<Integer> unchecked() {
    return IntStream.range(0, groups.size()).boxed().filter(index ->
        !checked.containsKey(index) || isElsewhere(index, checked.get(index)))
        .collect(Collectors.toList());
  }

  /**
   * Returns whether a group is checked and right. Begins the check if that has not been done.
   *
   * @throws VersionStopException if the group is wrong, or cannot be checked
   */
  private boolean isChecked(int index) throws IOException, VersionStopException {
    FileGroup group = work.groups().get(index);
    GroupWork making = groups.get(index);
    if (group.bytes == 0) {
      return true;
    }
    LinearCode code = parts.codes.code(context.code);
    if (!isReading) {
      // A linked unit has the same bytes in the old version. If it is wrong, the old version is
      // wrong as well, and its group has to be doubted.
      making.checkOld();
      List<UnitHolder> holders = units.of(group.id);
      if (isRight(code, making, group, holders)) {
        return true;
      }
      isReading = true;
      reading.begin(group, holders);
    }
    if (!reading.isDone()) {
      guard.checkGoOn();
      return false;
    }
    cancel();
    making.checkedByReading(code);
    return true;
  }

  /** Takes back the check that is being carried out, if there is one. */
  void cancel() {
    reading.cancel();
    isReading = false;
  }

  /**
   * Returns whether a made unit is now on another node than the replica that was checked. A unit
   * without any replica does not count here: the {@link Publisher} looks for lost units.
   */
  private boolean isElsewhere(int index, OldUnits before) {
    GroupId group = work.groups().get(index).id;
    return groups.get(index).made().stream().anyMatch(unit ->
        !before.uuids(group, unit).containsAll(units.uuids(group, unit)));
  }

  /**
   * Locates the units. Returns whether each made unit has exactly one replica. It may have two: a
   * node that was silent for a while may have made a unit that another node has made or linked
   * since then. A check sees only one of the two replicas, and stock may delete that one.
   *
   * <p>A unit that only one node was ordered to link may also have two replicas for hours, for
   * instance while its node is decommissioned. That does no harm, because both come from the old
   * unit.
   */
  private boolean locate() throws IOException, VersionStopException {
    units = OldUnits.locate(parts.store, parts.door, work.inodeId);
    if (areMadeOnesThereOnce()) {
      return true;
    }
    guard.checkGoOn();
    if (parts.clockMs.getAsLong() - locatingMs > SECOND_MS_MAX) {
      throw new VersionStopException(VersionEnd.FAILED, "a unit of " + what + " has had two"
          + " replicas for " + SECOND_MS_MAX / 1_000 + " s, only one of which can be checked");
    }
    return false;
  }

  private boolean areMadeOnesThereOnce() {
    for (int i = 0; i < groups.size(); i++) {
      GroupId group = work.groups().get(i).id;
      if (groups.get(i).made().stream().anyMatch(unit -> units.replicas(group, unit).size() > 1)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether digests show that a group is right; false if they contradict each other, or are
   * not complete.
   */
  private boolean isRight(LinearCode code, GroupWork making, FileGroup group,
      List<UnitHolder> holders) {
    GroupDigests digests = making.digests();
    if (!making.hasDigests()) {
      return false;
    }
    if (!digests.suffice(code, holders)) {
      parts.withoutDigests.increment();
      PEER_LOG.info("digests", "The units of {} of {} are read once more, because not all DataNodes"
          + " have sent digests of what they have. Others like it may follow", group.id, what);
      return false;
    }
    boolean isRight = digests.agree(code);
    if (!isRight) {
      LOG.info("The digests of the units of {} of {} contradict each other; the units are read once"
          + " more", group.id, PeerText.oneLine(what));
    }
    return isRight;
  }

  /**
   * Has every byte of a new file's groups checked, one group after the other. A group waits until
   * one of its nodes has a place for its check. Used by one thread at a time.
   */
  static final class FullVerification {
    /**
     * How long a check may take in addition to the time that the rates of all checks at its node
     * need, ms.
     */
    private static final long MS_EXTRA = 600_000;
    /**
     * How many times the check of a group may fail, for instance because a unit cannot be read.
     * DataNodes of version 0.2.0 do not say that they have no time for a check, so that this also
     * counts as a failure there.
     */
    private static final int TRIES_MAX = 5;
    /**
     * For how long nodes may put off the check of a group, because they repair something, before it
     * counts as failed, ms.
     */
    static final long PUT_OFF_MS_MAX = 600_000;
    /**
     * How long a group waits until its next check if a check did not end, so that the cause can
     * pass, ms.
     */
    static final long REST_MS = 1_000;
    /** The upper bound of this wait, ms. The wait doubles each time that the group is put off. */
    static final long REST_MS_MAX = 16_000;

    private final EngineParts parts;
    private final VersionContext context;
    private final GroupPolicy code;
    private final String what;
    private final boolean isUrgent;

    private FileGroup group;
    private List<UnitHolder> holders;
    private final NodeNotes nodes;
    /** Null while no node has an order to check the group. */
    private OrderBook.Order order;
    /**
     * The node at which the check has a place in {@link EngineParts.VerificationSlots}, also before
     * the order is given; null if there is none.
     */
    private NodeRef lead;
    /** Nodes that were ordered to check this group, and failed to. */
    private final Set<NodeRef> failed = new HashSet<>();
    /** When the group's check is ordered next, monotonic ms; only while there is no order. */
    private long dueMs;
    private int tries;
    /**
     * For how long the check of the group has been put off in all, ms. The time for which a node
     * had the order does not count, because a check that waits for other checks at its node makes
     * progress.
     */
    private long putOffMs;
    /**
     * When nodes began to put off the check of the group, monotonic ms; only if it {@link
     * #isPutOff}.
     */
    private long putOffSinceMs;
    private boolean isPutOff;
    private long restMs;
    private String lastFailure;

    /**
     * @param what a name of the file, for messages
     * @param isUrgent whether DataNodes fetch the orders before their next regular heartbeat
     */
    FullVerification(VersionContext context, String what, boolean isUrgent) {
      this.what = what;
      this.isUrgent = isUrgent;
      this.context = context;
      this.parts = context.parts;
      this.code = context.code;
      this.nodes = new NodeNotes(parts.door);
    }

    void begin(FileGroup next, List<UnitHolder> units) throws VersionStopException {
      int wanted = GroupMaking.units(next.bytes, code);
      if (units.stream().map(holder -> holder.unit).distinct().count() < wanted) {
        // A check without the missing units would only find that the others agree.
        throw new VersionStopException(VersionEnd.FAILED, "not all units of " + next.id
            + " of " + what + " can be read and checked, only " + units.size() + " of " + wanted);
      }
      group = next;
      holders = units;
      tries = 0;
      putOffMs = 0;
      isPutOff = false;
      restMs = REST_MS;
      failed.clear();
      lastFailure = "no node takes it";
      order();
    }

    /**
     * Orders the check if a node has a place for it now, and if no repair uses the nodes of the
     * group.
     */
    private void order() throws VersionStopException {
      if (parts.links.isHeldUp(LinkLoads.Work.MAKING, holders.stream()
          .map(holder -> holder.node.uuid).collect(Collectors.toList()),
          parts.clockMs.getAsLong())) {
        // Repairs end, or move to other nodes. The file does not fail because of them.
        endPutOff();
        dueMs = parts.clockMs.getAsLong() + REST_MS;
        return;
      }
      Set<NodeRef> able = new LinkedHashSet<>();
      holders.stream().map(holder -> holder.node).filter(node -> parts.door.canWork(node.uuid))
          .forEach(able::add);
      if (failed.containsAll(able)) {
        failed.clear();
      }
      if (able.isEmpty()) {
        putOff("none of its nodes takes part now");
        return;
      }
      // A node can check the group now. If the group still waits, it waits for checks of other
      // groups, which all end. So this wait does not count as put off.
      endPutOff();
      able.removeAll(failed);
      lead = parts.checks.take(able).orElse(null);
      if (lead == null) {
        // Other checks have all places. Each of them ends, or is given up when it is late.
        return;
      }
      long rate = context.nodeBytesPerSecond();
      long aloneMs = 1_000 * (group.bytes / code.dataUnits + code.cellBytes) / rate;
      // The node begins this check after the checks that it already has.
      long deadline = Math.min(RepairCommand.DEADLINE_MS_MAX,
          MS_EXTRA + ScrubCommand.AT_A_TIME * aloneMs);
      String id = parts.newOrderId();
      List<UnitHolder> chain = new ArrayList<>(holders);
      chain.sort(Comparator.comparing((UnitHolder holder) -> !holder.node.equals(lead))
          .thenComparing(holder -> holder.node.rack)
          .thenComparing((UnitHolder holder) -> holder.unit));
      ScrubCommand command = new ScrubCommand(id, context.term,
          ScrubCommand.of(group.id, group.bytes)
              .setCodec(code.codec).setDataUnits(code.dataUnits).setParityUnits(code.parityUnits)
              .setCellBytes(code.cellBytes).setBytesPerS(rate).setDeadlineMs(deadline), chain);
      order = context.order(id, lead.uuid, deadline, () -> give(command));
      if (!order.send(parts.clockMs.getAsLong())) {
        cancel();
        putOff("too many orders wait for its nodes");
      }
    }

    /**
     * Has the check of the group wait for a while. Throws an exception if it has been put off for
     * too long in all.
     */
    private void putOff(String why) throws VersionStopException {
      endPutOff();
      lastFailure = why;
      if (putOffMs >= PUT_OFF_MS_MAX) {
        throw notChecked("for " + PUT_OFF_MS_MAX / 1_000 + " s");
      }
      isPutOff = true;
      putOffSinceMs = parts.clockMs.getAsLong();
      dueMs = putOffSinceMs + restMs;
      restMs = Math.min(REST_MS_MAX, 2 * restMs);
    }

    private void endPutOff() {
      if (isPutOff) {
        putOffMs += parts.clockMs.getAsLong() - putOffSinceMs;
        isPutOff = false;
      }
    }

    private VersionStopException notChecked(String howLong) {
      return new VersionStopException(VersionEnd.FAILED, "no DataNode has checked " + group.id
          + " of " + what + " " + howLong + ": " + lastFailure + "; try again, or with"
          + " -sample-check");
    }

    private boolean give(ScrubCommand command) {
      boolean hasPlace = parts.door.check(lead.uuid, command);
      if (hasPlace && isUrgent) {
        parts.door.hurry(lead.uuid);
      }
      return hasPlace;
    }

    /**
     * Returns whether the group was checked. Orders the check again if a node could not carry it
     * out.
     */
    boolean isDone() throws VersionStopException {
      long now = parts.clockMs.getAsLong();
      if (order == null) {
        if (now >= dueMs) {
          order();
        }
        return false;
      }
      RepairResult result = order.result();
      if (result == null && !order.isLate(now) && !nodes.isGone(order.uuid, now)) {
        order.send(now);
        return false;
      }
      NodeRef asked = lead;
      cancel();
      ScrubOutcome outcome = result == null || result.scrub == null ? null
          : result.scrub.outcome;
      if (outcome == ScrubOutcome.AGREES) {
        return true;
      }
      if (outcome == ScrubOutcome.CONTRADICTION) {
        throw VersionStopException.forGood("the units of " + group.id
            + " of " + what + " contradict each other: " + result.message);
      }
      failed.add(asked);
      if (outcome == ScrubOutcome.NOT_CHECKED && result.cause == FailureCause.OVERLOADED) {
        putOff(result.message);
        return false;
      }
      lastFailure = result == null ? asked + " has not answered" : result.message;
      if (++tries == TRIES_MAX) {
        throw notChecked("in " + TRIES_MAX + " tries");
      }
      dueMs = now + REST_MS;
      return false;
    }

    /**
     * Cancels the order if it has not ended, and gives the place back, even one without an order.
     */
    void cancel() {
      if (order != null) {
        context.takeBack(order);
        order = null;
      }
      if (lead != null) {
        parts.checks.release(lead);
        lead = null;
      }
    }
  }
}
