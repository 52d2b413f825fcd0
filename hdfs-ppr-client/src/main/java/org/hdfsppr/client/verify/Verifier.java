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
 * Checks several groups at a time. The thread that finds groups waits while enough of them are
 * waiting to be checked. One thread hands in groups; findings come from several threads, one after
 * the other.
 */
@InterfaceAudience.Private
final class Verifier implements Closeable {
  private final ThreadPoolExecutor threads;
  private final Function<GroupSpot, GroupFinding> check;
  private final Consumer<GroupFinding> findings;
  private final Tally tally;

  /**
   * @param atATime the most groups that are checked at the same time; as many more may wait
   * @param check checks a group, and throws nothing
   * @param findings takes the findings, one at a time
   * @param tally counts the findings
   */
  Verifier(int atATime, Function<GroupSpot, GroupFinding> check,
      Consumer<GroupFinding> findings, Tally tally) {
    this.check = check;
    this.findings = findings;
    this.tally = tally;
    threads = new ThreadPoolExecutor(atATime, atATime, 0, TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(atATime), new Daemon.DaemonFactory());
    threads.setRejectedExecutionHandler((work, pool) -> waitFor(work));
  }

  /** Hands in a group. Waits while too many are waiting. */
  void submit(GroupSpot spot) {
    threads.execute(() -> {
      // An error, such as a lack of memory, ends the thread. Without a finding, the group would be
      // missing in the tally, and all would seem to be fine.
      GroupFinding finding = GroupFinding.of(spot, Verdict.NOT_CHECKED,
          "it could not be checked: an error ended the check");
      try {
        finding = check.apply(spot);
      } finally {
        tally.add(finding);
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
