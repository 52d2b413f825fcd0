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
package org.hdfsppr.namenode.update;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.update.look.UpdateNamespace;

/**
 * The directories in which the NameNode keeps the records of updates. What a record says is in
 * extended attributes of its directory, which {@link UpdateNamespace} reads and changes.
 */
@InterfaceAudience.Private
public interface UpdateFolder {
  /**
   * @return the inode of the root directory of all records, which this method makes if there is
   *     none
   * @throws IOException if the NameNode refuses this
   */
  long root() throws IOException;

  /**
   * @param file the UUID of a file
   * @return the inode of the file's directory; empty if there is none
   * @throws IOException if the NameNode refuses the question
   */
  OptionalLong find(UUID file) throws IOException;

  /**
   * @param file the UUID of a file
   * @return the inode of the file's directory, which this method makes if there is none
   * @throws IOException if the NameNode refuses this
   */
  long make(UUID file) throws IOException;

  /**
   * Lists the next files that have a directory, in the order of their UUIDs as texts.
   *
   * @param after the last file of the page before; null for the first page
   * @return the next files; empty if there are no more
   * @throws IOException if the NameNode refuses it
   */
  List<UUID> files(UUID after) throws IOException;

  /**
   * @param file the UUID of a file
   * @return the indexes, within the file, of the block groups that have a directory
   * @throws IOException if the NameNode refuses it
   */
  List<Integer> groups(UUID file) throws IOException;

  /**
   * Deletes the directories of a file's groups.
   *
   * @param file the UUID of the file
   * @throws IOException if the NameNode refuses it
   */
  void deleteGroups(UUID file) throws IOException;

  /**
   * Deletes a file's directory, and those of its groups.
   *
   * @param file the UUID of the file
   * @throws IOException if the NameNode refuses it
   */
  void delete(UUID file) throws IOException;

  /**
   * @param file the UUID of a file
   * @param group the index of a block group within the file
   * @return the inode of the group's directory; empty if there is none
   * @throws IOException if the NameNode refuses the question
   */
  OptionalLong find(UUID file, int group) throws IOException;

  /**
   * @param file the UUID of a file
   * @param group the number of a block group within the file
   * @return the inode of the group's directory, which this method makes if there is none
   * @throws IOException if the NameNode refuses this
   */
  long make(UUID file, int group) throws IOException;

  /**
   * @param directory the inode of a directory
   * @return the value of the attribute that lets the files below be updated: the strategy of
   *     commits, or {@link org.hdfsppr.namenode.update.look.UpdateNamespace#UPDATABLE}; empty if
   *     the directory has no such attribute
   * @throws IOException if the NameNode refuses the question
   */
  Optional<String> updatable(long directory) throws IOException;

  /**
   * Sets or removes the attribute that lets a directory's files be updated.
   *
   * @param directory the inode of the directory
   * @param value the value of the attribute; null to remove it
   * @return whether the attribute has changed
   * @throws IOException if the NameNode refuses it
   */
  boolean setUpdatable(long directory, String value) throws IOException;
}
