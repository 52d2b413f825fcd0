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
package org.hdfsppr.namenode.track;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.namenode.schedule.RepairLoad;
import org.hdfsppr.plan.NodeRef;

/**
 * One command of a repair under way: its assignment and its progress. Guarded by its
 * {@link RepairTracker}.
 */
@InterfaceAudience.Private
public final class TrackedRepair {
  /**
   * A repair that still advances fast enough may take this many times as long as its first deadline
   * allows; any other repair is ended at that deadline.
   */
  static final int ADVANCING_FACTOR = 4;

  /** The repair's id, unique in the cluster */
  public final String id;
  /** The grant, which identifies the repair in the NameNode */
  public final RepairGrant grant;
  /** Which units are repaired by which nodes */
  public final Assignment assignment;
  /** The bytes that all commands under the grant together move over each link and disk */
  public final RepairLoad load;
  /**
   * Units that the NameNode counts as lost but that earlier commands under the same grant have
   * rebuilt
   */
  public final Set<Integer> rebuiltBefore;
  /** The time at which the command was ordered, monotonic, ms */
  public final long startedMs;
  /** The time at which the repair is given up unless it advances, monotonic, ms. */
  final long dueMs;
  /** The time at which the destination gives up by itself, monotonic, ms */
  public final long deadlineMs;
  private RepairState state = RepairState.PLANNED;
  private long stateSinceMs;
  private long namedMs;
  private int missed;
  private boolean hasResult;
  private boolean clean;
  private List<Integer> readUnits = List.of();
  private int donePercent;
  private int countedPercent;
  /** When the present attempt started, ms; {@code attemptPercent} is the progress at that time. */
  private long attemptMs;
  private int attemptPercent;
  private long risenMs;

  /**
   * @param assignment the part of the grant's assignment that this command orders
   * @param rebuiltBefore units that earlier commands under the grant have rebuilt
   * @param startedMs the time now, monotonic, ms
   * @param patienceMs how long the command may run before the manager gives it up unless it
   *     advances fast enough, ms
   */
  TrackedRepair(String id, Assignment assignment, RepairGrant grant, RepairLoad load,
      Set<Integer> rebuiltBefore, long startedMs, long patienceMs) {
    this.rebuiltBefore = Set.copyOf(rebuiltBefore);
    this.id = Objects.requireNonNull(id, "id");
    this.assignment = Objects.requireNonNull(assignment, "assignment");
    this.grant = Objects.requireNonNull(grant, "grant");
    this.load = Objects.requireNonNull(load, "load");
    this.startedMs = startedMs;
    this.dueMs = startedMs + patienceMs;
    this.deadlineMs = startedMs
        + Math.min(ADVANCING_FACTOR * patienceMs, RepairCommand.DEADLINE_MS_MAX);
    this.stateSinceMs = startedMs;
    this.attemptMs = startedMs;
    this.risenMs = startedMs;
  }

  /** @return the term in which the repair was ordered, see {@link RepairGrant} */
  public long term() {
    return grant.term;
  }

  /**
   * @return the units that this command rebuilds, each with its node and storage
   */
  public List<CommandTarget> targets() {
    if (grant.targets.size() == assignment.targets.size()) {
      return grant.targets;
    }
    Set<Integer> units = assignment.unitsWithout(Set.of());
    return grant.targets.stream().filter(target -> units.contains(target.unit))
        .collect(Collectors.toList());
  }

  /** @return the destination: the node that runs the repair */
  public NodeRef destination() {
    return assignment.targets.get(0).node;
  }

  RepairState state() {
    return state;
  }

  long stateSinceMs() {
    return stateSinceMs;
  }

  boolean mayBecome(RepairState next) {
    return state.next().contains(next);
  }

  /** @throws IllegalStateException if {@code next} may not follow the present state */
  void become(RepairState next, long nowMs) {
    if (!mayBecome(next)) {
      throw new IllegalStateException("Repair " + id + " cannot go from " + state + " to " + next);
    }
    state = next;
    stateSinceMs = nowMs;
    namedMs = nowMs;
    missed = 0;
  }

  private boolean isInDestinationsHands() {
    return state == RepairState.SENT || state == RepairState.RUNNING;
  }

  /** Takes note of a heartbeat of the destination. */
  void heard(boolean isNamed, long nowMs) {
    if (isNamed) {
      namedMs = nowMs;
      missed = 0;
    } else if (isInDestinationsHands()) {
      missed++;
    }
  }

  void done(int percent, long nowMs) {
    if (percent < donePercent) {
      // The progress has fallen, so the destination has begun another attempt.
      attemptMs = nowMs;
      attemptPercent = percent;
      risenMs = nowMs;
    } else if (percent > donePercent) {
      risenMs = nowMs;
    }
    donePercent = percent;
  }

  /** Returns the last time at which the progress rose, monotonic, ms. */
  long risenMs() {
    return risenMs;
  }

  /**
   * Returns the time at which the repair would be complete at its present rate, monotonic, ms;
   * {@link Long#MAX_VALUE} if the present attempt has not advanced.
   */
  long endMs(long nowMs) {
    int risen = donePercent - attemptPercent;
    return risen <= 0 ? Long.MAX_VALUE
        : nowMs + (nowMs - attemptMs) * (100 - donePercent) / risen;
  }

  /** Returns how much of the repair is done, 0 to 100, as its destination reports. */
  int donePercent() {
    return donePercent;
  }

  /**
   * Returns how much of the repair is done, 0 to 100, as its destination reports; -1 if the figure
   * has not changed since the last call.
   */
  int takeDonePercent() {
    if (donePercent == countedPercent) {
      return -1;
    }
    countedPercent = donePercent;
    return donePercent;
  }

  /**
   * Notes that the destination has reported how the repair ended. The destination need not name the
   * repair in heartbeats any more.
   */
  void noteResult() {
    hasResult = true;
  }

  /** @return whether the destination has reported the units as rebuilt */
  public boolean isReported() {
    return state == RepairState.REPORTED;
  }

  void setRead(boolean isClean, List<Integer> units) {
    clean = isClean;
    readUnits = List.copyOf(units);
  }

  /**
   * @return true if the destination has reported all units as rebuilt, and has found no
   *     contradiction between the units that it read
   */
  public boolean isClean() {
    return clean;
  }

  /**
   * @return the units that agree in every byte according to the destination; empty if the
   *     destination does not say
   */
  public List<Integer> readUnits() {
    return readUnits;
  }

  /** Returns how many heartbeats in a row did not name the repair although they should have. */
  int missed() {
    return isInDestinationsHands() && !hasResult ? missed : 0;
  }

  /**
   * Returns the last time at which the destination named the repair in a heartbeat or fetched its
   * command, monotonic, ms.
   */
  long namedMs() {
    return namedMs;
  }

  /**
   * @param uuid the DataNode's UUID
   * @return whether the node reads, sums or writes for this repair
   */
  public boolean involves(String uuid) {
    return assignment.helpers.stream().anyMatch(holder -> holder.node.uuid.equals(uuid))
        || assignment.targets.stream().anyMatch(target -> target.node.uuid.equals(uuid));
  }

  @Override
  public String toString() {
    return id + " (" + state + ") of " + assignment;
  }
}
