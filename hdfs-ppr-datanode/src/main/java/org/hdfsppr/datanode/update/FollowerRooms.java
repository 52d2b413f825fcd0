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
package org.hdfsppr.datanode.update;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.LogSpace;
import org.hdfsppr.update.append.Ticket;
import org.hdfsppr.update.append.UpdateAnswer;

/**
 * What this node knows of the room for new updates in the logs of its followers. A leader claims
 * room before its own log takes an update. If there is none, no log has the update, and the term
 * goes on; a follower that refused what the leader has would end it. All units that this node leads
 * share what is known, because they share the logs. Leaders on other nodes may hear of the same
 * room; for them a log keeps a part in reserve. Thread-safe.
 */
@InterfaceAudience.Private
final class FollowerRooms {
  /**
   * The most logs. Beyond it, the one that was used the longest time ago is asked again before its
   * next update.
   */
  private static final int LOGS_MOST = 1 << 14;
  /**
   * How fast the leaders of other nodes may fill a log, per second. What a log said is certain only
   * as long as they cannot have used it up.
   */
  private static final long FILL_BYTES = 512L << 20;
  private static final long FILL_RECORDS = 1 << 14;

  /** The last answer of a log, and what is under way to it. Guarded by the monitor of all. */
  private static final class Room {
    private LogSpace left;
    private long sinceNanos;
    private LogSpace claimed = LogSpace.NONE;
    private boolean keepsOldBytes;
    private boolean keepsDeltas;

    LogSpace unclaimed() {
      return left.minus(claimed);
    }
  }

  /** The room that the updates of one turn have claimed. Used by one thread. */
  final class Claims implements AutoCloseable {
    private final Ticket ticket;
    private final List<Room> rooms = new ArrayList<>();
    private final List<LogSpace> spaces = new ArrayList<>();

    private Claims(Ticket ticket) {
      this.ticket = ticket;
    }

    /** Returns whether it is certain that all followers have room, without a question to them. */
    boolean isCertain(LogSpace need) {
      return ticket.followers().stream().allMatch(follower ->
          FollowerRooms.this.isCertain(key(ticket.poolId(), follower), need));
    }

    /**
     * Claims room at all followers, until {@link #close}.
     *
     * @return a follower that has no room; nothing is claimed then
     */
    Optional<NodeRef> claim(LogSpace need) {
      synchronized (FollowerRooms.this) {
        List<Room> all = new ArrayList<>();
        for (NodeRef follower : ticket.followers()) {
          Room room = known.get(key(ticket.poolId(), follower));
          if (room == null || !room.unclaimed().holds(need)) {
            return Optional.of(follower);
          }
          all.add(room);
        }
        for (Room room : all) {
          room.claimed = room.claimed.plus(need);
          rooms.add(room);
          spaces.add(need);
        }
        return Optional.empty();
      }
    }

    /** Gives back what was claimed: the answers of the followers have counted it. */
    @Override
    public void close() {
      synchronized (FollowerRooms.this) {
        for (int i = 0; i < rooms.size(); i++) {
          rooms.get(i).claimed = rooms.get(i).claimed.minus(spaces.get(i));
        }
        rooms.clear();
        spaces.clear();
      }
    }
  }

  private final LongSupplier nanoClock;
  /** By pool and node, in the order of their last use. Guarded by this. */
  private final Map<Map.Entry<String, NodeRef>, Room> known =
      new LinkedHashMap<Map.Entry<String, NodeRef>, Room>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Map.Entry<String, NodeRef>, Room> eldest) {
          return size() > LOGS_MOST;
        }
      };

  /** @param nanoClock a monotonic clock, ns */
  FollowerRooms(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  private static Map.Entry<String, NodeRef> key(String pool, NodeRef follower) {
    return Map.entry(pool, follower);
  }

  /** Returns the claims of a turn of updates. */
  Claims claims(Ticket ticket) {
    return new Claims(ticket);
  }

  /** Takes note of an answer. One of a busy follower does not say it, nor one of an old version. */
  synchronized void note(String pool, NodeRef follower, UpdateAnswer answer) {
    Optional<LogSpace> left = answer.room();
    if (!left.isPresent() && !answer.isDone()) {
      return;
    }
    Room room = known.computeIfAbsent(key(pool, follower), unknown -> new Room());
    // A follower that does not say it refuses what it has no room for.
    room.left = left.orElse(new LogSpace(Long.MAX_VALUE, Integer.MAX_VALUE));
    room.sinceNanos = nanoClock.getAsLong();
    room.keepsOldBytes = answer.keepsOldBytes();
    room.keepsDeltas = answer.keepsDeltas();
  }

  /** Returns whether a follower has said in its last answer that it knows deltas. */
  synchronized boolean keepsDeltas(String pool, NodeRef follower) {
    Room room = known.get(key(pool, follower));
    return room != null && room.keepsDeltas;
  }

  /** Returns whether a follower has said in its last answer that it keeps old bytes. */
  synchronized boolean keepsOldBytes(String pool, NodeRef follower) {
    Room room = known.get(key(pool, follower));
    return room != null && room.keepsOldBytes;
  }

  /** Returns whether a follower of a ticket is known to take deltas. */
  boolean anyKeepsDeltas(Ticket ticket) {
    return ticket.followers().stream().anyMatch(each -> keepsDeltas(ticket.poolId(), each));
  }

  /** Returns whether a follower of a ticket is known to keep old bytes. */
  boolean anyKeepsOldBytes(Ticket ticket) {
    return ticket.followers().stream().anyMatch(each -> keepsOldBytes(ticket.poolId(), each));
  }

  private synchronized boolean isCertain(Map.Entry<String, NodeRef> key, LogSpace need) {
    Room room = known.get(key);
    if (room == null) {
      return false;
    }
    long ms = TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - room.sinceNanos);
    // Beyond this time, any log may be full.
    long counted = Math.min(ms, TimeUnit.HOURS.toMillis(1));
    LogSpace filled = new LogSpace(counted * FILL_BYTES / 1000,
        (int) (counted * FILL_RECORDS / 1000));
    return room.unclaimed().minus(filled).holds(need);
  }
}
