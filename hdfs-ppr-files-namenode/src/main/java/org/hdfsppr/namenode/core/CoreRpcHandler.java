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
package org.hdfsppr.namenode.core;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.namenode.convert.ConvertGate;
import org.hdfsppr.namenode.convert.RpcCaller;
import org.hdfsppr.namenode.convert.UserDesk;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.core.look.OwnedFolder;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreProtocol;
import org.hdfsppr.operate.CoreRefusedException;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.GroupAnswer;
import org.hdfsppr.operate.GroupSubmission;
import org.hdfsppr.operate.SpreadAnswer;
import org.hdfsppr.operate.SpreadPlace;
import org.hdfsppr.operate.SubmissionTerms;

/**
 * Takes the calls of users about CORE groups. It checks the rights of the caller and what else it
 * can check at once; {@link CoreGroupManager} does the rest on its own thread. Thread-safe.
 */
@InterfaceAudience.Private
public final class CoreRpcHandler extends UserDesk implements CoreProtocol {
  /**
   * How long a call may take, ms: as long as several steps of the manager. Then the client gets an
   * exception, and calls again.
   */
  private static final long ANSWER_MS_MAX = 5_000;

  private static final String PROTECT = "pprCore protect";
  private static final String UNPROTECT = "pprCore unprotect";

  private final CoreGroupManager keeper;
  private final CoreNamespace namespace;
  private final SpreadRpcHandler spread;
  private final UnaryOperator<CoreStatus> losses;

  /**
   * @param keeper has the groups
   * @param gate says whether this NameNode takes calls
   * @param users checks the rights of the caller of the present RPC
   * @param namespace looks up directories with the rights of that caller
   * @param spread plans how blocks of the same column are moved to different DataNodes
   * @param losses returns a copy of a status with what is known of lost block groups
   */
  public CoreRpcHandler(CoreGroupManager keeper, ConvertGate gate, RpcCaller users,
      CoreNamespace namespace,
      SpreadRpcHandler spread, UnaryOperator<CoreStatus> losses) {
    super(users, gate, CoreRefusedException::new);
    this.keeper = keeper;
    this.namespace = namespace;
    this.spread = spread;
    this.losses = losses;
  }

  private void checkChanges() throws IOException {
    checkActive();
    checkSafeMode(" and protects nothing");
  }

  /**
   * Returns a path as the NameNode writes it; throws an exception if no user's directory can be
   * there.
   */
  private String normal(String text) throws IOException {
    String path = path(text);
    checkNoSnapshot(path, "directory");
    if (names(path).contains(".hdfs-ppr") || path.startsWith("/.reserved")
        || names(path).contains(".Trash")) {
      throw new CoreRefusedException(path + " is reserved; name a directory of users");
    }
    checkWrittenOut(path);
    return path;
  }

  /** Returns a directory, if the caller has the right WRITE to it. */
  private OwnedFolder directory(String operation, String path) throws IOException {
    return audited(operation, path, () -> namespace.folder(path));
  }

  /**
   * Refuses the call if the caller neither owns the directory nor is a superuser. WRITE is not
   * enough for calls that affect the files of all users below the directory.
   */
  private void checkOwner(OwnedFolder folder, String operation, String path) throws IOException {
    if (!folder.owner) {
      users.audit(false, operation, path);
      throw new AccessControlException("Permission denied: user=" + users.name()
          + " is neither the owner of " + path + " nor a superuser");
    }
  }

  private OwnedFolder protectable(String path, boolean isRecursive) throws IOException {
    OwnedFolder folder = directory(PROTECT, path);
    if (isRecursive) {
      checkOwner(folder, PROTECT, path);
    }
    return folder;
  }

  @Override
  public CoreDirectory protectDirectory(String wanted, boolean isRecursive, OptionalInt files)
      throws IOException {
    return protecting(wanted, isRecursive,
        (folder, path, user) -> keeper.protect(folder, path, isRecursive, files, user));
  }

  /** A call that protects a directory, as it runs on the thread of {@link CoreGroupManager}. */
  private interface Protection<T> {
    T apply(OwnedFolder folder, String path, String user) throws IOException;
  }

  private <T> T protecting(String wanted, boolean isRecursive, Protection<T> step)
      throws IOException {
    checkChanges();
    String path = normal(wanted);
    OwnedFolder folder = protectable(path, isRecursive);
    String user = users.name();
    T answer = audited(PROTECT, path,
        () -> keeper.call(() -> step.apply(folder, path, user), ANSWER_MS_MAX));
    users.audit(true, PROTECT, path);
    return answer;
  }

  @Override
  public SubmissionTerms beginSubmission(String wanted, boolean isRecursive, OptionalInt files)
      throws IOException {
    SubmissionTerms terms = protecting(wanted, isRecursive,
        (folder, path, user) -> keeper.beginSubmission(folder, path, isRecursive, files, user));
    return terms.withInner(listable(terms.inner));
  }

  @Override
  public List<GroupAnswer> submitGroups(GroupSubmission submission) throws IOException {
    checkChanges();
    String path = normal(submission.path);
    OwnedFolder folder = directory("pprCore submit", path);
    String user = users.name();
    List<GroupAnswer> answers = keeper.call(() ->
        keeper.submit(folder.inodeId, submission, user), ANSWER_MS_MAX);
    users.audit(true, "pprCore submit", path);
    return answers;
  }

  @Override
  public CoreDirectory unprotectDirectory(String wanted) throws IOException {
    checkChanges();
    String path = normal(wanted);
    OwnedFolder folder = directory(UNPROTECT, path);
    checkOwner(folder, UNPROTECT, path);
    CoreDirectory before = keeper.call(() ->
        keeper.unprotect(folder.inodeId, path), ANSWER_MS_MAX);
    users.audit(true, UNPROTECT, path);
    return before;
  }

  @Override
  public CoreStatus coreStatus(String wanted) throws IOException {
    checkActive();
    CoreStatus all = losses.apply(keeper.status().orElseThrow(() ->
        new RetriableException("This NameNode has not read its CORE groups yet")));
    if (!users.isSuperuser()) {
      // It is unknown which users own the files of these groups. So only superusers see the groups,
      // and other users see how many there are.
      all = all.withUnused(List.of(), all.unusedGroups);
    }
    if (wanted != null) {
      String path = normal(wanted);
      users.checkDirectory(path, false);
      Optional<CoreDirectory> one = all.directories.stream()
          .filter(directory -> directory.path.equals(path)).findFirst();
      return all.of(List.of(one.orElseThrow(() -> new CoreRefusedException(path
          + " is not protected itself; 'hdfs ppr -core -status' lists the directories that"
          + " are"))));
    }
    return all.of(listable(all.directories));
  }

  @Override
  public SpreadAnswer planSpread(String wanted, SpreadPlace from) throws IOException {
    checkActive();
    spread.checkCaller(wanted);
    checkSafeMode(" and moves no blocks");
    OptionalLong directory = OptionalLong.empty();
    if (wanted != null) {
      // coreStatus() refuses a directory that is not protected, or that the caller may not list.
      String path = coreStatus(wanted).directories.get(0).path;
      directory = OptionalLong.of(directory("pprCore spread", path).inodeId);
    }
    return spread.plan(wanted, directory, from, ANSWER_MS_MAX);
  }

  /** Returns those directories that the caller may list. */
  private List<CoreDirectory> listable(List<CoreDirectory> directories) throws IOException {
    boolean isSuperuser = users.isSuperuser();
    List<CoreDirectory> seen = new ArrayList<>();
    for (CoreDirectory directory : directories) {
      if (isSuperuser || users.mayList(directory.path)) {
        seen.add(directory);
      }
    }
    return seen;
  }
}
