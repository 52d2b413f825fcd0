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
import org.hdfsppr.namenode.track.RepairProgress;

/**
 * The state of the repair manager at the end of a cycle. Pages, commands and metrics show only
 * this. The numbers are as of this cycle; {@link #lists} may be older. Immutable.
 */
@InterfaceAudience.Private
public final class ManagerStatus {
  /** The status before the first cycle. */
  public static final ManagerStatus NONE = new Builder().build();

  private final Builder all;

  private ManagerStatus(Builder all) {
    this.all = all;
  }

  /** @return when the status was made */
  public Moment made() {
    return all.made;
  }

  /** @return number of the cycle that made the status, from 1; 0 before the first cycle */
  public long cycle() {
    return all.cycle;
  }

  /** @return id of the NameNode's block pool; empty before the first cycle */
  public String blockPool() {
    return all.blockPool;
  }

  /** @return what does not change while the manager runs */
  public ManagerFacts facts() {
    return all.facts;
  }

  /** @return the state of all repairs together, in one word */
  public ManagerState state() {
    return all.state;
  }

  /** @return whether this NameNode listens to DataNodes before it orders repairs */
  public boolean isListening() {
    return all.listening;
  }

  /** @return the operator's pause; empty if repairs are not paused */
  public Optional<RepairPause> pause() {
    return Optional.ofNullable(all.pause);
  }

  /** @return for how long an operator has left all repairs to stock; empty if none has */
  public Optional<RepairPause> leftToStock() {
    return Optional.ofNullable(all.leftToStock);
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

  /**
   * @param number which number
   * @return its value
   */
  public int get(StatusNumber number) {
    return all.numbers.getOrDefault(number, 0);
  }

  /**
   * @return the number of waiting groups for each number of units that a group may still lose; a
   *     negative key means that too many units are lost
   */
  public SortedMap<Integer, Integer> waitingBySpareUnits() {
    return all.waitingBySpareUnits;
  }

  /**
   * @return how long the oldest group has waited that could be repaired and is not put off on
   *     purpose, ms; 0 if there is no such group, or if all repairs are paused
   */
  public long oldestWaitMs() {
    return all.oldestWaitMs;
  }

  /**
   * @return how many parity files of CORE groups the namespace has whose columns this NameNode does
   *     not know, because it has no jar that reads them
   */
  public int unreadCoreRecords() {
    return all.unreadCoreRecords;
  }

  /** @return the commands that began first, see {@link StatusLists#repairs} */
  public List<RepairProgress> atWork() {
    return all.lists.repairs();
  }

  /** @return how far all repairs together are, and when they will be done */
  public WorkStatus work() {
    return all.work;
  }

  /** @return the losses of DataNodes, the latest first */
  public List<LossStatus> losses() {
    return all.losses;
  }

  /** @return samples of the last hour */
  public History history() {
    return all.history;
  }

  /** @return single groups, repairs, nodes and doubts; these lists may be some seconds old */
  public StatusLists lists() {
    return all.lists;
  }

  /** @return the DataNodes that repairs keep busy for the longest time, the busiest first */
  public List<BusyNode> busiest() {
    return all.busiest;
  }

  /** @return the DataNodes that are kept out of repairs, by UUID, each with the reason */
  public Map<String, String> keptOut() {
    return all.keptOut;
  }

  /** @return the live DataNodes, see {@link StatusLists#nodes} */
  public List<NodeStatus> nodes() {
    return all.lists.nodes();
  }

  /** @return how many groups have been handed to stock since the start */
  public long handedToStock() {
    return all.handedToStock;
  }

  /** @return how long the NameNode's lock was held for repairs */
  public LockTimes lockTimes() {
    return all.lockTimes;
  }

  @Override
  public String toString() {
    return (all.inCharge ? "in charge" : "not in charge") + " (" + all.why + "), term " + all.term
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
