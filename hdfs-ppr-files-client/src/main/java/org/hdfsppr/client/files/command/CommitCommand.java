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
import org.hdfsppr.operate.CommitStatus;
import org.hdfsppr.operate.CommitStatus.State;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hdfs ppr -commit}: puts the updates of a file into a new version of it. */
@InterfaceAudience.Private
@Command(name = "-commit",
    description = "Puts all updates of a file that were acknowledged until now into a new version"
        + " of it, which all clients read, and waits for that. Needs WRITE on the file. Clients go"
        + " on reading and updating meanwhile. See docs/updates.md.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:committed, or nothing to commit", "1:refused or failed; the updates stay in"
        + " the logs", "2:not understood"},
    footer = {"%nExample: hdfs ppr -commit /images/disk"})
final class CommitCommand extends ToolCommand {
  /** The pause before the NameNode is asked again how far the commit is, s. */
  private static final long PAUSE_S = 1;

  @Parameters(arity = "1", paramLabel = "PATH", description = "The file.")
  private String file;

  @Option(names = "-no-wait", description = "Do not wait until the commit has ended.")
  private boolean isNotAwaited;

  private final CommandEnvironment surroundings;

  CommitCommand(CommandEnvironment surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    Cluster cluster = cluster(surroundings.conf(), file);
    String path = cluster.path();
    PluginCalls calls = PluginCalls.of(cluster.conf, surroundings.screen::await,
        Time::monotonicNow);
    CommitStatus status = calls.call(plugin -> plugin.commit(path, null));
    while (!isNotAwaited && !status.state.isEnd()) {
      if (!surroundings.screen.await(PAUSE_S)) {
        break;
      }
      String id = status.id;
      status = calls.call(plugin -> plugin.commit(path, id));
    }
    say(output, status);
    return status.state == State.FAILED ? ExitCode.FAILED : ExitCode.DONE;
  }

  private static void say(ToolOutput output, CommitStatus status) throws IOException {
    if (output.isJson) {
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("path", status.path);
      answer.put("state", status.state.name());
      answer.put("commit", status.commit);
      answer.put("updates", status.updates);
      answer.put("bytes", status.bytes);
      answer.put("groups", status.groups);
      answer.put("message", status.message);
      output.object(answer);
      return;
    }
    switch (status.state) {
      case PUBLISHED:
        output.sentence("Commit " + status.commit + " of " + status.path + " has "
            + Quantities.count(status.updates, "update") + " of "
            + Quantities.count(status.bytes, "byte") + " in "
            + Quantities.count(status.groups, "block group") + "."
            + (status.message.isEmpty() ? "" : " But " + status.message + "."));
        break;
      case NOTHING:
        output.sentence(status.path + " has no updates to commit.");
        break;
      case FAILED:
        throw new IOException(status.path + " is not committed, and its updates stay in the"
            + " logs: " + status.message);
      default:
        output.sentence("The commit of " + status.path + " is under way.");
    }
  }
}
