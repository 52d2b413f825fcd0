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
package org.hdfsppr.namenode.scrub;

import java.io.Closeable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.service.ServiceSteps;
import org.hdfsppr.service.Services;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the steps of a scrubber on a thread of its own. */
@InterfaceAudience.Private
public final class ScrubThread implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubThread.class);
  /** The time between two steps, ms: as long as between two cycles of the repair manager. */
  private static final long STEP_MS = 250;
  private static final long STOP_TIMEOUT_MS = 5_000;
  private static final String NAME = "ppr-scrubber";

  private final PeerLog peerLog = new PeerLog(LOG);
  private final ScrubPasses scrubber;
  private final ServiceSteps steps;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;

  private ScrubThread(ScrubPasses scrubber, Services services) {
    this.scrubber = scrubber;
    this.steps = services.open(NAME, e ->
        peerLog.error(e.getClass().getName(), "A step of the background checks failed", e));
    this.thread = new Thread(() -> steps.run(this::take), NAME);
    thread.setDaemon(true);
  }

  /**
   * Starts the thread.
   *
   * @param scrubber takes a step four times a second
   * @param services shows whether the thread gets on
   * @return ends the thread
   */
  public static ScrubThread start(ScrubPasses scrubber, Services services) {
    ScrubThread runner = new ScrubThread(scrubber, services);
    runner.thread.start();
    return runner;
  }

  private boolean take() throws InterruptedException {
    try {
      scrubber.step();
    } catch (Throwable e) {
      // The NameNode throws an AssertionError for some paths.
      steps.failed(e);
    }
    try {
      return !stopped.await(STEP_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      LOG.info("The background checks were interrupted and end");
      throw e;
    }
  }

  /**
   * Ends the thread after its present step. The thread is not interrupted: it may just write to the
   * NameNode's edit log, and an interrupt would close the files of that log.
   */
  @Override
  public void close() {
    stopped.countDown();
    try {
      thread.join(STOP_TIMEOUT_MS);
      if (thread.isAlive()) {
        LOG.warn("The background checks have not ended within {} ms", STOP_TIMEOUT_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
