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
package org.hdfsppr.client.device;

import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * Lets several callers share a sync. A caller needs a sync that begins after its call, because a
 * sync that runs already may miss the caller's writes. Callers that come while a sync runs wait for
 * its end; then one of them runs the next sync for all of them. Thread-safe.
 */
final class SharedSync {
  /** Syncs all writes that had returned before it began. */
  interface Sync {
    void run() throws IOException;
  }

  private final Sync sync;
  /** How many syncs have begun; {@link #ended} counts those that have ended. Guarded by this. */
  private long begun;
  private long ended;
  /** Why the sync that ended last has failed; null if it has succeeded. */
  private IOException failure;

  SharedSync(Sync sync) {
    this.sync = sync;
  }

  /**
   * Waits for the end of a sync that has begun after this call, and runs it if no other thread
   * does.
   *
   * @throws IOException if it has failed
   */
  void await() throws IOException {
    long wanted;
    synchronized (this) {
      wanted = begun + 1;
      while (ended < wanted && begun > ended) {
        awaitEnd();
      }
      if (ended >= wanted) {
        // If a further sync has ended meanwhile, its result counts instead: it has synced the same
        // writes, too.
        check();
        return;
      }
      begun++;
    }
    run();
  }

  private void awaitEnd() throws InterruptedIOException {
    try {
      wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The caller does not wait for the disks any more");
    }
  }

  private void run() throws IOException {
    IOException why = new IOException("A sync ended with an error");
    try {
      sync.run();
      why = null;
    } catch (IOException e) {
      why = e;
      throw e;
    } finally {
      synchronized (this) {
        failure = why;
        ended++;
        notifyAll();
      }
    }
  }

  private void check() throws IOException {
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
  }
}
