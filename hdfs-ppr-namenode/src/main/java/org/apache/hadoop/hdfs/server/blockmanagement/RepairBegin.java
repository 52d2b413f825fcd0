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
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.GroupInspection.Verdict;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.queue.BeginResult;
import org.hdfsppr.namenode.queue.BeginResult.Refusal;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.plan.UnitHolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins repairs in the NameNode. For each repair it checks the group again, chooses storages on
 * the targets, and moves the group from the queue to the pending reconstructions, all under the
 * NameNode's write lock.
 */
final class RepairBegin {
  private static final Logger LOG = LoggerFactory.getLogger(RepairBegin.class);

  private final FSNamesystem namesystem;
  private final NamesystemLock lock;
  private final SplitLowRedundancyBlocks queue;
  private final QueueTerm term;
  private final RepairEnds ends;
  private final Predicate<BlockManager> active;
  private final AtomicLong grants = new AtomicLong();
  private volatile CoreGroupLookup book = CoreGroupLookup.NONE;

  /** @param active decides whether this NameNode schedules repairs */
  RepairBegin(NamesystemLock lock, SplitLowRedundancyBlocks queue, QueueTerm term,
      RepairEnds ends, Predicate<BlockManager> active) {
    this.namesystem = lock.namesystem;
    this.lock = lock;
    this.queue = queue;
    this.term = term;
    this.ends = ends;
    this.active = active;
  }

  /** Implements {@link org.hdfsppr.namenode.queue.ReconstructionQueue#useColumns}. */
  void useColumns(CoreGroupLookup from) {
    book = from;
  }

  /** Implements {@link org.hdfsppr.namenode.queue.ReconstructionQueue#begin}. */
  List<BeginResult> begin(long inTerm, List<Assignment> assignments, boolean anyRack) {
    List<BeginResult> results = new ArrayList<>(assignments.size());
    Iterator<Assignment> next = assignments.iterator();
    boolean done = false;
    try {
      while (next.hasNext()) {
        try (NamesystemLock.Hold hold = lock.write("pprBegin")) {
          BlockManager bm = namesystem.getBlockManager();
          synchronized (queue) {
            while (next.hasNext() && !hold.isLong()) {
              results.add(begin(bm, inTerm, next.next(), anyRack));
            }
          }
        }
      }
      done = true;
    } finally {
      if (!done) {
        // The caller gets an exception instead of the grants, and could not order these repairs.
        ends.abortAll(results.stream().map(BeginResult::grant).flatMap(Optional::stream)
            .collect(Collectors.toList()));
      }
    }
    return results;
  }

  /** Begins one repair. Call with the write lock and the queue's monitor held. */
  private BeginResult begin(BlockManager bm, long inTerm, Assignment assignment,
      boolean anyRack) {
    if (!active.test(bm) || !term.isCurrent(inTerm, queue.clears())) {
      return refused(assignment, Refusal.NOT_ACTIVE, "Term " + inTerm + " is over");
    }
    BlockInfoStriped block = GroupInspection.stored(bm, assignment.group.id);
    if (block == null || block.getNumBytes() != assignment.group.groupBytes) {
      return refused(assignment, Refusal.GROUP_CHANGED, "It was deleted or written to");
    }
    if (!queue.isOwned(block)) {
      return refused(assignment, Refusal.GROUP_CHANGED, "It is not queued for repair by us");
    }
    GroupInspection look = new GroupInspection(bm, queue, block);
    if (look.verdict() == Verdict.PENDING || queue.isInStocksHands(block)
        || queue.grantOf(block) != null) {
      queue.retouch(block);
      return refused(assignment, Refusal.AT_WORK, "A repair of it is under way");
    }
    if (look.verdict() != Verdict.CLAIMED) {
      queue.retouch(block);
      return refused(assignment, Refusal.GROUP_CHANGED, "It lacks no unit that is repaired here");
    }
    return beginOn(bm, look, assignment, anyRack);
  }

  private BeginResult beginOn(BlockManager bm, GroupInspection look, Assignment assignment,
      boolean anyRack) {
    BlockInfoStriped block = look.block;
    String changed = ColumnRules.change(bm, assignment);
    if (changed != null) {
      queue.retouch(block);
      return refused(assignment, Refusal.GROUP_CHANGED, changed);
    }
    List<DatanodeDescriptor> nodes = new ArrayList<>(assignment.targets.size());
    int units = 0;
    for (UnitHolder target : assignment.targets) {
      int unit = 1 << target.unit;
      if (target.unit >= Integer.SIZE || (look.lost() & unit) == 0 || (units & unit) != 0) {
        queue.retouch(block);
        return refused(assignment, Refusal.GROUP_CHANGED,
            "Unit " + target.unit + " is not lost; lost are "
                + GroupInspection.unitsOf(look.lost()));
      }
      units |= unit;
      DatanodeDescriptor node = bm.getDatanodeManager().getDatanode(target.node.uuid);
      String unfit = unfitness(bm, look, node);
      if (unfit == null && ColumnRules.neighbours(book, assignment, target.unit).stream()
          .anyMatch(other -> ColumnRules.isBeside(bm, queue, other, target.unit, node))) {
        unfit = "has another block of the unit's column, or is about to get one";
      }
      if (unfit == null && nodes.contains(node)) {
        unfit = "is named twice";
      }
      if (unfit != null) {
        return refused(assignment, Refusal.TARGET_UNFIT, target.node + " " + unfit);
      }
      nodes.add(node);
    }
    BlockCollection file = bm.getBlockCollection(block);
    if (file == null) {
      return refused(assignment, Refusal.GROUP_CHANGED, "It is in no file");
    }
    DatanodeStorageInfo[] storages = TargetStorages.choose(
        bm.getStoragePolicy(file.getStoragePolicyID()), look.liveStorages(), nodes,
        unitBytesMax(block), assignment.onAnyStorage);
    for (int i = 0; i < storages.length; i++) {
      if (storages[i] == null) {
        return BeginResult.noStorage(assignment, assignment.targets.get(i).node);
      }
    }
    if (!anyRack && !isSpreadKept(bm, block, storages)) {
      return refused(assignment, Refusal.TOO_FEW_RACKS, "Targets are on racks used already");
    }
    return BeginResult.granted(assignment, grant(bm, look, assignment, storages));
  }

  private static BeginResult refused(Assignment assignment, Refusal why, String detail) {
    LOG.debug("Repair of {} is refused, {}: {}", assignment, why, detail);
    return BeginResult.refused(assignment, why, detail);
  }

  /** Returns the reason why a node cannot be a target, or null if the node can be a target. */
  private static String unfitness(BlockManager bm, GroupInspection look, DatanodeDescriptor node) {
    DatanodeManager nodes = bm.getDatanodeManager();
    if (node == null || !node.isAlive()) {
      return "is not alive";
    }
    if (!node.isInService()) {
      return "is " + node.getAdminState();
    }
    if (look.holdsAny(node)) {
      return "has a replica of the group";
    }
    if (!BlockReports.isKnown(node)) {
      return "has not reported its blocks yet";
    }
    if (nodes.shouldAvoidStaleDataNodesForWrite() && node.isStale(nodes.getStaleInterval())) {
      return "has not been heard of for a while";
    }
    return null;
  }

  private static long unitBytesMax(BlockInfoStriped block) {
    // Unit 0 is never shorter than the others.
    return Math.max(1, StripedBlockUtil.getInternalBlockLength(block.getNumBytes(),
        block.getCellSize(), block.getDataBlockNum(), 0));
  }

  /**
   * Returns whether the group with these targets is on enough racks. If the targets are too few to
   * reach enough racks, returns whether each target adds a rack.
   */
  private static boolean isSpreadKept(BlockManager bm, BlockInfo block,
      DatanodeStorageInfo[] storages) {
    BlockPlacementStatus after = bm.getBlockPlacementStatus(block, storages);
    if (after.isPlacementPolicySatisfied()) {
      return true;
    }
    int before = bm.getBlockPlacementStatus(block).getAdditionalReplicasRequired();
    return after.getAdditionalReplicasRequired() <= Math.max(0, before - storages.length);
  }

  /**
   * Records the repair in the NameNode, as the last part of BlockManager.validateReconstructionWork
   * does.
   */
  private RepairGrant grant(BlockManager bm, GroupInspection look, Assignment assignment,
      DatanodeStorageInfo[] storages) {
    BlockInfo block = look.block;
    List<CommandTarget> targets = new ArrayList<>(storages.length);
    for (int i = 0; i < storages.length; i++) {
      UnitHolder target = assignment.targets.get(i);
      targets.add(new CommandTarget(target.unit, target.node, storages[i].getStorageID(),
          storages[i].getStorageType()));
    }
    RepairGrant grant = new RepairGrant(grants.incrementAndGet(), term.get(), assignment.group.id,
        targets);
    NumberReplicas counts = bm.countNodes(block);
    boolean enough = counts.liveReplicas() + storages.length
        >= bm.getExpectedLiveRedundancyNum(block, counts);
    int expected = bm.getExpectedRedundancyNum(block);
    // None of the next steps can fail, so that the NameNode records all of the repair or nothing.
    DatanodeStorageInfo.incrementBlocksScheduled(storages);
    bm.pendingReconstruction.increment(block, storages);
    queue.begin(block, grant, enough, expected);
    lock.countGranted();
    return grant;
  }
}
