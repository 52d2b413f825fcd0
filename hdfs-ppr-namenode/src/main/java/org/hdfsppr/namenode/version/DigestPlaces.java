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

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How many orders for digests each DataNode has, and in which order the others wait for a place.
 * All groups of all files ask for digests as soon as their links are there, which are thousands of
 * orders. A DataNode would refuse most of them, and the same ones would come again and again, in
 * the way of links, makings and patches. Thread-safe.
 */
@InterfaceAudience.Private
final class DigestPlaces {
  /**
   * How many orders for digests one node has at a time. It reads four of them at a time, and the
   * others keep it busy between two heartbeats, a second apart: a small file needs some ten orders,
   * so that twelve nodes can read for 75 small files in a second. Half of the commands that may
   * wait for a heartbeat, and of those that may wait at a node: the rest is for links, makings and
   * commits, and for other NameNodes.
   */
  static final int AT_A_TIME = 64;

  /** A place, a turn in the line for one, or neither of both. Thread-safe. */
  final class Place {
    private final String uuid;
    private final VersionNews news;
    private final long number;
    private boolean isInLine;
    private boolean isTaken;

    private Place(String uuid, VersionNews news, long number) {
      this.uuid = uuid;
      this.news = news;
      this.number = number;
    }

    /**
     * Takes the place, or stands in line for it, before all that have come later. The thread that
     * waits is woken when its turn comes.
     *
     * @return whether the place is taken
     */
    boolean take() {
      synchronized (DigestPlaces.this) {
        if (!isTaken && !isInLine) {
          Node node = nodes.computeIfAbsent(uuid, one -> new Node());
          isTaken = node.taken < AT_A_TIME;
          isInLine = !isTaken;
          if (isTaken) {
            node.taken++;
          } else {
            node.line.put(number, this);
          }
        }
        return isTaken;
      }
    }

    /** Gives the place back, or leaves the line; does nothing if there is neither. */
    void release() {
      Place next = leave();
      if (next != null) {
        next.news.come();
      }
    }

    /** Returns the order to which the place was handed on; null if there is none. */
    private Place leave() {
      synchronized (DigestPlaces.this) {
        Node node = nodes.get(uuid);
        Place next = null;
        if (isInLine) {
          isInLine = false;
          node.line.remove(number);
        } else if (isTaken) {
          isTaken = false;
          node.taken--;
          if (!node.line.isEmpty()) {
            next = node.line.pollFirstEntry().getValue();
            next.isInLine = false;
            next.isTaken = true;
            node.taken++;
          }
          if (node.taken == 0) {
            nodes.remove(uuid);
          }
        }
        return next;
      }
    }
  }

  private static final class Node {
    private int taken;
    /** By their numbers, which ascend; empty while a place is free. One for each asking group. */
    private final TreeMap<Long, Place> line = new TreeMap<>();
  }

  /** Nodes that have orders, by their UUIDs. */
  private final Map<String, Node> nodes = new HashMap<>();
  private long numbers;

  /**
   * Returns something that is not a place yet, and keeps its turn in each line.
   *
   * @param uuid the DataNode's UUID
   * @param news wakes the thread that waits for the place
   */
  synchronized Place of(String uuid, VersionNews news) {
    return new Place(uuid, news, numbers++);
  }
}
