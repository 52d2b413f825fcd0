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
 * The groups that DataNodes have reported as being read, with the time of the last read. For each
 * node that reports a group, the group takes one place. A group is remembered as long as it has a
 * place. When no place is free, the nodes with the most places lose their oldest ones. So a broken
 * node that reports too much does not displace what other nodes have reported. Not thread-safe.
 */
final class ReadGroups {
  /**
   * If there is no room, this part of the groups' places is made free at once: with 16, a
   * sixteenth.
   */
  static final int EVICTED_PART = 16;

  private final int groupsMost;
  private final int placesMost;
  private final Map<Long, Group> groups = new HashMap<>();
  /** The groups that each node has reported, the latest ones at the end. */
  private final Map<String, Set<Long>> byNode = new HashMap<>();
  /** How many places are taken: one for each pair of a group and a node that has reported it. */
  private int places;
  private long scans;

  /** The nodes that have reported a group, and its last read. */
  private static final class Group {
    /** The nodes because of which the group has places. */
    private final List<String> nodes = new ArrayList<>(1);
    private Seen last;
  }

  /** The last read of a group. Immutable. */
  static final class Seen {
    /** When the read was, by the clock of {@link OldReadReports}, ms. */
    final long ms;
    /** The host name of the DataNode that has reported the read. */
    final String node;

    private Seen(long ms, String node) {
      this.ms = ms;
      this.node = node;
    }
  }

  /**
   * @param groupsMost how many groups are remembered at most
   * @param placesMost how many pairs of a group and a node that has reported it are remembered at
   *     most
   */
  ReadGroups(int groupsMost, int placesMost) {
    this.groupsMost = groupsMost;
    this.placesMost = placesMost;
  }

  /**
   * Takes note of a read.
   *
   * @param uuid UUID of the node that has reported the read
   * @param host its host name
   * @return false if there was no room, so that nodes have lost some of their places
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
    // A group that other nodes have reported as well stays. So one eviction may not make enough
    // room.
    while (isFull()) {
      evict();
    }
    return false;
  }

  private boolean isFull() {
    return groups.size() > groupsMost || places > placesMost;
  }

  /**
   * Takes places from the nodes that have the most. It takes many at once so that the next reports
   * find room: an eviction looks at all nodes, and heartbeats wait for it.
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
   * Returns how many places a node may keep, so that the nodes that have more free at least {@code
   * wanted} places together.
   */
  private int level(int wanted) {
    scans++;
    int[] counts = byNode.values().stream().mapToInt(Set::size).sorted().toArray();
    long above = 0;
    int nodes = 0;
    int level = 0;
    // From the node with the most places on: if the nodes so far keep only as many places each as
    // the level says, they free as many as wanted together.
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

  /** Removes a place: the pair of a node and a group. */
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

  /** Returns how often an eviction has looked at all nodes. */
  long scans() {
    return scans;
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }
}
