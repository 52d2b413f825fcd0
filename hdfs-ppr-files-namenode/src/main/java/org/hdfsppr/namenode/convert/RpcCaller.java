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
import org.apache.hadoop.ipc.StandbyException;

/** The user of the call that the present thread answers, and this user's rights at the NameNode. */
@InterfaceAudience.Private
public interface RpcCaller {
  /** @return whether the NameNode is in safe mode, so that nothing can be changed */
  boolean isInSafeMode();

  /** @throws StandbyException if this NameNode is not the active one */
  void checkActive() throws StandbyException;

  /**
   * @return short name of the caller
   * @throws IOException if the present thread answers no call
   */
  String name() throws IOException;

  /**
   * @return whether the caller is a superuser of HDFS
   * @throws IOException if the NameNode does not answer this
   */
  boolean isSuperuser() throws IOException;

  /**
   * @param path an absolute path
   * @return what is there; empty if there is nothing
   * @throws org.apache.hadoop.security.AccessControlException if the caller may not see it
   * @throws IOException if the NameNode does not answer this
   */
  Optional<PathStatus> status(String path) throws IOException;

  /**
   * Checks that the caller may list a directory, and change it.
   *
   * @param directory an absolute path
   * @param isChanged whether the caller has to have the right to change it
   * @throws org.apache.hadoop.security.AccessControlException if the caller may not
   * @throws IOException if the NameNode does not answer this
   */
  void checkDirectory(String directory, boolean isChanged) throws IOException;

  /**
   * Says whether the caller may list a directory. Many directories may be looked at for one call,
   * so that the audit log of the NameNode gets no line for each of them.
   *
   * @param directory an absolute path
   * @return whether it is there, and the caller may list it
   * @throws IOException if the NameNode does not answer this
   */
  boolean mayList(String directory) throws IOException;

  /**
   * Checks that the caller may make and delete files in a directory.
   *
   * @param directory an absolute path
   * @throws org.apache.hadoop.security.AccessControlException if the caller may not
   * @throws IOException if the NameNode does not answer this
   */
  void checkWrite(String directory) throws IOException;

  /**
   * Writes what the caller has done, or may not do, to the NameNode's audit log.
   *
   * @param isAllowed false if the caller has no right to it, and nothing was done
   * @param operation the operation
   * @param what what the operation was applied to, or would have been
   * @throws IOException if the log cannot be written
   */
  void audit(boolean isAllowed, String operation, String what) throws IOException;
}
