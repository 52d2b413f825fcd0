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

/** Waits for a condition and never longer than stated; the only place here that sleeps. */
@InterfaceAudience.Private
public final class Await {

  /** A condition whose evaluation may ask a daemon and so may fail. */
  @FunctionalInterface
  @InterfaceAudience.Private
  public interface Condition {
    /**
     * {@return whether it holds now}
     *
     * @throws IOException if it never will
     * @throws InterruptedException if the calling thread is interrupted
     */
    boolean holds() throws IOException, InterruptedException;
  }

  private Await() {
  }

  /**
   * Evaluates the condition every {@code interval} until it holds.
   *
   * @param what the condition in words, for the exception.
   * @param limit how long at most
   * @param interval between two looks
   * @param condition what is waited for
   * @throws TimeoutException if it does not hold within {@code limit}; names {@code what}.
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static void until(String what, Duration limit, Duration interval, Condition condition)
      throws IOException, InterruptedException, TimeoutException {
    until(() -> what, limit, interval, condition);
  }

  /**
   * As above, with words that can say how far things had come when the time was up.
   *
   * @param what names it in the message
   * @param limit how long at most
   * @param interval between two looks
   * @param condition what is waited for
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if the time limit of the operation is exceeded
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
