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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.version.PublishAnswer;

/**
 * Lets publishers of versions come to the namesystem's lock one after the other, each when the edit
 * log has written what was logged before. A journal may take a second for a flush. The publishers
 * of some hundred versions that wait for it under the lock, each for a moment, would leave the lock
 * to nothing else for that time; here they wait without it. Thread-safe.
 *
 * <p>Edits that are logged while a publisher waits for the lock may still make it hold the lock in
 * vain for some milliseconds. No other publisher asks for the lock for 20 times as long after that.
 */
@InterfaceAudience.Private
final class PublishTurns {
  /** The answer to a publisher that the edit log lets wait for too long. */
  static final PublishAnswer SLOW = PublishAnswer.later("the NameNode writes its edits too slowly"
      + " at the moment; try again later");

  /**
   * How long a publisher waits for its turn, ms. It looks after that whether it still may publish,
   * and comes back.
   */
  static final long TURN_MS = 5_000;
  /** How long a turn waits for the edit log, ms. A slow flush of healthy journals takes less. */
  static final long WRITTEN_MS = 2_000;
  /** How long the lock has rest after a hold in vain, ms: 20 times as long as that. */
  static final long REST_MS = 100;

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
    /** Returns {@link #SLOW} if the edit log was too slow. */
    PublishAnswer publish() throws IOException;
  }

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
   * @return the answer of the publication, or {@link #SLOW}
   * @throws InterruptedIOException if this thread is interrupted while it waits. Nothing is
   *     published then
   */
  PublishAnswer take(Publication publication) throws IOException {
    try {
      if (!turn.tryAcquire(TURN_MS, TimeUnit.MILLISECONDS)) {
        return SLOW;
      }
      try {
        return log.awaitWritten(WRITTEN_MS) ? publish(publication) : SLOW;
      } finally {
        turn.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while other versions are published");
    }
  }

  private PublishAnswer publish(Publication publication) throws IOException, InterruptedException {
    PublishAnswer answer = publication.publish();
    if (answer == SLOW && log.flushesUnasked()) {
      rest.rest(REST_MS);
    }
    return answer;
  }
}
