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

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.text.Quantities;
import org.hdfsppr.client.text.StatusText;
import org.hdfsppr.wire.PeerText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hdfs ppr -status}: what the cluster repairs, and when it will be done. */
@InterfaceAudience.Private
@Command(name = "-status",
    description = "Prints what waits for a repair, what runs, how long it will take, and what is"
        + " wrong.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done; with -check, no group is at risk", "1:refused or failed",
        "2:not understood", "3:-check: a group has no unit to spare, or has lost too many, or a"
            + " DataNode that the NameNode still counts as live sends no heartbeats",
        "4:-check: repairs do not advance"},
    footer = {"%nExample: hdfs ppr -status", "         hdfs ppr -status -watch 5",
        "         hdfs ppr -status -check || echo 'look at the repairs'"})
final class StatusCommand extends PageCommand {
  private static final int SECONDS_MIN = 1;
  private static final int SECONDS_MAX = 3600;
  /** States in which this NameNode cannot say what is at risk. */
  private static final Set<String> KNOWS_NOTHING = Collections.unmodifiableSet(
      new HashSet<>(Arrays.asList("not_in_charge", "standby", "starting")));
  /** Clears a terminal. */
  private static final String CLEAR = "\033[2J";
  /** Moves to the upper left corner, so that the next output covers the last one. */
  private static final String HOME = "\033[H";
  /** Clears what the last output has left in a line, and below. */
  private static final String CLEAR_LINE = "\033[K";
  private static final String CLEAR_BELOW = "\033[J";

  @Option(names = "-watch", arity = "0..1", fallbackValue = "2", paramLabel = "SECONDS",
      description = "Print it again and again, every 2 seconds or as said, until Ctrl-C.")
  private Integer seconds;

  @Option(names = "-check", description = "Exit with 3 if a group is at risk or lost or a DataNode"
      + " is silent, with 4 if repairs are stuck.")
  private boolean isCheck;

  StatusCommand(CommandEnvironment surroundings) {
    super(surroundings);
  }

  @Override
  String path() {
    return "/v1/status";
  }

  @Override
  String text(ObjectNode document, Instant now) {
    return StatusText.of(document);
  }

  @Override
  ExitCode judge(ObjectNode document, ToolOutput output) {
    if (!isCheck) {
      return ExitCode.DONE;
    }
    String state = document.path("state").asText();
    if (state.equals("stuck")) {
      return ExitCode.STUCK;
    }
    if (state.equals("at_risk") || state.equals("data_lost")
        || document.path("at_risk").asLong() > 0 || document.path("unrecoverable").asLong() > 0) {
      return ExitCode.AT_RISK;
    }
    if (KNOWS_NOTHING.contains(state)) {
      output.complaint("Nothing is checked: hdfs-ppr does not schedule the repairs now ("
          + PeerText.oneLine(state) + ")");
      return ExitCode.FAILED;
    }
    long silent = document.path("data_nodes_silent").asLong();
    if (silent > 0) {
      // The NameNode knows only minutes later what these DataNodes had, so that no group of theirs
      // counts as at risk yet.
      output.complaint(Quantities.count(silent, "live DataNode") + " missed several heartbeats:"
          + " what is there may be lost; see 'hdfs dfsadmin -report'");
      return ExitCode.AT_RISK;
    }
    return ExitCode.DONE;
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    if (seconds == null) {
      return super.run(output);
    }
    if (isCheck) {
      throw misuse("-check ends with an exit code, and -watch does not end: use one of them");
    }
    if (seconds < SECONDS_MIN || seconds > SECONDS_MAX) {
      throw misuse("-watch is " + seconds + " s, and has to be " + SECONDS_MIN + " to "
          + SECONDS_MAX);
    }
    return watch(pages(), output);
  }

  /**
   * Prints the status again and again, also after a failure, because a user may watch a NameNode
   * that restarts.
   */
  private ExitCode watch(NameNodePages pages, ToolOutput output) {
    boolean isPainted = surroundings.screen.isTerminal() && !output.isJson;
    if (isPainted) {
      output.lines(CLEAR);
    }
    boolean isFirst = true;
    do {
      if (!isPainted && !isFirst && !output.isJson) {
        output.sentence("");
      }
      isFirst = false;
      try {
        NameNodePage page = pages.read(path());
        if (isPainted) {
          paint(page.warning().map(line -> line + System.lineSeparator()).orElse("")
              + text(page.document, surroundings.clock.instant()), output);
        } else {
          print(page, output);
        }
      } catch (IOException e) {
        if (isPainted) {
          paint(e.getMessage() + System.lineSeparator(), output);
        } else {
          output.refusal(PeerText.firstLine(e));
        }
      }
    } while (!output.isGone() && surroundings.screen.await(seconds));
    return ExitCode.DONE;
  }

  private static void paint(String text, ToolOutput output) {
    output.lines(HOME + text.replace(System.lineSeparator(), CLEAR_LINE + System.lineSeparator())
        + CLEAR_BELOW);
  }
}
