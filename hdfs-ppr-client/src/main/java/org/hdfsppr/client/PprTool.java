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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code hdfs ppr}: its first argument says what to do, as in {@code hdfs ec}. */
@InterfaceAudience.Private
@Command(name = "hdfs ppr", mixinStandardHelpOptions = true,
    description = "Looks at and works with the erasure codes of hdfs-ppr.",
    synopsisSubcommandLabel = "COMMAND")
public final class PprTool implements Runnable {
  @Spec
  private CommandSpec spec;

  private PprTool() {
  }

  static CommandLine commandLine(Supplier<Configuration> conf) {
    CommandLine line = new CommandLine(new PprTool())
        .addSubcommand("-codes", new CodesCommand());
    // A block without its prefix begins with a minus.
    line.addSubcommand("-undoubt",
        new CommandLine(new UndoubtCommand(conf)).setUnmatchedOptionsArePositionalParams(true));
    line.addSubcommand("-readmit", new ReadmitCommand(conf));
    return line;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do");
  }

  /** @return 0 if all went well, 1 if the command failed, 2 if it was not understood */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    return run(HdfsConfiguration::new, out, err, args);
  }

  /** The same. @param conf of the client */
  static int run(Supplier<Configuration> conf, PrintWriter out, PrintWriter err,
      String... args) {
    return commandLine(conf).setOut(out).setErr(err).execute(args);
  }

  public static void main(String[] args) {
    System.exit(run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args));
  }
}
