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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hdfsppr.conf.PprKeys;
import org.junit.jupiter.api.Test;

/** Tests the stripe that is read ahead. */
class TestStripeAhead {
  private static final long MINUTES = TimeUnit.MINUTES.toNanos(10);
  private static final long LIMIT_SECONDS = 60;
  private static final int STRIPE = MemoryUnits.DATA * MemoryUnits.CELL;

  private static StripeAhead ahead(ReadContext context, MemoryUnits units) {
    return new StripeAhead(context, new GroupReader(context, units, units.code));
  }

  private static void assertHas(MemoryUnits units, int from, ByteBuffer run) {
    byte[] bytes = new byte[run.remaining()];
    run.get(bytes);
    assertArrayEquals(Arrays.copyOfRange(units.file, from, from + STRIPE), bytes);
  }

  @Test
  void theRunThatWasReadIsTheOneThatIsGiven() throws IOException {
    MemoryUnits units = new MemoryUnits(1);
    LocatedGroup group = units.group(2);
    try (ReadContext context = MemoryUnits.context(MINUTES)) {
      StripeAhead ahead = ahead(context, units);
      assertNull(ahead.take(group, 0, STRIPE));
      ahead.begin(group, STRIPE, STRIPE);
      assertHas(units, STRIPE, ahead.take(group, STRIPE, STRIPE));
      assertNull(ahead.take(group, STRIPE, STRIPE), "the stripe can be taken only once");
      ahead.begin(group, STRIPE, STRIPE);
      assertNull(ahead.take(group, 0, STRIPE), "no stripe was read for another offset");
      ahead.begin(group, 0, STRIPE);
      assertNull(ahead.take(group, 0, 10), "no stripe was read for another length");
      ahead.begin(group, 0, STRIPE);
      ahead.begin(group, STRIPE, STRIPE);
      assertHas(units, STRIPE, ahead.take(group, STRIPE, STRIPE));
    }
  }

  @Test
  void whatCannotBeReadAheadIsReadByTheReader() throws IOException {
    MemoryUnits units = new MemoryUnits(2);
    LocatedGroup group = units.group(0, 1, 2);
    units.faults.put(4, cancel -> {
      throw new IOException("broken");
    });
    try (ReadContext context = MemoryUnits.context(MINUTES)) {
      StripeAhead ahead = ahead(context, units);
      ahead.begin(group, 0, STRIPE);
      assertNull(ahead.take(group, 0, STRIPE));
    }
  }

  /** Reading ahead stops when the stream is closed, or has moved to another position. */
  @Test
  void whatNoReaderWantsEnds() throws Exception {
    MemoryUnits units = new MemoryUnits(3);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    units.faults.put(0, cancel -> {
      begun.countDown();
      while (!cancel.isCancelled()) {
        Thread.onSpinWait();
      }
      cancelled.countDown();
      throw new IOException("no reader waits");
    });
    try (ReadContext context = MemoryUnits.context(MINUTES,
        PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "0")) {
      StripeAhead ahead = ahead(context, units);
      ahead.begin(units.group(), 0, STRIPE);
      assertTrue(begun.await(LIMIT_SECONDS, TimeUnit.SECONDS), "the stripe is not read");
      ahead.clear();
      assertTrue(cancelled.await(LIMIT_SECONDS, TimeUnit.SECONDS), "the read goes on");
      assertNull(ahead.take(units.group(), 0, STRIPE));
    }
  }

  @Test
  void anInterruptedReaderEndsAndStaysInterrupted() throws Exception {
    MemoryUnits units = new MemoryUnits(4);
    units.faults.put(0, cancel -> {
      while (!cancel.isCancelled()) {
        Thread.onSpinWait();
      }
      throw new IOException("no reader waits");
    });
    try (ReadContext context = MemoryUnits.context(MINUTES,
        PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "0")) {
      StripeAhead ahead = ahead(context, units);
      ahead.begin(units.group(), 0, STRIPE);
      Thread.currentThread().interrupt();
      assertThrows(InterruptedIOException.class,
          () -> ahead.take(units.group(), 0, STRIPE));
      assertTrue(Thread.interrupted(), "the interrupt was swallowed");
    }
  }

  /** Reading ahead never uses the reader's own thread. */
  @Test
  void withoutAThreadNothingIsReadAhead() throws Exception {
    MemoryUnits units = new MemoryUnits(5);
    CountDownLatch end = new CountDownLatch(1);
    try (ReadContext context = MemoryUnits.context(MINUTES, MemoryUnits.THREADS, "4")) {
      MemoryUnits.occupyThreads(context, 4, end);
      StripeAhead ahead = ahead(context, units);
      ahead.begin(units.group(), 0, STRIPE);
      assertEquals(0, units.reads.get());
      assertNull(ahead.take(units.group(), 0, STRIPE));
      end.countDown();
    }
  }
}
