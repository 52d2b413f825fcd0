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
package org.hdfsppr.namenode.steps;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.service.ServiceSteps;
import org.hdfsppr.service.Services;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the steps of a service, and callers' wishes between them, on a thread of its own. */
@InterfaceAudience.Private
public final class StepThread implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(StepThread.class);
  /** The longest time between two steps, ms: as long as between two cycles of the manager. */
  private static final long STEP_MS = 250;
  /** The time until the next step while the service is hurried, ms. */
  private static final long SOON_MS = 50;
  private static final long STOP_TIMEOUT_MS = 5_000;
  /** How many wishes may wait. A step is short, and each wish is a line of the edit log. */
  private static final int WISHES_MAX = 64;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final BlockingQueue<Runnable> wishes = new ArrayBlockingQueue<>(WISHES_MAX);
  private final Semaphore wakings = new Semaphore(0);
  private final String service;
  private final ServiceSteps steps;
  private final Thread thread;
  private BooleanSupplier step;
  private volatile boolean isStopped;

  /**
   * @param name the thread's name
   * @param service what it does, in the plural: "conversions"
   * @param services shows by the thread's name whether the thread gets on
   */
  public StepThread(String name, String service, Services services) {
    this.service = service;
    this.steps = services.open(name, e ->
        peerLog.error(e.getClass().getName(), "A step of the {} failed", service, e));
    this.thread = new Thread(() -> steps.run(this::take), name);
    thread.setDaemon(true);
  }

  /** @param next takes a step; returns whether the next one should come soon */
  public void start(BooleanSupplier next) {
    step = next;
    thread.start();
  }

  /** Brings the next step forward. Any thread may call this. */
  public void wake() {
    if (wakings.availablePermits() == 0) {
      wakings.release();
    }
  }

  private boolean take() throws InterruptedException {
    if (isStopped) {
      return false;
    }
    long waitMs = STEP_MS;
    try {
      for (Runnable wish = wishes.poll(); wish != null; wish = wishes.poll()) {
        wish.run();
      }
      waitMs = step.getAsBoolean() ? SOON_MS : STEP_MS;
    } catch (Throwable e) {
      steps.failed(e);
    }
    try {
      wakings.tryAcquire(waitMs, TimeUnit.MILLISECONDS);
      wakings.drainPermits();
      return true;
    } catch (InterruptedException e) {
      LOG.info("The {} were interrupted and end", service);
      isStopped = true;
      throw e;
    }
  }

  /** @return whether the thread shall end, so that a long step should */
  public boolean isStopped() {
    return isStopped;
  }

  /**
   * Lets the thread do something, and waits for that for a bounded time.
   *
   * @param <T> what the work returns
   * @param what a short work
   * @param timeoutMs how long to wait, ms
   * @return what it has returned
   * @throws RetriableException if the thread has not got to it, or the NameNode stops; it will not
   *     be done, unless it has begun
   * @throws IOException if the work has failed
   */
  public <T> T call(Callable<T> what, long timeoutMs) throws IOException {
    CompletableFuture<T> answer = new CompletableFuture<>();
    if (isStopped) {
      throw new RetriableException("The NameNode stops");
    }
    boolean isTaken = wishes.offer(() -> {
      if (!answer.isDone()) {
        try {
          answer.complete(what.call());
        } catch (Throwable e) {
          // The caller gets it at once, and does not wait for a thread that has failed.
          answer.completeExceptionally(e);
        }
      }
    });
    if (!isTaken) {
      throw new RetriableException("Too many calls wait for the " + service + "; try again");
    }
    wake();
    try {
      return answer.get(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(false);
      throw new RetriableException("The " + service + " have not answered within " + timeoutMs
          + " ms; the NameNode's log says why they do not get on");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer.cancel(false);
      // Callers go on with the other NameNode, or with this one when it has started again.
      throw new RetriableException("The NameNode stops");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException) {
        throw (IOException) e.getCause();
      }
      LOG.error("A call of a user to the {} has failed", service,
          PeerText.oneLine(e.getCause()));
      throw new IOException("It has failed; the NameNode's log says why", e.getCause());
    }
  }

  /**
   * Ends the thread after its present step. The thread is not interrupted: it may just write to the
   * NameNode's edit log, and an interrupt would close the files of that log.
   */
  @Override
  public void close() {
    isStopped = true;
    wake();
    try {
      thread.join(STOP_TIMEOUT_MS);
      if (thread.isAlive()) {
        LOG.warn("The {} have not ended within {} ms", service, STOP_TIMEOUT_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
