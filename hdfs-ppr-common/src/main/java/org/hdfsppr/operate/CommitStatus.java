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
package org.hdfsppr.operate;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** How far a commit is. Immutable. */
@InterfaceAudience.Private
public final class CommitStatus {
  /** The states of a commit. Messages have the names, so these never change. */
  @InterfaceAudience.Private
  public enum State {
    /** It waits for its turn. */
    WAITING,
    /** It is under way. */
    RUNNING,
    /** The updates are in the file's version. */
    PUBLISHED,
    /** There was no update. */
    NOTHING,
    /** The file's version is the one from before, and the logs have all updates. */
    FAILED;

    /** @return whether the commit has ended */
    public boolean isEnd() {
      return this == PUBLISHED || this == NOTHING || this == FAILED;
    }
  }

  /** The id of the commit */
  public final String id;
  /** The file */
  public final String path;
  /** How far it is */
  public final State state;
  /** Its number within the file; 0 while it is not known */
  public final long commit;
  /** How many updates it has */
  public final long updates;
  /** The bytes of these */
  public final long bytes;
  /** Block groups of the file with updates */
  public final int groups;
  /** Why it has failed, or why logs are not emptied yet; empty for neither */
  public final String message;

  /**
   * @param id the id of the commit
   * @param path the file
   * @param state how far it is
   * @param commit its number within the file; 0 while it is not known
   * @param updates how many updates it has
   * @param bytes the bytes of these
   * @param groups block groups of the file with updates
   * @param message why it has failed, or why logs are not emptied yet; empty for neither
   */
  public CommitStatus(String id, String path, State state, long commit, long updates, long bytes,
      int groups, String message) {
    this.id = Objects.requireNonNull(id, "id");
    this.path = Objects.requireNonNull(path, "path");
    this.state = Objects.requireNonNull(state, "state");
    this.commit = commit;
    this.updates = updates;
    this.bytes = bytes;
    this.groups = groups;
    this.message = Objects.requireNonNull(message, "message");
  }

  @Override
  public String toString() {
    return "commit " + commit + " of " + path + " is " + state
        + (message.isEmpty() ? "" : ": " + message);
  }
}
