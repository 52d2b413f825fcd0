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
package org.hdfsppr.bench.convert;

import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;


/** Carries out many tasks by a few threads. */
final class ManyTasks {

  /**
   * Carries out one task.
   *
   * @param <T> what a task is about
   */
  @FunctionalInterface
  interface Task<T> {
    void on(T what) throws IOException;
  }

  private ManyTasks() {
  }

  /**
   * Carries out a task on each element, and returns when all are done.
   *
   * @throws IOException the first failure; the remaining elements are left out
   */
  static <T> void run(int threads, List<T> all, Task<T> task)
      throws IOException, InterruptedException {
    Queue<T> left = new ConcurrentLinkedQueue<>(all);
    each(IntStream.range(0, threads).boxed().collect(Collectors.toList()), thread -> {
      for (T what = left.poll(); what != null; what = left.poll()) {
        try {
          task.on(what);
        } catch (IOException | RuntimeException e) {
          left.clear();
          throw e;
        }
      }
    });
  }

  /** Carries out a task on each element, each on a thread of its own. */
  static <T> void each(List<T> all, Task<T> task) throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(all.size());
    try {
      List<Future<Void>> tasks = all.stream().map(what -> threads.submit(() -> {
        task.on(what);
        return (Void) null;
      })).collect(Collectors.toList());
      for (Future<Void> one : tasks) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }
}
