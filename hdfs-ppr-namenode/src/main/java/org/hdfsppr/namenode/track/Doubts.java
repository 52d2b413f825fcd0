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
 * Which groups have units that seem to contradict each other. After the first check that fails a
 * group is suspected: it may be the node that checked which is wrong. Another node's repair
 * decides: if its check fails as well, the group is doubted. In both cases every byte has to be
 * checked, and stock must not decode. Decides, and does nothing itself but for the notes in the
 * {@link GroupBook}. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class Doubts {
  /**
   * How long a group is only suspected: another node has repaired it by then, or cannot, or its
   * word was lost.
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
   * @return whether that makes it a doubted group, which it was not before
   */
  public boolean failedCheck(GroupId group, String uuid, RepairScope scope) {
    Doubt doubt = book.makeDoubt(group);
    doubt.found(uuid, scope, clockMs.getAsLong());
    return doubt.finders().size() > 1 && book.makeCertain(group);
  }

  /**
   * The units of a group add up without some of them, which are there still.
   *
   * @param group the group
   * @param uuid the destination, which says so
   * @param scope what it may have read
   * @param read what agreed
   * @param leftOut UUIDs of the nodes without which it did; empty if that is not known
   * @param isCertain whether that was read once more, and is wrong
   * @return whether that makes it a doubted group, which it was not before
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
   * A group is doubted without another node's word: because a unit is known to be wrong, or because
   * there will be no such word soon.
   *
   * @param group the group
   * @return whether that is news
   */
  public boolean doubt(GroupId group) {
    book.makeDoubt(group);
    return book.makeCertain(group);
  }

  /**
   * @param group the group
   * @return whether a check of a group has failed, be it suspected or doubted: all is to be checked
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
   * The only node that has found a contradiction, if another one finds none in the same units: its
   * arithmetic was wrong. Had the wrong unit gone meanwhile, that would say nothing of the node.
   *
   * @param group the group
   * @param scope of the repair that finds none
   * @param read what it has read
   * @return that node's UUID, if there is one
   */
  public Optional<String> refuted(GroupId group, RepairScope scope,
      UnitPlaces read) {
    Doubt doubt = book.doubt(group);
    return doubt == null || doubt.finders().size() != 1 || !doubt.isCoveredBy(scope, read)
        ? Optional.empty() : Optional.of(doubt.finders().iterator().next());
  }

  /**
   * @param groupId the group's id, without its generation stamp
   * @return the groups of an id, whatever their generation: one at most, as a rule
   */
  public List<GroupId> find(long groupId) {
    return book.withDoubt(record -> record.id().groupId() == groupId);
  }

  /**
   * A repair has checked every byte of some units, which agree. That ends what was held against the
   * group as soon as no unit is left that may be wrong: each has been read by such a repair, or is
   * gone and written anew. The word of the only node that has found a contradiction clears nothing,
   * for its arithmetic is what is to be ruled out.
   *
   * @param group the group
   * @param uuid the node that led it
   * @param scope what the repair may have read and written
   * @param read the places
   * @return whether nothing is held against the group any more
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
   * @return whether a node is the only one that has found a contradiction in a group
   */
  public boolean isOnlyFinder(GroupId group, String uuid) {
    Doubt doubt = book.doubt(group);
    return doubt != null && doubt.finders().size() == 1 && doubt.finders().contains(uuid);
  }

  /**
   * All units of a group agree, or it is no more.
   *
   * @param group the group
   * @return whether there was anything to end
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
