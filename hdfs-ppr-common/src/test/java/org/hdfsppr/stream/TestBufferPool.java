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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.stream.BufferPool.Slab;
import org.junit.jupiter.api.Test;

/**
 * The bound holds for all callers together. Memory that was given back can be leased again, and
 * never by two callers at a time.
 */
@InterfaceAudience.Private
class TestBufferPool {
  private static final int PAGE = Slab.PAGE_BYTES;
  private static final long SEED = 20261123;

  @Test
  void theBoundIsKept() {
    BufferPool pool = new BufferPool(5 * PAGE + 100);
    BufferSource.Lease first = pool.lease(2 * PAGE);
    BufferSource.Lease second = pool.lease(PAGE + 1);
    assertNotNull(first);
    assertNotNull(second);
    assertEquals(4 * PAGE, pool.usedBytes());
    assertNull(pool.lease(PAGE + 1), "one page is left");
    assertNotNull(pool.lease(1000));
    assertEquals(5 * PAGE, pool.usedBytes());
    first.close();
    first.close();
    assertEquals(3 * PAGE, pool.usedBytes());
    assertNotNull(pool.lease(2 * PAGE));
    assertNull(new BufferPool(0).lease(1));
  }

  @Test
  void allPiecesOrNone() {
    BufferPool pool = new BufferPool(4 * PAGE);
    assertNull(pool.lease(PAGE, 2 * PAGE, 2 * PAGE));
    assertEquals(0, pool.usedBytes());
    assertNotNull(pool.lease(4 * PAGE));
  }

  @Test
  void piecesMayLieApart() {
    BufferPool pool = new BufferPool(4 * PAGE);
    BufferSource.Lease first = pool.lease(PAGE);
    BufferSource.Lease second = pool.lease(PAGE);
    BufferSource.Lease third = pool.lease(PAGE);
    first.close();
    third.close();
    assertNull(pool.lease(3 * PAGE));
    assertNotNull(pool.lease(PAGE, 2 * PAGE));
    second.close();
    assertEquals(3 * PAGE, pool.usedBytes());
  }

  @Test
  void whatCanNeverBeIsSaid() {
    BufferPool pool = new BufferPool(32 << 20);
    assertEquals(8 << 20, pool.pieceBytesMost());
    assertNull(pool.refusal(8 << 20, 8 << 20, 8 << 20, 8 << 20));
    assertEquals("a buffer of 8388609 bytes is needed, and the largest has 8388608",
        pool.refusal((8 << 20) + 1));
    assertEquals("buffers of 33558528 bytes are needed, and there are 33554432",
        pool.refusal(8 << 20, 8 << 20, 8 << 20, 8 << 20, 1));
    assertNull(pool.lease((8 << 20) + 1));
    assertEquals(0, pool.allocatedBytes());
  }

  @Test
  void aPoolGrowsWithItsUse() {
    BufferPool pool = new BufferPool(64 << 20);
    assertEquals(0, pool.allocatedBytes());
    List<BufferSource.Lease> leases = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      leases.add(pool.lease(1 << 20));
    }
    assertEquals(16 << 20, pool.allocatedBytes());
    leases.add(pool.lease(1));
    assertEquals(32 << 20, pool.allocatedBytes());
    leases.forEach(BufferSource.Lease::close);
    assertEquals(32 << 20, pool.allocatedBytes(), "nothing is dropped");
  }

  /** The JVM's own count of direct memory stays bounded, with any sequence of sizes. */
  @Test
  void theProcessHasNoMoreThanTheBound() {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)
        .stream().filter(bean -> bean.getName().equals("direct")).findFirst().get();
    int bound = 32 << 20;
    BufferPool pool = new BufferPool(bound);
    long before = direct.getMemoryUsed();
    for (int round = 0; round < 50; round++) {
      // Each round fills the pool with leases of a size of its own.
      int bytes = 1 + random.nextInt(1 << (16 + random.nextInt(7)));
      Deque<BufferSource.Lease> leases = new ArrayDeque<>();
      for (BufferSource.Lease lease = pool.lease(bytes); lease != null; lease = pool.lease(bytes)) {
        leases.add(lease);
      }
      long taken = direct.getMemoryUsed() - before;
      leases.forEach(BufferSource.Lease::close);
      assertTrue(taken <= bound, taken + " bytes are taken in round " + round);
    }
  }

  @Test
  void callersThatWaitGetWhatIsGivenBack() throws Exception {
    BufferPool pool = new BufferPool(2 * PAGE);
    BufferSource.Lease first = pool.await(60_000, 2 * PAGE);
    assertNotNull(first);
    assertNull(pool.await(60_000, 2 * PAGE + 1), "there is never as much");
    assertNull(pool.await(20, PAGE), "nothing is given back");
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> ends = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ends.add(threads.submit(() -> {
        for (int again = 0; again < 500; again++) {
          try (BufferSource.Lease lease = pool.await(60_000, 2 * PAGE)) {
            assertNotNull(lease);
            assertEquals(2 * PAGE, pool.usedBytes());
          }
        }
        return null;
      }));
    }
    first.close();
    for (Future<?> end : ends) {
      end.get();
    }
    threads.shutdown();
    assertEquals(0, pool.usedBytes());
  }

  /** Other parts of the process may have all direct memory, for as long as they like. */
  @Test
  void noCallerWaitsForMemoryThatTheProcessHasNot() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    AtomicLong nanos = new AtomicLong();
    AtomicBoolean full = new AtomicBoolean(true);
    BufferPool pool = new BufferPool(2 * PAGE, 2 * PAGE, bytes -> {
      tries.incrementAndGet();
      if (full.get()) {
        throw new OutOfMemoryError("Direct buffer memory (injected)");
      }
      return ByteBuffer.allocateDirect(bytes);
    }, nanos::get);
    assertNull(pool.await(60_000, PAGE));
    assertNull(pool.lease(PAGE));
    assertEquals(1, tries.get(), "not with each request");
    nanos.addAndGet(10_000_000_000L);
    assertNull(pool.lease(PAGE));
    assertEquals(2, tries.get());
    assertEquals(0, pool.usedBytes());
    full.set(false);
    nanos.addAndGet(10_000_000_000L);
    assertNotNull(pool.lease(PAGE));
  }

  @Test
  void aPieceIsAsLongAsAskedFor() {
    BufferPool pool = new BufferPool(1 << 24);
    for (int bytes : new int[] {1, 2, 3, 511, 512, 513, 65_536, 65_537, 1 << 20}) {
      BufferSource.Lease lease = pool.lease(bytes);
      ByteBuffer all = lease.carve(bytes);
      assertTrue(all.isDirect());
      assertEquals(bytes, all.capacity());
      lease.close();
    }
    assertEquals(0, pool.usedBytes());
  }

  @Test
  void piecesOfALeaseDoNotOverlap() {
    BufferPool pool = new BufferPool(1 << 20);
    int[] wanted = {100, 5000, 1, PAGE, PAGE + 1, 3 * PAGE, 77};
    try (BufferSource.Lease lease = pool.lease(wanted)) {
      List<ByteBuffer> pieces = new ArrayList<>();
      for (int bytes : wanted) {
        assertThrows(IllegalArgumentException.class, () -> lease.carve(bytes + 1));
        pieces.add(lease.carve(bytes));
      }
      for (int i = 0; i < wanted.length; i++) {
        for (int at = 0; at < wanted[i]; at++) {
          pieces.get(i).put(at, (byte) i);
        }
      }
      for (int i = 0; i < wanted.length; i++) {
        for (int at = 0; at < wanted[i]; at++) {
          assertEquals(i, pieces.get(i).get(at));
        }
      }
      assertThrows(IllegalArgumentException.class, () -> lease.carve(77));
    }
  }

  @Test
  void manyThreads() throws Exception {
    int bound = 1 << 20;
    BufferPool pool = new BufferPool(bound);
    AtomicLong refused = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<?>> ends = new ArrayList<>();
    for (int thread = 0; thread < 8; thread++) {
      int mark = thread + 1;
      ends.add(threads.submit(() -> {
        Random random = new Random(mark);
        Deque<BufferSource.Lease> leases = new ArrayDeque<>();
        Deque<ByteBuffer> marked = new ArrayDeque<>();
        for (int i = 0; i < 3_000; i++) {
          int bytes = 512 + random.nextInt(512 << random.nextInt(9));
          BufferSource.Lease lease = random.nextBoolean() ? pool.lease(bytes, 600) : null;
          if (lease != null) {
            ByteBuffer large = lease.carve(bytes);
            ByteBuffer small = lease.carve(600);
            large.putInt(0, mark).putInt(bytes - 4, mark);
            small.putInt(0, mark).putInt(596, mark);
            leases.add(lease);
            marked.add(large);
            marked.add(small);
          } else if (!leases.isEmpty()) {
            refused.incrementAndGet();
            for (int each = 0; each < 2; each++) {
              ByteBuffer all = marked.remove();
              assertEquals(mark, all.getInt(0));
              assertEquals(mark, all.getInt(all.capacity() - 4));
            }
            leases.remove().close();
          }
          assertTrue(pool.usedBytes() <= bound);
        }
        leases.forEach(BufferSource.Lease::close);
        return null;
      }));
    }
    for (Future<?> end : ends) {
      end.get();
    }
    threads.shutdown();
    assertEquals(0, pool.usedBytes());
    assertTrue(refused.get() > 0);
    assertNotNull(pool.lease(bound), "it is in one piece again");
  }
}
