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

/**
 * The calls with which users' commands protect directories by CORE groups. A caller that got no
 * answer may repeat every call.
 */
@InterfaceAudience.Private
public interface CoreProtocol {
  /**
   * Protects the files of a directory by CORE groups. The NameNode forms the groups in the
   * background. When the call returns, a restart of the NameNode no longer loses the protection. If
   * the directory is protected already, it gets the new options.
   *
   * @param path absolute path of a directory
   * @param isRecursive whether the files of all directories below this one are protected as well
   * @param files how many files form a group, if the codec of their policy does not say it; empty
   *     to keep the number that the directory has, or else to take the default
   * @return the directory afterwards
   * @throws IOException if the NameNode refuses this; the message says why and what helps
   */
  CoreDirectory protectDirectory(String path, boolean isRecursive, OptionalInt files)
      throws IOException;

  /**
   * Ends the protection of a directory. Its groups are dissolved in the background.
   *
   * @param path absolute path of a directory that is protected
   * @return the directory as it was before
   * @throws IOException if the NameNode refuses this; the message says why and what helps
   */
  CoreDirectory unprotectDirectory(String path) throws IOException;

  /**
   * Returns the status of protected directories.
   *
   * @param path absolute path of a protected directory; null for all that the caller may list
   * @return the directories, and what has become of their groups
   * @throws IOException if the directory is not protected, or the NameNode does not answer now
   */
  CoreStatus coreStatus(String path) throws IOException;

  /**
   * Protects a directory like {@link #protectDirectory}, for a caller that will form the groups
   * itself and submit them. For a while, the NameNode then does not look for groups in this
   * directory itself.
   *
   * @param path absolute path of a directory
   * @param isRecursive whether the files of all directories below this one are protected as well
   * @param files how many files form a group, if the codec of their policy does not say it; empty
   *     to keep the number that the directory has, or else to take the default
   * @return the rules by which the NameNode forms groups of the directory
   * @throws IOException if the NameNode refuses this; the message says why and what helps
   */
  SubmissionTerms beginSubmission(String path, boolean isRecursive, OptionalInt files)
      throws IOException;

  /**
   * Submits groups of a protected directory. The NameNode checks each group. The groups that it
   * accepts wait in its memory, together with those that it has found itself, until it makes them.
   * A restart loses the waiting groups. The NameNode then finds their files again when it next
   * looks for files without a group.
   *
   * @param submission the groups
   * @return for each group, in the same order, whether the NameNode has accepted it
   * @throws IOException if the NameNode refuses the whole call; the message says why and what helps
   */
  List<GroupAnswer> submitGroups(GroupSubmission submission) throws IOException;

  /**
   * Looks at some columns, and names blocks to move, so that no DataNode has two blocks of a
   * column. The caller moves the blocks. Only superusers may call this: with the tokens in the
   * answer, a caller can write a replica of its own choice onto a DataNode.
   *
   * @param path absolute path of a protected directory; null for all
   * @param from the column with which the look begins
   * @return the blocks to move, counts of the columns, and the column with which to begin the next
   *     call
   * @throws IOException if the NameNode refuses this; the message says why and what helps
   */
  SpreadAnswer planSpread(String path, SpreadPlace from) throws IOException;
}
