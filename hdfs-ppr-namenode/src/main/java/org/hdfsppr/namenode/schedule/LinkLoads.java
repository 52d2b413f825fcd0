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
 * The load that repairs, and work that is less urgent than repairs, put on the links and disks of
 * DataNodes. Repairs go first: a making or a check begins only if no repair has used any of its
 * nodes for {@link #QUIET_MS}. On a large cluster, where a repair is nearly always under way
 * somewhere, such work goes on at all other nodes.
 *
 * <p>Makings and patches count together against {@link #STREAMS_MAX}. A tree is as fast as its
 * slowest link. If few makings are under way, most links idle while they wait for slower ones; if
 * there are very many, a user shares the link with all of them. The bound holds for both directions
 * of a node's link, because a node that stores more units than others sends for many makings that
 * other nodes receive.
 *
 * <p>An operator's rate in bytes/s may limit the work, too. Each rate has a name. Work with a rate
 * may begin only when the earlier work with this rate would have moved its bytes at that rate.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class LinkLoads {
  /** The kinds of work that are less urgent than repairs. */
  public enum Work {
    /** A unit of a new version, or of a parity file of CORE, is made from units of other nodes. */
    MAKING(STREAMS_MAX, SHORT_BYTES_MAX),
    /**
     * A commit changes a unit on the DataNode that stores it. Writers wait for commits while their
     * update logs are full, so that a patch begins even if repairs or makings use its nodes. It
     * counts for the bounds of makings, of which fewer then begin beside it.
     */
    PATCH(Integer.MAX_VALUE, Long.MAX_VALUE),
    /** All units of a group are read and compared. A node takes part in one check at a time. */
    CHECK(1, 0);

    private final int streamsMax;
    private final long shortBytesMax;

    Work(int streamsMax, long shortBytesMax) {
      this.streamsMax = streamsMax;
      this.shortBytesMax = shortBytesMax;
    }
  }

  /**
   * How many makings may send over a node's link at a time, and how many may receive. By
   * calculation for 20 DataNodes, the makings of a file take 2% longer with this bound than without
   * a bound, and 10% longer with a bound of four.
   */
  static final int STREAMS_MAX = 8;
  /**
   * Makings beyond {@link #STREAMS_MAX} may share a link if all makings on it together move no more
   * bytes than this. Makings of short units spend more time waiting for heartbeats than moving
   * bytes.
   */
  static final long SHORT_BYTES_MAX = 32 << 20;
  /**
   * For how long after its last repair a node is kept free for further repairs, ms: several
   * heartbeats. A node gets its next repair with a heartbeat, and other work must not have taken
   * the node's links by then.
   */
  public static final long QUIET_MS = 10_000;
  /**
   * How old an event may be that {@link #whyNot} calls recent, ms: longer than the time between two
   * tries to begin waiting work.
   */
  private static final long LATELY_MS = 5_000;
  /** The time between two removals of the entries of rates that are free, ms. */
  private static final long FORGET_MS = 1_000;
  private static final long MS_PER_SECOND = 1_000;

  /** The work under way in one direction of a link. */
  private static final class Direction {
    private int streams;
    private long bytes;
  }

  /** The bytes by which some work uses up a rate. Immutable. */
  public static final class Cost {
    private final String rate;
    private final long bytes;
    private final long bytesPerSecond;

    /**
     * @param rate name of the rate; work with the same rate begins one after the other
     * @param bytes the bytes that the work moves
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
   * The load of one making, patch or check, from its plan to its end. The owner must call {@link
   * #end} or {@link #withdraw}. Thread-safe.
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
     * @param costs the bytes that the work moves, and their rates
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
     * Begins the work if it may begin: takes a place at the links of all its nodes, and makes its
     * rates busy.
     *
     * @param costs the bytes that the work moves, and their rates
     * @param nowMs the time, monotonic, ms
     * @return whether the work begins; if not, nothing has changed
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

    /**
     * Undoes {@link #begin} if the work was not started after it: frees the places and the rates.
     */
    public void withdraw() {
      synchronized (LinkLoads.this) {
        // begin() found each of these rates free, so that no other work's entry is removed.
        paid.forEach(cost -> freeAtMs.remove(cost.rate));
        paid = List.of();
        end();
      }
    }

    /**
     * Frees the places at the links. The work's rates stay busy for its bytes. A second call does
     * nothing.
     */
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

    /**
     * Counts checks apart from makings and patches, so that makings that never end cannot keep
     * checks from beginning.
     */
    private String key(String node) {
      return work == Work.CHECK ? "check " + node : node;
    }

    /**
     * @return whether a repair uses one of the nodes now, or has used it in the last {@link
     *     #QUIET_MS}
     */
    public boolean isBesideRepairs(long nowMs) {
      synchronized (LinkLoads.this) {
        return anyRepair(sending, nowMs) || anyRepair(receiving, nowMs);
      }
    }
  }

  /**
   * The streams and bytes that nodes send, by their UUIDs, with checks counted apart; nodes without
   * load have no entry.
   */
  private final Map<String, Direction> sent = new HashMap<>();
  private final Map<String, Direction> received = new HashMap<>();
  private final Map<String, Long> planned = new HashMap<>();
  /** When a repair used a node the last time, monotonic ms; only of the last {@link #QUIET_MS}. */
  private final Map<String, Long> repairsMs = new HashMap<>();
  /** When repairs last held up work of each kind, monotonic ms. */
  private final Map<Work, Long> heldUpMs = new EnumMap<>(Work.class);
  /** When work of each kind last began, monotonic ms. */
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

  /** @return whether no repair uses any node now, or has used one in the last {@link #QUIET_MS} */
  public synchronized boolean areAllQuiet() {
    return repairsMs.isEmpty();
  }

  /**
   * Says whether repairs hold up some work, and remembers it for {@link #whyNot}.
   *
   * @param work makings, or checks
   * @param nodes UUIDs of the DataNodes that the work needs
   * @param nowMs the time, monotonic, ms
   * @return whether a repair uses one of the nodes now, or has used it in the last {@link
   *     #QUIET_MS}
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
   * Explains why no work of a kind begins.
   *
   * @param work makings, or checks
   * @param nowMs the time, monotonic, ms
   * @return a sentence without a full stop that says that repairs go first; empty if repairs have
   *     held up no such work in the last seconds, or if some has begun in the last seconds
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
   * @param work the kind of work
   * @param sending UUIDs of the nodes that send a unit's bytes
   * @param receiving UUIDs of the nodes that receive a unit's bytes
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

  /** @return how many entries the maps of loads by nodes have, for tests */
  public synchronized int size() {
    return sent.size() + received.size() + planned.size();
  }
}
