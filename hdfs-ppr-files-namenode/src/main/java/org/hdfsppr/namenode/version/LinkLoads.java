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
import java.util.List;
import java.util.Map;

/**
 * The load that makings put on the network links of DataNodes. It bounds how many makings send, and
 * how many receive, over a link at a time, and knows what planned makings will receive, so that the
 * next ones can be planned around busy links.
 *
 * <p>A tree is as fast as its slowest link. If few makings are under way, most links idle while
 * they wait for others; if there are very many, a repair or a user shares the link with all of
 * them. The bound holds for both ends of a tree's links, and not only for the node that makes a
 * unit: a node with more units of members than others sends for many makings that others receive.
 * Thread-safe.
 */
final class LinkLoads {
  /**
   * The most makings that send, and the most that receive, over a node's link at a time. By
   * calculation for 20 DataNodes, with this bound the makings of a file take a fiftieth longer than
   * without a bound; with a bound of four, a tenth.
   */
  static final int STREAMS_MAX = 8;
  /**
   * More makings of short units may share a link, as long as they move no more bytes together than
   * this: they wait for heartbeats for longer than they move bytes.
   */
  static final long SHORT_BYTES_MAX = 32 << 20;

  /** What is under way in one direction of a link. */
  private static final class Direction {
    private int streams;
    private long bytes;

    boolean hasRoom(long more) {
      return streams < STREAMS_MAX || bytes + more <= SHORT_BYTES_MAX;
    }

    void add(int moreStreams, long moreBytes) {
      streams += moreStreams;
      bytes += moreBytes;
    }
  }

  /** The load of one making, from its plan to its end. Its owner has to end it. Thread-safe. */
  final class Booking {
    private final List<String> sending;
    private final List<String> receiving;
    private final long unitBytes;
    private boolean isBegun;
    private boolean isEnded;

    private Booking(Collection<String> sending, Collection<String> receiving, long unitBytes) {
      this.sending = new ArrayList<>(sending);
      this.receiving = new ArrayList<>(receiving);
      this.unitBytes = unitBytes;
    }

    /** Takes a place at all links, or at none; returns whether it has. */
    boolean begin() {
      synchronized (LinkLoads.this) {
        if (!sending.stream().allMatch(node -> hasRoom(sent, node, unitBytes))
            || !receiving.stream().allMatch(node -> hasRoom(received, node, unitBytes))) {
          return false;
        }
        isBegun = true;
        move(1);
        return true;
      }
    }

    /** Gives the places back; the making stays planned. */
    void pause() {
      synchronized (LinkLoads.this) {
        if (isBegun) {
          isBegun = false;
          move(-1);
        }
      }
    }

    /** Gives everything back. A second call does nothing. */
    void end() {
      synchronized (LinkLoads.this) {
        pause();
        if (!isEnded) {
          isEnded = true;
          receiving.forEach(node -> plan(node, -unitBytes));
        }
      }
    }

    private void move(int streams) {
      sending.forEach(node -> add(sent, node, streams, streams * unitBytes));
      receiving.forEach(node -> add(received, node, streams, streams * unitBytes));
    }
  }

  /** The loads by the UUIDs of nodes; nodes without load have no entry. */
  private final Map<String, Direction> sent = new HashMap<>();
  private final Map<String, Direction> received = new HashMap<>();
  private final Map<String, Long> planned = new HashMap<>();

  /**
   * Takes note of a making that is planned.
   *
   * @param sending UUIDs of the nodes that send a unit's bytes
   * @param receiving UUIDs of the nodes that receive as many
   * @param unitBytes bytes of a unit
   */
  synchronized Booking plan(Collection<String> sending, Collection<String> receiving,
      long unitBytes) {
    Booking booking = new Booking(sending, receiving, unitBytes);
    booking.receiving.forEach(node -> plan(node, unitBytes));
    return booking;
  }

  private void plan(String node, long bytes) {
    planned.merge(node, bytes, Long::sum);
    planned.remove(node, 0L);
  }

  /** Returns the bytes that a node will receive for makings that are planned or under way. */
  synchronized long planned(String node) {
    return planned.getOrDefault(node, 0L);
  }

  private static boolean hasRoom(Map<String, Direction> all, String node, long bytes) {
    Direction direction = all.get(node);
    return direction == null || direction.hasRoom(bytes);
  }

  private static void add(Map<String, Direction> all, String node, int streams, long bytes) {
    Direction direction = all.computeIfAbsent(node, none -> new Direction());
    direction.add(streams, bytes);
    if (direction.streams == 0) {
      all.remove(node);
    }
  }

  /** Returns how many nodes have anything planned or under way. */
  synchronized int size() {
    return sent.size() + received.size() + planned.size();
  }
}
