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

import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * Finds the nodes on which stock places no blocks at present, as the operator has configured it:
 * nodes that their peers find slow ({@code
 * dfs.namenode.block-placement-policy.exclude-slow-nodes.enabled}), and nodes with many more
 * transfers than the average ({@code dfs.namenode.redundancy.considerLoad}). This class cannot call
 * stock's own check for busy nodes, because that check keeps log lines in memory until the thread
 * chooses targets.
 */
@InterfaceAudience.Private
public final class StockAvoidance {
  private final BlockManager bm;
  private final boolean byStorageType;

  /**
   * @param bm the NameNode's BlockManager
   * @param conf the NameNode's configuration
   */
  public StockAvoidance(BlockManager bm, Configuration conf) {
    this.bm = bm;
    this.byStorageType = conf.getBoolean(
        DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYSTORAGETYPE_KEY,
        DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYSTORAGETYPE_DEFAULT);
  }

  /**
   * @param node the DataNode
   * @return whether stock places no block on this node at present, although the node could store
   *     one
   */
  public boolean avoids(DatanodeDescriptor node) {
    BlockPlacementPolicy policy = bm.getStriptedBlockPlacementPolicy();
    return policy.getExcludeSlowNodesEnabled()
        && DatanodeManager.getSlowNodesUuidSet().contains(node.getDatanodeUuid())
        || policy instanceof BlockPlacementPolicyDefault
        && isTooBusy((BlockPlacementPolicyDefault) policy, node);
  }

  private boolean isTooBusy(BlockPlacementPolicyDefault policy, DatanodeDescriptor node) {
    if (!policy.considerLoad) {
      return false;
    }
    FSClusterStats stats = bm.getDatanodeManager().getFSClusterStats();
    double most = policy.considerLoadFactor
        * (byStorageType ? average(stats, node) : stats.getInServiceXceiverAverage());
    return most > 0 && node.getXceiverCount() > most;
  }

  /**
   * Returns the average number of transfers per node, over the nodes that have storage of the same
   * types as {@code node}.
   */
  private static double average(FSClusterStats stats, DatanodeDescriptor node) {
    Map<StorageType, StorageTypeStats> byType = stats.getStorageTypeStats();
    int nodes = 0;
    int transfers = 0;
    for (StorageType type : node.getStorageTypes()) {
      StorageTypeStats one = byType.get(type);
      if (one != null) {
        nodes += one.getNodesInService();
        transfers += one.getNodesInServiceXceiverCount();
      }
    }
    return nodes == 0 ? 0 : (double) transfers / nodes;
  }
}
