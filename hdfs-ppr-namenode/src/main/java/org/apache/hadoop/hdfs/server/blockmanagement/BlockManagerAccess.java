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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.util.Time;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.BeginResult;
import org.hdfsppr.namenode.queue.LockTimes;
import org.hdfsppr.namenode.queue.QueueChanges;
import org.hdfsppr.namenode.queue.QueueCounts;
import org.hdfsppr.namenode.queue.QueueFaults;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.namenode.queue.SchedulingClaims;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over the scheduling of some reconstructions in the NameNode. While this class is installed,
 * stock, which is Hadoop's own code, schedules no reconstruction of claimed block groups. Stock
 * still schedules all other blocks, and still keeps the record of every block.
 *
 * <p>This class replaces stock's queue by a {@link SplitLowRedundancyBlocks}. The members of
 * Hadoop's classes that it needs are the same in Hadoop 3.3.6, 3.4.3 and 3.5.0. {@link #missing}
 * checks them in the running Hadoop. If a member is missing, this class does not take the queue
 * over, and stock schedules all reconstructions.
 *
 * <p>No group is scheduled twice. This class begins a repair only if no repair of the group is
 * pending and stock is not choosing targets for the group. Stock schedules no group with a pending
 * repair, and does not see the groups in this project's part of the queue, the owned groups.
 *
 * <p>This class holds the NameNode's lock for about 2 ms at a time, and longer only if a single
 * group takes longer. It holds the read lock to look at groups and the write lock to move groups. A
 * thread takes this lock before it enters the queue's monitor. Each call asks the namesystem for
 * the BlockManager again, because Hadoop's own tests replace it.
 */
@InterfaceAudience.Private
public final class BlockManagerAccess implements ReconstructionQueue {
  private static final Logger LOG = LoggerFactory.getLogger(BlockManagerAccess.class);

  /**
   * If the repair manager does not poll the queue for this time, ms, the queue hands its groups to
   * stock.
   */
  static final long SILENCE_MS_MAX = 60_000;
  /**
   * The greatest number of groups that are handed to stock in one hold of the lock. Such a hold
   * takes some hundred microseconds.
   */
  private static final int RELEASED_MAX = 64;

  private final FSNamesystem namesystem;
  private final BlockManagerMembers members;
  private final SchedulingClaims claims;
  private final LongSupplier clockMs;
  private final NamesystemLock lock;
  private final SplitLowRedundancyBlocks queue;
  private final QueueTerm term;
  private final LostGroupFinder looks;
  private final RepairEnds ends;
  private final RepairBegin begin;
  private final Map<ErasureCodingPolicy, GroupPolicy> policies = new ConcurrentHashMap<>();

  private volatile boolean uninstalled;
  /**
   * Repairs that have ended and that no poll has reported yet. {@code unreportedReset} is true from
   * the time at which the results of earlier polls become void until a poll has reported this.
   */
  private final Map<RepairGrant, RepairEnd> unreportedEnds = new LinkedHashMap<>();
  private boolean unreportedReset;

  private BlockManagerAccess(FSNamesystem namesystem, BlockManagerMembers members,
      SchedulingClaims claims,
      ToIntFunction<String> repairPort, QueueFaults faults, LongSupplier clockMs,
      long silenceMsMax) {
    this.namesystem = namesystem;
    this.members = members;
    this.claims = claims;
    this.clockMs = clockMs;
    this.lock = new NamesystemLock(namesystem);
    this.queue = new SplitLowRedundancyBlocks(new SplitLowRedundancyBlocks.PolicyClaims() {
      @Override
      public boolean losses(ErasureCodingPolicy policy) {
        return claims.losses(of(policy));
      }

      @Override
      public boolean leaving(ErasureCodingPolicy policy) {
        return claims.leaving(of(policy));
      }
    }, new SplitLowRedundancyBlocks.Rescue() {
      @Override
      public void moveToStock(SplitLowRedundancyBlocks from, BlockInfo group) {
        BlockManagerAccess.moveToStock(namesystem.getBlockManager(), from, group);
      }

      @Override
      public void failed() {
        faults.rescueFailed();
      }
    }, group -> GroupInspection.isCopiedByStock(namesystem.getBlockManager(),
        (BlockInfoStriped) group),
        clockMs, silenceMsMax);
    members.shrinkLate(queue.owned);
    this.term = new QueueTerm(namesystem, clockMs);
    this.looks = new LostGroupFinder(lock, queue, claims, this::of, repairPort, this::isActive,
        new FailedInspections(queue::retouch, faults::lookFailed, clockMs));
    this.ends = new RepairEnds(lock, queue);
    this.begin = new RepairBegin(lock, queue, term, ends, this::isActive);
  }

  /** @return the members that this Hadoop lacks; empty if its queue can be taken over */
  public static List<String> missing() {
    return BlockManagerMembers.ofThisHadoop().missing();
  }

  /**
   * Takes the claimed groups out of stock's scheduling, including groups that are queued already.
   *
   * @param namesystem the NameNode's namesystem
   * @param claims decides which groups are claimed
   * @param repairPort maps a DataNode's UUID to its repair port, or to {@link
   *     NodeRef#NO_REPAIR_PORT} if the DataNode has none; called without a lock
   * @param faults counts groups that could not be looked at or handed over
   * @return access to the NameNode's queue; {@link #uninstall} gives the queue back to stock
   * @throws IOException if the queue cannot be taken over; then nothing has changed
   */
  public static BlockManagerAccess install(FSNamesystem namesystem, SchedulingClaims claims,
      ToIntFunction<String> repairPort, QueueFaults faults) throws IOException {
    return install(namesystem, claims, repairPort, faults,
        BlockManagerMembers.ofThisHadoop(), Time::monotonicNow, SILENCE_MS_MAX);
  }

  static BlockManagerAccess install(FSNamesystem namesystem, SchedulingClaims claims,
      ToIntFunction<String> repairPort, QueueFaults faults, BlockManagerMembers members,
      LongSupplier clockMs, long silenceMsMax) throws IOException {
    if (!members.missing().isEmpty()) {
      throw new IOException("This Hadoop's reconstruction queue cannot be taken over; it lacks "
          + String.join(", ", members.missing()));
    }
    BlockManagerAccess access =
        new BlockManagerAccess(namesystem, members, claims, repairPort, faults, clockMs,
            silenceMsMax);
    if (!access.lock.writing("pprInstall", access::takeOver)) {
      throw new IOException("The NameNode's reconstruction queue is taken over already");
    }
    LOG.info("Reconstructions of claimed block groups are not scheduled by the NameNode itself");
    return access;
  }

  private boolean takeOver() {
    BlockManager bm = namesystem.getBlockManager();
    LowRedundancyBlocks stock = bm.neededReconstruction;
    if (stock instanceof SplitLowRedundancyBlocks) {
      return false;
    }
    synchronized (stock) {
      members.share(stock, queue);
      queue.listAll();
      BlockManagerMembers.set(members.queue, bm, queue);
    }
    queue.forgetClaims();
    return true;
  }

  /**
   * Hands all groups back to stock. Repairs that have begun stay pending, like stock's own. A
   * second call does nothing more.
   */
  public void uninstall() {
    uninstalled = true;
    queue.stopClaiming();
    int held = queue.counts().heldBack;
    if (held > 0) {
      LOG.error("{} block groups whose units contradict each other are not kept from the NameNode's"
          + " own scheduling any more", held);
    }
    boolean left = true;
    while (left) {
      try (NamesystemLock.Hold hold = lock.write("pprUninstall")) {
        synchronized (queue) {
          left = rescueAll(hold);
          BlockManager bm = namesystem.getBlockManager();
          if (!left && bm.neededReconstruction == queue) {
            LowRedundancyBlocks stock = new LowRedundancyBlocks();
            members.share(queue, stock);
            BlockManagerMembers.set(members.queue, bm, stock);
            LOG.info("Reconstructions of all block groups are scheduled by the NameNode again");
          }
        }
      }
    }
  }

  /**
   * Hands groups to stock until none is left or the lock has been held for long; returns whether
   * some are left.
   */
  private boolean rescueAll(NamesystemLock.Hold hold) {
    BlockManager bm = namesystem.getBlockManager();
    while (!hold.isLong()) {
      List<BlockInfo> some = queue.ownedOnes(16);
      if (some.isEmpty()) {
        return false;
      }
      for (BlockInfo block : some) {
        moveToStock(bm, queue, block);
      }
    }
    return true;
  }

  private static void moveToStock(BlockManager bm, SplitLowRedundancyBlocks queue,
      BlockInfo block) {
    queue.moveToStock(block, bm.countNodes(block), bm.getExpectedRedundancyNum(block));
  }

  private GroupPolicy of(ErasureCodingPolicy policy) {
    return policies.computeIfAbsent(policy, p -> new GroupPolicy(p.getCodecName(),
        p.getNumDataUnits(), p.getNumParityUnits(), p.getCellSize()));
  }

  @Override
  public boolean isActive() {
    return isActive(namesystem.getBlockManager());
  }

  private boolean isActive(BlockManager bm) {
    return isPopulating(bm) && !namesystem.isInSafeMode();
  }

  /**
   * Returns whether the NameNode uses this queue now. If it does not, the queue is empty or is
   * about to be emptied.
   */
  private boolean isPopulating(BlockManager bm) {
    return !uninstalled && bm.neededReconstruction == queue && bm.isPopulatingReplQueues();
  }

  @Override
  public long term() {
    return term.get();
  }

  @Override
  public LockTimes lockTimes() {
    return lock.times();
  }

  @Override
  public QueueCounts counts() {
    return queue.counts();
  }

  @Override
  public void claimsChanged() {
    queue.forgetClaims();
  }

  @Override
  public synchronized QueueChanges poll(int groups_max) {
    if (!uninstalled) {
      queue.speak();
    }
    boolean populating = isPopulating(namesystem.getBlockManager());
    // If an earlier poll threw an exception, this poll reports what that poll had found, and looks
    // at no groups, because such a look may throw again.
    boolean isUnreported = unreportedReset || !unreportedEnds.isEmpty();
    unreportedReset |= term.startIfNew(populating, queue.clears());
    term.outgrow(isActive());
    ends.take(populating, unreportedEnds);
    if (isUnreported || !isActive()) {
      return changes(Collections.emptyList(), Collections.emptyList(), isUnreported);
    }
    // The calls that may throw come first. The next call takes groups off the list of changed
    // groups. They must reach the caller, and an exception behind that call would lose them.
    lookAtSomeReleases();
    forgetSomeHeld();
    Map<GroupId, LostGroup> lost = looks.atTouched(groups_max);
    List<GroupId> gone = queue.takeGone();
    lost.keySet().removeAll(new HashSet<>(gone));
    return changes(gone, new ArrayList<>(lost.values()), queue.hasTouched());
  }

  private QueueChanges changes(List<GroupId> gone, List<LostGroup> lost, boolean more) {
    QueueChanges changes = new QueueChanges(term.get(), unreportedReset,
        new LinkedHashMap<>(unreportedEnds), gone, lost, more);
    unreportedReset = false;
    unreportedEnds.clear();
    return changes;
  }

  @Override
  public void heardOfTerm(long newest) {
    term.heard(newest);
  }

  @Override
  public List<LostGroup> look(Collection<GroupId> groups) {
    return looks.at(groups);
  }

  @Override
  public Optional<LostGroup> find(long groupId) {
    return looks.find(groupId, clockMs.getAsLong());
  }

  @Override
  public Map<Long, LostGroup> findAll(Collection<Long> groupIds) {
    return looks.findAll(groupIds, clockMs.getAsLong());
  }

  @Override
  public Map<GroupId, Map<Integer, Set<String>>> places(Collection<GroupId> groups) {
    if (groups.size() > FOUND_MAX) {
      throw new IllegalArgumentException("The places of " + groups.size()
          + " groups are asked for at once; at most " + FOUND_MAX + " can be");
    }
    Map<GroupId, Map<Integer, Set<String>>> places = new HashMap<>();
    lock.reading("pprPlaces", () -> {
      BlockManager bm = namesystem.getBlockManager();
      synchronized (queue) {
        for (GroupId id : groups) {
          BlockInfoStriped block = GroupInspection.stored(bm, id);
          if (block != null) {
            places.put(id, ColumnRules.places(bm, queue, block));
          }
        }
      }
    });
    return places;
  }

  @Override
  public void useColumns(CoreGroupLookup book) {
    begin.useColumns(book);
  }

  @Override
  public List<BeginResult> begin(long inTerm, List<Assignment> assignments, boolean anyRack) {
    return begin.begin(inTerm, assignments, anyRack);
  }

  @Override
  public boolean abort(RepairGrant grant) {
    return ends.abort(grant);
  }

  @Override
  public void abortAll(Collection<RepairGrant> aborted) {
    ends.abortAll(aborted);
  }

  @Override
  public void keepAlive(Collection<RepairGrant> repairs) {
    ends.keepAlive(repairs);
  }

  /**
   * @param node the DataNode
   * @return true if the node has sent a block report for each of its storages since it registered,
   *     see {@link BlockReports}
   */
  public static boolean isKnown(DatanodeDescriptor node) {
    return BlockReports.isKnown(node);
  }

  // The following methods handle groups that were handed to stock, and groups that stock must not
  // decode.

  /**
   * Looks at some of the groups that were handed to stock. Takes those that are whole again or
   * deleted off the list of these groups, and notes which of the others would lose data with one
   * more lost unit.
   */
  private void lookAtSomeReleases() {
    List<BlockInfo> some = queue.takeReleased(LostGroupFinder.LOOKED_AT_ANYWAY);
    if (some.isEmpty()) {
      return;
    }
    Map<BlockInfo, List<Integer>> unreadable = new HashMap<>();
    lock.reading("pprReleases", () -> {
      BlockManager bm = namesystem.getBlockManager();
      for (BlockInfo block : some) {
        if (block.isDeleted() || !queue.contains(block)
            && bm.pendingReconstruction.getNumReplicas(block) == 0
            && !bm.isNeededReconstruction(block, bm.countNodes(block))) {
          queue.seeRelease(block, true, false);
        } else {
          unreadable.put(block, GroupInspection.unreadable(bm, (BlockInfoStriped) block));
        }
      }
    });
    unreadable.forEach((block, units) -> queue.seeRelease(block, false, claims.spareUnits(
        of(((BlockInfoStriped) block).getErasureCodingPolicy()), units) <= 0));
  }

  /**
   * Looks at some of the groups that stock must not decode, and forgets those that were deleted.
   */
  private void forgetSomeHeld() {
    for (BlockInfo block : queue.takeHeld(LostGroupFinder.LOOKED_AT_ANYWAY)) {
      if (block.isDeleted()) {
        queue.letGo(block);
      }
    }
  }

  @Override
  public void release(Collection<GroupId> groups, long ms) {
    long now = clockMs.getAsLong();
    long until = ms > Long.MAX_VALUE - now ? FOR_GOOD : now + ms;
    Iterator<GroupId> next = groups.iterator();
    while (next.hasNext()) {
      try (NamesystemLock.Hold hold = lock.write("pprRelease")) {
        BlockManager bm = namesystem.getBlockManager();
        synchronized (queue) {
          for (int i = 0; i < RELEASED_MAX && next.hasNext() && !hold.isLong(); i++) {
            BlockInfoStriped block = GroupInspection.stored(bm, next.next());
            if (block != null && !block.isDeleted()) {
              queue.release(block, until);
              moveToStock(bm, queue, block);
            }
          }
        }
      }
    }
  }

  @Override
  public boolean holdBack(GroupId group) {
    return lock.writing("pprHoldBack", () -> {
      BlockInfoStriped block = GroupInspection.stored(namesystem.getBlockManager(), group);
      return block != null && !block.isDeleted() && queue.hold(block);
    });
  }

  @Override
  public boolean letGo(GroupId group) {
    return queue.letGo(new Block(group.groupId));
  }

  SplitLowRedundancyBlocks queueForTests() {
    return queue;
  }
}
