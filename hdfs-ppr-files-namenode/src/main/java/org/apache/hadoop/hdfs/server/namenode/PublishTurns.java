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
 * Lets the threads that publish versions (publishers) take the namesystem's lock one after the
 * other, and only when the edit log has written all earlier edits. A journal may take a second for
 * a flush. If some hundred publishers held the lock one after the other, each to wait for that
 * flush for a moment, no other thread would get the lock in that second. Here they wait without the
 * lock. Thread-safe.
 *
 * <p>Commits and conversions each have a line of their own, and the first publishers of both lines
 * take turns. So a commit, for which writers wait, need not wait for some hundred conversions.
 *
 * <p>Other edits may be logged while a publisher waits for the lock. Then it may hold the lock
 * without being able to publish. After that, no publisher asks for the lock for 20 times as long,
 * so that such useless holds take at most a twentieth of the time. After a long hold in which a
 * version was published, there is a pause as well, but a shorter one.
 */
final class PublishTurns {
  /**
   * The answer to a publisher that held the lock, but could not publish because the edit log was
   * too slow.
   */
  static final PublishAnswer SLOW = PublishAnswer.slow("the NameNode writes its edits too slowly"
      + " at the moment; try again later");
  /**
   * The answer to a publisher that had its turn, but did not ask for the lock because the edit log
   * had not written all edits in time.
   */
  static final PublishAnswer UNWRITTEN = PublishAnswer.later("the NameNode has not written its"
      + " edits for some time; try again later");
  /** The answer to a publisher that did not become the first one of its line in time. */
  static final PublishAnswer NO_TURN = PublishAnswer.noTurn("the NameNode publishes other versions"
      + " at the moment; try again later");

  /**
   * How long a publisher waits for its turn, ms. After that, it checks whether it still may
   * publish, and waits again.
   */
  static final long TURN_MS = 5_000;
  /**
   * How long a publisher in its turn waits for the edit log, ms. Even a slow flush takes less if
   * the journals are healthy.
   */
  static final long WRITTEN_MS = 2_000;
  /**
   * How long a publisher waits for the edit log while it holds the namesystem's lock, ms. Before it
   * takes the lock, it waits until all edits are written. So this time is only for edits that were
   * logged since then, and that wait for a flush that began meanwhile. A flush to a local disk
   * takes less.
   */
  static final long WAIT_MS = 5;
  /**
   * The upper bound of {@link #WAIT_MS} after many holds without a publication, ms. Users wait for
   * the lock meanwhile, about as long as they would wait for such a flush. If flushes take longer,
   * it is a matter of luck when a version is published.
   */
  static final long WAIT_MS_MAX = 100;
  /**
   * After a hold without a publication, the lock is left to others for this many times the length
   * of the hold.
   */
  static final int REST_TIMES = 20;
  /**
   * Like {@link #REST_TIMES}, but after a long hold in which a version was published. The edit log
   * was slow then, and the next publisher would have to wait for it under the lock again. So
   * publications take at most a fifth of the time.
   */
  static final int REST_TIMES_DONE = 4;
  /** A hold of this length is a long one, ms: the publication itself takes less. */
  static final long LONG_MS = 2 * WAIT_MS;
  /**
   * The longest pause, ms. A hold may also take much longer than the wait in it, for instance
   * because of a garbage collection. That is no reason for a longer pause.
   */
  static final long REST_MS_MAX = REST_TIMES * WAIT_MS_MAX;

  /**
   * The edit log. When the methods are called, the caller holds neither the log's monitor nor the
   * namesystem's lock.
   */
  interface Log {
    /**
     * Waits until all edits are in the buffers of the journals; returns false if they are not
     * within this time.
     */
    boolean awaitWritten(long ms) throws InterruptedException;

    /**
     * Returns whether the edit log has a thread that flushes it without being asked. Then edits may
     * have to wait for a flush that this thread has begun.
     */
    boolean flushesUnasked();
  }

  /** Waits for some time. */
  interface Rest {
    void rest(long ms) throws InterruptedException;
  }

  /** Takes the namesystem's lock, and publishes a version. */
  interface Publication {
    /**
     * Publishes a version; returns {@link #SLOW} if the edit log was too slow for that.
     *
     * @param held gets the time for which the lock was held, ns
     */
    PublishAnswer publish(LongConsumer held) throws IOException;
  }

  private final Semaphore commits = new Semaphore(1, true);
  private final Semaphore conversions = new Semaphore(1, true);
  /**
   * Only the first publisher of each line waits for this semaphore. It is fair, so that both lines
   * get it alternately.
   */
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
   * Waits until it is this caller's turn and the edit log has written all edits, and then
   * publishes.
   *
   * @param isCommit whether the caller waits in the line of commits, and not in that of conversions
   * @return the answer of the publication; {@link #NO_TURN} or {@link #UNWRITTEN} if the wait was
   *     too long
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

  /**
   * Waits at the end of a line until it is this caller's turn; returns false if that takes too
   * long.
   */
  private boolean isFirst(Semaphore line, long end) throws InterruptedException {
    if (!acquire(line, end)) {
      return false;
    }
    try {
      return acquire(turn, end);
    } finally {
      // From here on, the next publisher of this line is its first one, and waits for its turn.
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

  /**
   * Returns how long a publisher waits for the edit log under the lock, ms.
   *
   * @param holdsInVain how often it has held the lock before without a publication
   */
  static long waitMs(int holdsInVain) {
    // The wait doubles each time. So even a flush that takes longer than the first wait ends within
    // one of the later waits.
    return Math.min(WAIT_MS << Math.min(holdsInVain, Long.SIZE / 2), WAIT_MS_MAX);
  }

  /** Returns how many publishers wait for their turn. */
  int waiting() {
    return commits.getQueueLength() + conversions.getQueueLength() + firsts();
  }

  /** Returns how many publishers are the first ones of their lines, 0 to 2. */
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

  /**
   * Waits for some time without giving the turn to another publisher. An interrupt ends the wait,
   * but does not change the answer of the publication.
   */
  private void rest(long ms) {
    try {
      rest.rest(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
