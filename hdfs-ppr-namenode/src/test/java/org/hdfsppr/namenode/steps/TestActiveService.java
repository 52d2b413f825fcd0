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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.service.Services;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What callers get of a service, and what it forgets and loads in which order. */
@Timeout(60)
class TestActiveService {
  private static final long LONG_MS = 60_000;
  private final Services services = new Services(System::nanoTime);

  /** A service of an active NameNode that notes what it does. */
  private static final class Tests extends ActiveService {
    private final BooleanSupplier step;
    private final List<String> done = new ArrayList<>();
    private OptionalLong term = OptionalLong.of(1);
    private boolean answers = true;
    private boolean isDropped;
    private boolean forgets = true;

    Tests(BooleanSupplier step) {
      super("ppr-test", "tests", STEP_MS);
      this.step = step;
    }

    @Override
    protected OptionalLong term() {
      return term;
    }

    @Override
    protected void forget(boolean wasLoaded) {
      done.add(wasLoaded ? "forget" : "clear");
      if (!forgets) {
        throw new OutOfMemoryError("a test");
      }
    }

    @Override
    protected boolean load(long of) throws IOException {
      done.add("load " + of);
      if (!answers) {
        throw new IOException("a test");
      }
      return true;
    }

    @Override
    protected boolean work() {
      done.add("work");
      if (isDropped) {
        drop();
      }
      return step.getAsBoolean();
    }

    @Override
    protected boolean rest() {
      done.add("rest");
      return false;
    }

    @Override
    protected void publish() {
      done.add("publish");
    }

    @Override
    protected void say(Throwable e) {
      done.add("say");
    }

    private void assertStep(String... expected) {
      done.clear();
      step();
      assertEquals(List.of(expected), done);
    }
  }

  @Test
  void stateIsForgottenBeforeThatOfAnotherTermIsLoaded() {
    Tests service = new Tests(() -> false);
    service.assertStep("clear", "load 1", "publish", "work", "publish");
    service.assertStep("work", "publish");
    service.term = OptionalLong.of(2);
    service.assertStep("forget", "clear", "load 2", "publish", "work", "publish");
    assertTrue(service.isCurrent());
    service.term = OptionalLong.empty();
    assertFalse(service.isCurrent());
    service.assertStep("forget", "rest");
    service.assertStep("rest");
    assertEquals(OptionalLong.empty(), service.loaded());
  }

  @Test
  void aLoadThatFailsComesAgain() {
    Tests service = new Tests(() -> false);
    service.answers = false;
    service.assertStep("clear", "load 1", "say");
    service.assertStep("clear", "load 1", "say");
    service.answers = true;
    service.assertStep("clear", "load 1", "publish", "work", "publish");
  }

  /** The pages of a standby would show the jobs of the active NameNode as they were. */
  @Test
  void whatWasNotForgottenIsForgottenByTheNextStep() {
    Tests service = new Tests(() -> false);
    service.step();
    service.term = OptionalLong.empty();
    service.forgets = false;
    assertThrows(OutOfMemoryError.class, service::step);
    service.forgets = true;
    service.assertStep("clear", "rest");
    service.assertStep("rest");
  }

  /** Another NameNode has worked on it. */
  @Test
  void stateThatIsDroppedIsNotPublished() {
    Tests service = new Tests(() -> false);
    service.isDropped = true;
    service.assertStep("clear", "load 1", "publish", "work", "forget");
    service.isDropped = false;
    service.assertStep("clear", "load 1", "publish", "work", "publish");
  }

  /**
   * Hadoop's RPC server interrupts its handlers when the NameNode stops. Clients of an HA pair ask
   * the other NameNode then, and they do so after no other exception of a NameNode that answers.
   */
  @Test
  void callersOfANameNodeThatStopsMayAskAgain() throws Exception {
    CountDownLatch isBusy = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    AtomicBoolean isDone = new AtomicBoolean();
    try (Tests service = new Tests(() -> false)) {
      service.start(services);
      Thread first = new Thread(() -> {
        try {
          service.call(() -> {
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
          service.call(() -> {
            isDone.set(true);
            return null;
          }, LONG_MS));
      assertTrue(Thread.interrupted());
      assertEquals("The NameNode stops", refusal.getMessage());
      mayGoOn.countDown();
      first.join();
      // This one comes behind the one that was given up.
      assertEquals(false, service.call(isDone::get, LONG_MS));
    }
  }

  /** Such an error says nothing about the next step. */
  @Test
  void noErrorOfAStepEndsTheThread() throws Exception {
    List<Error> errors = List.of(new OutOfMemoryError("a test"), new StackOverflowError("a test"),
        new AssertionError("a test"), new NoClassDefFoundError("a test"));
    CountDownLatch isPast = new CountDownLatch(errors.size() + 1);
    try (Tests service = new Tests(() -> {
      int step = errors.size() + 1 - (int) isPast.getCount();
      isPast.countDown();
      if (step < errors.size()) {
        throw errors.get(step);
      }
      return true;
    })) {
      service.start(services);
      assertTrue(isPast.await(LONG_MS, TimeUnit.MILLISECONDS));
      assertEquals("ppr-test", services.health().get(0).name);
      assertEquals(errors.size(), services.health().get(0).failures);
    }
    assertEquals(List.of(), services.health());
  }

  @Test
  void anErrorInACallGoesToTheCallerAtOnce() throws Exception {
    try (Tests service = new Tests(() -> false)) {
      service.start(services);
      IOException failure = assertThrows(IOException.class, () -> service.call(() -> {
        throw new StackOverflowError("a test");
      }, LONG_MS));
      assertEquals(StackOverflowError.class, failure.getCause().getClass());
      assertEquals(1, service.call(() -> 1, LONG_MS));
    }
  }

  @Test
  void oneThatHasStoppedSaysSoAtOnce() {
    Tests service = new Tests(() -> false);
    service.start(services);
    service.close();
    assertEquals("The NameNode stops", assertThrows(RetriableException.class,
        () -> service.call(() -> null, LONG_MS)).getMessage());
  }
}
