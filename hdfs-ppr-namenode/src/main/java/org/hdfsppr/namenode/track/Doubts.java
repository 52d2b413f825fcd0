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
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.namenode.model.UnitPlaces;
import org.hdfsppr.plan.GroupId;

/**
 * Decides which groups have units that seem to contradict each other. After the first failed check
 * a group is only suspected, because the node that checked may be the faulty part. A repair on
 * another node decides. If that repair's check fails as well, the group is doubted. While a group
 * is suspected or doubted, repairs have to check every byte, and stock must not decode the group.
 * This class changes only the {@link GroupBook}. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class Doubts {
  /**
   * How long a group is only suspected, ms. Pauses of repairs that an operator ordered do not
   * count. If no other node has reported a check of the group by then, no other node can repair the
   * group, or the report was lost.
   */
  public static final long SUSPECTED_MS_MAX = 600_000;

  private final GroupBook book;
  private final LongSupplier clockMs;
  private final LongSupplier workedMs;
  private int taken;

  /**
   * @param book keeps the doubts
   * @param clockMs the time, monotonic, ms
   * @param workedMs for how long repairs were allowed to begin so far, without all pauses, ms
   */
  public Doubts(GroupBook book, LongSupplier clockMs, LongSupplier workedMs) {
    this.book = book;
    this.clockMs = clockMs;
    this.workedMs = workedMs;
  }

  /**
   * Takes note that a check of a group failed.
   *
   * @param scope the repair, whose destination reports the failure
   * @return whether the group becomes doubted by this report
   */
  public boolean failedCheck(RepairScope scope) {
    Doubt doubt = book.makeDoubt(scope.group);
    if (doubt.finders.isEmpty() && !doubt.isCertain()) {
      doubt.setSince(clockMs.getAsLong(), workedMs.getAsLong());
    }
    doubt.found(scope);
    return doubt.finders.size() > 1 && book.makeCertain(scope.group);
  }

  /**
   * Takes note that the check of a repair failed with all units, and holds if some units are left
   * out. The units that were left out are still on their nodes.
   *
   * @param scope the repair, whose destination reports this
   * @param read the units that agreed
   * @param leftOut UUIDs of the nodes whose units were left out; empty if they are not known
   * @param isCertain true if a unit that was left out has been read again and is known to be wrong
   * @return whether the group becomes doubted by this report
   */
  public boolean leftOut(RepairScope scope, UnitPlaces read, List<String> leftOut,
      boolean isCertain) {
    GroupId group = scope.group;
    boolean isNew = !isOpen(group);
    Doubt doubt = book.makeDoubt(group);
    if (isNew) {
      doubt.setSince(clockMs.getAsLong(), workedMs.getAsLong());
    } else if (!isOnlyFinder(group, scope.destination)) {
      doubt.clear(scope, read);
    }
    UnitPlaces wrong = scope.live.at(leftOut);
    doubt.suspect(wrong.isEmpty() ? scope.live : wrong, scope);
    return isCertain && book.makeCertain(group);
  }

  /**
   * Takes note that a check outside a repair, such as a scrub, has found that the units of a group
   * contradict each other, and that this check has excluded an error of calculation.
   *
   * @param scope the units that the check has read
   * @param suspects those of them that may be wrong
   * @return whether the group becomes doubted by this report
   */
  public boolean contradiction(RepairScope scope, UnitPlaces suspects) {
    GroupId group = scope.group;
    boolean isNew = !isOpen(group);
    Doubt doubt = book.makeDoubt(group);
    if (isNew) {
      doubt.setSince(clockMs.getAsLong(), workedMs.getAsLong());
    }
    doubt.suspect(suspects, scope);
    return book.makeCertain(group);
  }

  /**
   * Makes a group doubted without another node's report, because a unit is known to be wrong or
   * because no such report is expected soon.
   *
   * @param group the group
   * @return whether the group becomes doubted by this call
   */
  public boolean doubt(GroupId group) {
    boolean isNew = !isOpen(group);
    Doubt doubt = book.makeDoubt(group);
    if (isNew) {
      doubt.setSince(clockMs.getAsLong(), workedMs.getAsLong());
    }
    return book.makeCertain(group);
  }

  /**
   * @param group the group
   * @return whether the group is suspected or doubted, so that every byte has to be checked
   */
  public boolean isOpen(GroupId group) {
    return book.isDoubtOpen(group);
  }

  /**
   * @param group the group
   * @return whether the group is only suspected, so that another node's repair has to decide
   */
  public boolean isSuspected(GroupId group) {
    Doubt doubt = book.doubt(group);
    return doubt != null && !doubt.isCertain();
  }

  /**
   * @param group the group
   * @return whether the group is suspected or doubted also because a column of CORE contradicts it
   */
  public boolean isByColumn(GroupId group) {
    Doubt doubt = book.doubt(group);
    return doubt != null && doubt.isByColumn();
  }

  /**
   * Names the only node that has found a contradiction, if another node finds none in the same
   * units. In this case the arithmetic of the first node was wrong. Names no node if a wrong unit
   * may have been replaced between the two checks, or if the first node has found that a column of
   * CORE contradicts the group: then the other node has not read the blocks of the column.
   *
   * @param scope the other node's repair
   * @param read the units that the other node's repair has read
   * @return the UUID of the refuted node; empty if none is refuted
   */
  public Optional<String> refuted(RepairScope scope, UnitPlaces read) {
    Doubt doubt = book.doubt(scope.group);
    return doubt == null || doubt.finders.size() != 1 || doubt.isByColumn()
        || !doubt.isCoveredBy(scope, read)
        ? Optional.empty() : Optional.of(doubt.finders.iterator().next());
  }

  /**
   * @param groupId the group's id, without its generation stamp
   * @return the groups with that id and any generation stamp that have a doubt; as a rule at most
   *     one
   */
  public List<GroupId> find(long groupId) {
    return book.withDoubt(record -> record.id.groupId == groupId);
  }

  /**
   * Takes note of a repair that has checked every byte of some units and found that these units
   * agree. The doubt ends when no unit is suspected any more. A unit is not suspected any more once
   * such a repair has read it, or once it has been lost and written again. If only one node has
   * found a contradiction, that node's report clears no unit, because its arithmetic is in
   * question.
   *
   * @param scope the repair
   * @param read the units that the repair has read
   * @return whether no unit is suspected any more
   */
  public boolean isEndedBy(RepairScope scope, UnitPlaces read) {
    Doubt doubt = book.doubt(scope.group);
    if (doubt == null || isOnlyFinder(scope.group, scope.destination)) {
      return false;
    }
    doubt.clear(scope, read);
    return doubt.isCleared();
  }

  /**
   * @param group the group
   * @param uuid the DataNode's UUID
   * @return whether this node, and no other node, has found a contradiction in the group
   */
  public boolean isOnlyFinder(GroupId group, String uuid) {
    Doubt doubt = book.doubt(group);
    return doubt != null && doubt.finders.size() == 1 && doubt.finders.contains(uuid);
  }

  /**
   * Ends a doubt, because all units of the group agree or the group is gone.
   *
   * @param group the group
   * @return whether there was a doubt
   */
  public boolean end(GroupId group) {
    return book.endDoubt(group);
  }

  /** @return all groups that are suspected or doubted */
  public List<GroupId> open() {
    return doubted() + suspected() == 0 ? List.of() : book.withDoubt(record -> true);
  }

  /**
   * @return the groups that have been suspected for so long that no other node's report is expected
   */
  public List<GroupId> undecided() {
    if (suspected() == 0) {
      return List.of();
    }
    long now = workedMs.getAsLong();
    return book.withDoubt(record -> !record.doubt().isCertain()
        && now - record.doubt().sinceWorkedMs() >= SUSPECTED_MS_MAX);
  }

  /**
   * @param max greatest number of groups
   * @return the doubts and suspicions that have lasted for the longest time, at most {@code max}
   */
  public List<DoubtView> first(int max) {
    return book.firstDoubts(max);
  }

  /**
   * Returns some of the groups that are suspected or doubted. Further calls continue behind the
   * groups returned last, and begin again after the last group.
   *
   * @param max greatest number of groups
   * @return the groups, at most {@code max}; the caller may change the list
   */
  public List<GroupId> takeSome(int max) {
    List<GroupId> all = book.withDoubt(record -> true);
    List<GroupId> some = new ArrayList<>();
    for (int i = 0; i < Math.min(max, all.size()); i++) {
      some.add(all.get(Math.floorMod(taken++, all.size())));
    }
    return some;
  }

  /** @return the number of doubted groups */
  public int doubted() {
    return book.doubted();
  }

  /** @return the number of groups that are only suspected */
  public int suspected() {
    return book.suspected();
  }
}
