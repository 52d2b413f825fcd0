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
package org.hdfsppr.client;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.cost.CostTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code hdfs ppr -codes}: what each code costs, computed from its generator. */
@InterfaceAudience.Private
@Command(mixinStandardHelpOptions = true,
    description = "Prints what each code costs: storage, what it survives, what repairs read.")
final class CodesCommand implements Runnable {
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().getOut().print(CostTable.render(CostTable.shipped()));
    spec.commandLine().getOut().print(CostTable.LEGEND);
    spec.commandLine().getOut().flush();
  }
}
