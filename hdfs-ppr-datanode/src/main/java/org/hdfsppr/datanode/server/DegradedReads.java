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
 * The block groups of which clients read what is lost with this node's help: their repair has more
 * haste than that of others, which is for the NameNodes to hear. Notes are numbered as they are
 * made, so that each listener can ask for those behind the last one that it has heard of. Of a
 * group that is read on and on there is a new one only so often. Thread-safe.
 */
@InterfaceAudience.Private
public final class DegradedReads {
  /** Groups that are remembered of a block pool; the oldest goes first. */
  static final int GROUPS_MAX = 4096;
  /** How often there is a new note of a group: several times before a NameNode forgets it. */
  static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(60);
  /** What nobody has read for so long is no news for anybody. */
  static final long KEEP_NANOS = TimeUnit.MINUTES.toNanos(10);
  /** Less than the number of any note. */
  public static final long NOTHING = 0;

  /** That a group was read. Immutable. */
  public static final class Note {
    private final long number;
    private final GroupId group;
    private final long nanos;

    Note(long number, GroupId group, long nanos) {
      this.number = number;
      this.group = group;
      this.nanos = nanos;
    }

    public long number() {
      return number;
    }

    public GroupId group() {
      return group;
    }
  }

  /** One block pool's notes. */
  private static final class Pool {
    private final TreeMap<Long, Note> byNumber = new TreeMap<>();
    private final Map<GroupId, Note> byGroup = new HashMap<>();

    void forget(Note note) {
      byNumber.remove(note.number);
      byGroup.remove(note.group);
    }
  }

  private final LongSupplier nanoClock;
  /** Only pools that have replicas here, as only reads that succeeded are noted. */
  private final Map<String, Pool> pools = new HashMap<>();
  private long numbers = NOTHING;

  /** @param nanoClock monotonic nanoseconds */
  public DegradedReads(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** A client has read what is lost of a group, of which a replica is here. */
  public synchronized void served(GroupId group) {
    long now = nanoClock.getAsLong();
    Pool pool = pools.computeIfAbsent(group.poolId(), id -> new Pool());
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
   * The oldest notes of a pool behind a number, in their order.
   *
   * @param number of a note, or {@link #NOTHING} for all that there are
   * @param most how many at most; the others are behind the last one of these
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

  /** Groups that are remembered, of all pools. */
  public synchronized int size() {
    int groups = 0;
    for (Pool pool : pools.values()) {
      forgetOld(pool);
      groups += pool.byGroup.size();
    }
    return groups;
  }
}
