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
import org.hdfsppr.namenode.convert.ConvertGate;
import org.hdfsppr.namenode.convert.RpcCaller;
import org.hdfsppr.namenode.convert.UserDesk;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.operate.CommitProtocol;
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.operate.WaitingUpdates;

/**
 * Takes the calls of users about commits, and checks their rights: WRITE on the file to commit it,
 * and READ to see which updates its logs have. Thread-safe.
 */
@InterfaceAudience.Private
public final class CommitRpcHandler extends UserDesk implements CommitProtocol {
  private final CommitRunner commits;
  private final UpdateNamespace namespace;

  /**
   * @param commits carries out commits
   * @param gate says whether this NameNode takes calls
   * @param users checks the rights of the caller of the present RPC
   * @param namespace looks up files with the rights of that caller
   */
  public CommitRpcHandler(CommitRunner commits, ConvertGate gate, RpcCaller users,
      UpdateNamespace namespace) {
    super(users, gate, UpdateRefusedException::new);
    this.commits = commits;
    this.namespace = namespace;
  }

  private void check() throws IOException {
    checkActive();
    checkCharge(namespace.isStarting(), ", and commits nothing");
  }

  /**
   * Returns a path as the NameNode writes it; throws an exception if no file there may be
   * committed.
   */
  private String normal(String text) throws IOException {
    String path = path(text);
    List<String> names = names(path);
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
      // Only the caller that began the commit knows its id, so this answer needs no check of
      // rights; the file may also be gone by now. After a failover, this NameNode does not know the
      // id, and begins another commit.
      Optional<CommitStatus> known = commits.status(id);
      if (known.isPresent() && known.get().path.equals(path)) {
        return known.get();
      }
    }
    UpdatableFile file = audited("pprCommit", path, () -> namespace.file(path, null, true));
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
