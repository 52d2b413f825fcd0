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
 * How much room for new updates the logs of followers have, as far as this node knows. A leader
 * claims room in them before its own log takes an update. If a follower has no room, no log gets
 * the update, and the term goes on. Without claims, a follower could refuse an update that the
 * leader's log already has, and the term would end. All units that this node leads share this
 * object, because a DataNode has one log for all units of a block pool. Leaders on other nodes may
 * claim the same room in a follower's log; for this case each log keeps a reserve. Thread-safe.
 */
final class FollowerRooms {
  /**
   * How many followers' logs are remembered at most. If there are more, the least recently used one
   * is forgotten, and its node is asked for the room again before the next update.
   */
  private static final int LOGS_MOST = 1 << 14;
  /**
   * How fast leaders on other nodes may fill a follower's log, bytes per second. An update needs no
   * new question to the follower as long as these leaders cannot have used up the room that its
   * last answer gave.
   */
  private static final long FILL_BYTES = 512L << 20;
  private static final long FILL_RECORDS = 1 << 14;

  /**
   * The room that a follower's last answer gave, and what updates under way have claimed of it.
   * Guarded by the monitor of {@link FollowerRooms}.
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

  /**
   * The room that updates which a leader sends together have claimed in the logs of all followers.
   * Used by one thread.
   */
  final class Claims implements AutoCloseable {
    private final UpdateTicket ticket;
    private final List<Room> rooms = new ArrayList<>();
    private final List<LogSpace> spaces = new ArrayList<>();

    private Claims(UpdateTicket ticket) {
      this.ticket = ticket;
    }

    /**
     * Returns whether all followers certainly have the needed room, so that they need not be asked.
     */
    boolean isCertain(LogSpace need) {
      return ticket.followers().stream().allMatch(follower ->
          FollowerRooms.this.isCertain(key(ticket.poolId(), follower), need));
    }

    /**
     * Claims room at all followers, until {@link #close}.
     *
     * @return a follower whose log has too little room, in which case nothing is claimed; empty if
     *     all have room
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

    /**
     * Gives back the claimed room. The followers have answered meanwhile, and the room in their
     * answers is already without what these updates take.
     */
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
  /** The rooms by block pool and follower, in the order of their last use. Guarded by this. */
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

  /**
   * Returns an object that claims room for updates which go to the followers of a ticket together.
   */
  Claims claims(UpdateTicket ticket) {
    return new Claims(ticket);
  }

  /**
   * Takes note of the room that a follower's answer gives. Busy followers and those with an old
   * version of hdfs-ppr do not give it.
   */
  synchronized void note(String pool, NodeRef follower, UpdateAnswer answer) {
    Optional<LogSpace> left = answer.room();
    if (!left.isPresent() && !answer.isDone()) {
      return;
    }
    Room room = known.computeIfAbsent(key(pool, follower), unknown -> new Room());
    // A follower with an old version of hdfs-ppr does not say how much room it has, so it counts as
    // having any; it refuses updates for which it has no room.
    room.left = left.orElse(new LogSpace(Long.MAX_VALUE, Integer.MAX_VALUE));
    room.sinceNanos = nanoClock.getAsLong();
    room.keepsOldBytes = answer.keepsOldBytes();
    room.keepsDeltas = answer.keepsDeltas();
  }

  /** Returns whether a follower's last answer says that its log takes deltas. */
  synchronized boolean keepsDeltas(String pool, NodeRef follower) {
    Room room = known.get(key(pool, follower));
    return room != null && room.keepsDeltas;
  }

  /**
   * Returns whether a follower's last answer says that it keeps the bytes that updates overwrite.
   */
  synchronized boolean keepsOldBytes(String pool, NodeRef follower) {
    Room room = known.get(key(pool, follower));
    return room != null && room.keepsOldBytes;
  }

  /** Returns whether at least one follower of a ticket is known to take deltas. */
  boolean anyKeepsDeltas(UpdateTicket ticket) {
    return ticket.followers().stream().anyMatch(each -> keepsDeltas(ticket.poolId(), each));
  }

  /**
   * Returns whether at least one follower of a ticket is known to keep the bytes that updates
   * overwrite.
   */
  boolean anyKeepsOldBytes(UpdateTicket ticket) {
    return ticket.followers().stream().anyMatch(each -> keepsOldBytes(ticket.poolId(), each));
  }

  private synchronized boolean isCertain(Map.Entry<String, NodeRef> key, LogSpace need) {
    Room room = known.get(key);
    if (room == null) {
      return false;
    }
    long ms = TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - room.sinceNanos);
    // At this rate any log may be full after an hour. The limit keeps the products below from
    // overflowing.
    long counted = Math.min(ms, TimeUnit.HOURS.toMillis(1));
    LogSpace filled = new LogSpace(counted * FILL_BYTES / 1000,
        (int) (counted * FILL_RECORDS / 1000));
    return room.unclaimed().minus(filled).holds(need);
  }
}
