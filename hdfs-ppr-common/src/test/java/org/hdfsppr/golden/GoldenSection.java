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
package org.hdfsppr.golden;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.StringUtils;

/** A section of a golden file, as lines. */
@InterfaceAudience.Private
final class GoldenSection {
  /** Begins what our code writes. */
  static final String WRITTEN = "=== ";
  /** Begins what others may send. */
  static final String ARRIVED = "<<< ";
  /** Begins what our code makes of that. */
  static final String AGAIN = ">>> ";
  private static final String BYTES = "x ";
  private static final String MESSAGE = "m ";
  private static final String COMMENT = "  # ";
  private static final int LINE_BYTES = 40;

  final String title;
  private final List<String> lines;

  private GoldenSection(String title, List<String> lines) {
    this.title = title;
    this.lines = lines;
  }

  static GoldenSection of(String title, List<GoldenPiece> pieces) {
    GoldenSection section = new GoldenSection(title, new ArrayList<>());
    for (GoldenPiece piece : pieces) {
      if (piece.message != null) {
        section.lines.add(MESSAGE + piece.message.getDescriptorForType().getFullName());
      }
      String hex = StringUtils.byteToHexString(piece.bytes);
      for (int at = 0; at < hex.length(); at += 2 * LINE_BYTES) {
        String part = hex.substring(at, Math.min(hex.length(), at + 2 * LINE_BYTES));
        section.lines.add(BYTES + part
            + (at == 0 && !piece.label.isEmpty() ? COMMENT + piece.label : ""));
      }
      if (piece.message != null) {
        section.lines.addAll(MessageText.lines(piece.message));
        List<String> later = OldDescriptors.unknown(piece.message);
        if (!later.isEmpty()) {
          section.note("0.2.0 does not know " + String.join(", ", later));
        }
      }
      piece.notes.forEach(section::note);
    }
    return section;
  }

  void note(String line) {
    lines.add("# " + line);
  }

  static Map<String, GoldenSection> read(Path file) throws IOException {
    Map<String, GoldenSection> sections = new LinkedHashMap<>();
    GoldenSection section = null;
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      if (line.startsWith(WRITTEN) || line.startsWith(ARRIVED) || line.startsWith(AGAIN)) {
        section = new GoldenSection(line, new ArrayList<>());
        sections.put(line, section);
      } else if (!line.isEmpty()) {
        section.lines.add(line);
      }
    }
    return sections;
  }

  String text() {
    return title + "\n" + String.join("\n", lines) + "\n";
  }

  byte[] bytes() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String line : lines) {
      if (line.startsWith(BYTES)) {
        all.writeBytes(hex(line));
      }
    }
    return all.toByteArray();
  }

  private static byte[] hex(String line) {
    int end = line.indexOf(COMMENT);
    return StringUtils.hexStringToByte(
        line.substring(BYTES.length(), end < 0 ? line.length() : end));
  }

  /** Returns the bytes of each message, by the full name of its type. */
  List<Map.Entry<String, byte[]>> messages() {
    List<Map.Entry<String, byte[]>> messages = new ArrayList<>();
    for (int at = 0; at < lines.size(); at++) {
      if (lines.get(at).startsWith(MESSAGE)) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        // Bytes that are no message have a comment in their first line.
        for (int i = at + 1; i < lines.size() && lines.get(i).startsWith(BYTES)
            && !lines.get(i).contains(COMMENT); i++) {
          bytes.writeBytes(hex(lines.get(i)));
        }
        messages.add(Map.entry(lines.get(at).substring(MESSAGE.length()), bytes.toByteArray()));
      }
    }
    return Collections.unmodifiableList(messages);
  }

  /** Returns the lines that only one of both has. */
  String difference(GoldenSection other) {
    List<String> gone = new ArrayList<>(lines);
    other.lines.forEach(gone::remove);
    List<String> come = new ArrayList<>(other.lines);
    lines.forEach(come::remove);
    StringBuilder text = new StringBuilder();
    gone.forEach(line -> text.append("  - ").append(line).append('\n'));
    come.forEach(line -> text.append("  + ").append(line).append('\n'));
    return text.length() > 0 ? text.toString() : "  only their order differs\n";
  }
}
