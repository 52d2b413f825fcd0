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
package org.hdfsppr.client.nbd.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that work for all connections in turn. Each connection has a lane: its tasks begin in
 * their order, and a lane with many tasks gets no more turns than one with few. A lane runs at most
 * as many tasks as threads stay free for other lanes, so that lanes with long tasks never hold all
 * threads. The queue of a lane has no bound; its caller bounds its requests. Threads start when
 * there is work, up to a limit. Thread-safe.
 */
final class FairWorkers {
  private static final Logger LOG = LoggerFactory.getLogger(FairWorkers.class);
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  private final int threadsMost;
  private final int runningMost;
  private final ThreadFactory factory;
  /** Lanes with a task that may begin. Guarded by this, like all that changes. */
  private final Deque<Lane> ready = new ArrayDeque<>();
  /** Lanes with tasks that wait for the end of other tasks. */
  private final Set<Lane> held = new LinkedHashSet<>();
  private int running;
  private int threads;
  private int idle;
  /** Whether the last start of a thread has failed; the next task then tries again. */
  private boolean lacksThread;
  private boolean isStopped;

  /**
   * @param threadsMost the most tasks that run at the same time
   * @param runningMost the most tasks of one lane that run at the same time
   */
  FairWorkers(int threadsMost, int runningMost) {
    this(threadsMost, runningMost, FairWorkers::daemon);
  }

  /** @param factory makes threads; their start may fail */
  FairWorkers(int threadsMost, int runningMost, ThreadFactory factory) {
    this.threadsMost = threadsMost;
    this.runningMost = runningMost;
    this.factory = factory;
  }

  private static Thread daemon(Runnable work) {
    Daemon thread = new Daemon(work);
    thread.setName("nbd-worker");
    return thread;
  }

  Lane lane() {
    return new Lane();
  }

  /** Ends the threads once no task is left. Tasks that wait are still run. */
  synchronized void stop() {
    isStopped = true;
    notifyAll();
  }

  /** The tasks of one connection. */
  final class Lane {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private int running;
    private boolean isReady;

    private Lane() {
    }

    /**
     * Queues a task for the threads.
     *
     * @return false if the task will not run, because the server has no thread and cannot start one
     */
    boolean execute(Runnable task) {
      synchronized (FairWorkers.this) {
        tasks.add(task);
        line(this);
        if (lacksThread && threads > 0) {
          startThread();
        }
        if (threads > 0) {
          return true;
        }
        tasks.removeLast();
        if (tasks.isEmpty()) {
          held.remove(this);
          isReady = false;
          ready.remove(this);
        }
        return false;
      }
    }
  }

  /**
   * Puts a lane into the line if one of its tasks may begin, and wakes or starts a thread for it.
   */
  private void line(Lane lane) {
    if (lane.isReady || lane.tasks.isEmpty()) {
      return;
    }
    if (!mayBegin(lane)) {
      held.add(lane);
      return;
    }
    held.remove(lane);
    lane.isReady = true;
    ready.add(lane);
    if (idle >= ready.size()) {
      notify();
    } else {
      startThread();
    }
  }

  /**
   * Returns whether more threads are free than the lane has tasks running, or the lane runs none.
   */
  private boolean mayBegin(Lane lane) {
    int free = threadsMost - running - ready.size();
    return lane.running == 0 || lane.running < Math.min(runningMost, free);
  }

  /**
   * Starts a thread, up to the limit. If the start fails, the threads that run already do all
   * tasks.
   */
  private void startThread() {
    if (threads == threadsMost) {
      return;
    }
    threads++;
    boolean isStarted = false;
    try {
      factory.newThread(this::work).start();
      isStarted = true;
    } catch (RuntimeException | OutOfMemoryError e) {
      PEER_LOG.error("thread", "The block device goes on with " + (threads - 1)
          + " threads for requests, because no further one could start", e);
    } finally {
      lacksThread = !isStarted;
      if (!isStarted) {
        threads--;
      }
    }
  }

  private void work() {
    for (Turn turn = next(); turn != null; turn = next()) {
      run(turn);
    }
  }

  private static final class Turn {
    private final Lane lane;
    private final Runnable task;

    Turn(Lane lane, Runnable task) {
      this.lane = lane;
      this.task = task;
    }
  }

  /**
   * Waits for a lane with a task, and takes both under one lock. If the task stayed in its lane
   * until later, the end of another task could put the lane into the line again, and the next
   * thread would find the lane empty.
   *
   * @return the task and its lane; null if this thread has to end
   */
  private synchronized Turn next() {
    while (ready.isEmpty()) {
      if (isStopped) {
        threads--;
        return null;
      }
      idle++;
      try {
        wait();
      } catch (InterruptedException e) {
        // These threads end by a call of stop, and not by an interrupt.
        LOG.debug("{} was interrupted", Thread.currentThread().getName(), e);
      } finally {
        idle--;
      }
    }
    Lane lane = ready.remove();
    lane.isReady = false;
    lane.running++;
    running++;
    Turn turn = new Turn(lane, lane.tasks.remove());
    line(lane);
    return turn;
  }

  private void run(Turn turn) {
    try {
      turn.task.run();
    } catch (Throwable e) {
      // A task answers its client whatever happens. If it could not even do that, the thread still
      // serves the other clients.
      LOG.error("A request of a client of the block device ended with an error", e);
    }
    synchronized (this) {
      turn.lane.running--;
      running--;
      line(turn.lane);
      // One more thread is free, so that tasks of held lanes may begin.
      new ArrayList<>(held).forEach(this::line);
    }
  }
}
