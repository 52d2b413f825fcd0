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

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.RepairScope;
import org.hdfsppr.namenode.model.UnitPlaces;
import org.hdfsppr.plan.GroupId;

/**
 * Which groups have units that seem to contradict each other. After the first check that fails a
 * group is suspected: it may be the node that checked which is wrong. Another node's repair
 * decides: if its check fails as well, the group is doubted. In both cases every byte has to be
 * checked, and stock must not decode. Does nothing itself. Thread-safe.
 */
@InterfaceAudience.Private
public final class Doubts {
  /** Groups that are remembered; one that is forgotten fails, and is doubted, again. */
  static final int GROUPS_MAX = 100_000;
  /** Nodes remembered of a group; two of them make a doubt. */
  static final int NODES_MAX = 16;
  /**
   * How long a group is only suspected: another node has repaired it by then, or cannot, or its
   * word was lost.
   */
  static final long SUSPECTED_MS_MAX = 600_000;

  private static final class Doubt {
    /** Destinations that found a contradiction. */
    private final Set<String> finders = new LinkedHashSet<>();
    /** Where the units were that the first of them could read. */
    private UnitPlaces places = UnitPlaces.NONE;
    /** Units of the group that may be wrong: no clean repair has read or replaced them since. */
    private UnitPlaces suspects = UnitPlaces.NONE;
    /** How far the checks went that began the doubt: one that covers less clears nothing. */
    private long streamBytes;
    private long sinceMs;
    private boolean certain;

    void suspect(UnitPlaces units, RepairScope scope) {
      suspects = suspects.plus(units);
      streamBytes = Math.max(streamBytes, scope.streamBytes());
    }

    /** A repair has checked every byte of some units, which agree. */
    void clear(RepairScope scope, UnitPlaces read) {
      suspects = scope.stillThere(suspects);
      if (scope.streamBytes() >= streamBytes) {
        suspects = suspects.without(read);
      }
    }
  }

  private final Map<GroupId, Doubt> groups = new LinkedHashMap<>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<GroupId, Doubt> eldest) {
      if (size() <= GROUPS_MAX) {
        return false;
      }
      certain -= eldest.getValue().certain ? 1 : 0;
      return true;
    }
  };
  private final LongSupplier clockMs;
  private int certain;

  /** @param clockMs monotonic milliseconds */
  public Doubts(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /**
   * A check of a group failed.
   *
   * @param uuid the destination, which says so
   * @param scope what it may have read
   * @return whether that makes it a doubted group, which it was not before
   */
  public synchronized boolean failedCheck(GroupId group, String uuid, RepairScope scope) {
    Doubt doubt = groups.computeIfAbsent(group, id -> new Doubt());
    if (doubt.finders.isEmpty()) {
      doubt.places = scope.live();
      doubt.sinceMs = clockMs.getAsLong();
    }
    if (doubt.finders.size() < NODES_MAX) {
      doubt.finders.add(uuid);
    }
    doubt.suspect(scope.live(), scope);
    return doubt.finders.size() > 1 && makeCertain(doubt);
  }

  /**
   * The units of a group add up without some of them, which are there still.
   *
   * @param uuid the destination, which says so
   * @param scope what it may have read
   * @param read what agreed
   * @param leftOut UUIDs of the nodes without which it did; empty if that is not known
   * @param isCertain whether that was read once more, and is wrong
   * @return whether that makes it a doubted group, which it was not before
   */
  public synchronized boolean leftOut(GroupId group, String uuid, RepairScope scope,
      UnitPlaces read, List<String> leftOut, boolean isCertain) {
    boolean isNew = !isOpen(group);
    Doubt doubt = groups.computeIfAbsent(group, id -> new Doubt());
    if (isNew) {
      doubt.sinceMs = clockMs.getAsLong();
    } else if (!isOnlyFinder(group, uuid)) {
      doubt.clear(scope, read);
    }
    UnitPlaces wrong = scope.live().at(leftOut);
    doubt.suspect(wrong.isEmpty() ? scope.live() : wrong, scope);
    return isCertain && makeCertain(doubt);
  }

  /**
   * A group is doubted without another node's word: because a unit is known to be wrong, or because
   * there will be no such word soon.
   *
   * @return whether that is news
   */
  public synchronized boolean doubt(GroupId group) {
    return makeCertain(groups.computeIfAbsent(group, id -> new Doubt()));
  }

  private boolean makeCertain(Doubt doubt) {
    boolean isNews = !doubt.certain;
    doubt.certain = true;
    certain += isNews ? 1 : 0;
    return isNews;
  }

  /** Whether a check of a group has failed, be it suspected or doubted: all is to be checked. */
  public synchronized boolean isOpen(GroupId group) {
    return groups.containsKey(group);
  }

  /** Whether a group is only suspected, so that another node's repair is to decide. */
  public synchronized boolean isSuspected(GroupId group) {
    Doubt doubt = groups.get(group);
    return doubt != null && !doubt.certain;
  }

  /**
   * The only node that has found a contradiction, if another one finds none in the same units: its
   * arithmetic was wrong. Had the wrong unit gone meanwhile, that would say nothing of the node.
   *
   * @param scope of the repair that finds none
   * @param read what it has read
   */
  public synchronized Optional<String> refuted(GroupId group, RepairScope scope,
      UnitPlaces read) {
    Doubt doubt = groups.get(group);
    return doubt == null || doubt.finders.size() != 1 || !read.hasAllOf(doubt.places)
        || scope.streamBytes() < doubt.streamBytes ? Optional.empty()
        : Optional.of(doubt.finders.iterator().next());
  }

  /** The groups of an id, whatever their generation: one at most, as a rule. */
  public synchronized List<GroupId> find(long groupId) {
    return groups.keySet().stream().filter(group -> group.groupId() == groupId)
        .collect(Collectors.toList());
  }

  /**
   * A repair has checked every byte of some units, which agree. That ends what was held against the
   * group as soon as no unit is left that may be wrong: each has been read by such a repair, or is
   * gone and written anew. The word of the only node that has found a contradiction clears nothing,
   * for its arithmetic is what is to be ruled out.
   *
   * @param uuid the node that led it
   * @return whether nothing is held against the group any more
   */
  public synchronized boolean isEndedBy(GroupId group, String uuid, RepairScope scope,
      UnitPlaces read) {
    Doubt doubt = groups.get(group);
    if (doubt == null || isOnlyFinder(group, uuid)) {
      return false;
    }
    doubt.clear(scope, read);
    return doubt.suspects.isEmpty();
  }

  /** Whether a node is the only one that has found a contradiction in a group. */
  public synchronized boolean isOnlyFinder(GroupId group, String uuid) {
    Doubt doubt = groups.get(group);
    return doubt != null && doubt.finders.size() == 1 && doubt.finders.contains(uuid);
  }

  /**
   * All units of a group agree, or it is no more.
   *
   * @return whether there was anything to end
   */
  public synchronized boolean end(GroupId group) {
    Doubt doubt = groups.remove(group);
    certain -= doubt != null && doubt.certain ? 1 : 0;
    return doubt != null;
  }

  /** Groups that have been suspected for so long that another node's word is not to be expected. */
  public synchronized List<GroupId> undecided() {
    if (suspected() == 0) {
      return List.of();
    }
    long now = clockMs.getAsLong();
    return groups.entrySet().stream().filter(one -> !one.getValue().certain
        && now - one.getValue().sinceMs >= SUSPECTED_MS_MAX).map(Map.Entry::getKey)
        .collect(Collectors.toList());
  }

  /** Groups that are doubted. */
  public synchronized int doubted() {
    return certain;
  }

  /** Groups that are only suspected. */
  public synchronized int suspected() {
    return groups.size() - certain;
  }
}
