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
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Waits until all edits that were logged before are on disk, within a bound. Thread-safe.
 *
 * <p>Where edits wait in a queue for the thread that writes them (FSEditLogAsync), this class calls
 * nothing of stock for that: the thread flushes what it has written as soon as the queue is empty,
 * unasked. FSEditLog.logSyncAll must not be called there without the namesystem's lock. If nothing
 * was written since the last flush, stock takes all edits for flushed that are in the queue by then
 * (FSEditLog.logSync: "We still try to flush up to mytxid"). It acknowledges them without a flush,
 * and a crash loses them. Stock's own callers hold the lock, so that no edit comes in between. Nor
 * would that call have a bound: it waits until this NameNode is active again if it loses its role.
 */
@InterfaceAudience.Private
final class EditSync {
  /**
   * How long a caller waits, ms. Journals on a quorum have 20 s for a flush
   * (dfs.qjournal.write-txns.timeout.ms), and the NameNode ends if they need more.
   */
  static final long MS_MAX = 30_000;
  /** How often a caller looks, ms: flushes take about as long. */
  private static final long LOOK_MS = 1;

  private final FSEditLog log;
  private final long msMax;

  EditSync(FSEditLog log) {
    this(log, MS_MAX);
  }

  /** @param msMax how long a caller waits, ms */
  EditSync(FSEditLog log, long msMax) {
    this.log = log;
    this.msMax = msMax;
  }

  /**
   * Waits until all edits that were logged before are on disk.
   *
   * @throws IOException if that is not known within the bound
   */
  void sync() throws IOException {
    if (!(log instanceof FSEditLogAsync)) {
      // Each edit is written when it is logged, and this flushes what is written.
      log.logSyncAll();
      return;
    }
    long last = log.getLastWrittenTxId();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(msMax);
    while (log.getSyncTxId() < last) {
      if (System.nanoTime() - end > 0) {
        throw new IOException("The NameNode's edit log has not said within " + msMax + " ms that"
            + " all edits are on disk; this NameNode may not be active any more");
      }
      try {
        Thread.sleep(LOOK_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("The NameNode stops").initCause(e);
      }
    }
  }
}
