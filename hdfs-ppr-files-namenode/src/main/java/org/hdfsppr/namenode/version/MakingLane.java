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
package org.hdfsppr.namenode.version;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.hdfsppr.namenode.steps.NameNodeThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the files of one kind made, in steps on a few threads. Between two steps, a file has no
 * thread. A bounded number of files is made at a time, and as many again may wait to begin. No
 * thread is ever interrupted, because steps write to the NameNode's edit log. Thread-safe.
 *
 * <pre>
 *   begin() -> waits in the queue -> due -> a thread takes a step -> end()
 *                                     ^             |
 *                                     +-- pause ----+     a pause ends early when news comes
 * </pre>
 */
final class MakingLane {
  private static final Logger LOG = LoggerFactory.getLogger(MakingLane.class);
  /** Each file that is made has two places: one of its own, and one for the file that is next. */
  private static final int PLACES_PER_FILE = 2;

  /** A file that is made in steps. One thread at a time calls the methods. */
  interface Task {
    /** Takes a step; returns what follows. If it throws anything, the file is at its end. */
    Progress step();

    /**
     * Gives back all that the file has. This is called once, after the last step.
     *
     * @param failure what the last step has thrown; null if it has returned that all is done
     */
    void release(Throwable failure);

    /** Passes the outcome on. This is called once, when the file has no place in the lane. */
    void tell();
  }

  private final int filesMax;
  private final int threadsMax;
  private final ThreadFactory factory;
  /**
   * The files whose next step no thread has taken yet. A file that is being made is either here or
   * at one thread.
   */
  private final DelayQueue<Turn> due = new DelayQueue<>();
  /** Ends the threads that find it among the due files. */
  private final Turn last = new Turn(null);

  // The lock of this object guards the following fields.
  private final List<Turn> running;
  private final Deque<Turn> queued = new ArrayDeque<>();
  /** How many threads were begun. Each of them takes steps until the lane is closed and empty. */
  private int threads;
  private boolean isClosed;

  /** A file in this lane, and when its next step is due. Thread-safe. */
  final class Turn implements Delayed, VersionNews {
    private final Task task;
    /** Changes only while this turn is not among those that are due. */
    private volatile long dueNanos = System.nanoTime();
    /** Whether news has come since the present or last step began. */
    private boolean hasNews;

    private Turn(Task task) {
      this.task = task;
    }

    @Override
    public synchronized void come() {
      hasNews = true;
      // A turn that is due already keeps its place before those that became due later.
      if (dueNanos - System.nanoTime() > 0 && due.remove(this)) {
        pause(Progress.AT_ONCE);
      }
    }

    /** From here on, news leads to another step, because this one may have looked before. */
    private synchronized void beginStep() {
      hasNews = false;
    }

    private synchronized void pause(Progress progress) {
      dueNanos = System.nanoTime()
          + (hasNews ? 0 : TimeUnit.MILLISECONDS.toNanos(progress.pauseMs));
      due.add(this);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.signum(dueNanos - ((Turn) other).dueNanos);
    }
  }

  /**
   * @param filesMax how many files are made at a time at most, at least 1
   * @param threadsMax how many threads take steps at most, at least 1
   * @param name what the names of the threads begin with
   */
  MakingLane(int filesMax, int threadsMax, String name) {
    this.filesMax = filesMax;
    this.threadsMax = threadsMax;
    this.factory = new NameNodeThreads(name);
    // Neither of these grows later, so that no file is lost from them for lack of memory.
    this.running = new ArrayList<>(filesMax);
    for (int i = 0; i <= filesMax; i++) {
      due.add(new Turn(null));
    }
    due.clear();
  }

  /** Returns whether another file may begin, or wait to begin. */
  synchronized boolean hasPlace() {
    return !isClosed && running.size() + queued.size() < PLACES_PER_FILE * filesMax;
  }

  /** Returns a turn for a task, which {@link #begin} begins. */
  Turn turn(Task task) {
    return new Turn(task);
  }

  /** Begins a file, or lets it wait until another one has ended; returns false if it may not. */
  synchronized boolean begin(Turn turn) {
    if (!hasPlace()) {
      return false;
    }
    if (threads < Math.min(threadsMax, running.size() + queued.size() + 1)) {
      factory.newThread(this::takeSteps).start();
      threads++;
    }
    if (running.size() < filesMax) {
      run(turn);
    } else {
      queued.add(turn);
    }
    return true;
  }

  private void run(Turn turn) {
    due.add(turn);
    running.add(turn);
  }

  private void takeSteps() {
    while (true) {
      try {
        Turn next = due.take();
        if (next == last) {
          // The other threads end as well.
          due.add(last);
          return;
        }
        takeStep(next);
      } catch (Throwable e) {
        // Nothing here interrupts a thread. Neither an interrupt that came from elsewhere during a
        // step nor an error keeps the other files from being made.
        say(e);
      }
    }
  }

  private void say(Throwable failure) {
    try {
      LOG.error("The thread {} goes on after a failure", Thread.currentThread().getName(), failure);
    } catch (Throwable e) {
      // Memory lacks even for a line in the log. The other files are made nevertheless.
      Thread.onSpinWait();
    }
  }

  private void takeStep(Turn turn) {
    Throwable failure = null;
    try {
      turn.beginStep();
      Progress progress = turn.task.step();
      if (!progress.isDone()) {
        turn.pause(progress);
        return;
      }
    } catch (Throwable e) {
      // Any error, also an OutOfMemoryError, ends this file and no other one.
      failure = e;
    }
    try {
      turn.task.release(failure);
    } finally {
      try {
        ended(turn);
      } finally {
        turn.task.tell();
      }
    }
  }

  private synchronized void ended(Turn turn) {
    running.remove(turn);
    while (running.size() < filesMax && !queued.isEmpty()) {
      run(queued.element());
      queued.remove();
    }
    endIfEmpty();
  }

  private void endIfEmpty() {
    if (isClosed && isEmpty()) {
      due.add(last);
      notifyAll();
    }
  }

  private boolean isEmpty() {
    return running.isEmpty() && queued.isEmpty();
  }

  /** Returns how many files are being made. */
  synchronized int running() {
    return running.size();
  }

  /** Returns how many files wait to begin. */
  synchronized int queued() {
    return queued.size();
  }

  /**
   * Refuses files from now on. Those that were taken before go on, and have a step at once, in
   * which they can see that they have to end.
   */
  synchronized void close() {
    isClosed = true;
    running.forEach(Turn::come);
    endIfEmpty();
  }

  /** Waits until all files have ended; returns false if they have not ended after this time. */
  synchronized boolean awaitEnd(long ms) throws InterruptedException {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    while (!isEmpty()) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      if (leftMs <= 0) {
        return false;
      }
      wait(leftMs);
    }
    return true;
  }
}
