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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.hdfsppr.conf.Runbook;
import org.hdfsppr.namenode.queue.Grant;
import org.hdfsppr.namenode.queue.QueueCounts;
import org.hdfsppr.plan.GroupId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of blocks with low redundancy, in two parts: stock's, from which stock schedules, and
 * the owned one, which stock counts, finds, lists and removes from, but does not schedule from.
 *
 * <pre>
 *   what stock calls        add update remove      contains size metrics iterator     choose...
 *                                  |                           |                          |
 *   this                    by who owns it            sum of both parts                   |
 *                             /        \               /             \                    |
 *   parts             owned              stock's: the superclass's own state  ------------+
 * </pre>
 *
 * <p>The parts are apart because stock chooses by stepping through its queue: groups that it has
 * to step over would slow down the replicated blocks behind them, or be stepped over by the
 * hundred thousand with the NameNode's lock held.
 *
 * <p>What stock calls appends a block to what is to be looked at, and nothing else: it is called
 * for every block of a node that dies. {@link BlockManagerAccess} looks later, a few at a time.
 * Until then a group of a claimed policy that certainly lacks units is in the owned part.
 *
 * <p>Everything here is guarded by this object's monitor. What moves blocks between the parts, adds
 * or removes them is called with the NameNode's write lock held, as in stock.
 */
@InterfaceAudience.Private
class SplitLowRedundancyBlocks extends LowRedundancyBlocks {
  private static final Logger LOG = LoggerFactory.getLogger(SplitLowRedundancyBlocks.class);

  /** What the owner's rules say of a policy. Called under locks. */
  interface PolicyClaims {
    boolean losses(ErasureCodingPolicy policy);

    boolean leaving(ErasureCodingPolicy policy);
  }

  /** Gives back what nobody schedules any more; called with the write lock and the monitor. */
  interface Rescue {
    void moveToStock(SplitLowRedundancyBlocks queue, BlockInfo group);

    /** A group could not be moved as it should be; whatever was thrown must not get further. */
    void failed();
  }

  /** Tells what stock would do to a group; called with the write lock and the monitor. */
  interface StocksWork {
    /** Whether that is to copy units, because each of them can be read, and not to decode any. */
    boolean isCopy(BlockInfo group);
  }

  /** What is remembered of a group that is owned or whose repair has begun. */
  static final class Record {
    private final long sinceMs;
    private boolean owned;
    /** The name it was told to the owner by, or null if it was not. */
    private GroupId told;
    private Flight flight;

    private Record(long sinceMs) {
      this.sinceMs = sinceMs;
    }

    long sinceMs() {
      return sinceMs;
    }
  }

  /** A repair that has begun. */
  static final class Flight {
    private final BlockInfo block;
    private final Grant grant;
    private final DatanodeStorageInfo[] targets;

    Flight(BlockInfo block, Grant grant, DatanodeStorageInfo[] targets) {
      this.block = block;
      this.grant = grant;
      this.targets = targets;
    }

    BlockInfo block() {
      return block;
    }

    Grant grant() {
      return grant;
    }

    DatanodeStorageInfo[] targets() {
      return targets;
    }
  }

  /** A group handed to stock until some time. */
  private static final class Release implements Comparable<Release> {
    private final BlockInfo block;
    private final long untilMs;

    Release(BlockInfo block, long untilMs) {
      this.block = block;
      this.untilMs = untilMs;
    }

    @Override
    public int compareTo(Release other) {
      return Long.compare(untilMs, other.untilMs);
    }

    @Override
    public boolean equals(Object o) {
      return this == o;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /** How many groups are given back in one call of stock's if the owner is silent. */
  private static final int RESCUED_MAX = 500;
  /** How often it is said that a rescue fails, with one of the errors. */
  private static final long RESCUE_ERROR_EVERY_MS = 60_000;
  /** How often it is said that groups are kept from stock, with one of them. */
  private static final long HELD_WARNING_EVERY_MS = 60_000;
  /** So many wrong units are no accident of single disks: somebody has been told long before. */
  static final int HELD_MAX = 100_000;
  /** How many groups are sorted with the monitor held: about a millisecond. */
  static final int SORTED_MAX = 2_048;
  private static final byte UNKNOWN = 0;
  private static final byte NO = 1;
  private static final byte LOSSES = 2;
  private static final byte LEAVING = 3;

  private final PolicyClaims claims;
  private final Rescue rescue;
  private final StocksWork stocksWork;
  private final LongSupplier clockMs;
  private final long silenceMsMax;

  private final LowRedundancyBlocks owned = new LowRedundancyBlocks();
  /**
   * The groups of both parts, and none of the replicated blocks of stock's, of which there may be
   * a thousand times as many.
   */
  private final Rounds<BlockInfo> groups = new Rounds<>();
  private final Map<BlockInfo, Record> records = new LinkedHashMap<>();
  private final LinkedHashSet<BlockInfo> touched = new LinkedHashSet<>();
  /** What was in the queue before; mostly long ago, so it may contain what is gone. */
  private final ArrayDeque<BlockInfo> unsorted = new ArrayDeque<>();
  private final LinkedHashMap<BlockInfo, Flight> flights = new LinkedHashMap<>();
  private final LinkedHashSet<BlockInfo> touchedFlights = new LinkedHashSet<>();
  /** Told once and not told now. */
  private final Set<GroupId> gone = new LinkedHashSet<>();
  private final Map<BlockInfo, Release> released = new LinkedHashMap<>();
  private final PriorityQueue<Release> releases = new PriorityQueue<>();
  /** What stock is choosing targets for since its last call, without a lock. */
  private final Set<BlockInfo> inStocksHands = new HashSet<>();
  /** Groups that stock must not decode. Whoever owns them, and over failovers too. */
  private final Set<BlockInfo> held = new LinkedHashSet<>();
  /** What stock was given in its last call: the very lists that it goes through a moment later. */
  private List<List<BlockInfo>> given = Collections.emptyList();
  /** By a policy's id. */
  private final byte[] claimed = new byte[256];

  private boolean claiming = true;
  private boolean sortAll;
  private long clears;
  private long spokenMs;
  private long rescueErrorMs = Long.MIN_VALUE / 2;
  private long heldWarningMs = Long.MIN_VALUE / 2;

  SplitLowRedundancyBlocks(PolicyClaims claims, Rescue rescue, StocksWork stocksWork,
      LongSupplier clockMs, long silenceMsMax) {
    this.claims = claims;
    this.rescue = rescue;
    this.stocksWork = stocksWork;
    this.clockMs = clockMs;
    this.silenceMsMax = silenceMsMax;
    this.spokenMs = clockMs.getAsLong();
  }

  // What stock calls: changes.

  @Override
  synchronized boolean add(BlockInfo block, int curReplicas, int readOnlyReplicas,
      int outOfServiceReplicas, int expectedReplicas) {
    takeBackHeld(block);
    list(block);
    if (isOwned(block, curReplicas, outOfServiceReplicas, expectedReplicas)) {
      boolean inStocks = super.remove(block, LEVEL, expectedReplicas);
      boolean added = owned.add(block, curReplicas, readOnlyReplicas, outOfServiceReplicas,
          expectedReplicas);
      own(block);
      touch(block);
      return added && !inStocks;
    }
    if (isMine(block)) {
      touch(block);
      if (isInOwned(block)) {
        return false;
      }
    }
    return super.add(block, curReplicas, readOnlyReplicas, outOfServiceReplicas,
        expectedReplicas);
  }

  @Override
  synchronized void update(BlockInfo block, int curReplicas, int readOnlyReplicas,
      int outOfServiceReplicas, int curExpectedReplicas, int curReplicasDelta,
      int expectedReplicasDelta) {
    takeBackHeld(block);
    if (isOwned(block, curReplicas, outOfServiceReplicas, curExpectedReplicas)) {
      super.remove(block, LEVEL, curExpectedReplicas);
      owned.update(block, curReplicas, readOnlyReplicas, outOfServiceReplicas,
          curExpectedReplicas, curReplicasDelta, expectedReplicasDelta);
      own(block);
      touch(block);
      list(block);
      return;
    }
    boolean mine = isMine(block);
    if (mine) {
      leaveOwned(block, curExpectedReplicas);
    }
    super.update(block, curReplicas, readOnlyReplicas, outOfServiceReplicas, curExpectedReplicas,
        curReplicasDelta, expectedReplicasDelta);
    // Not before: the superclass has removed it, and then added it.
    list(block);
    if (mine) {
      touch(block);
    }
  }

  private void list(BlockInfo block) {
    if (block.isStriped()) {
      groups.add(block);
    }
  }

  /** All of stock's ways to remove a block lead here. */
  @Override
  synchronized boolean remove(BlockInfo block, int priLevel, int oldExpectedReplicas) {
    boolean found = super.remove(block, priLevel, oldExpectedReplicas);
    if (!block.isStriped()) {
      return found;
    }
    groups.remove(block);
    touched.remove(block);
    if (flights.containsKey(block)) {
      touchedFlights.add(block);
    }
    return leaveOwned(block, oldExpectedReplicas) || found;
  }

  @Override
  synchronized void clear() {
    super.clear();
    owned.clear();
    groups.clear();
    touched.clear();
    unsorted.clear();
    gone.clear();
    released.clear();
    releases.clear();
    inStocksHands.clear();
    given = Collections.emptyList();
    sortAll = false;
    clears++;
    records.values().removeIf(record -> record.flight == null);
    for (Record record : records.values()) {
      record.owned = false;
      record.told = null;
    }
    touchedFlights.addAll(flights.keySet());
  }

  @Override
  synchronized List<List<BlockInfo>> chooseLowRedundancyBlocks(int blocksToProcess,
      boolean resetIterators) {
    if (clockMs.getAsLong() - spokenMs > silenceMsMax) {
      claiming = false;
      rescueSome();
    }
    List<List<BlockInfo>> chosen =
        withoutHeld(super.chooseLowRedundancyBlocks(blocksToProcess, resetIterators));
    given = chosen;
    inStocksHands.clear();
    for (List<BlockInfo> level : chosen) {
      for (BlockInfo block : level) {
        if (block.isStriped()) {
          inStocksHands.add(block);
        }
      }
    }
    return chosen;
  }

  /**
   * This is the one way by which a group gets to stock's scheduling, whoever handed it over and
   * why: where stock would decode a group that is held, it does not see it. What it has chosen it
   * does not look at twice; see {@link #takeBackHeld}.
   */
  private List<List<BlockInfo>> withoutHeld(List<List<BlockInfo>> chosen) {
    List<List<BlockInfo>> result = new ArrayList<>(chosen.size());
    BlockInfo kept = null;
    for (List<BlockInfo> level : chosen) {
      List<BlockInfo> rest = new ArrayList<>(level.size());
      for (BlockInfo block : level) {
        if (held.contains(block) && !isCopy(block)) {
          kept = block;
        } else {
          rest.add(block);
        }
      }
      result.add(rest);
    }
    long now = clockMs.getAsLong();
    if (kept != null && now - heldWarningMs >= HELD_WARNING_EVERY_MS) {
      heldWarningMs = now;
      LOG.error("{} is kept from the NameNode's own scheduling, which would decode it: its units"
          + " contradict each other although their checksums are right. So are all others of the"
          + " {} such groups that have lost units; they are repaired once the wrong unit is found. "
          + Runbook.CONTRADICTING_UNITS + " says how", kept, held.size());
    }
    return result;
  }

  /** When in doubt it is not: nothing that is thrown may get into stock's thread. */
  private boolean isCopy(BlockInfo group) {
    try {
      return stocksWork.isCopy(group);
    } catch (RuntimeException | LinkageError e) {
      rescueFailed(group, e);
      return false;
    }
  }

  /**
   * Something happens to a group between the moment in which stock chose it and the one in which it
   * looks at its units: it is not to have it this time. Stock goes through the lists with the
   * monitor held, and calls nothing meanwhile that leads here.
   */
  private void takeBackHeld(BlockInfo block) {
    if (held.contains(block)) {
      given.forEach(level -> level.remove(block));
    }
  }

  /**
   * This is stock's RedundancyMonitor, which ends the NameNode's process when anything gets out of
   * here: nothing may.
   */
  private void rescueSome() {
    try {
      List<BlockInfo> some = ownedOnes(RESCUED_MAX);
      if (!some.isEmpty()) {
        LOG.warn("Nobody has asked for block groups to repair for {} ms; {} of them are handed to"
            + " the NameNode's own scheduling", clockMs.getAsLong() - spokenMs, some.size());
      }
      some.forEach(this::rescue);
    } catch (RuntimeException | LinkageError e) {
      rescueFailed(null, e);
    }
  }

  private void rescue(BlockInfo block) {
    try {
      rescue.moveToStock(this, block);
    } catch (RuntimeException | LinkageError e) {
      rescueFailed(block, e);
      moveToStockUncounted(block);
    }
  }

  /** Stock counts what is left of a group itself before it repairs it; here it only has to be. */
  private void moveToStockUncounted(BlockInfo block) {
    int units = ((BlockInfoStriped) block).getRealTotalBlockNum();
    leaveOwned(block, units);
    touched.remove(block);
    if (!super.contains(block)) {
      super.add(block, units - 1, 0, 0, units);
    }
  }

  private void rescueFailed(BlockInfo block, Throwable e) {
    rescue.failed();
    long now = clockMs.getAsLong();
    if (now - rescueErrorMs >= RESCUE_ERROR_EVERY_MS) {
      rescueErrorMs = now;
      LOG.error("{} cannot be handed to the NameNode's own scheduling as it should be, and is"
          + " without its priority; the metric RescueFailures counts all of them",
          block == null ? "The groups to repair" : block, e);
    }
  }

  // What stock calls: questions. The answers are the sums of both parts'; those about replicated
  // blocks, and badly distributed ones, are the superclass's, for only its part has any.

  @Override
  synchronized int size() {
    return super.size() + owned.size();
  }

  @Override
  synchronized int getLowRedundancyBlockCount() {
    return super.getLowRedundancyBlockCount() + owned.getLowRedundancyBlockCount();
  }

  @Override
  synchronized int getCorruptBlockSize() {
    return super.getCorruptBlockSize() + owned.getCorruptBlockSize();
  }

  @Override
  long getCorruptECBlockGroups() {
    return super.getCorruptECBlockGroups() + owned.getCorruptECBlockGroups();
  }

  @Override
  long getLowRedundancyECBlockGroups() {
    // The superclass takes the corrupt ones off, and asks this object for their number.
    return super.getLowRedundancyECBlockGroups() + owned.getLowRedundancyECBlockGroups()
        + owned.getCorruptECBlockGroups();
  }

  @Override
  long getHighestPriorityECBlockCount() {
    return super.getHighestPriorityECBlockCount() + owned.getHighestPriorityECBlockCount();
  }

  @Override
  synchronized boolean contains(BlockInfo block) {
    return super.contains(block) || isInOwned(block);
  }

  @Override
  synchronized Iterator<BlockInfo> iterator(int level) {
    return bothOf(super.iterator(level), owned.iterator(level));
  }

  @Override
  public synchronized Iterator<BlockInfo> iterator() {
    return bothOf(super.iterator(), owned.iterator());
  }

  private static Iterator<BlockInfo> bothOf(Iterator<BlockInfo> one, Iterator<BlockInfo> other) {
    return new Iterator<BlockInfo>() {
      @Override
      public boolean hasNext() {
        return one.hasNext() || other.hasNext();
      }

      @Override
      public BlockInfo next() {
        if (one.hasNext()) {
          return one.next();
        }
        if (other.hasNext()) {
          return other.next();
        }
        throw new NoSuchElementException();
      }
    };
  }

  // Whose a block is.

  /** Whether a block is of a kind that is claimed. */
  private boolean isMine(BlockInfo block) {
    return claiming && block.isStriped() && claim(block) != NO && !isReleased(block);
  }

  /**
   * Whether a block is to be in the owned part. More units may be missing than the counts tell,
   * for the unit of a node that is out of service may have a replica elsewhere: such a group is
   * stock's until it was looked at.
   */
  private boolean isOwned(BlockInfo block, int curReplicas, int outOfServiceReplicas,
      int expectedReplicas) {
    int missing = expectedReplicas - curReplicas;
    if (missing <= 0 || !isMine(block)) {
      return false;
    }
    return claim(block) == LEAVING || missing > outOfServiceReplicas || isInOwned(block);
  }

  private byte claim(BlockInfo block) {
    ErasureCodingPolicy policy = ((BlockInfoStriped) block).getErasureCodingPolicy();
    int id = policy.getId() & 0xff;
    if (claimed[id] == UNKNOWN) {
      claimed[id] = claims.leaving(policy) ? LEAVING : claims.losses(policy) ? LOSSES : NO;
    }
    return claimed[id];
  }

  private boolean isReleased(BlockInfo block) {
    Release release = released.get(block);
    return release != null && release.untilMs > clockMs.getAsLong();
  }

  private boolean isInOwned(BlockInfo block) {
    Record record = records.get(block);
    return record != null && record.owned;
  }

  private void own(BlockInfo block) {
    records.computeIfAbsent(block, b -> new Record(clockMs.getAsLong())).owned = true;
  }

  private void touch(BlockInfo block) {
    touched.add(block);
    if (flights.containsKey(block)) {
      touchedFlights.add(block);
    }
  }

  /** @return whether it was there */
  private boolean leaveOwned(BlockInfo block, int expectedReplicas) {
    Record record = records.get(block);
    if (record == null || !record.owned) {
      return false;
    }
    boolean found = owned.remove(block, LEVEL, expectedReplicas);
    record.owned = false;
    untell(record);
    if (record.flight == null) {
      records.remove(block);
    }
    return found;
  }

  private void untell(Record record) {
    if (record.told != null) {
      gone.add(record.told);
      record.told = null;
    }
  }

  // What the owner calls. Where it says so with the write lock held.

  /** The owner is alive. Claims again what stock was given because it was silent. */
  synchronized void speak() {
    spokenMs = clockMs.getAsLong();
    if (!claiming) {
      claiming = true;
      sort();
    }
  }

  private void sort() {
    sortAll = true;
    unsorted.clear();
    groups.begin();
  }

  /** Claims nothing more until {@link #speak}. */
  synchronized void stopClaiming() {
    claiming = false;
    touched.clear();
    unsorted.clear();
  }

  /** Counts the calls of {@link #clear}. */
  synchronized long clears() {
    return clears;
  }

  /** Forgets what the claims said. */
  synchronized void forgetClaims() {
    Arrays.fill(claimed, UNKNOWN);
    released.clear();
    releases.clear();
    sort();
  }

  /**
   * Takes note of what was in the queue before this one took its place. All in one go: a NameNode
   * starts its plugins when its queue is empty or has only begun to fill. With the write lock held.
   */
  synchronized void listAll() {
    Iterator<BlockInfo> all = iterator();
    while (all.hasNext()) {
      list(all.next());
    }
  }

  synchronized boolean isSortAsked() {
    return sortAll;
  }

  /**
   * Notes some more of what was queued before it was asked to look at it. Without a lock of the
   * NameNode's; and as the queue remembers how far it has come, whatever changes between two calls,
   * no hold of the monitor gets longer with the number of blocks in it.
   *
   * @return how many groups it has gone through, at most {@link #SORTED_MAX}
   */
  synchronized int sortSome() {
    int seen = 0;
    while (sortAll && seen < SORTED_MAX) {
      BlockInfo block = groups.next();
      if (block == null) {
        sortAll = false;
      } else {
        seen++;
        if (isMine(block) || isInOwned(block)) {
          unsorted.add(block);
        }
      }
    }
    return seen;
  }

  /** The next blocks to look at. */
  synchronized List<BlockInfo> takeTouched(int max) {
    endReleases();
    List<BlockInfo> taken = new ArrayList<>(Math.min(max, touched.size() + unsorted.size()));
    Iterator<BlockInfo> next = touched.iterator();
    while (taken.size() < max && next.hasNext()) {
      taken.add(next.next());
      next.remove();
    }
    while (taken.size() < max && !unsorted.isEmpty()) {
      taken.add(unsorted.poll());
    }
    return taken;
  }

  /**
   * Some of those that nothing is known to have happened to, the ones longest not looked at first:
   * for what happens to a group without any of stock's calls, such as the end of a maintenance.
   */
  synchronized List<BlockInfo> takeUntouched(int max) {
    List<BlockInfo> taken = firstKeys(records, max);
    for (BlockInfo block : taken) {
      records.put(block, records.remove(block));
    }
    return taken;
  }

  private void endReleases() {
    long now = clockMs.getAsLong();
    while (!releases.isEmpty() && releases.peek().untilMs <= now) {
      Release release = releases.poll();
      if (released.remove(release.block, release)) {
        touched.add(release.block);
      }
    }
  }

  synchronized boolean hasTouched() {
    return !touched.isEmpty() || !unsorted.isEmpty() || !touchedFlights.isEmpty() || sortAll;
  }

  /** Looks at it again. */
  synchronized void retouch(BlockInfo block) {
    touched.add(block);
  }

  synchronized List<GroupId> takeGone() {
    List<GroupId> taken = new ArrayList<>(gone);
    gone.clear();
    return taken;
  }

  /** The repairs that something happened to, and some to which nothing did. */
  synchronized List<Flight> takeFlights(int touchedMax, int othersMax) {
    Set<BlockInfo> taken = new LinkedHashSet<>();
    Iterator<BlockInfo> next = touchedFlights.iterator();
    while (taken.size() < touchedMax && next.hasNext()) {
      taken.add(next.next());
      next.remove();
    }
    taken.addAll(firstKeys(flights, othersMax));
    List<Flight> result = new ArrayList<>(taken.size());
    for (BlockInfo block : taken) {
      Flight flight = flights.remove(block);
      if (flight != null) {
        flights.put(block, flight);
        result.add(flight);
      }
    }
    return result;
  }

  private static List<BlockInfo> firstKeys(Map<BlockInfo, ?> map, int max) {
    List<BlockInfo> keys = new ArrayList<>(Math.min(max, map.size()));
    Iterator<BlockInfo> next = map.keySet().iterator();
    while (keys.size() < max && next.hasNext()) {
      keys.add(next.next());
    }
    return keys;
  }

  /** Blocks are equal if their ids are. */
  synchronized Flight flight(Block block) {
    return flights.get(block);
  }

  synchronized boolean isOwned(BlockInfo block) {
    return isInOwned(block);
  }

  synchronized boolean isClaimable(BlockInfo block) {
    return isMine(block);
  }

  synchronized boolean claimsLeaving(BlockInfo block) {
    return claim(block) == LEAVING;
  }

  synchronized boolean isInStocksHands(BlockInfo block) {
    return inStocksHands.contains(block);
  }

  /**
   * The owner is told of the group by this name. Under the read lock.
   *
   * @return since when it is queued, or -1 if it is not owned
   */
  synchronized long tell(BlockInfo block, GroupId name) {
    Record record = records.get(block);
    if (record == null || !record.owned) {
      return -1;
    }
    if (record.told != null && !record.told.equals(name)) {
      gone.add(record.told);
    }
    record.told = name;
    gone.remove(name);
    return record.sinceMs;
  }

  /** The group is known no longer to be ours to begin, though it may be owned still. */
  synchronized void untell(BlockInfo block) {
    Record record = records.get(block);
    if (record != null) {
      untell(record);
    }
  }

  /** Moves a block of stock's part to the owned one. Under the write lock. */
  synchronized void moveToOwned(BlockInfo block, NumberReplicas counts, int expectedReplicas) {
    if (!isInOwned(block) && super.remove(block, LEVEL, expectedReplicas)) {
      owned.add(block, counts.liveReplicas(), counts.readOnlyReplicas(),
          counts.outOfServiceReplicas(), expectedReplicas);
      own(block);
    }
  }

  /** Moves a block of the owned part to stock's. Under the write lock. */
  synchronized void moveToStock(BlockInfo block, NumberReplicas counts, int expectedReplicas) {
    if (leaveOwned(block, expectedReplicas)) {
      touched.remove(block);
      super.add(block, counts.liveReplicas(), counts.readOnlyReplicas(),
          counts.outOfServiceReplicas(), expectedReplicas);
    }
  }

  synchronized List<BlockInfo> ownedOnes(int max) {
    List<BlockInfo> result = new ArrayList<>();
    Iterator<BlockInfo> next = owned.iterator();
    while (result.size() < max && next.hasNext()) {
      result.add(next.next());
    }
    return result;
  }

  /** Under the write lock. */
  synchronized void begin(Flight flight, boolean removed, int expectedReplicas) {
    BlockInfo block = flight.block;
    Record record = records.get(block);
    record.told = null;
    record.flight = flight;
    flights.put(block, flight);
    if (removed) {
      owned.remove(block, LEVEL, expectedReplicas);
      record.owned = false;
      touched.remove(block);
    }
  }

  /**
   * Forgets a repair.
   *
   * @return false if it was not this one, or was forgotten already
   */
  synchronized boolean end(Flight flight, boolean keepAge) {
    if (!flights.remove(flight.block, flight)) {
      return false;
    }
    touchedFlights.remove(flight.block);
    Record record = records.get(flight.block);
    if (record != null && record.flight == flight) {
      record.flight = null;
      if (!record.owned && !keepAge) {
        records.remove(flight.block);
      }
    }
    return true;
  }

  /** Forgets the age of a group that did not come back. */
  synchronized void forgetAge(BlockInfo block) {
    Record record = records.get(block);
    if (record != null && !record.owned && record.flight == null) {
      records.remove(block);
    }
  }

  synchronized void release(BlockInfo block, long untilMs) {
    Release release = new Release(block, untilMs);
    Release old = released.put(block, release);
    if (old != null) {
      releases.remove(old);
    }
    if (untilMs != Long.MAX_VALUE) {
      releases.add(release);
    }
  }

  /** Some of the groups that are released for good, the ones longest not looked at first. */
  synchronized List<BlockInfo> takeReleased(int max) {
    List<BlockInfo> taken = firstKeys(released, max);
    for (BlockInfo block : taken) {
      released.put(block, released.remove(block));
    }
    return taken;
  }

  /** Nobody has to repair it any more. */
  synchronized void forgetRelease(BlockInfo block) {
    Release release = released.remove(block);
    if (release != null) {
      releases.remove(release);
    }
  }

  /**
   * From now on stock gets a group only while it would not decode it.
   *
   * @return false if too many are held already
   */
  synchronized boolean hold(BlockInfo block) {
    if (held.size() >= HELD_MAX && !held.contains(block)) {
      return false;
    }
    held.add(block);
    takeBackHeld(block);
    if (released.containsKey(block)) {
      // It would be nobody's until its time with stock is over.
      forgetRelease(block);
      touched.add(block);
    }
    return true;
  }

  /** Ends {@link #hold}. */
  synchronized boolean letGo(Block block) {
    return held.remove(block);
  }

  /** Some of the groups that are held, the ones longest not looked at first. */
  synchronized List<BlockInfo> takeHeld(int max) {
    List<BlockInfo> taken = new ArrayList<>(Math.min(max, held.size()));
    Iterator<BlockInfo> next = held.iterator();
    while (taken.size() < max && next.hasNext()) {
      taken.add(next.next());
    }
    held.removeAll(taken);
    held.addAll(taken);
    return taken;
  }

  /** The part that is not stock's. */
  LowRedundancyBlocks owned() {
    return owned;
  }

  /** How many groups both parts have. */
  synchronized int groups() {
    return groups.size();
  }

  synchronized QueueCounts counts() {
    return new QueueCounts(owned.size(), super.size(), touched.size() + unsorted.size(),
        flights.size(), released.size(), held.size());
  }
}
