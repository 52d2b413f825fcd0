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
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hdfs ppr -prioritize}: puts groups before others that are in the same danger. */
@InterfaceAudience.Private
@Command(name = "-prioritize",
    description = "Lets the NameNodes repair a block group, or a file's block groups that lack"
        + " units, before others. For superusers.",
    footer = {"%nExample: hdfs ppr -prioritize blk_-9223372036854775792",
        "         hdfs ppr -prioritize /logs/2026-01-31.gz"})
final class PrioritizeCommand extends SuperuserCommand {
  /**
   * How many groups one command puts first at most. For each group, the command makes a call to
   * each NameNode. And if a great many groups were put first, they would have to wait for each
   * other again.
   */
  private static final int GROUPS_MAX = 100;

  private final Supplier<Configuration> conf;

  @Parameters(index = "0", paramLabel = "BLOCK|PATH",
      description = "a block as the NameNode's log names it, or a file in HDFS")
  private String what;

  PrioritizeCommand(Supplier<Configuration> conf) {
    super(conf, "prioritize");
    this.conf = conf;
  }

  /**
   * A block's id without {@code blk_} begins with a minus. With this setting, picocli does not take
   * such an id for an option.
   */
  @Override
  protected void configure(CommandLine line) {
    line.setUnmatchedOptionsArePositionalParams(true);
  }

  @Override
  String argument() {
    return what;
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    GroupOrFile target = GroupOrFile.of(what, this);
    if (target.isBlock()) {
      return send(NameNodes.of(conf.get()), target.block(), output);
    }
    Cluster cluster = cluster(conf.get(), what);
    NameNodes nameNodes = NameNodes.of(cluster.conf);
    List<String> groups = GroupOrFile.file(cluster).lacking;
    if (groups.isEmpty()) {
      throw new IOException("'" + what + "' has no block group that lacks units");
    }
    boolean isDone = false;
    for (String group : groups.subList(0, Math.min(GROUPS_MAX, groups.size()))) {
      isDone |= send(nameNodes, group, output) == ExitCode.DONE;
    }
    if (groups.size() > GROUPS_MAX) {
      output.complaint((groups.size() - GROUPS_MAX) + " more block groups of '" + what
          + "' lack units, and stay where they are: one call puts at most " + GROUPS_MAX
          + " first");
    }
    return isDone ? ExitCode.DONE : ExitCode.FAILED;
  }
}
