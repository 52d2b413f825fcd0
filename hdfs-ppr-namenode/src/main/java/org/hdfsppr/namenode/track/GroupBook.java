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
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;

/**
 * Keeps the state of each group, and no other class does. The manager's parts report what happens
 * to a group, and ask what follows; the transitions are those of {@link GroupState}.
 *
 * <p>The book has a record of each group that the NameNode's books count as lost and that is to be
 * repaired here, and of a bounded number of others: those whose repairs have failed, and those
 * whose units are in doubt. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class GroupBook {
  /** Groups whose failures are remembered; the oldest is forgotten, and starts afresh. */
  static final int HISTORIES_MAX = 100_000;
  /** Doubts that are remembered; a group that is forgotten fails, and is doubted, again. */
  static final int DOUBTS_MAX = 100_000;

  private final Map<GroupId, GroupRecord> records = new HashMap<>();
  private final Map<GroupState, Integer> counts = new EnumMap<>(GroupState.class);
  /** The records in stock's turn, in the order in which they are handed over. */
  private final Set<GroupRecord> stocks = new LinkedHashSet<>();
  /** The records with a history, the oldest first. */
  private final Set<GroupRecord> withHistory = new LinkedHashSet<>();
  /** The records with a doubt, the oldest first. */
  private final Set<GroupRecord> withDoubt = new LinkedHashSet<>();
  private int doubted;

  /** Makes an empty book. */
  public GroupBook() {
    for (GroupState state : GroupState.values()) {
      counts.put(state, 0);
    }
  }

  // What happens to a group.

  /**
   * The NameNode's books count the group as lost. A repair or a hand-over goes on.
   *
   * @param id the group
   */
  public void lost(GroupId id) {
    GroupRecord record = make(id);
    record.setTold(true);
    if (record.state() == GroupState.GONE) {
      become(record, record.waitingState());
    }
  }

  /**
   * A repair of the group has begun.
   *
   * @param id the group
   */
  public void begun(GroupId id) {
    GroupRecord record = make(id);
    if (record.state() == GroupState.GONE) {
      become(record, record.waitingState());
    }
    become(record, GroupState.AT_WORK);
    record.setTold(false);
  }

  /**
   * The repair of the group has failed or was given up: the group waits for another one.
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
   * The repair of the group has ended, because all units that it was to rebuild are there or are
   * not needed.
   *
   * @param id the group
   */
  public void ended(GroupId id) {
    GroupRecord record = records.get(id);
    if (record != null && record.state() == GroupState.AT_WORK) {
      record.clearConcessions();
      become(record, record.isTold() ? record.waitingState() : GroupState.GONE);
      dropIfEmpty(record);
    }
  }

  /**
   * The books do not count the group as lost any more. A repair that is under way goes on.
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
    record.setTold(false);
    record.clearConcessions();
    if (record.state() != GroupState.AT_WORK) {
      become(record, GroupState.GONE);
    }
  }

  /**
   * Stock is to have the group.
   *
   * @param id the group
   * @param copied whether stock copies units from nodes that leave, and decodes none
   * @return false if a repair of it is under way; nothing has changed then
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
   * Takes a group back from the ones that stock is to get.
   *
   * @param id the group
   * @return whether it was among them
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
   * @param max how many at most
   * @return the next groups that are handed to stock, at most {@code max}; with that they are gone
   */
  public List<GroupId> handOver(int max) {
    List<GroupId> some = new ArrayList<>();
    while (some.size() < max && !stocks.isEmpty()) {
      GroupRecord record = stocks.iterator().next();
      some.add(record.id());
      // A later poll reports it as gone, which ends its history.
      become(record, GroupState.GONE);
      dropIfEmpty(record);
    }
    return some;
  }

  /** The NameNode's queue starts afresh: only what it reports from now on counts. */
  public void forgetLosses() {
    if (counts.get(GroupState.GONE) == records.size()) {
      return;
    }
    for (GroupRecord record : new ArrayList<>(records.values())) {
      gone(record);
      dropIfEmpty(record);
    }
  }

  // What follows from it.

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
   * @return how many groups are in that state; for groups that are gone, how many are remembered
   */
  public int count(GroupState state) {
    return counts.get(state);
  }

  /**
   * @param id the group
   * @return whether stock may have the group now
   */
  public boolean isStocksTurn(GroupId id) {
    return state(id) == GroupState.STOCKS_TURN;
  }

  /**
   * @param id the group
   * @return whether it is stock's turn with the group, to copy units
   */
  public boolean isToBeCopied(GroupId id) {
    return isStocksTurn(id) && records.get(id).isCopied();
  }

  /**
   * Notes that the group makes do with less from now on.
   *
   * @param id the group
   * @param concession what the group makes do with
   * @return false if it does so already, or if there is no record of the group
   */
  public boolean concede(GroupId id, Concession concession) {
    GroupRecord record = records.get(id);
    return record != null && record.state() != GroupState.GONE && record.concede(concession);
  }

  /**
   * @param id the group
   * @param concession what the group may make do with
   * @return whether it does
   */
  public boolean hasConceded(GroupId id, Concession concession) {
    GroupRecord record = records.get(id);
    return record != null && record.has(concession);
  }

  /**
   * @param id the group
   * @return whether the group is suspected or doubted
   */
  public boolean isDoubtOpen(GroupId id) {
    return doubt(id) != null;
  }

  // Histories and doubts, which the policies of this package keep.

  /** Null if there is none. */
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

  /** Puts a history in the place of the one before, as the newest. */
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

  /** Null if there is none. */
  Doubt doubt(GroupId id) {
    GroupRecord record = records.get(id);
    return record == null ? null : record.doubt();
  }

  Doubt makeDoubt(GroupId id) {
    GroupRecord record = make(id);
    if (record.doubt() == null) {
      record.setDoubt(new Doubt());
      withDoubt.add(record);
      followDoubt(record);
      if (withDoubt.size() > DOUBTS_MAX) {
        endDoubt(withDoubt.iterator().next());
      }
    }
    return record.doubt();
  }

  /** A unit of a group with a doubt is wrong. @return whether that is new */
  boolean makeCertain(GroupId id) {
    GroupRecord record = records.get(id);
    boolean isNew = record.doubt().makeCertain();
    doubted += isNew ? 1 : 0;
    followDoubt(record);
    return isNew;
  }

  /** @return whether there was one */
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
    followDoubt(record);
    dropIfEmpty(record);
    return true;
  }

  /** A group that waits does so in the state that the doubt about it asks for. */
  private void followDoubt(GroupRecord record) {
    if (record.state().isWaiting() && record.state() != record.waitingState()) {
      become(record, record.waitingState());
    }
  }

  /** The groups with a doubt of a kind, the oldest doubt first. */
  List<GroupId> withDoubt(Predicate<GroupRecord> kind) {
    return withDoubt.stream().filter(kind).map(GroupRecord::id).collect(Collectors.toList());
  }

  /** The first of all groups with a doubt, at most {@code max}. */
  List<GroupId> firstDoubts(int max) {
    return withDoubt.stream().limit(max).map(GroupRecord::id).collect(Collectors.toList());
  }

  /** Groups that are known to have a wrong unit. */
  int doubted() {
    return doubted;
  }

  /** Groups that are only suspected. */
  int suspected() {
    return withDoubt.size() - doubted;
  }

  // Records.

  private GroupRecord make(GroupId id) {
    GroupRecord record = records.get(id);
    if (record == null) {
      record = new GroupRecord(id);
      records.put(id, record);
      counts.merge(GroupState.GONE, 1, Integer::sum);
    }
    return record;
  }

  private void become(GroupRecord record, GroupState next) {
    GroupState before = record.state();
    if (before == next) {
      return;
    }
    record.become(next);
    counts.merge(before, -1, Integer::sum);
    counts.merge(next, 1, Integer::sum);
    if (before == GroupState.STOCKS_TURN) {
      stocks.remove(record);
      record.setCopied(false);
    } else if (next == GroupState.STOCKS_TURN) {
      stocks.add(record);
    }
  }

  /**
   * Forgets a group that is neither lost, at work nor in stock's turn, and has no history or doubt.
   * A group that only waits to be named again after a failure has a history.
   */
  private void dropIfEmpty(GroupRecord record) {
    boolean isPresent = record.state() == GroupState.AT_WORK
        || record.state() == GroupState.STOCKS_TURN
        || record.state().isWaiting() && record.isTold();
    if (!isPresent && record.history() == null && record.doubt() == null) {
      become(record, GroupState.GONE);
      records.remove(record.id());
      counts.merge(GroupState.GONE, -1, Integer::sum);
    }
  }

  /** How many groups have a record. */
  int size() {
    return records.size();
  }

  /** Whether there is a record of each group in the places where it should be, for tests. */
  boolean isConsistent() {
    Map<GroupState, Integer> counted = new EnumMap<>(GroupState.class);
    for (GroupState state : GroupState.values()) {
      counted.put(state, 0);
    }
    Iterator<GroupRecord> all = records.values().iterator();
    int histories = 0;
    int doubts = 0;
    while (all.hasNext()) {
      GroupRecord record = all.next();
      counted.merge(record.state(), 1, Integer::sum);
      histories += record.history() != null && withHistory.contains(record) ? 1 : 0;
      doubts += record.doubt() != null && withDoubt.contains(record) ? 1 : 0;
    }
    return counted.equals(counts) && histories == withHistory.size()
        && doubts == withDoubt.size() && stocks.size() == counted.get(GroupState.STOCKS_TURN)
        && stocks.stream().allMatch(one -> one.state() == GroupState.STOCKS_TURN);
  }
}
