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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.namenode.FSEditLog;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The term in which this NameNode schedules repairs, see {@link
 * org.hdfsppr.namenode.queue.ReconstructionQueue#term}. Only the thread that polls changes it.
 */
final class QueueTerm {
  private static final Logger LOG = LoggerFactory.getLogger(QueueTerm.class);
  private static final int RESET_BITS = 16;
  /**
   * The greatest credible distance between a reported term and the own term. A term that is further
   * ahead is false: a NameNode would have to write ten thousand edits a second for weeks to get
   * there. A node that reports false terms would need days to use up all terms, because this
   * NameNode moves beyond a reported term at most once in {@link #OUTGROW_EVERY_MS}.
   */
  private static final long TERM_AHEAD_MAX = 1L << RESET_BITS + 34;
  private static final long OUTGROW_EVERY_MS = 60_000;

  private final FSNamesystem namesystem;
  private final LongSupplier clockMs;
  private volatile long term;
  /** How often the queue had been cleared when the last poll began. */
  private volatile long clearsSeen = -1;
  private boolean wasPopulating;
  /** The newest credible term that a DataNode has reported. */
  private final AtomicLong heardTerm = new AtomicLong();
  /**
   * The reported term that this NameNode is to move beyond. When it noted that term, the last edit
   * that it had written was {@code writtenThen}.
   */
  private long termToOutgrow;
  private long writtenThen;
  private long outgrownMs = Long.MIN_VALUE / 2;

  QueueTerm(FSNamesystem namesystem, LongSupplier clockMs) {
    this.namesystem = namesystem;
    this.clockMs = clockMs;
  }

  long get() {
    return term;
  }

  /**
   * Returns true if {@code inTerm} is the present term and the queue has not been cleared since the
   * last poll.
   */
  boolean isCurrent(long inTerm, long clears) {
    return inTerm == term && clears == clearsSeen;
  }

  /**
   * Begins a new term if the queue has changed since the last poll.
   *
   * @param populating whether the queue is in use
   * @param clears how often the queue has been cleared
   * @return whether the results of earlier polls are void
   */
  boolean startIfNew(boolean populating, long clears) {
    boolean reset = clears != clearsSeen || populating != wasPopulating;
    if (populating && reset) {
      // A NameNode that becomes active first writes to the edit log, so that its term is greater
      // than all terms that were made from earlier edits. The low bits distinguish terms that begin
      // between the same two edits.
      long next = namesystem.getEditLog().getLastWrittenTxId() << RESET_BITS;
      term = Math.max(next, term + 1);
      LOG.info("Repairs are scheduled in term {}", term);
    }
    clearsSeen = clears;
    wasPopulating = populating;
    return reset;
  }

  /** Takes note of a term that a DataNode has heard of. Thread-safe. */
  void heard(long newest) {
    long own = term;
    if (own > 0 && newest > own && newest - own <= TERM_AHEAD_MAX && newest < Long.MAX_VALUE) {
      heardTerm.accumulateAndGet(newest, Math::max);
    }
  }

  /**
   * Begins a term that is newer than all terms that DataNodes have reported, if this NameNode is
   * certainly the active one. A term is made from the number of the last edit. DataNodes may know a
   * newer term for two reasons. After a rollback, the edit log starts again from an earlier edit;
   * then this NameNode needs a newer term. Or another NameNode has become active, and this NameNode
   * does not know it yet; then DataNodes must not obey this NameNode. To exclude the second reason,
   * this NameNode first proves that it is active: it writes and syncs an edit after it has heard of
   * the newer term. A NameNode that was replaced cannot do this, because the other NameNode owns
   * the journal.
   *
   * @param active whether this NameNode considers itself active
   */
  void outgrow(boolean active) {
    long heard = heardTerm.get();
    long now = clockMs.getAsLong();
    if (heard <= term || !active || now - outgrownMs < OUTGROW_EVERY_MS) {
      return;
    }
    FSEditLog log = namesystem.getEditLog();
    if (termToOutgrow <= term) {
      termToOutgrow = heard;
      writtenThen = log.getLastWrittenTxId();
      LOG.warn("DataNodes have heard of term {}, and this NameNode is in term {}: has its metadata"
          + " been rolled back, or is another NameNode active? The next edit shows it", heard,
          term);
    }
    // Without high availability there is no other NameNode, so that no proof is needed.
    if (!namesystem.isHaEnabled() || log.getSyncTxId() > writtenThen) {
      term = termToOutgrow + 1;
      outgrownMs = now;
      LOG.info("Repairs are scheduled in term {}, beyond what DataNodes have heard of", term);
    }
  }
}
