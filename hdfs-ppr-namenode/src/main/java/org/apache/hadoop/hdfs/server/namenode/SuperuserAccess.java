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
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.loader.HadoopMembers;

/**
 * Gives the plugin the NameNode's own check of a caller's rights, for commands of the generic
 * refresh protocol. The plugin needs it because stock does not check the callers of that protocol.
 * The members that this class needs are the same in Hadoop 3.3.6, 3.4.3 and 3.5.0.
 */
@InterfaceAudience.Private
public final class SuperuserAccess {
  private static final String NAMESYSTEM = "FSNamesystem";

  private SuperuserAccess() {
  }

  /** @return the members that this Hadoop lacks; empty if callers can be checked */
  public static List<String> missing() {
    HadoopMembers hadoop = new HadoopMembers(HadoopMembers.inPackageOf(SuperuserAccess.class));
    hadoop.method(NAMESYSTEM, "checkSuperuserPrivilege", void.class, String.class);
    hadoop.method(NAMESYSTEM, "logAuditEvent", void.class, boolean.class, String.class,
        String.class);
    return hadoop.missing();
  }

  /**
   * Refuses all callers but superusers, and writes each refusal to the audit log.
   *
   * @param namesystem the running NameNode
   * @param operation the operation that the caller of the RPC wants
   * @throws org.apache.hadoop.security.AccessControlException if the caller is no superuser
   */
  public static void check(FSNamesystem namesystem, String operation) throws IOException {
    namesystem.checkSuperuserPrivilege(operation);
  }

  /**
   * Writes to the audit log that the caller of the RPC has carried out an operation.
   *
   * @param namesystem the running NameNode
   * @param operation the name of the operation in the audit log
   * @param what the group or node to which the operation was applied
   * @throws IOException if the audit log cannot be written
   */
  public static void audit(FSNamesystem namesystem, String operation, String what)
      throws IOException {
    namesystem.logAuditEvent(true, operation, what);
  }
}
