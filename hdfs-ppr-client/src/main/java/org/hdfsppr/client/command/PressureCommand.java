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
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code hdfs ppr -pressure}: prints or sets how much repairs may take of what users leave free of
 * a DataNode's link.
 */
@InterfaceAudience.Private
@Command(name = "-pressure",
    description = "Sets how much of what users leave free of a DataNode's link repairs may take, or"
        + " says how much it is. For superusers.",
    footer = {"%nExample: hdfs ppr -pressure urgent", "         hdfs ppr -pressure 50"})
final class PressureCommand extends SuperuserCommand {
  @Parameters(index = "0", arity = "0..1", paramLabel = "PRESSURE",
      description = "gentle, urgent, or a number of percent from 40 to 100. Without it, the"
          + " NameNodes say what holds.")
  private String pressure;

  PressureCommand(Supplier<Configuration> conf) {
    super(conf, "pressure");
  }

  @Override
  String argument() {
    return pressure;
  }
}
