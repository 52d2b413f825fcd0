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
package org.hdfsppr.it.util;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.apache.hadoop.classification.InterfaceAudience;

/** Waits until a condition holds, but no longer than a time limit. */
@InterfaceAudience.Private
public final class Await {

  /** A condition. It may have to ask a daemon, and may therefore fail. */
  @FunctionalInterface
  public interface Condition {
    /**
     * {@return whether the condition holds now}
     *
     * @throws IOException if the condition can never hold
     * @throws InterruptedException if the calling thread is interrupted
     */
    boolean holds() throws IOException, InterruptedException;
  }

  private Await() {
  }

  /**
   * Evaluates the condition every {@code interval} until the condition holds.
   *
   * @param what the condition in words, for the exception's message
   * @param limit the longest time to wait
   * @param interval the time between two evaluations
   * @param condition the condition
   * @throws TimeoutException if the condition does not hold within {@code limit}; the message
   *     contains {@code what}
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static void until(String what, Duration limit, Duration interval, Condition condition)
      throws IOException, InterruptedException, TimeoutException {
    until(() -> what, limit, interval, condition);
  }

  /**
   * As {@link #until(String, Duration, Duration, Condition)}, but calls {@code what} only when the
   * time limit is exceeded, so that the message can describe the state at that time.
   *
   * @param what returns the text of the exception's message
   * @param limit the longest time to wait
   * @param interval the time between two evaluations
   * @param condition the condition
   * @throws TimeoutException if the condition does not hold within {@code limit}
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static void until(Supplier<String> what, Duration limit, Duration interval,
      Condition condition) throws IOException, InterruptedException, TimeoutException {
    long start = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - start > limit.toNanos()) {
        throw new TimeoutException(
            "Not so after " + limit.toMillis() + " ms: " + what.get());
      }
      Thread.sleep(interval.toMillis());
    }
  }
}
