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

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.text.NodesText;
import picocli.CommandLine.Command;

/** {@code hdfs ppr -nodes}: the DataNodes, their loads, versions and kernels. */
@InterfaceAudience.Private
@Command(name = "-nodes",
    description = "Prints the DataNodes: whether they take part, in how many repairs they help"
        + " (HELPS) and write (GETS), what is planned for their links (TO SEND, TO GET), and the"
        + " rates of their links as repairs saw them (UP, DOWN).",
    footer = "%nExample: hdfs ppr -nodes")
final class NodesCommand extends PageCommand {
  NodesCommand(CommandEnvironment surroundings) {
    super(surroundings);
  }

  @Override
  String path() {
    return "/v1/nodes";
  }

  @Override
  String text(ObjectNode document, Instant now) {
    return NodesText.of(document);
  }
}
