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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.GroupSnapshot;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanOptions;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.plan.RepairPlanner;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.StripedLayout;
import org.hdfsppr.plan.TreeTopologies;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.PartialSumRequest;

/**
 * A repair that a test describes: RS(6,3), unit u at node u, unit 0 lost and rebuilt at node 100,
 * units of 32 KiB; and what the test wants to be different.
 */
@InterfaceAudience.Private
final class SimRepair {
  static final GroupId GROUP = new GroupId("BP-1-10.0.0.1-1", -9223372036854775792L, 1001);

  private final int unitBytes;
  private final StripedGroup data;
  private final List<Integer> stock = new ArrayList<>();
  private String topology = "chain";
  private int sliceBytes = 1024;
  private int checkOneIn;
  private int stallTimeoutMs = 60_000;
  private int timeScale = 1;
  private int pipeBytes = 4096;
  private int writeMs;
  private boolean urgent;
  private long rate = PartialSumRequest.UNLIMITED;
  private LongSupplier nanoClock = System::nanoTime;
  private SlowLimit slow = new SlowLimit(new RateMemory(), 1000, 0);
  private Fault fault;
  private RepairPlan plan;
  private SimCluster cluster;

  SimRepair() throws IOException {
    this(32 << 10);
  }

  SimRepair(int unitBytes) throws IOException {
    this.unitBytes = unitBytes;
    data = StripedGroup.of("rs", 6, 3, unitBytes, 6 * unitBytes, new Random(1));
  }

  SimRepair topology(String name) {
    topology = name;
    return this;
  }

  SimRepair sliceBytes(int bytes) {
    sliceBytes = bytes;
    return this;
  }

  SimRepair checkOneIn(int slices) {
    checkOneIn = slices;
    return this;
  }

  /** These nodes do not run the extension. */
  SimRepair stock(int... nodes) {
    for (int node : nodes) {
      stock.add(node);
    }
    return this;
  }

  /** How long to wait for a byte, in milliseconds that pass {@code scale} times faster. */
  SimRepair stallTimeout(int ms, int scale) {
    stallTimeoutMs = ms;
    timeScale = scale;
    return this;
  }

  SimRepair pipes(int bytes) {
    pipeBytes = bytes;
    return this;
  }

  /** Every write of a slice to a sink takes that long. */
  SimRepair slowSink(int ms) {
    writeMs = ms;
    return this;
  }

  SimRepair slow(LongSupplier clock, SlowLimit limit) {
    nanoClock = clock;
    slow = limit;
    return this;
  }

  /** The group has no unit to spare. */
  SimRepair urgent() {
    urgent = true;
    return this;
  }

  /** The nodes may read this many bytes of a unit in a second. */
  SimRepair atRate(long bytesPerSecond) {
    rate = bytesPerSecond;
    return this;
  }

  SimRepair fault(Fault what) {
    fault = what;
    return this;
  }

  static NodeRef node(int number, boolean runsExtension) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "host" + number, 9866,
        runsExtension ? 9877 : NodeRef.NO_REPAIR_PORT, "/rack");
  }

  RepairPlan plan() throws IOException {
    if (plan == null) {
      List<UnitHolder> live = new ArrayList<>();
      for (int unit = 1; unit < data.code.units(); unit++) {
        live.add(new UnitHolder(unit, node(unit, !stock.contains(unit))));
      }
      NodeRef destination = node(100, true);
      List<UnitHolder> targets = new ArrayList<>();
      targets.add(new UnitHolder(0, destination));
      plan = RepairPlanner.plan(new GroupSnapshot(
          new StripedLayout(GROUP, data.groupBytes, 6, 3, unitBytes), live, targets, destination),
          data.code, new PlanOptions(TreeTopologies.byName(topology), sliceBytes, checkOneIn, 0));
    }
    return plan;
  }

  SimCluster cluster() {
    return cluster;
  }

  /** A repair that is ready to run on the threads given. */
  DestinationSession prepare(ExecutorService threads) throws IOException {
    start(threads);
    SimNode host = cluster.node(plan().root.node);
    host.expect(0, unitBytes);
    return new DestinationSession(plan, request(plan.geometry), host, cluster,
        Kernels.select(Kernels.AUTO), host.memory(), nanoClock);
  }

  /** A read of a part of the lost unit on the same cluster, if there is one already. */
  RangeRead prepareRange(ExecutorService threads, long from, long to) throws IOException {
    if (cluster == null) {
      start(threads);
    }
    return new RangeRead(plan(), request(plan().geometry.covering(from, to)),
        Collections.emptyList(), Kernels.select(Kernels.AUTO), new BufferPool(1 << 20), nanoClock);
  }

  /** The bytes of the lost unit. */
  byte[] lost() {
    return data.unit(0);
  }

  /** The request of the whole repair. */
  PartialSumRequest request() throws IOException {
    return request(plan().geometry);
  }

  private PartialSumRequest request(SliceGeometry geometry) {
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    plan.root.forEach(node -> node.sources.forEach(source -> tokens.put(source.block,
        SimCluster.tokenFor(source.block.blockId))));
    PartialSumRequest request = new PartialSumRequest(PartialSumRequest.of("repair", 1,
        plan.checkRows(), stallTimeoutMs), GROUP, geometry, plan.root, tokens);
    request = request.withRate(rate);
    return urgent ? request.asUrgent() : request;
  }

  private void start(ExecutorService threads) {
    cluster = new SimCluster(GROUP, threads, Kernels.select(Kernels.AUTO),
        new SimCluster.LinkStyle(pipeBytes, true, Integer.MAX_VALUE, timeScale), nanoClock,
        fault);
    cluster.holdWritesBack(writeMs);
    for (int unit = 1; unit < data.code.units(); unit++) {
      cluster.node(node(unit, !stock.contains(unit))).store(unit, data.unit(unit));
    }
  }

  /** Runs a repair to its end. */
  void run(DestinationSession rebuild) throws IOException {
    assertEquals(0, rebuild.donePercent());
    rebuild.run(cluster, slow);
    assertEquals(100, rebuild.donePercent());
  }

  /** Whether what was committed are the right bytes. */
  boolean rebuilt() {
    return Arrays.equals(data.unit(0), cluster.committed(0));
  }
}
