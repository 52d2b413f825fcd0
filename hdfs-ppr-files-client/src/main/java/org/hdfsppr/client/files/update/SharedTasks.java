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
package org.hdfsppr.client.files.update;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs tasks on the caller's thread and on free threads of a pool. If the pool has no free thread,
 * the caller's thread runs all tasks, so that they never wait for other work of the pool. After a
 * failure no further task begins.
 */
final class SharedTasks {
  /** A part of the work. */
  interface Task {
    void run() throws IOException;
  }

  private final Deque<Task> tasks;
  /** How many tasks run at present. Guarded by this, like {@link #tasks} and {@link #failure}. */
  private int running;
  private IOException failure;

  private SharedTasks(Collection<? extends Task> tasks) {
    this.tasks = new ArrayDeque<>(tasks);
  }

  /**
   * Runs all tasks, in any order, and waits until they have ended.
   *
   * @param pool an executor that refuses a task if none of its threads is free
   * @param helpers how many threads of the pool are used at most
   * @throws IOException the first failure; all tasks that have begun have ended
   */
  static void run(Collection<? extends Task> tasks, Executor pool, int helpers)
      throws IOException {
    SharedTasks crew = new SharedTasks(tasks);
    for (int i = 0; i < Math.min(helpers, tasks.size() - 1); i++) {
      try {
        pool.execute(crew::work);
      } catch (RejectedExecutionException e) {
        // The pool has no free thread, or is closed.
        break;
      }
    }
    crew.work();
    crew.await();
  }

  private void work() {
    for (Task task = next(); task != null; task = next()) {
      IOException why = new IOException("A task ended with an error");
      try {
        task.run();
        why = null;
      } catch (IOException e) {
        why = e;
      } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
        why.initCause(e);
      } finally {
        ended(why);
      }
    }
  }

  private synchronized Task next() {
    Task next = failure == null ? tasks.poll() : null;
    running += next == null ? 0 : 1;
    return next;
  }

  private synchronized void ended(IOException why) {
    running--;
    failure = failure == null ? why : failure;
    notifyAll();
  }

  private synchronized void await() throws IOException {
    while (running > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("The caller does not wait any more");
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
