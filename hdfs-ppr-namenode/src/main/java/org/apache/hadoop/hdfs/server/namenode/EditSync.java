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
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Daemon;

/**
 * Waits until all edits that were logged before are on disk, within a bound. Where edits wait in a
 * queue for the thread that writes them (FSEditLogAsync), stock puts a mark into the queue and
 * waits until the thread has come to it. If this NameNode loses its role just then, the thread
 * ends, and stock waits until this NameNode is active again, which may be never. Stock's own
 * callers hold the namesystem's lock, or have logged an edit, so that the log does not close before
 * they have their answer.
 *
 * <p>So one thread of this class waits for stock, and callers wait for this thread. While it waits
 * for the role to come back, the queue has one mark. Thread-safe.
 */
@InterfaceAudience.Private
final class EditSync {
  /**
   * How long a caller waits, ms. Journals on a quorum have 20 s for a flush
   * (dfs.qjournal.write-txns.timeout.ms), and the NameNode ends if they need more.
   */
  static final long MS_MAX = 30_000;
  /** The most callers that wait; there are some threads that trim logs. */
  private static final int CALLERS_MAX = 64;

  private final FSEditLog log;
  private final long msMax;
  private final ThreadPoolExecutor thread = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS,
      new ArrayBlockingQueue<>(CALLERS_MAX), new Daemon.DaemonFactory());

  EditSync(FSEditLog log) {
    this(log, MS_MAX);
  }

  /** @param msMax how long a caller waits, ms */
  EditSync(FSEditLog log, long msMax) {
    this.log = log;
    this.msMax = msMax;
    thread.allowCoreThreadTimeOut(true);
  }

  /**
   * Waits until all edits that were logged before are on disk.
   *
   * @throws IOException if that is not known within the bound
   */
  void sync() throws IOException {
    FutureTask<Void> sync = new FutureTask<>(this::syncAll, null);
    try {
      thread.execute(sync);
      sync.get(msMax, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      throw new IOException(CALLERS_MAX + " callers wait for the NameNode's edit log already", e);
    } catch (TimeoutException e) {
      throw new IOException("The NameNode's edit log has not said within " + msMax + " ms that all"
          + " edits are on disk; this NameNode may not be active any more", e);
    } catch (ExecutionException e) {
      throw new IOException("The NameNode's edit log was not synced: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("The NameNode stops").initCause(e);
    } finally {
      thread.remove(sync);
    }
  }

  private void syncAll() {
    if (log instanceof FSEditLogAsync) {
      // The mark must not part two edits of a hold of the monitor. The wait gives the monitor back.
      synchronized (log) {
        log.logSyncAll();
      }
    } else {
      log.logSyncAll();
    }
  }
}
