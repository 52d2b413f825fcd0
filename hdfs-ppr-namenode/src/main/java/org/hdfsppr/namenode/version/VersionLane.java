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

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The threads that make files of one kind, and the bounded places of those that are under way or
 * wait for a thread. Thread-safe.
 */
@InterfaceAudience.Private
final class VersionLane {
  private static final long IDLE_THREAD_S = 30;
  /** For each thread there are two places: for the file that it makes, and for one that waits. */
  private static final int PLACES_PER_THREAD = 2;

  private final ThreadPoolExecutor pool;
  private final int placesMax;
  private final AtomicInteger places = new AtomicInteger();

  /**
   * @param threads how many files are made at a time, at least 1
   * @param name what the names of the threads begin with
   */
  VersionLane(int threads, String name) {
    placesMax = PLACES_PER_THREAD * threads;
    AtomicInteger numbers = new AtomicInteger();
    pool = new ThreadPoolExecutor(threads, threads, IDLE_THREAD_S, TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(placesMax), task -> {
      Thread thread = new Thread(task, name + numbers.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    });
    pool.allowCoreThreadTimeOut(true);
  }

  /** Takes a place, which {@link #leave} gives back. Returns false if all are taken. */
  boolean enter() {
    if (places.incrementAndGet() > placesMax) {
      places.decrementAndGet();
      return false;
    }
    return true;
  }

  void leave() {
    places.decrementAndGet();
  }

  /**
   * Has a thread run the task of a place.
   *
   * @throws RejectedExecutionException if the lane is closed
   */
  void execute(Runnable task) {
    pool.execute(task);
  }

  int running() {
    return pool.getActiveCount();
  }

  int queued() {
    return pool.getQueue().size();
  }

  /** Takes no task any more. What is under way goes on. */
  void close() {
    pool.shutdown();
  }

  /** Returns whether all tasks have ended within a time. */
  boolean awaitEnd(long ms) throws InterruptedException {
    return pool.awaitTermination(ms, TimeUnit.MILLISECONDS);
  }
}
