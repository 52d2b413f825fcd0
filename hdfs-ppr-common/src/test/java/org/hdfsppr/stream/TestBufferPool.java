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

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** The bound holds, whoever asks; what is given back can be had again, and never by two. */
@InterfaceAudience.Private
class TestBufferPool {
  @Test
  void theBoundIsKept() {
    BufferPool pool = new BufferPool(10_000);
    BufferPool.Lease first = pool.lease(4096);
    BufferPool.Lease second = pool.lease(4000);
    assertNotNull(first);
    assertNotNull(second);
    assertEquals(8192, pool.usedBytes());
    assertNull(pool.lease(2000), "10240 bytes in all");
    assertNotNull(pool.lease(1000));
    assertEquals(9216, pool.usedBytes());
    first.close();
    first.close();
    assertEquals(5120, pool.usedBytes());
    assertNotNull(pool.lease(4096));
    assertNull(new BufferPool(0).lease(1));
  }

  @Test
  void whatIsKeptGivesWayToOtherSizes() {
    BufferPool pool = new BufferPool(8192);
    pool.lease(8192).close();
    BufferPool.Lease small = pool.lease(512);
    assertNotNull(small);
    assertNotNull(pool.lease(4096));
    assertNull(pool.lease(8192));
  }

  @Test
  void whoWaitsGetsWhatIsGivenBack() throws Exception {
    BufferPool pool = new BufferPool(8192);
    BufferPool.Lease first = pool.await(8192, 60_000);
    assertNotNull(first);
    assertNull(pool.await(8193, 60_000), "there is never so much");
    assertNull(pool.await(4096, 20), "nobody gives anything back");
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> ends = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ends.add(threads.submit(() -> {
        for (int again = 0; again < 500; again++) {
          try (BufferPool.Lease lease = pool.await(8192, 60_000)) {
            assertNotNull(lease);
            assertEquals(8192, pool.usedBytes());
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

  /** Others in the process may have all direct memory that there is, for as long as they like. */
  @Test
  void nobodyWaitsForMemoryThatTheProcessHasNot() throws Exception {
    AtomicLong tries = new AtomicLong();
    BufferPool pool = new BufferPool(8192, bytes -> {
      tries.incrementAndGet();
      throw new OutOfMemoryError("Direct buffer memory");
    });
    assertNull(pool.await(4096, 60_000));
    assertNull(pool.lease(4096));
    assertEquals(2, tries.get());
    assertEquals(0, pool.usedBytes());
  }

  @Test
  void aLeaseIsAtLeastAsLargeAsAskedFor() {
    BufferPool pool = new BufferPool(1 << 24);
    for (int bytes : new int[] {1, 2, 3, 511, 512, 513, 65_536, 65_537, 1 << 20}) {
      BufferPool.Lease lease = pool.lease(bytes);
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
    try (BufferPool.Lease lease = pool.lease(1000)) {
      List<ByteBuffer> pieces = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        pieces.add(lease.carve(100));
      }
      for (int i = 0; i < 10; i++) {
        for (int at = 0; at < 100; at++) {
          pieces.get(i).put(at, (byte) i);
        }
      }
      for (int i = 0; i < 10; i++) {
        for (int at = 0; at < 100; at++) {
          assertEquals(i, pieces.get(i).get(at));
        }
      }
      assertThrows(IllegalArgumentException.class, () -> lease.carve(100));
    }
  }

  @Test
  void manyThreads() throws Exception {
    int bound = 1 << 20;
    BufferPool pool = new BufferPool(bound);
    AtomicLong held = new AtomicLong();
    AtomicLong refused = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<?>> ends = new ArrayList<>();
    for (int thread = 0; thread < 8; thread++) {
      int mark = thread + 1;
      ends.add(threads.submit(() -> {
        Random random = new Random(mark);
        Deque<BufferPool.Lease> leases = new ArrayDeque<>();
        Deque<ByteBuffer> marked = new ArrayDeque<>();
        Deque<Integer> sizes = new ArrayDeque<>();
        for (int i = 0; i < 3_000; i++) {
          int bytes = 512 << random.nextInt(9);
          BufferPool.Lease lease = random.nextBoolean() ? pool.lease(bytes) : null;
          if (lease != null) {
            assertTrue(held.addAndGet(bytes) <= bound);
            ByteBuffer all = lease.carve(bytes);
            all.putInt(0, mark).putInt(bytes - 4, mark);
            leases.add(lease);
            marked.add(all);
            sizes.add(bytes);
          } else if (!leases.isEmpty()) {
            refused.incrementAndGet();
            ByteBuffer all = marked.remove();
            assertEquals(mark, all.getInt(0));
            assertEquals(mark, all.getInt(all.capacity() - 4));
            held.addAndGet(-sizes.remove());
            leases.remove().close();
          }
          assertTrue(pool.usedBytes() <= bound);
        }
        while (!leases.isEmpty()) {
          held.addAndGet(-sizes.remove());
          leases.remove().close();
        }
        return null;
      }));
    }
    for (Future<?> end : ends) {
      end.get();
    }
    threads.shutdown();
    assertEquals(0, pool.usedBytes());
    assertTrue(refused.get() > 0);
    assertNotNull(pool.lease(bound));
  }
}
