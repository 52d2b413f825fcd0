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
 * Keeps edits together: those that are logged in one hold of the edit log's monitor go to disk in
 * one flush, if there is room for them. Both edit logs of stock need the monitor to write an edit
 * into the journals' buffers, and to hand these buffers over to a flush. So only stock itself can
 * part two edits of such a hold, in two ways:
 *
 * <ul>
 *   <li>An edit that fills a buffer is flushed at once (EditsDoubleBuffer.shouldForceSync).
 *   <li>Where edits wait in a queue for the thread that writes them (FSEditLogAsync), a caller that
 *       finds the queue full gives the monitor back while it waits.
 * </ul>
 *
 * <p>A mark in the queue, by which a thread waits for all edits (FSEditLog.logSyncAll), would be a
 * third way. Stock puts it there only with the namesystem's lock or the monitor, and {@link
 * EditSync}, by which this extension waits, puts none there.
 *
 * <p>So a caller looks, in the same hold, whether there is room in the queue and in the buffers.
 * The lock order is stock's: first the namesystem's lock, then the monitor.
 */
final class EditBatch implements PublishTurns.Log {
  /** Edits are written within some microseconds after a flush. */
  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
  /** Without the namesystem's lock, a look may come a little later, and costs others less. */
  private static final long UNLOCKED_LOOK_NANOS = 5 * LOOK_NANOS;
  /** An edit has a code, a length, a number, a time, ids of a call, options, and a checksum. */
  private static final long EDIT_BYTES = 128;
  /** The most bytes of a character. */
  private static final long CHAR_BYTES = 3;

  private final FSEditLog log;
  private final NamespaceMembers members;

  /** A step in the hold of the monitor. */
  interface Step<T> {
    /** Returns null if the step cannot be taken yet, and has changed nothing. */
    T take() throws IOException;
  }

  EditBatch(FSEditLog log, NamespaceMembers members) {
    this.log = log;
    this.members = members;
  }

  /** Returns the most bytes that an edit with these texts has. */
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
      // A NameNode that is not active any more writes nothing.
      return log.editLogStream == null || areWritten();
    }
  }

  @Override
  public boolean flushesUnasked() {
    return queue() != null;
  }

  /**
   * Takes a step while it holds the monitor, as soon as that is possible.
   *
   * @param ms how long it waits, ms
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
        // No thread flushes by itself here. A flush may take long, so that the caller does it when
        // it has given the namesystem's lock back.
        return null;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private BlockingQueue<?> queue() {
    return members.pendingEdits(log);
  }

  /** Returns the number of the last edit. */
  long lastEdit() {
    return log.getLastWrittenTxId();
  }

  /** Returns whether all edits are in the buffers, or on disk. The caller holds the monitor. */
  boolean areWritten() {
    return log.editLogStream.getLastJournalledTxId() >= lastEdit();
  }

  /**
   * Returns whether edits can be logged that go to disk together. The caller holds the monitor.
   *
   * @param edits how many edits there are
   * @param waiting the most bytes of edits that are not written yet
   * @param bytes the most bytes of these edits, without the last one
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

  /** Returns the buffer of a journal; null if it is out of use, or of a foreign kind. */
  private EditsDoubleBuffer buffer(JournalSet.JournalAndStream journal) {
    return journal.isActive() ? members.buffer(journal.getCurrentStream()) : null;
  }

  /**
   * Returns why there will never be room; null if there will be.
   *
   * @param edits how many edits there are
   * @param bytes the most bytes of these edits, without the last one
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
