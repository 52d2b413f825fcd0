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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.io.EnumSetWritable;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file gets its next group before all units of the last one are reported. The tests show when
 * stock repairs the last group then. They report units in the name of DataNodes. One of these
 * stock has not drawn for the group.
 */
@InterfaceAudience.Private
@Timeout(120)
class TestExpectedUnits {
  private static final int NODES = 11;
  private static final int K = 6;
  private static final int UNITS = 9;
  private static final long UNIT_BYTES = 1 << 20;
  private static final String FILE = "/ec/file";
  private static final String HOLDER = "holder";

  private MiniDFSCluster cluster;
  private NamenodeProtocols rpc;
  private FSNamesystem namesystem;
  private BlockManager manager;
  private long inodeId;
  private ExtendedBlock first;
  /** The DataNodes that stock has drawn for the first group. At the end is one more DataNode. */
  private final List<String> nodes = new ArrayList<>();

  @BeforeEach
  void writeTheFirstGroup(@TempDir File directory) throws IOException {
    Configuration conf = new Configuration();
    conf.setLong("dfs.blocksize", UNIT_BYTES);
    // Nothing but the reports of the test decides what stock queues, and nothing leaves the queue.
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 3_600);
    cluster = new MiniDFSCluster.Builder(conf, directory).numDataNodes(NODES).build();
    cluster.waitActive();
    cluster.getFileSystem().enableErasureCodingPolicy("RS-6-3-1024k");
    Path parent = new Path(FILE).getParent();
    cluster.getFileSystem().mkdirs(parent);
    cluster.getFileSystem().setErasureCodingPolicy(parent, "RS-6-3-1024k");
    rpc = cluster.getNameNodeRpc();
    namesystem = cluster.getNamesystem();
    manager = namesystem.getBlockManager();
    inodeId = rpc.create(FILE, FsPermission.getFileDefault(), HOLDER,
        new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)), false, (short) 1, UNIT_BYTES,
        CryptoProtocolVersion.supported(), null, null).getFileId();
    LocatedBlock added = addGroup(null);
    first = added.getBlock();
    Arrays.stream(added.getLocations()).map(DatanodeInfo::getDatanodeUuid).forEach(nodes::add);
    assertEquals(UNITS, nodes.size());
    nodes.add(cluster.getDataNodes().stream().map(DataNode::getDatanodeUuid)
        .filter(uuid -> !nodes.contains(uuid)).findFirst().get());
    for (int unit = 0; unit < K - 1; unit++) {
      report(unit, unit);
    }
    report(K - 1, UNITS);
  }

  @AfterEach
  void stop() {
    cluster.shutdown();
  }

  private LocatedBlock addGroup(ExtendedBlock last) throws IOException {
    return rpc.addBlock(FILE, HOLDER, last, new DatanodeInfo[0], inodeId, null,
        EnumSet.noneOf(org.apache.hadoop.hdfs.AddBlockFlag.class));
  }

  /** Adds the second group, by which stock commits the first one. */
  private void addTheSecondGroup() throws IOException {
    addGroup(new ExtendedBlock(first.getBlockPoolId(), first.getBlockId(), K * UNIT_BYTES,
        first.getGenerationStamp()));
  }

  private BlockInfoStriped group() {
    return (BlockInfoStriped) manager.getStoredBlock(first.getLocalBlock());
  }

  private DatanodeDescriptor node(int index) {
    return manager.getDatanodeManager().getDatanode(nodes.get(index));
  }

  private void report(int unit, int node) throws IOException {
    DataNode datanode = cluster.getDataNodes().stream()
        .filter(one -> one.getDatanodeUuid().equals(nodes.get(node))).findFirst().get();
    String storageId = node(node).getStorageInfos()[0].getStorageID();
    Block block = new Block(first.getBlockId() + unit, UNIT_BYTES, first.getGenerationStamp());
    int before = group().numNodes();
    rpc.blockReceivedAndDeleted(datanode.getDNRegistrationForBP(first.getBlockPoolId()),
        first.getBlockPoolId(), new StorageReceivedDeletedBlocks[] {
          new StorageReceivedDeletedBlocks(new DatanodeStorage(storageId),
              new ReceivedDeletedBlockInfo[] {new ReceivedDeletedBlockInfo(block,
                  BlockStatus.RECEIVED_BLOCK, null)})});
    RepairCluster.await("the NameNode has the report", () -> group().numNodes() == before + 1);
  }

  private boolean isToBeRepaired() {
    namesystem.readLock();
    try {
      return manager.neededReconstruction.contains(group());
    } finally {
      namesystem.readUnlock("test");
    }
  }

  /** If this fails, stock has changed, and {@link ExpectedUnits} may not be needed any more. */
  @Test
  void stockRepairsUnitsThatAreStillToBeReported() throws IOException {
    addTheSecondGroup();
    report(K, K);
    assertTrue(isToBeRepaired());
  }

  /** Lets stock expect the units where they are made; unit K - 1 is with the node not drawn. */
  private void expect() {
    Map<Integer, NodeRef> makers = new HashMap<>();
    for (int unit = 0; unit < UNITS; unit++) {
      DatanodeDescriptor maker = node(unit == K - 1 ? UNITS : unit);
      makers.put(unit, new NodeRef(maker.getDatanodeUuid(), maker.getIpAddr(),
          maker.getHostName(), maker.getXferPort(), NodeRef.NO_REPAIR_PORT,
          maker.getNetworkLocation()));
    }
    locked(() -> ExpectedUnits.set(manager, id(), makers));
  }

  private void locked(Runnable action) {
    namesystem.writeLock();
    try {
      action.run();
    } finally {
      namesystem.writeUnlock("test");
    }
  }

  private GroupId id() {
    return new GroupId(first.getBlockPoolId(), first.getBlockId(), first.getGenerationStamp());
  }

  private int pending() {
    return manager.pendingReconstruction.getNumReplicas(group());
  }

  @Test
  void stockWaitsForUnitsThatItExpects() throws IOException {
    int scheduled = node(K - 1).getBlocksScheduled();
    expect();
    assertEquals(scheduled - 1, node(K - 1).getBlocksScheduled(), "it makes no unit");
    addTheSecondGroup();
    report(K, K);
    assertFalse(isToBeRepaired());
    assertEquals(UNITS - K - 1, pending());
    for (int unit = K + 1; unit < UNITS; unit++) {
      report(unit, unit);
    }
    assertFalse(isToBeRepaired());
    assertEquals(0, pending(), "nothing is left");
  }

  /** Otherwise stock would repair no unit that the group loses in the next minutes. */
  @Test
  void nothingIsWaitedForWhenAnotherNodeHasMadeAUnit() throws IOException {
    expect();
    addTheSecondGroup();
    for (int unit = K; unit < UNITS - 1; unit++) {
      report(unit, unit);
    }
    int scheduled = node(UNITS - 1).getBlocksScheduled();
    report(UNITS - 1, K - 1);
    assertEquals(1, pending(), "the node that was to make it");
    locked(() -> ExpectedUnits.forget(manager, id()));
    assertEquals(0, pending());
    assertEquals(scheduled - 1, node(UNITS - 1).getBlocksScheduled());
    assertFalse(isToBeRepaired());
  }

  /** Stock waits for late units only if it expects as many units as the group has. */
  @Test
  void stockWaitsForLateUnitsAlsoIfANodeHasDied() throws Exception {
    report(K, K);
    die(0);
    expect();
    addTheSecondGroup();
    assertFalse(node(0).isAlive());
    assertEquals(UNITS - K, pending(), "two late units, and the lost one");
    for (int unit = K + 1; unit < UNITS; unit++) {
      report(unit, unit);
    }
    assertFalse(isToBeRepaired(), "stock counts the lost unit as there, too");
    locked(() -> ExpectedUnits.forget(manager, id()));
    assertTrue(isToBeRepaired());
  }

  private void die(int index) throws IOException {
    for (DataNode datanode : cluster.getDataNodes()) {
      if (datanode.getDatanodeUuid().equals(nodes.get(index))) {
        datanode.shutdown();
      }
    }
    cluster.setDataNodeDead(node(index));
  }
}
