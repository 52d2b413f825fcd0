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

import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.CommitStatusProto;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.PeerText;

/** The status of a commit: its state, and what it commits. Immutable. */
@InterfaceAudience.Private
public final class CommitStatus {
  /**
   * The states of a commit. Messages contain the names of these constants, so the names never
   * change.
   */
  public enum State {
    /** It waits for its turn. */
    WAITING,
    /** It is under way. */
    RUNNING,
    /** The updates are in the file's version. */
    PUBLISHED,
    /** There was no update. */
    NOTHING,
    /**
     * The commit has not changed the file. The file has its version from before, and the logs still
     * have all updates.
     */
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
  /** The state of the commit */
  public final State state;
  /** The number of the commit, which counts the commits of the file; 0 while it is not known */
  public final long commit;
  /** How many updates the commit puts into the version */
  public final long updates;
  /** The bytes of data of these updates */
  public final long bytes;
  /** How many block groups of the file have such updates */
  public final int groups;
  /** Why the commit has failed, or why logs still have its updates; empty if neither is so */
  public final String message;

  private CommitStatus(CommitStatusProto proto, State state) {
    id = proto.getId();
    path = proto.getPath();
    this.state = state;
    commit = proto.getCommit();
    updates = proto.getUpdates();
    bytes = proto.getBytes();
    groups = proto.getGroups();
    message = proto.getMessage();
  }

  /**
   * @param id the id of the commit
   * @param path the file
   * @param state the state of the commit
   * @param rest sets the other fields of the message
   * @return the status
   */
  public static CommitStatus of(String id, String path, State state,
      Consumer<CommitStatusProto.Builder> rest) {
    CommitStatusProto.Builder proto = CommitStatusProto.newBuilder().setId(id).setPath(path)
        .setState(state.name());
    rest.accept(proto);
    return new CommitStatus(proto.build(), state);
  }

  /** @throws MalformedRequestException if this version does not know the state in the message */
  static CommitStatus parse(CommitStatusProto proto) throws MalformedRequestException {
    try {
      return new CommitStatus(proto, State.valueOf(proto.getState()));
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The state of a commit is unknown here: "
          + PeerText.oneLine(proto.getState()), e);
    }
  }

  CommitStatusProto toProto() {
    return CommitStatusProto.newBuilder()
        .setId(id)
        .setPath(path)
        .setState(state.name())
        .setCommit(commit)
        .setUpdates(updates)
        .setBytes(bytes)
        .setGroups(groups)
        .setMessage(PeerText.oneLine(message))
        .build();
  }

  @Override
  public String toString() {
    return "commit " + commit + " of " + path + " is " + state
        + (message.isEmpty() ? "" : ": " + message);
  }
}
