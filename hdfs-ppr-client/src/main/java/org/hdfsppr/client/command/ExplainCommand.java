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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.text.ExplainText;
import org.hdfsppr.client.text.Quantities;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hdfs ppr -explain}: why a block group is not repaired yet. */
@InterfaceAudience.Private
@Command(name = "-explain",
    description = "Says why a block group, or a file's block groups, are not repaired yet, what was"
        + " tried, and what happens next. Of a file, it explains the groups that lack units or are"
        + " doubted, and counts the others.",
    footer = {"%nExample: hdfs ppr -explain blk_-9223372036854775792",
        "         hdfs ppr -explain /logs/2026-01-31.gz"})
final class ExplainCommand extends PageCommand {
  /**
   * How many groups of a file are explained at most. People do not read more, and most explanations
   * say the same.
   */
  private static final int GROUPS_MAX = 20;

  @Parameters(index = "0", paramLabel = "BLOCK|PATH",
      description = "a block as the NameNode's log names it, or a file in HDFS")
  private String what;

  private String group;

  ExplainCommand(CommandEnvironment surroundings) {
    super(surroundings);
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
  String path() {
    return "/v1/explain/" + group;
  }

  @Override
  String text(ObjectNode document, Instant now) {
    return ExplainText.of(document);
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    GroupOrFile target = GroupOrFile.of(what, this);
    if (target.isBlock()) {
      group = target.block();
      return print(NameNodePages.of(surroundings.conf()).read(path()), output);
    }
    Cluster cluster = cluster(surroundings.conf(), what);
    NameNodePages pages = NameNodePages.of(cluster.conf);
    // If no NameNode answers, this call fails at once, and its exception says so. Without this
    // call, the search for the file would try for a while before it fails.
    pages.read("/v1/status");
    FileGroups file = GroupOrFile.file(cluster);
    List<String> groups = new ArrayList<>(file.lacking);
    // A group may lack nothing and still have a unit that is wrong.
    Set<String> doubted = doubted(pages.read("/v1/doubts").document);
    file.whole.stream().filter(doubted::contains).forEach(groups::add);
    List<String> shown = groups.subList(0, Math.min(GROUPS_MAX, groups.size()));
    ExitCode code = ExitCode.DONE;
    for (String one : shown) {
      group = one;
      ExitCode next = print(pages.read(path()), output);
      code = next == ExitCode.DONE ? code : next;
      if (!output.isJson) {
        output.sentence("");
      }
    }
    say(file, groups.size(), shown.size(), output);
    return code;
  }

  private static Set<String> doubted(JsonNode document) {
    Set<String> groups = new HashSet<>();
    document.path("doubts").forEach(doubt -> groups.add(doubt.path("group").asText()));
    return groups;
  }

  private void say(FileGroups file, int interesting, int shown, ToolOutput output) {
    int lacking = file.lacking.size();
    int all = lacking + file.whole.size();
    int fine = all - interesting;
    int left = interesting - shown;
    if (output.isJson) {
      Map<String, Object> last = new LinkedHashMap<>();
      last.put("groups", all);
      last.put("groups_whole", fine);
      last.put("groups_left_out", left);
      output.object(last);
      return;
    }
    output.sentence("'" + what + "' has " + Quantities.count(all, "block group") + ": "
        + areWord(fine) + " whole, " + lacking + (lacking == 1 ? " lacks" : " lack")
        + " units" + (interesting > lacking
            ? ", " + areWord(interesting - lacking) + " doubted" : "")
        + (left > 0 ? "; " + left + " more are not shown" : ""));
  }

  private static String areWord(int number) {
    return number + (number == 1 ? " is" : " are");
  }
}
