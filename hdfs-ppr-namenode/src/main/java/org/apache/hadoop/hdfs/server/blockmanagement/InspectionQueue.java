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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Lists the groups to look at next: those that stock has changed and, after a change of the claims,
 * all groups. A round lists all groups some at a time. Guarded by the monitor of the
 * {@link SplitLowRedundancyBlocks} that has this object.
 */
final class InspectionQueue {
  /**
   * The greatest number of groups that one call goes through with the monitor held. This takes
   * about a millisecond.
   */
  static final int SORTED_MAX = 2_048;

  /**
   * The groups in both parts of the queue. Replicated blocks are not included, because stock's part
   * may have a thousand times as many of them.
   */
  private final Rounds<BlockInfo> groups = new Rounds<>();
  private final LinkedHashSet<BlockInfo> touched = new LinkedHashSet<>();
  /**
   * Groups to look at that a round over all groups has found. A group may have left the queue since
   * then.
   */
  private final ArrayDeque<BlockInfo> unsorted = new ArrayDeque<>();
  private boolean sortAll;

  /** Notes a group that is in the queue. */
  void list(BlockInfo block) {
    if (block.isStriped()) {
      groups.add(block);
    }
  }

  /** Forgets a group that has left the queue. */
  void remove(BlockInfo block) {
    groups.remove(block);
    touched.remove(block);
  }

  void touch(BlockInfo block) {
    touched.add(block);
  }

  void untouch(BlockInfo block) {
    touched.remove(block);
  }

  /** Asks for a look at all groups, from the first one on. */
  void sort() {
    sortAll = true;
    unsorted.clear();
    groups.begin();
  }

  boolean isSortAsked() {
    return sortAll;
  }

  /**
   * Continues the round over all groups that {@link #sort} has begun, and notes the groups to look
   * at. Groups may be added or removed between two calls. Each call continues where the last call
   * stopped. With more groups there are more calls, but one call does not hold the monitor for
   * longer.
   *
   * @param wanted decides which groups are to be looked at
   * @return how many groups this call has gone through, at most {@link #SORTED_MAX}
   */
  int sortSome(Predicate<BlockInfo> wanted) {
    int seen = 0;
    while (sortAll && seen < SORTED_MAX) {
      BlockInfo block = groups.next();
      if (block == null) {
        sortAll = false;
      } else {
        seen++;
        if (wanted.test(block)) {
          unsorted.add(block);
        }
      }
    }
    return seen;
  }

  /** Removes and returns the next groups to look at. */
  List<BlockInfo> takeSome(int max) {
    List<BlockInfo> taken = new ArrayList<>(Math.min(max, waiting()));
    Iterator<BlockInfo> next = touched.iterator();
    while (taken.size() < max && next.hasNext()) {
      taken.add(next.next());
      next.remove();
    }
    while (taken.size() < max && !unsorted.isEmpty()) {
      taken.add(unsorted.poll());
    }
    return taken;
  }

  boolean isEmpty() {
    return waiting() == 0 && !sortAll;
  }

  /**
   * Returns how many groups are to be looked at. A round over all groups that is not finished may
   * still add groups.
   */
  int waiting() {
    return touched.size() + unsorted.size();
  }

  /** Forgets the groups to look at; later changes add groups again. */
  void forgetWaiting() {
    touched.clear();
    unsorted.clear();
  }

  void clear() {
    groups.clear();
    forgetWaiting();
    sortAll = false;
  }

  /** Returns how many groups the queue has. */
  int groups() {
    return groups.size();
  }

  /** Returns the first elements, at most {@code max}. */
  static <T> List<T> first(Iterable<T> all, int max) {
    List<T> some = new ArrayList<>();
    Iterator<T> next = all.iterator();
    while (some.size() < max && next.hasNext()) {
      some.add(next.next());
    }
    return some;
  }

  /**
   * A set whose elements are visited in rounds, one at a time. Elements may be added and removed
   * between two visits. A round visits once each element that was in the set when the round began
   * and has not been removed before its visit. All operations take constant time. Not thread-safe.
   *
   * <pre>
   *   not met yet in this round        met, or came since it began
   *   [ a  b  c ]                      [ d  e ]
   *     ^ next                               ^ new elements and met ones go here
   * </pre>
   */
  static final class Rounds<E> {
    /**
     * Maps each element to the round in which it was added or visited last. In the order of the map
     * these numbers never decrease.
     */
    private final Map<E, Long> rounds = new LinkedHashMap<>();
    /**
     * The number of the present round. All entries of the round share this object, which saves
     * memory.
     */
    private Long round = 0L;

    /** Adds an element. An element that is in the set already keeps its place. */
    void add(E element) {
      rounds.putIfAbsent(element, round);
    }

    void remove(E element) {
      rounds.remove(element);
    }

    /** Removes all elements, which also ends the round. */
    void clear() {
      rounds.clear();
    }

    int size() {
      return rounds.size();
    }

    /** Begins a new round, which also visits the elements that the last round has not visited. */
    void begin() {
      round++;
    }

    /** Returns the next element of the round, or null if the round is over. */
    E next() {
      Iterator<Map.Entry<E, Long>> first = rounds.entrySet().iterator();
      if (!first.hasNext()) {
        return null;
      }
      Map.Entry<E, Long> entry = first.next();
      if (entry.getValue().equals(round)) {
        return null;
      }
      E element = entry.getKey();
      first.remove();
      rounds.put(element, round);
      return element;
    }
  }
}
