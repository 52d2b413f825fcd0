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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.client.text.Quantities;
import org.hdfsppr.client.verify.ColumnFinding;
import org.hdfsppr.client.verify.SquareFinding;
import org.hdfsppr.client.verify.SquareTally;
import org.hdfsppr.client.verify.Verdict;
import org.hdfsppr.client.verify.VerifySession;

/** Checks the columns of CORE groups, and says what is found. */
@InterfaceAudience.Private
final class CoreCheck {
  /**
   * How many block groups of a CORE group are checked at the same time: enough to hide the ends of
   * chains.
   */
  private static final int AT_A_TIME = 4;

  private final Configuration conf;
  private final ToolOutput output;

  CoreCheck(Configuration conf, ToolOutput output) {
    this.conf = conf;
    this.output = output;
  }

  /**
   * Checks the groups in which files are.
   *
   * @param paths files and directories, at least one
   * @throws IOException if one of them does not exist, or the NameNode does not answer
   */
  ExitCode run(List<Path> paths) throws IOException {
    try (VerifySession session = VerifySession.open(conf, paths.get(0))) {
      SquareTally tally =
          session.checkColumns(paths, AT_A_TIME, this::show, output::refusal);
      if (output.isJson) {
        output.object(json(tally));
      } else {
        summary(tally);
      }
      return tally.isFine() ? ExitCode.DONE : ExitCode.FAILED;
    }
  }

  private void show(SquareFinding finding) {
    for (ColumnFinding column : finding.columns) {
      if (column.verdict.fine) {
        continue;
      }
      if (output.isJson) {
        output.object(json(finding, column));
        continue;
      }
      output.sentence("CORE group " + finding.coreGroup + ", block group " + finding.index
          + ", unit " + column.unit + ": " + column.verdict.title + ": " + column.text);
      if (!column.next.isEmpty()) {
        output.sentence("    " + column.next);
      }
    }
  }

  private static Map<String, Object> json(SquareFinding finding, ColumnFinding column) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("core_group", finding.coreGroup);
    one.put("index", finding.index);
    one.put("unit", column.unit);
    one.put("files", finding.files);
    one.put("result", column.verdict.word());
    one.put("wrong_file", column.wrongFile().orElse(null));
    one.put("wrong_block", column.wrongPlace().map(place -> place.block).orElse(null));
    one.put("wrong_node", column.wrongPlace().map(place -> place.node).orElse(null));
    one.put("text", column.text);
    one.put("next", column.next);
    return one;
  }

  private static Map<String, Object> json(SquareTally tally) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("version", 1);
    all.put("fine", tally.isFine());
    all.put("columns", tally.columns());
    for (Verdict verdict : Verdict.values()) {
      if (verdict != Verdict.OPEN) {
        all.put(verdict.word(), tally.columns(verdict));
      }
    }
    all.put("block_groups_changed", tally.changedGroups());
    all.put("block_groups_in_no_group", tally.groupsInNone());
    all.put("problems", tally.problems());
    all.put("unit_bytes", tally.unitBytes());
    all.put("client_bytes", tally.clientBytes());
    return all;
  }

  private void summary(SquareTally tally) {
    output.sentence(Quantities.count(tally.columns(), "column") + ": "
        + tally.columns(Verdict.AGREES) + " add up to zero, "
        + tally.columns(Verdict.CONTRADICTION) + " do not, "
        + (tally.columns(Verdict.NOT_CHECKED) + tally.columns(Verdict.UNREADABLE))
        + " could not be checked, " + tally.columns(Verdict.GONE)
        + " belonged to groups that were dissolved meanwhile");
    output.sentence(Quantities.count(tally.groupsInNone(), "block group") + " in no CORE group, "
        + tally.changedGroups() + " in one of which a file has changed; "
        + (tally.unitBytes() >> 20) + " MiB checked, " + (tally.clientBytes() >> 20)
        + " MiB came to this client"
        + (tally.problems() == 0 ? "" : "; " + Quantities.count(tally.problems(), "problem")));
  }
}
