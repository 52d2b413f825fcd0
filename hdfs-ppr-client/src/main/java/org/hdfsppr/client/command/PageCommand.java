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
import java.io.IOException;
import java.time.Instant;

/** A command that prints a document of the active NameNode's web server, and changes nothing. */
abstract class PageCommand extends ToolCommand {
  final CommandEnvironment surroundings;

  /**
   * @param surroundings have the configuration, which names the file system
   */
  PageCommand(CommandEnvironment surroundings) {
    this.surroundings = surroundings;
  }

  final NameNodePages pages() throws IOException {
    return NameNodePages.of(surroundings.conf());
  }

  /** The path of the document, such as {@code /v1/status}. */
  abstract String path();

  /** Leaves out of a document what the user does not want to see. */
  void select(ObjectNode document) {
    // Most commands print everything.
  }

  /** Writes a document for people. */
  abstract String text(ObjectNode document, Instant now);

  /** Decides on the exit code after a document was printed. */
  ExitCode judge(ObjectNode document, ToolOutput output) {
    return ExitCode.DONE;
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    return print(pages().read(path()), output);
  }

  /**
   * Prints a document. A document of a NameNode that is not active is printed as well, after a
   * warning, but the command then counts as failed.
   */
  final ExitCode print(NameNodePage page, ToolOutput output) {
    ObjectNode document = page.document;
    select(document);
    page.warning().ifPresent(output::complaint);
    if (output.isJson) {
      output.object(document);
    } else {
      output.lines(text(document, surroundings.clock.instant()));
    }
    ExitCode code = judge(document, output);
    return page.warning().isPresent() ? ExitCode.FAILED : code;
  }
}
