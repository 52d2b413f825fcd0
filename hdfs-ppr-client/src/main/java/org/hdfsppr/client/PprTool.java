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
package org.hdfsppr.client;

import java.io.PrintWriter;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.hdfsppr.client.command.ToolCommands;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The tool {@code hdfs ppr}. Its first argument names a command, as with {@code hdfs ec}. {@link
 * ToolCommands} lists the commands.
 */
@InterfaceAudience.Private
@Command(name = "hdfs ppr",
    description = "Shows and steers the repairs of erasure-coded files, and what codes cost.",
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:refused or failed", "2:not understood",
        "3:-status -check: groups are at risk", "4:-status -check: repairs are stuck"},
    footer = {"%nExample: hdfs ppr -status", "         hdfs ppr -explain -help"})
public final class PprTool implements Runnable {
  @Spec
  private CommandSpec spec;

  @Option(names = {"-help", "-h", "--help"}, usageHelp = true,
      description = "Show this help and an example.")
  private boolean isHelpWanted;

  private PprTool() {
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do");
  }

  /**
   * Runs one command with the client's usual configuration.
   *
   * @return the number of an {@link org.hdfsppr.client.command.ExitCode}
   */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    return run(HdfsConfiguration::new, out, err, args);
  }

  /**
   * Runs one command.
   *
   * @param conf supplies the client's configuration
   * @param out receives what the command prints
   * @param err receives the reasons why the command refuses or has failed
   * @param args the command and its arguments
   * @return the number of an {@link org.hdfsppr.client.command.ExitCode}
   */
  public static int run(Supplier<Configuration> conf, PrintWriter out, PrintWriter err,
      String... args) {
    return commandLine(conf).setOut(out).setErr(err).execute(args);
  }

  /**
   * Makes the tool with all commands.
   *
   * @param conf supplies the client's configuration
   * @return the tool
   */
  public static CommandLine commandLine(Supplier<Configuration> conf) {
    CommandLine line = new CommandLine(new PprTool());
    ToolCommands.addTo(line, conf);
    return line;
  }

  /**
   * Runs one command, and then stops the JVM with the command's exit code.
   *
   * @param args the command and its arguments
   */
  public static void main(String[] args) {
    System.exit(run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args));
  }
}
