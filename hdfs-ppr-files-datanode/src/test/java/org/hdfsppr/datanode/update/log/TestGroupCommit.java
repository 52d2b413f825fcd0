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
package org.hdfsppr.datanode.update.log;

import static org.hdfsppr.datanode.update.log.LogBed.BOOT;
import static org.hdfsppr.datanode.update.log.LogBed.UNIT;
import static org.hdfsppr.datanode.update.log.LogBed.WAIT_MS;
import static org.hdfsppr.datanode.update.log.LogBed.begin;
import static org.hdfsppr.datanode.update.log.LogBed.data;
import static org.hdfsppr.datanode.update.log.LogBed.open;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.UnitId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that waiting threads share a sync, and that none goes on too early. */
@InterfaceAudience.Private
@Timeout(120)
class TestGroupCommit {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(WAIT_MS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void threadsThatWaitShareASync() throws Exception {
    AtomicInteger syncs = new AtomicInteger();
    AtomicLong written = new AtomicLong(1);
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    GroupCommit commit = new GroupCommit(() -> {
      long target = written.get();
      if (syncs.incrementAndGet() == 1) {
        first.countDown();
        await(release);
      }
      return target;
    }, System::nanoTime);
    List<Future<?>> waiters = new ArrayList<>();
    waiters.add(threads.submit(() -> {
      commit.await(1, WAIT_MS);
      return null;
    }));
    await(first);
    // These come while the first sync runs, which began before they had written.
    written.set(21);
    CountDownLatch came = new CountDownLatch(20);
    for (int i = 2; i <= 21; i++) {
      long position = i;
      waiters.add(threads.submit(() -> {
        came.countDown();
        commit.await(position, WAIT_MS);
        return null;
      }));
    }
    await(came);
    assertTrue(waiters.stream().noneMatch(Future::isDone), "nothing is on the disk yet");
    release.countDown();
    for (Future<?> waiter : waiters) {
      waiter.get(WAIT_MS, TimeUnit.MILLISECONDS);
    }
    assertEquals(2, syncs.get());
  }

  @Test
  void allThatWaitFailWithTheSync() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger syncs = new AtomicInteger();
    GroupCommit commit = new GroupCommit(() -> {
      syncs.incrementAndGet();
      first.countDown();
      await(release);
      throw new IOException("injected");
    }, System::nanoTime);
    List<Future<?>> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiters.add(threads.submit(() -> {
        commit.await(1, WAIT_MS);
        return null;
      }));
    }
    await(first);
    release.countDown();
    for (Future<?> waiter : waiters) {
      assertTrue(assertThrows(ExecutionException.class,
          () -> waiter.get(WAIT_MS, TimeUnit.MILLISECONDS)).getCause()
          instanceof LogFailedException);
    }
    assertEquals(1, syncs.get(), "no thread tries again");
  }

  @Test
  void waitForOthersIsBounded() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    GroupCommit commit = new GroupCommit(() -> {
      first.countDown();
      await(release);
      return 1;
    }, System::nanoTime);
    Future<?> syncer = threads.submit(() -> {
      commit.await(1, WAIT_MS);
      return null;
    });
    await(first);
    UpdateLogException e =
        assertThrows(UpdateLogException.class, () -> commit.await(1, 1));
    assertTrue(e.getMessage().contains("1 ms"), e.getMessage());
    release.countDown();
    syncer.get(WAIT_MS, TimeUnit.MILLISECONDS);
    commit.await(1, 1);
  }

  @Test
  void syncThatThrowsAnErrorLetsOthersGoOn() throws Exception {
    AtomicInteger syncs = new AtomicInteger();
    GroupCommit commit = new GroupCommit(() -> {
      if (syncs.incrementAndGet() == 1) {
        throw new IllegalStateException("injected");
      }
      return 1;
    }, System::nanoTime);
    assertThrows(IllegalStateException.class, () -> commit.await(1, WAIT_MS));
    commit.await(1, WAIT_MS);
    assertEquals(2, syncs.get());
  }

  @Test
  void manyThreadsAppendAndSync() throws Exception {
    MemoryFolder folder = new MemoryFolder();
    AtomicInteger acknowledged = new AtomicInteger();
    int perThread = 50;
    int writers = 8;
    // A sync is slower than a write, so that others come meanwhile.
    folder.beforeSync(Thread::yield);
    try (UpdateLog log = open(folder, BOOT)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        UnitId unit = new UnitId(UNIT.file, 0, i);
        begin(log, unit, 1);
        all.add(threads.submit(() -> {
          for (int n = 0; n < perThread; n++) {
            log.append(unit, 1, 1, n, data(n, 100));
            log.sync(WAIT_MS);
            acknowledged.incrementAndGet();
          }
          return null;
        }));
      }
      for (Future<?> one : all) {
        one.get(WAIT_MS, TimeUnit.MILLISECONDS);
      }
      folder = folder.afterPowerLoss(new Random(5));
    }
    assertEquals(writers * perThread, acknowledged.get());
    try (UpdateLog log = open(folder, LogBed.LATER_BOOT)) {
      for (int i = 0; i < writers; i++) {
        assertEquals(perThread, log.state(new UnitId(UNIT.file, 0, i)).get().last);
      }
    }
  }

  /**
   * Loses power within a sync of one of four threads. That thread takes note of what was
   * acknowledged, and of what the disk has. Each thread waits for the disk after each update, so
   * that the threads have appended four updates for each sync at most by then.
   */
  @Test
  void powerMayBeLostWhileThreadsSync() throws Exception {
    for (int round = 0; round < 40; round++) {
      MemoryFolder folder = new MemoryFolder();
      List<UnitId> units = new ArrayList<>();
      AtomicLongArray acknowledged = new AtomicLongArray(4);
      long[] before = new long[acknowledged.length()];
      AtomicReference<MemoryFolder> left = new AtomicReference<>();
      UpdateLog log = open(folder, BOOT);
      for (int i = 0; i < before.length; i++) {
        units.add(new UnitId(UNIT.file, 0, i));
        begin(log, units.get(i), 1);
      }
      log.sync(WAIT_MS);
      AtomicInteger syncs = new AtomicInteger();
      int lossAt = 5 + 3 * round;
      Random random = new Random(round);
      folder.beforeSync(() -> {
        if (syncs.incrementAndGet() == lossAt) {
          for (int i = 0; i < before.length; i++) {
            before[i] = acknowledged.get(i);
          }
          left.set(folder.afterPowerLoss(random));
        }
      });
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < before.length; i++) {
        int writer = i;
        all.add(threads.submit(() -> {
          while (left.get() == null) {
            long sequence =
                log.append(units.get(writer), 1, 1, 0, data(1, 100)).sequence;
            log.sync(WAIT_MS);
            acknowledged.set(writer, sequence);
          }
          return null;
        }));
      }
      for (Future<?> one : all) {
        one.get(WAIT_MS, TimeUnit.MILLISECONDS);
      }
      log.close();
      assertEquals(0, folder.open(), "open files");
      try (UpdateLog again = open(left.get(), LogBed.LATER_BOOT)) {
        for (int i = 0; i < before.length; i++) {
          long last = again.state(units.get(i)).get().last;
          assertTrue(last >= before[i], "round " + round + ": " + last + " of " + before[i]);
        }
      }
    }
  }

  @Test
  void closedLogEndsThreadsThatAppendAndSync() throws Exception {
    MemoryFolder folder = new MemoryFolder();
    UpdateLog log = open(folder, BOOT);
    CountDownLatch all = new CountDownLatch(4);
    List<Future<?>> writers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      begin(log, new UnitId(UNIT.file, 0, i), 1);
    }
    for (int i = 0; i < 4; i++) {
      UnitId unit = new UnitId(UNIT.file, 0, i);
      writers.add(threads.submit(() -> {
        // The thread that closes may come late. Until then a writer writes a bounded number.
        for (int n = 0; n < 500; n++) {
          log.append(unit, 1, 1, 0, data(1, 100));
          log.sync(WAIT_MS);
          all.countDown();
        }
        while (true) {
          log.sync(WAIT_MS);
          Thread.yield();
        }
      }));
    }
    await(all);
    log.close();
    for (Future<?> one : writers) {
      ExecutionException e = assertThrows(ExecutionException.class,
          () -> one.get(WAIT_MS, TimeUnit.MILLISECONDS));
      assertTrue(e.getCause() instanceof LogFailedException, e.toString());
    }
    assertEquals(0, folder.open(), "open files");
  }
}
