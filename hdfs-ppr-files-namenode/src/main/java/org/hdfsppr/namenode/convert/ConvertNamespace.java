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
import org.hdfsppr.namenode.walk.DirectoryLister.Listing;

/**
 * Files and directories of the NameNode, as conversion jobs use them. A method with a user as a
 * parameter acts with the rights of that user.
 */
@InterfaceAudience.Private
public interface ConvertNamespace {
  /** @return whether the NameNode is in safe mode, in which no file can be changed */
  boolean isInSafeMode();

  /**
   * Lists a page of a directory, without the folders of hdfs-ppr.
   *
   * @param user short name of the user
   * @param path an absolute path
   * @param after list only entries whose names come after this one; empty for all
   * @return the entries in the order of their names, or the file itself with an empty name
   * @throws org.apache.hadoop.security.AccessControlException if the user may not list it
   * @throws java.io.FileNotFoundException if there is nothing at that path
   * @throws IOException if the NameNode does not answer now, for instance as a standby
   */
  Listing list(String user, String path, String after) throws IOException;

  /**
   * @param path an absolute path
   * @return the file or directory; empty if nothing is at the path
   * @throws IOException if the NameNode does not answer now
   */
  Optional<PathStatus> status(String path) throws IOException;

  /**
   * Counts the files and bytes at or below a path, without those that only snapshots have. May take
   * minutes.
   *
   * @param user short name of the user
   * @param path an absolute path
   * @return the counts; all 0 if nothing is at the path
   * @throws org.apache.hadoop.security.AccessControlException if the user may not list all of it
   * @throws IOException if the NameNode does not answer this
   */
  PathTotals totals(String user, String path) throws IOException;

  /**
   * Sets the policy of a directory, as {@code hdfs ec -setPolicy} does.
   *
   * @param user short name of the user
   * @param directory an absolute path
   * @param policy the name of the policy
   * @throws org.apache.hadoop.security.AccessControlException if the user has no right to do so
   * @throws IOException if the NameNode refuses the change
   */
  void setPolicy(String user, String directory, String policy) throws IOException;
}
