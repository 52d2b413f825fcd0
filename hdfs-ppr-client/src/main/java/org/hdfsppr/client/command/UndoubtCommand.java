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

import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code hdfs ppr -undoubt}: makes NameNodes trust a block group again after its units contradicted
 * each other.
 */
@InterfaceAudience.Private
@Command(name = "-undoubt",
    description = "Ends the doubt about a block group whose units contradicted each other, on all"
        + " NameNodes. For superusers, once they have made sure that the units are right.",
    footer = "%nExample: hdfs ppr -undoubt blk_-9223372036854775792")
final class UndoubtCommand extends SuperuserCommand {
  @Parameters(index = "0", paramLabel = "BLOCK",
      description = "as the NameNode's log names it, such as blk_-9223372036854775792")
  private String block;

  UndoubtCommand(Supplier<Configuration> conf) {
    super(conf, "undoubt");
  }

  /**
   * A block's id without {@code blk_} begins with a minus. With this setting, picocli does not take
   * such an id for an option.
   */
  @Override
  protected void configure(CommandLine line) {
    line.setUnmatchedOptionsArePositionalParams(true);
  }

  @Override
  String argument() {
    return block;
  }
}
