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
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.namenode.UpdateAccess.EditSync;

/**
 * Notes after which edits the edit log of a NameNode was flushed. It does so by buffers of its own
 * in the journals, so that a log that is rolled is not watched any more.
 */
@InterfaceAudience.Private
public final class FlushRecorder {
  private final FSEditLog log;
  private final EditSync sync;
  private int journals;
  /** The last edit of each flush of each journal. */
  public final Set<Long> flushed = ConcurrentHashMap.newKeySet();
  /** Each flush waits for it. */
  private volatile CountDownLatch flushes = new CountDownLatch(0);
  private volatile boolean isFlushHeld;
  private volatile long flushNanos;

  /** Notes the last edit when the buffer becomes ready to be flushed. */
  private final class Buffer extends EditsDoubleBuffer {
    Buffer(int bytes) {
      super(bytes);
    }

    @Override
    public void setReadyToFlush() {
      super.setReadyToFlush();
      if (countReadyTxns() > 0) {
        flushed.add(getFirstReadyTxId() + countReadyTxns() - 1);
      }
    }

    @Override
    public void flushTo(OutputStream out) throws IOException {
      isFlushHeld = flushes.getCount() > 0;
      try {
        flushes.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException("the NameNode stops");
      }
      isFlushHeld = false;
      LockSupport.parkNanos(flushNanos);
      super.flushTo(out);
    }
  }

  /**
   * Begins to record.
   *
   * @param namesystem is active, and logs nothing just now
   * @param bufferBytes after how many bytes a journal is flushed unasked
   */
  public FlushRecorder(FSNamesystem namesystem, int bufferBytes) throws IOException {
    log = namesystem.getEditLog();
    sync = new EditSync(log);
    log.logSyncAll();
    synchronized (log) {
      for (JournalSet.JournalAndStream journal : log.getJournals()) {
        set(journal.getCurrentStream(), new Buffer(bufferBytes));
        journals++;
      }
    }
  }

  /** Streams of directories and of quorums have one buffer each. */
  private static void set(EditLogOutputStream stream, EditsDoubleBuffer buffer) {
    try {
      for (Field field : stream.getClass().getDeclaredFields()) {
        if (field.getType() == EditsDoubleBuffer.class) {
          field.setAccessible(true);
          field.set(stream, buffer);
          return;
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    throw new IllegalStateException(stream.getClass() + " has no buffer");
  }

  /** Waits until all edits are on disk, as the plugin does before it trims logs of updates. */
  public void syncAll() throws IOException {
    sync.sync();
  }

  /** Returns how many journals are watched. */
  public int journals() {
    return journals;
  }

  /** Returns the number of the last edit that was logged. */
  public long lastEdit() {
    return log.getLastWrittenTxId();
  }

  /** Lets each flush last until {@link #release}, as a slow journal does. */
  public void hold() {
    flushes = new CountDownLatch(1);
  }

  /** Lets flushes end. */
  public void release() {
    flushes.countDown();
  }

  /** Lets each flush take some time, as a journal of a busy disk does. */
  public void slow(long ms) {
    flushNanos = TimeUnit.MILLISECONDS.toNanos(ms);
  }

  /** Returns whether a flush is under way that lasts until {@link #release}. */
  public boolean isFlushHeld() {
    return isFlushHeld;
  }

  /** Logs an edit, as other threads do, and does not wait until it is on disk. */
  public void logEdit() {
    logEdit(log);
  }

  /** Logs an edit as an operation of a user does, in a hold of the namesystem's lock. */
  public static void logEdit(FSNamesystem namesystem, long holdNanos) {
    namesystem.writeLock();
    try {
      logEdit(namesystem.getEditLog());
      LockSupport.parkNanos(holdNanos);
    } finally {
      namesystem.writeUnlock("user");
    }
  }

  /** Logs an edit at a NameNode without a recorder. */
  public static void logEdit(FSEditLog log) {
    log.logTimes("/", 1, 1);
  }
}
