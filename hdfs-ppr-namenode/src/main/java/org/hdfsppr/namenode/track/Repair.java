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

import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.queue.Grant;
import org.hdfsppr.namenode.schedule.RepairLoad;
import org.hdfsppr.plan.NodeRef;

/**
 * One command of a repair under way: its assignment and its progress. Guarded by its
 * {@link RepairTracker}.
 */
@InterfaceAudience.Private
public final class Repair {
  private final String id;
  private final Grant grant;
  private final Assignment assignment;
  private final RepairLoad load;
  private final Set<Integer> rebuiltBefore;
  private final long startedMs;
  private final long dueMs;
  private final long deadlineMs;
  private RepairState state = RepairState.PLANNED;
  private long stateSinceMs;
  private long namedMs;
  private int missed;
  private boolean told;
  private boolean clean;
  private List<Integer> readUnits = List.of();
  private int donePercent;
  private int countedPercent;
  /** Start of the present attempt, and the progress at that time. */
  private long attemptMs;
  private int attemptPercent;
  private long risenMs;

  /**
   * @param assignment what this command orders of the grant's
   * @param rebuiltBefore units that earlier commands under the grant have rebuilt for this one
   */
  Repair(String id, Assignment assignment, Grant grant, RepairLoad load,
      Set<Integer> rebuiltBefore, long startedMs, long dueMs, long deadlineMs) {
    this.rebuiltBefore = Set.copyOf(rebuiltBefore);
    this.id = Objects.requireNonNull(id, "id");
    this.assignment = Objects.requireNonNull(assignment, "assignment");
    this.grant = Objects.requireNonNull(grant, "grant");
    this.load = Objects.requireNonNull(load, "load");
    this.startedMs = startedMs;
    this.dueMs = dueMs;
    this.deadlineMs = deadlineMs;
    this.stateSinceMs = startedMs;
    this.attemptMs = startedMs;
    this.risenMs = startedMs;
  }

  /** @return the repair's id, unique in the cluster */
  public String id() {
    return id;
  }

  /** @return the term in which it was ordered */
  public long term() {
    return grant.term();
  }

  /** @return what is repaired, by which nodes */
  public Assignment assignment() {
    return assignment;
  }

  /** @return the entry in the NameNode's books */
  public Grant grant() {
    return grant;
  }

  /**
   * @return the units that this command rebuilds, each with its node and storage
   */
  public List<CommandTarget> targets() {
    if (grant.targets().size() == assignment.targets().size()) {
      return grant.targets();
    }
    Set<Integer> units = assignment.unitsWithout(Set.of());
    return grant.targets().stream().filter(target -> units.contains(target.unit()))
        .collect(Collectors.toList());
  }

  /**
   * @return units that count as lost, and that earlier commands have rebuilt for this one
   */
  public Set<Integer> rebuiltBefore() {
    return rebuiltBefore;
  }

  /** @return what the fleet counts for it, with all other commands under its grant */
  public RepairLoad load() {
    return load;
  }

  /** @return the node that leads it */
  public NodeRef destination() {
    return assignment.targets().get(0).node();
  }

  /** @return the time of its order, monotonic, ms */
  public long startedMs() {
    return startedMs;
  }

  /** The time at which it is given up unless it advances, monotonic, ms. */
  long dueMs() {
    return dueMs;
  }

  /** @return the deadline, at which its destination gives up by itself, monotonic, ms */
  public long deadlineMs() {
    return deadlineMs;
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

  /** @throws IllegalStateException if the state must not follow */
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

  /** A heartbeat of its destination has come. */
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
      // The destination has begun another attempt.
      attemptMs = nowMs;
      attemptPercent = percent;
      risenMs = nowMs;
    } else if (percent > donePercent) {
      risenMs = nowMs;
    }
    donePercent = percent;
  }

  /** The last time at which its progress rose, monotonic, ms. */
  long risenMs() {
    return risenMs;
  }

  /** Its end at its present rate, monotonic, ms; {@link Long#MAX_VALUE} if it stands still. */
  long endMs(long nowMs) {
    int risen = donePercent - attemptPercent;
    return risen <= 0 ? Long.MAX_VALUE
        : nowMs + (nowMs - attemptMs) * (100 - donePercent) / risen;
  }

  /** How much of it is done, 0 to 100, as its destination says. */
  int donePercent() {
    return donePercent;
  }

  /**
   * How much of it is done, 0 to 100, as its destination reports; -1 if that has not changed since
   * the last call.
   */
  int takeDonePercent() {
    if (donePercent == countedPercent) {
      return -1;
    }
    countedPercent = donePercent;
    return donePercent;
  }

  /** Its destination has reported how it ended, and need not name it any more. */
  void told() {
    told = true;
  }

  /** @return whether its destination has said that units are rebuilt */
  public boolean isReported() {
    return state == RepairState.REPORTED;
  }

  void setRead(boolean isClean, List<Integer> units) {
    clean = isClean;
    readUnits = List.copyOf(units);
  }

  /**
   * @return whether its destination has said that all units are rebuilt, and that nothing that was
   *     read contradicted the rest
   */
  public boolean isClean() {
    return clean;
  }

  /** @return units that agree in every byte, as its destination says; empty if it does not say */
  public List<Integer> readUnits() {
    return readUnits;
  }

  /** Heartbeats in a row in which its destination should have named it and did not. */
  int missed() {
    return isInDestinationsHands() && !told ? missed : 0;
  }

  /** The last time at which its destination named it or fetched its command, monotonic, ms. */
  long namedMs() {
    return namedMs;
  }

  /**
   * @param uuid the DataNode's UUID
   * @return whether a node reads, sums or writes for it
   */
  public boolean involves(String uuid) {
    return assignment.helpers().stream().anyMatch(holder -> holder.node().uuid().equals(uuid))
        || assignment.targets().stream().anyMatch(target -> target.node().uuid().equals(uuid));
  }

  @Override
  public String toString() {
    return id + " (" + state + ") of " + assignment;
  }
}
