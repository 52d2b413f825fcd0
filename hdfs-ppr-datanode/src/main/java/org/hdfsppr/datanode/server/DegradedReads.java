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
package org.hdfsppr.datanode.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;

/**
 * Remembers the block groups whose lost units clients read with this node's help. Such a group is
 * more urgent to repair than others, so heartbeats report it to the NameNodes. Each note of a group
 * has a number. A caller that reports notes asks for the notes with larger numbers than the last
 * note that it has reported. A group that clients read again and again gets a new note once in
 * {@link #AGAIN_NANOS}. Thread-safe.
 */
@InterfaceAudience.Private
public final class DegradedReads {
  /**
   * The most groups of one block pool that this class remembers. A further group displaces the
   * group with the oldest note.
   */
  static final int GROUPS_MAX = 4096;
  /**
   * The least time between two notes of a group, ns. It is much shorter than the time after which a
   * NameNode forgets a group. A NameNode therefore does not forget a group that clients go on
   * reading.
   */
  static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(60);
  /** How long a note is kept, ns. An older read says nothing about what clients will read next. */
  static final long KEEP_NANOS = TimeUnit.MINUTES.toNanos(10);
  /** A number smaller than that of any note. */
  public static final long NOTHING = 0;

  /** The note that clients read a group. Immutable. */
  public static final class Note {
    /** The number of this note; later notes have larger numbers */
    public final long number;
    /** The group that clients read */
    public final GroupId group;
    private final long nanos;

    Note(long number, GroupId group, long nanos) {
      this.number = number;
      this.group = group;
      this.nanos = nanos;
    }
  }

  /** The notes of one block pool. */
  private static final class Pool {
    private final TreeMap<Long, Note> byNumber = new TreeMap<>();
    private final Map<GroupId, Note> byGroup = new HashMap<>();

    void forget(Note note) {
      byNumber.remove(note.number);
      byGroup.remove(note.group);
    }
  }

  private final LongSupplier nanoClock;
  /**
   * The notes by block pool. Only successful reads are noted, so each of these pools has replicas
   * on this DataNode. This bounds the number of pools.
   */
  private final Map<String, Pool> pools = new HashMap<>();
  private long numbers = NOTHING;

  /** @param nanoClock a monotonic clock, ns */
  public DegradedReads(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Notes that a client has read a lost unit of a group.
   *
   * @param group a group with a replica on this DataNode
   */
  public synchronized void served(GroupId group) {
    long now = nanoClock.getAsLong();
    Pool pool = pools.computeIfAbsent(group.poolId, id -> new Pool());
    Note old = pool.byGroup.get(group);
    if (old != null) {
      if (now - old.nanos < AGAIN_NANOS) {
        return;
      }
      pool.forget(old);
    } else if (pool.byGroup.size() >= GROUPS_MAX) {
      pool.forget(pool.byNumber.firstEntry().getValue());
    }
    Note note = new Note(++numbers, group, now);
    pool.byNumber.put(note.number, note);
    pool.byGroup.put(group, note);
  }

  /**
   * Returns the oldest notes of a block pool whose number is larger than {@code number}, in
   * ascending order.
   *
   * @param number the number of a note, or {@link #NOTHING} for all notes
   * @param poolId the block pool
   * @param most the most notes to return; all further notes have larger numbers than the last note
   *     returned
   * @return the notes; empty if there are none
   */
  public synchronized List<Note> after(long number, String poolId, int most) {
    Pool pool = pools.get(poolId);
    if (pool == null) {
      return Collections.emptyList();
    }
    forgetOld(pool);
    List<Note> notes = new ArrayList<>();
    Iterator<Note> next = pool.byNumber.tailMap(number, false).values().iterator();
    while (notes.size() < most && next.hasNext()) {
      notes.add(next.next());
    }
    return notes;
  }

  private void forgetOld(Pool pool) {
    long now = nanoClock.getAsLong();
    while (!pool.byNumber.isEmpty()
        && now - pool.byNumber.firstEntry().getValue().nanos > KEEP_NANOS) {
      pool.forget(pool.byNumber.firstEntry().getValue());
    }
  }

  /** @return the number of groups that are remembered, over all block pools */
  public synchronized int size() {
    int groups = 0;
    for (Pool pool : pools.values()) {
      forgetOld(pool);
      groups += pool.byGroup.size();
    }
    return groups;
  }
}
