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

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.cost.CodeCost;
import org.hdfsppr.coder.cost.CostTable;
import org.hdfsppr.coder.cost.RepairCost;
import picocli.CommandLine.Command;

/** {@code hdfs ppr -codes}: prints the costs of each code, computed from its generator matrix. */
@InterfaceAudience.Private
@Command(name = "-codes",
    description = "Prints what each code costs: storage, what it survives, what repairs read.",
    footer = "%nExample: hdfs ppr -codes -json")
final class CodesCommand extends ToolCommand {
  @Override
  ExitCode run(ToolOutput output) {
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
}
