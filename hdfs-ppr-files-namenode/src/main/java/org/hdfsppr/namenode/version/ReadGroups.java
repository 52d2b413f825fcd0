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
package org.hdfsppr.namenode.version;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The groups that DataNodes have seen being read, with the times of the reads. A group is known as
 * long as one of the nodes that have listed it has a place for it. When room is short, the nodes
 * with the most places lose their oldest ones, so that a broken node hides no readers that others
 * have seen. Not thread-safe.
 */
final class ReadGroups {
  /** When no room is left, one part of this many of the groups' places is made free at once. */
  static final int EVICTED_PART = 16;

  private final int groupsMost;
  private final int placesMost;
  private final Map<Long, Group> groups = new HashMap<>();
  /** For each node the groups that it has listed, the last ones at the end. */
  private final Map<String, Set<Long>> byNode = new HashMap<>();
  /** How many places are taken: a group takes one for each node that has listed it. */
  private int places;
  private long scans;

  /** The nodes and the last read of a group. */
  private static final class Group {
    /** The nodes that have a place for it. */
    private final List<String> nodes = new ArrayList<>(1);
    private Seen last;
  }

  /** The last read of a group. Immutable. */
  static final class Seen {
    /** When it was, by the clock of the book, ms. */
    final long ms;
    /** The host name of the DataNode. */
    final String node;

    private Seen(long ms, String node) {
      this.ms = ms;
      this.node = node;
    }
  }

  /**
   * @param groupsMost the most groups
   * @param placesMost the most places of all nodes; a group takes one for each of its nodes
   */
  ReadGroups(int groupsMost, int placesMost) {
    this.groupsMost = groupsMost;
    this.placesMost = placesMost;
  }

  /**
   * Takes note of a read.
   *
   * @param uuid the node that has seen it
   * @param host its host name
   * @return false if there was no room, so that nodes have lost places
   */
  boolean note(long group, long ms, String uuid, String host) {
    Group known = groups.computeIfAbsent(group, any -> new Group());
    if (known.last == null || known.last.ms < ms) {
      known.last = new Seen(ms, host);
    }
    Set<Long> own = byNode.computeIfAbsent(uuid, any -> new LinkedHashSet<>());
    if (own.remove(group)) {
      own.add(group);
      return true;
    }
    own.add(group);
    known.nodes.add(uuid);
    places++;
    if (!isFull()) {
      return true;
    }
    // A group that other nodes have listed as well stays, so that one eviction may not do.
    while (isFull()) {
      evict();
    }
    return false;
  }

  private boolean isFull() {
    return groups.size() > groupsMost || places > placesMost;
  }

  /**
   * Takes many places at once from the nodes that have most, so that the next notes find room: an
   * eviction looks through all nodes, while heartbeats wait.
   */
  private void evict() {
    int wanted = Math.max(1, groupsMost / EVICTED_PART);
    int level = level(wanted);
    for (String uuid : new ArrayList<>(byNode.keySet())) {
      for (int left = Math.min(wanted, byNode.get(uuid).size() - level); left > 0; left--) {
        removeFirst(uuid);
        wanted--;
      }
    }
  }

  /**
   * Returns how many places a node may keep if the nodes with more have to free as many as wanted.
   */
  private int level(int wanted) {
    scans++;
    int[] counts = byNode.values().stream().mapToInt(Set::size).sorted().toArray();
    long above = 0;
    int nodes = 0;
    int level = 0;
    // From the node with most places on: those above the level have this many places beyond it.
    for (int i = counts.length - 1; i >= 0; i--) {
      above += counts[i];
      nodes++;
      level = (int) Math.max(0, (above - wanted) / nodes);
      if (above >= wanted && (i == 0 || level >= counts[i - 1])) {
        break;
      }
    }
    return level;
  }

  private void removeFirst(String uuid) {
    long group = byNode.get(uuid).iterator().next();
    leave(uuid, group);
    Group known = groups.get(group);
    known.nodes.remove(uuid);
    if (known.nodes.isEmpty()) {
      groups.remove(group);
    }
  }

  /** Takes the place of a group from a node. */
  private void leave(String uuid, long group) {
    Set<Long> own = byNode.get(uuid);
    own.remove(group);
    places--;
    if (own.isEmpty()) {
      byNode.remove(uuid);
    }
  }

  /** Returns the last read of a group; null if none is known. */
  Seen get(long group) {
    Group known = groups.get(group);
    return known == null ? null : known.last;
  }

  /** Forgets groups that are gone. */
  void forget(Collection<FileGroup> some) {
    for (FileGroup group : some) {
      long id = group.id.groupId;
      Group known = groups.remove(id);
      if (known != null) {
        known.nodes.forEach(uuid -> leave(uuid, id));
      }
    }
  }

  /** Forgets groups that were not read since a time, ms. */
  void forgetBefore(long ms) {
    Iterator<Map.Entry<Long, Group>> all = groups.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Long, Group> one = all.next();
      if (one.getValue().last.ms < ms) {
        one.getValue().nodes.forEach(uuid -> leave(uuid, one.getKey()));
        all.remove();
      }
    }
  }

  int places() {
    return places;
  }

  /** Returns how often all nodes were looked through. */
  long scans() {
    return scans;
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }
}
