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
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.hdfsppr.client.patience.LinkShares;
import org.hdfsppr.client.read.UnitPiece.HedgeTimer;
import org.hdfsppr.conf.PprKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests when a second read (hedge) begins. */
@Timeout(240)
class TestHedgeTimer {
  private static final long MINUTES = TimeUnit.MINUTES.toNanos(10);
  private static final long LIMIT_SECONDS = 60;
  private static final int BYTES = 64 << 10;
  private static final int THREADS = 4;
  /** The number of reads that the second reads of a new client may make. */
  private static final int SAVED = 100;
  /** The number of reads that each of them makes. */
  private static final int READS = 10;

  /** The timer checks every millisecond. */
  private final ReadContext context = MemoryUnits.context(MINUTES,
      PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "1", MemoryUnits.HEDGE_MAX_MS, "1",
      MemoryUnits.HEDGE_PERCENT, "0", MemoryUnits.THREADS, "" + THREADS);

  @AfterEach
  void close() {
    context.close();
  }

  /** A second read that only counts how often it begins. */
  private static final class Counted implements HedgeTimer.Hedge {
    private final CountDownLatch looks;
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch ran = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private volatile boolean isOver;
    private volatile boolean isNeeded = true;
    private volatile boolean isKnownSlow;

    /**
     * @param looks the number of checks after which {@link #looks} is open
     */
    Counted(int looks) {
      this.looks = new CountDownLatch(looks);
    }

    @Override
    public boolean isOver() {
      looks.countDown();
      return isOver;
    }

    @Override
    public boolean isKnownSlow() {
      return isKnownSlow;
    }

    @Override
    public int reads() {
      return READS;
    }

    @Override
    public boolean begin() {
      begun.incrementAndGet();
      asked.countDown();
      return isNeeded;
    }

    @Override
    public void run() {
      thread.set(Thread.currentThread());
      ran.countDown();
    }
  }

  private static void await(CountDownLatch latch, String what) throws InterruptedException {
    assertTrue(latch.await(LIMIT_SECONDS, TimeUnit.SECONDS), what);
  }

  private void awaitIdleThreads() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (context.busyThreads() > 0) {
      assertTrue(System.nanoTime() - deadline < 0, "a thread is still busy");
      Thread.onSpinWait();
    }
  }

  private int budget() {
    int left = 0;
    while (context.delay.mayHedge(1)) {
      left++;
    }
    return left;
  }

  /**
   * Makes a timer for a read that brings no bytes and is therefore slow as soon as its time is
   * over.
   */
  private HedgeTimer timer(HedgeTimer.Hedge hedge) {
    return new HedgeTimer(context, new SlowReadDetector(context, 1, null), hedge);
  }

  @Test
  void aSlowReadIsDoneASecondTimeInAnotherThread() throws InterruptedException {
    Counted hedge = new Counted(1);
    timer(hedge).start();
    await(hedge.ran, "the second read has not begun");
    assertNotSame(Thread.currentThread(), hedge.thread.get());
    awaitIdleThreads();
    assertEquals(1, hedge.begun.get());
    assertEquals(1, context.counters.hedged());
    assertEquals(SAVED - READS, budget());
  }

  @Test
  void aReadThatIsOverIsDoneOnce() throws InterruptedException {
    Counted hedge = new Counted(1);
    hedge.isOver = true;
    timer(hedge).start();
    await(hedge.looks, "the timer does not check");
    awaitIdleThreads();
    assertEquals(0, hedge.begun.get());
    assertEquals(0, context.counters.hedged());
    assertEquals(SAVED, budget());
  }

  @Test
  void aReadThatIsNotSlowIsLookedAtAgain() throws InterruptedException {
    for (int i = 0; i < 50; i++) {
      context.delay.took(BYTES, TimeUnit.MINUTES.toNanos(1));
    }
    Counted hedge = new Counted(3);
    try (LinkShares.Flow flow = context.shares.flow().open()) {
      SlowReadDetector watch = new SlowReadDetector(context, BYTES, flow);
      flow.arrived(1);
      HedgeTimer timer = new HedgeTimer(context, watch, new HedgeTimer.Hedge() {
        @Override
        public boolean isOver() {
          flow.arrived(1);
          return hedge.isOver();
        }

        @Override
        public boolean isKnownSlow() {
          return false;
        }

        @Override
        public int reads() {
          return READS;
        }

        @Override
        public boolean begin() {
          return hedge.begin();
        }

        @Override
        public void run() {
          hedge.run();
        }
      });
      timer.start();
      await(hedge.looks, "the timer does not check again");
      timer.cancel();
      assertEquals(0, hedge.begun.get(), "no second read begins while bytes keep coming");
    }
  }

  /**
   * Each check takes a second read from the budget, finds no thread, and returns it to the budget.
   */
  @Test
  void withoutAThreadItTriesAgain() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    MemoryUnits.occupyThreads(context, THREADS, end);
    Counted hedge = new Counted(20);
    timer(hedge).start();
    await(hedge.looks, "the timer does not check again");
    assertEquals(0, hedge.begun.get(), "no thread is free");
    end.countDown();
    await(hedge.ran, "a thread is free, and the second read has not begun");
    awaitIdleThreads();
    assertEquals(1, context.counters.hedged());
    assertEquals(SAVED - READS, budget());
  }

  @Test
  void aSecondReadThatIsNotNeededCostsNothing() throws InterruptedException {
    Counted hedge = new Counted(1);
    hedge.isNeeded = false;
    timer(hedge).start();
    await(hedge.asked, "the second read was not asked");
    awaitIdleThreads();
    assertEquals(1, hedge.ran.getCount(), "the second read ran");
    assertEquals(0, context.counters.hedged());
    assertEquals(SAVED, budget());
  }

  @Test
  void withoutABudgetNoSecondReadBegins() throws InterruptedException {
    assertEquals(SAVED, budget());
    Counted hedge = new Counted(3);
    HedgeTimer timer = timer(hedge);
    timer.start();
    await(hedge.looks, "the timer does not check again");
    timer.cancel();
    assertEquals(0, hedge.begun.get());
  }

  /** New reads of such a node are rebuilt at once, so a read that waits may be, too. */
  @Test
  void aReadOfASlowNodeNeedsNoBudget() throws InterruptedException {
    assertEquals(SAVED, budget());
    Counted hedge = new Counted(3);
    timer(hedge).start();
    await(hedge.looks, "the timer does not check");
    assertEquals(0, hedge.begun.get());
    hedge.isKnownSlow = true;
    await(hedge.ran, "the second read has not begun");
    awaitIdleThreads();
    assertEquals(0, budget());
  }

  @Test
  void cancellingIsAlwaysAllowed() {
    HedgeTimer timer = timer(new Counted(1));
    timer.cancel();
    timer.start();
    timer.cancel();
    timer.cancel();
    context.close();
    timer.start();
    timer.cancel();
    assertFalse(context.tryExecute(() -> { }), "the client is closed");
  }
}
