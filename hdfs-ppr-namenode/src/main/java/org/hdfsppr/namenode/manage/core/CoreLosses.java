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
package org.hdfsppr.namenode.manage.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.core.RepairStrategy;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.CoreRows;
import org.hdfsppr.namenode.model.CoreWork;
import org.hdfsppr.namenode.model.CoreWork.State;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.track.GrantRecord;
import org.hdfsppr.namenode.track.GroupBook;
import org.hdfsppr.namenode.track.RepairTracker;
import org.hdfsppr.namenode.track.RetryPolicy;
import org.hdfsppr.namenode.track.TrackedRepair;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what CORE means for each lost group that is in a CORE group: which columns its repair may
 * read, or for which other repairs it waits. Looks again when a row has changed, because a unit is
 * lost, rebuilt or given up. A unit counts as rebuilt as soon as its DataNode says so, before the
 * NameNode has the block report. Used by the manager's thread; any thread may call {@link #use}.
 */
@InterfaceAudience.Private
public final class CoreLosses implements ColumnNeighbours {
  private static final Logger LOG = LoggerFactory.getLogger(CoreLosses.class);
  /**
   * How many squares (see {@link Square}) one call looks at, at most. A look at one square holds
   * the NameNode's read lock for some ten microseconds.
   */
  static final int LOOKS_MAX = 500;
  /**
   * How often a square with waiting groups is looked at without a known change, ms: nodes may have
   * come back, and the record of the CORE group may have changed.
   */
  static final long LOOK_AGAIN_MS = 10_000;
  /**
   * How long a row that could repair itself waits for other rows, ms. Their repairs take minutes.
   * After this time the row repairs itself, and reads more than it would have to after them. That
   * is better than to stay at risk.
   */
  static final long WAIT_MS_MAX = 600_000;

  /**
   * The lost rows of one CORE group at one index of their files' block groups. The group and the
   * index name the square.
   */
  private static final class Square {
    private final Set<GroupId> members = new LinkedHashSet<>();
    private long lookedMs;
  }

  /** A lost group. */
  private static final class Member {
    private final Map.Entry<Long, Integer> square;
    private LostGroup lost;
    private CoreWork work = CoreWork.NONE;
    private boolean isWaiting;
    private long waitsSinceMs;

    Member(Map.Entry<Long, Integer> square) {
      this.square = square;
    }
  }

  private final ReconstructionQueue books;
  private final RepairTracker tracker;
  private final GroupBook groups;
  private final RetryPolicy retries;
  private final RepairStrategy strategy;
  private final TrustedColumns trusted;
  private final Map<Map.Entry<Long, Integer>, Square> squares = new LinkedHashMap<>();
  private final Map<GroupId, Member> members = new HashMap<>();
  private final Set<Map.Entry<Long, Integer>> changed = new LinkedHashSet<>();
  /** The repairs that begin in this cycle, by square. */
  private final Map<Map.Entry<Long, Integer>, List<Assignment>> planned = new HashMap<>();

  /**
   * Makes an instance that knows no CORE groups until {@link #use} is called.
   *
   * @param books looks at the rows of a CORE group
   * @param tracker the repairs under way
   * @param groups the state of each group
   * @param retries the history of failed repairs
   * @param strategy orders repairs where several rows of a CORE group have losses
   * @param trusted says which columns may be read
   */
  public CoreLosses(ReconstructionQueue books, RepairTracker tracker, GroupBook groups,
      RetryPolicy retries, RepairStrategy strategy, TrustedColumns trusted) {
    this.trusted = trusted;
    this.books = books;
    this.tracker = tracker;
    this.groups = groups;
    this.retries = retries;
    this.strategy = strategy;
  }

  /**
   * Sets where to look up CORE groups. A group that is lost already uses it from its next change
   * on.
   *
   * @param from finds the rows of a group
   */
  public void use(CoreGroupLookup from) {
    trusted.use(from);
  }

  /**
   * Takes note of a lost group.
   *
   * @param lost the group, as the NameNode describes it; the next {@link #refresh} looks at the
   *     other rows
   */
  public void seen(LostGroup lost) {
    GroupId id = lost.id;
    Optional<CoreRows> rows = trusted.book().rowsOf(id.groupId).filter(found ->
        CoreSquare.isSupported(found) && found.rows.stream()
            .anyMatch(row -> row != null && row.id.equals(id)));
    if (rows.isEmpty()) {
      gone(id);
      return;
    }
    Map.Entry<Long, Integer> key = Map.entry(rows.get().coreGroup, rows.get().index);
    Member member = members.get(id);
    if (member == null || !member.square.equals(key)) {
      gone(id);
      member = new Member(key);
      members.put(id, member);
    }
    Square square = squares.computeIfAbsent(key, any -> new Square());
    square.members.add(id);
    member.lost = lost;
    changed.add(key);
  }

  /**
   * Takes note that a group is not lost any more, or not repaired here.
   *
   * @param id the group
   */
  public void gone(GroupId id) {
    Member member = members.remove(id);
    if (member != null) {
      Square square = squares.get(member.square);
      square.members.remove(id);
      if (square.members.isEmpty()) {
        squares.remove(member.square);
        changed.remove(member.square);
        planned.remove(member.square);
      } else {
        changed.add(member.square);
      }
    }
  }

  /**
   * Takes note that a DataNode has rebuilt units of a group, or that a repair of it has begun, so
   * that other rows may read them or have to wait for them.
   *
   * @param id the group
   */
  public void moved(GroupId id) {
    Member member = members.get(id);
    if (member != null) {
      changed.add(member.square);
    }
  }

  /**
   * Takes note that a doubt about the units of a group has begun or ended. The other rows of its
   * CORE group may not read its blocks any more, or may again. The group need not be lost itself.
   *
   * @param id the group
   */
  public void doubtChanged(GroupId id) {
    moved(id);
    trusted.book().recordedBeside(id.groupId).forEach(this::moved);
  }

  /**
   * Looks at the CORE groups whose rows have changed, and at some others.
   *
   * @param nowMs the time now, monotonic, ms
   * @param renew takes each group for which CORE means something else than before
   */
  public void refresh(long nowMs, Consumer<LostGroup> renew) {
    List<Map.Entry<Long, Integer>> due = new ArrayList<>();
    Iterator<Map.Entry<Long, Integer>> next = changed.iterator();
    while (next.hasNext() && due.size() < LOOKS_MAX) {
      due.add(next.next());
      next.remove();
    }
    for (Map.Entry<Map.Entry<Long, Integer>, Square> one : squares.entrySet()) {
      if (due.size() >= LOOKS_MAX || nowMs - one.getValue().lookedMs < LOOK_AGAIN_MS) {
        // The squares are kept in the order of their last looks, so that all others are newer.
        break;
      }
      if (!due.contains(one.getKey())) {
        due.add(one.getKey());
      }
    }
    for (Map.Entry<Long, Integer> key : due) {
      Square square = squares.remove(key);
      if (square != null) {
        squares.put(key, square);
        square.lookedMs = nowMs;
        // The tracker has the repairs that were planned before, so that they need not be remembered
        // here.
        planned.remove(key);
        look(key, square, nowMs, renew);
      }
    }
  }

  private void look(Map.Entry<Long, Integer> key, Square square, long nowMs,
      Consumer<LostGroup> renew) {
    Optional<CoreRows> found = trusted.book().rowsOf(square.members.iterator().next().groupId)
        .filter(rows -> rows.coreGroup == key.getKey() && rows.index == key.getValue()
            && CoreSquare.isSupported(rows));
    Map<GroupId, CoreWork> works = found.map(this::works).orElse(Map.of());
    for (GroupId id : square.members) {
      if (tracker.grant(id).isEmpty()) {
        set(members.get(id), works.getOrDefault(id, CoreWork.NONE), nowMs, renew);
      }
    }
    if (found.isEmpty()) {
      // The CORE group was dissolved. Its rows may be in other groups by now.
      List.copyOf(square.members).forEach(id -> seen(members.get(id).lost));
    }
  }

  /** Returns what the repairs of the lost groups of a square may do. */
  private Map<GroupId, CoreWork> works(CoreRows found) {
    List<CoreRows.Row> rows = found.rows;
    List<Long> ids = new ArrayList<>();
    rows.stream().filter(Objects::nonNull).forEach(row -> ids.add(row.id.groupId));
    Map<Long, LostGroup> views = books.findAll(ids);
    // The NameNode compares the same places once more when a repair begins.
    Map<GroupId, Map<Integer, Set<String>>> places = books.places(rows.stream()
        .filter(Objects::nonNull).map(row -> row.id).collect(Collectors.toList()));
    List<RowState> now = new ArrayList<>();
    for (CoreRows.Row row : rows) {
      now.add(row == null ? new RowState(null, Map.of(), Map.of(), false)
          : now(row.id, views.get(row.id.groupId))
              .at(places.getOrDefault(row.id, Map.of())));
    }
    Map<GroupId, CoreWork> works = new HashMap<>();
    CoreSquare.decide(found, now, trusted.contradicted.of(found), strategy).forEach((row, work) ->
        works.put(rows.get(row).id, work));
    return works;
  }

  private RowState now(GroupId id, LostGroup view) {
    GrantRecord record = tracker.grant(id).orElse(null);
    Map<Integer, NodeRef> rebuilt = new HashMap<>();
    Map<Integer, NodeRef> underWay = new HashMap<>();
    if (record != null) {
      record.assignment.targets.forEach(target -> underWay.put(target.unit, target.node));
      for (TrackedRepair command : tracker.commands(record)) {
        if (command.isReported()) {
          command.targets().forEach(target -> {
            underWay.remove(target.unit);
            rebuilt.put(target.unit, target.node);
          });
        }
      }
    }
    RowState now = new RowState(view, rebuilt, underWay,
        record == null && members.containsKey(id) && view != null);
    return groups.isDoubtOpen(id) ? now.inDoubt() : now;
  }

  private void set(Member member, CoreWork found, long nowMs, Consumer<LostGroup> renew) {
    GroupId id = member.lost.id;
    CoreWork work = found;
    if (!work.isToWait() || !member.isWaiting) {
      member.waitsSinceMs = nowMs;
    }
    member.isWaiting = work.isToWait();
    boolean isDoubtful = retries.hasFailed(id) || groups.isDoubtOpen(id)
        || work.isToWait() && nowMs - member.waitsSinceMs > WAIT_MS_MAX;
    if (isDoubtful && !member.lost.isUnrecoverable() && work.state != State.NONE) {
      // A repair has failed, units seem to contradict each other, or the wait was long. In each of
      // these cases the row is repaired without other rows.
      work = work.byRow();
    }
    LostGroup before = member.lost.withCore(member.work);
    LostGroup after = member.lost.withCore(work);
    member.work = work;
    if (!before.isSameView(after)) {
      LOG.debug("{}: CORE means {}", member.lost, work);
      renew.accept(after);
    }
  }

  /**
   * Adds to the description of a group what CORE means for it.
   *
   * @param group the group, with or without what CORE meant for it at an earlier time
   * @return the group with what CORE means for it, as of the last look
   */
  public LostGroup known(LostGroup group) {
    Member member = members.get(group.id);
    return group.withCore(member == null ? CoreWork.NONE : member.work);
  }

  /**
   * Takes note of the destinations of a repair that begins in this cycle. Other rows of its CORE
   * group that are planned before the next {@link #refresh} avoid these nodes. The refresh then
   * takes account of them in what it says about each row.
   *
   * @param repair the repair
   */
  public void planned(Assignment repair) {
    Member member = members.get(repair.group.id);
    if (member != null) {
      planned.computeIfAbsent(member.square, none -> new ArrayList<>()).add(repair);
      changed.add(member.square);
    }
  }

  @Override
  public List<GroupId> recordedBeside(long blockGroup) {
    return trusted.book().recordedBeside(blockGroup);
  }

  @Override
  public boolean isBeside(LostGroup group, int unit, NodeRef node) {
    if (group.core.isOnColumn(unit, node.uuid)) {
      return true;
    }
    Member member = members.get(group.id);
    return member != null && planned.getOrDefault(member.square, List.of()).stream()
        .filter(other -> !other.group.id.equals(group.id))
        .flatMap(other -> other.targets.stream())
        .anyMatch(target -> target.unit == unit && target.node.uuid.equals(node.uuid));
  }

  @Override
  public boolean mayRead(Assignment repair) {
    return trusted.mayRead(repair);
  }

  @Override
  public Predicate<Assignment> apart() {
    Set<List<Object>> taken = new HashSet<>();
    return one -> {
      if (isNewRow(one.group)) {
        return false;
      }
      Member member = members.get(one.group.id);
      if (member == null) {
        return true;
      }
      Set<List<Object>> wanted = new HashSet<>();
      one.targets.forEach(target ->
          wanted.add(List.of(member.square, target.unit, target.node.uuid)));
      boolean isApart = Collections.disjoint(taken, wanted);
      if (isApart) {
        taken.addAll(wanted);
      }
      return isApart;
    };
  }

  /**
   * Returns whether a group is in a CORE group that was formed, or read after a restart, since the
   * group was seen last. If so, the next {@link #refresh} looks at its columns.
   */
  private boolean isNewRow(LostGroup group) {
    if (members.containsKey(group.id)
        || trusted.book().recordedBeside(group.id.groupId).isEmpty()) {
      return false;
    }
    seen(group);
    return members.containsKey(group.id);
  }

  /** @return whether all CORE groups are known, so that repairs know all columns */
  public boolean knowsAll() {
    return trusted.book().isComplete();
  }

  /**
   * @return how many groups have lost more units than their rows can rebuild, but are being
   *     repaired or can be repaired with CORE
   */
  public int recoverable() {
    int count = 0;
    for (Member member : members.values()) {
      if (!member.lost.isUnrecoverable()) {
        continue;
      }
      boolean isHelped = tracker.grant(member.lost.id).isPresent()
          || member.work.state == State.ORDERED || member.work.state == State.WAITS;
      count += isHelped ? 1 : 0;
    }
    return count;
  }

  /** Forgets all groups, because the NameNode has begun a new queue. */
  public void clear() {
    squares.clear();
    members.clear();
    changed.clear();
    planned.clear();
  }
}
