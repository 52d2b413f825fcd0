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
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Time;
import org.hdfsppr.client.command.Cluster;
import org.hdfsppr.client.command.CommandEnvironment;
import org.hdfsppr.client.command.ExitCode;
import org.hdfsppr.client.command.ToolCommand;
import org.hdfsppr.client.command.ToolOutput;
import org.hdfsppr.client.files.call.PluginCalls;
import org.hdfsppr.client.text.Quantities;
import org.hdfsppr.operate.WaitingUpdates;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code hdfs ppr -updates}: shows how many updates of a file are in logs only, and which commit
 * its version has.
 */
@InterfaceAudience.Private
@Command(name = "-updates",
    description = "Says what the update logs of a file have that no version of it has, and how far"
        + " its commits are. Needs READ on the file. See docs/updates.md.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:refused or failed", "2:not understood"},
    footer = {"%nExample: hdfs ppr -updates /images/disk"})
final class UpdatesCommand extends ToolCommand {

  @Parameters(arity = "1", paramLabel = "PATH", description = "The file.")
  private String file;

  private final CommandEnvironment surroundings;

  UpdatesCommand(CommandEnvironment surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    Cluster cluster = cluster(surroundings.conf(), file);
    String path = cluster.path();
    WaitingUpdates pending = PluginCalls.of(cluster.conf, surroundings.screen::await,
        Time::monotonicNow).call(plugin -> plugin.pendingUpdates(path));
    if (output.isJson) {
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("path", pending.path);
      answer.put("committed", pending.committed);
      answer.put("next", pending.next);
      answer.put("trimmed", pending.trimmed);
      answer.put("units", pending.units);
      answer.put("silent_units", pending.silentUnits);
      answer.put("updates", pending.updates);
      answer.put("logged_bytes", pending.loggedBytes);
      answer.put("changed_bytes", pending.changedBytes);
      answer.put("stripes", pending.stripes);
      output.object(answer);
      return ExitCode.DONE;
    }
    output.sentence(pending.path + " has "
        + Quantities.count(pending.updates, "update") + " of "
        + Quantities.count(pending.loggedBytes, "byte") + " in logs, which change "
        + Quantities.count(pending.changedBytes, "byte") + " in "
        + Quantities.count(pending.stripes, "stripe") + ".");
    output.sentence(lastCommit(pending));
    if (pending.silentUnits > 0) {
      output.sentence("The logs of " + pending.silentUnits + " of " + pending.units
          + " units do not answer, and are not counted.");
    }
    return ExitCode.DONE;
  }

  private static String lastCommit(WaitingUpdates pending) {
    if (pending.committed == 0) {
      return pending.units == 0 ? "It was never updated in place." : "It was never committed.";
    }
    return "Commit " + pending.committed + " is in its version"
        + (pending.trimmed < pending.committed ? ", and the logs still have its updates."
            : ".");
  }
}
