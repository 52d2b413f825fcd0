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
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped.StorageAndBlockIndex;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage.State;
import org.hdfsppr.plan.GroupId;

/**
 * Which node has which unit of a group, in which state. Copied out of the NameNode's books under
 * its lock, in as few steps as possible, and evaluated afterwards. Sets of units are bit masks.
 *
 * <p>The states are those of BlockManager.checkReplicaOnStorage, by which stock counts.
 */
@InterfaceAudience.Private
final class GroupLook {
  /** The class of a group. */
  enum Verdict {
    /** Units are to be rebuilt here. */
    CLAIMED,
    /** Units are being rebuilt or written already; a look after that decides. */
    PENDING,
    /** Stock does all that the group needs. */
    STOCKS,
    /** The group is not queued. */
    GONE
  }

  private final BlockInfoStriped block;
  private final ErasureCodingPolicy policy;
  private final long generationStamp;
  private final long bytes;
  private final List<DatanodeDescriptor> readableNodes = new ArrayList<>();
  private final List<Byte> readableUnits = new ArrayList<>();
  private final List<DatanodeStorageInfo> storages = new ArrayList<>();
  private int real;
  private int live;
  private int leaving;
  private int inMaintenance;
  private int maintenanceReadable;
  private Verdict verdict;
  private int lost;

  private GroupLook(BlockInfoStriped block) {
    this.block = block;
    this.policy = block.getErasureCodingPolicy();
    this.generationStamp = block.getGenerationStamp();
    this.bytes = block.getNumBytes();
  }

  /**
   * Whether stock can read each unit, so that it only copies units and decodes none. Nodes that
   * enter maintenance do not count: stock does without such a node while it is busy. With the
   * NameNode's read or write lock held.
   */
  static boolean isCopiedByStock(BlockManager bm, BlockInfoStriped block) {
    GroupLook look = new GroupLook(block);
    look.count(bm);
    return (look.real & ~(look.live | look.leaving)) == 0;
  }

  /** The group with that id and generation stamp, or null. */
  static BlockInfoStriped stored(BlockManager bm, GroupId id) {
    if (!id.poolId().equals(bm.getBlockPoolId())) {
      return null;
    }
    BlockInfo block = bm.getStoredBlock(new Block(id.groupId()));
    if (block == null || !block.isStriped() || block.getBlockId() != id.groupId()
        || block.getGenerationStamp() != id.generationStamp()) {
      return null;
    }
    return (BlockInfoStriped) block;
  }

  /** Looks at {@code block}, with the NameNode's read or write lock held. */
  GroupLook(BlockManager bm, SplitLowRedundancyBlocks queue, BlockInfoStriped block) {
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
   * Whether stock counts a replica as live. A replica that is to be deleted, or whose storage has
   * failed, may be listed for long and does not count.
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

  BlockInfoStriped block() {
    return block;
  }

  ErasureCodingPolicy policy() {
    return policy;
  }

  long generationStamp() {
    return generationStamp;
  }

  /** Bytes of file data. */
  long bytes() {
    return bytes;
  }

  Verdict verdict() {
    return verdict;
  }

  /** The units to rebuild. */
  int lost() {
    return lost;
  }

  /** The units that have bytes and no readable replica. */
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

  /** Whether replica i is on a node that leaves, while a node that stays has the unit as well. */
  boolean isSecondChoice(int i) {
    DatanodeDescriptor node = readableNodes.get(i);
    return node.isDecommissioned()
        && ((live | leaving | maintenanceReadable) & 1 << readableUnits.get(i)) != 0;
  }

  /** All storages that have a replica of any unit, in any state. */
  List<DatanodeStorageInfo> storages() {
    return storages;
  }

  /** The storages of the replicas in service. */
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
