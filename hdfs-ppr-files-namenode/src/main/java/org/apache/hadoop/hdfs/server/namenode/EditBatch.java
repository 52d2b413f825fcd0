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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Has several edits flushed to disk together. Edits that a caller logs while it holds the monitor
 * of the edit log once go to disk in one flush, if there is room for them. Both edit logs of stock
 * take the monitor when they write an edit into the buffers of the journals, and when they start a
 * flush of these buffers. So no other thread can separate the edits. Only stock itself can do so,
 * in two ways:
 *
 * <ul>
 * <li>An edit that fills a buffer is flushed at once (EditsDoubleBuffer.shouldForceSync).
 * <li>Where edits wait in a queue for the thread that writes them (FSEditLogAsync), a caller that
 * finds the queue full releases the monitor while it waits.
 * </ul>
 *
 * <p>A third way would be the mark that FSEditLog.logSyncAll puts into the queue. But stock calls
 * logSyncAll only while it holds the namesystem's lock or the monitor, and {@link
 * UpdateAccess.EditSync}, by which this extension waits for edits, never calls it where edits wait
 * in a queue.
 *
 * <p>So a caller checks, while it holds the monitor, that there is room in the queue and in the
 * buffers. The order of the locks is that of stock: first the namesystem's lock, then the monitor.
 */
final class EditBatch implements PublishTurns.Log {
  /**
   * The time between two looks while the namesystem's lock is held: after a flush, the waiting
   * edits are written within some microseconds.
   */
  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
  /**
   * The time between two looks while the lock is not held. A longer time delays no other thread,
   * and costs less.
   */
  private static final long UNLOCKED_LOOK_NANOS = 5 * LOOK_NANOS;
  /**
   * Upper bound of an edit without its texts: a code, a length, a number, a time, ids of a call,
   * options, and a checksum.
   */
  private static final long EDIT_BYTES = 128;
  /** How many bytes a character has at most. */
  private static final long CHAR_BYTES = 3;

  private final FSEditLog log;
  private final NamespaceMembers members;

  /** A step that is taken while the monitor is held. */
  interface Step<T> {
    /** Returns null if the step cannot be taken yet, and has changed nothing. */
    T take() throws IOException;
  }

  EditBatch(FSEditLog log, NamespaceMembers members) {
    this.log = log;
    this.members = members;
  }

  /** Returns how many bytes an edit with these texts has at most. */
  static long bytes(String... texts) {
    long bytes = EDIT_BYTES;
    for (String text : texts) {
      bytes += CHAR_BYTES * text.length();
    }
    return bytes;
  }

  @Override
  public boolean awaitWritten(long ms) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    while (!areWrittenNow()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (System.nanoTime() - end > 0) {
        return false;
      }
      LockSupport.parkNanos(UNLOCKED_LOOK_NANOS);
    }
    return true;
  }

  private boolean areWrittenNow() {
    synchronized (log) {
      // If the NameNode is not active any more, no edit is written, so that nothing has to be
      // waited for.
      return log.editLogStream == null || areWritten();
    }
  }

  @Override
  public boolean flushesUnasked() {
    return queue() != null;
  }

  /**
   * Holds the monitor and takes a step. If the step cannot be taken yet, tries again.
   *
   * @param ms for how long to try, ms
   * @return what the step returns; null if it could not be taken in time
   */
  <T> T await(long ms, Step<T> step) throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    while (true) {
      synchronized (log) {
        T result = step.take();
        if (result != null) {
          return result;
        }
      }
      if (System.nanoTime() - end > 0) {
        return null;
      }
      if (!flushesUnasked()) {
        // No other thread would start a flush, so that waiting is of no use. The caller flushes
        // after it has released the namesystem's lock, because a flush may take long.
        return null;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private BlockingQueue<?> queue() {
    return members.pendingEdits(log);
  }

  /** Returns the transaction id of the last edit that was logged. */
  long lastEdit() {
    return log.getLastWrittenTxId();
  }

  /**
   * Returns whether all edits that were logged are in the buffers of the journals, or on disk. The
   * caller holds the monitor.
   */
  boolean areWritten() {
    return log.editLogStream.getLastJournalledTxId() >= lastEdit();
  }

  /**
   * Returns whether there is room for some edits, so that they go to disk together. The caller
   * holds the monitor.
   *
   * @param edits the number of these edits
   * @param waiting how many bytes the edits have at most that are in the queue, and not in the
   *     buffers yet
   * @param bytes how many bytes these edits have at most, without the last one
   */
  boolean isThere(int edits, long waiting, long bytes) {
    BlockingQueue<?> queue = queue();
    if (queue != null && queue.remainingCapacity() < edits) {
      return false;
    }
    for (JournalSet.JournalAndStream journal : log.getJournals()) {
      EditsDoubleBuffer buffer = buffer(journal);
      if (buffer != null
          && buffer.getCurrentBuf().size() + waiting + bytes >= members.capacity(buffer)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the buffer of a journal; null if the journal is out of use, or of an unknown kind. */
  private EditsDoubleBuffer buffer(JournalSet.JournalAndStream journal) {
    return journal.isActive() ? members.buffer(journal.getCurrentStream()) : null;
  }

  /**
   * Returns why there can never be room for some edits; null if there can be.
   *
   * @param edits the number of these edits
   * @param bytes how many bytes these edits have at most, without the last one
   */
  String whyNever(int edits, long bytes) {
    BlockingQueue<?> queue = queue();
    if (queue != null && queue.size() + queue.remainingCapacity() < edits) {
      return "the NameNode's queue of edits has " + (queue.size() + queue.remainingCapacity())
          + " places, and " + edits + " edits have to be in it together; set"
          + " dfs.namenode.edits.asynclogging.pending.queue.size to more";
    }
    synchronized (log) {
      for (JournalSet.JournalAndStream journal : log.getJournals()) {
        EditsDoubleBuffer buffer = buffer(journal);
        if (buffer != null && members.capacity(buffer) <= bytes) {
          return "the buffer of a journal of edits has " + members.capacity(buffer)
              + " bytes, and edits of up to " + bytes + " bytes have to be in it together; use"
              + " shorter paths";
        }
      }
    }
    return null;
  }
}
