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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.hdfsppr.namenode.queue.QueueCounts;
import org.hdfsppr.plan.GroupId;

/**
 * The queue of blocks with low redundancy, in two parts. Stock schedules from its own part. Stock
 * counts, finds, lists and removes blocks of the owned part, too, but does not schedule from it.
 *
 * <pre>
 *   what stock calls        add update remove      contains size metrics iterator     choose...
 *                                  |                           |                          |
 *   this                    by its owner              sum of both parts                   |
 *                             /        \               /             \                    |
 *   parts             owned              stock's: the superclass's own state  ------------+
 * </pre>
 *
 * <p>The parts are apart because stock chooses by stepping through its queue: groups that it has
 * to step over would slow down the replicated blocks behind them, or be stepped over by the
 * hundred thousand with the NameNode's lock held.
 *
 * <p>Stock's calls only append a block to the list of those to look at, because stock calls for
 * every block of a node that dies. {@link BlockManagerAccess} looks later, a few at a time. Until
 * then a group of a claimed policy that certainly lacks units is in the owned part.
 *
 * <p>This object's monitor guards everything here. Methods that move blocks between the parts, add
 * or remove them are called with the NameNode's write lock held, as in stock.
 */
@InterfaceAudience.Private
class SplitLowRedundancyBlocks extends SummedLowRedundancyBlocks {
  /** The owner's rules for a policy. Called under locks. */
  interface PolicyClaims {
    boolean losses(ErasureCodingPolicy policy);

    boolean leaving(ErasureCodingPolicy policy);
  }

  /** Gives back the groups of a silent owner; with the write lock and the monitor held. */
  interface Rescue {
    void moveToStock(SplitLowRedundancyBlocks queue, BlockInfo group);

    /** A group could not be moved as it should be; no exception may get further. */
    void failed();
  }

  /** Predicts what stock would do to a group; called with the write lock and the monitor. */
  interface StocksWork {
    /** Whether stock would only copy units, because it can read each of them. */
    boolean isCopy(BlockInfo group);
  }

  /** How many groups are given back in one call of stock's if the owner is silent. */
  private static final int RESCUED_MAX = 500;

  private final ClaimMarks marks;
  private final SilenceRescue rescue;
  private final StocksWork stocksWork;
  private final LongSupplier clockMs;
  private final long silenceMsMax;

  private final LookList looks = new LookList();
  private final OwnedGroups ownedGroups = new OwnedGroups();
  private final Flights flights = new Flights();
  private final ReleasedGroups released = new ReleasedGroups();
  private final HeldGroups held = new HeldGroups();
  /** The groups that stock chooses targets for since its last call, without a lock. */
  private final Set<BlockInfo> inStocksHands = new HashSet<>();

  private boolean claiming = true;
  private long clears;
  private long spokenMs;

  SplitLowRedundancyBlocks(PolicyClaims claims, Rescue rescue, StocksWork stocksWork,
      LongSupplier clockMs, long silenceMsMax) {
    this.marks = new ClaimMarks(claims::losses, claims::leaving);
    this.rescue = new SilenceRescue(group -> rescue.moveToStock(this, group),
        this::moveToStockUncounted, rescue::failed, clockMs);
    this.stocksWork = stocksWork;
    this.clockMs = clockMs;
    this.silenceMsMax = silenceMsMax;
    this.spokenMs = clockMs.getAsLong();
  }

  // Stock's calls that change the queue.

  @Override
  synchronized boolean add(BlockInfo block, int curReplicas, int readOnlyReplicas,
      int outOfServiceReplicas, int expectedReplicas) {
    held.takeBack(block);
    looks.list(block);
    if (isOwned(block, curReplicas, outOfServiceReplicas, expectedReplicas)) {
      boolean inStocks = super.remove(block, LEVEL, expectedReplicas);
      boolean added = owned().add(block, curReplicas, readOnlyReplicas, outOfServiceReplicas,
          expectedReplicas);
      ownedGroups.own(block, clockMs.getAsLong());
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
    held.takeBack(block);
    if (isOwned(block, curReplicas, outOfServiceReplicas, curExpectedReplicas)) {
      super.remove(block, LEVEL, curExpectedReplicas);
      owned().update(block, curReplicas, readOnlyReplicas, outOfServiceReplicas,
          curExpectedReplicas, curReplicasDelta, expectedReplicasDelta);
      ownedGroups.own(block, clockMs.getAsLong());
      touch(block);
      looks.list(block);
      return;
    }
    boolean mine = isMine(block);
    if (mine) {
      leaveOwned(block, curExpectedReplicas);
    }
    super.update(block, curReplicas, readOnlyReplicas, outOfServiceReplicas, curExpectedReplicas,
        curReplicasDelta, expectedReplicasDelta);
    // Not before: the superclass has removed it, and then added it.
    looks.list(block);
    if (mine) {
      touch(block);
    }
  }

  /** All of stock's ways to remove a block lead here. */
  @Override
  synchronized boolean remove(BlockInfo block, int priLevel, int oldExpectedReplicas) {
    boolean found = super.remove(block, priLevel, oldExpectedReplicas);
    if (!block.isStriped()) {
      return found;
    }
    looks.remove(block);
    flights.touch(block);
    return leaveOwned(block, oldExpectedReplicas) || found;
  }

  @Override
  synchronized void clear() {
    super.clear();
    owned().clear();
    looks.clear();
    released.clear();
    inStocksHands.clear();
    held.forgetGiven();
    clears++;
    ownedGroups.clear();
    flights.touchAll();
  }

  @Override
  synchronized List<List<BlockInfo>> chooseLowRedundancyBlocks(int blocksToProcess,
      boolean resetIterators) {
    long silentMs = clockMs.getAsLong() - spokenMs;
    if (silentMs > silenceMsMax) {
      claiming = false;
      rescue.handOver(() -> ownedOnes(RESCUED_MAX), silentMs);
    }
    List<List<BlockInfo>> chosen =
        held.without(super.chooseLowRedundancyBlocks(blocksToProcess, resetIterators),
            this::isCopy, clockMs.getAsLong());
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

  /** False in doubt: no exception may get into stock's thread. */
  private boolean isCopy(BlockInfo group) {
    try {
      return stocksWork.isCopy(group);
    } catch (RuntimeException | LinkageError e) {
      rescue.failed(group, e);
      return false;
    }
  }

  /** Moves a group without its counts: stock counts its units anew before it repairs it. */
  private void moveToStockUncounted(BlockInfo block) {
    int units = ((BlockInfoStriped) block).getRealTotalBlockNum();
    leaveOwned(block, units);
    looks.untouch(block);
    if (!super.contains(block)) {
      super.add(block, units - 1, 0, 0, units);
    }
  }

  @Override
  synchronized boolean contains(BlockInfo block) {
    return super.contains(block) || isInOwned(block);
  }

  // Which part a block belongs to.

  /** Whether a block is of a kind that is claimed. */
  private boolean isMine(BlockInfo block) {
    return claiming && block.isStriped() && marks.claims(block)
        && !released.contains(block, clockMs.getAsLong());
  }

  /**
   * Whether a block is to be in the owned part. More units may be missing than the counts tell,
   * because the unit of a node that is out of service may have a replica elsewhere. Such a group is
   * stock's until a look at it decides.
   */
  private boolean isOwned(BlockInfo block, int curReplicas, int outOfServiceReplicas,
      int expectedReplicas) {
    int missing = expectedReplicas - curReplicas;
    if (missing <= 0 || !isMine(block)) {
      return false;
    }
    return marks.claimsLeaving(block) || missing > outOfServiceReplicas || isInOwned(block);
  }

  private boolean isInOwned(BlockInfo block) {
    return ownedGroups.isOwned(block);
  }

  private void touch(BlockInfo block) {
    looks.touch(block);
    flights.touch(block);
  }

  /** @return whether the block was there */
  private boolean leaveOwned(BlockInfo block, int expectedReplicas) {
    if (!isInOwned(block)) {
      return false;
    }
    boolean found = owned().remove(block, LEVEL, expectedReplicas);
    ownedGroups.disown(block);
    return found;
  }

  // Calls of the owner; their comments say which ones need the write lock.

  /** The owner is alive. Claims the groups again that stock got because it was silent. */
  synchronized void speak() {
    spokenMs = clockMs.getAsLong();
    if (!claiming) {
      claiming = true;
      looks.sort();
    }
  }

  /** Claims nothing more until {@link #speak}. */
  synchronized void stopClaiming() {
    claiming = false;
    looks.forgetWaiting();
  }

  /** Counts the calls of {@link #clear}. */
  synchronized long clears() {
    return clears;
  }

  /** Forgets what the claims said. */
  synchronized void forgetClaims() {
    marks.forget();
    released.clear();
    looks.sort();
  }

  /**
   * Notes the groups of the queue that this object replaces, all in one go: a NameNode starts its
   * plugins when its queue is empty or has only begun to fill. With the write lock held.
   */
  synchronized void listAll() {
    Iterator<BlockInfo> all = iterator();
    while (all.hasNext()) {
      looks.list(all.next());
    }
  }

  synchronized boolean isSortAsked() {
    return looks.isSortAsked();
  }

  /**
   * Notes some more of the groups that were queued before all were to be looked at. Needs no lock
   * of the NameNode. The queue remembers its place over changes between two calls, so that no hold
   * of the monitor gets longer with the number of blocks.
   *
   * @return how many groups it has gone through, at most {@link LookList#SORTED_MAX}
   */
  synchronized int sortSome() {
    return looks.sortSome(block -> isMine(block) || isInOwned(block));
  }

  /** Takes the next blocks to look at off the list. */
  synchronized List<BlockInfo> takeTouched(int max) {
    released.endDue(clockMs.getAsLong(), looks::touch);
    return looks.takeSome(max);
  }

  /**
   * Some groups without a known change; those come first that were not looked at for the longest
   * time. Some changes come without any of stock's calls, such as the end of a maintenance.
   */
  synchronized List<BlockInfo> takeUntouched(int max) {
    return ownedGroups.takeSome(max);
  }

  synchronized boolean hasTouched() {
    return !looks.isEmpty() || flights.isTouched();
  }

  /** Has a group looked at again. */
  synchronized void retouch(BlockInfo block) {
    looks.touch(block);
  }

  synchronized List<GroupId> takeGone() {
    return ownedGroups.takeGone();
  }

  /** Repairs whose groups stock has changed, and some others. */
  synchronized List<Flight> takeFlights(int touchedMax, int othersMax) {
    return flights.takeSome(touchedMax, othersMax);
  }

  /** Blocks are equal if their ids are. */
  synchronized Flight flight(Block block) {
    return flights.find(block);
  }

  synchronized boolean isOwned(BlockInfo block) {
    return isInOwned(block);
  }

  synchronized boolean isClaimable(BlockInfo block) {
    return isMine(block);
  }

  synchronized boolean claimsLeaving(BlockInfo block) {
    return marks.claimsLeaving(block);
  }

  synchronized boolean isInStocksHands(BlockInfo block) {
    return inStocksHands.contains(block);
  }

  /**
   * Reports the group to the owner by this name. Under the read lock.
   *
   * @return the time at which it was queued, or -1 if it is not owned
   */
  synchronized long tell(BlockInfo block, GroupId name) {
    return ownedGroups.tell(block, name);
  }

  /** Notes that no repair of the group may begin here now, though it may still be owned. */
  synchronized void untell(BlockInfo block) {
    ownedGroups.untell(block);
  }

  /** Moves a block of stock's part to the owned one. Under the write lock. */
  synchronized void moveToOwned(BlockInfo block, NumberReplicas counts, int expectedReplicas) {
    if (!isInOwned(block) && super.remove(block, LEVEL, expectedReplicas)) {
      owned().add(block, counts.liveReplicas(), counts.readOnlyReplicas(),
          counts.outOfServiceReplicas(), expectedReplicas);
      ownedGroups.own(block, clockMs.getAsLong());
    }
  }

  /** Moves a block of the owned part to stock's. Under the write lock. */
  synchronized void moveToStock(BlockInfo block, NumberReplicas counts, int expectedReplicas) {
    if (leaveOwned(block, expectedReplicas)) {
      looks.untouch(block);
      super.add(block, counts.liveReplicas(), counts.readOnlyReplicas(),
          counts.outOfServiceReplicas(), expectedReplicas);
    }
  }

  synchronized List<BlockInfo> ownedOnes(int max) {
    List<BlockInfo> result = new ArrayList<>();
    Iterator<BlockInfo> next = owned().iterator();
    while (result.size() < max && next.hasNext()) {
      result.add(next.next());
    }
    return result;
  }

  /** Under the write lock. */
  synchronized void begin(Flight flight, boolean removed, int expectedReplicas) {
    ownedGroups.begin(flight, !removed);
    flights.add(flight);
    if (removed) {
      owned().remove(flight.block(), LEVEL, expectedReplicas);
      looks.untouch(flight.block());
    }
  }

  /**
   * Forgets a repair.
   *
   * @return false if another repair is there, or the repair was forgotten already
   */
  synchronized boolean end(Flight flight, boolean keepAge) {
    if (!flights.remove(flight)) {
      return false;
    }
    ownedGroups.end(flight, keepAge);
    return true;
  }

  /** Forgets the age of a group that did not come back. */
  synchronized void forgetAge(BlockInfo block) {
    ownedGroups.forgetAge(block);
  }

  synchronized void release(BlockInfo block, long untilMs) {
    released.add(block, untilMs);
  }

  /** Some groups that are released for good; those not looked at for longest come first. */
  synchronized List<BlockInfo> takeReleased(int max) {
    return released.takeSome(max);
  }

  /** A group that was released is whole again, or deleted. */
  synchronized void forgetRelease(BlockInfo block) {
    released.remove(block);
  }

  /**
   * Holds a group: from now on stock gets it only while stock would not decode it.
   *
   * @return false if too many are held already
   */
  synchronized boolean hold(BlockInfo block) {
    if (!held.add(block)) {
      return false;
    }
    if (released.remove(block)) {
      // Otherwise no part of the queue would repair it until its time with stock is over.
      looks.touch(block);
    }
    return true;
  }

  /** Ends {@link #hold}. */
  synchronized boolean letGo(Block block) {
    return held.remove(block);
  }

  /** Some held groups; those not looked at for longest come first. */
  synchronized List<BlockInfo> takeHeld(int max) {
    return held.takeSome(max);
  }

  /** How many groups both parts have. */
  synchronized int groups() {
    return looks.groups();
  }

  synchronized QueueCounts counts() {
    return new QueueCounts(owned().size(), sizeOfStocks(), looks.waiting(),
        flights.size(), released.size(), held.size());
  }
}
