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
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.hdfsppr.namenode.queue.QueueCounts;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.plan.GroupId;

/**
 * The queue of blocks with low redundancy, in two parts. Stock schedules from its own part. Stock
 * also counts, finds, lists and removes blocks of the owned part, but does not schedule from that
 * part. The owner of that part is the repair manager.
 *
 * <pre>
 *   stock's calls           add update remove      contains size metrics iterator     choose...
 *                                  |                           |                          |
 *   this                    by its owner              sum of both parts                   |
 *                             /        \               /             \                    |
 *   parts             owned              stock's: the superclass's own state  ------------+
 * </pre>
 *
 * <p>The queue has two parts because stock chooses blocks by stepping through its queue. If the
 * owned groups were in the same queue, stock would step over them, perhaps over a hundred thousand
 * of them with the NameNode's lock held, and would come later to the replicated blocks behind them.
 *
 * <p>Stock calls this queue for every block of a node that dies. Such a call therefore only appends
 * the block to a list. {@link BlockManagerAccess} looks at the listed blocks later, a few at a
 * time. A group of a claimed policy that certainly lacks units goes to the owned part at once.
 *
 * <p>The monitor of this object guards all its state. Methods that add, remove or move blocks are
 * called with the NameNode's write lock held, as in stock.
 */
class SplitLowRedundancyBlocks extends SummedLowRedundancyBlocks {
  /** Decides which groups of a policy the repair manager claims. Called under locks. */
  interface PolicyClaims {
    boolean losses(ErasureCodingPolicy policy);

    boolean leaving(ErasureCodingPolicy policy);
  }

  /**
   * Hands groups to stock if the repair manager has stopped polling. Called with write lock and
   * monitor held.
   */
  interface Rescue {
    void moveToStock(SplitLowRedundancyBlocks queue, BlockInfo group);

    /** Takes note that a group could not be moved with its priority. Must not throw. */
    void failed();

    /** Returns a monotonic time, ns. */
    default long nanoTime() {
      return System.nanoTime();
    }
  }

  /** Predicts how stock would treat a group. Called with the write lock and the monitor held. */
  interface StocksWork {
    /** Returns whether stock can read each unit of the group, and would only copy some. */
    boolean isCopy(BlockInfo group);
  }

  private final ClaimMarks marks;
  private final StalledManagerHandover rescue;
  private final StocksWork stocksWork;
  private final LongSupplier clockMs;
  private final long silenceMsMax;

  private final InspectionQueue looks = new InspectionQueue();
  private final OwnedGroups ownedGroups = new OwnedGroups();
  private final PendingRepairs repairs = new PendingRepairs();
  private final ReleasedGroups released = new ReleasedGroups();
  private final HeldGroups held = new HeldGroups();
  /**
   * The groups that stock chose in its last call. Stock now chooses targets for them without a
   * lock.
   */
  private final Set<BlockInfo> inStocksHands = new HashSet<>();

  private boolean claiming = true;
  private long clears;
  private long spokenMs;

  SplitLowRedundancyBlocks(PolicyClaims claims, Rescue rescue, StocksWork stocksWork,
      LongSupplier clockMs, long silenceMsMax) {
    this.marks = new ClaimMarks(claims::losses, claims::leaving);
    this.rescue = new StalledManagerHandover(group -> rescue.moveToStock(this, group),
        this::moveToStockUncounted, () -> rescue.failed(), clockMs, () -> rescue.nanoTime());
    this.stocksWork = stocksWork;
    this.clockMs = clockMs;
    this.silenceMsMax = silenceMsMax;
    this.spokenMs = clockMs.getAsLong();
  }

  // The following methods override those by which stock changes the queue.

  @Override
  synchronized boolean add(BlockInfo block, int curReplicas, int readOnlyReplicas,
      int outOfServiceReplicas, int expectedReplicas) {
    held.takeBack(block);
    looks.list(block);
    if (isOwned(block, curReplicas, outOfServiceReplicas, expectedReplicas)) {
      boolean inStocks = super.remove(block, LEVEL, expectedReplicas);
      boolean added = owned.add(block, curReplicas, readOnlyReplicas, outOfServiceReplicas,
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
      owned.update(block, curReplicas, readOnlyReplicas, outOfServiceReplicas,
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
    // The block is listed only now, because the superclass removes it and then adds it again.
    looks.list(block);
    if (mine) {
      touch(block);
    }
  }

  /** Removes a block. All of stock's methods that remove a block call this one. */
  @Override
  synchronized boolean remove(BlockInfo block, int priLevel, int oldExpectedReplicas) {
    boolean found = super.remove(block, priLevel, oldExpectedReplicas);
    if (!block.isStriped()) {
      return found;
    }
    looks.remove(block);
    touchRepair(block);
    return leaveOwned(block, oldExpectedReplicas) || found;
  }

  @Override
  synchronized void clear() {
    super.clear();
    owned.clear();
    looks.clear();
    released.clear();
    inStocksHands.clear();
    held.forgetGiven();
    clears++;
    ownedGroups.clear();
    repairs.touchAll();
  }

  @Override
  synchronized List<List<BlockInfo>> chooseLowRedundancyBlocks(int blocksToProcess,
      boolean resetIterators) {
    long silentMs = clockMs.getAsLong() - spokenMs;
    if (silentMs > silenceMsMax) {
      claiming = false;
      rescue.handOver(this::ownedOnes, blocksToProcess, silentMs);
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

  /**
   * Returns whether stock would only copy units of the group. Returns false also if this check
   * throws: no exception, and no error that a single group can cause, may reach stock's thread.
   */
  private boolean isCopy(BlockInfo group) {
    try {
      return stocksWork.isCopy(group);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      rescue.failed(group, e);
      return false;
    }
  }

  /** Moves a group whose counts are unknown. Stock counts its units before it repairs the group. */
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

  // The following methods decide to which part of the queue a block belongs.

  /** Returns whether a block is a group that the repair manager claims. */
  private boolean isMine(BlockInfo block) {
    return claiming && block.isStriped() && marks.claims(block)
        && !released.contains(block, clockMs.getAsLong());
  }

  /**
   * Returns whether a block belongs to the owned part, as far as the counts tell. More units may be
   * missing than the counts tell, because the unit of a node that is out of service may have a
   * replica elsewhere. Such a group stays in stock's part until a look at it decides.
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
    touchRepair(block);
  }

  /** Notes that stock has changed a group, in case a repair of the group is under way. */
  private void touchRepair(BlockInfo block) {
    RepairGrant grant = ownedGroups.grantOf(block);
    if (grant != null) {
      repairs.touch(grant);
    }
  }

  /** @return whether the block was in the owned part */
  private boolean leaveOwned(BlockInfo block, int expectedReplicas) {
    if (!isInOwned(block)) {
      return false;
    }
    boolean found = owned.remove(block, LEVEL, expectedReplicas);
    ownedGroups.disown(block);
    return found;
  }

  // The repair manager's thread calls the following methods; their comments say which need the
  // write lock.

  /**
   * Notes that the repair manager still polls, and claims again the groups that stock got
   * meanwhile.
   */
  synchronized void speak() {
    spokenMs = clockMs.getAsLong();
    if (!claiming) {
      claiming = true;
      looks.sort();
    }
  }

  /** Claims no groups until {@link #speak} is called. */
  synchronized void stopClaiming() {
    claiming = false;
    looks.forgetWaiting();
  }

  /** Returns how often {@link #clear} has been called. */
  synchronized long clears() {
    return clears;
  }

  /** Forgets the cached claims, because they have changed, and asks for a look at all groups. */
  synchronized void forgetClaims() {
    marks.forget();
    released.clear();
    looks.sort();
  }

  /**
   * Lists the groups of the queue that this object replaces. It can list all of them at once,
   * because a NameNode starts its plugins when its queue is empty or has only begun to fill. Call
   * with the write lock held.
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
   * Continues the round over all groups that {@link #speak} or {@link #forgetClaims} has begun, and
   * notes the groups to look at. Needs no lock of the NameNode. Each call continues where the last
   * call stopped. With more groups there are more calls, but one call does not hold the monitor for
   * longer.
   *
   * @return how many groups this call has gone through, at most {@link InspectionQueue#SORTED_MAX}
   */
  synchronized int sortSome() {
    return looks.sortSome(block -> isMine(block) || isInOwned(block));
  }

  /** Removes and returns the next blocks to look at. */
  synchronized List<BlockInfo> takeTouched(int max) {
    released.endDue(clockMs.getAsLong(), looks::touch);
    return looks.takeSome(max);
  }

  /**
   * Returns some groups without a known change, first those whose last look is longest ago. Some
   * changes come without any call of stock, such as the end of a maintenance.
   */
  synchronized List<BlockInfo> takeUntouched(int max) {
    return ownedGroups.takeSome(max);
  }

  synchronized boolean hasTouched() {
    return !looks.isEmpty() || repairs.isTouched();
  }

  /** Asks for another look at a group. */
  synchronized void retouch(BlockInfo block) {
    looks.touch(block);
  }

  synchronized List<GroupId> takeGone() {
    return ownedGroups.takeGone();
  }

  /** Returns repairs whose groups stock has changed, and some others. */
  synchronized List<RepairGrant> takeRepairs(int touchedMax, int othersMax) {
    return repairs.takeSome(touchedMax, othersMax);
  }

  /** Returns the repair of the group that has begun; null if there is none. */
  synchronized RepairGrant grantOf(BlockInfo block) {
    return ownedGroups.grantOf(block);
  }

  /** Returns the group of a repair that has begun; null if the repair was forgotten. */
  synchronized BlockInfo blockOf(RepairGrant grant) {
    return repairs.blockOf(grant);
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
   * Notes that the group is reported to the repair manager under this id. Call with the read lock
   * held.
   *
   * @return the time at which the group was queued, or -1 if the group is not in the owned part
   */
  synchronized long tell(BlockInfo block, GroupId name) {
    return ownedGroups.tell(block, name);
  }

  /** Notes that no repair of the group may begin now, though the group may still be owned. */
  synchronized void untell(BlockInfo block) {
    ownedGroups.untell(block);
  }

  /** Moves a block from stock's part to the owned part. Call with the write lock held. */
  synchronized void moveToOwned(BlockInfo block, NumberReplicas counts, int expectedReplicas) {
    if (!isInOwned(block) && super.remove(block, LEVEL, expectedReplicas)) {
      owned.add(block, counts.liveReplicas(), counts.readOnlyReplicas(),
          counts.outOfServiceReplicas(), expectedReplicas);
      ownedGroups.own(block, clockMs.getAsLong());
    }
  }

  /** Moves a block from the owned part to stock's part. Call with the write lock held. */
  synchronized void moveToStock(BlockInfo block, NumberReplicas counts, int expectedReplicas) {
    if (leaveOwned(block, expectedReplicas)) {
      looks.untouch(block);
      super.add(block, counts.liveReplicas(), counts.readOnlyReplicas(),
          counts.outOfServiceReplicas(), expectedReplicas);
    }
  }

  synchronized List<BlockInfo> ownedOnes(int max) {
    return InspectionQueue.first(owned, max);
  }

  /** Notes that a repair has begun. Call with the write lock held. */
  synchronized void begin(BlockInfo block, RepairGrant grant, boolean removed,
      int expectedReplicas) {
    ownedGroups.begin(block, grant, !removed);
    repairs.add(grant, block);
    if (removed) {
      owned.remove(block, LEVEL, expectedReplicas);
      looks.untouch(block);
    }
  }

  /**
   * Forgets a repair.
   *
   * @return the group; null if the repair was forgotten before
   */
  synchronized BlockInfo end(RepairGrant grant, boolean keepAge) {
    BlockInfo block = repairs.remove(grant);
    if (block != null) {
      ownedGroups.end(block, keepAge);
    }
    return block;
  }

  /**
   * Forgets when a group was queued, unless it is in the owned part again or its repair is under
   * way.
   */
  synchronized void forgetAge(BlockInfo block) {
    ownedGroups.forgetAge(block);
  }

  synchronized void release(BlockInfo block, long untilMs) {
    released.add(block, untilMs);
  }

  /** Returns some groups that were handed to stock, first those whose last look is longest ago. */
  synchronized List<BlockInfo> takeReleased(int max) {
    return released.takeSome(max);
  }

  /**
   * Notes whether a group that was handed to stock would lose data with one more lost unit. Forgets
   * the group if it is whole or deleted.
   */
  synchronized void seeRelease(BlockInfo block, boolean isOver, boolean isAtRisk) {
    released.see(block, isOver, isAtRisk);
  }

  /**
   * Holds a group. From now on, stock gets the group only if stock would not decode it.
   *
   * @return false if too many groups are held already
   */
  synchronized boolean hold(BlockInfo block) {
    if (!held.add(block)) {
      return false;
    }
    if (released.remove(block)) {
      // Stock may not decode the group now, so that only another look can bring it back to the
      // repair manager.
      looks.touch(block);
    }
    return true;
  }

  /** Lets stock have a group that {@link #hold} has kept from it. */
  synchronized boolean letGo(Block block) {
    return held.remove(block);
  }

  /** Returns some groups that stock must not decode, first those whose last look is longest ago. */
  synchronized List<BlockInfo> takeHeld(int max) {
    return held.takeSome(max);
  }

  /** Returns how many groups both parts have together. */
  synchronized int groups() {
    return looks.groups();
  }

  synchronized QueueCounts counts() {
    return new QueueCounts(owned.size(), sizeOfStocks(), looks.waiting(),
        repairs.size(), released.size(), released.atRisk(), held.size());
  }

  /**
   * Caches for each policy which groups are claimed. It asks once for each policy, and asks again
   * only after the claims have changed. Guarded by the monitor of the {@link
   * SplitLowRedundancyBlocks} that has this object.
   */
  static final class ClaimMarks {
    private static final byte UNKNOWN = 0;
    private static final byte NO = 1;
    private static final byte LOSSES = 2;
    private static final byte LEAVING = 3;

    private final Predicate<ErasureCodingPolicy> losses;
    private final Predicate<ErasureCodingPolicy> leaving;
    /** The claim on each policy, by the policy's id, which is a byte. */
    private final byte[] claimed = new byte[256];

    /**
     * @param losses decides whether groups of a policy that have really lost units are claimed
     * @param leaving decides whether groups whose units are on nodes that are being decommissioned
     *     are claimed, too
     */
    ClaimMarks(Predicate<ErasureCodingPolicy> losses, Predicate<ErasureCodingPolicy> leaving) {
      this.losses = losses;
      this.leaving = leaving;
    }

    boolean claims(BlockInfo block) {
      return claim(block) != NO;
    }

    boolean claimsLeaving(BlockInfo block) {
      return claim(block) == LEAVING;
    }

    private byte claim(BlockInfo block) {
      ErasureCodingPolicy policy = ((BlockInfoStriped) block).getErasureCodingPolicy();
      int id = policy.getId() & 0xff;
      if (claimed[id] == UNKNOWN) {
        claimed[id] = leaving.test(policy) ? LEAVING : losses.test(policy) ? LOSSES : NO;
      }
      return claimed[id];
    }

    void forget() {
      Arrays.fill(claimed, UNKNOWN);
    }
  }

  /**
   * The repairs that have begun, and a list of those whose groups stock has changed since the last
   * look. Guarded by the monitor of the {@link SplitLowRedundancyBlocks} that has this object.
   */
  static final class PendingRepairs {
    private final LinkedHashMap<RepairGrant, BlockInfo> blocks = new LinkedHashMap<>();
    private final LinkedHashSet<RepairGrant> touched = new LinkedHashSet<>();

    void add(RepairGrant grant, BlockInfo block) {
      blocks.put(grant, block);
    }

    /** Returns the group of the repair; null if the repair had been removed before. */
    BlockInfo remove(RepairGrant grant) {
      touched.remove(grant);
      return blocks.remove(grant);
    }

    BlockInfo blockOf(RepairGrant grant) {
      return blocks.get(grant);
    }

    /** Notes that stock has changed the group of a repair that is under way. */
    void touch(RepairGrant grant) {
      touched.add(grant);
    }

    void touchAll() {
      touched.addAll(blocks.keySet());
    }

    boolean isTouched() {
      return !touched.isEmpty();
    }

    /**
     * Returns up to {@code touchedMax} repairs whose groups stock has changed, and up to {@code
     * othersMax} other repairs.
     */
    List<RepairGrant> takeSome(int touchedMax, int othersMax) {
      Set<RepairGrant> taken = new LinkedHashSet<>(InspectionQueue.first(touched, touchedMax));
      touched.removeAll(taken);
      taken.addAll(InspectionQueue.first(blocks.keySet(), othersMax));
      for (RepairGrant grant : taken) {
        blocks.put(grant, blocks.remove(grant));
      }
      return new ArrayList<>(taken);
    }

    int size() {
      return blocks.size();
    }
  }
}
