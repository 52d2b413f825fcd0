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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.Planner;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.Topologies;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.WriteGrant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two lost units from one reading: unit 0 at the root, node 100, and unit 1 at node 101, which ends
 * its rows inside the tree.
 */
@InterfaceAudience.Private
@Timeout(120)
class TestInnerTargets {
  private static final int UNIT_BYTES = 64 << 10;
  private static final int SLICE_BYTES = 1024;
  private static final NodeRef ROOT = SimRepair.node(100, true);
  private static final NodeRef INNER = SimRepair.node(101, true);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  /** The time of all helpers. */
  private LongSupplier nanoClock = System::nanoTime;
  private StripedGroup data;
  private SimCluster cluster;
  private RepairPlan plan;
  private Map<BlockRef, WriteGrant> grants;

  @AfterEach
  void allThreadsEnd() throws InterruptedException {
    threads.shutdown();
    assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
  }

  private void prepare(Fault fault) throws IOException {
    prepare(fault, 4096);
  }

  private void prepare(Fault fault, int pipeBytes) throws IOException {
    data = StripedGroup.of("rs", 6, 3, UNIT_BYTES, 6 * UNIT_BYTES, new Random(1));
    cluster = new SimCluster(SimRepair.GROUP, threads, Kernels.select(Kernels.AUTO),
        new SimCluster.LinkStyle(pipeBytes, true, Integer.MAX_VALUE, 1), nanoClock, fault);
    List<Holder> live = new ArrayList<>();
    for (int unit = 2; unit < 9; unit++) {
      NodeRef node = SimRepair.node(unit, true);
      live.add(new Holder(unit, node));
      cluster.node(node).store(unit, data.unit(unit));
    }
    cluster.node(ROOT).expect(0, UNIT_BYTES);
    cluster.node(INNER).expect(1, UNIT_BYTES);
    plan = Planner.plan(new GroupSnapshot(SimRepair.GROUP, data.groupBytes(), 6, 3, UNIT_BYTES,
        live, List.of(new Holder(0, ROOT), new Holder(1, INNER)), ROOT), data.code(),
        new PlanOptions(Topologies.byName("chain"), SLICE_BYTES, 1, 0).withInnerTargets());
    assertTrue(plan.hasInnerTargets());
    grants = RandomRepair.grants(plan);
  }

  private Rebuild rebuild() {
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    plan.root().forEach(node -> node.sources().forEach(source -> tokens.put(source.block(),
        SimCluster.tokenFor(source.block().blockId()))));
    PartialSumRequest request = new PartialSumRequest("repair", SimRepair.GROUP, plan.geometry(),
        plan.lostRows(), plan.checkRows(), 60_000, plan.root(), tokens).withGrants(grants);
    SimNode host = cluster.node(ROOT);
    return new Rebuild(plan, request, host, cluster, Kernels.select(Kernels.AUTO), host.memory(),
        System::nanoTime);
  }

  private void run(Rebuild rebuild) throws RepairException {
    rebuild.run(cluster, new SlowLimit(new RateMemory(), 1000, 0));
  }

  private void assertNothingLeft() throws InterruptedException {
    assertEquals(Collections.emptyList(), cluster.leftovers(30_000));
  }

  @Test
  void bothUnitsAreRightAndTheRootGetsOneOfThem() throws Exception {
    prepare(null);
    try (Rebuild rebuild = rebuild()) {
      run(rebuild);
      assertEquals(List.of(0, 1), rebuild.committed());
      assertEquals(UNIT_BYTES, rebuild.bytesWritten());
      assertEquals(UNIT_BYTES, rebuild.innerBytes());
      // The row of unit 0 and the check row, and not the row of unit 1.
      assertTrue(rebuild.bytesReceived() < 2.2 * UNIT_BYTES, "" + rebuild.bytesReceived());
    }
    assertArrayEquals(data.unit(0), cluster.committed(0));
    assertArrayEquals(data.unit(1), cluster.committed(1));
    assertNothingLeft();
  }

  private RepairException failure() throws Exception {
    RepairException e;
    try (Rebuild rebuild = rebuild()) {
      e = assertThrows(RepairException.class, () -> run(rebuild));
      assertTrue(rebuild.committed().isEmpty());
    }
    assertNothingLeft();
    assertNull(cluster.committed(0));
    assertNull(cluster.committed(1));
    return e;
  }

  /**
   * The last slice is wrong. The root is slow and the links hold all slices, so that the inner
   * target has long sent its end, and has all of its rows, when the root finds it out.
   */
  @Test
  void wrongBytesOfAHelperFinaliseNothing() throws Exception {
    prepare(new Fault(Fault.Kind.SILENT, "uuid-3", 3, false, UNIT_BYTES - 1, 1, 0x40), 1 << 20);
    cluster.holdWritesBack(5);
    assertSame(FailureCause.VERIFICATION, failure().failureCause());
  }

  @Test
  void anInnerTargetThatCalculatesWronglyFinalisesNothing() throws Exception {
    prepare(new Fault(Fault.Kind.EVIL, "uuid-101", -1, false, 0, 0, 0x40));
    assertSame(FailureCause.VERIFICATION, failure().failureCause());
  }

  @Test
  void withoutTheRightGrantNothingIsWritten() throws Exception {
    prepare(null);
    grants.replaceAll((block, grant) -> new WriteGrant(SimCluster.tokenFor(block.blockId() + 1),
        StorageType.DISK, ""));
    RepairException e;
    try (Rebuild rebuild = rebuild()) {
      e = assertThrows(RepairException.class, () -> run(rebuild));
    }
    assertSame(FailureCause.ACCESS_TOKEN, e.failureCause());
    assertEquals(INNER, e.node());
    assertNull(cluster.committed(1));
  }

  @Test
  void anInnerTargetThatCannotOpenItsReplicaSaysSo() throws Exception {
    prepare(new Fault(Fault.Kind.SINK_OPEN, "uuid-101", 1, false, 0, 1, 0));
    RepairException e = failure();
    assertSame(FailureCause.INTERNAL, e.failureCause());
    assertEquals(INNER, e.node());
  }

  /** A node without room for one write more is busy and not broken. */
  @Test
  void anInnerTargetWithoutBuffersIsOverloaded() throws Exception {
    prepare(new Fault(Fault.Kind.SINK_OPEN, "uuid-101", 1, false, 0, 1, 1));
    RepairException e = failure();
    assertSame(FailureCause.OVERLOADED, e.failureCause());
    assertEquals(INNER, e.node());
  }

  /** Otherwise the leader would take the inner target for slow, and plan without it. */
  @Test
  void theLimitForWritesIsNoWorkOfTheInnerTarget() throws Exception {
    AtomicLong clock = new AtomicLong();
    nanoClock = clock::get;
    prepare(null);
    // Time passes at the limit and nowhere else.
    cluster.limitInnerWrites(() -> clock.addAndGet(1_000_000));
    try (Rebuild rebuild = rebuild()) {
      run(rebuild);
    }
    assertNothingLeft();
    int slices = UNIT_BYTES / SLICE_BYTES;
    assertEquals(slices * 1_000_000L, cluster.stats(INNER).throttleNanos());
    assertEquals(0, cluster.stats(INNER).localNanos());
  }

  private void assertOneIsStored(Fault fault, int stored, int missing) throws Exception {
    prepare(fault);
    try (Rebuild rebuild = rebuild()) {
      run(rebuild);
      assertEquals(List.of(stored), rebuild.committed());
      assertTrue(rebuild.writeFailure(missing).getMessage().contains("injected"),
          rebuild.writeFailure(missing).toString());
      assertNull(rebuild.writeFailure(stored));
    }
    assertNothingLeft();
    assertArrayEquals(data.unit(stored), cluster.committed(stored));
    assertNull(cluster.committed(missing));
  }

  @Test
  void theRootKeepsItsUnitIfTheInnerTargetCannotWrite() throws Exception {
    assertOneIsStored(new Fault(Fault.Kind.SINK_WRITE, "uuid-101", 1, false, 5000, 1, 0), 0, 1);
    assertOneIsStored(new Fault(Fault.Kind.SINK_COMMIT, "uuid-101", 1, false, 0, 1, 0), 0, 1);
  }

  @Test
  void theInnerTargetKeepsItsUnitIfTheRootCannotWrite() throws Exception {
    assertOneIsStored(new Fault(Fault.Kind.SINK_WRITE, "uuid-100", 0, false, 5000, 1, 0), 1, 0);
  }
}
