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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.bench.characterize.CharacterizeBench;
import org.hdfsppr.bench.convert.ConvertBench;
import org.hdfsppr.bench.core.CoreBench;
import org.hdfsppr.bench.simulate.SimulateBench;
import org.hdfsppr.bench.update.UpdateLatencyBench;
import org.hdfsppr.bench.update.UpdatesBench;
import org.hdfsppr.it.util.CliErrors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code it/bench.sh}: runs one of the benchmarks. Each benchmark is a subcommand. */
@Command(name = "bench.sh", mixinStandardHelpOptions = true,
    description = "Measurements: of clusters on this machine, of coders alone, of schedulers.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {RepairBench.class, NodeBench.class, DecommissionBench.class,
        DegradedBench.class, PhasesBench.class, ConvertBench.class, CodecBench.class,
        CostsBench.class, SimulateBench.class, CoreBench.class, CoreRepairBench.class,
        CoreFormBench.class, UpdatesBench.class, UpdateLatencyBench.class,
        CharacterizeBench.class})
@InterfaceAudience.Private
public final class Bench implements Runnable {

  @Spec
  private CommandSpec spec;

  /**
   * @param args the arguments of the command line
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Bench())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(CliErrors::report)
        .execute(args));
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Which measurement?");
  }
}
