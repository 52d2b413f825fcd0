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
 * Gives the plugin's RPC server what the NameNode's own RPC server has: the secrets of delegation
 * tokens, permission checks, and the audit log. The members of Hadoop's classes that this class
 * needs are the same in Hadoop 3.3.6, 3.4.3 and 3.5.0.
 */
@InterfaceAudience.Private
public final class CallerAccess {
  private static final Logger LOG = LoggerFactory.getLogger(CallerAccess.class);
  private static final String NAMESYSTEM = "FSNamesystem";

  private CallerAccess() {
  }

  /**
   * @return the members of Hadoop's classes that this Hadoop lacks; empty if the plugin can answer
   *     calls of users
   */
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
   * Returns whether the caller of the present RPC may list a directory. Writes nothing to the audit
   * log.
   *
   * @param namesystem the running NameNode
   * @param path an absolute path
   * @return whether the directory exists, and the caller may list it
   * @throws IOException if this NameNode does not answer, for instance as a standby
   */
  public static boolean mayList(FSNamesystem namesystem, String path) throws IOException {
    AuthorizedOperation.LIST_STATUS.begin();
    // This looks up the groups of the caller, which may take long. So the lock is taken only after
    // it.
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
   * Writes to the audit log that the caller of the present RPC has carried out an operation, or is
   * not allowed to.
   *
   * @param namesystem the running NameNode
   * @param isAllowed false if the caller is not allowed to carry out the operation
   * @param operation the name of the operation in the audit log
   * @param what the path or other object of the operation; control characters, which could forge a
   *     line of the log, are written as blanks
   * @throws IOException if the audit log cannot be written
   */
  public static void audit(FSNamesystem namesystem, boolean isAllowed, String operation,
      String what) throws IOException {
    namesystem.logAuditEvent(isAllowed, operation, what.replaceAll("\\p{Cntrl}", " "));
  }
}
