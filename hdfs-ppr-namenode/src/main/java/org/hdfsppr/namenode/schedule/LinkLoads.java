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
package org.hdfsppr.namenode.schedule;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What repairs, and work that is less urgent than repairs, put on the links and disks of DataNodes.
 * Repairs go first: a making or a check begins only at nodes that no repair has used for {@link
 * #QUIET_MS}. On a large cluster, where a repair is nearly always under way somewhere, such work
 * goes on at all other nodes.
 *
 * <p>Makings and patches share the bounds of streams. A tree is as fast as its slowest link. If few
 * makings are under way, most links idle while they wait for others; if there are very many, a user
 * shares the link with all of them. The bound holds for both ends of a tree's links, and not only
 * for the node that makes a unit: a node with more units of members than others sends for many
 * makings that others receive.
 *
 * <p>Rates have names. Work may begin when each of its rates has had the time to move the bytes of
 * the work before it. Thread-safe.
 */
@InterfaceAudience.Private
public final class LinkLoads {
  /** What is less urgent than repairs. */
  public enum Work {
    /** A unit of a new version, or of a parity file of CORE, is made from units of other nodes. */
    MAKING(STREAMS_MAX, SHORT_BYTES_MAX),
    /**
     * A commit changes a unit where it lies. Writers wait for commits while their logs are full,
     * so that a patch begins in any case; makings beside it get fewer places.
     */
    PATCH(Integer.MAX_VALUE, Long.MAX_VALUE),
    /** All units of a group are read and compared; a node takes part in one check at a time. */
    CHECK(1, 0);

    private final int streamsMax;
    private final long shortBytesMax;

    Work(int streamsMax, long shortBytesMax) {
      this.streamsMax = streamsMax;
      this.shortBytesMax = shortBytesMax;
    }
  }

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
  /**
   * For how long a node belongs to repairs after it has had one, ms: three heartbeats. The next
   * repair of a node goes out with a heartbeat, and must not find links that others have taken
   * meanwhile.
   */
  public static final long QUIET_MS = 10_000;
  /** What {@link #whyNot} takes for lately, ms: longer than any work waits between two looks. */
  private static final long LATELY_MS = 5_000;
  /** How often rates that are free are forgotten, ms. */
  private static final long FORGET_MS = 1_000;
  private static final long MS_PER_SECOND = 1_000;

  /** What is under way in one direction of a link. */
  private static final class Direction {
    private int streams;
    private long bytes;
  }

  /** Bytes that some work costs at a rate. Immutable. */
  public static final class Cost {
    private final String rate;
    private final long bytes;
    private final long bytesPerSecond;

    /**
     * @param rate name of the rate; costs with the same name are paid one after the other
     * @param bytes the bytes
     * @param bytesPerSecond the rate; 0 for no limit
     */
    public Cost(String rate, long bytes, long bytesPerSecond) {
      this.rate = rate;
      this.bytes = bytes;
      this.bytesPerSecond = bytesPerSecond;
    }

    /** @return how long the rate takes for the bytes, ms; 0 if there is no limit */
    public long millis() {
      return bytesPerSecond == 0 ? 0 : bytes / bytesPerSecond * MS_PER_SECOND
          + bytes % bytesPerSecond * MS_PER_SECOND / bytesPerSecond;
    }
  }

  /**
   * The load of one making, patch or check, from its plan to its end. Its owner has to end it.
   * Thread-safe.
   */
  public final class Booking {
    private final Work work;
    private final List<String> sending;
    private final List<String> receiving;
    private final long unitBytes;
    private List<Cost> paid = List.of();
    private boolean isBegun;
    private boolean isEnded;

    private Booking(Work work, Collection<String> sending, Collection<String> receiving,
        long unitBytes) {
      this.work = work;
      this.sending = new ArrayList<>(sending);
      this.receiving = new ArrayList<>(receiving);
      this.unitBytes = unitBytes;
    }

    /**
     * Says whether the work may begin now.
     *
     * @param costs what it costs
     * @param nowMs the time, monotonic, ms
     * @return whether no repair, no other work and no rate holds it up
     */
    public boolean mayBegin(List<Cost> costs, long nowMs) {
      synchronized (LinkLoads.this) {
        if (work != Work.PATCH && (isHeldUp(work, sending, nowMs)
            || isHeldUp(work, receiving, nowMs))) {
          return false;
        }
        return sending.stream().allMatch(node -> hasRoom(sent, node))
            && receiving.stream().allMatch(node -> hasRoom(received, node))
            && costs.stream().allMatch(cost -> isFree(cost.rate, nowMs));
      }
    }

    /**
     * Takes a place at all links and pays all costs, or does neither.
     *
     * @param costs what the work costs
     * @param nowMs the time, monotonic, ms
     * @return whether the work begins
     */
    public boolean begin(List<Cost> costs, long nowMs) {
      synchronized (LinkLoads.this) {
        forgetFree(nowMs);
        if (!mayBegin(costs, nowMs)) {
          return false;
        }
        begunMs.put(work, nowMs);
        costs.stream().filter(cost -> cost.bytesPerSecond > 0)
            .forEach(cost -> freeAtMs.put(cost.rate, nowMs + cost.millis()));
        paid = costs;
        isBegun = true;
        move(1);
        return true;
      }
    }

    private boolean hasRoom(Map<String, Direction> all, String node) {
      Direction direction = all.get(key(node));
      return direction == null || direction.streams < work.streamsMax
          || direction.bytes + unitBytes <= work.shortBytesMax;
    }

    /** Gives everything back, because the work has not begun in spite of {@link #begin}. */
    public void withdraw() {
      synchronized (LinkLoads.this) {
        // Each of them was free before.
        paid.forEach(cost -> freeAtMs.remove(cost.rate));
        paid = List.of();
        end();
      }
    }

    /** Gives the places back. What was paid stays paid. A second call does nothing. */
    public void end() {
      synchronized (LinkLoads.this) {
        if (isBegun) {
          isBegun = false;
          move(-1);
        }
        if (!isEnded) {
          isEnded = true;
          plan(-1);
        }
      }
    }

    private void plan(int sign) {
      receiving.forEach(node -> {
        planned.merge(node, sign * unitBytes, Long::sum);
        planned.remove(node, 0L);
      });
    }

    private void move(int streams) {
      sending.forEach(node -> add(sent, key(node), streams, streams * unitBytes));
      receiving.forEach(node -> add(received, key(node), streams, streams * unitBytes));
    }

    /** Checks have places of their own: makings that never end must not keep them away. */
    private String key(String node) {
      return work == Work.CHECK ? "check " + node : node;
    }

    /** @return whether a repair uses one of the nodes now, or has used it lately */
    public boolean isBesideRepairs(long nowMs) {
      synchronized (LinkLoads.this) {
        return anyRepair(sending, nowMs) || anyRepair(receiving, nowMs);
      }
    }
  }

  /** The loads by the UUIDs of nodes; nodes without load have no entry. */
  private final Map<String, Direction> sent = new HashMap<>();
  private final Map<String, Direction> received = new HashMap<>();
  private final Map<String, Long> planned = new HashMap<>();
  /** When a repair used a node the last time, monotonic ms; only of the last {@link #QUIET_MS}. */
  private final Map<String, Long> repairsMs = new HashMap<>();
  /** When repairs held up some work the last time, monotonic ms. */
  private final Map<Work, Long> heldUpMs = new EnumMap<>(Work.class);
  /** When some work began the last time, monotonic ms. */
  private final Map<Work, Long> begunMs = new EnumMap<>(Work.class);
  /** When each rate is free again, monotonic ms; free rates have no entry. */
  private final Map<String, Long> freeAtMs = new HashMap<>();
  private long forgottenMs = Long.MIN_VALUE / 2;

  /**
   * Takes note of the nodes that repairs use now. The repair manager calls this in each cycle.
   *
   * @param uuids the nodes from which repairs read, and to which they write
   * @param nowMs the time, monotonic, ms
   */
  public synchronized void repairsAt(Collection<String> uuids, long nowMs) {
    uuids.forEach(uuid -> repairsMs.put(uuid, nowMs));
    repairsMs.values().removeIf(usedMs -> nowMs - usedMs >= QUIET_MS);
  }

  /** @return whether no repair uses any node now, or has used one lately */
  public synchronized boolean areAllQuiet() {
    return repairsMs.isEmpty();
  }

  /**
   * Says whether repairs hold up some work, and remembers it for {@link #whyNot}.
   *
   * @param work makings, or checks
   * @param nodes UUIDs of DataNodes that it needs
   * @param nowMs the time, monotonic, ms
   * @return whether a repair uses one of the nodes now, or has used it lately
   */
  public synchronized boolean isHeldUp(Work work, Collection<String> nodes, long nowMs) {
    boolean isHeldUp = anyRepair(nodes, nowMs);
    if (isHeldUp) {
      heldUpMs.put(work, nowMs);
    }
    return isHeldUp;
  }

  private boolean anyRepair(Collection<String> nodes, long nowMs) {
    for (String node : nodes) {
      Long usedMs = repairsMs.get(node);
      if (usedMs != null && nowMs - usedMs < QUIET_MS) {
        return true;
      }
    }
    return false;
  }

  /**
   * @param work makings, or checks
   * @param nowMs the time, monotonic, ms
   * @return that repairs hold up such work, as a sentence without a full stop; empty if they have
   *     held up none lately, or if other work of this kind has begun lately
   */
  public synchronized Optional<String> whyNot(Work work, long nowMs) {
    return repairsMs.isEmpty() || !isLately(heldUpMs.get(work), nowMs)
        || isLately(begunMs.get(work), nowMs) ? Optional.empty()
        : Optional.of("repairs go first at " + repairsMs.size()
            + (repairsMs.size() == 1 ? " DataNode" : " DataNodes"));
  }

  private static boolean isLately(Long timeMs, long nowMs) {
    return timeMs != null && nowMs - timeMs < LATELY_MS;
  }

  /**
   * Takes note of some work that is planned.
   *
   * @param work what it is
   * @param sending UUIDs of the nodes that send a unit's bytes
   * @param receiving UUIDs of the nodes that receive as many
   * @param unitBytes bytes of a unit
   * @return the work's load, which begins later
   */
  public synchronized Booking plan(Work work, Collection<String> sending,
      Collection<String> receiving, long unitBytes) {
    Booking booking = new Booking(work, sending, receiving, unitBytes);
    booking.plan(1);
    return booking;
  }

  /**
   * @param node UUID of a DataNode
   * @return the bytes that the node will receive for work that is planned or under way
   */
  public synchronized long planned(String node) {
    return planned.getOrDefault(node, 0L);
  }

  private boolean isFree(String rate, long nowMs) {
    return freeAtMs.getOrDefault(rate, nowMs) <= nowMs;
  }

  private void forgetFree(long nowMs) {
    if (nowMs - forgottenMs >= FORGET_MS) {
      forgottenMs = nowMs;
      freeAtMs.values().removeIf(free -> free <= nowMs);
    }
  }

  private static void add(Map<String, Direction> all, String key, int streams, long bytes) {
    Direction direction = all.computeIfAbsent(key, none -> new Direction());
    direction.streams += streams;
    direction.bytes += bytes;
    if (direction.streams == 0) {
      all.remove(key);
    }
  }

  /** @return how many entries there are for nodes with anything planned or under way */
  public synchronized int size() {
    return sent.size() + received.size() + planned.size();
  }
}
