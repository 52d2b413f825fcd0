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
 * Watches whether clients still read, on this DataNode, the blocks of old versions of files. Reads
 * by other DataNodes, by the balancer, and by hdfs-ppr itself do not count. Reads are seen in three
 * ways:
 *
 * <ul>
 *   <li>stock's client trace has each read over the network when it ends ({@link ReadTap});
 *   <li>the names of threads say which blocks the DataNode is sending at a moment;
 *   <li>slots in shared memory say which replicas clients of this host have open for short-circuit
 *       reads at a moment.
 * </ul>
 *
 * <p>A client that has opened a file and reads nothing is not seen. For each report this class
 * looks at threads and slots again, so that the report is true when it is made. While no block is
 * watched, this class does not look, and does not listen to the client trace. Thread-safe.
 */
@InterfaceAudience.Private
public final class OldReadWatch implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(OldReadWatch.class);
  /** How the name of each thread that serves a connection begins. */
  private static final String SERVES = "DataXceiver for client ";
  /** What the name of a thread that serves a connection contains while it sends a block. */
  private static final String SENDS = " [Sending block ";
  /**
   * What follows the client's name in the name of the thread. A DataNode that reads for a repair
   * has no name.
   */
  private static final String AT = " at ";
  /**
   * After a look, no other one begins for its duration times this number, so that looks take at
   * most about a twentieth of the time.
   */
  private static final int TIMES_REST = 20;
  /**
   * After a look, another one may begin after this time in any case, ns. A look may take long only
   * because it waits for a lock of the DataNode; without this bound, the next one would come too
   * late.
   */
  private static final long REST_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);
  /**
   * How many places of each table a look compares with the DataNode's replicas; that takes about
   * 0.2 ms.
   */
  private static final int FORGET_PLACES = 1_000;

  /** Shows which clients read at the moment of a call. */
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
  /** Since when no read over the network was missed, on {@link #nanoClock}. */
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
   * @return the watch of the DataNode; the caller closes it
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
      // A volume or a block pool is being removed. The block stays watched, and the next look asks
      // again.
      LOG.debug("Whether {} of {} has a replica is not known", id, pool, e);
      return true;
    }
  }

  /**
   * Watches blocks from now on, until their replicas are gone.
   *
   * @param pool the block pool of the blocks
   * @param ids the ids of the units' blocks, not those of block groups
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

  /**
   * Records a read. The pool may be null if it is not known; then the block counts as read in each
   * pool.
   */
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
   * Looks which clients read at the moment, and lists all reads that were seen.
   *
   * @param pool a block pool
   * @param after the number of the last read that the caller knows, from {@link OldReadsPage#last};
   *     0 to list all reads
   * @return the next reads after that number
   */
  public OldReadsPage page(String pool, int after) {
    look();
    OldBlocks blocks = pools.get(pool);
    if (blocks == null) {
      // No block of the pool is watched, so this answers with an empty list.
      blocks = new OldBlocks(wholeSince(), nanoClock);
    }
    return blocks.page(after, tap.whyNot().isEmpty());
  }

  private synchronized long wholeSince() {
    return wholeSinceNanos;
  }

  /**
   * Records the reads of this moment, and attaches to the client trace again if it was detached.
   */
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

  /**
   * Records that reads may have been missed since the last look. While the client trace cannot be
   * read, each look does so.
   */
  private void missed() {
    wholeSinceNanos = nanoClock.getAsLong();
    pools.values().forEach(OldBlocks::missed);
  }

  /**
   * Returns the block that a thread sends to a client, by the thread's name; empty if the thread
   * does something else.
   */
  static Optional<TracedBlock> sending(String thread) {
    int sends = thread.lastIndexOf(SENDS);
    int at = sends < 0 ? -1 : thread.lastIndexOf(AT, sends);
    // Between SERVES and AT is the client's name, which is empty for a DataNode
    // that reads for a repair.
    return thread.startsWith(SERVES) && at > SERVES.length() && thread.endsWith("]")
        ? TracedBlock.parse(thread, sends + SENDS.length(), thread.length() - 1) : Optional.empty();
  }

  private void detach() {
    if (isAttached) {
      isAttached = false;
      tap.detach();
    }
  }

  /** Ends the watch, and restores the settings of stock's client trace. */
  @Override
  public synchronized void close() {
    isClosed = true;
    detach();
  }

  /**
   * The watched blocks of one block pool, and their reads. A report of it says since when it is
   * complete: since the last time at which this object had to forget blocks, or may have missed a
   * read. Thread-safe.
   */
  static final class OldBlocks {
    /**
     * How long a block is watched at most, s: twice eight days, where a usual grace is a day.
     * Without this bound, the blocks of a file whose new version was given up would be watched for
     * ever, because they are never deleted.
     */
    static final int WATCHED_SECONDS_MAX = (int) TimeUnit.DAYS.toSeconds(16);

    private final LongSupplier nanoClock;
    private final long beginNanos;
    private BlockTable table = new BlockTable();
    private long wholeSinceNanos;
    /** The place of the table at which {@link #forgetSome} goes on. */
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
     * @return false if the table had no room, so that it has forgotten all earlier blocks
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

    /** Records a read, if the block is watched. */
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

    /** Records that reads may have been missed. The reads that were seen stay in the list. */
    synchronized void missed() {
      wholeSinceNanos = nanoClock.getAsLong();
    }

    /**
     * Looks at the next places of the table, and forgets the blocks in them that have no replica
     * any more or were watched for {@link #WATCHED_SECONDS_MAX}.
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
      // The test may have to wait for a lock of the DataNode, so it runs outside of this object's
      // monitor.
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
     * Returns the next part of the list of all reads.
     *
     * @param after the number of the last read that the caller knows; 0 to list all reads
     * @param seesAll whether this node can read the client trace, and so sees each read over the
     *     network
     */
    synchronized OldReadsPage page(int after, boolean seesAll) {
      int from = after > table.lastNumber() ? 0 : after;
      List<BlockTable.Numbered> found = table.readsAfter(from, OldReads.BLOCKS_MAX);
      int now = second();
      int last = from;
      List<OldReads.Read> reads = new ArrayList<>();
      for (BlockTable.Numbered read : found) {
        // The time of a read is in whole seconds, so that the read may be up to a second younger.
        reads.add(new OldReads.Read(read.id,
            TimeUnit.SECONDS.toMillis(Math.max(0, now - read.second - 1))));
        last = read.number;
      }
      boolean hasMore = found.size() == OldReads.BLOCKS_MAX;
      if (!hasMore) {
        // Reads with still larger numbers are of blocks that were forgotten, so the caller need not
        // ask for them.
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
