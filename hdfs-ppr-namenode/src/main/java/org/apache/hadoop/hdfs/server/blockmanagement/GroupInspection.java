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
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped.StorageAndBlockIndex;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage.State;
import org.hdfsppr.plan.GroupId;

/**
 * Describes which node has which unit of a group, in which state. The constructor copies these
 * facts from the NameNode in as few steps as possible, because the caller holds the NameNode's
 * lock. The facts are described to the repair manager later, without the lock. A set of units is a
 * bit mask.
 *
 * <p>This class determines the state of a replica by the same rules as
 * BlockManager.checkReplicaOnStorage, which stock uses to count replicas.
 */
final class GroupInspection {
  /** The result of a look at a group: what is to happen with it. */
  enum Verdict {
    /** The repair manager is to rebuild units of the group. */
    CLAIMED,
    /** Units of the group are being rebuilt or written already; a later look decides. */
    PENDING,
    /** Stock does all work that the group needs. */
    STOCKS,
    /** The group is not in the queue of blocks with low redundancy. */
    GONE
  }

  final BlockInfoStriped block;
  final ErasureCodingPolicy policy;
  final long generationStamp;
  /** The number of bytes of file data in the group. */
  final long bytes;
  private final List<DatanodeDescriptor> readableNodes = new ArrayList<>();
  private final List<Byte> readableUnits = new ArrayList<>();
  /**
   * All storages that have a replica of any unit of the group. The replicas may be in any state.
   */
  final List<DatanodeStorageInfo> storages = new ArrayList<>();
  private int real;
  private int live;
  private int leaving;
  private int inMaintenance;
  private int maintenanceReadable;
  private Verdict verdict;
  private int lost;
  private GroupId id;
  private long sinceMs;
  private byte storagePolicy;

  private GroupInspection(BlockInfoStriped block) {
    this.block = block;
    this.policy = block.getErasureCodingPolicy();
    this.generationStamp = block.getGenerationStamp();
    this.bytes = block.getNumBytes();
  }

  /**
   * Returns whether stock can read each unit, so that stock only copies units and decodes none.
   * Units on nodes that enter maintenance do not count as readable, because stock does not wait for
   * such a node while the node is busy. Call with the NameNode's read or write lock held.
   */
  static boolean isCopiedByStock(BlockManager bm, BlockInfoStriped block) {
    GroupInspection look = new GroupInspection(block);
    look.count(bm);
    return (look.real & ~(look.live | look.leaving)) == 0;
  }

  /**
   * Returns the units that have bytes but no readable replica, ascending. Call with the NameNode's
   * read or write lock held.
   */
  static List<Integer> unreadable(BlockManager bm, BlockInfoStriped block) {
    GroupInspection look = new GroupInspection(block);
    look.count(bm);
    return unitsOf(look.unreadable());
  }

  /**
   * Looks at a group that need not be in the queue. Its verdict must not be used. Call with the
   * NameNode's read or write lock held.
   *
   * @param groupId the group's id
   * @return null if the NameNode has no such group
   */
  static GroupInspection ofStored(BlockManager bm, long groupId) {
    BlockInfo block = bm.getStoredBlock(new Block(groupId));
    if (block == null || !block.isStriped() || block.getBlockId() != groupId
        || block.isDeleted()) {
      return null;
    }
    GroupInspection look = new GroupInspection((BlockInfoStriped) block);
    look.count(bm);
    look.judge(false, false);
    return look;
  }

  /**
   * Returns the group with that id and generation stamp, or null if the NameNode has no such group.
   */
  static BlockInfoStriped stored(BlockManager bm, GroupId id) {
    if (!id.poolId.equals(bm.getBlockPoolId())) {
      return null;
    }
    BlockInfo block = bm.getStoredBlock(new Block(id.groupId));
    if (block == null || !block.isStriped() || block.getBlockId() != id.groupId
        || block.getGenerationStamp() != id.generationStamp) {
      return null;
    }
    return (BlockInfoStriped) block;
  }

  /** Looks at {@code block}. Call with the NameNode's read or write lock held. */
  GroupInspection(BlockManager bm, SplitLowRedundancyBlocks queue, BlockInfoStriped block) {
    this(block);
    if (!queue.contains(block)) {
      verdict = Verdict.GONE;
    } else if (block.isDeleted() || !block.isComplete() || !queue.isClaimable(block)) {
      verdict = Verdict.STOCKS;
    } else {
      count(bm);
      boolean pending = bm.pendingReconstruction.getNumReplicas(block) > 0;
      judge(pending, queue.claimsLeaving(block));
    }
  }

  private void count(BlockManager bm) {
    int k = policy.getNumDataUnits();
    int m = policy.getNumParityUnits();
    real = ((1 << block.getRealDataBlockNum()) - 1) | (((1 << m) - 1) << k);
    Collection<DatanodeDescriptor> corrupt = bm.getCorruptReplicas(block);
    for (StorageAndBlockIndex replica : block.getStorageAndIndexInfos()) {
      DatanodeStorageInfo storage = replica.getStorage();
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      storages.add(storage);
      int unit = 1 << replica.getBlockIndex();
      if (storage.getState() != State.NORMAL || corrupt != null && corrupt.contains(node)) {
        continue;
      }
      boolean readable = true;
      if (node.isDecommissionInProgress()) {
        leaving |= unit;
      } else if (node.isDecommissioned()) {
        readable = node.isAlive();
      } else if (node.isMaintenance()) {
        readable = !node.isInMaintenance() && node.isAlive();
        if (readable) {
          maintenanceReadable |= unit;
        } else {
          inMaintenance |= unit;
        }
      } else if (isLive(bm, block, storage, corrupt)) {
        live |= unit;
      } else {
        readable = false;
      }
      if (readable) {
        readableNodes.add(node);
        readableUnits.add(replica.getBlockIndex());
      }
    }
  }

  /**
   * Returns whether stock counts a replica as live. A replica that is to be deleted, or whose
   * storage has failed, may stay in the NameNode's lists for long, but does not count.
   *
   * @param corrupt the nodes whose replicas of the group are corrupt, or null
   */
  static boolean isLive(BlockManager bm, BlockInfo block, DatanodeStorageInfo storage,
      Collection<DatanodeDescriptor> corrupt) {
    DatanodeDescriptor node = storage.getDatanodeDescriptor();
    return storage.getState() == State.NORMAL && (corrupt == null || !corrupt.contains(node))
        && node.isInService() && !bm.isExcess(node, block);
  }

  private void judge(boolean pending, boolean claimsLeaving) {
    int missing = real & ~(live | leaving | inMaintenance | maintenanceReadable);
    int onlyLeaving = real & leaving & ~(live | inMaintenance | maintenanceReadable);
    lost = claimsLeaving ? missing | onlyLeaving : missing;
    if (lost == 0) {
      verdict = Verdict.STOCKS;
    } else {
      verdict = pending ? Verdict.PENDING : Verdict.CLAIMED;
    }
  }

  /**
   * Sets what the repair manager gets to know beside the units. Call with the NameNode's read or
   * write lock held.
   *
   * @return this look
   */
  GroupInspection reportedAs(GroupId as, long queuedMs, byte policyOfStorage) {
    id = as;
    sinceMs = queuedMs;
    storagePolicy = policyOfStorage;
    return this;
  }

  /** Returns the id under which the group is reported; null before {@link #reportedAs}. */
  GroupId id() {
    return id;
  }

  long sinceMs() {
    return sinceMs;
  }

  byte storagePolicy() {
    return storagePolicy;
  }

  Verdict verdict() {
    return verdict;
  }

  /** Returns the units to rebuild, as a bit mask. */
  int lost() {
    return lost;
  }

  /** Returns the units that have bytes but no readable replica, as a bit mask. */
  int unreadable() {
    int readable = 0;
    for (byte unit : readableUnits) {
      readable |= 1 << unit;
    }
    return real & ~readable;
  }

  int readableCount() {
    return readableNodes.size();
  }

  DatanodeDescriptor readableNode(int i) {
    return readableNodes.get(i);
  }

  int readableUnit(int i) {
    return readableUnits.get(i);
  }

  /**
   * Returns true if replica i is on a decommissioned node and another node has a replica of the
   * same unit.
   */
  boolean isSecondChoice(int i) {
    DatanodeDescriptor node = readableNodes.get(i);
    return node.isDecommissioned()
        && ((live | leaving | maintenanceReadable) & 1 << readableUnits.get(i)) != 0;
  }

  /** Returns the storages whose nodes are in service and have a readable replica. */
  List<DatanodeStorageInfo> liveStorages() {
    List<DatanodeStorageInfo> result = new ArrayList<>(storages.size());
    for (DatanodeStorageInfo storage : storages) {
      if (readableNodes.contains(storage.getDatanodeDescriptor())
          && storage.getDatanodeDescriptor().isInService()) {
        result.add(storage);
      }
    }
    return result;
  }

  boolean holdsAny(DatanodeDescriptor node) {
    for (DatanodeStorageInfo storage : storages) {
      if (storage.getDatanodeDescriptor() == node) {
        return true;
      }
    }
    return false;
  }

  static List<Integer> unitsOf(int mask) {
    List<Integer> units = new ArrayList<>(Integer.bitCount(mask));
    for (int rest = mask; rest != 0; rest &= rest - 1) {
      units.add(Integer.numberOfTrailingZeros(rest));
    }
    return units;
  }
}
