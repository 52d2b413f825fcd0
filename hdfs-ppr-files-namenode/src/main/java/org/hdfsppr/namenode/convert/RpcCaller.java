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
package org.hdfsppr.namenode.convert;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.ipc.StandbyException;

/** The user whose RPC the present thread answers, and what this user may do. */
@InterfaceAudience.Private
public interface RpcCaller {
  /** @return whether the NameNode is in safe mode, in which no file can be changed */
  boolean isInSafeMode();

  /**
   * Throws an exception unless this NameNode is the active one.
   *
   * @throws StandbyException if this NameNode is not the active one
   */
  void checkActive() throws StandbyException;

  /**
   * @return the short name of the user
   * @throws IOException if the present thread answers no RPC
   */
  String name() throws IOException;

  /**
   * @return whether the user is a superuser of HDFS
   * @throws IOException if the NameNode does not answer this
   */
  boolean isSuperuser() throws IOException;

  /**
   * Refuses a caller that is no superuser, and writes that to the audit log.
   *
   * @param caller the caller
   * @param operation the operation, for the audit log
   * @param what what only superusers may do, for the message
   */
  static void requireSuperuser(RpcCaller caller, String operation, String what)
      throws IOException {
    if (!caller.isSuperuser()) {
      caller.audit(false, operation, "");
      throw new AccessControlException("User " + caller.name()
          + " may not do this: only superusers may " + what);
    }
  }

  /**
   * @param path an absolute path
   * @return the file or directory; empty if nothing is at the path
   * @throws org.apache.hadoop.security.AccessControlException if the user may not see it
   * @throws IOException if the NameNode does not answer now
   */
  Optional<PathStatus> status(String path) throws IOException;

  /**
   * Checks that the user may list a directory and, if wanted, change it.
   *
   * @param directory an absolute path
   * @param isChanged whether the user also needs the right to change it
   * @throws org.apache.hadoop.security.AccessControlException if the user may not
   * @throws IOException if the NameNode does not answer this
   */
  void checkDirectory(String directory, boolean isChanged) throws IOException;

  /**
   * Returns whether the user may list a directory. It writes nothing to the NameNode's audit log,
   * because one RPC may ask about many directories.
   *
   * @param directory an absolute path
   * @return whether the directory exists and the user may list it
   * @throws IOException if the NameNode does not answer this
   */
  boolean mayList(String directory) throws IOException;

  /**
   * Checks that the user may make and delete files in a directory.
   *
   * @param directory an absolute path
   * @throws org.apache.hadoop.security.AccessControlException if the user may not
   * @throws IOException if the NameNode does not answer now
   */
  void checkWrite(String directory) throws IOException;

  /**
   * Writes a line to the NameNode's audit log.
   *
   * @param isAllowed whether the operation was done; false if the user has no right to it
   * @param operation the name of the operation
   * @param what the path or job to which the operation was applied, or would have been
   * @throws IOException if the log cannot be written
   */
  void audit(boolean isAllowed, String operation, String what) throws IOException;
}
