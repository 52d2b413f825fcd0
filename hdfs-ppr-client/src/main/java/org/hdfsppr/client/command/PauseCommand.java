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
import picocli.CommandLine.Mixin;

/** {@code hdfs ppr -pause}: lets the NameNodes begin no more repairs for a while. */
@InterfaceAudience.Private
@Command(name = "-pause",
    description = "Lets the NameNodes begin no more repairs. Repairs that run come to their end."
        + " For superusers.",
    footer = {"%nExample: hdfs ppr -pause -for 30m", "         hdfs ppr -pause"})
final class PauseCommand extends SuperuserCommand {
  @Mixin
  private UntilResumed time = new UntilResumed();

  PauseCommand(Supplier<Configuration> conf) {
    super(conf, "pause");
  }

  @Override
  String argument() {
    return time.argument();
  }
}
