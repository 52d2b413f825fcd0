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
package org.hdfsppr.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.cost.CodeCost;
import org.hdfsppr.coder.cost.RepairCost;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.it.util.EcCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench.sh costs}: what repairs of codes read, calculated from their generators. */
@Command(name = "costs", mixinStandardHelpOptions = true,
    description = "What the repair of one lost unit reads, code by code, calculated. 'hdfs ppr "
        + "-codes' prints the same for all codes.",
    footer = {"",
        "Results, for each code, for its data units, its parity units and all of them, means:",
        "  units_read   what helpers read, in units",
        "  saves_percent  by how much that is less than k units, which RS reads",
        "  units_added  what is added up, in units: a byte counts for each sum that needs it",
        "  units_multiplied  how much of that is multiplied by a number other than 1",
        "  helpers      machines that are read from",
        "  time_ppr     steps of a binomial tree, in the time that one link needs for one unit",
        "  ppr_saves_percent  by how much that is less than k units through one link"})
@InterfaceAudience.Private
public final class CostsBench implements Callable<Integer> {
  private static final List<String> UNITS = List.of("data", "parity", "all");
  private static final double PERCENT = 100;

  @Spec
  private CommandSpec spec;

  @Option(names = "--codes", split = ",",
      defaultValue = "rs-6-3,rs-8-3,rs-10-4,rs-12-4,hitchhiker-xor-10-4,"
          + "hitchhiker-xorplus-10-4,hitchhiker-nonxor-10-4",
      description = "As 'hdfs ppr -codes' names them (default: ${DEFAULT-VALUE})")
  private List<String> codes;

  @Option(names = "--json", description = "Where the results go, three objects a code")
  private Path json;

  private final List<ObjectNode> rows = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    BenchRun bench = new BenchRun(spec.commandLine().getOut(), json, null);
    for (String name : codes) {
      add(EcCode.parse(name));
    }
    bench.say("%-26s %-8s %10s %10s %8s", "code", "units", "units read", "saves", "helpers");
    rows.forEach(row -> bench.say("%-26s %-8s %10.2f %8.1f %% %8.2f", row.get("code").asText(),
        row.get("units").asText(), row.get("units_read").asDouble(),
        row.get("saves_percent").asDouble(), row.get("helpers").asDouble()));
    bench.writeJson(rows, (row, mapper) -> row);
    return 0;
  }

  private void add(EcCode code) {
    int k = code.dataUnits();
    CodeCost cost = CodeCost.of(code.code);
    for (int i = 0; i < UNITS.size(); i++) {
      double read = mean(cost, RepairCost::unitsRead, i);
      double steps = mean(cost, RepairCost::timePpr, i);
      rows.add(new ObjectMapper().createObjectNode()
          .put("bench", "costs")
          .put("code", code.label())
          .put("units", UNITS.get(i))
          .put("units_read", read)
          .put("saves_percent", PERCENT * (1 - read / k))
          .put("units_added", mean(cost, RepairCost::unitsAdded, i))
          .put("units_multiplied", mean(cost, RepairCost::unitsMultiplied, i))
          .put("helpers", mean(cost, RepairCost::helpers, i))
          .put("time_ppr", steps)
          .put("ppr_saves_percent", PERCENT * (1 - steps / k)));
    }
  }

  private static double mean(CodeCost cost, ToDoubleFunction<RepairCost> measure, int units) {
    return cost.spreads(measure)[units].mean();
  }
}
