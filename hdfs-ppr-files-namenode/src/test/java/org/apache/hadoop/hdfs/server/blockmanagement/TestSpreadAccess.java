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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.namenode.spread.BlockMove;
import org.hdfsppr.namenode.spread.SpreadPlan;
import org.hdfsppr.namenode.spread.SpreadPlanner;
import org.hdfsppr.namenode.spread.SpreadRow;
import org.hdfsppr.namenode.spread.SpreadWait;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the NameNode's block map says about moves of blocks. */
@InterfaceAudience.Private
@Timeout(180)
public class TestSpreadAccess {
  private static final int NODES = 7;

  @TempDir
  private Path dir;

  /** Plans for a block group as if it was beside itself, so that all its units are together. */
  private static SpreadPlan plan(SpreadAccess access, GroupId id) {
    SpreadRow row = access.rows(List.of(id)).get(0);
    return new SpreadPlanner(access::nodes).plan(List.of(row, row));
  }

  private static List<String> targets(SpreadPlan plan) {
    return plan.moves.stream().map(move -> move.to).distinct().collect(Collectors.toList());
  }

  private static List<String> uuids(List<DataNode> nodes) {
    return nodes.stream().map(DataNode::getDatanodeUuid).sorted().collect(Collectors.toList());
  }

  private static List<String> sorted(List<String> of) {
    List<String> copy = new ArrayList<>(of);
    Collections.sort(copy);
    return copy;
  }

  @Test
  public void onlyGoodUnitsMoveAndOnlyToNodesInService() throws Exception {
    Configuration conf = QueueCluster.conf();
    conf.setBoolean("dfs.block.access.token.enable", true);
    // No repair begins, so that losses stay.
    conf.setInt("dfs.namenode.replication.max-streams", 0);
    conf.setInt("dfs.namenode.replication.max-streams-hard-limit", 0);
    try (QueueCluster cluster = new QueueCluster(
        new MiniDFSCluster.Builder(conf, dir.toFile()).numDataNodes(NODES))) {
      SpreadAccess access = new SpreadAccess(cluster.namesystem());
      cluster.write("/ec/f");
      LocatedStripedBlock group = cluster.group("/ec/f");
      GroupId id = cluster.id(group);
      List<DataNode> spares = cluster.spares(group);
      // Five units are together, and two nodes have none of the row: each gets one unit of both.
      SpreadPlan plan = plan(access, id);
      assertEquals(5, plan.together);
      assertEquals(uuids(spares), sorted(targets(plan)));
      assertEquals(4, plan.moves.size());
      assertEquals(1, plan.staying.get(SpreadWait.NO_NODE));
      BlockMove move = plan.moves.get(0);
      assertEquals(cluster.holder(group, move.unit).getDatanodeUuid(), move.from);

      LocatedBlock granted = access.grant(move, "hdfs");
      assertEquals(id.blockId(move.unit), granted.getBlock().getBlockId());
      assertEquals(move.to, granted.getLocations()[1].getDatanodeUuid());
      assertEquals(StorageType.DEFAULT, granted.getStorageTypes()[1]);
      BlockTokenIdentifier token = granted.getBlockToken().decodeIdentifier();
      assertEquals(EnumSet.of(AccessMode.REPLACE, AccessMode.COPY), token.getAccessModes());
      assertEquals(granted.getBlock().getBlockId(), token.getBlockId());
      assertEquals("hdfs", token.getUserId());

      // A node that leaves gets nothing.
      DatanodeManager nodes = cluster.bm().getDatanodeManager();
      DataNode leaving = spares.get(0);
      cluster.namesystem().writeLock();
      try {
        nodes.getDatanodeAdminManager().startDecommission(cluster.descriptor(leaving));
      } finally {
        cluster.namesystem().writeUnlock("test");
      }
      assertEquals(uuids(spares.subList(1, 2)), targets(plan(access, id)));

      // A row that lacks a unit does not move.
      cluster.lose(group, 0);
      SpreadPlan afterLoss = plan(access, id);
      assertEquals(List.of(), afterLoss.moves);
      assertEquals(4, afterLoss.staying.get(SpreadWait.IN_REPAIR));
      assertEquals(List.of(), access.rows(List.of(new GroupId(id.poolId, id.groupId,
          id.generationStamp + 1))));
      assertThrows(IOException.class, () -> access.grant(new BlockMove(id, 1, StorageType.DISK,
          move.from, "another"), "hdfs"));
    }
  }
}
