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

import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.queue.LockTimes;

/**
 * The state of the repair manager at the end of a cycle. Pages, commands and metrics show only
 * this. The numbers are as of this cycle; {@link #lists} may be older. Immutable.
 */
@InterfaceAudience.Private
public final class ManagerStatus {
  /** The status before the first cycle. */
  public static final ManagerStatus NONE = new Builder().build();

  /** When the status was made */
  public final Moment made;
  /** Number of the cycle that made the status, from 1; 0 before the first cycle */
  public final long cycle;
  /** Id of the NameNode's block pool; empty before the first cycle */
  public final String blockPool;
  /** What does not change while the manager runs */
  public final ManagerFacts facts;
  /** The state of all repairs together, in one word */
  public final ManagerState state;
  /** Whether this NameNode listens to DataNodes before it orders repairs */
  public final boolean listening;
  /** The operator's pause; empty if repairs are not paused */
  public final Optional<RepairPause> pause;
  /** For how long an operator has left all repairs to stock; empty if none has */
  public final Optional<RepairPause> leftToStock;
  /** Whether groups of known policies are scheduled here, and not by stock */
  public final boolean inCharge;
  /** Why this NameNode schedules repairs, or why not, in words for an operator */
  public final String why;
  /** The term of the present orders; 0 if this NameNode has not been active */
  public final long term;
  /**
   * For how long stock still schedules all groups because cycles have failed, ms; 0 if it does not
   */
  public final long pausedMs;
  /**
   * The number of waiting groups for each number of units that a group may still lose; a negative
   * key means that too many units are lost
   */
  public final SortedMap<Integer, Integer> waitingBySpareUnits;
  /**
   * How long the oldest group has waited that could be repaired and is not put off on purpose, ms;
   * 0 if there is no such group, or if all repairs are paused
   */
  public final long oldestWaitMs;
  /**
   * How many parity files of CORE groups the namespace has whose columns this NameNode does not
   * know, because it has no jar that reads them
   */
  public final int unreadCoreRecords;
  /** How far all repairs together are, and when they will be done */
  public final WorkStatus work;
  /** The losses of DataNodes, the latest first */
  public final List<LossStatus> losses;
  /** Samples of the last hour */
  public final History history;
  /** Single groups, repairs, nodes and doubts; these lists may be some seconds old */
  public final StatusLists lists;
  /** The DataNodes that repairs keep busy for the longest time, the busiest first */
  public final List<BusyNode> busiest;
  /** The DataNodes that are kept out of repairs, by UUID, each with the reason */
  public final Map<String, String> keptOut;
  /** How many groups have been handed to stock since the start */
  public final long handedToStock;
  /** How long the NameNode's lock was held for repairs */
  public final LockTimes lockTimes;
  private final Map<StatusNumber, Integer> numbers;

  private ManagerStatus(Builder all) {
    numbers = new EnumMap<>(all.numbers);
    made = all.made;
    cycle = all.cycle;
    blockPool = all.blockPool;
    facts = all.facts;
    state = all.state;
    listening = all.listening;
    pause = Optional.ofNullable(all.pause);
    leftToStock = Optional.ofNullable(all.leftToStock);
    inCharge = all.inCharge;
    why = all.why;
    term = all.term;
    pausedMs = all.pausedMs;
    waitingBySpareUnits = all.waitingBySpareUnits;
    oldestWaitMs = all.oldestWaitMs;
    unreadCoreRecords = all.unreadCoreRecords;
    work = all.work;
    losses = all.losses;
    history = all.history;
    lists = all.lists;
    busiest = all.busiest;
    keptOut = all.keptOut;
    handedToStock = all.handedToStock;
    lockTimes = all.lockTimes;
  }

  /**
   * @param number which number
   * @return its value
   */
  public int get(StatusNumber number) {
    return numbers.getOrDefault(number, 0);
  }

  @Override
  public String toString() {
    return (inCharge ? "in charge" : "not in charge") + " (" + why + "), term " + term
        + ", " + get(StatusNumber.GROUPS_QUEUED) + " groups wait, "
        + get(StatusNumber.REPAIRS_IN_FLIGHT) + " commands are under way";
  }

  /** Collects the values of one status. Used by one thread, once. */
  public static final class Builder {
    private Moment made = new Moment(0, Instant.EPOCH);
    private long cycle;
    private String blockPool = "";
    private ManagerFacts facts = ManagerFacts.NONE;
    private ManagerState state = ManagerState.STARTING;
    private boolean listening;
    private RepairPause pause;
    private RepairPause leftToStock;
    private boolean inCharge;
    private String why = "the repair manager has not begun";
    private long term;
    private long pausedMs;
    private final Map<StatusNumber, Integer> numbers = new EnumMap<>(StatusNumber.class);
    private SortedMap<Integer, Integer> waitingBySpareUnits = Collections.emptySortedMap();
    private long oldestWaitMs;
    private int unreadCoreRecords;
    private WorkStatus work = WorkStatus.NONE;
    private List<LossStatus> losses = List.of();
    private History history = History.NONE;
    private StatusLists lists = StatusLists.NONE;
    private Map<String, String> keptOut = Map.of();
    private List<BusyNode> busiest = List.of();
    private long handedToStock;
    private LockTimes lockTimes = LockTimes.NONE;

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
     * Sets a number.
     *
     * @param number which number
     * @param value its value
     * @return this
     */
    public Builder set(StatusNumber number, int value) {
      numbers.put(number, value);
      return this;
    }

    /**
     * Sets which groups wait.
     *
     * @param bySpareUnits the number of waiting groups for each number of units that a group may
     *     still lose
     * @return this
     */
    public Builder queue(Map<Integer, Integer> bySpareUnits) {
      waitingBySpareUnits = Collections.unmodifiableSortedMap(new TreeMap<>(bySpareUnits));
      return this;
    }

    /**
     * Sets what this NameNode cannot read of CORE.
     *
     * @param parityFiles how many parity files of CORE groups the namespace has whose records no
     *     jar of this NameNode reads
     * @return this
     */
    public Builder unreadCore(int parityFiles) {
      unreadCoreRecords = parityFiles;
      return this;
    }

    /**
     * Sets the longest wait of a group.
     *
     * @param ms how long the oldest group has waited that could be repaired and is not put off on
     *     purpose, ms
     */
    public Builder oldestWait(long ms) {
      oldestWaitMs = ms;
      return this;
    }

    /**
     * Sets how far the repairs are.
     *
     * @param done how far all repairs together are
     * @return this
     */
    public Builder work(WorkStatus done) {
      work = Objects.requireNonNull(done, "done");
      return this;
    }

    /**
     * Sets the losses and the samples of the past.
     *
     * @param ofNodes the losses of DataNodes, the latest first
     * @param lastHour samples of the last hour
     * @return this
     */
    public Builder past(List<LossStatus> ofNodes, History lastHour) {
      losses = List.copyOf(ofNodes);
      history = Objects.requireNonNull(lastHour, "lastHour");
      return this;
    }

    /**
     * Sets the lists.
     *
     * @param some the lists, which may be some seconds old
     * @return this
     */
    public Builder lists(StatusLists some) {
      lists = Objects.requireNonNull(some, "some");
      return this;
    }

    /**
     * Sets the state.
     *
     * @param word the state of all repairs together
     * @param listens whether this NameNode listens before it orders repairs
     * @param paused the operator's pause, or null
     * @return this
     */
    public Builder state(ManagerState word, boolean listens, RepairPause paused) {
      state = Objects.requireNonNull(word, "word");
      listening = listens;
      pause = paused;
      return this;
    }

    /**
     * Sets for how long an operator has left all repairs to stock.
     *
     * @param time the time, or null
     * @return this
     */
    public Builder leftToStock(RepairPause time) {
      leftToStock = time;
      return this;
    }

    /**
     * Sets which DataNodes are named.
     *
     * @param out the DataNodes that are kept out, by UUID, each with the reason
     * @param most the DataNodes that repairs keep busy for the longest time
     * @return this
     */
    public Builder nodes(Map<String, String> out, List<BusyNode> most) {
      keptOut = Collections.unmodifiableSortedMap(new TreeMap<>(out));
      busiest = List.copyOf(most);
      return set(StatusNumber.QUARANTINED, out.size());
    }

    /**
     * Sets how many groups stock has got.
     *
     * @param groups how many groups have been handed to stock since the start
     * @return this
     */
    public Builder handedToStock(long groups) {
      handedToStock = groups;
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
     * Sets when and by which manager the status is made.
     *
     * @param now the moment
     * @param inCycle number of the cycle, from 1
     * @param pool id of the NameNode's block pool; null if it is not known yet
     * @param unchanging what does not change while the manager runs
     * @return this
     */
    public Builder made(Moment now, long inCycle, String pool, ManagerFacts unchanging) {
      made = Objects.requireNonNull(now, "now");
      cycle = inCycle;
      blockPool = pool == null ? "" : pool;
      facts = Objects.requireNonNull(unchanging, "unchanging");
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
