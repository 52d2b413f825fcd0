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

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.namenode.convert.ConvertGate;
import org.hdfsppr.namenode.convert.UserDoor;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.operate.CommitProtocol;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.operate.WaitingUpdates;

/**
 * Takes the calls of users about commits, and checks their rights: WRITE on the file for a
 * commit, and READ for a look at its logs. Thread-safe.
 */
@InterfaceAudience.Private
public final class CommitDesk implements CommitProtocol {
  private final Commits commits;
  private final ConvertGate gate;
  private final UserDoor users;
  private final UpdateNamespace namespace;

  /**
   * @param commits has the commits
   * @param gate says whether this NameNode takes calls
   * @param users checks the caller of the present call
   * @param namespace looks at files with the caller's rights
   */
  public CommitDesk(Commits commits, ConvertGate gate, UserDoor users,
      UpdateNamespace namespace) {
    this.commits = commits;
    this.gate = gate;
    this.users = users;
    this.namespace = namespace;
  }

  private void check() throws IOException {
    users.checkActive();
    if (namespace.isStarting()) {
      throw new RetriableException("The NameNode is in safe mode while it starts; try again");
    }
    if (users.isInSafeMode()) {
      throw new UpdateRefusedException("The NameNode is in safe mode, and commits nothing; try"
          + " again when it has left it ('hdfs dfsadmin -safemode get')");
    }
    if (!gate.isActive()) {
      throw new StandbyException("The plugin of this NameNode does not know yet that the NameNode"
          + " is active");
    }
    Optional<String> why = gate.whyNoJobs();
    if (why.isPresent()) {
      throw new UpdateRefusedException(why.get());
    }
  }

  /** Writes a path as the NameNode has it. */
  private static String normal(String text) throws IOException {
    String path;
    try {
      // A path that begins with two slashes would be the name of a host.
      path = new Path(text.replaceAll("/+", Path.SEPARATOR)).toUri().getPath();
    } catch (IllegalArgumentException e) {
      throw new UpdateRefusedException("'" + text + "' is no path: " + e.getMessage());
    }
    List<String> names = List.of(path.split(Path.SEPARATOR));
    if (names.contains(".snapshot") || names.contains(".hdfs-ppr")
        || path.startsWith("/.reserved")) {
      throw new UpdateRefusedException(path + " is not committed; name the file itself");
    }
    return path;
  }

  @Override
  public CommitStatus commit(String wanted, String id) throws IOException {
    check();
    String path = normal(wanted);
    if (id != null && !FULL.equals(id)) {
      // Only the caller that has begun the commit knows the id. The file may be gone meanwhile.
      // After a failover, this NameNode does not know the commit, and begins another one.
      Optional<CommitStatus> known = commits.status(id);
      if (known.isPresent() && known.get().path.equals(path)) {
        return known.get();
      }
    }
    UpdatableFile file;
    try {
      file = namespace.file(path, null, true);
    } catch (AccessControlException e) {
      users.audit(false, "pprCommit", path);
      throw e;
    }
    if (FULL.equals(id)) {
      commits.full();
    }
    if (file.tag == null) {
      return CommitStatus.of("none", path, CommitStatus.State.NOTHING, none -> { });
    }
    UUID uuid = UpdateTag.parse(file.tag, path).file;
    CommitStatus begun =
        FULL.equals(id) ? commits.beginForRoom(path, uuid) : commits.begin(path, uuid);
    users.audit(true, "pprCommit", path);
    return begun;
  }

  @Override
  public WaitingUpdates pendingUpdates(String wanted) throws IOException {
    check();
    String path = normal(wanted);
    namespace.file(path, null, false);
    return commits.pending(path);
  }
}
