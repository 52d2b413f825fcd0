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
package org.hdfsppr.datanode.repair;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hdfsppr.stream.DestinationSession;

/** Lets any thread cancel a job or ask for the job's progress. Thread-safe. */
final class JobControl {
  private final CountDownLatch cancelled = new CountDownLatch(1);
  /**
   * The attempt under way; null between attempts. A thread that writes this field holds the
   * monitor.
   */
  private volatile DestinationSession running;
  private volatile String reason = "";

  boolean isCancelled() {
    return cancelled.getCount() == 0;
  }

  /** Returns why the job was cancelled; empty while it is not cancelled. */
  String reason() {
    return reason;
  }

  /** Ends the job soon: the attempt under way fails, and no other follows. */
  synchronized void cancel(String why) {
    if (!isCancelled()) {
      reason = why;
    }
    cancelled.countDown();
    if (running != null) {
      running.giveUp();
    }
  }

  /** Begins an attempt: from now on a cancellation ends {@code rebuild} too. */
  synchronized void begin(DestinationSession rebuild) {
    running = rebuild;
    if (isCancelled()) {
      rebuild.giveUp();
    }
  }

  /** Notes that the attempt has ended. */
  synchronized void end() {
    running = null;
  }

  /**
   * Waits for a cancellation. Returns true as soon as the job is cancelled, and false if {@code
   * timeoutMs} pass first.
   */
  boolean awaitCancelled(long timeoutMs) throws InterruptedException {
    return cancelled.await(timeoutMs, TimeUnit.MILLISECONDS);
  }

  /**
   * Returns how much of the attempt under way is done, 0 to 100 percent; 0 if no attempt is under
   * way. Does not wait.
   */
  int donePercent() {
    DestinationSession now = running;
    return now == null ? 0 : now.donePercent();
  }
}
