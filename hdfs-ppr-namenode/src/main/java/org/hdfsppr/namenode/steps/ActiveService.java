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
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.service.ServiceSteps;
import org.hdfsppr.service.Services;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A service of the active NameNode. A thread of its own takes steps, and between them carries out
 * the calls of other threads ({@link #call}). Each step keeps this order:
 *
 * <ol>
 *   <li>If the term whose state is loaded is over, the service forgets that state ({@link
 *       #forget}), because another NameNode may go on with it.
 *   <li>If this NameNode is not active, the service rests ({@link #rest}), and the step ends.
 *   <li>If the state of the term is not loaded, the service forgets what a failed load may have
 *       left, loads the state ({@link #load}), and publishes it. If the load fails, the step ends,
 *       and the next step tries again.
 *   <li>The service works ({@link #work}).
 *   <li>It publishes its state ({@link #publish}), unless the work has dropped that state.
 * </ol>
 *
 * An IOException in a step means that the NameNode does not answer now; a log line says so. Any
 * other error is counted as well. The next step follows in either case. All methods of subclasses
 * that this class calls run on the thread of the service; tests call {@link #step} on their own
 * threads.
 */
@InterfaceAudience.Private
public abstract class ActiveService implements Closeable {
  /**
   * The longest time between two steps, ms: the same as between two cycles of the repair manager.
   */
  protected static final long STEP_MS = 250;
  /** The time until the next step if a step has asked for another one soon, ms. */
  private static final long SOON_MS = 50;
  private static final long STOP_TIMEOUT_MS = 5_000;
  /**
   * How many calls may wait for the thread; further calls are refused. A step is short, and a call
   * may write to the edit log.
   */
  private static final int WISHES_MAX = 64;
  private static final Logger LOG = LoggerFactory.getLogger(ActiveService.class);

  private final PeerLog peerLog = new PeerLog(LOG);
  private final BlockingQueue<Runnable> wishes = new ArrayBlockingQueue<>(WISHES_MAX);
  private final Semaphore wakings = new Semaphore(0);
  private final String name;
  private final String service;
  private final long stepMs;
  /** Null until the service starts. */
  private volatile ServiceSteps steps;
  /** Null until the service starts. */
  private volatile Thread thread;
  private volatile OptionalLong loaded = OptionalLong.empty();
  /** Whether a failed load may have left some state that {@link #forget} has to remove. */
  private boolean isDirty;
  private volatile boolean isStopped;

  /**
   * @param name the thread's name, under which metrics show the age of its last step
   * @param service what the service does, in the plural, for log lines: "conversions"
   * @param stepMs the longest time between two steps, ms
   */
  protected ActiveService(String name, String service, long stepMs) {
    this.name = name;
    this.service = service;
    this.stepMs = stepMs;
  }

  /** @return the term in which this NameNode is active now; empty if it is not */
  protected abstract OptionalLong term();

  /**
   * @param wasLoaded whether a loaded state is forgotten; if not, there is at most what a failed
   *     load has left
   */
  protected void forget(boolean wasLoaded) {
    // A service that keeps nothing has nothing to forget.
  }

  /**
   * @param term the term in which this NameNode is active
   * @return whether the state of the term is loaded
   * @throws IOException if it is not, because the NameNode does not answer
   */
  protected boolean load(long term) throws IOException {
    return true;
  }

  /**
   * @return whether the next step should come soon
   * @throws IOException if the NameNode does not answer
   */
  protected abstract boolean work() throws IOException;

  /** @return whether the next step should come soon */
  protected boolean rest() {
    return false;
  }

  /** Shows the state to other threads, after it was loaded and after each step that has worked. */
  protected void publish() {
    // Some services have no state that other threads read.
  }

  /** @param e the error of a step, for a log line at a bounded rate */
  protected void say(Throwable e) {
    peerLog.error(e.getClass().getName(), "A step of the {} failed", service, e);
  }

  /**
   * Starts the thread.
   *
   * @param services watches whether the thread still takes steps
   */
  public final void start(Services services) {
    steps = services.open(name, this::say);
    thread = new Thread(() -> steps.run(this::take), name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Brings the next step forward. Any thread may call this. */
  public final void wake() {
    if (wakings.availablePermits() == 0) {
      wakings.release();
    }
  }

  /**
   * Takes a step.
   *
   * @return whether the next step should come soon
   */
  public final boolean step() {
    boolean isHurried = false;
    OptionalLong term = term();
    if (loaded.isPresent() && !loaded.equals(term) || isDirty && term.isEmpty()) {
      drop();
    }
    if (term.isEmpty()) {
      return rest();
    }
    try {
      if (loaded.isEmpty()) {
        if (!loadAnew(term)) {
          return false;
        }
        // The work may fail at each step. Callers must see the loaded state even then, to end what
        // fails.
        publish();
      }
      isHurried = work();
    } catch (IOException e) {
      say(e);
    }
    if (loaded.isPresent()) {
      publish();
    }
    return isHurried;
  }

  /** Forgets what is loaded, so that the next step loads it again. */
  protected final void drop() {
    boolean wasLoaded = loaded.isPresent();
    isDirty = true;
    loaded = OptionalLong.empty();
    forget(wasLoaded);
    isDirty = false;
  }

  /**
   * Forgets what is loaded, and loads at once.
   *
   * @param term the term in which this NameNode is active
   * @return whether the state of the term is loaded
   * @throws IOException if it is not, because the NameNode does not answer
   */
  protected final boolean loadAnew(OptionalLong term) throws IOException {
    drop();
    isDirty = true;
    if (!load(term.getAsLong())) {
      return false;
    }
    loaded = term;
    return true;
  }

  /** @return the term whose state is loaded; empty if there is none. Any thread may call this */
  protected final OptionalLong loaded() {
    return loaded;
  }

  /** @return whether the state of the present term is loaded. Any thread may call this */
  protected final boolean isCurrent() {
    OptionalLong known = loaded;
    return known.isPresent() && known.equals(term());
  }

  /** Tells the watch over the threads that a part of a long step is done. */
  protected final void done() {
    ServiceSteps running = steps;
    if (running != null) {
      running.done();
    }
  }

  private boolean take() throws InterruptedException {
    if (isStopped) {
      return false;
    }
    long waitMs = stepMs;
    try {
      for (Runnable wish = wishes.poll(); wish != null; wish = wishes.poll()) {
        wish.run();
      }
      waitMs = step() ? SOON_MS : stepMs;
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

  /** @return whether the service has to end; a long step should then end early */
  protected final boolean isStopped() {
    return isStopped;
  }

  /**
   * Lets the service's thread carry out a short work, and waits for the result.
   *
   * @param <T> what the work returns
   * @param what a short work
   * @param timeoutMs how long to wait, ms
   * @return the result of the work
   * @throws RetriableException if the time is over, too many calls wait, or the NameNode stops; the
   *     work is then not done, unless it has begun
   * @throws IOException if the work has failed
   */
  public final <T> T call(Callable<T> what, long timeoutMs) throws IOException {
    CompletableFuture<T> answer = new CompletableFuture<>();
    if (isStopped) {
      throw new RetriableException("The NameNode stops");
    }
    boolean isTaken = wishes.offer(() -> {
      if (!answer.isDone()) {
        try {
          answer.complete(what.call());
        } catch (Throwable e) {
          // The caller gets the error at once, instead of waiting for the timeout.
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
      // The caller's client tries the other NameNode, or this one after its restart.
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

  /** Lets the thread end after its present step. */
  protected final void stop() {
    isStopped = true;
    wake();
  }

  /**
   * @param waitMs how long to wait, ms
   * @return whether the thread has ended, or was never started
   * @throws InterruptedException if the calling thread is interrupted
   */
  protected final boolean awaitEnd(long waitMs) throws InterruptedException {
    Thread running = thread;
    if (running != null) {
      running.join(waitMs);
    }
    return running == null || !running.isAlive();
  }

  /**
   * Ends the thread after its present step. The thread is not interrupted: it may be writing to the
   * NameNode's edit log, and an interrupt would close the files of that log.
   */
  @Override
  public void close() {
    stop();
    try {
      if (!awaitEnd(STOP_TIMEOUT_MS)) {
        LOG.warn("The {} have not ended within {} ms", service, STOP_TIMEOUT_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
