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
 * One command of a repair under way: what was decided, and how far it has got. Guarded by its
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
  /** The attempt that it is at: since when, and what was done then. */
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

  /** @return the term of the NameNode that decided it */
  public long term() {
    return grant.term();
  }

  /** @return what is repaired, by which nodes */
  public Assignment assignment() {
    return assignment;
  }

  /** @return what the NameNode's books say of it */
  public Grant grant() {
    return grant;
  }

  /**
   * @return which node gets which of the units that this command is to rebuild, and on what storage
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
   * @return units of the group that count as lost, but that earlier commands have rebuilt for this
   *     one
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

  /** @return when it was decided, monotonic milliseconds */
  public long startedMs() {
    return startedMs;
  }

  /** When it is given up unless it advances, monotonic milliseconds. */
  long dueMs() {
    return dueMs;
  }

  /** @return when it is given up in any case, and gives up by itself; monotonic milliseconds */
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

  /** @throws IllegalStateException if that must not follow */
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

  /** A heartbeat of its destination. */
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
      // It has begun anew.
      attemptMs = nowMs;
      attemptPercent = percent;
      risenMs = nowMs;
    } else if (percent > donePercent) {
      risenMs = nowMs;
    }
    donePercent = percent;
  }

  /** When more of it was done than before. */
  long risenMs() {
    return risenMs;
  }

  /** When it ends if it goes on as it did; {@link Long#MAX_VALUE} if it did not. */
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
   * How much of it is done, 0 to 100, as its destination says; -1 if a caller has been
   * given that before.
   */
  int takeDonePercent() {
    if (donePercent == countedPercent) {
      return -1;
    }
    countedPercent = donePercent;
    return donePercent;
  }

  /** Its destination has said how it ended, and need not name it any more. */
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

  /** How many heartbeats in a row its destination, which should, has not named it in. */
  int missed() {
    return isInDestinationsHands() && !told ? missed : 0;
  }

  /** When its destination named it or fetched its command. */
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
