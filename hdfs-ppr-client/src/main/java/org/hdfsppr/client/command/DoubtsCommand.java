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
import org.hdfsppr.client.text.GroupsText;
import picocli.CommandLine.Command;

/** {@code hdfs ppr -doubts}: the block groups whose units contradict each other. */
@InterfaceAudience.Private
@Command(name = "-doubts",
    description = "Prints the block groups whose units contradict each other, the suspected nodes,"
        + " and what to do.",
    footer = "%nExample: hdfs ppr -doubts")
final class DoubtsCommand extends PageCommand {
  DoubtsCommand(CommandEnvironment surroundings) {
    super(surroundings);
  }

  @Override
  String path() {
    return "/v1/doubts";
  }

  @Override
  String text(ObjectNode document, Instant now) {
    return GroupsText.doubts(document, now);
  }
}
