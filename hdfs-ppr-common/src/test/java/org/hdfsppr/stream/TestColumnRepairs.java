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
package org.hdfsppr.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.code.CoreRow;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.ListedBlocks;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.TreeTopology;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.PartialSumRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A block is rebuilt as the XOR of blocks of other groups, which differ in length, each under a
 * token of its own.
 */
@InterfaceAudience.Private
@Timeout(120)
class TestColumnRepairs {
  private static final GroupId GROUP = new GroupId("BP-1", -16 * 1000, 1001);
  private static final int FILES = 5;
  private static final int UNIT = 2;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** The same unit of each file and, last, of the file with their XOR, which is the longest. */
  private static byte[][] column(Random random) {
    byte[][] rows = new byte[FILES + 1][];
    rows[FILES] = new byte[40_000];
    for (int file = 0; file < FILES; file++) {
      rows[file] = new byte[file == 0 ? rows[FILES].length
          : 1 + random.nextInt(rows[FILES].length)];
      random.nextBytes(rows[file]);
      for (int i = 0; i < rows[file].length; i++) {
        rows[FILES][i] ^= rows[file][i];
      }
    }
    return rows;
  }

  /** The internal block of a row's group; the groups are neighbours. */
  private static long blockId(int lost, int row) {
    return GROUP.groupId + 16L * (row - lost) + UNIT;
  }

  private static NodeRef node(int number, boolean runsExtension) {
    return SimRepair.node(number, runsExtension);
  }

  private void repair(byte[][] rows, int lost, TreeTopology topology, boolean stock)
      throws Exception {
    List<BlockRef> blocks = new ArrayList<>();
    List<UnitHolder> live = new ArrayList<>();
    for (int row = 0; row < rows.length; row++) {
      blocks.add(new BlockRef(GROUP.poolId, blockId(lost, row), GROUP.generationStamp,
          rows[row].length));
      if (row != lost) {
        live.add(new UnitHolder(row, node(row, !(stock && row % 2 == 0))));
      }
    }
    NodeRef destination = node(100, true);
    GroupSnapshot snapshot = new GroupSnapshot(new ListedBlocks(GROUP, blocks, FILES, 1024), live,
        Collections.singletonList(new UnitHolder(lost, destination)), destination);
    RepairPlan plan = RepairPlanner.plan(snapshot, CoreRow.column(FILES),
        new PlanOptions(topology, 4096, 64, 0));
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    plan.root.forEach(node -> node.sources.forEach(source -> {
      assertEquals(blocks.get(source.unit), source.block);
      tokens.put(source.block, SimCluster.tokenFor(source.block.blockId));
    }));
    assertEquals(FILES, tokens.size());
    PartialSumRequest request = new PartialSumRequest(PartialSumRequest.of("column",
        plan.lostRows(), plan.checkRows(), 10_000), GROUP, plan.geometry, plan.root, tokens);
    assertTrue(request.readsOtherBlocks());
    SimCluster cluster = new SimCluster(GROUP, threads, Kernels.select(Kernels.AUTO),
        new SimCluster.LinkStyle(8192, true, Integer.MAX_VALUE, 1), System::nanoTime, null);
    for (UnitHolder holder : live) {
      cluster.node(holder.node).store((int) (blockId(lost, holder.unit) - GROUP.groupId),
          rows[holder.unit]);
    }
    SimNode host = cluster.node(destination);
    host.expect(lost, rows[lost].length);
    try (DestinationSession rebuild = new DestinationSession(plan, request, host, cluster,
        Kernels.select(Kernels.AUTO), host.memory(), System::nanoTime)) {
      rebuild.run(cluster, new SlowLimit(new RateMemory(), 1, 0));
    }
    assertArrayEquals(rows[lost], cluster.committed(lost));
    assertEquals(Collections.emptyList(), cluster.leftovers(10_000));
  }

  @Test
  void everyRowInEveryShape() throws Exception {
    byte[][] rows = column(new Random(1));
    for (TreeTopology topology : TreeTopologies.all()) {
      for (int lost = 0; lost <= FILES; lost++) {
        repair(rows, lost, topology, false);
        repair(rows, lost, topology, true);
      }
    }
  }

  @Test
  void aFileThatEndedBeforeIsZeros() throws Exception {
    byte[][] rows = column(new Random(2));
    for (int i = 0; i < rows[3].length; i++) {
      rows[FILES][i] ^= rows[3][i];
    }
    rows[3] = new byte[0];
    List<BlockRef> blocks = new ArrayList<>();
    for (int row = 0; row < rows.length; row++) {
      blocks.add(new BlockRef(GROUP.poolId, blockId(0, row), GROUP.generationStamp,
          rows[row].length));
    }
    NodeRef destination = node(100, true);
    RepairPlan plan = RepairPlanner.plan(new GroupSnapshot(new ListedBlocks(GROUP, blocks, FILES,
        1024),
        Arrays.asList(new UnitHolder(1, node(1, true)), new UnitHolder(2, node(2, true)),
            new UnitHolder(4, node(4, true)), new UnitHolder(5, node(5, true))),
        Collections.singletonList(new UnitHolder(0, destination)), destination),
        CoreRow.column(FILES), new PlanOptions(TreeTopologies.byName("chain"), 4096, 0, 0));
    List<Integer> read = new ArrayList<>();
    plan.root.forEach(node -> node.sources.forEach(source -> read.add(source.unit)));
    Collections.sort(read);
    assertEquals(Arrays.asList(1, 2, 4, 5), read);
  }
}
