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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.plan.ZeroSumPlan;
import org.hdfsppr.plan.ZeroSumPlanner;
import org.hdfsppr.wire.PartialSumRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Chains whose sums have to be zero, over groups of all codes and many lengths. */
class TestZeroSumTrees {
  private static final long SEED = 20261123;
  private static final int GROUPS = 120;
  private static final GroupId GROUP = new GroupId("BP-1", -1600, 1001);
  private static final NodeRef READER = new NodeRef("client", "", "", 0, 0, "");
  private static final ExecutorService THREADS = Executors.newCachedThreadPool();

  @AfterAll
  static void end() {
    THREADS.shutdownNow();
  }

  /** One group, of which a byte may be wrong, on nodes of which some may lack the extension. */
  private static final class Scene {
    private final StripedGroup group;
    private final SimCluster cluster;
    private final List<UnitHolder> live = new ArrayList<>();
    private final ZeroSumPlanner planner;
    private long received;

    Scene(Random random, int missing) throws IOException {
      StripedGroup any = StripedGroup.random(random);
      while (any.code.parityUnits() <= missing) {
        any = StripedGroup.random(random);
      }
      group = any;
      RegionKernel kernel = Kernels.select(Kernels.AUTO);
      cluster = new SimCluster(GROUP, THREADS, kernel,
          new SimCluster.LinkStyle(1 << 16, true, Integer.MAX_VALUE, 1), System::nanoTime, null);
      List<Integer> present = new ArrayList<>(group.present());
      Collections.shuffle(present, random);
      boolean stock = group.code.subChunks() == 1 && random.nextBoolean();
      for (int i = missing; i < present.size(); i++) {
        int unit = present.get(i);
        // The last one always serves sums.
        NodeRef node = SimRepair.node(unit, i == present.size() - 1 || !stock
            || random.nextInt(3) > 0);
        live.add(new UnitHolder(unit, node));
      }
      planner = new ZeroSumPlanner(new StripedLayout(GROUP, group.groupBytes,
          group.code.dataUnits(), group.code.parityUnits(), group.cellBytes), group.code,
          READER, 512 << random.nextInt(3));
    }

    void store(int wrongUnit, int wrongByte) {
      for (UnitHolder holder : live) {
        byte[] bytes = group.unit(holder.unit).clone();
        if (holder.unit == wrongUnit) {
          bytes[wrongByte] ^= 1;
        }
        cluster.node(holder.node).store(holder.unit, bytes);
      }
    }

    /** Returns the slices whose sums are not zero. */
    List<Integer> wrong(ZeroSumPlan plan, SliceGeometry geometry) throws IOException {
      Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
      plan.root.forEach(node -> node.sources.forEach(source -> tokens.put(source.block,
          SimCluster.tokenFor(source.block.blockId))));
      List<Integer> wrong = new ArrayList<>();
      try (SumRead read = new SumRead(new PartialSumRequest(PartialSumRequest.of("verify",
          plan.rows, 0, 10_000), GROUP, geometry, plan.root, tokens), Collections.emptyList(),
          Kernels.select(Kernels.AUTO), new BufferPool(4 << 20), System::nanoTime)) {
        read.run(cluster, (slice, rows) -> {
          ByteBuffer all = rows.allRows();
          if (all.mismatch(ByteBuffer.allocate(all.remaining())) >= 0) {
            wrong.add(slice);
          }
        });
        received = read.bytesReceived();
      }
      return wrong;
    }

    @Override
    public String toString() {
      return group + ", live " + live;
    }
  }

  @Test
  void healthyGroupsAreZeroAndAWrongByteIsNot() throws IOException {
    for (int i = 0; i < GROUPS; i++) {
      Random random = new Random(SEED + i);
      Scene scene = new Scene(random, random.nextInt(4) == 0 ? 1 : 0);
      String which = "seed " + (SEED + i) + ": " + scene;
      boolean all = random.nextInt(3) == 0;
      ZeroSumPlan plan = scene.planner.plan(scene.live, all);
      scene.store(-1, 0);
      assertEquals(Collections.emptyList(), scene.wrong(plan, plan.geometry), which);
      if (!all) {
        // One unit, the frames of its slices, and the two ends of the stream.
        assertTrue(scene.received <= plan.geometry.streamBytes()
            + 400L * plan.geometry.slices() + 1000, which);
      }
      UnitHolder spoilt = scene.live.get(random.nextInt(scene.live.size()));
      if (plan.uncovered.contains(spoilt.unit)) {
        continue;
      }
      int at = random.nextInt(scene.group.unit(spoilt.unit).length);
      scene.store(spoilt.unit, at);
      List<Integer> wrong = scene.wrong(plan, plan.geometry);
      assertEquals(1, wrong.size(), which + ", byte " + at + " of unit " + spoilt.unit);
      assertEquals(wrong, scene.wrong(plan,
          plan.geometry.withSlices(wrong.get(0), wrong.get(0) + 1)), which);
    }
  }

  @Test
  void eachUnitComesAsItIs() throws IOException {
    for (int i = 0; i < GROUPS / 6; i++) {
      Scene scene = new Scene(new Random(SEED + i), 0);
      scene.store(-1, 0);
      for (UnitHolder holder : scene.live) {
        ZeroSumPlan plan = scene.planner.unit(holder, scene.live);
        SliceGeometry geometry = plan.geometry;
        byte[] unit = scene.group.unit(holder.unit);
        Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
        plan.root.forEach(node -> node.sources.forEach(source -> tokens.put(source.block,
            SimCluster.tokenFor(source.block.blockId))));
        try (SumRead read = new SumRead(new PartialSumRequest(
            PartialSumRequest.of("verify", plan.rows, 0, 10_000), GROUP, geometry, plan.root,
            tokens), Collections.emptyList(),
            Kernels.select(Kernels.AUTO), new BufferPool(4 << 20), System::nanoTime)) {
          read.run(scene.cluster, (slice, rows) -> {
            for (int run = 0; run < geometry.runs(slice); run++) {
              int there = geometry.lengthWithin(slice, run, unit.length);
              if (there == 0) {
                continue;
              }
              ByteBuffer row = rows.row(run);
              row.limit(row.position() + there);
              assertEquals(ByteBuffer.wrap(unit, (int) geometry.offset(slice, run), there), row,
                  scene + ", unit " + holder.unit + ", slice " + slice);
            }
          });
        }
      }
    }
  }

  @Test
  void withoutRedundancyThereIsNoPlan() throws IOException {
    Scene scene = new Scene(new Random(SEED), 0);
    List<UnitHolder> few = scene.live.subList(0,
        Math.max(1, scene.live.size() - scene.group.code.parityUnits()));
    assertThrows(NoPlanException.class, () -> scene.planner.plan(few, false), scene.toString());
    assertThrows(NoPlanException.class,
        () -> scene.planner.plan(Collections.emptyList(), true));
  }
}
