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

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hdfsppr.wire.PartialSumRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which nodes leave room for users, and for what they send. */
@Timeout(60)
class TestYield {
  private static final int UNIT_BYTES = 32 << 10;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void allThreadsEnd() throws InterruptedException {
    threads.shutdown();
    assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
  }

  private Map<String, Long> yieldedIn(SimRepair repair) throws Exception {
    try (DestinationSession rebuild = repair.prepare(threads)) {
      repair.run(rebuild);
      assertTrue(repair.rebuilt());
    }
    return repair.cluster().yielded;
  }

  @Test
  void helpersYieldForEachByteThatTheySend() throws Exception {
    Map<String, Long> all = new HashMap<>();
    for (int node = 1; node <= 6; node++) {
      all.put("uuid-" + node, (long) UNIT_BYTES);
    }
    assertEquals(all, yieldedIn(new SimRepair()));
  }

  @Test
  void eachNodeOfWorkWithARateLetsRepairsGoFirstBeforeEachSlice() throws Exception {
    SimRepair making = new SimRepair().atRate(1 << 30);
    yieldedIn(making);
    Map<String, Integer> slices = new HashMap<>();
    int slicesOfEach = making.plan().geometry.slices();
    making.plan().root.forEach(node ->
        slices.put(node.node.uuid, slicesOfEach));
    assertEquals(7, slices.size());
    assertEquals(slices, making.cluster().letRepairsFirst);
  }

  /** A making must end before its deadline, however long repairs go on. */
  @Test
  void aNodeLetsRepairsGoFirstForAMinuteInAll() throws Exception {
    AtomicLong nanos = new AtomicLong();
    HelperHost busy = (HelperHost) Proxy.newProxyInstance(HelperHost.class.getClassLoader(),
        new Class<?>[] {HelperHost.class}, (host, method, arguments) -> {
          assertEquals("yieldToRepairs", method.getName());
          return nanos.addAndGet((long) arguments[0]) > 0 ? null : host;
        });
    YieldToRepairs repairs = new YieldToRepairs(
        new SimRepair().atRate(1 << 30).request(), busy, nanos::get);
    for (int slice = 0; slice < 120; slice++) {
      assertEquals(TimeUnit.MILLISECONDS.toNanos(500), repairs.await());
    }
    assertEquals(0, repairs.await());
    assertEquals(TimeUnit.MINUTES.toNanos(1), nanos.get());
  }

  @Test
  void theWaitForOneSliceIsShortWhereSilentNodesSoonCountAsDead() throws Exception {
    PartialSumRequest request = new SimRepair().atRate(1 << 30).request();
    assertEquals(TimeUnit.MILLISECONDS.toNanos(500), YieldToRepairs.sliceNanosMost(request));
    assertEquals(TimeUnit.MILLISECONDS.toNanos(25),
        YieldToRepairs.sliceNanosMost(request.withStallTimeoutWithin(100)));
    assertEquals(0, YieldToRepairs.sliceNanosMost(new SimRepair().request()));
  }

  @Test
  void repairsDoNotWaitForRepairs() throws Exception {
    SimRepair repair = new SimRepair();
    yieldedIn(repair);
    assertEquals(Map.of(), repair.cluster().letRepairsFirst);
  }

  @Test
  void urgentRepairsDoNotYield() throws Exception {
    assertEquals(Map.of(), yieldedIn(new SimRepair().urgent()));
  }

  @Test
  void readersDoNotYieldToEachOther() throws Exception {
    SimRepair repair = new SimRepair();
    AtomicLong got = new AtomicLong();
    try (RangeRead read = repair.prepareRange(threads, 1000, 6000)) {
      read.run(repair.cluster(), repair.lost().length,
          (offset, bytes) -> got.addAndGet(bytes.remaining()));
    }
    assertTrue(got.get() >= 5000, got + " bytes");
    assertEquals(Map.of(), repair.cluster().yielded);
  }
}
