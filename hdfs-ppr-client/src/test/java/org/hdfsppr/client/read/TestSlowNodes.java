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
package org.hdfsppr.client.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.hdfsppr.conf.PprKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what a client does about DataNodes that are slow or hang, and what that costs. */
@Timeout(240)
class TestSlowNodes {
  private static final long SEED = 22;
  private static final long MINUTES = TimeUnit.MINUTES.toNanos(10);
  private static final long LIMIT_SECONDS = 60;
  private static final int CELL = MemoryUnits.CELL;
  private static final int LENGTH = 1000;
  private static final int READERS = 16;
  /** The reads that a new client's hedges may make. */
  private static final int SAVED = 100;
  private static final int SLOW = 2;
  /** So long that threads which have just started are not late. */
  private static final int DELAY_MS = 1000;

  private final CountDownLatch end = new CountDownLatch(1);
  private final ExecutorService readers = Executors.newFixedThreadPool(READERS);

  @AfterEach
  void close() {
    end.countDown();
    readers.shutdownNow();
  }

  private void hang(UnitReader.Cancel cancel) throws IOException {
    try {
      while (!cancel.isCancelled() && !end.await(1, TimeUnit.MILLISECONDS)) {
        // The DataNode hangs until the client gives up.
      }
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  private static void assertReads(ReadContext context, MemoryUnits units, LocatedGroup group,
      int from, int length) throws IOException {
    ByteBuffer dst = ByteBuffer.allocate(length);
    new GroupReader(context, units, units.code).read(group, from, dst);
    assertArrayEquals(Arrays.copyOfRange(units.file, from, from + length), dst.array(),
        from + ", " + length);
  }

  private static int budget(ReadContext context) {
    int left = 0;
    while (context.delay.mayHedge(1)) {
      left++;
    }
    return left;
  }

  private static ReadContext impatient() {
    return MemoryUnits.context(MINUTES, PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "" + DELAY_MS,
        MemoryUnits.HEDGE_MAX_MS, "" + DELAY_MS, MemoryUnits.HEDGE_PERCENT, "0",
        PprKeys.VERIFY_KEY, "off", PprKeys.CLIENT_DEGRADED_READ_KEY, "star");
  }

  /** A hedge of a whole stripe reads one more unit, that of a single cell reads k. */
  @Test
  void aHedgeCostsWhatItReads() throws IOException {
    MemoryUnits units = new MemoryUnits(SEED);
    units.faults.put(0, this::hang);
    try (ReadContext context = impatient()) {
      assertReads(context, units, units.group(), 0, LENGTH);
      assertEquals(SAVED - MemoryUnits.DATA, budget(context));
    }
    units.faults.put(SLOW, this::hang);
    units.faults.remove(0);
    try (ReadContext context = impatient()) {
      assertReads(context, units, units.group(), 0, MemoryUnits.DATA * CELL);
      assertEquals(SAVED - 1, budget(context));
    }
  }

  /**
   * A tree for a few bytes of a node that is only late would keep all helpers busy, and no DataNode
   * has to report that the group is to be repaired.
   */
  @Test
  void aShortLateRangeIsDecodedAndNotReported() throws IOException {
    MemoryUnits units = new MemoryUnits(SEED);
    units.faults.put(0, this::hang);
    try (ReadContext context = impatient()) {
      assertReads(context, units, units.group(), 0, LENGTH);
      assertEquals(1, context.counters.hedged());
      assertEquals(0, context.counters.treesFailed());
      assertFalse(context.isNotified(units.group().id()));
    }
    units.faults.remove(0);
    try (ReadContext context = impatient()) {
      assertReads(context, units, units.group(0), 0, LENGTH);
      assertTrue(context.counters.treesFailed() > 0, "a tree is tried if the unit is lost");
      assertTrue(context.isNotified(units.group().id()));
    }
  }

  @Test
  void aReadThatWaitsForAKnownSlowNodeNeedsNoBudget() throws Exception {
    MemoryUnits units = new MemoryUnits(SEED);
    units.faults.put(0, this::hang);
    try (ReadContext context = impatient()) {
      assertEquals(SAVED, budget(context));
      Future<?> read = readers.submit(() -> {
        assertReads(context, units, units.group(), 0, LENGTH);
        return null;
      });
      assertThrows(TimeoutException.class,
          () -> read.get(5 * DELAY_MS, TimeUnit.MILLISECONDS), "there is no budget");
      assertEquals(1, units.reads.get());
      context.health.noteStalled("dn0");
      read.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** The readers read at random until the client knows that the DataNode is slow. */
  private void readUntilSlow(ReadContext context, MemoryUnits units) throws Exception {
    System.out.println("seed " + SEED);
    List<Future<?>> reads = new ArrayList<>();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    for (int i = 0; i < READERS; i++) {
      Random random = new Random(SEED + i);
      reads.add(readers.submit(() -> {
        while (!context.health.isSlow("dn" + SLOW)) {
          assertTrue(System.nanoTime() < deadline, "the slow DataNode was not found");
          assertReads(context, units, units.group(), random.nextInt(MemoryUnits.BYTES - LENGTH),
              LENGTH);
        }
        return null;
      }));
    }
    for (Future<?> read : reads) {
      read.get(2 * LIMIT_SECONDS, TimeUnit.SECONDS);
    }
    for (int unit = 0; unit < MemoryUnits.DATA + MemoryUnits.PARITY; unit++) {
      assertEquals(unit == SLOW, context.health.isSlow("dn" + unit), "dn" + unit);
    }
  }

  /** It serves a sixth of all reads, so that its times are among those of nearly all reads. */
  @Test
  void aNodeThatIsAlwaysSlowIsFound() throws Exception {
    MemoryUnits units = new MemoryUnits(SEED);
    units.allTake(1);
    units.faults.put(SLOW, cancel -> {
      try {
        TimeUnit.MILLISECONDS.sleep(300);
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    });
    try (ReadContext context = MemoryUnits.context(MINUTES)) {
      readUntilSlow(context, units);
    }
  }

  /** All readers soon wait for it, and no budget for hedges comes from reads that end. */
  @Test
  void aNodeThatHangsIsFound() throws Exception {
    MemoryUnits units = new MemoryUnits(SEED);
    units.allTake(1);
    units.faults.put(SLOW, this::hang);
    try (ReadContext context = MemoryUnits.context(MINUTES)) {
      while (context.delay.mayHedge(1)) {
        // Uses up what a new client may hedge.
      }
      readUntilSlow(context, units);
    }
  }
}
