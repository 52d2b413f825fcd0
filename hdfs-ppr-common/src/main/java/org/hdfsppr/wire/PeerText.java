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

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/** Makes texts that other processes have sent, and names of files, safe to write into a log. */
@InterfaceAudience.Private
public final class PeerText {
  /**
   * How many characters of a text are kept. Longer texts are cut. A usual message, with one or two
   * paths, is shorter.
   */
  static final int CHARS_MAX = 2048;

  /**
   * Looks in a log like a given exception, but has blanks in place of the control characters of its
   * text.
   */
  private static final class Shown extends Throwable {
    private static final long serialVersionUID = 1L;

    private final String text;

    Shown(Throwable thrown) {
      text = oneLine(thrown.toString());
      setStackTrace(thrown.getStackTrace());
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private PeerText() {
  }

  /**
   * Cuts a text and puts it on one line, because a line break in it would forge a line of the log.
   *
   * @param text a text of any length and content
   * @return the beginning of the text, with blanks in place of control characters
   */
  public static String oneLine(String text) {
    return withoutBreaks(shorten(text));
  }

  /**
   * Puts the texts of an exception on one line each, because a log shows them with its stack trace.
   *
   * @param thrown an exception
   * @return the exception itself if each of its texts is one line; otherwise an exception to log in
   *     its place, with the same stack trace, causes and suppressed exceptions
   */
  public static Throwable oneLine(Throwable thrown) {
    return isOneLine(thrown, newSet()) ? thrown : shown(thrown, newSet());
  }

  /**
   * Returns an empty set for the exceptions that a method has already visited. An exception may be
   * a cause of its own causes, so that without the set the method would not end.
   */
  private static Set<Throwable> newSet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  private static boolean isOneLine(Throwable thrown, Set<Throwable> seen) {
    if (thrown == null || !seen.add(thrown)) {
      return true;
    }
    boolean isOneLine = thrown.toString().chars().noneMatch(Character::isISOControl)
        && isOneLine(thrown.getCause(), seen);
    for (Throwable suppressed : thrown.getSuppressed()) {
      isOneLine = isOneLine && isOneLine(suppressed, seen);
    }
    return isOneLine;
  }

  private static Throwable shown(Throwable thrown, Set<Throwable> seen) {
    seen.add(thrown);
    Shown shown = new Shown(thrown);
    if (thrown.getCause() != null && !seen.contains(thrown.getCause())) {
      shown.initCause(shown(thrown.getCause(), seen));
    }
    for (Throwable suppressed : thrown.getSuppressed()) {
      if (!seen.contains(suppressed)) {
        shown.addSuppressed(shown(suppressed, seen));
      }
    }
    return shown;
  }

  /** Puts blanks in place of a text's control characters. */
  static String withoutBreaks(String text) {
    StringBuilder line = new StringBuilder(text);
    for (int i = 0; i < line.length(); i++) {
      if (Character.isISOControl(line.charAt(i))) {
        line.setCharAt(i, ' ');
      }
    }
    return line.toString();
  }

  /**
   * Returns the first line of an exception's message. Hadoop's RPC appends stack traces to
   * messages, and they do not belong in this node's log.
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
