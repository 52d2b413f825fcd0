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
package org.hdfsppr.client.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** Writes the document {@code /v1/explain/BLOCK} for people. */
@InterfaceAudience.Private
public final class ExplainText {
  private ExplainText() {
  }

  /**
   * Writes why a group is not repaired yet.
   *
   * @param explanation the document {@code /v1/explain/BLOCK}
   * @return lines of at most 80 columns
   */
  public static String of(JsonNode explanation) {
    TextLines lines = new TextLines();
    lines.paragraph(0, PageFields.text(explanation, "group", Quantities.UNKNOWN) + ": "
        + PageFields.text(explanation, "state", Quantities.UNKNOWN)
        + PageFields.text(explanation, "cause").map(cause -> " (" + cause + ")").orElse(""));
    PageFields.text(explanation, "text").ifPresent(text -> lines.fact("Why", text));
    list(lines, "Tried", PageFields.texts(explanation, "tried"));
    PageFields.text(explanation, "next").ifPresent(next -> lines.fact("Next", next));
    list(lines, "Do", PageFields.texts(explanation, "commands"));
    return lines.toString();
  }

  private static void list(TextLines lines, String name, List<String> texts) {
    for (int i = 0; i < texts.size(); i++) {
      lines.fact(i == 0 ? name : "", texts.get(i));
    }
  }
}
