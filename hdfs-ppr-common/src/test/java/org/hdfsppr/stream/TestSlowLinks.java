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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole repairs with one slow link or one slow disk: the right one is named, in every shape of
 * tree. In {@link TestSlowLinkDetector} the same by hand, without threads.
 */
@InterfaceAudience.Private
@Timeout(300)
class TestSlowLinks {
  /** A second of the nodes' clocks passes in some 170 ms. */
  private static final int SCALE = 6;
  private static final int SLICE_BYTES = 512;
  private static final int SLOW_SLICE_MS = 10;
  /** With a tenth of it as the limit, a slow link has half of what is tolerated. */
  private static final double BEST =
      20.0 * SLICE_BYTES * 1000 / SLOW_SLICE_MS / SCALE;
  /** At the rate of the limit such a unit takes several windows. */
  private static final int UNIT_BYTES = 48 << 10;
  /** A busy machine makes others slow as well; what is wrong by design is wrong each time. */
  private static final int ATTEMPTS = 5;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void allThreadsEnd() throws InterruptedException {
    threads.shutdown();
    assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
  }

  private static NodeRef parentOf(PlanNode root, NodeRef child) {
    NodeRef[] found = new NodeRef[1];
    root.forEach(node -> node.children.stream().filter(below -> below.node.equals(child))
        .forEach(below -> found[0] = node.node));
    return found[0];
  }

  /** Runs a repair, and returns the blamed link: lower end and upper end. */
  private List<NodeRef> blamed(SimRepair repair) throws Exception {
    RateMemory memory = new RateMemory();
    memory.saw((long) BEST * 10, TimeUnit.SECONDS.toNanos(10));
    repair.slow(() -> System.nanoTime() * SCALE, new SlowLimit(memory, 3_000, 10));
    List<NodeRef> blamed = new ArrayList<>();
    try (DestinationSession rebuild = repair.prepare(threads)) {
      repair.run(rebuild);
    } catch (RepairException e) {
      assertEquals(FailureCause.SLOW, e.failureCause, e.toString());
      blamed.add(e.node);
      blamed.add(e.otherSuspect);
    }
    assertEquals(Collections.emptyList(), repair.cluster().leftovers(30_000));
    return blamed;
  }

  private Void assertBlamed(String topology, int checkOneIn, Fault.Kind kind, int number,
      int sliceMs) throws Exception {
    NodeRef node = SimRepair.node(number, true);
    List<NodeRef> blamed = null;
    List<NodeRef> right = null;
    SimRepair repair = null;
    for (int attempt = 0; attempt < ATTEMPTS && (blamed == null || !blamed.equals(right));
        attempt++) {
      repair = new SimRepair(128 << 10).sliceBytes(SLICE_BYTES).topology(topology)
          .checkOneIn(checkOneIn).fault(new Fault(kind, node.uuid,
              kind == Fault.Kind.SLOW ? -1 : number, true, 3_000, Integer.MAX_VALUE, sliceMs));
      PlanNode root = repair.plan().root;
      NodeRef parent = parentOf(root, node);
      // Of a slow link to the destination only the lower end is in doubt.
      right = Arrays.asList(node, parent.equals(root.node) ? null : parent);
      blamed = blamed(repair);
    }
    assertEquals(right, blamed, kind + " at " + node + " in " + repair.plan());
    return null;
  }

  @ParameterizedTest
  @ValueSource(strings = {"star", "ppr", "chain", "rack"})
  void theSlowOneIsNamed(String topology) throws Exception {
    List<Future<Void>> cases = new ArrayList<>();
    for (int node = 1; node <= 6; node++) {
      int number = node;
      for (Fault.Kind kind : new Fault.Kind[] {Fault.Kind.SLOW, Fault.Kind.SLOW_DISK}) {
        cases.add(threads.submit(() -> assertBlamed(topology, number % 2 * 16, kind, number,
            SLOW_SLICE_MS)));
      }
    }
    for (Future<Void> one : cases) {
      one.get();
    }
  }

  /** No node has sent a note for a whole window when such a slice arrives. */
  @ParameterizedTest
  @ValueSource(strings = {"star", "ppr", "chain", "rack"})
  void theSlowOneIsNamedWhereASliceTakesLongerThanTheWindow(String topology) throws Exception {
    List<Future<Void>> cases = new ArrayList<>();
    for (int node = 1; node <= 6; node++) {
      int number = node;
      cases.add(threads.submit(() -> assertBlamed(topology, 0, Fault.Kind.SLOW, number,
          4_000 / SCALE)));
    }
    for (Future<Void> one : cases) {
      one.get();
    }
  }

  private Void assertNotBlamed(String topology, int number, int readMs) throws Exception {
    Fault limit = new Fault(Fault.Kind.THROTTLED, SimRepair.node(number, true).uuid, -1, false,
        0, 0, readMs);
    SimRepair repair = new SimRepair(UNIT_BYTES).sliceBytes(SLICE_BYTES).topology(topology)
        .fault(limit);
    assertEquals(Collections.emptyList(), blamed(repair),
        "blamed, where " + limit + " in " + repair.plan());
    assertTrue(limit.triggered() && repair.rebuilt());
    return null;
  }

  /** A node that obeys an operator's limit is not slow, and nor is any link. */
  @ParameterizedTest
  @ValueSource(strings = {"star", "ppr", "chain", "rack"})
  void theThrottledOneIsNotBlamed(String topology) throws Exception {
    List<Future<Void>> cases = new ArrayList<>();
    for (int node = 1; node <= 6; node++) {
      int number = node;
      cases.add(threads.submit(() -> assertNotBlamed(topology, number, 2 * SLOW_SLICE_MS)));
    }
    for (Future<Void> one : cases) {
      one.get();
    }
  }

  /** Nor where a single slice takes longer than the window over which rates are measured. */
  @Test
  void theThrottledOneIsNotBlamedWhereASliceTakesLongerThanTheWindow() throws Exception {
    List<Future<Void>> cases = new ArrayList<>();
    for (int node = 1; node <= 6; node++) {
      int number = node;
      cases.add(threads.submit(() -> {
        SimRepair repair = new SimRepair(8 * SLICE_BYTES).sliceBytes(SLICE_BYTES)
            .fault(new Fault(Fault.Kind.THROTTLED, SimRepair.node(number, true).uuid, -1, false,
                0, 0, 4_000 / SCALE));
        assertEquals(Collections.emptyList(), blamed(repair));
        assertTrue(repair.rebuilt());
        return null;
      }));
    }
    for (Future<Void> one : cases) {
      one.get();
    }
  }

  /** A node with a slow disk does not blame the nodes that wait for it. */
  @Test
  void aDestinationThatIsSlowItselfBlamesNoNode() throws Exception {
    SimRepair repair = new SimRepair().sliceBytes(SLICE_BYTES).slowSink(2 * SLOW_SLICE_MS);
    assertEquals(Collections.emptyList(), blamed(repair));
    assertTrue(repair.rebuilt());
  }

  /** All has come and was checked: how long it took does not matter any more. */
  @Test
  void aRepairThatIsCompleteIsNotGivenUp() throws IOException {
    RateMemory memory = new RateMemory();
    memory.saw(1L << 40, TimeUnit.SECONDS.toNanos(1));
    AtomicLong hours = new AtomicLong();
    LongSupplier clock = () -> TimeUnit.HOURS.toNanos(hours.incrementAndGet());
    SimRepair repair = new SimRepair().sliceBytes(32 << 10).checkOneIn(1)
        .slow(clock, new SlowLimit(memory, 1_000, 50));
    try (DestinationSession rebuild = repair.prepare(threads)) {
      repair.run(rebuild);
    }
    assertTrue(repair.rebuilt());
  }
}
