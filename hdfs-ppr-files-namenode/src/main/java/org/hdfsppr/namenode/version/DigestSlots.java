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
 * Bounds how many orders for digests each DataNode has at a time. An order needs a place at its
 * node; this class decides which waiting order gets the next place. All groups of all files ask for
 * digests as soon as their links exist: thousands of orders. Without a bound, a DataNode would
 * refuse most of them, and the same orders would come again and again, and hold up the orders that
 * link, make and patch units.
 *
 * <p>A DataNode reads for its orders in the sequence in which they come, and has few threads for
 * that. It finishes an order that it has accepted before it begins a later one. So a job gets
 * places at a node only for as much work as other jobs can wait for:
 *
 * <pre>
 *   turns           the jobs get free places in turn; in a job, the order that has waited longest
 *                   is first. An order that the node has refused goes to the end of its job's line,
 *                   so that it does not hold up the others
 *   half a minute   all orders that a node has of one job take no longer than that to read. Only
 *                   two orders may take longer, each of which holds one of the node's threads
 *   the job's rate  a job that may read less than the node gets its next order only when its rate
 *                   allows it after the orders before. No order names a rate so low that the order
 *                   would take hours
 * </pre>
 *
 * <p>Within these bounds, a job that is alone may have all places. Another job then gets the first
 * place that becomes free. At the node it waits for half a minute for each job that came before it.
 * Thread-safe.
 */
final class DigestSlots {
  /**
   * How many orders for digests one node has at a time. It reads four of them at a time, and the
   * others keep it busy between two heartbeats. These come every second, and a small file needs
   * some ten orders, so that twelve nodes can read for 75 small files in a second. This is half of
   * the commands that may wait for a heartbeat, and half of those that may wait at a node; the
   * other half is for links, makings and commits, and for other NameNodes.
   */
  static final int AT_A_TIME = 64;
  /**
   * For how long a node reads for all its orders of one job at the most, ms; also for one order, if
   * the node's own rate allows that. It is much longer than orders and results wait for heartbeats,
   * so that a node with large units stays busy.
   */
  static final long READ_MS_MAX = 30_000;
  /**
   * How many orders of a job a node may have even if they take longer than {@link #READ_MS_MAX}:
   * the node reads for one of them while the other one waits for heartbeats. This leaves half of
   * the node's threads to other jobs.
   */
  private static final int LONG_AT_A_TIME = 2;
  /**
   * A job gets its next order this long before its rate allows it, ms, because the order first
   * waits for a heartbeat.
   */
  private static final long AHEAD_MS = 1_000;
  /**
   * For how long this class remembers that a node has read something, ms: as long as orders wait
   * for a node at the most.
   */
  private static final long READ_COUNTS_MS = 12 * 3_600_000;
  /** How often nodes without orders are forgotten, ms. */
  private static final long FORGET_MS = 60_000;

  /** The state of one order: it has a place, waits in the line for one, or neither. Thread-safe. */
  final class Place {
    private final String uuid;
    private final String job;
    private final VersionNews news;
    private final long readMs;
    private final long paidMs;
    private boolean isInLine;
    private boolean isTaken;
    /**
     * When the job's rate allows the order to end, monotonic ms; only while the order has a place
     * and {@code paidMs > 0}.
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
     * Takes a place, or joins the line for one, in which it stands before later orders of the same
     * job. When a place becomes free for this order, the waiting making is woken. If the job's rate
     * is what holds the order up, the making has to call this method again.
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
     * Notes that the node has sent a digest for this order. An order for which the node has read
     * nothing does not count against the job's rate.
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
     * Returns how long this order has waited while the node sent no digest of anything, and while
     * the job's rate did not hold the order up, ms.
     * @param sinceMs when this order first joined the line, monotonic ms
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

    /**
     * Gives the place back, or leaves the line. Does nothing if the order has neither a place nor a
     * position in the line.
     */
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
    /**
     * Until when the job's rate is used up by all orders that it was given, monotonic ms; only if
     * there was any.
     */
    private long paidAtMs;
    private boolean isPaced;
    /**
     * Until when the job's rate was used up by its last order for which the node has read,
     * monotonic ms; only if there was one.
     */
    private long readPaidAtMs;
    private boolean hasRead;
    /** The waiting orders; the one that came first is first. */
    private final Set<Place> line = new LinkedHashSet<>();

    /**
     * Puts an order into the line. If the job has no other order at this node, it has the next turn
     * among the jobs.
     */
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

    /** Gives a place to the order that is first in the line. */
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
        // The node has read nothing for this order. Of the time that it took from the job's rate,
        // the part that has passed is lost, and only the rest comes back.
        paidAtMs -= Math.max(0, Math.min(place.paidMs, place.paidAtMs - nowMs));
      }
    }

    private boolean isAheadOf(long nowMs) {
      return isPaced && paidAtMs - nowMs > 0;
    }

    /**
     * Returns whether a new share would behave in the same way as this one, so that this one can be
     * removed.
     */
    boolean isOver(long nowMs) {
      return taken == 0 && line.isEmpty() && !isAheadOf(nowMs);
    }
  }

  private static final class Node {
    private int taken;
    /** When the node sent its last digest, monotonic ms; only if it has sent one. */
    private long readMs;
    private boolean hasRead;
    /** The orders of each job, by the id of the job. */
    private final Map<String, Share> shares = new HashMap<>();
    /** The jobs that have waiting orders; the first one has the next turn. */
    private final Deque<Share> turns = new ArrayDeque<>();
  }

  private final LongSupplier clockMs;
  /** Nodes that have orders, or had some not long ago, by their UUIDs. */
  private final Map<String, Node> nodes = new HashMap<>();
  private long forgottenMs;

  /** @param clockMs returns the time, monotonic, ms */
  DigestSlots(LongSupplier clockMs) {
    this.clockMs = clockMs;
    this.forgottenMs = clockMs.getAsLong();
  }

  /**
   * Returns a handle for an order, which has neither a place nor a position in the line yet.
   *
   * @param uuid the DataNode's UUID
   * @param job id of the job to which the order belongs
   * @param news wakes the making that waits for the place
   * @param readMs for how long the node reads for the order, ms
   * @param paidMs for how long the job would have to read at its own rate to be allowed the bytes
   *     of the order, ms; 0 if the job may read as much as the node
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

  /** Returns how many nodes this class remembers. */
  synchronized int size() {
    return nodes.size();
  }

  /**
   * Gives the free places of a node to waiting orders as far as the bounds allow, and returns these
   * orders.
   */
  private List<Place> serve(Node node) {
    if (node.taken == AT_A_TIME) {
      return List.of();
    }
    List<Place> given = new ArrayList<>();
    long nowMs = clockMs.getAsLong();
    // How many jobs in a row may take no place now.
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
