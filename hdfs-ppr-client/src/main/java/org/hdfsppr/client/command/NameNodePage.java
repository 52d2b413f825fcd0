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
import java.util.Optional;

/** A document of a NameNode's web server, and a warning if that NameNode is not the active one. */
final class NameNodePage {
  final ObjectNode document;
  private final String warning;

  /**
   * @param document the document
   * @param warning why the document is not the active NameNode's, in one sentence; null if it is
   */
  NameNodePage(ObjectNode document, String warning) {
    this.document = document;
    this.warning = warning;
  }

  /** Returns why the document is not the active NameNode's, in one sentence; empty if it is. */
  Optional<String> warning() {
    return Optional.ofNullable(warning);
  }
}
