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
package org.hdfsppr.namenode.commit;

import java.util.UUID;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.CommitStatus.State;

/** A commit of a file, from its request to its end. Thread-safe. */
final class CommitJob {
  /**
   * A writer that finds no room in a log asks for a commit again and again. After a commit that has
   * made no room, the next one for this writer begins after this pause, ms.
   */
  static final long FAILED_REST_MS = 10_000;
  /**
   * Like {@link #FAILED_REST_MS}, but after a commit that was published, ms. In this time DataNodes
   * trim the logs. A commit that began earlier would find no updates.
   */
  static final long PUBLISHED_REST_MS = 1_000;

  final String id;
  final String path;
  /** The UUID of the file. It stays the same when a commit gives the file another inode. */
  final UUID file;
  private State state = State.WAITING;
  private Collected collected;
  private String message = "";
  private long endMs;

  CommitJob(String id, String path, UUID file) {
    this.id = id;
    this.path = path;
    this.file = file;
  }

  synchronized void begin() {
    state = State.RUNNING;
  }

  synchronized void collected(Collected what) {
    collected = what;
  }

  synchronized void end(State how, String why, long nowMs) {
    state = how;
    message = why;
    endMs = nowMs;
  }

  /** Sets the reason why the commit waits; an empty text if it does not wait. */
  synchronized void say(String what) {
    message = what;
  }

  synchronized boolean isWaiting() {
    return state == State.WAITING;
  }

  synchronized boolean hasEnded() {
    return state.isEnd();
  }

  /** Returns whether the commit has ended before a time. */
  synchronized boolean hasEndedBefore(long ms) {
    return state.isEnd() && endMs < ms;
  }

  /**
   * Returns whether this commit has ended long enough ago that a writer without room in a log may
   * have the next one begun.
   */
  synchronized boolean makesWayForAnother(long nowMs) {
    return hasEndedBefore(nowMs
        - (state == State.PUBLISHED ? PUBLISHED_REST_MS : FAILED_REST_MS));
  }

  synchronized CommitStatus status() {
    return CommitStatus.of(id, path, state, status -> {
      status.setMessage(message);
      if (collected != null) {
        status.setCommit(collected.commit).setUpdates(collected.updates())
            .setBytes(collected.bytes()).setGroups(collected.groups());
      }
    });
  }
}
