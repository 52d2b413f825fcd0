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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.stream.UnreachableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which thread closes a read for which no caller waits any more. */
@Timeout(240)
class TestSlowGuard {
  private static final long MINUTES = TimeUnit.MINUTES.toNanos(10);
  private static final long LIMIT_SECONDS = 60;

  private final CountDownLatch go = new CountDownLatch(1);
  private final CountDownLatch abandoned = new CountDownLatch(1);
  private final AtomicBoolean reading = new AtomicBoolean();
  private final AtomicBoolean abandonedWhileReading = new AtomicBoolean();

  private int stuck() throws IOException {
    reading.set(true);
    boolean went = false;
    while (!went) {
      try {
        went = go.await(LIMIT_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
    reading.set(false);
    return 1;
  }

  private void abandon() {
    abandonedWhileReading.set(reading.get());
    abandoned.countDown();
  }

  /**
   * Closing a block reader gives its buffer to other readers. An interrupted thread must therefore
   * leave the closing to the thread that still reads.
   */
  @Test
  void anInterruptedReaderLeavesTheClosingToTheReadingThread() throws Exception {
    try (ReadContext context = MemoryUnits.context(MINUTES)) {
      SlowGuard guard = new SlowGuard(context);
      Thread.currentThread().interrupt();
      assertThrows(SlowGuard.LeftException.class,
          () -> guard.run("dn1", 100, arrived -> stuck(), this::abandon));
      assertTrue(Thread.interrupted(), "the interrupt was swallowed");
      assertEquals(1, abandoned.getCount(), "the read has ended");
      go.countDown();
      assertTrue(abandoned.await(LIMIT_SECONDS, TimeUnit.SECONDS), "the read was not closed");
      assertFalse(abandonedWhileReading.get(), "closed during the read");
    }
  }

  /**
   * A timeout of the socket is an InterruptedIOException, but no interrupt. It means that the read
   * has ended.
   */
  @Test
  void aTimeoutOfTheReadIsItsOwn() throws Exception {
    try (ReadContext context = MemoryUnits.context(MINUTES)) {
      InterruptedIOException e = assertThrows(SocketTimeoutException.class,
          () -> new SlowGuard(context).run("dn1", 100, arrived -> {
            throw new SocketTimeoutException("60 s");
          }, this::abandon));
      assertEquals("60 s", e.getMessage());
      assertEquals(1, abandoned.getCount(), "the caller has to close the read");
    }
  }

  @Test
  void noReadWaitsForEver() throws Exception {
    // All permitted second reads are in use, so no slow read may be repeated. The read must still
    // end.
    try (ReadContext context = MemoryUnits.context(TimeUnit.MILLISECONDS.toNanos(100),
        MemoryUnits.HEDGE_MAX_MS, "50", MemoryUnits.HEDGE_PERCENT, "0")) {
      while (context.delay.mayHedge(1)) {
        // Uses up the second reads that a client may begin.
      }
      assertThrows(SlowGuard.SlowException.class,
          () -> new SlowGuard(context).run("dn1", 100, arrived -> stuck(), this::abandon));
      go.countDown();
      assertTrue(abandoned.await(LIMIT_SECONDS, TimeUnit.SECONDS), "the read was not closed");
    }
  }

  /** A node opens a block before each transfer, so that half of all its work would be in time. */
  @Test
  void openingABlockIsNoReadInTime() throws Exception {
    AtomicLong clock = new AtomicLong();
    try (ReadContext context = new ReadContext(ReadSettings.of(new Configuration(false)),
        (node, block, token) -> {
          throw new UnreachableException(new ConnectException("no node serves trees here"));
        }, clock::get)) {
      SlowGuard guard = new SlowGuard(context);
      context.health.noteSlow("dn1");
      clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
      for (int i = 0; i < 4; i++) {
        guard.run("dn1", 1, arrived -> 1, this::abandon);
        guard.run("dn1", 100, arrived -> 1, this::abandon);
      }
      clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
      for (int i = 0; i < 4; i++) {
        context.health.noteSlow("dn1");
      }
      assertTrue(context.health.isSlow("dn1"), "4 of 8 transfers are late");
    }
  }

  @Test
  void anErrorOfTheReadIsAFailureThatNamesIt() throws Exception {
    try (ReadContext context = MemoryUnits.context(MINUTES)) {
      IOException e = assertThrows(IOException.class,
          () -> new SlowGuard(context).run("dn1", 100, arrived -> {
            throw new NoClassDefFoundError("org/example/Missing");
          }, this::abandon));
      assertTrue(e.getMessage().contains("NoClassDefFoundError: org/example/Missing"),
          e.getMessage());
    }
  }
}
