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
package org.hdfsppr.namenode.manage.nodes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicyInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerAccess;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.StockAvoidance;
import org.apache.hadoop.hdfs.server.namenode.ErasureCodingPolicyManager;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.FilesRecords;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.util.Time;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.rpc.LiveDataNodes;
import org.hdfsppr.plan.NodeRef;

/** A running NameNode's DataNodes and policies. Thread-safe. */
@InterfaceAudience.Private
public final class NamesystemView implements NameNodeView, LiveDataNodes {
  /**
   * After how many missed heartbeats a node counts as silent. One or two get lost while a node or
   * its network is busy.
   */
  private static final int SILENT_HEARTBEATS = 4;
  /** A shorter silence does not count, ms. */
  private static final long SILENT_MS_LEAST = 10_000;

  private final FSNamesystem namesystem;
  private final StockAvoidance avoidance;
  private volatile Function<String, Optional<String>> explanations = path -> Optional.empty();
  private volatile boolean readsRecords = true;

  /**
   * Makes a view that knows how this NameNode avoids slow and busy nodes.
   *
   * @param namesystem the running NameNode
   * @param conf the NameNode's configuration
   */
  public NamesystemView(FSNamesystem namesystem, Configuration conf) {
    this.namesystem = namesystem;
    this.avoidance = new StockAvoidance(namesystem.getBlockManager(), conf);
  }

  /**
   * @param explains takes the full path of a file, and returns a sentence for people if the plugin
   *     has made the file and no user has written it; called with the namesystem's read lock
   */
  public void explainBy(Function<String, Optional<String>> explains) {
    explanations = explains;
  }

  /** Notes that no jar of this NameNode reads the namespace's records of versions and updates. */
  public void readsNoRecords() {
    readsRecords = false;
  }

  @Override
  public FilesRecords unreadRecords() {
    return readsRecords ? FilesRecords.NONE : FilesRecords.look(namesystem);
  }

  private DatanodeManager datanodes() {
    return namesystem.getBlockManager().getDatanodeManager();
  }

  @Override
  public List<LiveNode> liveNodes() {
    List<LiveNode> nodes = new ArrayList<>();
    for (DatanodeDescriptor node
        : datanodes().getDatanodeListForReport(DatanodeReportType.LIVE)) {
      nodes.add(new LiveNode(new NodeRef(node.getDatanodeUuid(), node.getIpAddr(),
          node.getHostName(), node.getXferPort(), NodeRef.NO_REPAIR_PORT,
          node.getNetworkLocation()), node.isInService() && BlockManagerAccess.isKnown(node),
          avoidance.avoids(node)));
    }
    return nodes;
  }

  @Override
  public int silentNodes() {
    long silentMs = Math.max(SILENT_MS_LEAST,
        TimeUnit.SECONDS.toMillis(SILENT_HEARTBEATS * datanodes().getHeartbeatInterval()));
    long nowMs = Time.monotonicNow();
    // The list of live nodes leaves a node out when its time is over. isAlive() turns false up to
    // five minutes later, when the NameNode removes the node's blocks.
    return (int) datanodes().getDatanodeListForReport(DatanodeReportType.ALL).stream()
        .filter(node -> node.isAlive() && !node.isDecommissioned() && !node.isInMaintenance()
            && nowMs - node.getLastUpdateMonotonic() > silentMs).count();
  }

  @Override
  public List<GroupPolicy> policies() {
    List<GroupPolicy> policies = new ArrayList<>();
    for (ErasureCodingPolicyInfo info : ErasureCodingPolicyManager.getInstance().getPolicies()) {
      ErasureCodingPolicy policy = info.getPolicy();
      policies.add(new GroupPolicy(policy.getCodecName(), policy.getNumDataUnits(),
          policy.getNumParityUnits(), policy.getCellSize()));
    }
    return policies;
  }

  @Override
  public String blockPoolId() {
    return namesystem.getBlockPoolId();
  }

  /**
   * Returns false if dfs.namenode.replication.max-streams is 0, because stock then sends no
   * repairs.
   */
  @Override
  public boolean allowsRepairs() {
    return namesystem.getBlockManager().getMaxReplicationStreams() > 0;
  }

  @Override
  public boolean isInSafeMode() {
    return namesystem.isInSafeMode();
  }

  @Override
  public Optional<String> versionOf(long groupId) {
    namesystem.readLock();
    try {
      BlockInfo block = namesystem.getBlockManager().getStoredBlock(new Block(groupId));
      INode file = block == null ? null
          : namesystem.getFSDirectory().getInode(block.getBlockCollectionId());
      return file == null ? Optional.empty() : explanations.apply(file.getFullPathName());
    } finally {
      namesystem.readUnlock("pprExplain");
    }
  }

  @Override
  public boolean isLive(String uuid, String ipAddr) {
    DatanodeDescriptor node = datanodes().getDatanode(uuid);
    return node != null && node.isAlive() && node.getIpAddr().equals(ipAddr);
  }

  /**
   * @param uuid UUID of a DataNode
   * @return its rack; empty if it is not live
   */
  public Optional<String> rack(String uuid) {
    DatanodeDescriptor node = datanodes().getDatanode(uuid);
    return node == null || !node.isAlive() ? Optional.empty()
        : Optional.of(node.getNetworkLocation());
  }
}
