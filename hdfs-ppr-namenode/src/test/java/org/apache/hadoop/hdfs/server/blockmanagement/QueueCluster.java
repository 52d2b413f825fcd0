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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.BeginResult;
import org.hdfsppr.namenode.queue.QueueChanges;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.hdfsppr.namenode.queue.RepairEnd;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.namenode.queue.SchedulingClaims;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * A MiniDFSCluster with RS(3,2) files. The plugin's queue replaces the NameNode's queue. The class
 * also has the steps that tests share.
 */
@InterfaceAudience.Private
final class QueueCluster implements Closeable {
  static final ErasureCodingPolicy POLICY = SystemErasureCodingPolicies.getByID(
      SystemErasureCodingPolicies.RS_3_2_POLICY_ID);
  static final int PORT = 9877;
  private static final long WAIT_MS = 120_000;

  /** Claims all losses, but no units on leaving nodes. */
  static final SchedulingClaims LOSSES = policy -> true;
  /** Claims losses and units on leaving nodes. */
  static final SchedulingClaims LOSSES_AND_LEAVING = new SchedulingClaims() {
    @Override
    public boolean losses(GroupPolicy policy) {
      return true;
    }

    @Override
    public boolean leaving(GroupPolicy policy) {
      return true;
    }
  };

  final MiniDFSCluster cluster;
  final DistributedFileSystem fs;
  ReconstructionQueue queue;
  /** The lost groups that all polls together have returned. */
  final List<LostGroup> lost = new ArrayList<>();
  final List<GroupId> gone = new ArrayList<>();
  final Map<RepairGrant, RepairEnd> ended = new HashMap<>();

  QueueCluster(MiniDFSCluster.Builder builder) throws IOException {
    Files.createDirectories(java.nio.file.Path.of(System.getProperty("java.io.tmpdir")));
    cluster = builder.build();
    if (cluster.getNumNameNodes() > 1) {
      cluster.transitionToActive(0);
    }
    cluster.waitActive();
    fs = cluster.getFileSystem(0);
    fs.enableErasureCodingPolicy(POLICY.getName());
    fs.mkdirs(new Path("/ec"));
    fs.setErasureCodingPolicy(new Path("/ec"), POLICY.getName());
  }

  static QueueCluster start(java.nio.file.Path dir, int nodes, String... racks)
      throws IOException {
    return new QueueCluster(new MiniDFSCluster.Builder(conf(), dir.toFile())
        .numDataNodes(nodes).racks(racks.length == 0 ? null : racks));
  }

  static Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.setLong("dfs.namenode.fs-limits.min-block-size", 0);
    conf.setLong("dfs.blocksize", 4L << 20);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 500);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.namenode.decommission.interval", 1);
    conf.setInt("dfs.namenode.reconstruction.pending.timeout-sec", 300);
    conf.setInt("dfs.namenode.replication.max-streams", 50);
    conf.setInt("dfs.namenode.replication.max-streams-hard-limit", 50);
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    return conf;
  }

  BlockManagerAccess install(SchedulingClaims claims) throws IOException {
    return install(0, claims);
  }

  BlockManagerAccess install(int nameNode, SchedulingClaims claims) throws IOException {
    assertEquals(List.of(), BlockManagerAccess.missing());
    BlockManagerAccess access = BlockManagerAccess.install(cluster.getNamesystem(nameNode),
        claims, uuid -> PORT, () -> { });
    queue = access;
    return access;
  }

  FSNamesystem namesystem() {
    return cluster.getNamesystem(0);
  }

  BlockManager bm() {
    return namesystem().getBlockManager();
  }

  byte[] write(String name) throws Exception {
    return write(name, 5 << 20);
  }

  /** Writes a file, and waits until the NameNode knows all its units. */
  byte[] write(String name, int length) throws Exception {
    byte[] data = new byte[length];
    new Random(name.hashCode()).nextBytes(data);
    try (OutputStream out = fs.create(new Path(name))) {
      out.write(data);
    }
    await(name + " being whole", () -> {
      for (LocatedBlock block : DFSTestUtil.getAllBlocks(fs, new Path(name))) {
        int want = block instanceof LocatedStripedBlock
            ? stored(block.getBlock()).getRealTotalBlockNum() : 3;
        if (block.getLocations().length != want) {
          return false;
        }
      }
      return bm().pendingReconstruction.size() == 0;
    });
    return data;
  }

  LocatedStripedBlock group(String name) throws IOException {
    return (LocatedStripedBlock) DFSTestUtil.getAllBlocks(fs, new Path(name)).get(0);
  }

  BlockInfoStriped stored(ExtendedBlock block) {
    return (BlockInfoStriped) bm().getStoredBlock(block.getLocalBlock());
  }

  GroupId id(LocatedStripedBlock group) {
    return new GroupId(group.getBlock().getBlockPoolId(), group.getBlock().getBlockId(),
        group.getBlock().getGenerationStamp());
  }

  DataNode holder(LocatedStripedBlock group, int unit) {
    for (int i = 0; i < group.getLocations().length; i++) {
      if (group.getBlockIndices()[i] == unit) {
        return cluster.getDataNode(group.getLocations()[i].getIpcPort());
      }
    }
    throw new AssertionError("No node holds unit " + unit + " of " + group);
  }

  DataNode spare(LocatedStripedBlock group) {
    return spares(group).get(0);
  }

  List<DataNode> spares(LocatedStripedBlock group) {
    List<DataNode> spares = new ArrayList<>(cluster.getDataNodes());
    for (DatanodeInfo location : group.getLocations()) {
      spares.removeIf(dn -> dn.getDatanodeUuid().equals(location.getDatanodeUuid()));
    }
    return spares;
  }

  /** Deletes the replica of a unit, and waits until the NameNode knows of the loss. */
  void lose(LocatedStripedBlock group, int unit) throws Exception {
    ExtendedBlock block = group.getBlock();
    DataNode dn = holder(group, unit);
    dn.getFSDataset().invalidate(block.getBlockPoolId(), new Block[] {
        new Block(block.getBlockId() + unit, 1, block.getGenerationStamp())});
    DatanodeDescriptor node = descriptor(dn);
    await("the loss of unit " + unit + " being known",
        () -> stored(block).findStorageInfo(node) == null);
  }

  DatanodeDescriptor descriptor(DataNode dn) {
    return bm().getDatanodeManager().getDatanode(dn.getDatanodeUuid());
  }

  static NodeRef ref(DataNode dn) {
    return new NodeRef(dn.getDatanodeUuid(), "127.0.0.1", "localhost", dn.getXferPort(), PORT,
        "/default-rack");
  }

  static Assignment assignment(LostGroup group, int unit, DataNode target) {
    return new Assignment(group, group.live, List.of(new UnitHolder(unit, ref(target))), "chain");
  }

  QueueChanges poll() {
    QueueChanges changes = queue.poll(1000);
    lost.addAll(changes.lost);
    gone.addAll(changes.gone);
    changes.ended.forEach((grant, end) ->
        assertNull(ended.put(grant, end), () -> grant + " has ended before"));
    return changes;
  }

  /** Polls until the queue returns a group as lost. */
  LostGroup awaitLost(GroupId id) throws Exception {
    LostGroup[] found = new LostGroup[1];
    await(id + " being reported", () -> {
      for (LostGroup group : poll().lost) {
        if (group.id.equals(id)) {
          found[0] = group;
        }
      }
      return found[0] != null;
    });
    return found[0];
  }

  RepairEnd awaitEnd(RepairGrant grant) throws Exception {
    await("the end of " + grant, () -> {
      poll();
      return ended.containsKey(grant);
    });
    return ended.get(grant);
  }

  BeginResult begin(Assignment assignment) {
    List<BeginResult> results = queue.begin(queue.term(), List.of(assignment), false);
    assertEquals(1, results.size());
    return results.get(0);
  }

  RepairGrant granted(Assignment assignment) {
    BeginResult result = begin(assignment);
    assertTrue(result.grant().isPresent(), result::toString);
    return result.grant().get();
  }

  /** Carries out a grant with stock's worker on the target. */
  void rebuild(LostGroup group, RepairGrant grant) {
    namesystem().writeLock();
    try {
      BlockInfoStriped block = (BlockInfoStriped) bm().getStoredBlock(
          new Block(group.id.groupId));
      List<DatanodeDescriptor> sources = new ArrayList<>();
      List<Integer> units = new ArrayList<>();
      for (UnitHolder holder : group.live) {
        if (!group.lost.contains(holder.unit)) {
          sources.add(bm().getDatanodeManager().getDatanode(holder.node.uuid));
          units.add(holder.unit);
        }
      }
      byte[] indices = new byte[units.size()];
      for (int i = 0; i < indices.length; i++) {
        indices[i] = units.get(i).byteValue();
      }
      // A unit that has no source and is not part of the grant must not be rebuilt in place of a
      // granted unit.
      int left = (1 << POLICY.getNumDataUnits() + POLICY.getNumParityUnits()) - 1;
      for (int unit : units) {
        left &= ~(1 << unit);
      }
      for (CommandTarget target : grant.targets) {
        left &= ~(1 << target.unit);
      }
      byte[] excluded = new byte[Integer.bitCount(left)];
      for (int i = 0; i < excluded.length; i++) {
        excluded[i] = GroupInspection.unitsOf(left).get(i).byteValue();
      }
      DatanodeStorageInfo[] targets = grant.targets.stream()
          .map(target -> bm().getDatanodeManager().getDatanode(target.node.uuid)
              .getStorageInfo(target.storageId))
          .toArray(DatanodeStorageInfo[]::new);
      targets[0].getDatanodeDescriptor().addBlockToBeErasureCoded(
          new ExtendedBlock(group.id.poolId, block),
          sources.toArray(new DatanodeDescriptor[0]), targets, indices, excluded, POLICY);
    } finally {
      namesystem().writeUnlock("test");
    }
  }

  /** Waits until stock's monitor has looked at its queue several times. */
  void awaitStocksTurns() throws Exception {
    for (int i = 0; i < 3; i++) {
      long before = bm().getLastRedundancyMonitorTS();
      await("a turn of the redundancy monitor",
          () -> bm().getLastRedundancyMonitorTS() != before);
    }
  }

  static void await(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + WAIT_MS * 1_000_000;
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("Timed out waiting for " + what);
      }
      Thread.sleep(50);
    }
  }

  void setPendingTimeout(long ms) throws Exception {
    java.lang.reflect.Field timeout = PendingReconstructionBlocks.class.getDeclaredField("timeout");
    timeout.setAccessible(true);
    timeout.setLong(bm().pendingReconstruction, ms);
    java.lang.reflect.Field thread =
        PendingReconstructionBlocks.class.getDeclaredField("timerThread");
    thread.setAccessible(true);
    ((Thread) thread.get(bm().pendingReconstruction)).interrupt();
  }

  int scheduled(DataNode dn) {
    return descriptor(dn).getBlocksScheduled();
  }

  void assertWhole(String name, byte[] data) throws Exception {
    assertTrue(Arrays.equals(data, DFSTestUtil.readFileAsBytes(fs, new Path(name))));
  }

  /** Returns fsck's output for the whole namespace. */
  String fsck() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ToolRunner.run(new DFSck(cluster.getConfiguration(0), new PrintStream(out, true, "UTF-8")),
        new String[] {"/"});
    return out.toString(StandardCharsets.UTF_8);
  }


  @Override
  public void close() {
    cluster.shutdown();
  }
}
