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

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;

/**
 * Keeps the state of each group; no other class changes it. The manager's classes report what
 * happens to a group and ask for its state. The transitions are those of {@link GroupState}.
 *
 * <p>The book has a record of each group that the NameNode counts as lost and that the manager is
 * to repair. It also keeps a bounded number of records of groups whose repairs have failed or whose
 * units are in doubt. Used by the manager's thread; any thread may call {@link #isDoubtOpen}.
 */
@InterfaceAudience.Private
public final class GroupBook {
  /**
   * The greatest number of groups whose failures are remembered. If there are more groups, the book
   * forgets the oldest history, and the group of that history starts with no failures again.
   */
  static final int HISTORIES_MAX = 100_000;
  /**
   * The greatest number of doubts that are remembered. If there are more doubts, the book forgets
   * the oldest doubt. The next failed check of that group makes a new doubt.
   */
  static final int DOUBTS_MAX = 100_000;

  private final BookRecords records = new BookRecords();
  private final Map<GroupState, Integer> counts = noGroups();
  /** The records of groups that stock is to get, in the order in which they are handed over. */
  private final Set<GroupRecord> stocks = new LinkedHashSet<>();
  /** The records with a history, the oldest first. */
  private final Set<GroupRecord> withHistory = new LinkedHashSet<>();
  /** The records with a doubt, the oldest first. */
  private final Set<GroupRecord> withDoubt = new LinkedHashSet<>();
  /** The groups of {@link #withDoubt}, for all threads. */
  private final Set<GroupId> doubtOpen = ConcurrentHashMap.newKeySet();
  private int doubted;
  private GroupEndListener whenGone = (id, before, isRebuilt) -> { };

  private static Map<GroupState, Integer> noGroups() {
    Map<GroupState, Integer> none = new EnumMap<>(GroupState.class);
    for (GroupState state : GroupState.values()) {
      none.put(state, 0);
    }
    return none;
  }

  /** @param listener gets each group that becomes {@link GroupState#GONE} */
  public void setWhenGone(GroupEndListener listener) {
    whenGone = listener;
  }

  /**
   * Takes note that the NameNode counts the group as lost. A group that is under repair, or that
   * stock is to get, stays in that state.
   *
   * @param id the group
   */
  public void lost(GroupId id) {
    GroupRecord record = make(id);
    record.setReportedLost(true);
    if (record.state() == GroupState.GONE) {
      become(record, record.waitingState());
    }
  }

  /**
   * Takes note that a repair of the group has begun.
   *
   * @param id the group
   */
  public void begun(GroupId id) {
    GroupRecord record = make(id);
    if (record.state() == GroupState.GONE) {
      become(record, record.waitingState());
    }
    become(record, GroupState.AT_WORK);
    record.setReportedLost(false);
  }

  /**
   * Takes note that the repair of the group has failed or was given up. The group waits for another
   * repair.
   *
   * @param id the group
   */
  public void failed(GroupId id) {
    GroupRecord record = records.get(id);
    if (record != null && record.state() == GroupState.AT_WORK) {
      become(record, record.waitingState());
      dropIfEmpty(record);
    }
  }

  /**
   * Takes note that the repair of the group has ended, because the NameNode does not expect units
   * of this repair any more. The group is gone then, unless the NameNode has reported it as lost
   * again since the repair began.
   *
   * @param id the group
   * @param isRebuilt whether the repair has rebuilt the units
   */
  public void ended(GroupId id, boolean isRebuilt) {
    GroupRecord record = records.get(id);
    if (record != null && record.state() == GroupState.AT_WORK) {
      record.clearConcessions();
      become(record, record.isReportedLost() ? record.waitingState() : GroupState.GONE, isRebuilt);
      dropIfEmpty(record);
    }
  }

  /**
   * Takes note that the NameNode does not count the group as lost any more. A repair that is under
   * way goes on.
   *
   * @param id the group
   */
  public void gone(GroupId id) {
    GroupRecord record = records.get(id);
    if (record != null) {
      gone(record);
      dropIfEmpty(record);
    }
  }

  private void gone(GroupRecord record) {
    record.setReportedLost(false);
    record.clearConcessions();
    if (record.state() != GroupState.AT_WORK) {
      become(record, GroupState.GONE);
    }
  }

  /**
   * Notes that stock is to get the group.
   *
   * @param id the group
   * @param copied whether stock only copies units from nodes that are being decommissioned, and
   *     decodes none
   * @return false if a repair of the group is under way; the state has not changed then
   */
  public boolean leaveToStock(GroupId id, boolean copied) {
    GroupRecord record = make(id);
    if (record.state() == GroupState.AT_WORK) {
      return false;
    }
    if (record.state() == GroupState.GONE) {
      become(record, record.waitingState());
    }
    become(record, GroupState.STOCKS_TURN);
    record.setCopied(copied);
    return true;
  }

  /**
   * Takes back a group that stock was to get and has not got yet.
   *
   * @param id the group
   * @return whether stock was to get the group
   */
  public boolean takeBack(GroupId id) {
    GroupRecord record = records.get(id);
    if (record == null || record.state() != GroupState.STOCKS_TURN) {
      return false;
    }
    become(record, record.waitingState());
    dropIfEmpty(record);
    return true;
  }

  /**
   * @param max greatest number of groups
   * @return the next groups that are handed to stock, at most {@code max}; this call makes their
   *     state {@link GroupState#GONE}
   */
  public List<GroupId> handOver(int max) {
    List<GroupId> some = new ArrayList<>();
    while (some.size() < max && !stocks.isEmpty()) {
      GroupRecord record = stocks.iterator().next();
      some.add(record.id);
      // A later poll of the NameNode's queue reports the group as gone. Then its history is
      // forgotten.
      become(record, GroupState.GONE);
      dropIfEmpty(record);
    }
    return some;
  }

  /**
   * Forgets all losses, because the NameNode has begun a new queue of lost groups. After this call,
   * only the losses that the new queue reports count.
   */
  public void forgetLosses() {
    if (counts.get(GroupState.GONE) == records.size()) {
      return;
    }
    for (GroupRecord record : records.all()) {
      gone(record);
      dropIfEmpty(record);
    }
  }

  // The following methods return what the book knows.

  /**
   * @param id the group
   * @return the state of the group
   */
  public GroupState state(GroupId id) {
    GroupRecord record = records.get(id);
    return record == null ? GroupState.GONE : record.state();
  }

  /**
   * @param state the state to count
   * @return how many groups are in that state; for {@link GroupState#GONE}, how many of these
   *     groups still have a record
   */
  public int count(GroupState state) {
    return counts.get(state);
  }

  /**
   * @param id the group
   * @return whether stock is to get the group
   */
  public boolean isStocksTurn(GroupId id) {
    return state(id) == GroupState.STOCKS_TURN;
  }

  /**
   * @param id the group
   * @return whether stock is to get the group in order to copy units, and not to decode
   */
  public boolean isToBeCopied(GroupId id) {
    return isStocksTurn(id) && records.get(id).isCopied();
  }

  /**
   * Notes that plans for the group may break one more rule from now on.
   *
   * @param id the group
   * @param concession the rule that plans may break
   * @return false if plans for the group might break this rule before, or if the group is not lost
   */
  public boolean concede(GroupId id, RelaxedRule concession) {
    GroupRecord record = records.get(id);
    return record != null && record.state() != GroupState.GONE && record.concede(concession);
  }

  /**
   * @param id the group
   * @param concession a rule
   * @return whether plans for the group may break this rule
   */
  public boolean hasConceded(GroupId id, RelaxedRule concession) {
    GroupRecord record = records.get(id);
    return record != null && record.has(concession);
  }

  /**
   * @param number a group's id without its generation stamp
   * @return the newest group with that id, if this book has a record of it
   */
  public Optional<GroupId> find(long number) {
    return Optional.ofNullable(records.newest(number)).map(record -> record.id);
  }

  /**
   * Returns whether there is a doubt about the group. Any thread may call this; it sees a doubt as
   * soon as the doubt has begun.
   *
   * @param id the group
   * @return whether the group is suspected or doubted
   */
  public boolean isDoubtOpen(GroupId id) {
    return doubtOpen.contains(id);
  }

  // The following methods keep histories and doubts for the policies of this package.

  /** Returns how the group's repairs have failed; null if no failures are remembered. */
  RetryHistory history(GroupId id) {
    GroupRecord record = records.get(id);
    return record == null ? null : record.history();
  }

  RetryHistory makeHistory(GroupId id) {
    RetryHistory history = history(id);
    if (history == null) {
      history = new RetryHistory();
      setHistory(id, history);
    }
    return history;
  }

  /** Replaces the history of a group. The new history counts as the newest of all. */
  void setHistory(GroupId id, RetryHistory history) {
    GroupRecord record = make(id);
    record.setHistory(history);
    withHistory.remove(record);
    withHistory.add(record);
    if (withHistory.size() > HISTORIES_MAX) {
      forgetHistory(withHistory.iterator().next());
    }
  }

  void forgetHistory(GroupId id) {
    GroupRecord record = records.get(id);
    if (record != null) {
      forgetHistory(record);
    }
  }

  private void forgetHistory(GroupRecord record) {
    record.setHistory(null);
    withHistory.remove(record);
    dropIfEmpty(record);
  }

  /** Returns the doubt about the group's units; null if there is none. */
  Doubt doubt(GroupId id) {
    GroupRecord record = records.get(id);
    return record == null ? null : record.doubt();
  }

  Doubt makeDoubt(GroupId id) {
    GroupRecord record = make(id);
    if (record.doubt() == null) {
      record.setDoubt(new Doubt());
      withDoubt.add(record);
      doubtOpen.add(id);
      followDoubt(record);
      if (withDoubt.size() > DOUBTS_MAX) {
        endDoubt(withDoubt.iterator().next());
      }
    }
    return record.doubt();
  }

  /**
   * Notes that a unit of a group with a doubt is wrong.
   *
   * @return true if this was not known before
   */
  boolean makeCertain(GroupId id) {
    GroupRecord record = records.get(id);
    boolean isNew = record.doubt().makeCertain();
    doubted += isNew ? 1 : 0;
    followDoubt(record);
    return isNew;
  }

  /** @return whether there was a doubt */
  boolean endDoubt(GroupId id) {
    GroupRecord record = records.get(id);
    return record != null && endDoubt(record);
  }

  private boolean endDoubt(GroupRecord record) {
    if (record.doubt() == null) {
      return false;
    }
    doubted -= record.doubt().isCertain() ? 1 : 0;
    record.setDoubt(null);
    withDoubt.remove(record);
    doubtOpen.remove(record.id);
    followDoubt(record);
    dropIfEmpty(record);
    return true;
  }

  /** Moves a waiting group into the waiting state that fits its doubt. */
  private void followDoubt(GroupRecord record) {
    if (record.state().isWaiting() && record.state() != record.waitingState()) {
      become(record, record.waitingState());
    }
  }

  /**
   * Returns the groups with a doubt whose record satisfies {@code kind}, the oldest doubt first.
   */
  List<GroupId> withDoubt(Predicate<GroupRecord> kind) {
    return withDoubt.stream().filter(kind).map(record -> record.id).collect(Collectors.toList());
  }

  /** Returns the oldest doubts, at most {@code max}. */
  List<DoubtView> firstDoubts(int max) {
    return withDoubt.stream().limit(max).map(record -> record.doubt().view(record.id))
        .collect(Collectors.toList());
  }

  /** Returns how many groups are known to have a wrong unit. */
  int doubted() {
    return doubted;
  }

  /**
   * Returns how many groups are suspected of a wrong unit, because one repair has found a
   * contradiction, but are not known to have one.
   */
  int suspected() {
    return withDoubt.size() - doubted;
  }

  // The following methods make and drop records.

  private GroupRecord make(GroupId id) {
    GroupRecord record = records.get(id);
    if (record == null) {
      record = new GroupRecord(id);
      records.add(record);
      counts.merge(GroupState.GONE, 1, Integer::sum);
    }
    return record;
  }

  private void become(GroupRecord record, GroupState next) {
    become(record, next, false);
  }

  private void become(GroupRecord record, GroupState next, boolean isRebuilt) {
    GroupState before = record.state();
    if (before == next) {
      return;
    }
    record.become(next);
    counts.merge(before, -1, Integer::sum);
    counts.merge(next, 1, Integer::sum);
    if (next == GroupState.GONE) {
      whenGone.gone(record.id, before, isRebuilt);
    }
    if (before == GroupState.STOCKS_TURN) {
      stocks.remove(record);
      record.setCopied(false);
    } else if (next == GroupState.STOCKS_TURN) {
      stocks.add(record);
    }
  }

  /**
   * Forgets a group that is not lost, has no repair under way, is not to go to stock, and has no
   * history or doubt. After a failure, a group waits until the NameNode reports it again. Such a
   * group has a history, so its record is kept.
   */
  private void dropIfEmpty(GroupRecord record) {
    boolean isPresent = record.state() == GroupState.AT_WORK
        || record.state() == GroupState.STOCKS_TURN
        || record.state().isWaiting() && record.isReportedLost();
    if (!isPresent && record.history() == null && record.doubt() == null) {
      become(record, GroupState.GONE);
      records.remove(record);
      counts.merge(GroupState.GONE, -1, Integer::sum);
    }
  }

  /** Returns how many groups have a record. */
  int size() {
    return records.size();
  }

  /** For tests: returns whether each record is in all collections in which it should be. */
  boolean isConsistent() {
    Map<GroupState, Integer> counted = noGroups();
    int histories = 0;
    int doubts = 0;
    for (GroupRecord record : records.all()) {
      counted.merge(record.state(), 1, Integer::sum);
      histories += record.history() != null && withHistory.contains(record) ? 1 : 0;
      doubts += record.doubt() != null && withDoubt.contains(record) ? 1 : 0;
    }
    return counted.equals(counts) && histories == withHistory.size()
        && doubts == withDoubt.size()
        && stocks.size() == counted.get(GroupState.STOCKS_TURN)
        && stocks.stream().allMatch(one -> one.state() == GroupState.STOCKS_TURN);
  }

  /**
   * The records by number: the id of the group without its generation stamp. Nearly always, a
   * number has one record. Records of groups with the same number and different generation stamps
   * are a chain, the newest first. A single map from numbers to chains saves memory, because a
   * million groups may wait.
   */
  static final class BookRecords {
    private final Map<Long, GroupRecord> newest = new HashMap<>();
    private int size;

    /** Returns the record of a group; null if there is none. */
    GroupRecord get(GroupId id) {
      GroupRecord record = newest.get(id.groupId);
      while (record != null && !record.id.equals(id)) {
        record = record.older();
      }
      return record;
    }

    /** Returns the newest record of the groups with this number; null if there is none. */
    GroupRecord newest(long number) {
      return newest.get(number);
    }

    /** Adds the record of a group that has none. */
    void add(GroupRecord record) {
      record.setOlder(newest.put(record.id.groupId, record));
      size++;
    }

    /** Removes a record that is there. */
    void remove(GroupRecord record) {
      long number = record.id.groupId;
      GroupRecord first = newest.get(number);
      if (first != record) {
        GroupRecord newer = first;
        while (newer.older() != record) {
          newer = newer.older();
        }
        newer.setOlder(record.older());
      } else if (record.older() == null) {
        newest.remove(number);
      } else {
        newest.put(number, record.older());
      }
      record.setOlder(null);
      size--;
    }

    int size() {
      return size;
    }

    /** Returns all records, in no certain order. */
    List<GroupRecord> all() {
      List<GroupRecord> all = new ArrayList<>(size);
      for (GroupRecord first : newest.values()) {
        for (GroupRecord record = first; record != null; record = record.older()) {
          all.add(record);
        }
      }
      return all;
    }
  }

  /** Is called when a group becomes {@link GroupState#GONE}. */
  public interface GroupEndListener {
    /**
     * Takes note that a group is gone.
     *
     * @param id the group
     * @param before its last state
     * @param isRebuilt whether a repair has rebuilt its lost units; if not, they came back, stock
     *     has got the group, or it is deleted
     */
    void gone(GroupId id, GroupState before, boolean isRebuilt);
  }
}
