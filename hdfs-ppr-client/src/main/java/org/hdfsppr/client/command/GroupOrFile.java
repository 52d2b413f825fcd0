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
package org.hdfsppr.client.command;

import java.io.IOException;
import java.util.OptionalLong;

/** What a command is about: a block group, or a file. Immutable. */
final class GroupOrFile {
  private final String argument;
  private final OptionalLong groupId;

  private GroupOrFile(String argument, OptionalLong groupId) {
    this.argument = argument;
    this.groupId = groupId;
  }

  /**
   * Reads an argument.
   *
   * @param argument a block's name, or a path
   * @param command makes the exception for an argument that is neither
   */
  static GroupOrFile of(String argument, ToolCommand command) {
    if (BlockName.isBlock(argument)) {
      OptionalLong id = BlockName.groupId(argument);
      if (!id.isPresent()) {
        throw command.misuse("'" + argument + "' is no block of an erasure-coded file: name it as"
            + " the NameNode's log does, such as blk_-9223372036854775792");
      }
      return new GroupOrFile(argument, id);
    }
    if (argument.isEmpty() || argument.startsWith("-")) {
      throw command.misuse("'" + argument + "' is neither an option nor a block nor a path");
    }
    return new GroupOrFile(argument, OptionalLong.empty());
  }

  boolean isBlock() {
    return groupId.isPresent();
  }

  /** Returns the name of the group. May be called only if {@link #isBlock}. */
  String block() {
    return BlockName.of(groupId.getAsLong());
  }

  /**
   * Looks up the file that a user has named.
   *
   * @param cluster has the file's path
   * @throws IOException if the user may not read the file, or if there is no such erasure-coded
   *     file
   */
  static FileGroups file(Cluster cluster) throws IOException {
    return FileGroups.of(NameNodes.of(cluster.conf).conf, cluster.path());
  }
}
