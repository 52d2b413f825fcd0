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
package org.hdfsppr.datanode.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what the names of stock's threads say, on a clock that the test moves. */
class TestUserThreads {
  private static final String WAITING =
      "DataXceiver for client DFSClient_1 at /10.0.0.1:4711 [Waiting for operation #2]";
  private static final String SENDING =
      "DataXceiver for client DFSClient_1 at /10.0.0.1:4711 [Sending block BP-1:blk_-7_1001]";
  private static final String RECEIVING =
      "DataXceiver for client DFSClient_1 at /10.0.0.1:4711 [Receiving block BP-1:blk_-7_1001]";
  private static final String COPYING =
      "DataXceiver for client /10.0.0.1:4711 [Copying block BP-1:blk_-7_1001]";

  /** The clock passes its largest value in each test. */
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
  private long lookNanos;
  private final ThreadGroup group = new ThreadGroup("served");
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Thread> started = new ArrayList<>();
  private final UserThreads threads = new UserThreads(() -> group, () -> {
    // The second of the two readings in a look sees the time that the look took.
    return nanos.getAndAdd(lookNanos);
  });

  private Thread start(String name) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Thread thread = new Thread(group, () -> {
      begun.countDown();
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }, name);
    thread.start();
    begun.await();
    started.add(thread);
    return thread;
  }

  @AfterEach
  void endThreads() throws InterruptedException {
    end.countDown();
    for (Thread thread : started) {
      thread.join();
    }
  }

  private void assertLook(int serving, boolean sending, boolean receiving) {
    threads.look();
    assertEquals(serving, threads.serving());
    assertEquals(sending, threads.isSending());
    assertEquals(receiving, threads.isReceiving());
  }

  @Test
  void namesSayWhatThreadsDo() throws InterruptedException {
    assertLook(0, false, false);
    start("org.apache.hadoop.hdfs.server.datanode.DataXceiverServer@17");
    start("PacketResponder: BP-1:blk_-7_1001, type=LAST_IN_PIPELINE");
    assertLook(0, false, false);
    Thread one = start(WAITING);
    start(WAITING);
    assertLook(2, false, false);
    one.setName(SENDING);
    assertLook(2, true, false);
    one.setName(WAITING);
    assertLook(2, false, false);
  }

  /** A writer's block may go on to the next DataNode. */
  @Test
  void allOtherOperationsMoveBothWays() throws InterruptedException {
    Thread one = start(RECEIVING);
    assertLook(1, true, true);
    one.setName(COPYING);
    assertLook(1, true, true);
    one.setName("DataXceiver for client /10.0.0.1:4711");
    assertLook(1, true, true);
  }

  @Test
  void manyConnectionsAreAllSeen() throws InterruptedException {
    for (int i = 0; i < 100; i++) {
      start(WAITING);
    }
    start(SENDING);
    assertLook(101, true, false);
  }

  @Test
  void withoutTheGroupUsersMayMoveBytesAtAnyMoment() {
    UserThreads unknown = new UserThreads(() -> null, nanos::get);
    assertTrue(unknown.isSending() && unknown.isReceiving(), "before the first look");
    unknown.look();
    assertTrue(unknown.isSending() && unknown.isReceiving());
    assertEquals(0, unknown.serving());
  }

  /** With thousands of connections a look takes longer, and then there are fewer looks. */
  @Test
  void looksTakeAPartOfTheTimeOnly() throws InterruptedException {
    Thread one = start(WAITING);
    lookNanos = TimeUnit.MICROSECONDS.toNanos(100);
    threads.look();
    lookNanos = 0;
    one.setName(SENDING);
    threads.look();
    assertFalse(threads.isSending(), "the last look was just now");
    nanos.addAndGet(TimeUnit.MICROSECONDS.toNanos(1_899));
    threads.look();
    assertFalse(threads.isSending(), "2 ms after a look of 100 us");
    nanos.addAndGet(TimeUnit.MICROSECONDS.toNanos(1));
    threads.look();
    assertTrue(threads.isSending());
  }
}
