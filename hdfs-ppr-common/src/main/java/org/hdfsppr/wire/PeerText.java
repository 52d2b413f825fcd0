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
package org.hdfsppr.wire;

import org.apache.hadoop.classification.InterfaceAudience;

/** Makes texts that other processes have sent safe to write into a log. */
@InterfaceAudience.Private
public final class PeerText {
  /**
   * The most characters of a text. Longer texts are cut. A usual message, with one or two paths, is
   * shorter.
   */
  static final int CHARS_MAX = 2048;

  private PeerText() {
  }

  /**
   * Cuts a text and puts it on one line, because a line break in it would forge a line of the log.
   *
   * @param text a text of any length and content
   * @return the beginning of the text, with blanks in place of control characters
   */
  public static String oneLine(String text) {
    StringBuilder line = new StringBuilder(shorten(text));
    for (int i = 0; i < line.length(); i++) {
      if (Character.isISOControl(line.charAt(i))) {
        line.setCharAt(i, ' ');
      }
    }
    return line.toString();
  }

  /**
   * Takes the first line of an exception's message, because Hadoop's RPC appends stack traces to
   * messages.
   *
   * @param failure the exception
   * @return the first line of its message
   */
  public static String firstLine(Throwable failure) {
    return String.valueOf(failure.getMessage()).split("\\R", 2)[0];
  }

  static String shorten(String text) {
    return text.length() <= CHARS_MAX ? text : text.substring(0, CHARS_MAX);
  }
}
