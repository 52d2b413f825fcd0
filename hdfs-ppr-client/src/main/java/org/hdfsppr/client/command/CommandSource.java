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

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** Adds commands to {@code hdfs ppr}. A second jar may provide an implementation, as a service. */
@InterfaceAudience.Private
public interface CommandSource {
  /**
   * Makes the commands.
   *
   * @param surroundings what the commands know of the process
   * @return the commands, in the order in which {@code hdfs ppr -help} lists them, after those of
   *     {@link ToolCommands}
   */
  List<ToolCommand> commands(CommandEnvironment surroundings);
}
