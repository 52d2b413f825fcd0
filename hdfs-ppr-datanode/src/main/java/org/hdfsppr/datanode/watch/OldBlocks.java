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
package org.hdfsppr.datanode.watch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.OldReads;

/**
 * The watched blocks of one block pool. What this object does not know any more, it says: it has
 * been whole since it last forgot a block or may have missed a read. Thread-safe.
 */
@InterfaceAudience.Private
final class OldBlocks {
  /**
   * How long a block is watched, s: eight graces of a day, and as much again. A version that was
   * given up leaves blocks behind whose file lives on, and that would be watched for ever.
   */
  static final int WATCHED_SECONDS_MAX = (int) TimeUnit.DAYS.toSeconds(16);

  private final LongSupplier nanoClock;
  private final long beginNanos;
  private BlockTable table = new BlockTable();
  private long wholeSinceNanos;
  /** The place of the table that is looked at next. */
  private int lookAt;
  private volatile boolean isEmpty = true;

  /**
   * @param wholeSinceNanos since when no read was missed on this node
   * @param nanoClock a monotonic clock, ns
   */
  OldBlocks(long wholeSinceNanos, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.beginNanos = nanoClock.getAsLong();
    this.wholeSinceNanos = wholeSinceNanos;
  }

  /** Returns whether no block is watched. */
  boolean isEmpty() {
    return isEmpty;
  }

  /**
   * Watches blocks from now on.
   *
   * @return false if there were too many, so that all others are forgotten
   */
  synchronized boolean watch(Collection<Long> ids) {
    boolean hasRoom = table.size() + ids.size() <= BlockTable.BLOCKS_MAX;
    if (!hasRoom) {
      lose();
    }
    int now = second();
    ids.forEach(id -> table.add(id, now));
    isEmpty = table.size() == 0;
    return hasRoom;
  }

  /** Notes a read, unless the block is not watched. */
  void read(long id) {
    if (!isEmpty) {
      synchronized (this) {
        table.read(id, second());
      }
    }
  }

  private int second() {
    return (int) TimeUnit.NANOSECONDS.toSeconds(nanoClock.getAsLong() - beginNanos);
  }

  /** Forgets all blocks. */
  synchronized void lose() {
    table = new BlockTable(table.lastNumber());
    lookAt = 0;
    isEmpty = true;
    missed();
  }

  /** Notes that reads may have been missed. Those that were seen stay. */
  synchronized void missed() {
    wholeSinceNanos = nanoClock.getAsLong();
  }

  /**
   * Forgets blocks without a replica, and those that were watched for long enough, of those in the
   * next places.
   *
   * @param places how many places are looked at
   * @param hasReplica whether a block has a replica on this node
   */
  void forgetSome(int places, LongPredicate hasReplica) {
    long[] some;
    synchronized (this) {
      lookAt = lookAt < table.places() ? lookAt : 0;
      some = table.ids(lookAt, places);
      lookAt += places;
    }
    // The DataNode's lock may take a while.
    long[] gone = Arrays.stream(some).filter(id -> !hasReplica.test(id)).toArray();
    synchronized (this) {
      Arrays.stream(gone).forEach(table::remove);
      int now = second();
      for (long id : some) {
        if (table.contains(id) && now - table.since(id) > WATCHED_SECONDS_MAX) {
          table.remove(id);
        }
      }
      if (table.size() == 0 && !isEmpty) {
        table = new BlockTable(table.lastNumber());
        isEmpty = true;
      }
    }
  }

  /**
   * Lists reads.
   *
   * @param after the number behind which the list goes on; 0 to begin
   * @param seesAll whether the node sees each read over the network
   */
  synchronized OldReadsPage page(int after, boolean seesAll) {
    int from = after > table.lastNumber() ? 0 : after;
    List<BlockTable.Numbered> found = table.readsAfter(from, OldReads.BLOCKS_MAX);
    int now = second();
    int last = from;
    List<OldReads.Read> reads = new ArrayList<>();
    for (BlockTable.Numbered read : found) {
      // A read may be a second younger than its time says.
      reads.add(new OldReads.Read(read.id,
          TimeUnit.SECONDS.toMillis(Math.max(0, now - read.second - 1))));
      last = read.number;
    }
    boolean hasMore = found.size() == OldReads.BLOCKS_MAX;
    if (!hasMore) {
      // The last reads may be of blocks that are forgotten.
      last = table.lastNumber();
    }
    long wholeMs = TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - wholeSinceNanos);
    return new OldReadsPage(new OldReads(seesAll, Math.max(0, wholeMs), from == 0,
        hasMore, reads), last);
  }

  synchronized int size() {
    return table.size();
  }
}
