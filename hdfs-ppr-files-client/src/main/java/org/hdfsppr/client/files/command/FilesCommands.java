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
package org.hdfsppr.client.files.command;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.command.CommandEnvironment;
import org.hdfsppr.client.command.CommandSource;
import org.hdfsppr.client.command.ToolCommand;

/** The commands that work on files: conversions, CORE groups, updates and block devices. */
@InterfaceAudience.Private
public final class FilesCommands implements CommandSource {
  @Override
  public List<ToolCommand> commands(CommandEnvironment surroundings) {
    return List.of(
        new ConvertCommand(surroundings),
        new CoreCommand(surroundings),
        new UpdatableCommand(surroundings),
        new UpdateCommand(surroundings),
        new CommitCommand(surroundings),
        new ClearCommand(surroundings),
        new FinalizeCommand(surroundings),
        new UpdatesCommand(surroundings),
        new NbdCommand(surroundings));
  }
}
