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
 * Runs the steps of one service so that no error ends the service. After an OutOfMemoryError or a
 * StackOverflowError in one step, the next step may succeed. If the thread ended instead, only
 * users would notice, because its work would no longer be done. This class therefore counts and
 * logs whatever a step throws, and takes the next step. Counting and pausing need no memory,
 * because there may be none. Thread-safe.
 */
@InterfaceAudience.Private
public final class ServiceSteps implements Closeable {
  /**
   * The pause after a step that has failed, ms. A step may fail before it waits for its time.
   * Without a pause, such steps would keep a processor busy.
   */
  static final long REST_MS = 100;

  /** A step of a service that runs on its own thread. */
  @FunctionalInterface
  public interface Step {
    /**
     * Takes a step, and waits until the next step is due.
     *
     * @return whether there is a next step; false ends the service
     * @throws InterruptedException if the thread is interrupted, which ends the service
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
   * Takes steps on the calling thread until a step returns false, or the thread is interrupted.
   * Then closes the service. An interrupted thread stays interrupted.
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
   * Wraps a step as a task for a timer. A timer never runs a task again that has thrown an
   * exception, so that the task counts and logs exceptions of the step instead of throwing them.
   *
   * @param step takes one step
   * @return the task, which never throws
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

  /**
   * Sets the service's age to 0. A long step calls this method after each of its parts, so that
   * metrics do not show the service as dead.
   */
  public void done() {
    lastNanos = nanoClock.getAsLong();
  }

  /**
   * Counts and logs an error. A step calls this method if it catches an error and continues.
   *
   * @param e the error
   */
  public void failed(Throwable e) {
    failures.incrementAndGet();
    try {
      say.accept(e);
    } catch (Throwable more) {
      // There may be no memory for a log line. The count still shows that there was an error.
      failures.incrementAndGet();
    }
  }

  long ageNanos() {
    return Math.max(0, nanoClock.getAsLong() - lastNanos);
  }

  long failures() {
    return failures.get();
  }

  /**
   * Removes the service from the metrics. The caller does this when it ends the service on purpose.
   */
  @Override
  public void close() {
    closed.accept(this);
  }
}
