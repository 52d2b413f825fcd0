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

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.wire.PeerText;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The list of all commands of {@code hdfs ppr}. To add a command, write a {@link ToolCommand} and
 * add it to the list.
 */
@InterfaceAudience.Private
public final class ToolCommands {
  private ToolCommands() {
  }

  private static List<ToolCommand> all(Surroundings surroundings) {
    Supplier<Configuration> conf = surroundings::conf;
    return Collections.unmodifiableList(Arrays.asList(
        new CodesCommand(),
        new StatusCommand(surroundings),
        new GroupsCommand(surroundings),
        new NodesCommand(surroundings),
        new ExplainCommand(surroundings),
        new DoubtsCommand(surroundings),
        new DoctorCommand(surroundings),
        new PauseCommand(conf),
        new StockCommand(conf),
        new ResumeCommand(conf),
        new PressureCommand(conf),
        new PrioritizeCommand(conf),
        new ReadmitCommand(conf),
        new UndoubtCommand(conf),
        new VerifyCommand(conf),
        new ConvertCommand(surroundings),
        new CoreCommand(surroundings),
        new UpdatableCommand(surroundings),
        new UpdateCommand(surroundings), new CommitCommand(surroundings),
        new ClearCommand(surroundings),
        new UpdatesCommand(surroundings), new NbdCommand(surroundings)));
  }

  /**
   * Adds all commands to the tool. The tool then refuses in one sentence any arguments that it does
   * not understand.
   *
   * @param tool {@code hdfs ppr} itself
   * @param conf supplies the client's configuration, which is read only when a command needs it
   */
  public static void addTo(CommandLine tool, Supplier<Configuration> conf) {
    addTo(tool, Surroundings.ofProcess(conf));
  }

  static void addTo(CommandLine tool, Surroundings surroundings) {
    GenericOptions generic = new GenericOptions(tool);
    tool.addMixin("generic", generic);
    Surroundings changed = surroundings.changed(generic::appliedTo);
    for (ToolCommand command : all(changed)) {
      CommandLine line = new CommandLine(command);
      command.configure(line);
      tool.addSubcommand(line);
    }
    tool.setParameterExceptionHandler((e, args) -> refuse(e));
  }

  private static int refuse(ParameterException e) {
    CommandLine line = e.getCommandLine();
    String known = line.getSubcommands().isEmpty() ? ""
        : "; the commands are " + line.getSubcommands().keySet().stream().sorted()
            .collect(Collectors.joining(", "));
    String name = line.getCommandSpec().qualifiedName();
    line.getErr().println(name + ": " + PeerText.firstLine(e) + known + "; '" + name
        + " -help' shows an example");
    line.getErr().flush();
    return ExitCode.USAGE.code;
  }
}
