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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.util.VersionInfo;
import org.hdfsppr.manage.CommandTarget;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.queue.BeginResult;
import org.hdfsppr.namenode.queue.LockTimes;
import org.hdfsppr.namenode.queue.QueueChanges;
import org.hdfsppr.namenode.queue.RepairGrant;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests how long the NameNode's lock is held while 100,000 groups are queued. The groups, and the
 * DataNodes that hold them, exist only in the NameNode's memory.
 */
public class TestLockHolds {
  private static final ErasureCodingPolicy POLICY = SystemErasureCodingPolicies.getByID(
      SystemErasureCodingPolicies.RS_6_3_POLICY_ID);
  private static final int NODES = 200;
  private static final int RACKS = 20;
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
  /**
   * The greatest number of simultaneous repairs, as {@code dfs.namenode.ppr.repairs.in-flight} sets
   * it.
   */
  private static final int IN_FLIGHT = 10_000;
  /** The number of repairs that a caller begins with one call. */
  private static final int BATCH = 100;

  @Test
  @Tag("slow")
  public void hundredThousandGroups(@TempDir Path dir) throws Exception {
    measure(dir, 100_000);
  }

  @Test
  public void tenThousandGroups(@TempDir Path dir) throws Exception {
    measure(dir, 10_000);
  }

  @Test
  @Tag("slow")
  public void aMillionReplicatedBlocksBesides(@TempDir Path dir) throws Exception {
    sortAmong(dir, 1_000_000, 100_000);
  }

  @Test
  public void manyReplicatedBlocksBesides(@TempDir Path dir) throws Exception {
    sortAmong(dir, 50_000, 5_000);
  }

  /**
   * The situation after a failover: all groups are queued, all have to be claimed, and the queue
   * keeps changing.
   */
  private static void sortAmong(Path dir, int replicated, int groups) throws Exception {
    try (MiniDFSCluster cluster = cluster(dir)) {
      FSNamesystem namesystem = cluster.getNamesystem();
      List<DatanodeStorageInfo> storages = nodes(namesystem);
      BlockManagerAccess access = BlockManagerAccess.install(namesystem, policy -> true,
          uuid -> 9877, () -> { });
      access.poll(1);
      INodeFile file = file(cluster);
      fill(namesystem, file, storages, groups, new Random(11));
      BlockManager bm = namesystem.getBlockManager();
      namesystem.writeLock();
      try {
        for (int i = 0; i < replicated; i++) {
          replicate(bm, file, i);
        }
      } finally {
        namesystem.writeUnlock("test");
      }
      SplitLowRedundancyBlocks queue = access.queueForTests();
      assertEquals(groups + replicated, queue.size());
      long nanos = CPU.getCurrentThreadCpuTime();
      int all = 0;
      synchronized (queue) {
        for (java.util.Iterator<BlockInfo> it = queue.iterator(); it.hasNext(); it.next()) {
          all++;
        }
      }
      System.out.println("to step through " + all + " entries takes "
          + (CPU.getCurrentThreadCpuTime() - nanos) / 1_000 + " us of CPU");

      access.claimsChanged();
      int calls = 0;
      int seen = 0;
      long nanosMax = 0;
      while (queue.isSortAsked()) {
        nanos = CPU.getCurrentThreadCpuTime();
        int some = queue.sortSome();
        nanosMax = Math.max(nanosMax, CPU.getCurrentThreadCpuTime() - nanos);
        assertTrue(some <= InspectionQueue.SORTED_MAX, some + " in one hold");
        seen += some;
        calls++;
        change(namesystem, file, replicated + calls);
      }
      System.out.println(groups + " groups among " + replicated + " replicated blocks sorted in "
          + calls + " holds of the monitor, the longest one "
          + nanosMax / 1_000 + " us of CPU");
      assertEquals(groups, seen);
      assertEquals(groups / InspectionQueue.SORTED_MAX + 1, calls);

      access.claimsChanged();
      Set<GroupId> lostGroups = new LinkedHashSet<>();
      int polls = 0;
      QueueChanges changes;
      do {
        changes = access.poll(2_000);
        changes.lost.forEach(group -> lostGroups.add(group.id));
        change(namesystem, file, replicated + calls + ++polls);
      } while (changes.hasMore());
      assertEquals(groups, lostGroups.size());
      System.out.println("polled in " + polls + " polls, lock of the NameNode: "
          + access.lockTimes());
    }
  }

  /** Changes the queue as stock does all the time. */
  private static void change(FSNamesystem namesystem, INodeFile file, int number) {
    namesystem.writeLock();
    try {
      replicate(namesystem.getBlockManager(), file, number);
    } finally {
      namesystem.writeUnlock("test");
    }
  }

  private static void replicate(BlockManager bm, INodeFile file, int number) {
    BlockInfo block = new BlockInfoContiguous(new Block(number + 1, 1, 1001), (short) 3);
    block.setBlockCollectionId(file.getId());
    assertTrue(bm.neededReconstruction.add(block, 2, 0, 0, 3));
  }

  @Test
  public void releasesShareTheLock(@TempDir Path dir) throws Exception {
    int groups = 2_000;
    try (MiniDFSCluster cluster = cluster(dir)) {
      FSNamesystem namesystem = cluster.getNamesystem();
      List<DatanodeStorageInfo> storages = nodes(namesystem);
      BlockManagerAccess access = BlockManagerAccess.install(namesystem, policy -> true,
          uuid -> 9877, () -> { });
      access.poll(1);
      fill(namesystem, file(cluster), storages, groups, new Random(11));
      Set<GroupId> lostGroups = new LinkedHashSet<>();
      QueueChanges changes;
      do {
        changes = access.poll(1000);
        changes.lost.forEach(group -> lostGroups.add(group.id));
      } while (changes.hasMore());
      assertEquals(groups, lostGroups.size());
      long before = access.lockTimes().write.count;
      access.release(lostGroups, 300_000);
      long holds = access.lockTimes().write.count - before;
      System.out.println(groups + " groups released in " + holds + " holds of the lock");
      assertEquals(groups, access.counts().released);
      assertEquals(0, access.counts().owned);
      assertTrue(holds >= groups / 64, holds + " holds");
      // A hold of the lock ends before its number of groups only on a slow machine.
      assertTrue(holds < groups / 2, holds + " holds");
    }
  }

  /** All DataNodes become silent at once, and all their repairs are aborted. */
  @Test
  public void abortsShareTheLock(@TempDir Path dir) throws Exception {
    int groups = 2_000;
    try (MiniDFSCluster cluster = cluster(dir)) {
      FSNamesystem namesystem = cluster.getNamesystem();
      List<DatanodeStorageInfo> storages = nodes(namesystem);
      BlockManagerAccess access = BlockManagerAccess.install(namesystem, policy -> true,
          uuid -> 9877, () -> { });
      access.poll(1);
      fill(namesystem, file(cluster), storages, groups, new Random(11));
      List<NodeRef> refs = new ArrayList<>();
      for (DatanodeStorageInfo storage : storages) {
        DatanodeDescriptor node = storage.getDatanodeDescriptor();
        refs.add(new NodeRef(node.getDatanodeUuid(), node.getIpAddr(), node.getHostName(),
            node.getXferPort(), 9877, node.getNetworkLocation()));
      }
      List<RepairGrant> underWay = new ArrayList<>();
      Random random = new Random(12);
      QueueChanges changes;
      do {
        changes = access.poll(1000);
        List<Assignment> batch = new ArrayList<>();
        changes.lost.forEach(group -> batch.add(new Assignment(group, group.live,
            List.of(new UnitHolder(group.lost.get(0), target(group, refs, random))), "chain")));
        access.begin(access.term(), batch, false)
            .forEach(result -> underWay.add(result.grant().get()));
      } while (changes.hasMore());
      assertEquals(groups, underWay.size());
      long before = access.lockTimes().write.count;
      access.abortAll(underWay);
      long holds = access.lockTimes().write.count - before;
      System.out.println(groups + " repairs given up in " + holds + " holds of the lock");
      assertEquals(0, access.counts().inFlight);
      assertEquals(groups, access.counts().owned);
      assertEquals(0, namesystem.getBlockManager().pendingReconstruction.size());
      assertTrue(holds >= groups / 64, holds + " holds");
      // A hold of the lock ends before its number of groups only on a slow machine.
      assertTrue(holds < groups / 2, holds + " holds");
      access.abortAll(underWay);
      assertEquals(groups, access.counts().owned, "the repairs have ended already");
    }
  }

  private static MiniDFSCluster cluster(Path dir) throws Exception {
    Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir")));
    Configuration conf = QueueCluster.conf();
    // The DataNodes do not exist, so the NameNode must not notice missing heartbeats.
    conf.setInt("dfs.heartbeat.interval", 3600);
    conf.setClass("net.topology.node.switch.mapping.impl", StaticMapping.class,
        DNSToSwitchMapping.class);
    return new MiniDFSCluster.Builder(conf, dir.toFile()).numDataNodes(0).build();
  }

  private void measure(Path dir, int groups) throws Exception {
    try (MiniDFSCluster cluster = cluster(dir)) {
      FSNamesystem namesystem = cluster.getNamesystem();
      BlockManager bm = namesystem.getBlockManager();
      List<DatanodeStorageInfo> storages = nodes(namesystem);
      BlockManagerAccess access =
          BlockManagerAccess.install(namesystem, policy -> true, uuid -> 9877, () -> { });
      access.poll(1);
      INodeFile file = file(cluster);
      long seed = 11;
      fill(namesystem, file, storages, groups, new Random(seed));
      assertEquals(groups, access.counts().owned);

      access.claimsChanged();
      long sortCpuNanos = CPU.getCurrentThreadCpuTime();
      while (access.queueForTests().isSortAsked()) {
        access.queueForTests().sortSome();
      }
      sortCpuNanos = CPU.getCurrentThreadCpuTime() - sortCpuNanos;
      LockTimes before = access.lockTimes();
      Map<GroupId, LostGroup> lostGroups = new LinkedHashMap<>();
      QueueChanges changes;
      long startNanos = System.nanoTime();
      long pollCpuNanos = CPU.getCurrentThreadCpuTime();
      do {
        changes = access.poll(1000);
        changes.lost.forEach(group -> lostGroups.put(group.id, group));
      } while (changes.hasMore());
      long pollNanos = System.nanoTime() - startNanos;
      pollCpuNanos = CPU.getCurrentThreadCpuTime() - pollCpuNanos;
      assertEquals(groups, lostGroups.size());
      List<LostGroup> lost = new ArrayList<>(lostGroups.values());
      LockTimes polled = access.lockTimes();

      List<NodeRef> refs = new ArrayList<>();
      for (DatanodeStorageInfo storage : storages) {
        DatanodeDescriptor node = storage.getDatanodeDescriptor();
        refs.add(new NodeRef(node.getDatanodeUuid(), node.getIpAddr(), node.getHostName(),
            node.getXferPort(), 9877, node.getNetworkLocation()));
      }
      startNanos = System.nanoTime();
      long startCpuNanos = CPU.getCurrentThreadCpuTime();
      int granted = 0;
      List<RepairGrant> underWay = new ArrayList<>();
      Random random = new Random(seed + 1);
      long holdsOfEnds = 0;
      for (int from = 0; from < lost.size(); from += BATCH) {
        List<Assignment> batch = new ArrayList<>();
        for (LostGroup group : lost.subList(from, Math.min(from + BATCH, lost.size()))) {
          batch.add(new Assignment(group, group.live,
              List.of(new UnitHolder(group.lost.get(0), target(group, refs, random))), "chain"));
        }
        for (BeginResult result : access.begin(access.term(), batch, false)) {
          granted += result.grant().isPresent() ? 1 : 0;
          assertTrue(result.grant().isPresent(), result::toString);
          underWay.add(result.grant().get());
        }
        if (underWay.size() >= IN_FLIGHT) {
          long[] then = {System.nanoTime(), CPU.getCurrentThreadCpuTime(),
              access.lockTimes().write.count};
          endAll(namesystem, storages, access, underWay);
          startNanos += System.nanoTime() - then[0];
          startCpuNanos += CPU.getCurrentThreadCpuTime() - then[1];
          holdsOfEnds += access.lockTimes().write.count - then[2];
        }
      }
      long beginNanos = System.nanoTime() - startNanos;
      long beginCpuNanos = CPU.getCurrentThreadCpuTime() - startCpuNanos;
      LockTimes begun = access.lockTimes();
      System.out.println("groups " + groups + ", polled in " + pollNanos / 1_000_000
          + " ms, begun in " + beginNanos / 1_000_000 + " ms, "
          + beginCpuNanos / groups + " ns of CPU for each");
      System.out.println("lock for " + groups + " groups: " + begun);
      System.out.println("polled with " + pollCpuNanos / groups
          + " ns of CPU for each, claimed anew with " + sortCpuNanos + " ns for all");
      System.out.println("read lock for each group: "
          + (polled.read.nanos - before.read.nanos) / groups + " ns");
      assertEquals(lost.size(), granted);
      assertEquals(underWay.size(), bm.pendingReconstruction.size());
      // The times above are for a reader. The test checks what no slow machine changes: repairs
      // share a hold of the lock, and a hold ends with its batch.
      long holds = begun.write.count - polled.write.count - holdsOfEnds;
      assertTrue(holds >= groups / BATCH, holds + " holds");
      // A hold of the lock ends before its number of groups only on a slow machine.
      assertTrue(holds < groups / 2, holds + " holds");
    }
  }

  /** Reports the units of all running repairs, in the way in which stock records them. */
  private static void endAll(FSNamesystem namesystem, List<DatanodeStorageInfo> storages,
      BlockManagerAccess access, List<RepairGrant> underWay) {
    BlockManager bm = namesystem.getBlockManager();
    Map<String, DatanodeStorageInfo> byNode = new HashMap<>();
    storages.forEach(one -> byNode.put(one.getDatanodeDescriptor().getDatanodeUuid(), one));
    namesystem.writeLock();
    try {
      for (RepairGrant grant : underWay) {
        BlockInfo block = bm.getStoredBlock(new Block(grant.group.groupId));
        CommandTarget target = grant.targets.get(0);
        DatanodeStorageInfo storage = byNode.get(target.node.uuid);
        storage.addBlock(block, new Block(block.getBlockId() + target.unit, 1L << 26, 1001));
        bm.pendingReconstruction.decrement(block, storage);
        int units = POLICY.getNumDataUnits() + POLICY.getNumParityUnits();
        bm.neededReconstruction.remove(block, units - 1, 0, 0, units);
      }
    } finally {
      namesystem.writeUnlock("test");
    }
    int ended = 0;
    QueueChanges changes;
    do {
      changes = access.poll(1000);
      ended += changes.ended.size();
    } while (ended < underWay.size() && changes.hasMore());
    assertEquals(underWay.size(), ended);
    underWay.clear();
  }

  private static NodeRef target(LostGroup group, List<NodeRef> nodes, Random random) {
    int from = random.nextInt(nodes.size());
    for (int i = 0; i < nodes.size(); i++) {
      NodeRef node = nodes.get((from + i) % nodes.size());
      if (group.occupied().stream().noneMatch(used -> used.rack.equals(node.rack))) {
        return node;
      }
    }
    throw new AssertionError("No rack is left for " + group);
  }

  private static List<DatanodeStorageInfo> nodes(FSNamesystem namesystem) throws Exception {
    List<DatanodeStorageInfo> storages = new ArrayList<>();
    DatanodeManager nodes = namesystem.getBlockManager().getDatanodeManager();
    for (int i = 0; i < NODES; i++) {
      DatanodeID id = new DatanodeID("10.0." + i / 100 + "." + (i % 100 + 1), "node" + i,
          UUID.nameUUIDFromBytes(("node" + i).getBytes("UTF-8")).toString(),
          9866, 9864, 9865, 9867);
      StaticMapping.addNodeToRack(id.getHostName(), "/rack" + i % RACKS);
      DatanodeRegistration registration = new DatanodeRegistration(id,
          new StorageInfo(NodeType.DATA_NODE), new ExportedBlockKeys(),
          VersionInfo.getVersion());
      namesystem.writeLock();
      try {
        nodes.registerDatanode(registration);
        DatanodeDescriptor node = nodes.getDatanode(id.getDatanodeUuid());
        node.setAlive(true);
        DatanodeStorageInfo storage =
            BlockManagerTestUtil.updateStorage(node, new DatanodeStorage("storage" + i));
        storage.setUtilizationForTesting(1L << 44, 0, 1L << 44, 0);
        // The NameNode sends nothing to a node that has not reported its blocks.
        storage.setBlockReportCount(1);
        storages.add(storage);
      } finally {
        namesystem.writeUnlock("test");
      }
    }
    return storages;
  }

  /** Creates an empty file. The test adds blocks to it directly in the NameNode's memory. */
  private static INodeFile file(MiniDFSCluster cluster) throws Exception {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/file");
    DFSTestUtil.enableAllECPolicies(cluster.getFileSystem());
    cluster.getFileSystem().setErasureCodingPolicy(new org.apache.hadoop.fs.Path("/"),
        POLICY.getName());
    cluster.getFileSystem().create(path).close();
    INodeFile file = cluster.getNamesystem().getFSDirectory().getINode("/file").asFile();
    assertEquals(BlockType.STRIPED, file.getBlockType());
    return file;
  }

  private static void fill(FSNamesystem namesystem, INodeFile file,
      List<DatanodeStorageInfo> storages, int groups, Random random) {
    BlockManager bm = namesystem.getBlockManager();
    int units = POLICY.getNumDataUnits() + POLICY.getNumParityUnits();
    namesystem.writeLock();
    try {
      for (int i = 0; i < groups; i++) {
        BlockInfoStriped block = new BlockInfoStriped(
            new Block(Long.MIN_VALUE + 16L * (i + 1), 6L << 26, 1001), POLICY);
        bm.addBlockCollection(block, file);
        int lost = random.nextInt(units);
        int first = random.nextInt(NODES);
        for (int unit = 0; unit < units; unit++) {
          if (unit != lost) {
            storages.get((first + unit) % NODES).addBlock(block,
                new Block(block.getBlockId() + unit, 1L << 26, 1001));
          }
        }
        NumberReplicas counts = bm.countNodes(block);
        bm.neededReconstruction.add(block, counts.liveReplicas(), 0, 0, units);
      }
    } finally {
      namesystem.writeUnlock("test");
    }
  }
}
