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

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;

/**
 * Hands one piece of work at a time from a caller to another thread. The handler of an RPC must not
 * call a method of the NameNode that changes something twice: the NameNode would take the second
 * call for a repetition of the first, and do nothing. Thread-safe.
 */
@InterfaceAudience.Private
final class HandedWork {
  private final AtomicReference<Handed> next = new AtomicReference<>();

  /** Some work. */
  interface Work {
    void run() throws IOException;
  }

  /** Work, and its end. */
  private static final class Handed {
    private final Work work;
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    Handed(Work work) {
      this.work = work;
    }
  }

  /**
   * Waits until the other thread has done some work.
   *
   * @param msMax how long to wait, ms. Work that has not begun by then is not done
   * @throws RetriableException if other work waits, or this work has not ended
   */
  void call(Work work, long msMax) throws IOException {
    Handed handed = new Handed(work);
    if (!next.compareAndSet(null, handed)) {
      throw new RetriableException("Another caller looks at the same; try again");
    }
    try {
      handed.end.get(msMax, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new RetriableException("The NameNode's plugin is clearing up, which takes longer; try"
          + " again");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The NameNode stops");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException ? (IOException) e.getCause()
          : new IOException(e.getCause());
    } finally {
      next.compareAndSet(handed, null);
    }
  }

  /** Does the work that waits, if there is any. The other thread calls this. */
  void run() {
    Handed handed = next.get();
    if (handed == null || handed.end.isDone()) {
      return;
    }
    try {
      handed.work.run();
      handed.end.complete(null);
    } catch (Throwable e) {
      // The caller gets any failure.
      handed.end.completeExceptionally(e);
    }
  }
}
