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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.FailureCause;

/**
 * Has every byte of a new file's groups checked, one group after the other. A group waits until one
 * of its nodes has a place for its check. Used by one thread.
 */
@InterfaceAudience.Private
final class FullCheck {
  /** How long a check may take beyond the time that the rates of checks need, ms. */
  private static final long MS_EXTRA = 600_000;
  /**
   * How often a check of a group may fail, for instance at a unit that cannot be read. DataNodes of
   * 0.2.0 do not say when they have no time for a check, so that this also counts as a failure.
   */
  private static final int TRIES_MAX = 5;
  /**
   * For how long nodes may put a group off before it counts as failed, ms: they do so while they
   * repair something.
   */
  static final long PUT_OFF_MS_MAX = 600_000;
  /** How long a group waits after a check that did not end, so that its cause can pass, ms. */
  static final long REST_MS = 1_000;
  /** The longest such rest, ms. It doubles each time that a group is put off. */
  static final long REST_MS_MAX = 16_000;

  private final EngineParts parts;
  private final VersionContext context;
  private final GroupPolicy code;
  private final String what;
  private final boolean isUrgent;

  private FileGroup group;
  private List<Holder> holders;
  private final NodeNotes nodes;
  /** Null while the group waits for its order. */
  private OrderDesk.Order order;
  /**
   * The node at which this check has a place, also before the order is given; null if there is
   * none.
   */
  private NodeRef lead;
  /** Nodes that had the order to check this group and have not checked it. */
  private final Set<NodeRef> failed = new HashSet<>();
  /** When the group is ordered again, monotonic ms; only while there is no order. */
  private long dueMs;
  private int tries;
  /**
   * For how long the group has been put off in all, ms. The time for which a node had the order
   * does not count: a check that waits for others at its node does not wait in vain.
   */
  private long putOffMs;
  /** Since when the group is put off, monotonic ms; only if it {@link #isPutOff}. */
  private long putOffSinceMs;
  private boolean isPutOff;
  private long restMs;
  private String lastFailure;

  /**
   * @param what the file, for sentences
   * @param isUrgent whether DataNodes fetch the orders before their next regular heartbeat
   */
  FullCheck(VersionContext context, String what, boolean isUrgent) {
    this.what = what;
    this.isUrgent = isUrgent;
    this.context = context;
    this.parts = context.parts;
    this.code = context.code;
    this.nodes = new NodeNotes(parts.door);
  }

  void begin(FileGroup next, List<Holder> units) throws VersionStopException {
    int wanted = GroupMaking.units(next.bytes, code);
    if (units.stream().map(holder -> holder.unit).distinct().count() < wanted) {
      // A check of the other units would find that they agree.
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

  /** Orders the check, if a node has a place for it now. */
  private void order() throws VersionStopException {
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
    // From here on the group waits only for other checks, all of which end.
    endPutOff();
    able.removeAll(failed);
    lead = parts.checks.take(able).orElse(null);
    if (lead == null) {
      // The checks that have the places end, or are given up when they are late.
      return;
    }
    long rate = context.nodeBytesPerSecond();
    long aloneMs = 1_000 * (group.bytes / code.dataUnits + code.cellBytes) / rate;
    // The node begins this check after those that it already has.
    long deadline = Math.min(RepairCommand.DEADLINE_MS_MAX,
        MS_EXTRA + ScrubCommand.AT_A_TIME * aloneMs);
    String id = parts.desk.newId();
    List<Holder> chain = new ArrayList<>(holders);
    chain.sort(Comparator.comparing((Holder holder) -> !holder.node.equals(lead))
        .thenComparing(holder -> holder.node.rack).thenComparing((Holder holder) -> holder.unit));
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

  /** Puts the group off for a while; throws if it has been put off for too long. */
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

  /** Returns whether the group is checked; orders again if a node could not check it. */
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

  /** Cancels the order if it has not ended, and gives the place back, even one without an order. */
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
