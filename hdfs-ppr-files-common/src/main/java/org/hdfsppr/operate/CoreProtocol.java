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
import java.util.List;
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

  /**
   * Protects a directory, as {@link #protectDirectory} does, whose groups the caller is about to
   * submit. The NameNode's own look at the files waits for a while.
   *
   * @param path absolute path of a directory
   * @param isRecursive whether the files of all directories below it are protected, too
   * @param files how many files of a policy that does not say it form a group; empty for the
   *     number that the directory has, or else the default
   * @return how the NameNode forms groups of the directory
   * @throws IOException if this is refused; the message says why and what helps
   */
  SubmissionTerms beginSubmission(String path, boolean isRecursive, OptionalInt files)
      throws IOException;

  /**
   * Submits groups of a protected directory. The NameNode checks each of them, and those that it
   * takes wait to be made with those that it has found itself. They are in its memory only: after
   * its restart, its own look at the files finds what is in no group.
   *
   * @param submission the groups
   * @return what became of each group, in the same order
   * @throws IOException if all of them are refused; the message says why and what helps
   */
  List<GroupAnswer> submitGroups(GroupSubmission submission) throws IOException;

  /**
   * Looks at some columns, and names blocks to move, so that no DataNode has two blocks of a
   * column. The caller moves them. Only for superusers: with the tokens, their holder can put a
   * block of its choice onto a DataNode.
   *
   * @param path absolute path of a protected directory; null for all
   * @param from where the look begins
   * @return what was seen, the moves, and where the next look begins
   * @throws IOException if this is refused; the message says why and what helps
   */
  SpreadAnswer planSpread(String path, SpreadPlace from) throws IOException;
}
