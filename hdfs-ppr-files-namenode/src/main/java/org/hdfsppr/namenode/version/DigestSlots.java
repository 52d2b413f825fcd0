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

/**
 * Bounds how many orders for digests each DataNode has, and decides in which order the others wait
 * for a place. All groups of all files ask for digests as soon as their links exist: thousands of
 * orders. A DataNode would refuse most of them, and the same orders would come again and again, and
 * hold up links, makings and patches.
 *
 * <p>A DataNode reads in the order in which its orders come, and has few threads for that. An order
 * that it has accepted cannot be pre-empted. So no job gives a node more work than others can wait
 * for:
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
 * <p>Within these bounds, a job that is alone may have all places. Another job then gets the first
 * place that comes back, and waits at the node for half a minute of each job before it.
 * Thread-safe.
 */
final class DigestSlots {
  /**
   * How many orders for digests one node has at a time. It reads four of them at a time, and the
   * others keep it busy between two heartbeats, a second apart: a small file needs some ten orders,
   * so that twelve nodes can read for 75 small files in a second. This is half of the commands that
   * may wait for a heartbeat, and half of those that may wait at a node; the other half is for
   * links, makings and commits, and for other NameNodes.
   */
  static final int AT_A_TIME = 64;
  /**
   * The longest time for which a node reads for all its orders of one job, ms, and for one order if
   * the node's own rate allows that. It is much longer than orders and results wait for heartbeats,
   * so that a node with large units stays busy.
   */
  static final long READ_MS_MAX = 30_000;
  /**
   * How many orders of a job a node has however long they take: it reads one while the other waits
   * for heartbeats. This leaves half of the node's threads to others.
   */
  private static final int LONG_AT_A_TIME = 2;
  /** How long before its rate has paid for an order a job gets it, ms: it waits for a heartbeat. */
  private static final long AHEAD_MS = 1_000;
  /**
   * For how long a node counts as one that has read, ms: the longest time that orders wait for it.
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
    /**
     * When the job's rate has paid for this order, monotonic ms; only with a place and {@code
     * paidMs > 0}.
     */
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
     * Takes the place, or stands in line for it before later orders of the same job. When a place
     * comes back, the waiting thread is woken; a job that its rate holds up has to call this again.
     * @return whether the place is taken
     */
    boolean take() {
      boolean isMine;
      List<Place> given = List.of();
      synchronized (DigestSlots.this) {
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

    /**
     * Notes that the node has sent a digest. Only an order for which the node reads costs the job's
     * rate.
     */
    void read(long nowMs) {
      synchronized (DigestSlots.this) {
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
     * Returns for how long this order has waited in vain, ms: the node has sent no digest of
     * anything in that time, and the job's rate did not hold the order up.
     * @param sinceMs when this stood in line first, monotonic ms
     */
    long inVainMs(long sinceMs, long nowMs) {
      synchronized (DigestSlots.this) {
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
      synchronized (DigestSlots.this) {
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

  /** The orders of one job at one node. */
  private static final class Share {
    private int taken;
    private long takenMs;
    /** When the job's rate has paid for all its orders, monotonic ms; only if it was given any. */
    private long paidAtMs;
    private boolean isPaced;
    /**
     * When the job's rate has paid for its last order that was read, monotonic ms; only if any was.
     */
    private long readPaidAtMs;
    private boolean hasRead;
    /** The waiting orders; the one that came first is first. */
    private final Set<Place> line = new LinkedHashSet<>();

    /** Puts an order into the line. A job that has nothing at this node has the next turn. */
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

    /** Gives a place to the first order of the line. */
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
        // The rate has paid for the time that has passed; only the rest comes back.
        paidAtMs -= Math.max(0, Math.min(place.paidMs, place.paidAtMs - nowMs));
      }
    }

    private boolean isAheadOf(long nowMs) {
      return isPaced && paidAtMs - nowMs > 0;
    }

    /** Returns whether a new share would behave as this one, so that this one can be forgotten. */
    boolean isOver(long nowMs) {
      return taken == 0 && line.isEmpty() && !isAheadOf(nowMs);
    }
  }

  private static final class Node {
    private int taken;
    /** When the node has sent a digest last, monotonic ms; only if it has sent any. */
    private long readMs;
    private boolean hasRead;
    /** The shares by their jobs. */
    private final Map<String, Share> shares = new HashMap<>();
    /** The shares whose lines are not empty; the first one has the next turn. */
    private final Deque<Share> turns = new ArrayDeque<>();
  }

  private final LongSupplier clockMs;
  /** Nodes that have orders, or had some lately, by their UUIDs. */
  private final Map<String, Node> nodes = new HashMap<>();
  private long forgottenMs;

  /** @param clockMs the time, monotonic, ms */
  DigestSlots(LongSupplier clockMs) {
    this.clockMs = clockMs;
    this.forgottenMs = clockMs.getAsLong();
  }

  /**
   * Returns a handle for an order, which has neither a place nor a turn yet.
   *
   * @param uuid the DataNode's UUID
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
    // The number of jobs in a row that may take no place now.
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
