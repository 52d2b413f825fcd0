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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.hdfsppr.namenode.version.PublishAnswer;

/**
 * Lets publishers of versions come to the namesystem's lock one after the other, each when the edit
 * log has written what was logged before. A journal may take a second for a flush. The publishers
 * of some hundred versions that wait for it under the lock, each for a moment, would leave the lock
 * to nothing else for that time; here they wait without it. Thread-safe.
 *
 * <p>Commits and conversions form a line each, and the first ones of both take turns. So no commit,
 * for which writers wait, stands behind some hundred conversions.
 *
 * <p>Edits that are logged while a publisher waits for the lock may still make it hold the lock in
 * vain. No other publisher asks for the lock for 20 times as long after that, so that such holds
 * take a twentieth of the time. Long holds that publish have rests, too, which are shorter.
 */
final class PublishTurns {
  /** The answer to a publisher that has held the lock while the edit log was too slow. */
  static final PublishAnswer SLOW = PublishAnswer.slow("the NameNode writes its edits too slowly"
      + " at the moment; try again later");
  /** The answer to a publisher in whose turn the edit log had no moment for the lock. */
  static final PublishAnswer UNWRITTEN = PublishAnswer.later("the NameNode has not written its"
      + " edits for some time; try again later");
  /** The answer to a publisher that was not the first one of its line in time. */
  static final PublishAnswer NO_TURN = PublishAnswer.noTurn("the NameNode publishes other versions"
      + " at the moment; try again later");

  /**
   * How long a publisher waits for its turn, ms. It looks after that whether it still may publish,
   * and comes back.
   */
  static final long TURN_MS = 5_000;
  /** How long a turn waits for the edit log, ms. A slow flush of healthy journals takes less. */
  static final long WRITTEN_MS = 2_000;
  /**
   * How long a publisher waits for the edit log while it holds the namesystem's lock, ms. It waits
   * for the log without the lock before, so that this is for edits that were logged since: they
   * wait for the flush that began then. Flushes to a local disk take less.
   */
  static final long WAIT_MS = 5;
  /**
   * The same after many holds in vain, ms. Users wait for the lock meanwhile, about as long as one
   * of them would wait for such a flush. Behind slower ones a version needs luck, and waits.
   */
  static final long WAIT_MS_MAX = 100;
  /** For how many times as long as it was held in vain the lock has rest. */
  static final int REST_TIMES = 20;
  /**
   * The same for a hold in which something was published, if it took long: the edit log was slow,
   * and the next one would wait under the lock again. So publications take a fifth of the time.
   */
  static final int REST_TIMES_DONE = 4;
  /** Holds of this length are long, ms: a publication itself takes less. */
  static final long LONG_MS = 2 * WAIT_MS;
  /**
   * The longest rest, ms. A hold that takes much longer than its wait, as for a collection of
   * garbage, is no reason to keep others waiting.
   */
  static final long REST_MS_MAX = REST_TIMES * WAIT_MS_MAX;

  /** The edit log. The caller holds neither its monitor nor the namesystem's lock. */
  interface Log {
    /** Waits until all edits are in the buffers; returns false if they are not in time. */
    boolean awaitWritten(long ms) throws InterruptedException;

    /** Returns whether a thread of the log flushes it, so that edits wait for a flush under way. */
    boolean flushesUnasked();
  }

  /** Lets some time go by. */
  interface Rest {
    void rest(long ms) throws InterruptedException;
  }

  /** Asks for the namesystem's lock, and publishes. */
  interface Publication {
    /**
     * Returns {@link #SLOW} if the edit log was too slow.
     *
     * @param held gets for how long the lock was held, ns
     */
    PublishAnswer publish(LongConsumer held) throws IOException;
  }

  private final Semaphore commits = new Semaphore(1, true);
  private final Semaphore conversions = new Semaphore(1, true);
  /** Only the first ones of both lines ask for it. As it is fair, they get it alternately. */
  private final Semaphore turn = new Semaphore(1, true);
  private final Log log;
  private final Rest rest;

  PublishTurns(Log log) {
    this(log, Thread::sleep);
  }

  PublishTurns(Log log, Rest rest) {
    this.log = log;
    this.rest = rest;
  }

  /**
   * Publishes when it is this caller's turn and the edit log has written all edits.
   *
   * @param isCommit in which line the caller stands
   * @return the answer of the publication, or why nothing was published
   * @throws InterruptedIOException if this thread is interrupted before the publication. Nothing is
   *     published then
   */
  PublishAnswer take(boolean isCommit, Publication publication) throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TURN_MS);
    Semaphore line = isCommit ? commits : conversions;
    try {
      return isFirst(line, end) ? takeTurn(publication) : NO_TURN;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while other versions are published");
    }
  }

  private static boolean acquire(Semaphore semaphore, long end) throws InterruptedException {
    return semaphore.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  /** Waits for the turn of a caller that begins at the end of a line. */
  private boolean isFirst(Semaphore line, long end) throws InterruptedException {
    if (!acquire(line, end)) {
      return false;
    }
    try {
      return acquire(turn, end);
    } finally {
      // The next one of this line is its first one, and waits for the next turn.
      line.release();
    }
  }

  private PublishAnswer takeTurn(Publication publication)
      throws IOException, InterruptedException {
    try {
      return log.awaitWritten(WRITTEN_MS) ? publish(publication) : UNWRITTEN;
    } finally {
      turn.release();
    }
  }

  /** Returns how long a publisher waits under the lock that has held it in vain some times, ms. */
  static long waitMs(int holdsInVain) {
    // A flush that takes longer than one wait is over within a later one.
    return Math.min(WAIT_MS << Math.min(holdsInVain, Long.SIZE / 2), WAIT_MS_MAX);
  }

  /** Returns how many publishers wait. */
  int waiting() {
    return commits.getQueueLength() + conversions.getQueueLength() + firsts();
  }

  /** Returns how many publishers are the first ones of their lines. */
  int firsts() {
    return turn.getQueueLength();
  }

  private PublishAnswer publish(Publication publication) throws IOException {
    LongAdder held = new LongAdder();
    PublishAnswer answer = publication.publish(held::add);
    boolean isLong = TimeUnit.NANOSECONDS.toMillis(held.sum()) >= LONG_MS;
    if ((answer == SLOW || isLong) && log.flushesUnasked()) {
      int times = answer == SLOW ? REST_TIMES : REST_TIMES_DONE;
      rest(Math.min(TimeUnit.NANOSECONDS.toMillis(times * held.sum()), REST_MS_MAX));
    }
    return answer;
  }

  /** Keeps the turn for some time. An interrupt ends the rest; the answer is there, and holds. */
  private void rest(long ms) {
    try {
      rest.rest(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
