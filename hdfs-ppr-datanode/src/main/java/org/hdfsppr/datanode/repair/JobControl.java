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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.stream.Rebuild;

/** Lets any thread end a job, and ask how far it is. Thread-safe. */
@InterfaceAudience.Private
final class JobControl {
  private final CountDownLatch cancelled = new CountDownLatch(1);
  /** Null between attempts. Written with the monitor held. */
  private volatile Rebuild running;
  private volatile String reason = "";

  boolean isCancelled() {
    return cancelled.getCount() == 0;
  }

  /** Why the job was cancelled; empty as long as it was not. */
  String reason() {
    return reason;
  }

  /** Ends the job soon: what runs now fails, and no other attempt follows. */
  synchronized void cancel(String why) {
    if (!isCancelled()) {
      reason = why;
    }
    cancelled.countDown();
    if (running != null) {
      running.cancel();
    }
  }

  /** The job's thread begins with {@code rebuild}, which a cancellation ends from now on. */
  synchronized void begin(Rebuild rebuild) {
    running = rebuild;
    if (isCancelled()) {
      rebuild.cancel();
    }
  }

  /** What ran has ended. */
  synchronized void end() {
    running = null;
  }

  /** Waits; returns true at once when the job is cancelled. */
  boolean awaitCancelled(long timeoutMs) throws InterruptedException {
    return cancelled.await(timeoutMs, TimeUnit.MILLISECONDS);
  }

  /** How much of the attempt under way is done, 0 to 100; 0 if there is none. Waits for nothing. */
  int donePercent() {
    Rebuild now = running;
    return now == null ? 0 : now.donePercent();
  }
}
