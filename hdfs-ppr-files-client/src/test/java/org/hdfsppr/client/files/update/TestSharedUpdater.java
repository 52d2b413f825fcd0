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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hdfsppr.client.update.SharedUpdater;
import org.hdfsppr.client.update.UpdateLogFullException;
import org.hdfsppr.client.update.UpdatesInDoubtException;
import org.hdfsppr.update.append.UpdateStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what a sync covers, and what follows when a write or a sync fails. */
@Timeout(60)
class TestSharedUpdater {
  private static final int GROUPS = 4;

  private final ModelLogs logs = new ModelLogs(GROUPS);
  private final List<UpdateContext> contexts = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    contexts.forEach(UpdateContext::close);
    threads.shutdownNow();
  }

  /** Returns an updater of another process. */
  private SharedUpdater open() throws IOException {
    UpdateContext context = logs.context();
    contexts.add(context);
    return logs.open(context);
  }

  private static void write(SharedUpdater updater, long position, int... values)
      throws IOException {
    byte[] data = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      data[i] = (byte) values[i];
    }
    updater.write(position, ByteBuffer.wrap(data));
  }

  @Test
  void writesGoWhereTheyBelong() throws Exception {
    long seed = Long.getLong("seed", 42);
    System.out.println("TestSharedUpdater: -Dseed=" + seed);
    Random random = new Random(seed);
    SharedUpdater updater = open();
    byte[] expected = new byte[GROUPS * ModelLogs.GROUP];
    assertEquals(expected.length, updater.length());
    for (int i = 0; i < 300; i++) {
      byte[] data = new byte[random.nextInt(i % 10 == 0 ? expected.length : 3000)];
      random.nextBytes(data);
      int position = random.nextInt(expected.length - data.length + 1);
      ByteBuffer from = ByteBuffer.wrap(data);
      updater.write(position, from);
      assertFalse(from.hasRemaining());
      System.arraycopy(data, 0, expected, position, data.length);
    }
    assertArrayEquals(expected, logs.bytes());
    assertThrows(EOFException.class, () -> write(updater, expected.length - 1, 1, 2));
    assertThrows(EOFException.class, () -> write(updater, -1, 1));
  }

  @Test
  void aSyncCoversAllThreads() throws Exception {
    SharedUpdater updater = open();
    updater.sync();
    byte[] expected = new byte[GROUPS * ModelLogs.GROUP];
    for (int round = 1; round <= 20; round++) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        int position = i * 700;
        int value = round * i;
        expected[position] = (byte) value;
        running.add(threads.submit(() -> {
          write(updater, position, value);
          return null;
        }));
      }
      for (Future<?> one : running) {
        one.get();
      }
      assertTrue(updater.isDirty());
      updater.sync();
      assertFalse(updater.isDirty());
      logs.losePower();
      assertArrayEquals(expected, logs.bytes());
    }
    int syncs = logs.syncs();
    updater.sync();
    assertEquals(syncs, logs.syncs(), "nothing was written since");
  }

  /** The first sync of a process covers what processes before have written. */
  @Test
  void aSyncCoversWritesOfProcessesBefore() throws Exception {
    SharedUpdater before = open();
    write(before, 0, 1);
    write(before, ModelLogs.CELL, 2);
    write(before, 2L * ModelLogs.GROUP + 5, 3);
    byte[] expected = logs.bytes();
    open().sync();
    logs.losePower();
    assertArrayEquals(expected, logs.bytes());
    // A unit that was never written gets no log by a sync.
    assertEquals(List.of(UnitKey.of(0, 0), UnitKey.of(0, 1), UnitKey.of(2, 0), UnitKey.of(2, 1)),
        logs.units());
  }

  /** A first sync that fails leaves the next one all its work. */
  @Test
  void aFirstSyncThatFailsIsMadeAgain() throws Exception {
    write(open(), 0, 1);
    UpdateContext context = logs.context();
    SharedUpdater updater = logs.open(context);
    context.close();
    assertThrows(IOException.class, updater::sync);
    assertEquals(0, logs.syncs());
    SharedUpdater another = open();
    another.sync();
    logs.losePower();
    assertEquals(1, logs.bytes()[0]);
  }

  @Test
  void aWriteThatFailsFailsForItself() throws Exception {
    SharedUpdater updater = open();
    write(updater, 0, 1);
    logs.refuse(UpdateStatus.FAILED);
    logs.beforeAppend(() -> logs.passTime(TimeUnit.MINUTES.toNanos(2)));
    assertThrows(IOException.class, () -> write(updater, 1, 2));
    logs.beforeAppend(() -> { });
    write(updater, 2, 3);
    updater.sync();
    logs.losePower();
    assertEquals(1, logs.bytes()[0]);
    assertEquals(3, logs.bytes()[2]);
    // The number of a writer that has failed is not used again.
    assertEquals(logs.origins().size() - 1, logs.origins().stream()
        .filter(origin -> !origin.equals(logs.origins().get(2))).count());
  }

  @Test
  void aFullLogMakesWritersWait() throws Exception {
    SharedUpdater updater = open();
    logs.refuse(UpdateStatus.LOG_FULL);
    write(updater, 0, 1);
    assertEquals(1, logs.bytes()[0]);
    logs.refuse(UpdateStatus.LOG_FULL, UpdateStatus.LOG_FULL);
    logs.beforeAppend(() -> logs.passTime(TimeUnit.MINUTES.toNanos(6)));
    assertThrows(UpdateLogFullException.class, () -> write(updater, 1, 2));
    logs.beforeAppend(() -> { });
    write(updater, 1, 3);
    updater.sync();
    logs.losePower();
    assertEquals(1, logs.bytes()[0]);
    assertEquals(3, logs.bytes()[1]);
  }

  /** A leader does not know whether it has the write; to write it again is the same. */
  @Test
  void aWriteInDoubtIsMadeAgain() throws Exception {
    SharedUpdater updater = open();
    logs.refuse(UpdateStatus.OUT_OF_TURN);
    write(updater, 0, 1);
    assertEquals(1, logs.bytes()[0]);
    assertEquals(2, logs.origins().size());
    assertFalse(logs.origins().get(0).equals(logs.origins().get(1)), "by another writer");
    logs.refuse(UpdateStatus.OUT_OF_TURN, UpdateStatus.OUT_OF_TURN, UpdateStatus.OUT_OF_TURN);
    assertThrows(UpdatesInDoubtException.class, () -> write(updater, 0, 1));
    write(updater, 0, 2);
    updater.sync();
  }

  /** To write it again would undo another write that came between. */
  @Test
  void aWriteInDoubtIsNotMadeAgainOverAnother() throws Exception {
    SharedUpdater updater = open();
    CountDownLatch mayGoOn = new CountDownLatch(1);
    CountDownLatch isThere = new CountDownLatch(1);
    AtomicInteger count = new AtomicInteger();
    logs.beforeAppend(() -> {
      if (count.getAndIncrement() == 0) {
        isThere.countDown();
        try {
          mayGoOn.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        logs.refuse(UpdateStatus.OUT_OF_TURN);
      }
    });
    Future<?> first = threads.submit(() -> {
      write(updater, 0, 1, 1, 1);
      return null;
    });
    isThere.await();
    write(updater, 2, 2, 2);
    mayGoOn.countDown();
    assertThrows(Exception.class, first::get);
    assertArrayEquals(new byte[] {0, 0, 2, 2}, java.util.Arrays.copyOf(logs.bytes(), 4));
  }

  @Test
  void aSyncGoesOnOverATerm() throws Exception {
    SharedUpdater updater = open();
    write(updater, 0, 1);
    assertFalse(updater.isSyncUrgent());
    logs.beginTerms();
    updater.sync();
    logs.losePower();
    assertEquals(1, logs.bytes()[0]);
    write(updater, 0, 2);
    logs.beginTerms();
    write(updater, 1, 3);
    assertTrue(updater.isSyncUrgent(), "a further term would end what can be told");
    updater.sync();
    assertFalse(updater.isSyncUrgent());
    logs.losePower();
    assertEquals(2, logs.bytes()[0]);
    assertEquals(3, logs.bytes()[1]);
  }

  /** A leader that was there all the time knows of all terms. */
  @Test
  void aSyncGoesOnOverTerms() throws Exception {
    SharedUpdater updater = open();
    write(updater, 0, 1);
    logs.beginTerms();
    logs.beginTerms();
    write(updater, 1, 2);
    logs.beginTerms();
    updater.sync();
    logs.losePower();
    assertEquals(1, logs.bytes()[0]);
    assertEquals(2, logs.bytes()[1]);
    write(updater, 1, 3);
    logs.beginTerms();
    logs.beginTerms();
    logs.forgetTerms();
    assertThrows(IOException.class, updater::sync, "it cannot be told any more");
  }

  /** A loss between two terms is seen, although the history has grown since. */
  @Test
  void aLossBetweenTermsIsSeen() throws Exception {
    SharedUpdater updater = open();
    write(updater, 0, 1);
    logs.losePower();
    SharedUpdater another = open();
    write(another, 0, 2);
    write(another, 1, 2);
    logs.beginTerms();
    another.sync();
    assertThrows(IOException.class, updater::sync);
  }

  /** If acknowledged writes are lost, each later sync says so, and nothing more is written. */
  @Test
  void aLossIsNeverForgotten() throws Exception {
    SharedUpdater updater = open();
    write(updater, 0, 1);
    updater.sync();
    write(updater, 0, 2);
    write(updater, 1, 2);
    logs.losePower();
    for (int i = 0; i < 3; i++) {
      assertTrue(assertThrows(IOException.class, updater::sync).getMessage().contains("surviv"));
      assertThrows(IOException.class, () -> write(updater, 0, 3));
    }
    assertEquals(1, logs.bytes()[0]);
    SharedUpdater anew = open();
    write(anew, 0, 4);
    anew.sync();
    logs.losePower();
    assertEquals(4, logs.bytes()[0]);
  }

  /** Writes of random threads, with losses of power, terms and refusals between them. */
  @Test
  void whatWasSyncedStays() throws Exception {
    long seed = Long.getLong("seed", 42);
    System.out.println("TestSharedUpdater: -Dseed=" + seed);
    Random random = new Random(seed);
    SharedUpdater updater = open();
    byte[] expected = new byte[GROUPS * ModelLogs.GROUP];
    for (int round = 0; round < 200; round++) {
      int writes = 1 + random.nextInt(8);
      for (int i = 0; i < writes; i++) {
        byte[] data = new byte[1 + random.nextInt(3000)];
        random.nextBytes(data);
        int position = random.nextInt(expected.length - data.length);
        if (random.nextInt(10) == 0) {
          logs.refuse(UpdateStatus.OUT_OF_TURN);
        }
        updater.write(position, ByteBuffer.wrap(data));
        System.arraycopy(data, 0, expected, position, data.length);
      }
      if (random.nextInt(3) == 0) {
        logs.beginTerms();
      }
      // A later process flushes as well as this one.
      SharedUpdater flusher = random.nextInt(4) == 0 ? open() : updater;
      flusher.sync();
      updater = flusher;
      if (random.nextBoolean()) {
        logs.losePower();
      }
      assertArrayEquals(expected, logs.bytes());
    }
  }
}
