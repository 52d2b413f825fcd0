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
package org.hdfsppr.namenode.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.service.Services;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What callers get of a thread that takes steps. */
@Timeout(60)
class TestStepThread {
  private static final long LONG_MS = 60_000;
  private final Services services = new Services(System::nanoTime);

  /**
   * Hadoop's RPC server interrupts its handlers when the NameNode stops. Clients of an HA pair ask
   * the other NameNode then, and they do so after no other exception of a NameNode that answers.
   */
  @Test
  void callersOfANameNodeThatStopsMayAskAgain() throws Exception {
    CountDownLatch isBusy = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    AtomicBoolean isDone = new AtomicBoolean();
    try (StepThread thread = new StepThread("ppr-test", "tests", services)) {
      thread.start(() -> false);
      Thread first = new Thread(() -> {
        try {
          thread.call(() -> {
            isBusy.countDown();
            mayGoOn.await();
            return null;
          }, LONG_MS);
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
      first.start();
      isBusy.await();
      Thread.currentThread().interrupt();
      RetriableException refusal = assertThrows(RetriableException.class, () ->
          thread.call(() -> {
            isDone.set(true);
            return null;
          }, LONG_MS));
      assertTrue(Thread.interrupted());
      assertEquals("The NameNode stops", refusal.getMessage());
      mayGoOn.countDown();
      first.join();
      // This one comes behind the one that was given up.
      assertEquals(false, thread.call(isDone::get, LONG_MS));
    }
  }

  /** Such an error says nothing about the next step. */
  @Test
  void noErrorOfAStepEndsTheThread() throws Exception {
    List<Error> errors = List.of(new OutOfMemoryError("a test"), new StackOverflowError("a test"),
        new AssertionError("a test"), new NoClassDefFoundError("a test"));
    CountDownLatch isPast = new CountDownLatch(errors.size() + 1);
    try (StepThread thread = new StepThread("ppr-test", "tests", services)) {
      thread.start(() -> {
        int step = errors.size() + 1 - (int) isPast.getCount();
        isPast.countDown();
        if (step < errors.size()) {
          throw errors.get(step);
        }
        return true;
      });
      assertTrue(isPast.await(LONG_MS, TimeUnit.MILLISECONDS));
      assertEquals("ppr-test", services.health().get(0).name);
      assertEquals(errors.size(), services.health().get(0).failures);
    }
    assertEquals(List.of(), services.health());
  }

  @Test
  void anErrorInACallGoesToTheCallerAtOnce() throws Exception {
    try (StepThread thread = new StepThread("ppr-test", "tests", services)) {
      thread.start(() -> false);
      IOException failure = assertThrows(IOException.class, () -> thread.call(() -> {
        throw new StackOverflowError("a test");
      }, LONG_MS));
      assertEquals(StackOverflowError.class, failure.getCause().getClass());
      assertEquals(1, thread.call(() -> 1, LONG_MS));
    }
  }

  @Test
  void oneThatHasStoppedSaysSoAtOnce() {
    StepThread thread = new StepThread("ppr-test", "tests", services);
    thread.start(() -> false);
    thread.close();
    assertEquals("The NameNode stops", assertThrows(RetriableException.class,
        () -> thread.call(() -> null, LONG_MS)).getMessage());
  }
}
