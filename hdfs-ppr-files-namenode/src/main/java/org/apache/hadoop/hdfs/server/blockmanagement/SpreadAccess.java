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
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped.StorageAndBlockIndex;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.namenode.spread.BlockMove;
import org.hdfsppr.namenode.spread.SpreadNode;
import org.hdfsppr.namenode.spread.SpreadRow;
import org.hdfsppr.namenode.spread.SpreadView;
import org.hdfsppr.plan.GroupId;

/**
 * Finds out where the blocks of columns are, and lets DataNodes move them. A move works as in
 * HDFS's balancer: a DataNode copies a replica from another one, and names the other one to the
 * NameNode as the one whose replica is surplus. The NameNode deletes that replica when it knows the
 * new one. {@link BlockManagerAccess#missing} checks the members of Hadoop's classes that this
 * class needs. Thread-safe.
 */
@InterfaceAudience.Private
public final class SpreadAccess implements SpreadView {
  private static final String OPERATION = "pprSpread";
  /** The tokens are not bound to single volumes; those of HDFS's balancer are not, either. */
  private static final String[] ANY_STORAGE = new String[0];

  private final FSNamesystem namesystem;

  /** @param namesystem the running NameNode */
  public SpreadAccess(FSNamesystem namesystem) {
    this.namesystem = namesystem;
  }

  @Override
  public List<SpreadRow> rows(Collection<GroupId> groups) {
    List<SpreadRow> rows = new ArrayList<>();
    namesystem.readLock();
    try {
      BlockManager bm = namesystem.getBlockManager();
      for (GroupId id : groups) {
        BlockInfoStriped block = GroupInspection.stored(bm, id);
        if (block != null && !block.isDeleted()) {
          rows.add(row(bm, id, block));
        }
      }
    } finally {
      namesystem.readUnlock(OPERATION);
    }
    return rows;
  }

  private static SpreadRow row(BlockManager bm, GroupId id, BlockInfoStriped block) {
    Map<Integer, Set<String>> held = new HashMap<>();
    Map<Integer, Set<String>> staying = new HashMap<>();
    Map<Integer, SpreadRow.Replica> movable = new HashMap<>();
    Collection<DatanodeDescriptor> corrupt = bm.getCorruptReplicas(block);
    for (StorageAndBlockIndex replica : block.getStorageAndIndexInfos()) {
      DatanodeStorageInfo storage = replica.getStorage();
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      int unit = replica.getBlockIndex();
      add(held, unit, node);
      if (!bm.isExcess(node, block)) {
        add(staying, unit, node);
      }
      if (node.isAlive() && GroupInspection.isLive(bm, block, storage, corrupt)) {
        movable.put(unit, new SpreadRow.Replica(node.getDatanodeUuid(),
            storage.getStorageType(), length(block, unit)));
      }
    }
    List<DatanodeStorageInfo> pending = bm.pendingReconstruction.getTargets(block);
    if (pending != null) {
      // The NameNode's own repairs do not show which node gets which unit, so that every pending
      // node counts for every unit that cannot be read.
      for (int unit : GroupInspection.unreadable(bm, block)) {
        pending.forEach(storage -> add(held, unit, storage.getDatanodeDescriptor()));
      }
    }
    boolean isWhole = block.isComplete() && bm.pendingReconstruction.getNumReplicas(block) == 0
        && !bm.neededReconstruction.contains(block) && GroupInspection.unreadable(bm, block)
        .isEmpty();
    movable.keySet().removeIf(unit -> !isWhole || held.get(unit).size() > 1);
    return new SpreadRow(id, held, staying, movable);
  }

  private static long length(BlockInfoStriped block, int unit) {
    return StripedBlockUtil.getInternalBlockLength(block.getNumBytes(), block.getCellSize(),
        block.getDataBlockNum(), unit);
  }

  private static void add(Map<Integer, Set<String>> nodes, int unit, DatanodeDescriptor node) {
    nodes.computeIfAbsent(unit, none -> new HashSet<>()).add(node.getDatanodeUuid());
  }

  @Override
  public List<SpreadNode> nodes() {
    DatanodeManager nodes = namesystem.getBlockManager().getDatanodeManager();
    List<SpreadNode> all = new ArrayList<>();
    for (DatanodeDescriptor node : nodes.getDatanodeListForReport(DatanodeReportType.LIVE)) {
      boolean isTarget = node.isAlive() && node.isInService() && BlockReports.isKnown(node)
          && !node.isStale(nodes.getStaleInterval());
      all.add(new SpreadNode(node.getDatanodeUuid(), node.getNetworkLocation(), isTarget,
          rooms(node)));
    }
    return all;
  }

  private static Map<StorageType, SpreadNode.Room> rooms(DatanodeDescriptor node) {
    Map<StorageType, Long> largest = new EnumMap<>(StorageType.class);
    Map<StorageType, Long> total = new EnumMap<>(StorageType.class);
    for (DatanodeStorageInfo storage : node.getStorageInfos()) {
      if (storage.getState() == DatanodeStorage.State.NORMAL) {
        largest.merge(storage.getStorageType(), storage.getRemaining(), Math::max);
        total.merge(storage.getStorageType(), storage.getRemaining(), Long::sum);
      }
    }
    Map<StorageType, SpreadNode.Room> rooms = new EnumMap<>(StorageType.class);
    total.forEach((type, bytes) -> rooms.put(type, new SpreadNode.Room(largest.get(type), bytes,
        node.getBlocksScheduled(type))));
    return rooms;
  }

  @Override
  public LocatedBlock grant(BlockMove move, String user) throws IOException {
    ExtendedBlock block;
    DatanodeInfo[] nodes;
    BlockManager bm = namesystem.getBlockManager();
    namesystem.readLock();
    try {
      BlockInfoStriped stored = GroupInspection.stored(bm, move.group);
      DatanodeDescriptor from = bm.getDatanodeManager().getDatanode(move.from);
      DatanodeDescriptor to = bm.getDatanodeManager().getDatanode(move.to);
      if (stored == null || from == null || to == null) {
        throw new IOException("The block group or a DataNode of " + move + " is gone");
      }
      block = new ExtendedBlock(move.group.poolId, move.group.blockId(move.unit),
          length(stored, move.unit), move.group.generationStamp);
      nodes = new DatanodeInfo[] {new DatanodeInfo.DatanodeInfoBuilder().setFrom(from).build(),
          new DatanodeInfo.DatanodeInfoBuilder().setFrom(to).build()};
    } finally {
      namesystem.readUnlock(OPERATION);
    }
    StorageType[] types = {move.type, move.type};
    LocatedBlock located = new LocatedBlock(block, nodes, new String[] {"", ""}, types);
    BlockTokenSecretManager tokens = bm.getBlockTokenSecretManager();
    if (tokens != null) {
      located.setBlockToken(tokens.generateToken(user, block,
          EnumSet.of(AccessMode.REPLACE, AccessMode.COPY), new StorageType[] {move.type},
          ANY_STORAGE));
    }
    return located;
  }
}
