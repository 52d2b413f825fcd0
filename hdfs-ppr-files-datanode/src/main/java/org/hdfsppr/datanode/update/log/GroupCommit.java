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
package org.hdfsppr.datanode.update.log;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Lets threads that wait until their bytes are on the disk share one sync. The first thread syncs
 * all that was written before. Threads that come meanwhile wait until this sync ends; then one of
 * them syncs for all of them. After a failed sync it is unknown what is on the disk, and a second
 * sync could succeed although bytes are missing. So after a failure all calls fail. Thread-safe.
 */
final class GroupCommit {
  /** Syncs to the disk all that was written before. */
  interface Syncer {
    /**
     * Syncs. Returns how many of all bytes that were ever written to the log are on the disk now.
     */
    long sync() throws IOException;
  }

  private final Syncer syncer;
  private final LongSupplier nanoClock;
  private long synced;
  private boolean syncing;
  private LogFailedException failure;

  /**
   * @param syncer syncs; at most one thread calls it at a time
   * @param nanoClock a monotonic clock, ns
   */
  GroupCommit(Syncer syncer, LongSupplier nanoClock) {
    this.syncer = syncer;
    this.nanoClock = nanoClock;
  }

  /**
   * Waits until the first {@code written} bytes of the log are on the disk.
   *
   * @param written how many bytes were written since the log was opened, up to the end of those
   *     that have to be on the disk
   * @param timeoutMs how long to wait at most for the syncs of other threads, ms
   * @throws LogFailedException if a sync has failed
   * @throws UpdateLogException if the time is up; the bytes may still get onto the disk
   */
  void await(long written, long timeoutMs) throws IOException {
    long until = nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    synchronized (this) {
      while (true) {
        check();
        if (synced >= written) {
          return;
        }
        if (!syncing) {
          syncing = true;
          break;
        }
        long left = until - nanoClock.getAsLong();
        if (left <= 0) {
          throw new UpdateLogException("The disk has not taken an update within " + timeoutMs
              + " ms; it may still do so");
        }
        waitFor(left);
      }
    }
    long done = -1;
    try {
      done = syncer.sync();
    } catch (IOException e) {
      fail("The disk of the update log failed in an fsync, and what is on it is not known", e);
    } finally {
      ended(done);
    }
    check();
  }

  private void waitFor(long nanos) throws InterruptedIOException {
    try {
      TimeUnit.NANOSECONDS.timedWait(this, nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while an update waited for the disk");
    }
  }

  private synchronized void ended(long done) {
    syncing = false;
    synced = Math.max(synced, done);
    notifyAll();
  }

  /**
   * Records that others have synced, for example a whole segment: the first {@code written} bytes
   * are on the disk.
   */
  synchronized void reached(long written) {
    synced = Math.max(synced, written);
    notifyAll();
  }

  /** Makes all calls fail from now on. */
  synchronized void fail(String message, Throwable cause) {
    if (failure == null) {
      failure = new LogFailedException(message, cause);
    }
    notifyAll();
  }

  /** @throws LogFailedException if the log has failed or is closed */
  synchronized void check() throws LogFailedException {
    if (failure != null) {
      throw new LogFailedException(failure.getMessage(), failure);
    }
  }
}
