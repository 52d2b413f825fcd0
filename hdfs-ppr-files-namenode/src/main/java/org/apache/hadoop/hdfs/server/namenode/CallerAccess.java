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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.hdfsppr.loader.HadoopMembers;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the plugin's RPC server what the NameNode's own has: the secrets of delegation tokens, and
 * whether a caller is a superuser. The members that this class needs are the same in Hadoop 3.3.6,
 * 3.4.3 and 3.5.0.
 */
@InterfaceAudience.Private
public final class CallerAccess {
  private static final Logger LOG = LoggerFactory.getLogger(CallerAccess.class);
  private static final String NAMESYSTEM = "FSNamesystem";

  private CallerAccess() {
  }

  /** @return the members that this Hadoop lacks; empty if users' calls can be answered */
  public static List<String> missing() {
    HadoopMembers hadoop = new HadoopMembers(HadoopMembers.inPackageOf(CallerAccess.class));
    hadoop.method(NAMESYSTEM, "getDelegationTokenSecretManager",
        DelegationTokenSecretManager.class);
    hadoop.method(NAMESYSTEM, "getPermissionChecker", FSPermissionChecker.class);
    hadoop.method("FSDirectory", "resolvePath", INodesInPath.class, FSPermissionChecker.class,
        String.class, FSDirectory.DirOp.class);
    hadoop.method("FSDirectory", "checkPathAccess", void.class, FSPermissionChecker.class,
        INodesInPath.class, FsAction.class);
    AuthorizedOperation.require(hadoop);
    hadoop.method(NAMESYSTEM, "logAuditEvent", void.class, boolean.class, String.class,
        String.class);
    return hadoop.missing();
  }

  /**
   * @param namesystem the running NameNode
   * @return the secrets of the NameNode's delegation tokens
   */
  public static SecretManager<? extends TokenIdentifier> secrets(FSNamesystem namesystem) {
    return namesystem.getDelegationTokenSecretManager();
  }

  /**
   * @param namesystem the running NameNode
   * @return whether the caller of the present RPC is a superuser
   * @throws IOException if the caller is not known
   */
  public static boolean isSuperuser(FSNamesystem namesystem) throws IOException {
    return namesystem.getPermissionChecker().isSuperUser();
  }

  /**
   * Says whether the caller of the present RPC may list a directory, and writes nothing to the
   * audit log.
   *
   * @param namesystem the running NameNode
   * @param path an absolute path
   * @return whether it is there, and the caller may list it
   * @throws IOException if this NameNode does not answer
   */
  public static boolean mayList(FSNamesystem namesystem, String path) throws IOException {
    AuthorizedOperation.LIST_STATUS.begin();
    // Looks up the caller's groups, which may take long, so that the lock is taken afterwards.
    FSPermissionChecker caller = namesystem.getPermissionChecker();
    FSDirectory directory = namesystem.getFSDirectory();
    namesystem.readLock();
    try {
      namesystem.checkOperation(NameNode.OperationCategory.READ);
      INodesInPath at = directory.resolvePath(caller, path, FSDirectory.DirOp.READ);
      if (at.getLastINode() == null) {
        return false;
      }
      if (directory.isPermissionEnabled()) {
        directory.checkPathAccess(caller, at, FsAction.READ_EXECUTE);
      }
      return true;
    } catch (AccessControlException | FileNotFoundException | ParentNotDirectoryException e) {
      LOG.trace("The caller may not list {}", PeerText.oneLine(path), PeerText.oneLine(e));
      return false;
    } finally {
      namesystem.readUnlock("ppr-list");
    }
  }

  /**
   * Writes to the audit log that the caller of the RPC has carried out an operation, or has no
   * right to it.
   *
   * @param namesystem the running NameNode
   * @param isAllowed false if the caller has no right to it
   * @param operation the name of the operation in the audit log
   * @param what to what it was applied; control characters, which could forge a line of the log,
   *     are written as blanks
   * @throws IOException if the audit log cannot be written
   */
  public static void audit(FSNamesystem namesystem, boolean isAllowed, String operation,
      String what) throws IOException {
    namesystem.logAuditEvent(isAllowed, operation, what.replaceAll("\\p{Cntrl}", " "));
  }
}
