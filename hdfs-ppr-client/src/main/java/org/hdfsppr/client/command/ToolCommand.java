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
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * One command of {@code hdfs ppr}. A subclass declares its name, its arguments and an example with
 * picocli's annotations, and does its work in {@link #run}. {@link ToolCommands} lists all
 * subclasses. This class implements what all commands have in common: {@code -json}, {@code -help},
 * exit codes, and one sentence instead of a stack trace for each refusal.
 */
@InterfaceAudience.Private
public abstract class ToolCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ToolCommand.class);

  @Spec
  private CommandSpec spec;

  @Option(names = "-json", description = "Print JSON, one object a line.")
  private boolean isJson;

  @Option(names = {"-help", "-h", "--help"}, usageHelp = true,
      description = "Show this help and an example.")
  private boolean isHelpWanted;

  /**
   * Changes how picocli parses this command, for settings that have no annotation.
   *
   * @param line the command's parser
   */
  protected void configure(CommandLine line) {
    // Keeps picocli's defaults, which suit most commands.
  }

  /**
   * Does the command's work and prints the result.
   *
   * @param output prints
   * @return the exit code
   * @throws IOException if the command is refused or fails; the message is a sentence for people
   * @throws ParameterException if an argument makes no sense, as {@link #misuse} makes it
   * @throws IllegalArgumentException if the configuration has an invalid value; the message is a
   *     sentence for people
   */
  protected abstract ExitCode run(ToolOutput output) throws IOException;

  @Override
  public final Integer call() {
    ToolOutput output =
        new ToolOutput(spec.commandLine().getOut(), spec.commandLine().getErr(), isJson);
    try {
      return run(output).code;
    } catch (ParameterException e) {
      // The tool refuses the argument as it refuses arguments that it does not understand.
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("{} is refused", spec.name(), e);
      output.refusal(e.getMessage() == null ? fault(e) : PeerText.firstLine(e));
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("{} has failed", spec.name(), e);
      output.refusal(fault(e));
    }
    return ExitCode.FAILED.code;
  }

  /**
   * Makes the exception for an argument that makes no sense; the tool then says so and exits.
   *
   * @param sentence what is wrong with it
   * @return the exception, for the caller to throw
   */
  protected final ParameterException misuse(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }

  /**
   * Returns the cluster that some arguments are in, with their paths there.
   *
   * @param conf names the default file system
   * @param texts what the user has written, at least one path
   * @return the cluster
   * @throws ParameterException if they are no paths of one HDFS
   * @throws IOException if the user is not known, or if the mount table cannot be read
   */
  protected final Cluster cluster(Configuration conf, List<String> texts) throws IOException {
    try {
      return Cluster.of(conf, texts);
    } catch (IllegalArgumentException e) {
      throw misuse(e.getMessage());
    }
  }

  /**
   * Returns the cluster that an argument is in, with its path there.
   *
   * @param conf names the default file system
   * @param text what the user has written
   * @return the cluster
   * @throws ParameterException if it is no path of an HDFS
   * @throws IOException if the user is not known, or if the mount table cannot be read
   */
  protected final Cluster cluster(Configuration conf, String text) throws IOException {
    return cluster(conf, Collections.singletonList(text));
  }

  private String fault(Throwable e) {
    return "hdfs ppr " + spec.name() + " has failed: " + PeerText.oneLine(e.toString())
        + "; 'hdfs --loglevel DEBUG ppr' logs where";
  }
}
