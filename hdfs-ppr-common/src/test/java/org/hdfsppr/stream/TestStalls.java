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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The blame when nothing moves any more. It must not hit an innocent node, which the next plan
 * would lack as a helper.
 */
@InterfaceAudience.Private
@Timeout(120)
class TestStalls {
  /** A second of the tree passes in 250 ms. */
  private static final int SCALE = 4;
  /** A busy machine can be late by more than a level's margin; wrong by design is wrong always. */
  private static final int ATTEMPTS = 4;
  private static final int STALL_MS = 2_000;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void allThreadsEnd() throws InterruptedException {
    threads.shutdown();
    assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
  }

  private RepairException failureOf(SimRepair repair) throws Exception {
    RepairException e;
    try (DestinationSession rebuild = repair.prepare(threads)) {
      e = assertThrows(RepairException.class, () -> repair.run(rebuild));
      assertTrue(rebuild.committed().isEmpty());
    }
    assertEquals(Collections.emptyList(), repair.cluster().leftovers(30_000));
    return e;
  }

  private void assertRebuilds(SimRepair repair) throws Exception {
    try (DestinationSession rebuild = repair.prepare(threads)) {
      repair.run(rebuild);
      assertTrue(repair.rebuilt());
    }
    assertEquals(Collections.emptyList(), repair.cluster().leftovers(30_000));
  }

  private Void assertBlamed(int number, boolean runsExtension, Callable<SimRepair> repair)
      throws Exception {
    RepairException e = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      e = failureOf(repair.call());
      assertEquals(FailureCause.STALLED, e.failureCause, e.toString());
      if (e.node.equals(SimRepair.node(number, runsExtension))) {
        break;
      }
    }
    assertEquals(SimRepair.node(number, runsExtension), e.node, e.toString());
    return null;
  }

  private static Fault stall(int node, int offset) {
    return new Fault(Fault.Kind.STALL, "uuid-" + node, -1, true, offset, Integer.MAX_VALUE, 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"star", "ppr", "chain", "rack"})
  void aLinkThatStallsIsNamedByItsLowerEnd(String topology) throws Exception {
    List<Future<Void>> cases = new ArrayList<>();
    for (int number : new int[] {1, 3, 6}) {
      // Some before they answer, some on the way.
      for (int offset : new int[] {0, 5_000}) {
        cases.add(threads.submit(() -> assertBlamed(number, true, () -> new SimRepair()
            .topology(topology).stallTimeout(STALL_MS, SCALE).fault(stall(number, offset)))));
      }
    }
    for (Future<Void> one : cases) {
      one.get();
    }
  }

  @Test
  void aNodeThatTakesTheRequestAndSaysNothingIsNamed() throws Exception {
    assertBlamed(4, true, () -> new SimRepair().stallTimeout(STALL_MS, SCALE).fault(
        new Fault(Fault.Kind.STALL, "uuid-4", -1, false, 0, Integer.MAX_VALUE, 0)));
  }

  /** The node that reads for it notices at the same time as its own parent loses patience. */
  @ParameterizedTest
  @ValueSource(strings = {"star", "ppr", "chain"})
  void aStockReadThatStallsIsNamedByItsHolder(String topology) throws Exception {
    assertBlamed(1, false, () -> new SimRepair().topology(topology).stock(1, 2, 3)
        .stallTimeout(STALL_MS, SCALE)
        .fault(new Fault(Fault.Kind.STOCK_STALL, "uuid-1", 1, false, 5_000, 1, 0)));
  }

  /** The destination waits for one child; the others must not run away meanwhile. */
  @Test
  void aPauseThatAParentBearsItsOtherChildrenBearAsWell() throws Exception {
    SimRepair repair = new SimRepair().topology("ppr").pipes(512).stallTimeout(1_000, 1);
    PlanNode deep = Collections.max(repair.plan().root.children,
        (a, b) -> a.height() - b.height());
    assertTrue(deep.height() >= 1);
    // Longer than a leaf may be silent, shorter than this one may be.
    repair.fault(new Fault(Fault.Kind.DELAY, deep.node.uuid, -1, true, 5_000, 1, 1_250));
    assertRebuilds(repair);
  }

  /** It is silent for most slices, and waits long until the next one of its own is taken. */
  @Test
  void aHelperThatOnlyChecksWaitsForItsTurn() throws Exception {
    SimRepair repair = new SimRepair().topology("chain").checkOneIn(30).pipes(512)
        .stallTimeout(200, 1).slowSink(15);
    PlanNode last = repair.plan().root;
    while (!last.children.isEmpty()) {
      last = last.children.get(0);
    }
    assertTrue(last.sources.stream().noneMatch((RepairSource source) -> source.contributes(false)));
    assertRebuilds(repair);
  }

  @Test
  void aCancelledRepairEndsAtOnce() throws Exception {
    for (int delayMs = 0; delayMs < 30; delayMs += 3) {
      int cancelAfterMs = delayMs;
      SimRepair repair = new SimRepair().pipes(512).slowSink(10);
      try (DestinationSession rebuild = repair.prepare(threads)) {
        Future<?> cancel = threads.submit(() -> {
          TimeUnit.MILLISECONDS.sleep(cancelAfterMs);
          rebuild.cancel();
          return null;
        });
        long start = System.nanoTime();
        assertThrows(IOException.class, () -> repair.run(rebuild));
        assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20));
        cancel.get();
        assertTrue(rebuild.committed().isEmpty());
      }
      assertEquals(Collections.emptyList(), repair.cluster().leftovers(30_000));
    }
  }
}
