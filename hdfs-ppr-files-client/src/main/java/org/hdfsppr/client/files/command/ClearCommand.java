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

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Time;
import org.hdfsppr.client.command.CommandEnvironment;
import org.hdfsppr.client.command.ExitCode;
import org.hdfsppr.client.command.ToolCommand;
import org.hdfsppr.client.command.ToolOutput;
import org.hdfsppr.client.files.call.PluginCalls;
import org.hdfsppr.client.files.text.LeftoverJson;
import org.hdfsppr.client.files.text.LeftoverText;
import org.hdfsppr.operate.Leftovers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code hdfs ppr -clear}: shows which old versions and other files are left below /.hdfs-ppr, and
 * with -go deletes those that are not needed any more.
 */
@InterfaceAudience.Private
@Command(name = "-clear",
    description = "Shows what hdfs-ppr keeps below /.hdfs-ppr, what of it may go now, and what it"
        + " waits for: a grace, a snapshot, a decision. With -go, deletes what may go. Needs a"
        + " superuser. Deletes nothing that a stream may need, and nothing that Hadoop fails to"
        + " delete. See docs/command.md.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:nothing is left", "1:something is left, or it was refused or failed",
        "2:not understood"},
    footer = {"%nExample: hdfs ppr -clear -go"})
final class ClearCommand extends ToolCommand {
  @Option(names = "-go", description = "Delete what may go.")
  private boolean isCleared;

  private final CommandEnvironment surroundings;

  ClearCommand(CommandEnvironment surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    Leftovers left = PluginCalls.of(surroundings.conf(), surroundings.screen::await,
        Time::monotonicNow).call(plugin -> plugin.leftovers(isCleared));
    if (output.isJson) {
      output.object(LeftoverJson.of(left));
    } else {
      output.lines(LeftoverText.of(left, surroundings.clock.instant()));
    }
    return left.count() == 0 && left.unfinished.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
  }
}
