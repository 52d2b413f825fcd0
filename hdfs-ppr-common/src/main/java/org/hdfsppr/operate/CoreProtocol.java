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
package org.hdfsppr.operate;

import java.io.IOException;
import java.util.OptionalInt;
import org.apache.hadoop.classification.InterfaceAudience;

/** The calls of users' commands to CORE. Every call may be repeated. */
@InterfaceAudience.Private
public interface CoreProtocol {
  /**
   * Protects the files of a directory by CORE groups, which are formed in the background. The
   * protection is durable when the call returns. A directory that is protected already gets the
   * new options.
   *
   * @param path absolute path of a directory
   * @param isRecursive whether the files of all directories below it are protected, too
   * @param files how many files of a policy that does not say it form a group; empty for the
   *     number that the directory has, or else the default
   * @return the directory after that
   * @throws IOException if this is refused; the message says why and what helps
   */
  CoreDirectory protectDirectory(String path, boolean isRecursive, OptionalInt files)
      throws IOException;

  /**
   * Ends the protection of a directory. Its groups are dissolved in the background.
   *
   * @param path absolute path of a directory that is protected
   * @return the directory as it was before
   * @throws IOException if this is refused; the message says why and what helps
   */
  CoreDirectory unprotectDirectory(String path) throws IOException;

  /**
   * Asks for protected directories.
   *
   * @param path absolute path of a protected directory; null for all that the caller may list
   * @return what is known of them
   * @throws IOException if the directory is not protected, or the NameNode does not answer now
   */
  CoreStatus coreStatus(String path) throws IOException;
}
