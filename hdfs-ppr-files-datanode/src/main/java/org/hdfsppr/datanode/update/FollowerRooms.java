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
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.LogSpace;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateTicket;

/**
 * The room for new updates in the logs of followers, as far as this node knows it. A leader claims
 * room before its own log takes an update. If there is no room, no log gets the update, and the
 * term goes on; if a follower refused an update that the leader has, the term would end. All units
 * that this node leads share this object, because they share the logs. Leaders on other nodes may
 * get to know the same room; for this case each log keeps a reserve. Thread-safe.
 */
final class FollowerRooms {
  /**
   * The most logs. If there are more, the least recently used one is forgotten, and is asked again
   * before its next update.
   */
  private static final int LOGS_MOST = 1 << 14;
  /**
   * How fast leaders on other nodes may fill a log, per second. A log's answer counts only as long
   * as they cannot have used up the room.
   */
  private static final long FILL_BYTES = 512L << 20;
  private static final long FILL_RECORDS = 1 << 14;

  /**
   * The last answer of a log, and the room that updates under way have claimed. Guarded by the
   * monitor of all rooms.
   */
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
    private final UpdateTicket ticket;
    private final List<Room> rooms = new ArrayList<>();
    private final List<LogSpace> spaces = new ArrayList<>();

    private Claims(UpdateTicket ticket) {
      this.ticket = ticket;
    }

    /** Returns whether all followers certainly have room, so that they need not be asked. */
    boolean isCertain(LogSpace need) {
      return ticket.followers().stream().allMatch(follower ->
          FollowerRooms.this.isCertain(key(ticket.poolId(), follower), need));
    }

    /**
     * Claims room at all followers, until {@link #close}.
     *
     * @return a follower that has no room, in which case nothing is claimed; otherwise empty
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

    /** Gives back the claims. The answers of the followers already count these updates. */
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
  Claims claims(UpdateTicket ticket) {
    return new Claims(ticket);
  }

  /** Takes note of a follower's answer. Busy followers and old versions do not give their room. */
  synchronized void note(String pool, NodeRef follower, UpdateAnswer answer) {
    Optional<LogSpace> left = answer.room();
    if (!left.isPresent() && !answer.isDone()) {
      return;
    }
    Room room = known.computeIfAbsent(key(pool, follower), unknown -> new Room());
    // A follower of an old version does not give its room, and refuses updates for which it has
    // none.
    room.left = left.orElse(new LogSpace(Long.MAX_VALUE, Integer.MAX_VALUE));
    room.sinceNanos = nanoClock.getAsLong();
    room.keepsOldBytes = answer.keepsOldBytes();
    room.keepsDeltas = answer.keepsDeltas();
  }

  /** Returns whether a follower takes deltas, by its last answer. */
  synchronized boolean keepsDeltas(String pool, NodeRef follower) {
    Room room = known.get(key(pool, follower));
    return room != null && room.keepsDeltas;
  }

  /** Returns whether a follower keeps old bytes, by its last answer. */
  synchronized boolean keepsOldBytes(String pool, NodeRef follower) {
    Room room = known.get(key(pool, follower));
    return room != null && room.keepsOldBytes;
  }

  /** Returns whether a follower of a ticket is known to take deltas. */
  boolean anyKeepsDeltas(UpdateTicket ticket) {
    return ticket.followers().stream().anyMatch(each -> keepsDeltas(ticket.poolId(), each));
  }

  /** Returns whether a follower of a ticket is known to keep old bytes. */
  boolean anyKeepsOldBytes(UpdateTicket ticket) {
    return ticket.followers().stream().anyMatch(each -> keepsOldBytes(ticket.poolId(), each));
  }

  private synchronized boolean isCertain(Map.Entry<String, NodeRef> key, LogSpace need) {
    Room room = known.get(key);
    if (room == null) {
      return false;
    }
    long ms = TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - room.sinceNanos);
    // After this time any log may be full; the limit avoids an overflow.
    long counted = Math.min(ms, TimeUnit.HOURS.toMillis(1));
    LogSpace filled = new LogSpace(counted * FILL_BYTES / 1000,
        (int) (counted * FILL_RECORDS / 1000));
    return room.unclaimed().minus(filled).holds(need);
  }
}
