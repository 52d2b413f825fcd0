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
package org.hdfsppr.it.util;

import org.apache.hadoop.classification.InterfaceAudience;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Prints the errors of this module's commands. */
@InterfaceAudience.Private
public final class CliErrors {

  private CliErrors() {
  }

  /**
   * Prints one line for the user. If {@code HDFS_PPR_TRACE} is set, it prints the stack trace too.
   *
   * @param failure the exception that a command has thrown
   * @param line the command
   * @param parsed the parsed command line
   * @return the exit code
   */
  public static int report(Exception failure, CommandLine line, ParseResult parsed) {
    String kind = failure.getClass().getSimpleName();
    String text = failure.getMessage() == null ? kind : failure.getMessage();
    line.getErr().println(line.getCommandName() + ": " + text);
    if (System.getenv("HDFS_PPR_TRACE") != null) {
      failure.printStackTrace(line.getErr());
    } else if (failure instanceof RuntimeException
        && !(failure instanceof IllegalArgumentException)
        && !(failure instanceof IllegalStateException)) {
      // The exception shows a bug of this program, and a developer needs the trace to find the bug.
      failure.printStackTrace(line.getErr());
    }
    line.getErr().flush();
    return 1;
  }
}
