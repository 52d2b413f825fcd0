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
package org.hdfsppr.coder.cost;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.coder.cost.CodeCost.Spread;

/** Computes and prints the costs of all codes that have a policy. */
@InterfaceAudience.Public
public final class CostTable {
  /** Explains the columns of {@link #render}. */
  public static final String LEGEND = "\nC: bytes of a unit; B: bytes per second of a link. losses:"
      + " the code survives every pattern of this number, with CORE\nwithin the rows and columns of"
      + " a whole group of files. units read: to repair one loss, in units of C.\nstar: all helpers"
      + " send to the destination, as stock HDFS does; ppr: partial results in a binomial tree.\n";

  private static final String[] HEAD = {"code", "overhead", "losses", "units read: data", "parity",
    "mean", "time/(C/B), star: mean", "ppr: data", "parity", "mean"};

  private CostTable() {
  }

  /**
   * {@return the costs of codes of Hadoop's codec {@code rs}, followed by the costs of this
   * library's codes}
   */
  public static List<CodeCost> shipped() {
    List<CodeCost> costs = new ArrayList<>();
    for (int[] rs : new int[][] {{6, 3}, {10, 4}, {12, 4}}) {
      costs.add(CodeCost.of(ReedSolomon.hadoop(rs[0], rs[1])));
    }
    for (PprCodec codec : PprCodec.values()) {
      OptionalInt files = codec.filesPerGroup();
      for (LinearCode code : codec.shippedCodes()) {
        costs.add(files.isPresent() ? CodeCost.ofCore(code, files.getAsInt())
            : CodeCost.of(code));
      }
    }
    return Collections.unmodifiableList(costs);
  }

  /**
   * {@return a text with one line for each code, below a line with the names of the columns}
   *
   * @param costs the costs of the codes, in the order of the lines
   */
  public static String render(List<CodeCost> costs) {
    List<String[]> lines = new ArrayList<>();
    lines.add(HEAD);
    for (CodeCost cost : costs) {
      Spread[] read = cost.spreads(RepairCost::unitsRead);
      Spread[] star = cost.spreads(RepairCost::timeStar);
      Spread[] ppr = cost.spreads(RepairCost::timePpr);
      lines.add(new String[] {cost.name(), number(cost.overhead()),
          Integer.toString(cost.lossesTolerated()), range(read[0]), range(read[1]),
          number(read[2].mean()), number(star[2].mean()), range(ppr[0]), range(ppr[1]),
          number(ppr[2].mean())});
    }
    int[] widths = new int[HEAD.length];
    for (String[] line : lines) {
      for (int c = 0; c < widths.length; c++) {
        widths[c] = Math.max(widths[c], line[c].length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (String[] line : lines) {
      text.append(String.format(Locale.ROOT, "%-" + widths[0] + "s", line[0]));
      for (int c = 1; c < widths.length; c++) {
        text.append(String.format(Locale.ROOT, "  %" + widths[c] + "s", line[c]));
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** Formats the mean, and also the range of values if they are not all equal. */
  private static String range(Spread spread) {
    return spread.least() == spread.most() ? number(spread.mean())
        : number(spread.mean()) + " (" + number(spread.least()) + "-" + number(spread.most()) + ")";
  }

  /** Formats a number with at most two decimals. */
  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.2f", value);
    return text.replaceAll("\\.?0+$", "");
  }
}
