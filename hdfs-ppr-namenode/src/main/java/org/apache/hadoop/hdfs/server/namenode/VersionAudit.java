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

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Lines of the audit log about what the plugin does for a user that is not the caller of an RPC.
 * The loggers are called as FSNamesystem does. Stateless.
 */
@InterfaceAudience.Private
final class VersionAudit {
  private VersionAudit() {
  }

  /**
   * Writes a line about something that was done.
   *
   * @param user short name of the user for whom it was done
   * @param command the operation
   * @param path to which file; control characters, which could forge a line of the log, are written
   *     as blanks
   * @param now the file's owner, group and permission; null if they are not known
   */
  static void log(FSNamesystem namesystem, String user, String command, String path,
      FileStatus now) {
    if (!namesystem.isAuditEnabled()) {
      return;
    }
    String shown = path.replaceAll("\\p{Cntrl}", " ");
    UserGroupInformation who = UserGroupInformation.createRemoteUser(user);
    for (AuditLogger logger : namesystem.getAuditLoggers()) {
      if (logger instanceof HdfsAuditLogger) {
        ((HdfsAuditLogger) logger).logAuditEvent(true, who.toString(), null, command, shown, null,
            now, CallerContext.getCurrent(), who, null);
      } else {
        logger.logAuditEvent(true, who.toString(), null, command, shown, null, now);
      }
    }
  }
}
