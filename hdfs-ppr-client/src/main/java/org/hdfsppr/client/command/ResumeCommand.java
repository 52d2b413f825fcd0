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

/** {@code hdfs ppr -resume}: ends a pause, or the time for which all repairs are left to stock. */
@InterfaceAudience.Private
@Command(name = "-resume",
    description = "Ends a pause, or -stock, so that the NameNodes' plugins begin repairs again. For"
        + " superusers.",
    footer = "%nExample: hdfs ppr -resume")
final class ResumeCommand extends SuperuserCommand {
  ResumeCommand(Supplier<Configuration> conf) {
    super(conf, "resume");
  }

  @Override
  String argument() {
    return null;
  }
}
