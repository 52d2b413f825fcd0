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
package org.hdfsppr.client.update;

import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The writers of a file, which leaders know by random numbers. Each writer serves one write at a
 * time, which continues the numbers of the write before. After a failed write its writer is not
 * used again, because it is not known which of its updates the logs have. Thread-safe.
 */
@InterfaceAudience.Private
final class WriterPlaces {
  /** A writer. Used by one thread. */
  static final class Writer {
    final long name;
    private long count;

    private Writer(long name) {
      this.name = name;
    }

    /** Returns the number of the last update. */
    long count() {
      return count;
    }

    /** Takes note that updates with numbers up to this one may have been sent. */
    void advance(long to) {
      count = Math.max(count, to);
    }
  }

  private final Semaphore places;
  private final LongSupplier names;
  /** Guarded by itself. */
  private final Deque<Writer> idle = new ArrayDeque<>();

  /**
   * @param most the most writes under way
   * @param names makes random numbers, by which leaders know writers
   */
  WriterPlaces(int most, LongSupplier names) {
    this.places = new Semaphore(most, true);
    this.names = names;
  }

  /**
   * Returns a writer, which the caller gives back. The wait is bounded, because each write ends in
   * bounded time.
   */
  Writer take() throws InterruptedIOException {
    try {
      places.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The caller does not wait for a write any more");
    }
    synchronized (idle) {
      return idle.isEmpty() ? new Writer(names.getAsLong()) : idle.pop();
    }
  }

  /** @param isDone whether all its updates were acknowledged */
  void give(Writer writer, boolean isDone) {
    if (isDone) {
      synchronized (idle) {
        idle.push(writer);
      }
    }
    places.release();
  }
}
