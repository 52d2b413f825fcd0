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

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.client.plugin.FilesJar;
import org.hdfsppr.loader.Extensions;
import org.hdfsppr.wire.PeerText;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;

/**
 * The list of the commands of {@code hdfs ppr}. To add a command, write a {@link ToolCommand} and
 * add it to the list. A {@link CommandSource} of another jar adds commands at the end.
 */
@InterfaceAudience.Private
public final class ToolCommands {
  /** The commands of the jar of files. A client without that jar refuses them, and names the jar */
  public static final Set<String> OF_FILES = Set.of("-convert", "-core", "-updatable", "-update",
      "-commit", "-clear", "-finalize", "-updates", "-nbd");

  private ToolCommands() {
  }

  private static List<ToolCommand> all(CommandEnvironment surroundings) {
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
        new VerifyCommand(conf)));
  }

  /**
   * Adds all commands to the tool. The tool then refuses in one sentence any arguments that it does
   * not understand. If a jar with further commands does not fit this jar, for example because its
   * version is another one, the tool has no commands, and refuses everything with a sentence that
   * names both jars.
   *
   * @param tool {@code hdfs ppr} itself
   * @param conf supplies the client's configuration, which is read only when a command needs it
   */
  public static void addTo(CommandLine tool, Supplier<Configuration> conf) {
    addTo(tool, CommandEnvironment.ofProcess(conf));
  }

  static void addTo(CommandLine tool, CommandEnvironment surroundings) {
    try {
      addTo(tool, surroundings, Extensions.one(CommandSource.class));
    } catch (IOException e) {
      refuseAll(tool, e);
    }
  }

  /** @param further more commands, if there are any */
  static void addTo(CommandLine tool, CommandEnvironment surroundings,
      Optional<CommandSource> further) {
    GenericOptions generic = new GenericOptions(tool);
    tool.addMixin("generic", generic);
    CommandEnvironment changed = surroundings.changed(generic::appliedTo);
    List<ToolCommand> commands = new ArrayList<>(all(changed));
    further.ifPresent(source -> commands.addAll(source.commands(changed)));
    for (ToolCommand command : commands) {
      CommandLine line = new CommandLine(command);
      command.configure(line);
      tool.addSubcommand(line);
    }
    tool.setParameterExceptionHandler((e, args) ->
        absent(tool, List.of(args)).map(name -> refuseAbsent(tool, name)).orElseGet(() ->
            refuse(e)));
    // If a user asks for the help of a command of the missing jar, picocli parses this as a call
    // for the help of the tool. So this strategy has to look for such commands, too.
    tool.setExecutionStrategy(parsed ->
        absent(tool, parsed.originalArgs()).map(name -> refuseAbsent(tool, name)).orElseGet(() ->
            new RunLast().execute(parsed)));
  }

  /** Lets the tool refuse whatever it is called with, also a call for help. */
  static void refuseAll(CommandLine tool, IOException why) {
    String sentence = PeerText.firstLine(why);
    tool.setParameterExceptionHandler((e, args) -> fail(tool, sentence));
    tool.setExecutionStrategy(parsed -> fail(tool, sentence));
  }

  private static int fail(CommandLine tool, String sentence) {
    refuse(tool, sentence);
    return ExitCode.FAILED.code;
  }

  /**
   * Returns the command that some arguments name, if it belongs to the jar of files and that jar is
   * missing.
   */
  private static Optional<String> absent(CommandLine tool, List<String> args) {
    Set<String> known = tool.getSubcommands().keySet();
    return args.stream().filter(arg -> known.contains(arg) || OF_FILES.contains(arg))
        .findFirst().filter(arg -> !known.contains(arg));
  }

  private static int refuseAbsent(CommandLine tool, String name) {
    return refuse(tool, name + " is in " + FilesJar.NAME + "; " + FilesJar.REMEDY);
  }

  private static int refuse(CommandLine line, String sentence) {
    line.getErr().println(line.getCommandSpec().qualifiedName() + ": " + sentence);
    line.getErr().flush();
    return ExitCode.USAGE.code;
  }

  private static int refuse(ParameterException e) {
    CommandLine line = e.getCommandLine();
    String known = line.getSubcommands().isEmpty() ? ""
        : "; the commands are " + line.getSubcommands().keySet().stream().sorted()
            .collect(Collectors.joining(", "));
    return refuse(line, PeerText.firstLine(e) + known + "; '"
        + line.getCommandSpec().qualifiedName() + " -help' shows an example");
  }

  /**
   * Hadoop's generic options, which each command takes before or after its name, as {@code hdfs
   * dfs} does. They change the configuration that the command reads, in the order of Hadoop's
   * {@code GenericOptionsParser}: files first, then the file system, then single properties.
   */
  static final class GenericOptions {
    private final CommandLine tool;
    private final List<Path> files = new ArrayList<>();
    private final Map<String, String> properties = new LinkedHashMap<>();
    private String fileSystem;

    /** @param tool has these options, and says what is wrong with one */
    GenericOptions(CommandLine tool) {
      this.tool = tool;
    }

    @Option(names = "-fs", paramLabel = "URI", scope = ScopeType.INHERIT,
        description = "Work on this file system, such as hdfs://NAMESERVICE.")
    private void fileSystem(String uri) {
      try {
        FileSystem.setDefaultUri(new Configuration(false), uri);
      } catch (IllegalArgumentException e) {
        throw misuse("-fs '" + uri + "' is no URI of a file system, such as hdfs://NAMESERVICE");
      }
      fileSystem = uri;
    }

    @Option(names = "-conf", paramLabel = "FILE", scope = ScopeType.INHERIT,
        description = "Read this configuration file, too; its properties count more.")
    private void file(List<File> all) {
      for (File file : all) {
        if (!file.isFile() || !file.canRead()) {
          throw misuse("-conf '" + file + "' is no file that can be read");
        }
        Path path = new Path(file.getAbsoluteFile().toURI());
        if (!files.contains(path)) {
          files.add(path);
        }
      }
    }

    @Option(names = "-D", paramLabel = "KEY=VALUE", scope = ScopeType.INHERIT,
        description = "Give a property this value.")
    private void property(Map<String, String> all) {
      properties.putAll(all);
    }

    @Option(names = {"-jt", "-files", "-libjars", "-archives"}, paramLabel = "WORD", hidden = true,
        scope = ScopeType.INHERIT, description = "Refused.")
    private void ofJobs(String word) {
      throw misuse("-jt, -files, -libjars and -archives are for MapReduce jobs of users, and "
          + "hdfs ppr takes none of them; for -core -mapreduce, name the ResourceManager with -D"
          + " yarn.resourcemanager.address=HOST:PORT");
    }

    private ParameterException misuse(String sentence) {
      return new ParameterException(tool, sentence);
    }

    /** Returns the configuration with what the options change; the same one if there are none. */
    Configuration appliedTo(Configuration configuration) {
      if (fileSystem == null && files.isEmpty() && properties.isEmpty()) {
        return configuration;
      }
      Configuration conf = new Configuration(configuration);
      files.forEach(conf::addResource);
      if (fileSystem != null) {
        FileSystem.setDefaultUri(conf, fileSystem);
      }
      properties.forEach((key, value) -> conf.set(key, value, "-D of the command line"));
      return conf;
    }
  }
}
