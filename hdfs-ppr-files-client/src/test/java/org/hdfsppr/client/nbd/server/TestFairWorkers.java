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
package org.hdfsppr.client.nbd.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how connections share threads, also when the system gives no more of them. */
@Timeout(60)
class TestFairWorkers {
  private final AtomicBoolean isRefusing = new AtomicBoolean();
  private final Semaphore mayEnd = new Semaphore(0);
  /** The exceptions that ended threads. */
  private final Queue<Throwable> deaths = new ConcurrentLinkedQueue<>();
  private FairWorkers workers;

  private void start(int threads, int running) {
    workers = new FairWorkers(threads, running, work -> new Thread(work) {
      @Override
      public synchronized void start() {
        if (isRefusing.get()) {
          throw new OutOfMemoryError("unable to create native thread");
        }
        setDaemon(true);
        setUncaughtExceptionHandler((thread, cause) -> deaths.add(cause));
        super.start();
      }
    });
  }

  @AfterEach
  void stop() {
    mayEnd.release(1000);
    workers.stop();
    assertEquals(List.of(), List.copyOf(deaths), "a worker died");
  }

  /** Fills a lane with tasks that take until the test lets them end. */
  private AtomicInteger fill(FairWorkers.Lane lane) {
    AtomicInteger running = new AtomicInteger();
    for (int i = 0; i < 100; i++) {
      assertTrue(lane.execute(() -> {
        running.incrementAndGet();
        mayEnd.acquireUninterruptibly();
      }));
    }
    return running;
  }

  private static void await(AtomicInteger running, int wanted) throws InterruptedException {
    while (running.get() < wanted) {
      Thread.sleep(1);
    }
  }

  /** Lanes whose tasks do not end leave threads to others. */
  @Test
  void greedyLanesLeaveThreads() throws Exception {
    start(16, 8);
    List<AtomicInteger> greedy = new ArrayList<>();
    for (int most : new int[] {8, 4, 2}) {
      AtomicInteger running = fill(workers.lane());
      await(running, most);
      greedy.add(running);
    }
    FairWorkers.Lane modest = workers.lane();
    for (int i = 0; i < 100; i++) {
      CountDownLatch isDone = new CountDownLatch(1);
      modest.execute(isDone::countDown);
      isDone.await();
    }
    assertEquals(8, greedy.get(0).get());
    assertEquals(4, greedy.get(1).get());
    assertEquals(2, greedy.get(2).get());
    // What was held goes on when threads are free.
    mayEnd.release(300);
    for (AtomicInteger one : greedy) {
      await(one, 100);
    }
  }

  /** Each lane has three short tasks at most, so that it becomes empty and ready all the time. */
  @Test
  void eachTaskRunsOnce() throws Exception {
    start(4, 2);
    int lanes = 6;
    int tasks = 20_000;
    AtomicInteger[] done = new AtomicInteger[lanes];
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < lanes; i++) {
      AtomicInteger count = new AtomicInteger();
      done[i] = count;
      FairWorkers.Lane lane = workers.lane();
      Semaphore mayWait = new Semaphore(3);
      callers.add(new Thread(() -> {
        for (int task = 0; task < tasks; task++) {
          mayWait.acquireUninterruptibly();
          lane.execute(() -> {
            count.incrementAndGet();
            mayWait.release();
          });
        }
      }));
    }
    callers.forEach(Thread::start);
    for (Thread caller : callers) {
      caller.join();
    }
    for (AtomicInteger count : done) {
      await(count, tasks);
    }
    // If a thread had died, or counted as busy, the lane would not get as many as it may have.
    await(fill(workers.lane()), 2);
    for (AtomicInteger count : done) {
      assertEquals(tasks, count.get());
    }
  }

  @Test
  void aThreadThatDoesNotStartLosesNoTask() throws Exception {
    start(16, 8);
    FairWorkers.Lane lane = workers.lane();
    isRefusing.set(true);
    AtomicInteger lost = new AtomicInteger();
    assertFalse(lane.execute(lost::incrementAndGet));
    assertFalse(lane.execute(lost::incrementAndGet));
    isRefusing.set(false);
    AtomicInteger running = new AtomicInteger();
    assertTrue(lane.execute(() -> {
      running.incrementAndGet();
      mayEnd.acquireUninterruptibly();
    }));
    await(running, 1);
    // The thread that there is does what others were wanted for.
    isRefusing.set(true);
    for (int i = 0; i < 20; i++) {
      assertTrue(lane.execute(running::incrementAndGet));
    }
    assertEquals(1, running.get());
    mayEnd.release();
    await(running, 21);
    // Nothing counts as running that did not start: the bound is reached again.
    isRefusing.set(false);
    await(fill(lane), 8);
    assertEquals(0, lost.get());
  }
}
