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
package org.hdfsppr.client.files.update;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.client.update.UpdatesInDoubtException;
import org.hdfsppr.update.append.UpdateStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which thread sends what is flushed, in which order, and what follows when it cannot. */
@Timeout(60)
class TestFlushes {
  private static final int CELL = ModelLogs.CELL;

  private final ModelLogs logs = new ModelLogs(2);
  private final UpdateContext context = logs.context();
  private final ExecutorService callers = Executors.newCachedThreadPool();
  /** The threads of the pool are free. */
  private final CountDownLatch isFree = new CountDownLatch(1);

  @AfterEach
  void close() {
    isFree.countDown();
    context.close();
    callers.shutdownNow();
  }

  /** Gives all threads of the pool something to do, until they are freed. */
  private void occupy(UpdateContext all) {
    ThreadPoolExecutor pool = pool(all);
    for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
      pool.execute(() -> await(isFree));
    }
  }

  private static ThreadPoolExecutor pool(UpdateContext context) {
    return (ThreadPoolExecutor) context.writers();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void write(FileUpdater updater, long position, int value) throws IOException {
    updater.write(position, new byte[] {(byte) value});
  }

  private static Void flush(FileUpdater updater) throws IOException {
    updater.hflush();
    return null;
  }

  @Test
  void theCallerSendsWhatNoThreadHasBegun() throws Exception {
    occupy(context);
    Set<Thread> senders = ConcurrentHashMap.newKeySet();
    logs.beforeAppend(() -> senders.add(Thread.currentThread()));
    FileUpdater updater = logs.openForOne(context);
    for (int value = 1; value <= 3; value++) {
      write(updater, 0, value);
      write(updater, CELL, 10 * value);
    }
    updater.hflush();
    assertEquals(Set.of(Thread.currentThread()), senders);
    assertEquals(3, logs.bytes()[0]);
    assertEquals(30, logs.bytes()[CELL]);
    assertEquals(List.of("update 1", "update 2", "update 3", "update 1", "update 2", "update 3"),
        numbers());
  }

  private List<String> numbers() {
    List<String> numbers = new ArrayList<>();
    logs.origins().forEach(origin -> numbers.add(origin.replaceAll(" of writer .*", "")));
    return numbers;
  }

  /** Threads are asked once, so that the pool's queue is bounded. */
  @Test
  void noThreadIsAskedTwice() throws Exception {
    occupy(context);
    FileUpdater updater = logs.openForOne(context);
    for (int value = 1; value <= 100; value++) {
      write(updater, 0, value);
      updater.hflush();
      assertEquals(value, logs.bytes()[0]);
    }
    assertEquals(1, pool(context).getQueue().size());
    isFree.countDown();
    // The thread that was asked finds nothing to do, and further ones are asked.
    for (int value = 1; value <= 100; value++) {
      write(updater, 0, value);
      if (value % 10 == 0) {
        updater.hflush();
        assertEquals(value, logs.bytes()[0]);
      }
    }
    updater.close();
    assertEquals(200, logs.origins().size());
  }

  @Test
  void theCallerLeavesAUnitToTheThreadThatHasBegun() throws Exception {
    CountDownLatch isThere = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    AtomicInteger sent = new AtomicInteger();
    Set<Thread> senders = ConcurrentHashMap.newKeySet();
    logs.beforeAppend(() -> {
      sent.incrementAndGet();
      senders.add(Thread.currentThread());
      isThere.countDown();
      await(mayGoOn);
    });
    FileUpdater updater = logs.openForOne(context);
    write(updater, 0, 1);
    isThere.await();
    write(updater, 0, 2);
    FutureTask<Void> flush = new FutureTask<>(() -> flush(updater));
    Thread caller = new Thread(flush);
    caller.start();
    while (caller.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
    assertEquals(1, sent.get(), "the next update waits for the one before");
    mayGoOn.countDown();
    flush.get();
    assertEquals(2, logs.bytes()[0]);
    assertEquals(List.of("update 1", "update 2"), numbers());
    assertEquals(1, senders.size());
    assertFalse(senders.contains(caller));
  }

  /** Otherwise a flush would never return beside a thread that writes without end. */
  @Test
  void aFlushDoesNotWaitForLaterUpdates() throws Exception {
    CountDownLatch areThere = new CountDownLatch(2);
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(1);
    AtomicInteger sent = new AtomicInteger();
    logs.beforeAppend(() -> {
      CountDownLatch mayGoOn = sent.incrementAndGet() == 1 ? first : second;
      areThere.countDown();
      await(mayGoOn);
    });
    FileUpdater updater = logs.openForOne(context);
    write(updater, 0, 1);
    while (sent.get() < 1) {
      Thread.onSpinWait();
    }
    FutureTask<Void> flush = new FutureTask<>(() -> flush(updater));
    Thread caller = new Thread(flush);
    caller.start();
    while (caller.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
    write(updater, CELL, 2);
    areThere.await();
    first.countDown();
    flush.get();
    assertEquals(1, logs.bytes()[0]);
    assertEquals(0, logs.bytes()[CELL], "acknowledged later");
    second.countDown();
    updater.close();
    assertEquals(2, logs.bytes()[CELL]);
  }

  /** A sync has to end beside a thread that writes without end, which waits for it. */
  @Test
  void updatesWaitForASync() throws Exception {
    CountDownLatch mayGoOn = new CountDownLatch(1);
    logs.beforeAppend(() -> await(mayGoOn));
    FileUpdater updater = logs.openForOne(context);
    write(updater, 0, 1);
    FutureTask<Void> sync = new FutureTask<>(() -> {
      updater.hsync();
      return null;
    });
    Thread caller = new Thread(sync);
    caller.start();
    // It waits for the pool's thread that sends the update, or sends it and waits in the log.
    while (caller.getState() != Thread.State.TIMED_WAITING
        && caller.getState() != Thread.State.WAITING) {
      Thread.sleep(1);
    }
    FutureTask<Void> later = new FutureTask<>(() -> {
      write(updater, CELL, 2);
      return null;
    });
    Thread writer = new Thread(later);
    writer.start();
    while (writer.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
    assertFalse(later.isDone());
    mayGoOn.countDown();
    sync.get();
    later.get();
    updater.close();
    assertEquals(2, logs.bytes()[CELL]);
  }

  /** Callers and the pool's threads take turns with the same units. */
  @Test
  void updatesOfAUnitStayInTheirOrder() throws Exception {
    long seed = Long.getLong("seed", 42);
    System.out.println("TestFlushes: -Dseed=" + seed);
    FileUpdater updater = logs.openForOne(context);
    byte[] expected = new byte[2 * ModelLogs.GROUP];
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int first = i;
      Random random = new Random(seed + i);
      running.add(callers.submit(() -> {
        // Each caller has bytes of its own in all units.
        for (int count = 0; count < 500; count++) {
          int position = 256 * random.nextInt(expected.length / 256) + first;
          expected[position] = (byte) random.nextInt();
          write(updater, position, expected[position]);
          if (random.nextInt(3) == 0) {
            updater.hflush();
          }
        }
        updater.hflush();
        return null;
      }));
    }
    for (Future<?> one : running) {
      one.get();
    }
    updater.hsync();
    logs.losePower();
    assertArrayEquals(expected, logs.bytes());
    updater.close();
  }

  @Test
  void aFailureOfTheCallerEndsTheUpdater() throws Exception {
    occupy(context);
    logs.refuse(UpdateStatus.OUT_OF_TURN);
    FileUpdater updater = logs.openForOne(context);
    write(updater, 0, 1);
    write(updater, 0, 2);
    write(updater, CELL, 3);
    IOException failure = assertThrows(IOException.class, updater::hflush);
    assertInstanceOf(UpdatesInDoubtException.class, failure.getCause());
    assertThrows(IOException.class, () -> write(updater, 0, 4));
    assertThrows(IOException.class, updater::hflush);
    assertThrows(IOException.class, updater::hsync);
    isFree.countDown();
    assertThrows(IOException.class, updater::close);
    context.close();
    assertEquals(1, logs.origins().size(), "nothing is sent after a failure");
  }

  @Test
  void anErrorInTheCallerEndsTheUpdater() throws Exception {
    occupy(context);
    logs.beforeAppend(() -> {
      throw new IllegalStateException("as the test wants it");
    });
    FileUpdater updater = logs.openForOne(context);
    write(updater, 0, 1);
    assertTrue(assertThrows(IOException.class, updater::hflush).getMessage()
        .contains("ended with an error"));
    assertThrows(IOException.class, updater::close);
  }

  /** An interrupt takes a connection with it, and another thread sends the update again. */
  @Test
  void anInterruptOfTheCallerEndsNoUpdate() throws Exception {
    occupy(context);
    CountDownLatch isThere = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    List<Thread> senders = Collections.synchronizedList(new ArrayList<>());
    logs.beforeAppend(() -> {
      senders.add(Thread.currentThread());
      if (senders.size() == 1) {
        isThere.countDown();
        await(never);
      }
    });
    FileUpdater updater = logs.openForOne(context);
    write(updater, 0, 1);
    write(updater, 0, 2);
    FutureTask<Void> flush = new FutureTask<>(() -> flush(updater));
    Thread caller = new Thread(flush);
    caller.start();
    isThere.await();
    caller.interrupt();
    assertInstanceOf(InterruptedIOException.class,
        assertThrows(ExecutionException.class, flush::get).getCause());
    assertEquals(List.of(caller), senders);
    isFree.countDown();
    updater.hsync();
    assertEquals(List.of("update 1", "update 1", "update 2"), numbers());
    assertEquals(2, logs.term(UnitKey.of(0, 0)), "no leader has an update twice in one term");
    logs.losePower();
    assertEquals(2, logs.bytes()[0]);
    updater.close();
  }

  /** A caller that is interrupted before it flushes sends nothing, and its updates go on. */
  @Test
  void anInterruptedCallerSendsNothing() throws Exception {
    occupy(context);
    FileUpdater updater = logs.openForOne(context);
    write(updater, 0, 1);
    FutureTask<Void> flush = new FutureTask<>(() -> {
      Thread.currentThread().interrupt();
      return flush(updater);
    });
    new Thread(flush).start();
    assertInstanceOf(InterruptedIOException.class,
        assertThrows(ExecutionException.class, flush::get).getCause());
    assertEquals(List.of(), logs.origins());
    isFree.countDown();
    updater.close();
    assertEquals(1, logs.bytes()[0]);
    assertEquals(1, logs.term(UnitKey.of(0, 0)));
  }

  /**
   * The user opens the file anew after a failure, and writes again. What the old updater has not
   * sent must not come after that.
   */
  @Test
  void nothingIsSentAfterAFailure() throws Exception {
    FileUpdater updater = logs.openForOne(context);
    logs.refuse(UpdateStatus.LOG_FULL);
    write(updater, 0, 1);
    while (logs.refusalsLeft() > 0) {
      Thread.onSpinWait();
    }
    // The thread of this unit waits for a commit meanwhile.
    logs.refuse(UpdateStatus.OUT_OF_TURN);
    write(updater, CELL, 2);
    assertThrows(IOException.class, updater::hflush);
    while (pool(context).getActiveCount() > 0) {
      Thread.onSpinWait();
    }
    assertEquals(2, logs.origins().size(), "each was refused once");
  }

  @Test
  void anErrorOfAnyKindEndsTheUpdater() throws Exception {
    occupy(context);
    FileUpdater updater = logs.openForOne(context);
    logs.beforeAppend(() -> {
      throw new OutOfMemoryError("no memory, says the test");
    });
    write(updater, 0, 1);
    assertTrue(assertThrows(IOException.class, updater::hflush).getMessage()
        .contains("no memory, says the test"));
    assertThrows(IOException.class, updater::close);
  }

  /** A leader does not answer, and the file system is closed. */
  @Test
  void theEndOfTheFileSystemEndsTheCaller() throws Exception {
    CountDownLatch isThere = new CountDownLatch(1);
    CountDownLatch isAborted = new CountDownLatch(1);
    AnsweredConnection.Peer silent = new AnsweredConnection.Peer() {
      @Override
      public byte[] answer(byte[] request) throws IOException {
        isThere.countDown();
        TestFlushes.await(isAborted);
        throw new EOFException("the connection was shut down");
      }

      @Override
      public void abort() {
        isAborted.countDown();
      }
    };
    AtomicInteger connections = new AtomicInteger();
    UpdateContext closing = logs.context((node, block, token) -> {
      connections.incrementAndGet();
      return new AnsweredConnection(false, silent);
    });
    try {
      occupy(closing);
      FileUpdater updater = logs.openForOne(closing);
      write(updater, 0, 1);
      Future<?> flush = callers.submit(() -> flush(updater));
      isThere.await();
      closing.close();
      Throwable failure = assertThrows(ExecutionException.class,
          () -> flush.get(30, TimeUnit.SECONDS)).getCause();
      assertTrue(failure.getMessage().contains("The file system is closed"), failure.toString());
      assertEquals(1, connections.get());
      assertThrows(IOException.class, updater::close);
    } finally {
      closing.close();
    }
  }
}
