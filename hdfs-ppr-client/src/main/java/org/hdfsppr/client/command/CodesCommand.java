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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.coder.cost.CodeCost;
import org.hdfsppr.coder.cost.CostTable;
import org.hdfsppr.coder.cost.RepairCost;
import org.hdfsppr.plan.LinkCost;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.TreeTopologies;
import picocli.CommandLine.Command;

/** {@code hdfs ppr -codes}: prints the costs of each code, computed from its generator matrix. */
@InterfaceAudience.Private
@Command(name = "-codes",
    description = "Prints what each code costs: storage, what it survives, what repairs read.",
    footer = "%nExample: hdfs ppr -codes -json")
final class CodesCommand extends ToolCommand {
  @Override
  protected ExitCode run(ToolOutput output) {
    List<CodeCost> costs = CostTable.shipped();
    if (output.isJson) {
      output.object(Collections.singletonMap("codes",
          costs.stream().map(CodesCommand::json).collect(Collectors.toList())));
    } else {
      output.lines(CostTable.render(costs));
      output.lines(CostTable.LEGEND);
      output.lines(CodeLinks.render());
    }
    return ExitCode.DONE;
  }

  /**
   * Returns the columns of the table by their names. {@link CostTable#LEGEND} explains the columns.
   */
  private static Map<String, Object> json(CodeCost cost) {
    Map<String, Object> code = new LinkedHashMap<>();
    code.put("code", cost.name());
    code.put("overhead", cost.overhead());
    code.put("lossesTolerated", cost.lossesTolerated());
    code.put("unitsRead", json(cost, RepairCost::unitsRead));
    code.put("timeStar", json(cost, RepairCost::timeStar));
    code.put("timePpr", json(cost, RepairCost::timePpr));
    CodeLinks.of(cost.name()).ifPresent(links -> code.put("unitsMoved", links.json()));
    return code;
  }

  private static Map<String, Object> json(CodeCost cost, ToDoubleFunction<RepairCost> measure) {
    CodeCost.Spread[] spreads = cost.spreads(measure);
    Map<String, Object> units = new LinkedHashMap<>();
    units.put("data", json(spreads[0]));
    units.put("parity", json(spreads[1]));
    units.put("all", json(spreads[2]));
    return units;
  }

  private static Map<String, Object> json(CodeCost.Spread spread) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("least", spread.least());
    values.put("most", spread.most());
    values.put("mean", spread.mean());
    return values;
  }

  /**
   * How many units the links of repair trees carry with each code, for {@link CodesCommand}.
   * Immutable.
   */
  static final class CodeLinks {
    private static final String LEGEND = "\nunits moved: over all links together, and into the"
        + " busiest node, to repair one loss without checks, in units of C,\nmean over all units."
        + " A checked slice also moves a check row over each link,\nand reads more: less-a4-* and"
        + " less-a3-6-3 have no spare helper, so that a checked slice of theirs reads\nmore of the"
        + " units that are read anyway.\n";
    private static final List<String> SHAPES = Arrays.asList("star", "chain", "free-sum");

    private final String code;
    /** For each shape, the units moved in total, and the units into the busiest node. */
    private final Map<String, LinkCost> costs;

    private CodeLinks(String code, Map<String, LinkCost> costs) {
      this.code = code;
      this.costs = costs;
    }

    /** Lists the codes whose repairs stay within one block group. */
    private static List<LinearCode> codes() {
      List<LinearCode> codes = new ArrayList<>();
      codes.add(ReedSolomon.hadoop(6, 3));
      codes.add(ReedSolomon.hadoop(10, 4));
      codes.add(ReedSolomon.hadoop(12, 4));
      for (PprCodec codec : PprCodec.values()) {
        if (!codec.filesPerGroup().isPresent()) {
          codes.addAll(codec.shippedCodes());
        }
      }
      return codes;
    }

    private static CodeLinks of(LinearCode code) {
      Map<String, LinkCost> costs = new LinkedHashMap<>();
      for (String shape : SHAPES) {
        try {
          costs.put(shape, LinkCost.mean(code, TreeTopologies.byName(shape)));
        } catch (NoPlanException e) {
          throw new IllegalStateException(code.name() + " does not survive the loss of a unit", e);
        }
      }
      return new CodeLinks(code.name(), costs);
    }

    /**
     * Returns the costs of a code, or empty if there is no code with this name whose repairs stay
     * within one block group.
     */
    static Optional<CodeLinks> of(String name) {
      return codes().stream().filter(code -> code.name().equals(name)).findFirst()
          .map(CodeLinks::of);
    }

    /** Returns a text with one line for each code, below a line with the names of the columns. */
    static String render() {
      StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
          "%n%-26s%26s%26s%26s%n", "code", "star: moved / busiest", "chain: moved / busiest",
          "free-sum: moved / busiest"));
      for (LinearCode code : codes()) {
        CodeLinks links = of(code);
        text.append(String.format(Locale.ROOT, "%-26s", links.code));
        for (LinkCost cost : links.costs.values()) {
          text.append(String.format(Locale.ROOT, "%26s",
              String.format(Locale.ROOT, "%.2f / %.2f", cost.sent, cost.busiest)));
        }
        text.append('\n');
      }
      return text.append(LEGEND).toString();
    }

    /** Returns the columns by their names. */
    Map<String, Object> json() {
      Map<String, Object> shapes = new LinkedHashMap<>();
      costs.forEach((shape, cost) -> {
        Map<String, Object> units = new LinkedHashMap<>();
        units.put("all", cost.sent);
        units.put("busiest", cost.busiest);
        shapes.put(shape, units);
      });
      return shapes;
    }
  }
}
