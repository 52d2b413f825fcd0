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
import org.hdfsppr.operate.UpdateProtocol;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hdfs ppr -updatable}: lets the files of a directory be updated in place. */
@InterfaceAudience.Private
@Command(name = "-updatable",
    description = "Lets the closed erasure-coded files of a directory, and of all below it, be"
        + " updated in place by clients with dfs.client.ppr.updates. Needs WRITE on the directory."
        + " See docs/updates.md.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:refused or failed", "2:not understood"},
    footer = {"%nExample: hdfs ppr -updatable /images",
        "         hdfs ppr -updatable /images -strategy collect",
        "         hdfs ppr -updatable /images -off"})
final class UpdatableCommand extends ToolCommand {

  @Parameters(arity = "1", paramLabel = "DIR", description = "The directory.")
  private String directory;

  @Option(names = "-off", description = "Let its files not be updated any more. This is refused"
      + " while files have updates that are in no version of them.")
  private boolean isOff;

  @Option(names = "-strategy", paramLabel = "NAME", description = "How commits of its files bring"
      + " parity units up to date: cau, collect, parix, baseline or delta-log;"
      + " default: as dfs.namenode.ppr.commit.strategy says.")
  private String strategy;

  private final CommandEnvironment surroundings;

  UpdatableCommand(CommandEnvironment surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    Cluster cluster = cluster(surroundings.conf(), directory);
    String path = cluster.path();
    boolean isChanged = PluginCalls.of(cluster.conf, surroundings.screen::await,
        Time::monotonicNow)
        .call(plugin -> plugin.setUpdatable(path, !isOff, strategy));
    if (output.isJson) {
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("path", path);
      answer.put("updatable", !isOff);
      answer.put("changed", isChanged);
      if (strategy != null) {
        answer.put("strategy", strategy);
      }
      output.object(answer);
    } else {
      String how = strategy == null ? "." : ", with commits by the strategy "
          + (strategy.equals(UpdateProtocol.DEFAULT_STRATEGY)
              ? "of a directory above it, or else of dfs.namenode.ppr.commit.strategy."
              : "'" + strategy + "'.");
      output.sentence("The files of " + path + (isOff ? " are not updated in place any more."
          : " may be updated in place" + how) + (isChanged ? "" : " It was so before."));
    }
    return ExitCode.DONE;
  }
}
