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
package org.hdfsppr.namenode.scrub;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checks that DataNodes have been ordered to make. Orders checks of groups whose nodes are all
 * free, and takes the reports. Not thread-safe.
 */
final class ScrubOrders {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubOrders.class);
  /** A description of a group that is older than this is renewed before the group's check, ms. */
  private static final long FRESH_MS = 30_000;
  /** How many groups are described anew in one step at most. */
  private static final int REFRESHED_MAX = 32;
  /**
   * The part of a check's deadline, ms, that does not depend on bytes: for waiting, connecting and
   * getting tokens.
   */
  private static final long DEADLINE_MS_MIN = 120_000;
  /** A check may take this many times as long as its bytes take at the configured rate. */
  private static final int DEADLINE_FACTOR = 4;
  /**
   * How many bytes a check reads a second time at most, in order to find the wrong unit: 16 slices
   * of 64 KiB of each of 16 units.
   */
  private static final long SECOND_READING_BYTES = 16 << 20;
  /** After this many checks without a result, a group is left to the next pass. */
  private static final int TRIES_MAX = 2;
  /**
   * If a node of a group did not answer or calculated wrongly, the group is checked again after
   * this time, ms. A DataNode that is restarted takes part in checks again by then.
   */
  static final long RETRY_BLAMED_MS = 120_000;
  /**
   * How long a contradiction waits for the check by another leader, ms. After this time it counts
   * without that check, because a wrong unit is more probable than a node that calculates wrongly.
   */
  static final long ACCUSED_MS_MAX = 600_000;
  /**
   * How often the NameNode is asked whether an accused group has lost a unit, ms. Up to a window of
   * groups may be accused, and each question lists a file with its locations.
   */
  static final long ASK_MS = 5_000;

  /** A check that is under way. */
  static final class RunningScrub {
    private final ScrubPass pass;
    private final ScrubPass.Task task;
    final ScrubTarget group;
    final NodeRef leader;
    private final OrderBook.Order order;
    private final LinkLoads.Booking booking;
    private boolean cancelled;

    private RunningScrub(ScrubPass pass, ScrubPass.Task task, NodeRef leader,
        OrderBook.Order order, LinkLoads.Booking booking) {
      this.pass = pass;
      this.task = task;
      this.group = task.group();
      this.leader = leader;
      this.order = order;
      this.booking = booking;
    }
  }

  /**
   * A contradiction that one leader has found. That leader may have calculated wrongly. So another
   * leader checks the group, too, before a doubt begins.
   */
  private static final class Accusation {
    private final RunningScrub check;
    private final ScrubReport report;
    private final long sinceMs;
    /** When the NameNode was last asked whether the group has lost a unit, monotonic ms. */
    private long askedMs;
    private boolean isBeingChecked;

    Accusation(RunningScrub check, ScrubReport report, long sinceMs) {
      this.check = check;
      this.report = report;
      this.sinceMs = sinceMs;
      this.askedMs = sinceMs;
    }
  }

  private final PeerLog peerLog = new PeerLog(LOG);
  private final OrderBook book;
  private final ScrubDataNodes door;
  private final ScrubGate gate;
  private final long bytesPerSecond;
  private final BiConsumer<RunningScrub, ScrubReport> findings;
  /**
   * The checks under way, the oldest first. Each pass has at most {@link ScrubPass#WINDOW_MAX} of
   * them.
   */
  private final Set<RunningScrub> underWay = new LinkedHashSet<>();
  /**
   * The contradictions that wait for the check by another leader, or whose second check is under
   * way. Each pass has at most {@link ScrubPass#WINDOW_MAX} of them.
   */
  private final Map<ScrubPass.Task, Accusation> accused = new LinkedHashMap<>();
  private long number;

  /**
   * @param book keeps the orders, and gets their results
   * @param bytesPerSecond how many bytes of units each DataNode may read for checks, bytes/s
   * @param findings takes the findings for operators: contradictions, units that cannot be read,
   *     and nodes that seem to calculate wrongly
   */
  ScrubOrders(OrderBook book, ScrubDataNodes door, ScrubGate gate, long bytesPerSecond,
      BiConsumer<RunningScrub, ScrubReport> findings) {
    this.book = book;
    this.door = door;
    this.gate = gate;
    this.bytesPerSecond = bytesPerSecond;
    this.findings = findings;
  }

  int size() {
    return underWay.size();
  }

  /**
   * Orders checks of those waiting groups of a pass whose nodes are all free.
   *
   * @param turn a number that differs from pass to pass, so that other nodes lead
   * @throws IOException if the NameNode does not describe a group now
   */
  void handOut(ScrubPass pass, long term, long turn, long nowMs) throws IOException {
    int refreshed = 0;
    believeOverdue(nowMs);
    for (ScrubPass.Task task : accusedFirst(pass)) {
      if (gate.isDoubted(task.group().id())) {
        accused.remove(task);
        pass.settle(task, ScrubCounts.skipped());
      } else if (task.isRested(nowMs) && isFree(task.group(), nowMs)) {
        if (nowMs - task.seenMs() >= FRESH_MS) {
          if (refreshed++ == REFRESHED_MAX) {
            return;
          }
          if (!pass.refresh(task, nowMs)) {
            continue;
          }
        }
        handOut(pass, task, term, turn, nowMs);
      }
    }
  }

  private void handOut(ScrubPass pass, ScrubPass.Task task, long term, long turn, long nowMs) {
    ScrubTarget group = task.group();
    Accusation accusation = accused.get(task);
    if (!group.isWhole()) {
      settle(pass, task);
      return;
    }
    // A second try of a group has another leader, which may succeed where the first did not.
    NodeRef leader = leader(group, turn + task.tries(),
        accusation == null ? null : accusation.check.leader);
    if (leader == null) {
      settle(pass, task);
      return;
    }
    long bytes = unitBytesOnANode(group);
    long deadlineMs = Math.min(RepairCommand.DEADLINE_MS_MAX, DEADLINE_MS_MIN
        + DEADLINE_FACTOR * millis(bytes) + millis(SECOND_READING_BYTES));
    LinkLoads.Booking booking = plan(group);
    if (!booking.begin(costs(group), nowMs)) {
      // The new description names other nodes, which are busy, or must rest after their last check.
      return;
    }
    String id = "scrub-" + term + "-" + ++number;
    OrderBook.Order order = book.open(id, leader.uuid, term, nowMs + deadlineMs, () -> { },
        () -> door.order(leader, id, term, group, bytesPerSecond, deadlineMs));
    boolean isOrdered = false;
    try {
      isOrdered = order.send(nowMs);
      if (!isOrdered) {
        return;
      }
    } catch (IllegalArgumentException e) {
      // No order can be written for such a group. Another try would fail, too, and the pass would
      // not end.
      peerLog.warn("order", "Background checks leave out {}", group, e);
      settle(pass, task);
      return;
    } finally {
      if (!isOrdered) {
        book.close(order);
        booking.withdraw();
      }
    }
    pass.begin(task);
    if (accusation != null) {
      accusation.isBeingChecked = true;
    }
    underWay.add(new RunningScrub(pass, task, leader, order, booking));
  }

  private boolean isFree(ScrubTarget group, long nowMs) {
    return plan(group).mayBegin(costs(group), nowMs);
  }

  /**
   * Returns the load of a check. Every node of the group reads and sends, so that the list of
   * senders has them all, and no receivers are listed.
   */
  private LinkLoads.Booking plan(ScrubTarget group) {
    return gate.links().plan(LinkLoads.Work.CHECK, uuids(group), List.of(),
        unitBytesOnANode(group));
  }

  /**
   * Returns the rates that a check uses up: each of its nodes rests until the rate would have moved
   * the node's bytes.
   */
  private List<LinkLoads.Cost> costs(ScrubTarget group) {
    long bytes = unitBytesOnANode(group);
    List<LinkLoads.Cost> costs = new ArrayList<>();
    uuids(group).forEach(node ->
        costs.add(new LinkLoads.Cost("checks at " + node, bytes, bytesPerSecond)));
    return costs;
  }

  /** Returns how long some bytes take at the configured rate, ms. */
  private long millis(long bytes) {
    return new LinkLoads.Cost("", bytes, bytesPerSecond).millis();
  }

  /**
   * Returns the waiting groups of a pass. Groups that wait for the check by another leader come
   * first.
   */
  private List<ScrubPass.Task> accusedFirst(ScrubPass pass) {
    List<ScrubPass.Task> tasks = pass.waiting();
    if (!accused.isEmpty()) {
      tasks.sort(Comparator.comparing(task -> !accused.containsKey(task)));
    }
    return tasks;
  }

  /**
   * Gives a waiting group that cannot be checked now its result: a contradiction if a leader has
   * found one, otherwise that it was not checked.
   */
  private void settle(ScrubPass pass, ScrubPass.Task task) {
    Accusation accusation = accused.remove(task);
    if (accusation == null) {
      pass.settle(task, ScrubCounts.skipped());
    } else {
      pass.settle(task, found(accusation.check, ScrubOutcome.CONTRADICTION));
      findings.accept(accusation.check, accusation.report);
    }
  }

  private void believeOverdue(long nowMs) {
    believe(accusation -> nowMs - accusation.sinceMs >= ACCUSED_MS_MAX);
  }

  /**
   * Makes the contradictions of all waiting groups count without the check by another leader. No
   * check may run now, and a repair that begins must not read a wrong unit.
   */
  void believeAll() {
    believe(accusation -> true);
  }

  private void believe(Predicate<Accusation> kind) {
    for (Map.Entry<ScrubPass.Task, Accusation> entry : new ArrayList<>(accused.entrySet())) {
      Accusation accusation = entry.getValue();
      if (!accusation.isBeingChecked && !accusation.check.pass.isWaiting(entry.getKey())) {
        // The group is deleted, or a client is writing it.
        accused.remove(entry.getKey());
      } else if (!accusation.isBeingChecked && kind.test(accusation)) {
        settle(accusation.check.pass, entry.getKey());
      }
    }
  }

  /**
   * Returns the node that is to lead a check; null if none of the group's nodes can.
   *
   * @param not the node that must not lead; null if each node may
   */
  private NodeRef leader(ScrubTarget group, long turn, NodeRef not) {
    List<UnitHolder> holders = group.holders;
    // The ids of groups are multiples of 16.
    int first = (int) Math.floorMod((group.id().groupId >> 4) + turn, (long) holders.size());
    for (int i = 0; i < holders.size(); i++) {
      NodeRef node = holders.get((first + i) % holders.size()).node;
      if (door.canLead(node.uuid) && (not == null || !not.uuid.equals(node.uuid))) {
        return node;
      }
    }
    return null;
  }

  private static List<String> uuids(ScrubTarget group) {
    List<String> uuids = new ArrayList<>();
    for (UnitHolder holder : group.holders) {
      if (!uuids.contains(holder.node.uuid)) {
        uuids.add(holder.node.uuid);
      }
    }
    return uuids;
  }

  /** Returns the bytes that the node with the most units of a group has to read. */
  private static long unitBytesOnANode(ScrubTarget group) {
    Map<String, Long> units = new HashMap<>();
    group.holders.forEach(holder -> units.merge(holder.node.uuid, 1L, Long::sum));
    return group.unitBytes()
        * units.values().stream().mapToLong(Long::longValue).max().orElse(1);
  }

  /**
   * Takes the reports that have come. Ends the checks whose reports are overdue, and those whose
   * leaders are gone. The reports of the latter do not come, and until their deadline, minutes
   * later, the other nodes would take part in no check.
   */
  void takeReports(long nowMs) {
    for (RunningScrub check : new ArrayList<>(underWay)) {
      RepairResult result = check.order.result();
      if (result != null) {
        take(check, new ScrubReport(result), nowMs);
      } else if (check.order.isLate(nowMs) || !door.canLead(check.leader.uuid)) {
        take(check, new ScrubReport(null, ""), nowMs);
      }
    }
  }

  private void take(RunningScrub check, ScrubReport report, long nowMs) {
    forget(check);
    ScrubOutcome outcome = report.outcome() == ScrubOutcome.CONTRADICTION && !isUnchanged(check)
        ? ScrubOutcome.NOT_CHECKED : report.outcome();
    Accusation accusation = accused.remove(check.task);
    if (accusation != null) {
      decide(check, report, outcome, accusation);
      return;
    }
    if (outcome == ScrubOutcome.CONTRADICTION
        && leader(check.group, 0, check.leader) != null) {
      accused.put(check.task, new Accusation(check, report, nowMs));
      check.pass.giveBack(check.task);
      return;
    }
    if (outcome == ScrubOutcome.NOT_CHECKED
        && (check.cancelled || check.task.tried() < TRIES_MAX)) {
      if (check.cancelled || report.finding.suspects.isEmpty()) {
        check.pass.giveBack(check.task);
      } else {
        check.pass.giveBack(check.task, nowMs + RETRY_BLAMED_MS);
      }
      return;
    }
    check.pass.end(check.task, found(check, outcome));
    if (outcome == report.outcome() && (outcome == ScrubOutcome.CONTRADICTION
        || outcome == ScrubOutcome.UNREADABLE || !report.finding.suspects.isEmpty())) {
      findings.accept(check, report);
    }
  }

  /**
   * Takes the report of the second leader about a group in which the first found a contradiction.
   */
  private void decide(RunningScrub check, ScrubReport second, ScrubOutcome outcome,
      Accusation accusation) {
    if (outcome == ScrubOutcome.AGREES) {
      check.pass.end(check.task, ScrubCounts.skipped());
      String accuser = accusation.check.leader.uuid;
      findings.accept(check, new ScrubReport(
          new ScrubFinding(ScrubOutcome.NOT_CHECKED, ScrubFinding.NO_UNIT, List.of(accuser),
              second.finding.unitBytes), "DataNode " + accuser + " has found a contradiction,"
          + " and " + check.leader.uuid + " finds that all units agree: the first of them seems to"
          + " calculate wrongly; test the memory of that machine"));
      return;
    }
    check.pass.end(check.task, found(accusation.check, ScrubOutcome.CONTRADICTION));
    int unit = accusation.report.finding.wrongUnit;
    if (outcome != ScrubOutcome.CONTRADICTION) {
      findings.accept(accusation.check, accusation.report);
    } else if (unit == second.finding.wrongUnit) {
      findings.accept(check, second);
    } else {
      findings.accept(check, new ScrubReport(
          new ScrubFinding(ScrubOutcome.CONTRADICTION, ScrubFinding.NO_UNIT,
              second.finding.suspects, second.finding.unitBytes), "two checks do not find"
          + " the same unit wrong"));
    }
  }

  /**
   * Returns whether the group is as it was when its check was ordered. If not, the check may have
   * read some units before the change and others after it, and a contradiction means nothing.
   */
  private static boolean isUnchanged(RunningScrub check) {
    try {
      return check.pass.lookAt(check.task).filter(check.group::isSame).isPresent();
    } catch (IOException e) {
      LOG.debug("{} cannot be looked at after its check", check.group, e);
      return false;
    }
  }

  /**
   * Returns whether the group has lost a unit since its check was ordered; false if the NameNode
   * does not answer, or was asked lately.
   */
  private static boolean hasLostUnits(Accusation accusation, long nowMs) {
    if (nowMs - accusation.askedMs < ASK_MS) {
      return false;
    }
    accusation.askedMs = nowMs;
    RunningScrub check = accusation.check;
    try {
      return check.pass.lookAt(check.task).filter(group -> !group.isWhole()).isPresent();
    } catch (IOException e) {
      LOG.debug("{} cannot be looked at after an accusation", check.group, e);
      return false;
    }
  }

  private static ScrubCounts found(RunningScrub check, ScrubOutcome outcome) {
    switch (outcome) {
      case AGREES:
        return ScrubCounts.agrees(check.group.checkedBytes());
      case CONTRADICTION:
        return ScrubCounts.contradiction(check.group.checkedBytes());
      default:
        return ScrubCounts.skipped();
    }
  }

  /** Orders the nodes to end all checks. When a node reports the end, the group waits again. */
  void cancelAll() {
    cancel(check -> true);
  }

  private void cancel(Predicate<RunningScrub> which) {
    underWay.forEach(check -> {
      if (!check.cancelled && which.test(check)) {
        check.cancelled = true;
        door.cancel(check.leader, check.order.id, check.order.term);
      }
    });
  }

  /**
   * Ends the checks that share a node with a repair. Contradictions found by one leader count at
   * once if a repair uses the group's nodes, or if the group has lost a unit: no other leader can
   * check such a group now, and its repair must not read a wrong unit.
   */
  void letRepairsGoFirst(long nowMs) {
    cancel(check -> check.booking.isBesideRepairs(nowMs));
    believe(accusation -> accusation.check.booking.isBesideRepairs(nowMs)
        || hasLostUnits(accusation, nowMs));
  }

  /** Forgets all checks, because their passes are forgotten, too. */
  void forgetAll() {
    new ArrayList<>(underWay).forEach(this::forget);
    accused.clear();
  }

  private void forget(RunningScrub check) {
    underWay.remove(check);
    book.close(check.order);
    check.booking.end();
  }

  /** Forgets the contradictions that were found in a pass that does not go on. */
  void forget(ScrubPass pass) {
    accused.values().removeIf(accusation -> accusation.check.pass == pass);
  }
}
