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

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.namenode.model.UnitPlaces;
import org.hdfsppr.plan.GroupId;

/**
 * Decides which groups have units that seem to contradict each other. After the first failed check
 * a group is suspected: the node that checked may be the faulty part. Another node's repair
 * decides: if its check fails as well, the group is doubted. In both cases every byte has to be
 * checked, and stock must not decode. This class takes notes in the {@link GroupBook} and acts on
 * nothing else. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class Doubts {
  /**
   * How long a group is only suspected, ms. By then another node has repaired it, or cannot, or its
   * report was lost.
   */
  static final long SUSPECTED_MS_MAX = 600_000;

  private final GroupBook book;
  private final LongSupplier clockMs;

  /**
   * @param book where the doubts are kept
   * @param clockMs monotonic milliseconds
   */
  public Doubts(GroupBook book, LongSupplier clockMs) {
    this.book = book;
    this.clockMs = clockMs;
  }

  /**
   * A check of a group failed.
   *
   * @param group the group
   * @param uuid the destination, which says so
   * @param scope what it may have read
   * @return whether the group becomes doubted by that
   */
  public boolean failedCheck(GroupId group, String uuid, RepairScope scope) {
    Doubt doubt = book.makeDoubt(group);
    doubt.found(uuid, scope, clockMs.getAsLong());
    return doubt.finders().size() > 1 && book.makeCertain(group);
  }

  /**
   * The units of a group agree without some of them, which are still there.
   *
   * @param group the group
   * @param uuid the destination, which says so
   * @param scope what it may have read
   * @param read what agreed
   * @param leftOut UUIDs of the nodes without which it did; empty if that is not known
   * @param isCertain whether that was read once more, and is wrong
   * @return whether the group becomes doubted by that
   */
  public boolean leftOut(GroupId group, String uuid, RepairScope scope,
      UnitPlaces read, List<String> leftOut, boolean isCertain) {
    boolean isNew = !isOpen(group);
    Doubt doubt = book.makeDoubt(group);
    if (isNew) {
      doubt.setSinceMs(clockMs.getAsLong());
    } else if (!isOnlyFinder(group, uuid)) {
      doubt.clear(scope, read);
    }
    UnitPlaces wrong = scope.live().at(leftOut);
    doubt.suspect(wrong.isEmpty() ? scope.live() : wrong, scope);
    return isCertain && book.makeCertain(group);
  }

  /**
   * Doubts a group without another node's report: a unit is known to be wrong, or no such report is
   * to be expected soon.
   *
   * @param group the group
   * @return whether the group becomes doubted by that
   */
  public boolean doubt(GroupId group) {
    book.makeDoubt(group);
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
   * @return whether a group is only suspected, so that another node's repair is to decide
   */
  public boolean isSuspected(GroupId group) {
    Doubt doubt = book.doubt(group);
    return doubt != null && !doubt.isCertain();
  }

  /**
   * Names the only node that has found a contradiction, if another node finds none in the same
   * units: then its arithmetic was wrong. If a wrong unit may have gone in between, no node is
   * named.
   *
   * @param group the group
   * @param scope what the other node's repair may have read and written
   * @param read the units that it has read
   * @return the UUID of the refuted node, if there is one
   */
  public Optional<String> refuted(GroupId group, RepairScope scope,
      UnitPlaces read) {
    Doubt doubt = book.doubt(group);
    return doubt == null || doubt.finders().size() != 1 || !doubt.isCoveredBy(scope, read)
        ? Optional.empty() : Optional.of(doubt.finders().iterator().next());
  }

  /**
   * @param groupId the group's id, without its generation stamp
   * @return the groups with that id, in any generation; as a rule at most one
   */
  public List<GroupId> find(long groupId) {
    return book.withDoubt(record -> record.id().groupId() == groupId);
  }

  /**
   * A repair has checked every byte of some units, which agree. The doubt ends as soon as no unit
   * is left that may be wrong: such a repair has read each of them, or the unit is gone and written
   * anew. The report of the only node that has found a contradiction clears nothing, because its
   * arithmetic is in question.
   *
   * @param group the group
   * @param uuid UUID of the node that led the repair
   * @param scope what the repair may have read and written
   * @param read the units that the repair has read
   * @return whether no unit is left that may be wrong
   */
  public boolean isEndedBy(GroupId group, String uuid, RepairScope scope,
      UnitPlaces read) {
    Doubt doubt = book.doubt(group);
    if (doubt == null || isOnlyFinder(group, uuid)) {
      return false;
    }
    doubt.clear(scope, read);
    return doubt.isCleared();
  }

  /**
   * @param group the group
   * @param uuid the DataNode's UUID
   * @return whether no other node has found a contradiction in the group
   */
  public boolean isOnlyFinder(GroupId group, String uuid) {
    Doubt doubt = book.doubt(group);
    return doubt != null && doubt.finders().size() == 1 && doubt.finders().contains(uuid);
  }

  /**
   * Ends a doubt: all units of the group agree, or the group is gone.
   *
   * @param group the group
   * @return whether there was a doubt
   */
  public boolean end(GroupId group) {
    return book.endDoubt(group);
  }

  /**
   * @return groups that have been suspected for so long that another node's word is not to be
   *     expected
   */
  public List<GroupId> undecided() {
    if (suspected() == 0) {
      return List.of();
    }
    long now = clockMs.getAsLong();
    return book.withDoubt(record -> !record.doubt().isCertain()
        && now - record.doubt().sinceMs() >= SUSPECTED_MS_MAX);
  }

  /**
   * @param max how many at most
   * @return the groups that have been doubted or suspected for longest, at most {@code max}
   */
  public List<GroupId> first(int max) {
    return book.firstDoubts(max);
  }

  /** @return groups that are doubted */
  public int doubted() {
    return book.doubted();
  }

  /** @return groups that are only suspected */
  public int suspected() {
    return book.suspected();
  }
}
