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

/** How the command lines report what went wrong. */
@InterfaceAudience.Private
public final class CliErrors {

  private CliErrors() {
  }

  /**
   * One line for the user; the trace too where {@code HDFS_PPR_TRACE} is set.
   *
   * @param failure what a command has thrown
   * @param line the command
   * @param parsed what the user has written
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
      // A fault of this program, which needs the trace to be found.
      failure.printStackTrace(line.getErr());
    }
    line.getErr().flush();
    return 1;
  }
}
