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
package org.hdfsppr.client.verify;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Daemon;

/**
 * Checks several groups at a time, each with a finding. The thread that finds groups waits while
 * enough of them are waiting to be checked. One thread hands in groups; findings come from several
 * threads, one after the other.
 *
 * @param <T> what is checked
 * @param <F> what is found
 */
@InterfaceAudience.Private
final class Verifier<T, F> implements Closeable {
  private final ThreadPoolExecutor threads;
  private final Function<T, F> check;
  private final Function<T, F> failure;
  private final Consumer<F> findings;

  /**
   * @param atATime the most groups that are checked at the same time; as many more may wait
   * @param check checks a group, and throws nothing
   * @param failure makes the finding of a group whose check was ended by an error
   * @param findings takes the findings, one at a time
   */
  Verifier(int atATime, Function<T, F> check, Function<T, F> failure, Consumer<F> findings) {
    this.check = check;
    this.failure = failure;
    this.findings = findings;
    threads = new ThreadPoolExecutor(atATime, atATime, 0, TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(atATime), new Daemon.DaemonFactory());
    threads.setRejectedExecutionHandler((work, pool) -> waitFor(work));
  }

  /** Hands in a group. Waits while too many are waiting. */
  void submit(T group) {
    threads.execute(() -> {
      // An error, such as a lack of memory, ends the thread. Without a finding, the group would be
      // missing in the tally, and all would seem to be fine.
      F finding = failure.apply(group);
      try {
        finding = check.apply(group);
      } finally {
        synchronized (this) {
          findings.accept(finding);
        }
      }
    });
  }

  private void waitFor(Runnable work) {
    try {
      threads.getQueue().put(work);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The verification was interrupted", e);
    }
  }

  /**
   * Waits until all groups are checked. Each check has a bound, and so has the number of groups
   * that wait.
   *
   * @throws IOException if the wait is interrupted
   */
  void finish() throws IOException {
    threads.shutdown();
    try {
      while (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
        continue;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("The verification was interrupted")
          .initCause(e);
    }
  }

  /** Ends all checks. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
