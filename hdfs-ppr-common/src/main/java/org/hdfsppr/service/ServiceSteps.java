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

import java.io.Closeable;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Runs the steps of one service so that no error ends it. An OutOfMemoryError or a
 * StackOverflowError in one step says nothing about the next one, and a thread that has ended is
 * missed by nothing but its users. Whatever a step throws is counted and logged, and the next step
 * follows. Neither the count nor the pause after it needs memory, because there may be none.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class ServiceSteps implements Closeable {
  /**
   * The pause after a step that has failed, ms. A step may fail before it waits, and would
   * otherwise take a whole processor.
   */
  static final long REST_MS = 100;

  /** A step of a service that has a thread of its own. */
  @FunctionalInterface
  public interface Step {
    /**
     * Takes a step, and waits until the next one is due.
     *
     * @return whether there is a next step
     * @throws InterruptedException if the service shall end
     */
    boolean take() throws InterruptedException;
  }

  final String name;
  private final Consumer<Throwable> say;
  private final LongSupplier nanoClock;
  private final Consumer<ServiceSteps> closed;
  private final AtomicLong failures = new AtomicLong();
  private volatile long lastNanos;

  ServiceSteps(String name, Consumer<Throwable> say, LongSupplier nanoClock,
      Consumer<ServiceSteps> closed) {
    this.name = Objects.requireNonNull(name, "name");
    this.say = Objects.requireNonNull(say, "say");
    this.nanoClock = nanoClock;
    this.closed = closed;
    this.lastNanos = nanoClock.getAsLong();
  }

  /**
   * Takes steps on the calling thread until one of them says that there is no next one, or the
   * thread is interrupted. Then the service is closed, and an interrupted thread stays interrupted.
   *
   * @param step takes one step
   */
  public void run(Step step) {
    boolean goesOn = true;
    while (goesOn) {
      try {
        goesOn = step.take();
      } catch (InterruptedException e) {
        goesOn = false;
        Thread.currentThread().interrupt();
      } catch (Throwable e) {
        failed(e);
        goesOn = rest();
      }
      done();
    }
    close();
  }

  /**
   * Returns a task for a timer, which would never run a task again that has thrown something.
   *
   * @param step takes one step
   * @return runs the step and throws nothing
   */
  public Runnable guarded(Runnable step) {
    return () -> {
      try {
        step.run();
      } catch (Throwable e) {
        failed(e);
      }
      done();
    };
  }

  private static boolean rest() {
    try {
      Thread.sleep(REST_MS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Notes that a part of a long step is done, so that the service is not taken for a dead one. */
  public void done() {
    lastNanos = nanoClock.getAsLong();
  }

  /**
   * Counts and logs an error in a step that goes on itself.
   *
   * @param e what was thrown
   */
  public void failed(Throwable e) {
    failures.incrementAndGet();
    try {
      say.accept(e);
    } catch (Throwable more) {
      // There may be no memory for a line. The count says that there was an error.
      failures.incrementAndGet();
    }
  }

  long ageNanos() {
    return Math.max(0, nanoClock.getAsLong() - lastNanos);
  }

  long failures() {
    return failures.get();
  }

  /** Takes the service out of the metrics, because it has ended on purpose. */
  @Override
  public void close() {
    closed.accept(this);
  }
}
