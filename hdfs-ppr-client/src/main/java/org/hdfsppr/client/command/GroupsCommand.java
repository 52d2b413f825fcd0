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
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.text.GroupsText;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hdfs ppr -groups}: the block groups that wait, or the repairs that run. */
@InterfaceAudience.Private
@Command(name = "-groups",
    description = "Prints the block groups that wait for a repair, those that are stuck and the"
        + " oldest first. After a group, ! says that it was put first by -prioritize, and r that"
        + " clients read it.",
    footer = "%nExample: hdfs ppr -groups -stuck -limit 100")
final class GroupsCommand extends PageCommand {
  /**
   * How many entries are printed at most for people, unless the user sets a limit. A page of a
   * terminal has about this many lines.
   */
  private static final int LIMIT_FOR_PEOPLE = 40;

  /** What to print instead of all waiting groups. */
  static final class Choice {
    @Option(names = "-stuck", description = "Only groups that do not get on by themselves.")
    private boolean isStuck;

    @Option(names = "-doubted", description = "Only groups whose units contradict each other.")
    private boolean isDoubted;

    @Option(names = "-running", description = "The repairs that run, instead of what waits.")
    private boolean isRunning;
  }

  @ArgGroup(exclusive = true)
  private final Choice choice = new Choice();

  @Option(names = "-limit", paramLabel = "N",
      description = "Print at most N. Without it, 40; with -json all that the NameNode names,"
          + " which are at most 1000.")
  private Integer limit;

  private boolean isJson;

  GroupsCommand(CommandEnvironment surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    if (limit != null && limit < 1) {
      throw misuse("-limit is " + limit + ", and has to be at least 1");
    }
    isJson = output.isJson;
    return super.run(output);
  }

  @Override
  String path() {
    return choice.isRunning ? "/v1/repairs" : "/v1/groups";
  }

  /**
   * Removes the entries that the user does not want to see from the document's list, and corrects
   * the document's fields about the length of the list.
   */
  @Override
  void select(ObjectNode document) {
    String name = choice.isRunning ? "repairs" : "groups";
    ArrayNode kept = document.arrayNode();
    int most = limit != null ? limit : isJson ? Integer.MAX_VALUE : LIMIT_FOR_PEOPLE;
    int matching = 0;
    for (JsonNode one : document.path(name)) {
      if (isWanted(one.path("reason").asText())) {
        matching++;
        if (kept.size() < most) {
          kept.add(one);
        }
      }
    }
    document.set(name, kept);
    if (choice.isStuck || choice.isDoubted) {
      // The NameNode's total counts the groups that are left out, too.
      document.put("total", matching);
    }
    document.put("truncated",
        document.path("truncated").asBoolean() || kept.size() < matching);
  }

  private boolean isWanted(String reason) {
    if (choice.isStuck) {
      return !GroupsText.isInTurn(reason);
    }
    return !choice.isDoubted || reason.equals("doubt");
  }

  @Override
  String text(ObjectNode document, Instant now) {
    return choice.isRunning ? GroupsText.running(document, now)
        : GroupsText.waiting(document, now);
  }
}
