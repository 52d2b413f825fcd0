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
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.classification.InterfaceAudience;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench.sh decommission}: measures how long a node takes to leave the cluster. */
@Command(name = "decommission", mixinStandardHelpOptions = true,
    description = "Seconds until a node that is decommissioned may go, mode by mode.")
@InterfaceAudience.Private
public final class DecommissionBench implements Callable<Integer> {

  @Spec
  private CommandSpec spec;

  @Mixin
  private NodeTrials trials;

  @Option(names = "--blocks", defaultValue = "60",
      description = "How many internal blocks the node is to hold at least "
          + "(default: ${DEFAULT-VALUE})")
  private int lostBlocks;

  @Override
  public Integer call() throws IOException, InterruptedException, TimeoutException {
    return trials.run(new NodeLeaving(), lostBlocks, spec.commandLine().getOut()) ? 0 : 1;
  }
}
