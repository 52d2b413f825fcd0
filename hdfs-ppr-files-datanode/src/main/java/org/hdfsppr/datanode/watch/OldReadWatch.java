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

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.OldReadsAccess;
import org.hdfsppr.manage.OldReads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether clients read the old blocks of new versions on this DataNode. Reads by other
 * DataNodes, by the balancer, and by the extension itself do not count. Three sources see reads:
 *
 * <ul>
 *   <li>stock's client trace sees each read over the network when it ends ({@link ReadTap});
 *   <li>the names of threads say which blocks are being sent at the moment of a look;
 *   <li>slots in shared memory say which replicas clients of this host have open at that moment.
 * </ul>
 *
 * <p>A client that has opened a file and reads nothing is not seen. Each report looks, so that a
 * report is true for its moment. While no block is watched, nothing is attached and nothing looks.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class OldReadWatch implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(OldReadWatch.class);
  /** How the name of each thread that serves a connection begins. */
  private static final String SERVES = "DataXceiver for client ";
  /** What the name of such a thread has while it sends a block. */
  private static final String SENDS = " [Sending block ";
  /** What stands behind the name of a client; a DataNode that reads for a repair has none. */
  private static final String AT = " at ";
  /** Looks take at most this part of the time. */
  private static final int TIMES_REST = 20;
  /** A look that had to wait for a lock of the DataNode's does not keep the next one away, ns. */
  private static final long REST_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);
  /** How many places of tables are compared with replicas in a look: 0.2 ms. */
  private static final int FORGET_PLACES = 1_000;

  /** What can be seen of readers at a moment. */
  interface Moment {
    /** Returns the names of the threads that serve connections. */
    List<String> threadNames();

    /** Returns the blocks for which clients hold slots. */
    List<ExtendedBlockId> slots();
  }

  private final ReadTap tap;
  private final Moment moment;
  private final BiPredicate<String, Long> hasReplica;
  private final LongSupplier nanoClock;
  private final Map<String, OldBlocks> pools = new ConcurrentHashMap<>();
  /** Since when no read was missed. */
  private long wholeSinceNanos;
  private boolean isAttached;
  private boolean isClosed;
  private boolean looked;
  private long lookedNanos;
  private long restNanos;

  OldReadWatch(ReadTap tap, Moment moment, BiPredicate<String, Long> hasReplica,
      LongSupplier nanoClock) {
    this.tap = tap;
    this.moment = moment;
    this.hasReplica = hasReplica;
    this.nanoClock = nanoClock;
    this.wholeSinceNanos = nanoClock.getAsLong();
  }

  /**
   * @param datanode the DataNode
   * @param nanoClock a monotonic clock, ns
   * @return its watch, which {@link #close} ends
   */
  public static OldReadWatch of(DataNode datanode, LongSupplier nanoClock) {
    List<String> missing = new ArrayList<>();
    OldReadsAccess access = OldReadsAccess.of(datanode, missing);
    if (!missing.isEmpty()) {
      LOG.info("Some reads of old versions of files are not seen: this Hadoop lacks {}", missing);
    }
    return new OldReadWatch(new ClientTrace(datanode::getDatanodeUuid), new Moment() {
      @Override
      public List<String> threadNames() {
        return access.threadNames();
      }

      @Override
      public List<ExtendedBlockId> slots() {
        return access.slots();
      }
    }, (pool, id) -> hasReplica(datanode, pool, id), nanoClock);
  }

  private static boolean hasReplica(DataNode datanode, String pool, long id) {
    try {
      return datanode.getFSDataset().getStoredBlock(pool, id) != null;
    } catch (IOException | RuntimeException e) {
      // A volume or a block pool is going away; the next look may know.
      LOG.debug("Whether {} of {} has a replica is not known", id, pool, e);
      return true;
    }
  }

  /**
   * Watches blocks from now on, until their replicas are gone.
   *
   * @param pool their block pool
   * @param ids ids of blocks, not of their groups
   */
  public synchronized void watch(String pool, Collection<Long> ids) {
    if (isClosed || ids.isEmpty()) {
      return;
    }
    if (!isAttached) {
      isAttached = true;
      tap.attach(this::read);
    }
    OldBlocks blocks = pools.computeIfAbsent(pool,
        name -> new OldBlocks(wholeSinceNanos, nanoClock));
    if (!blocks.watch(ids)) {
      LOG.warn("This DataNode has more than {} units of old versions of files to watch. It does not"
          + " know any more whether those are read that it watched until now",
          BlockTable.BLOCKS_MAX);
    }
  }

  /** Notes a read; the pool may be null. */
  private void read(String pool, long id) {
    if (pool == null) {
      pools.values().forEach(blocks -> blocks.read(id));
      return;
    }
    OldBlocks blocks = pools.get(pool);
    if (blocks != null) {
      blocks.read(id);
    }
  }

  /** Returns how many blocks are watched. */
  public int watched() {
    return pools.values().stream().mapToInt(OldBlocks::size).sum();
  }

  /**
   * Looks, and lists reads.
   *
   * @param pool a block pool
   * @param after the number behind which the list goes on, as an earlier page says; 0 to begin
   * @return the reads with the lowest numbers behind it
   */
  public OldReadsPage page(String pool, int after) {
    look();
    OldBlocks blocks = pools.get(pool);
    if (blocks == null) {
      // Whether something was missed does not matter while nothing was watched.
      blocks = new OldBlocks(wholeSince(), nanoClock);
    }
    return blocks.page(after, tap.whyNot().isEmpty());
  }

  private synchronized long wholeSince() {
    return wholeSinceNanos;
  }

  /** Takes the reads of this moment, and keeps the tap attached. */
  private synchronized void look() {
    long began = nanoClock.getAsLong();
    if (isClosed || looked && began - lookedNanos < restNanos) {
      return;
    }
    if (pools.values().stream().allMatch(OldBlocks::isEmpty)) {
      detach();
      return;
    }
    if (!tap.isWhole()) {
      missed();
      tap.attach(this::read);
    }
    for (String name : moment.threadNames()) {
      sending(name).ifPresent(block -> read(block.pool, block.id));
    }
    for (ExtendedBlockId slot : moment.slots()) {
      read(slot.getBlockPoolId(), slot.getBlockId());
    }
    pools.forEach((pool, blocks) ->
        blocks.forgetSome(FORGET_PLACES, id -> hasReplica.test(pool, id)));
    looked = true;
    lookedNanos = nanoClock.getAsLong();
    restNanos = Math.min(REST_NANOS_MAX, TIMES_REST * (lookedNanos - began));
  }

  /** Without the tap, each look finds that reads may have been missed since the last one. */
  private void missed() {
    wholeSinceNanos = nanoClock.getAsLong();
    pools.values().forEach(OldBlocks::missed);
  }

  /** Returns the block that a thread sends to a client; empty if it does something else. */
  static Optional<TracedBlock> sending(String thread) {
    int sends = thread.lastIndexOf(SENDS);
    int at = sends < 0 ? -1 : thread.lastIndexOf(AT, sends);
    // The name of a client ends where the address begins, and is empty for a DataNode.
    return thread.startsWith(SERVES) && at > SERVES.length() && thread.endsWith("]")
        ? TracedBlock.parse(thread, sends + SENDS.length(), thread.length() - 1) : Optional.empty();
  }

  private void detach() {
    if (isAttached) {
      isAttached = false;
      tap.detach();
    }
  }

  /** Watches nothing any more, and leaves stock's log as it was. */
  @Override
  public synchronized void close() {
    isClosed = true;
    detach();
  }

  /**
   * The watched blocks of one block pool. What this object does not know any more, it says: it has
   * been whole since it last forgot a block or may have missed a read. Thread-safe.
   */
  static final class OldBlocks {
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
     * Forgets blocks without a replica, and those that were watched for long enough, of those in
     * the next places.
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
}
