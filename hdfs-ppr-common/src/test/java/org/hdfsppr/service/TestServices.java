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
package org.hdfsppr.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A service goes on after any error, and says how old its last step is. */
class TestServices {
  private final AtomicLong nanos = new AtomicLong(5);
  private final Services services = new Services(nanos::get);
  private final List<Throwable> said = new ArrayList<>();

  private long age() {
    return services.health().get(0).ageNanos;
  }

  @Test
  void noErrorEndsTheLoop() {
    ServiceSteps steps = services.open("tests", said::add);
    List<Throwable> errors = List.of(new OutOfMemoryError("a test"), new StackOverflowError(),
        new AssertionError("a test"), new NoClassDefFoundError("a test"),
        new IllegalStateException("a test"));
    int[] taken = new int[1];
    long[] counted = new long[1];
    steps.run(() -> {
      int step = taken[0]++;
      if (step < errors.size()) {
        sneak(errors.get(step));
      }
      counted[0] = services.health().get(0).failures;
      return false;
    });
    assertEquals(errors.size(), counted[0]);
    assertEquals(errors.size() + 1, taken[0]);
    assertEquals(errors, said);
    assertEquals(0, services.health().size(), "it has ended on purpose");
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable e) throws T {
    throw (T) e;
  }

  @Test
  void aLineThatCannotBeWrittenEndsNothing() {
    ServiceSteps steps = services.open("tests", e -> {
      throw new OutOfMemoryError("no memory for a line");
    });
    steps.guarded(() -> {
      throw new OutOfMemoryError("a test");
    }).run();
    assertEquals(2, services.health().get(0).failures);
  }

  @Test
  void anInterruptEndsTheLoopAndStays() {
    ServiceSteps steps = services.open("tests", said::add);
    Thread.currentThread().interrupt();
    steps.run(() -> {
      Thread.sleep(1);
      return true;
    });
    assertTrue(Thread.interrupted());
    assertEquals(0, said.size());
    assertEquals(0, services.health().size());
  }

  @Test
  void anInterruptBesideAnErrorEndsTheLoop() {
    ServiceSteps steps = services.open("tests", said::add);
    steps.run(() -> {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("a test");
    });
    assertTrue(Thread.interrupted());
    assertEquals(1, said.size());
  }

  @Test
  void theAgeIsThatOfTheLastStep() {
    ServiceSteps steps = services.open("tests", said::add);
    nanos.addAndGet(7);
    assertEquals(7, age(), "since the start");
    Runnable task = steps.guarded(() -> nanos.addAndGet(3));
    task.run();
    assertEquals(0, age());
    nanos.addAndGet(2);
    assertEquals(2, age());
    steps.done();
    assertEquals(0, age());
  }

  @Test
  void servicesOfOneNameAreOne() {
    ServiceSteps old = services.open("heartbeats", said::add);
    services.open("acceptor", said::add);
    nanos.addAndGet(10);
    ServiceSteps young = services.open("heartbeats", said::add);
    old.failed(new IllegalStateException("a test"));
    young.failed(new IllegalStateException("a test"));
    assertEquals(List.of("acceptor", "heartbeats"), services.health().stream()
        .map(health -> health.name).collect(Collectors.toList()));
    assertEquals(10, services.health().get(1).ageNanos);
    assertEquals(2, services.health().get(1).failures);
    old.close();
    assertEquals(0, services.health().get(1).ageNanos);
  }
}
