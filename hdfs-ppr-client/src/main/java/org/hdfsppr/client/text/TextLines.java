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

import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;

/** Collects lines, and breaks long ones between words. Used by one thread. */
@InterfaceAudience.Private
public final class TextLines {
  /**
   * Control characters. Names of other users' files may contain them, and they could move the
   * terminal's cursor.
   */
  private static final Pattern CONTROLS = Pattern.compile("[\\p{Cntrl}\u0080-\u009f]");
  /** How many columns a line has at most. Small terminals have this width. */
  static final int WIDTH = 80;
  /** The width of the column of names before facts. */
  private static final int NAME_WIDTH = 11;

  private final StringBuilder text = new StringBuilder();

  /**
   * Adds a paragraph.
   *
   * @param indent blanks at the begin of each line
   * @param words the text, which is broken between words
   * @return these lines
   */
  public TextLines paragraph(int indent, String words) {
    return broken(" ".repeat(indent), " ".repeat(indent), words);
  }

  /**
   * Adds a fact.
   *
   * @param name stands at the left
   * @param words stand in the column beside
   * @return these lines
   */
  public TextLines fact(String name, String words) {
    return broken(padded(name), " ".repeat(NAME_WIDTH), words);
  }

  /**
   * Adds an item of a list, with a dash before it.
   *
   * @param indent blanks before the dash
   * @param words the text, which is broken between words
   * @return these lines
   */
  public TextLines item(int indent, String words) {
    return broken(" ".repeat(indent) + "- ", " ".repeat(indent + 2), words);
  }

  /**
   * Adds lines as they are.
   *
   * @param lines each without a line break
   * @return these lines
   */
  public TextLines all(List<String> lines) {
    for (String line : lines) {
      text.append(line).append(System.lineSeparator());
    }
    return this;
  }

  /**
   * Adds an empty line.
   *
   * @return these lines
   */
  public TextLines gap() {
    text.append(System.lineSeparator());
    return this;
  }

  private static String padded(String name) {
    return name + " ".repeat(Math.max(1, NAME_WIDTH - name.length()));
  }

  private TextLines broken(String first, String others, String words) {
    StringBuilder line = new StringBuilder(first);
    int begin = line.length();
    for (String raw : words.trim().split("\\s+")) {
      String word = CONTROLS.matcher(raw).replaceAll("?");
      if (line.length() > begin && line.length() + 1 + word.length() > WIDTH) {
        text.append(line).append(System.lineSeparator());
        line = new StringBuilder(others);
        begin = line.length();
      }
      line.append(line.length() > begin ? " " : "").append(word);
    }
    text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
