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
package org.hdfsppr.manage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.loader.Extensions;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;

/**
 * Reads the commands of one kind. Repairs and cancellations have no such object. Another jar adds
 * kinds as services of this type, see {@link Extensions}. A DataNode refuses a command whose kind
 * none of its jars adds. Immutable.
 */
@InterfaceAudience.Private
public class CommandKind {
  private static final CommandKind SCRUB =
      new CommandKind(ScrubCommand.KIND, "checks", ScrubCommand::parse);

  /** The name of the kind in messages */
  public final String kind;
  /** The plural noun for commands of this kind in log lines, such as {@code links} */
  public final String plural;
  private final BiFunction<CommandProto, String, ManagerCommand> reader;

  /**
   * @param kind the name of the kind in messages, see {@link ManagerCommand#kind}
   * @param plural the plural noun for commands of this kind in log lines, such as {@code links}
   * @param reader makes a command from its message and the NameNode's block pool; if a field is
   *     wrong, it throws an IllegalArgumentException that names the field
   */
  protected CommandKind(String kind, String plural,
      BiFunction<CommandProto, String, ManagerCommand> reader) {
    this.kind = kind;
    this.plural = plural;
    this.reader = reader;
  }

  /**
   * @return all kinds, in the order in which log lines list them: first the checks of groups, then
   *     the kinds that other jars add
   * @throws IOException if two kinds have the same name, or if another jar that adds kinds cannot
   *     be used
   */
  public static List<CommandKind> all() throws IOException {
    return withScrub(Extensions.all(CommandKind.class));
  }

  static List<CommandKind> withScrub(List<CommandKind> added) throws IOException {
    List<CommandKind> all = new ArrayList<>(List.of(SCRUB));
    all.addAll(added);
    Set<String> names = new HashSet<>();
    for (CommandKind one : all) {
      if (!names.add(one.kind)) {
        throw new IOException("Two classes read the commands '" + one.kind + "', one of them "
            + one.getClass().getName());
      }
    }
    return all;
  }

  ManagerCommand parse(CommandProto command, String pool) {
    return reader.apply(command, pool);
  }
}
