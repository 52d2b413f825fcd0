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
package org.hdfsppr.namenode.manage.status;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.queue.LockTimes;
import org.hdfsppr.namenode.track.RepairProgress;
import org.hdfsppr.plan.GroupId;

/**
 * The state of the repair manager at the end of a cycle. Pages, commands and metrics show only
 * this. The lists are bounded. The counts next to them also include what the lists leave out.
 * Immutable.
 */
@InterfaceAudience.Private
public final class ManagerStatus {
  /**
   * The greatest number of commands that are listed; the list has the commands that began first. A
   * page shows no more.
   */
  public static final int AT_WORK_MAX = 1_000;
  /** The greatest number of groups in doubt that are listed; an operator looks at each by hand. */
  public static final int IN_DOUBT_MAX = 100;
  /** The status before the first cycle. */
  public static final ManagerStatus NONE = new Builder().build();

  private final Builder all;

  private ManagerStatus(Builder all) {
    this.all = all;
  }

  /** @return the time at which the status was made, monotonic, ms */
  public long madeMs() {
    return all.madeMs;
  }

  /** @return whether groups of known policies are scheduled here, and not by stock */
  public boolean isInCharge() {
    return all.inCharge;
  }

  /** @return why this NameNode schedules repairs, or why not, in words for an operator */
  public String why() {
    return all.why;
  }

  /** @return the term of the present orders; 0 if this NameNode has not been active */
  public long term() {
    return all.term;
  }

  /**
   * @return for how long stock still schedules all groups because cycles have failed, ms; 0 if it
   *     does not
   */
  public long pausedMs() {
    return all.pausedMs;
  }

  /** @return groups that wait for a repair */
  public int waiting() {
    return all.waiting;
  }

  /**
   * @return the number of waiting groups for each number of units that a group may still lose; a
   *     negative key means that too many units are lost
   */
  public SortedMap<Integer, Integer> waitingBySpareUnits() {
    return all.waitingBySpareUnits;
  }

  /** @return how many of the waiting groups have lost too many units */
  public int unrecoverable() {
    return all.unrecoverable;
  }

  /** @return how many of the waiting groups are read degraded by clients */
  public int readDegraded() {
    return all.readDegraded;
  }

  /** @return how many commands are under way */
  public int inFlight() {
    return all.inFlight;
  }

  /** @return the commands that began first, at most {@value #AT_WORK_MAX} */
  public List<RepairProgress> atWork() {
    return all.atWork;
  }

  /** @return how many groups are known to have a wrong unit */
  public int doubted() {
    return all.doubted;
  }

  /**
   * @return how many groups are suspected: the check of one node has failed, and the repair of
   *     another node decides
   */
  public int suspected() {
    return all.suspected;
  }

  /** @return the first doubted and suspected groups, at most {@value #IN_DOUBT_MAX} */
  public List<GroupId> inDoubt() {
    return all.inDoubt;
  }

  /** @return how many DataNodes run the extension and are not silent */
  public int participants() {
    return all.participants;
  }

  /** @return the DataNodes that are kept out of repairs, by UUID, each with the reason */
  public Map<String, String> keptOut() {
    return all.keptOut;
  }

  /** @return the repairs and the load of each live DataNode, as of the last look at the nodes */
  public List<NodeStatus> nodes() {
    return all.nodes;
  }

  /** @return how many groups are about to be handed to stock */
  public int waitingForStock() {
    return all.waitingForStock;
  }

  /** @return how many groups have been handed to stock since the start */
  public long handedToStock() {
    return all.handedToStock;
  }

  /** @return how many groups were handed to stock for a time and are still with stock */
  public int withStock() {
    return all.withStock;
  }

  /** @return how long the NameNode's lock was held for repairs */
  public LockTimes lockTimes() {
    return all.lockTimes;
  }

  @Override
  public String toString() {
    return (all.inCharge ? "in charge" : "not in charge") + " (" + all.why + "), term " + all.term
        + ", " + all.waiting + " groups wait, " + all.inFlight + " commands are under way";
  }

  /** Collects the values of one status. Used by one thread, once. */
  public static final class Builder {
    private long madeMs;
    private boolean inCharge;
    private String why = "the repair manager has not begun";
    private long term;
    private long pausedMs;
    private int waiting;
    private SortedMap<Integer, Integer> waitingBySpareUnits = Collections.emptySortedMap();
    private int unrecoverable;
    private int readDegraded;
    private int inFlight;
    private List<RepairProgress> atWork = List.of();
    private int doubted;
    private int suspected;
    private List<GroupId> inDoubt = List.of();
    private int participants;
    private Map<String, String> keptOut = Map.of();
    private List<NodeStatus> nodes = List.of();
    private int waitingForStock;
    private long handedToStock;
    private int withStock;
    private LockTimes lockTimes = new LockTimes(0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * Sets whether this NameNode schedules repairs.
     *
     * @param isInCharge whether this NameNode, and not stock, schedules repairs
     * @param reason why, in words for an operator
     * @param inTerm the term in which commands are ordered now
     * @param pausedForMs for how long stock still schedules after failed cycles, ms
     * @return this
     */
    public Builder charge(boolean isInCharge, String reason, long inTerm, long pausedForMs) {
      inCharge = isInCharge;
      why = Objects.requireNonNull(reason, "reason");
      term = inTerm;
      pausedMs = pausedForMs;
      return this;
    }

    /**
     * Sets the numbers of waiting groups.
     *
     * @param groups how many groups wait
     * @param bySpareUnits the number of waiting groups for each number of units that a group may
     *     still lose
     * @param tooLittleLeft how many waiting groups have lost too many units
     * @param read how many waiting groups are read degraded by clients
     * @return this
     */
    public Builder queue(int groups, Map<Integer, Integer> bySpareUnits, int tooLittleLeft,
        int read) {
      waiting = groups;
      waitingBySpareUnits = Collections.unmodifiableSortedMap(new TreeMap<>(bySpareUnits));
      unrecoverable = tooLittleLeft;
      readDegraded = read;
      return this;
    }

    /**
     * Sets the commands under way.
     *
     * @param count how many commands are under way
     * @param first the commands that began first
     * @return this
     */
    public Builder repairs(int count, List<RepairProgress> first) {
      inFlight = count;
      atWork = List.copyOf(first);
      return this;
    }

    /**
     * Sets which groups are doubted or suspected.
     *
     * @param certain how many groups have a wrong unit
     * @param open how many groups are only suspected
     * @param first the first doubted and suspected groups
     * @return this
     */
    public Builder doubts(int certain, int open, List<GroupId> first) {
      doubted = certain;
      suspected = open;
      inDoubt = List.copyOf(first);
      return this;
    }

    /**
     * Sets the state of the DataNodes.
     *
     * @param live how many DataNodes take part
     * @param out the DataNodes that are kept out, by UUID, each with the reason
     * @param loads the repairs and the load of each live DataNode
     * @return this
     */
    public Builder nodes(int live, Map<String, String> out, List<NodeStatus> loads) {
      participants = live;
      keptOut = Collections.unmodifiableSortedMap(new TreeMap<>(out));
      nodes = List.copyOf(loads);
      return this;
    }

    /**
     * Sets the numbers of groups that stock gets or has.
     *
     * @param toHandOver how many groups are about to be handed to stock
     * @param handedOver how many groups have been handed over since the start
     * @param released how many groups are with stock now
     * @return this
     */
    public Builder stock(int toHandOver, long handedOver, int released) {
      waitingForStock = toHandOver;
      handedToStock = handedOver;
      withStock = released;
      return this;
    }

    /**
     * Sets how long the NameNode's lock was held.
     *
     * @param times how long the NameNode's lock was held
     * @return this
     */
    public Builder lock(LockTimes times) {
      lockTimes = Objects.requireNonNull(times, "times");
      return this;
    }

    /**
     * Sets when the status is made.
     *
     * @param nowMs the time now, monotonic, ms
     * @return this
     */
    public Builder made(long nowMs) {
      madeMs = nowMs;
      return this;
    }

    /**
     * Makes the status. The builder must not be used afterwards.
     *
     * @return the status
     */
    public ManagerStatus build() {
      return new ManagerStatus(this);
    }
  }
}
