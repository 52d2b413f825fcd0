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
package org.hdfsppr.namenode.manage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.BeginResult;
import org.hdfsppr.namenode.queue.LockTimes;
import org.hdfsppr.namenode.queue.QueueChanges;
import org.hdfsppr.namenode.queue.QueueCounts;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.UnitHolder;

/**
 * The books of a NameNode without a NameNode: the groups that are lost, in repair, given up and
 * released.
 */
@InterfaceAudience.Private
final class PaperBooks implements ReconstructionQueue {

  private final Map<GroupId, LostGroup> lost = new HashMap<>();
  private final Map<Long, RepairGrant> begun = new LinkedHashMap<>();
  private final List<LostGroup> news = new ArrayList<>();
  private final Map<RepairGrant, RepairEnd> ended = new LinkedHashMap<>();
  private final List<GroupId> gone = new ArrayList<>();
  final Set<GroupId> released = new HashSet<>();
  final Set<GroupId> heldBack = new HashSet<>();
  /** The groups that exist, whole or not. */
  private final Map<GroupId, LostGroup> stored = new HashMap<>();
  private final Set<String> withoutStorage = new HashSet<>();
  private final Set<GroupId> picky = new HashSet<>();
  private final Set<GroupId> spread = new HashSet<>();
  private final Set<String> withoutDisk = new HashSet<>();
  private final Set<String> full = new HashSet<>();
  private int reportsWithoutStorage;
  private boolean active = true;
  private volatile long term = 5;
  private volatile long heardTerm;
  private long grants;
  private int aborts;
  private int abortCalls;
  private int abortedAtOnceMax;
  private final Set<Long> unabortable = new HashSet<>();
  private Runnable beforePoll = () -> { };
  private Runnable beforeBegin = () -> { };
  Runnable beforeFind = () -> { };
  private Runnable beforeCounts = () -> { };
  private int releaseCalls;
  private int releasedAtOnceMax;
  private int withStock;
  private int withStockAtRisk;
  private int refusedBesideColumn;
  private CoreGroupLookup book = CoreGroupLookup.NONE;

  void lose(LostGroup group) {
    lost.put(group.id, group);
    stored.put(group.id, group);
    news.add(group);
  }

  /** Deletes a group that is whole. */
  void delete(GroupId group) {
    stored.remove(group);
    heldBack.remove(group);
  }

  /** Ends the running repair of a group in this way. */
  void end(GroupId group, RepairEnd end) {
    RepairGrant grant = begun.values().stream().filter(one -> one.group.equals(group)).findFirst()
        .get();
    begun.remove(grant.number);
    lost.remove(group);
    if (end == RepairEnd.DELETED) {
      stored.remove(group);
    }
    ended.put(grant, end);
  }

  /** Ends the loss of a group: it is whole again, or deleted. */
  void end(GroupId group) {
    lost.remove(group);
    news.removeIf(old -> old.id.equals(group));
    gone.add(group);
  }

  /** Loses a unit of a group that needs a storage type that some nodes lack. */
  void losePicky(LostGroup group) {
    picky.add(group.id);
    lose(group);
  }

  /** Loses a unit of a group that no target leaves on enough racks. */
  void loseSpread(LostGroup group) {
    spread.add(group.id);
    lose(group);
  }

  void hasNoStorageFor(String uuid) {
    withoutStorage.add(uuid);
  }

  /** Gives a node only storages of types that files do not want. */
  void hasNoDisk(String uuid) {
    withoutDisk.add(uuid);
  }

  void isFull(String uuid) {
    full.add(uuid);
  }

  /** Returns how often the manager was informed that a node has no storage for a unit. */
  int reportsWithoutStorage() {
    return reportsWithoutStorage;
  }

  void setActive(boolean on) {
    active = on;
    begun.clear();
  }

  void beforePoll(Runnable action) {
    beforePoll = action;
  }

  void beforeBegin(Runnable action) {
    beforeBegin = action;
  }

  /** Runs an action, which may throw, before the counts for the manager's status are returned. */
  void beforeCounts(Runnable action) {
    beforeCounts = action;
  }

  /** Makes giving up the running repair of this group fail. */
  void cannotAbort(GroupId group) {
    begun.values().stream().filter(one -> one.group.equals(group))
        .forEach(grant -> unabortable.add(grant.number));
  }

  boolean isBegun(GroupId group) {
    return begun.values().stream().anyMatch(one -> one.group.equals(group));
  }

  int aborts() {
    return aborts;
  }

  int begun() {
    return begun.size();
  }

  int releaseCalls() {
    return releaseCalls;
  }

  int releasedAtOnceMax() {
    return releasedAtOnceMax;
  }

  /** From now on, stock has this number of groups. Some of them have no spare unit. */
  void stockHas(int groups, int atRisk) {
    withStock = groups;
    withStockAtRisk = atRisk;
  }

  @Override
  public boolean isActive() {
    return active;
  }

  @Override
  public long term() {
    return term;
  }

  @Override
  public void heardOfTerm(long newest) {
    heardTerm = Math.max(heardTerm, newest);
  }

  @Override
  public QueueChanges poll(int groups_max) {
    beforePoll.run();
    term = Math.max(term, heardTerm + 1);
    QueueChanges changes = new QueueChanges(term, false, new LinkedHashMap<>(ended),
        new ArrayList<>(gone), new ArrayList<>(news), false);
    ended.clear();
    gone.clear();
    news.clear();
    return changes;
  }

  @Override
  public List<LostGroup> look(Collection<GroupId> groups) {
    List<LostGroup> found = new ArrayList<>();
    groups.stream().filter(lost::containsKey).forEach(group -> found.add(lost.get(group)));
    return found;
  }

  /** Adds a group that has lost nothing. */
  void store(LostGroup group) {
    stored.put(group.id, group);
  }

  @Override
  public Optional<LostGroup> find(long groupId) {
    beforeFind.run();
    return stored.values().stream().filter(group -> group.id.groupId == groupId).findFirst();
  }

  @Override
  public Map<Long, LostGroup> findAll(Collection<Long> groupIds) {
    Map<Long, LostGroup> found = new HashMap<>();
    groupIds.forEach(id -> find(id).ifPresent(group -> found.put(id, group)));
    return found;
  }

  @Override
  public List<BeginResult> begin(long term, List<Assignment> assignments, boolean anyRack) {
    beforeBegin.run();
    List<BeginResult> results = new ArrayList<>();
    for (Assignment assignment : assignments) {
      GroupId group = assignment.group.id;
      if (picky.contains(group) && assignment.targets.stream()
          .anyMatch(target -> withoutStorage.contains(target.node.uuid))) {
        results.add(BeginResult.refused(assignment, BeginResult.Refusal.TARGET_UNFIT,
            "no storage"));
        continue;
      }
      if (assignment.targets.stream().anyMatch(target -> isBesideColumn(assignment, target))) {
        refusedBesideColumn++;
        results.add(BeginResult.refused(assignment, BeginResult.Refusal.TARGET_UNFIT, "column"));
        continue;
      }
      UnitHolder unfit = assignment.targets.stream().filter(target -> isUnfit(assignment, target))
          .findFirst().orElse(null);
      if (unfit != null) {
        reportsWithoutStorage++;
        results.add(BeginResult.noStorage(assignment, unfit.node));
        continue;
      }
      if (spread.contains(group) && !anyRack) {
        results.add(BeginResult.refused(assignment, BeginResult.Refusal.TOO_FEW_RACKS, "racks"));
        continue;
      }
      List<CommandTarget> targets = new ArrayList<>();
      for (UnitHolder target : assignment.targets) {
        targets.add(new CommandTarget(target.unit, target.node, "s", StorageType.DISK));
      }
      RepairGrant grant = new RepairGrant(++grants, this.term, group, targets);
      begun.put(grant.number, grant);
      results.add(BeginResult.granted(assignment, grant));
    }
    return results;
  }

  @Override
  public Map<GroupId, Map<Integer, Set<String>>> places(Collection<GroupId> groups) {
    Map<GroupId, Map<Integer, Set<String>>> places = new HashMap<>();
    for (GroupId id : groups) {
      if (stored.containsKey(id)) {
        Map<Integer, Set<String>> units =
            places.computeIfAbsent(id, none -> new HashMap<>());
        stored.get(id).live.forEach(holder -> units
            .computeIfAbsent(holder.unit, none -> new HashSet<>()).add(holder.node.uuid));
        begun.values().stream().filter(grant -> grant.group.equals(id))
            .flatMap(grant -> grant.targets.stream()).forEach(target -> units
                .computeIfAbsent(target.unit, none -> new HashSet<>())
                .add(target.node.uuid));
      }
    }
    return places;
  }

  @Override
  public void useColumns(CoreGroupLookup from) {
    book = from;
  }

  /** Returns whether a target has, or is about to get, another block of the unit's column. */
  private boolean isBesideColumn(Assignment assignment, UnitHolder target) {
    return !assignment.besideColumn
        && places(book.recordedBeside(assignment.group.id.groupId)).values().stream()
            .anyMatch(units -> units.getOrDefault(target.unit, Set.of())
                .contains(target.node.uuid));
  }

  /** Returns how many repairs were refused because a target was on a column. */
  int refusedBesideColumn() {
    return refusedBesideColumn;
  }

  private boolean isUnfit(Assignment assignment, UnitHolder target) {
    String uuid = target.node.uuid;
    return full.contains(uuid) || withoutDisk.contains(uuid) && !assignment.onAnyStorage;
  }

  @Override
  public boolean abort(RepairGrant grant) {
    if (unabortable.contains(grant.number)) {
      throw new IllegalStateException("thrown on purpose");
    }
    aborts++;
    news.add(lost.get(grant.group));
    return begun.remove(grant.number) != null;
  }

  @Override
  public void abortAll(Collection<RepairGrant> grants) {
    abortCalls++;
    abortedAtOnceMax = Math.max(abortedAtOnceMax, grants.size());
    grants.forEach(this::abort);
  }

  int abortCalls() {
    return abortCalls;
  }

  int abortedAtOnceMax() {
    return abortedAtOnceMax;
  }

  @Override
  public void keepAlive(Collection<RepairGrant> repairs) {
    // Grants do not age here.
  }

  @Override
  public void release(Collection<GroupId> groups, long ms) {
    releaseCalls++;
    releasedAtOnceMax = Math.max(releasedAtOnceMax, groups.size());
    released.addAll(groups);
  }

  @Override
  public boolean holdBack(GroupId group) {
    return stored.containsKey(group) && (heldBack.add(group) || heldBack.contains(group));
  }

  @Override
  public boolean letGo(GroupId group) {
    return heldBack.remove(group);
  }

  @Override
  public void claimsChanged() {
    Set<GroupId> underWay = new HashSet<>();
    begun.values().forEach(grant -> underWay.add(grant.group));
    lost.values().stream().filter(group -> !underWay.contains(group.id)).forEach(news::add);
  }

  @Override
  public LockTimes lockTimes() {
    return LockTimes.NONE;
  }

  @Override
  public QueueCounts counts() {
    beforeCounts.run();
    return new QueueCounts(0, 0, 0, 0, withStock, withStockAtRisk, heldBack.size());
  }
}
