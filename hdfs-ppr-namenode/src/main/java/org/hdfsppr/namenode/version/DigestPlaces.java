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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How many orders for digests each DataNode has, and in which order the others wait for a place.
 * All groups of all files ask for digests as soon as their links are there, which are thousands of
 * orders. A DataNode would refuse most of them, and the same ones would come again and again, in
 * the way of links, makings and patches.
 *
 * <p>A DataNode reads in the order in which its orders come, and has few threads for that. What it
 * has cannot be pre-empted. So no job gives a node more work than others can wait for:
 *
 * <pre>
 *   in turn         a place that is free goes to the next job, and there to the order that has
 *                   stood in line for longest. One that the node has refused stands behind all
 *                   others of its job: these would not be asked for while it refuses
 *   half a minute   the orders of a job that a node has take no longer than that to read; two may,
 *                   each of which holds one of the node's threads
 *   at its rate     a job that may read less than the node gets its next order when its rate has
 *                   paid for those before. No order names so low a rate that it would take hours
 * </pre>
 *
 * <p>Within that, a job without others may have all places: another one gets the first that comes
 * back, and waits at the node for half a minute of each job before it. Thread-safe.
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
  /**
   * For how long a node reads for the orders that it has of one job, ms, and for one order, if the
   * node's own rate allows that. Much longer than orders and results wait for heartbeats, so that a
   * node with large units is busy.
   */
  static final long READ_MS_MAX = 30_000;
  /**
   * How many orders a job has at a node however long they take. One is read while the other waits
   * for heartbeats. Half of the node's threads are left for others.
   */
  private static final int LONG_AT_A_TIME = 2;
  /** How much earlier than its rate says an order is given, ms: it waits for a heartbeat. */
  private static final long AHEAD_MS = 1_000;
  /**
   * For how long it counts that a node has read, ms: as long as orders wait for it at the most.
   */
  private static final long READ_COUNTS_MS = 12 * 3_600_000;
  /** How often nodes without orders are forgotten, ms. */
  private static final long FORGET_MS = 60_000;

  /** A place, a turn in the line for one, or neither of both. Thread-safe. */
  final class Place {
    private final String uuid;
    private final String job;
    private final VersionNews news;
    private final long readMs;
    private final long paidMs;
    private boolean isInLine;
    private boolean isTaken;
    /** When the job's rate has paid for this; only if it has the place and {@code paidMs > 0}. */
    private long paidAtMs;
    private boolean isRead;

    private Place(String uuid, String job, VersionNews news, long readMs, long paidMs) {
      this.uuid = uuid;
      this.job = job;
      this.news = news;
      this.readMs = readMs;
      this.paidMs = paidMs;
    }

    /**
     * Takes the place, or stands in line for it, before all of its job that come later. The thread
     * that waits is woken when a place comes back, and has to call this again for a job whose rate
     * holds it up.
     *
     * @return whether the place is taken
     */
    boolean take() {
      boolean isMine;
      List<Place> given = List.of();
      synchronized (DigestPlaces.this) {
        if (!isTaken) {
          Node node = nodes.computeIfAbsent(uuid, one -> new Node());
          if (!isInLine) {
            isInLine = true;
            node.shares.computeIfAbsent(job, one -> new Share()).add(this, node.turns);
          }
          given = serve(node);
        }
        isMine = isTaken;
      }
      given.forEach(Place::wake);
      return isMine;
    }

    /** Notes that the node has sent a digest: it reads, and only then the job pays for that. */
    void read(long nowMs) {
      synchronized (DigestPlaces.this) {
        if (isTaken) {
          isRead = true;
          Node node = nodes.get(uuid);
          node.hasRead = true;
          node.readMs = nowMs;
          if (paidMs > 0) {
            node.shares.get(job).read(this);
          }
        }
      }
    }

    /**
     * Returns for how long this has been of no use, ms: the node has sent no digest to anything
     * here, and the job's rate was no reason for that.
     *
     * @param sinceMs when this stood in line first, monotonic ms
     */
    long inVainMs(long sinceMs, long nowMs) {
      synchronized (DigestPlaces.this) {
        long ms = nowMs - sinceMs;
        Node node = nodes.get(uuid);
        if (node != null && node.hasRead) {
          ms = Math.min(ms, nowMs - node.readMs);
        }
        Share share = node == null ? null : node.shares.get(job);
        if (share != null && share.hasRead) {
          ms = Math.min(ms, nowMs - share.readPaidAtMs);
        }
        return ms;
      }
    }

    /** Gives the place back, or leaves the line; does nothing if there is neither. */
    void release() {
      List<Place> given = List.of();
      synchronized (DigestPlaces.this) {
        Node node = nodes.get(uuid);
        if (isInLine) {
          isInLine = false;
          node.shares.get(job).leave(this, node.turns);
        } else if (isTaken) {
          isTaken = false;
          node.taken--;
          node.shares.get(job).giveBack(this, clockMs.getAsLong());
          given = serve(node);
        }
      }
      given.forEach(Place::wake);
    }

    private void wake() {
      news.come();
    }
  }

  /** What one job has at one node. */
  private static final class Share {
    private int taken;
    private long takenMs;
    /** When the job's rate has paid for all orders; only if any was given. */
    private long paidAtMs;
    private boolean isPaced;
    /** When the rate has paid for the order that was read last; only if any was read. */
    private long readPaidAtMs;
    private boolean hasRead;
    /** In the order in which they came. */
    private final Set<Place> line = new LinkedHashSet<>();

    /** Lets a place wait, and a job that has nothing here go first. */
    void add(Place place, Deque<Share> turns) {
      if (line.isEmpty() && taken == 0) {
        turns.addFirst(this);
      } else if (line.isEmpty()) {
        turns.addLast(this);
      }
      line.add(place);
    }

    void leave(Place place, Deque<Share> turns) {
      line.remove(place);
      if (line.isEmpty()) {
        turns.remove(this);
      }
    }

    boolean mayTake(long nowMs) {
      return (taken < LONG_AT_A_TIME || takenMs < READ_MS_MAX)
          && !isAheadOf(nowMs + AHEAD_MS);
    }

    /** Gives a place to the first one in the line. */
    Place give(long nowMs) {
      Place first = line.iterator().next();
      line.remove(first);
      first.isInLine = false;
      first.isTaken = true;
      first.isRead = false;
      taken++;
      takenMs += first.readMs;
      if (first.paidMs > 0) {
        paidAtMs = (isAheadOf(nowMs) ? paidAtMs : nowMs) + first.paidMs;
        isPaced = true;
        first.paidAtMs = paidAtMs;
      }
      return first;
    }

    void read(Place place) {
      hasRead = true;
      readPaidAtMs = place.paidAtMs;
    }

    void giveBack(Place place, long nowMs) {
      taken--;
      takenMs -= place.readMs;
      if (!place.isRead && place.paidMs > 0) {
        // What the time has paid for already is no credit.
        paidAtMs -= Math.max(0, Math.min(place.paidMs, place.paidAtMs - nowMs));
      }
    }

    private boolean isAheadOf(long nowMs) {
      return isPaced && paidAtMs - nowMs > 0;
    }

    /** Returns whether a new share would be the same. */
    boolean isOver(long nowMs) {
      return taken == 0 && line.isEmpty() && !isAheadOf(nowMs);
    }
  }

  private static final class Node {
    private int taken;
    /** When the node has sent a digest last, monotonic ms; only if it has sent any. */
    private long readMs;
    private boolean hasRead;
    /** By jobs. */
    private final Map<String, Share> shares = new HashMap<>();
    /** Those with a line; the first one is the next. */
    private final Deque<Share> turns = new ArrayDeque<>();
  }

  private final LongSupplier clockMs;
  /** Nodes that have orders, or had some of late, by their UUIDs. */
  private final Map<String, Node> nodes = new HashMap<>();
  private long forgottenMs;

  /** @param clockMs the time, monotonic, ms */
  DigestPlaces(LongSupplier clockMs) {
    this.clockMs = clockMs;
    this.forgottenMs = clockMs.getAsLong();
  }

  /**
   * Returns something that is not a place yet.
   *
   * @param uuid the DataNode's UUID
   * @param job the job of which the order is a part
   * @param news wakes the thread that waits for the place
   * @param readMs how long the node reads, ms
   * @param paidMs how long the job's rate takes to pay for the order, ms; 0 if the job may read as
   *     much as the node
   */
  synchronized Place of(String uuid, String job, VersionNews news, long readMs, long paidMs) {
    long nowMs = clockMs.getAsLong();
    if (nowMs - forgottenMs >= FORGET_MS) {
      forgottenMs = nowMs;
      nodes.values().forEach(node -> node.shares.values().removeIf(one -> one.isOver(nowMs)));
      nodes.values().removeIf(node -> node.shares.isEmpty()
          && !(node.hasRead && nowMs - node.readMs < READ_COUNTS_MS));
    }
    return new Place(uuid, job, news, readMs, paidMs);
  }

  /** Returns how many nodes are known. */
  synchronized int size() {
    return nodes.size();
  }

  /** Gives free places to all that may have one now, and returns them. */
  private List<Place> serve(Node node) {
    if (node.taken == AT_A_TIME) {
      return List.of();
    }
    List<Place> given = new ArrayList<>();
    long nowMs = clockMs.getAsLong();
    // Jobs in a row that may have none.
    int passed = 0;
    while (node.taken < AT_A_TIME && passed < node.turns.size()) {
      Share next = node.turns.remove();
      if (next.mayTake(nowMs)) {
        given.add(next.give(nowMs));
        node.taken++;
        passed = 0;
      } else {
        passed++;
      }
      if (!next.line.isEmpty()) {
        node.turns.add(next);
      }
    }
    return given;
  }
}
