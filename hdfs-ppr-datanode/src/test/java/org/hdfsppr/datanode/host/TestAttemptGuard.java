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
package org.hdfsppr.datanode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import java.util.Collections;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.PartialSumRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The time at which a guard acts, by a clock that only the test moves. */
class TestAttemptGuard {
  private static final int STALL_MS = 1000;

  private static final long BYTES = 64L << 20;

  /** The guard's bound: ten honest stalls, or the parent's patience if that is longer. */
  private static final int STALLS_MS = Math.max(10 * STALL_MS, request().patienceMs());

  /** 64 MiB at 16 KiB/s, on top of the stalls. */
  private static final long RATE_MS = TimeUnit.SECONDS.toMillis((64 << 20) / (16 << 10));

  private final AtomicLong nanos = new AtomicLong(-5);
  private final AtomicInteger slices = new AtomicInteger();
  private final AtomicInteger childrenClosed = new AtomicInteger();
  private final AtomicInteger restClosed = new AtomicInteger();
  /** What closing a connection ends with; null if it is closed. */
  private Error closing;
  private final ScheduledFuture<?> looks = mock(ScheduledFuture.class);

  @AfterEach
  void noInterruptIsLeft() {
    assertFalse(Thread.interrupted());
  }

  private static PartialSumRequest request() {
    NodeRef node = new NodeRef("uuid", "127.0.0.1", "localhost", 1, 2, "/r");
    PlanNode tree = new PlanNode(node, Collections.emptyList(), Collections.emptyList());
    return new PartialSumRequest(PartialSumRequest.of("test", 1, 0, STALL_MS),
        new GroupId("BP-1", -16, 1001), new SliceGeometry(BYTES, 1 << 16, 0, 0), tree,
        Collections.emptyMap());
  }

  private AttemptGuard guard() {
    return guard(0);
  }

  private AttemptGuard guard(long endingMs) {
    ScheduledExecutorService timer = mock(ScheduledExecutorService.class);
    doReturn(looks).when(timer)
        .scheduleWithFixedDelay(any(), anyLong(), anyLong(), any());
    return new AttemptGuard(request(), endingMs, slices::get, () -> close(childrenClosed),
        () -> close(restClosed), new AttemptGuard.Timing(timer, nanos::get));
  }

  private void close(AtomicInteger closed) {
    closed.incrementAndGet();
    if (closing != null) {
      throw closing;
    }
  }

  private void pass(long ms) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
  }

  @Test
  void whoGetsOnIsLeftAlone() {
    AttemptGuard guard = guard();
    for (int i = 0; i < 100; i++) {
      pass(STALLS_MS);
      slices.incrementAndGet();
      guard.run();
    }
    assertEquals(0, childrenClosed.get());
    guard.end();
    verify(looks).cancel(false);
  }

  @Test
  void childrenAreClosedFirstAndThenAllAndTheThreadInterrupted() {
    AttemptGuard guard = guard();
    pass(STALLS_MS);
    guard.run();
    assertEquals(0, childrenClosed.get(), "not before its time");
    pass(1);
    guard.run();
    assertEquals(1, childrenClosed.get());
    assertEquals(0, restClosed.get(), "it may still tell its parent");
    assertFalse(Thread.currentThread().isInterrupted());
    pass(request().patienceMs());
    guard.run();
    assertEquals(1, restClosed.get());
    assertTrue(Thread.currentThread().isInterrupted());
    guard.end();
    assertFalse(Thread.currentThread().isInterrupted(), "the interrupt was for what has ended");
  }

  /** The timer would never look again, and the thread would stay stuck. */
  @Test
  void anErrorWhileConnectionsAreClosedKeepsNoThreadFromItsInterrupt() {
    closing = new StackOverflowError("a test");
    AttemptGuard guard = guard();
    pass(STALLS_MS + 1);
    guard.run();
    assertEquals(1, childrenClosed.get());
    pass(request().patienceMs());
    guard.run();
    assertEquals(1, restClosed.get());
    assertTrue(Thread.currentThread().isInterrupted());
    guard.end();
  }

  /** One slice within each of the allowed times, again and again, is still too slow. */
  @Test
  void slownessInAllIsSeenThoughEachSliceIsInTime() {
    AttemptGuard guard = guard();
    long passed = 0;
    while (childrenClosed.get() == 0) {
      pass(STALLS_MS / 2);
      passed += STALLS_MS / 2;
      slices.incrementAndGet();
      guard.run();
      assertTrue(passed <= RATE_MS + 2 * STALLS_MS, "closed by now");
    }
    assertTrue(passed > RATE_MS + STALLS_MS, "not before " + passed);
    guard.end();
  }

  /** A target may need long to sync its bytes to its disk. */
  @Test
  void theEndingHasATimeOfItsOwn() {
    AttemptGuard guard = guard(5 * STALLS_MS);
    slices.set(request().geometry.slices() - 1);
    guard.run();
    pass(STALLS_MS);
    guard.run();
    assertEquals(0, childrenClosed.get());
    slices.incrementAndGet();
    guard.run();
    pass(5 * STALLS_MS);
    guard.run();
    assertEquals(0, childrenClosed.get(), "the ending is within its time");
    pass(1);
    guard.run();
    assertEquals(1, childrenClosed.get());
    pass(request().patienceMs());
    guard.run();
    assertTrue(Thread.interrupted());
    guard.end();
  }

  @Test
  void nothingHappensAfterTheEnd() {
    AttemptGuard guard = guard();
    guard.end();
    pass(10 * RATE_MS);
    guard.run();
    assertEquals(0, childrenClosed.get() + restClosed.get());
  }

  /** If another cause interrupts the thread, the thread is still interrupted afterwards. */
  @Test
  void othersInterruptsAreKept() {
    AttemptGuard guard = guard();
    Thread.currentThread().interrupt();
    guard.end();
    assertTrue(Thread.interrupted());
  }
}
