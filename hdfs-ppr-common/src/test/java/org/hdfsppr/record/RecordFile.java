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
package org.hdfsppr.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.StringUtils;

/**
 * Holds the bytes of one format of records, and what its reader makes of damaged ones, against a
 * file of the module's test resources. A change of the code that changes either makes the test
 * fail. {@link RecordedText} says how a test writes the file anew.
 *
 * <p>The file has a part for each record:
 *
 * <pre>
 *   record NAME             bytes that are written today, and that the reader gives back
 *   | text                  a line of text; the lines are joined by \n
 *   x 5050 5243             or 16 bytes in hexadecimal
 *   = one bit of byte 0-3 flipped: CORRUPT
 *   = cut off behind byte 0-47: CORRUPT
 *
 *   given NAME              bytes that the reader may meet, but that are not written today
 *   | text
 *   = TOO_NEW
 * </pre>
 *
 * <p>Behind {@code =} stands the name of the reader's error, or {@code reads the same}, or {@code
 * reads something else} if the reader takes the bytes, and would write others than those of the
 * record. Of a given record it may also be {@code written as}, and the bytes that would be written.
 */
@InterfaceAudience.Private
public final class RecordFile {
  private static final Path FOLDER = Path.of("src", "test", "resources", "records");
  private static final String SAME = "reads the same";
  private static final String OTHER = "reads something else";
  private static final String TEXT = "| ";
  private static final String HEX = "x ";
  private static final int HEX_BYTES = 16;

  private final Path file;
  private final String about;
  private final Again again;
  private final Map<String, byte[]> records = new LinkedHashMap<>();
  /** By record, its reader if it has one of its own. */
  private final Map<String, Again> readers = new HashMap<>();
  private final Map<String, byte[]> given = new LinkedHashMap<>();

  /** Reads a record, and writes what it has read. */
  @FunctionalInterface
  public interface Again {
    /**
     * @param bytes a record
     * @return the bytes that would be written for what was read
     * @throws Exception as the reader throws it
     */
    byte[] again(byte[] bytes) throws Exception;
  }

  private RecordFile(String name, String about, Again again) {
    this.file = FOLDER.resolve(name + ".txt");
    this.about = about;
    this.again = again;
  }

  /**
   * Begins a file without records.
   *
   * @param name the name of the file, without ".txt"
   * @param about where such records are kept, for people
   * @param again reads a record and writes it again
   * @return the file
   */
  public static RecordFile of(String name, String about, Again again) {
    return new RecordFile(name, about, again);
  }

  /**
   * Adds a record that is written today.
   *
   * @param name says what is in it
   * @param bytes as they are written
   * @return this
   */
  public RecordFile record(String name, byte[] bytes) {
    records.put(name, bytes.clone());
    return this;
  }

  /**
   * Adds a record with a reader of its own.
   *
   * @param name says what is in it
   * @param bytes as they are written
   * @param reader reads such a record and writes it again
   * @return this
   */
  public RecordFile record(String name, byte[] bytes, Again reader) {
    readers.put(name, reader);
    return record(name, bytes);
  }

  /**
   * Adds bytes that the reader may meet, but that are not written today.
   *
   * @param name says what they are
   * @param bytes the bytes
   * @return this
   */
  public RecordFile given(String name, byte[] bytes) {
    given.put(name, bytes.clone());
    return this;
  }

  /**
   * Compares all with the file.
   *
   * @throws IOException if the file cannot be read or written
   */
  public void check() throws IOException {
    List<String> lines = new ArrayList<>(List.of("# " + about));
    records.forEach((name, bytes) -> {
      Again reader = reader(name);
      lines.addAll(List.of("", "record " + name));
      lines.addAll(lines(bytes));
      lines.addAll(runs("one bit of byte", bytes.length, at -> outcome(reader,
          flipped(bytes, at), bytes), " flipped"));
      lines.addAll(runs("cut off behind byte", bytes.length,
          at -> outcome(reader, Arrays.copyOf(bytes, at), bytes), ""));
    });
    given.forEach((name, bytes) -> {
      lines.addAll(List.of("", "given " + name));
      lines.addAll(lines(bytes));
      String outcome = outcome(again, bytes, bytes);
      lines.add("= " + (outcome.equals(OTHER) ? "written as" : outcome));
      if (outcome.equals(OTHER)) {
        lines.addAll(lines(written(again, bytes)));
      }
    });
    RecordedText.compare(file, String.join("\n", lines) + "\n",
        "the bytes, or what the reader makes of damaged ones, are others");
    records(file).forEach((name, bytes) ->
        assertArrayEquals(bytes, written(reader(name), bytes), file + ": record " + name
            + " is read, and written as something else"));
  }

  /**
   * Reads the bytes of records.
   *
   * @param file a file as this class writes it
   * @return the bytes by what stands behind "record"
   * @throws IOException if the file cannot be read
   */
  public static Map<String, byte[]> records(Path file) throws IOException {
    return records(Files.readAllLines(file));
  }

  /**
   * Reads all records of one attribute that release 0.2.0 has left, see {@code
   * release-0.2.0/README.md}, and checks that each is written as it was.
   *
   * @param attribute the name of the attribute, without "trusted."
   * @param again reads a record and writes it again
   * @return the records by the paths of their files and directories
   * @throws IOException if the file cannot be read
   */
  public static Map<String, byte[]> of020(String attribute, Again again) throws IOException {
    String behind = " trusted." + attribute;
    Map<String, byte[]> found = new LinkedHashMap<>();
    allOf020("namespace.txt").forEach((name, bytes) -> {
      if (name.endsWith(behind)) {
        assertArrayEquals(bytes, written(again, bytes, name), name);
        found.put(name.substring(0, name.length() - behind.length()), bytes);
      }
    });
    return found;
  }

  /**
   * Reads all records of a file that release 0.2.0 has left.
   *
   * @param file the name of the file
   * @return the bytes by what stands behind "record"
   * @throws IOException if the file cannot be read
   */
  public static Map<String, byte[]> allOf020(String file) throws IOException {
    try (InputStream in = RecordFile.class.getResourceAsStream("/release-0.2.0/" + file)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return records(List.of(text.split("\n")));
    }
  }

  private static Map<String, byte[]> records(List<String> lines) {
    Map<String, byte[]> all = new LinkedHashMap<>();
    List<String> body = new ArrayList<>();
    String name = null;
    for (String line : lines) {
      if (line.startsWith("record ")) {
        name = line.substring("record ".length());
        body.clear();
      } else if (name != null && (line.startsWith(TEXT) || line.startsWith(HEX))) {
        body.add(line);
        all.put(name, bytes(body));
      } else {
        name = null;
      }
    }
    return all;
  }

  private static byte[] bytes(List<String> lines) {
    if (lines.get(0).startsWith(TEXT)) {
      List<String> text = new ArrayList<>();
      lines.forEach(line -> text.add(line.substring(TEXT.length())));
      return String.join("\n", text).getBytes(StandardCharsets.UTF_8);
    }
    StringBuilder digits = new StringBuilder();
    lines.forEach(line -> digits.append(line.substring(HEX.length()).replace(" ", "")));
    return StringUtils.hexStringToByte(digits.toString());
  }

  /**
   * Says bytes in lines of text, or in hexadecimal if they are no text.
   *
   * @param bytes at least one byte
   * @return the lines
   */
  public static List<String> lines(byte[] bytes) {
    List<String> lines = new ArrayList<>();
    String text = text(bytes);
    if (text != null) {
      Arrays.stream(text.split("\n", -1)).forEach(line -> lines.add(TEXT + line));
      return lines;
    }
    for (int from = 0; from < bytes.length; from += HEX_BYTES) {
      StringBuilder line = new StringBuilder("x");
      for (int i = from; i < Math.min(bytes.length, from + HEX_BYTES); i++) {
        line.append((i - from) % 2 == 0 ? " " : "").append(String.format("%02x", bytes[i]));
      }
      lines.add(line.toString());
    }
    return lines;
  }

  /** Returns bytes as text that people can read; null if they are something else. */
  private static String text(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.chars().allMatch(c -> c == '\n' || c >= ' ' && c < 0x7f || c > 0xa0) ? text
          : null;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static byte[] flipped(byte[] bytes, int at) {
    byte[] damaged = bytes.clone();
    damaged[at] ^= 1;
    return damaged;
  }

  /** Says what becomes of each byte, in one line for those that follow each other. */
  private static List<String> runs(String what, int length, IntFunction<String> outcome,
      String behind) {
    List<String> lines = new ArrayList<>();
    int from = 0;
    String here = length == 0 ? "" : outcome.apply(0);
    for (int at = 1; at <= length; at++) {
      String next = at < length ? outcome.apply(at) : null;
      if (!here.equals(next)) {
        lines.add("= " + what + " " + from + (at - 1 > from ? "-" + (at - 1) : "") + behind + ": "
            + here);
        from = at;
        here = next;
      }
    }
    return lines;
  }

  private Again reader(String name) {
    return readers.getOrDefault(name, again);
  }

  private static String outcome(Again reader, byte[] bytes, byte[] record) {
    try {
      return Arrays.equals(reader.again(bytes.clone()), record) ? SAME : OTHER;
    } catch (Exception | StackOverflowError e) {
      return name(e);
    }
  }

  /**
   * Returns the name of an error, and the kind that it says if it knows kinds. Libraries for JSON
   * have errors of their own, and other ones in each version; callers see what these extend.
   */
  private static String name(Throwable e) {
    Class<?> kind = e.getClass();
    while (kind.getName().startsWith("com.fasterxml.")) {
      kind = kind.getSuperclass();
    }
    try {
      return kind.getSimpleName() + " " + kind.getField("why").get(e);
    } catch (ReflectiveOperationException none) {
      return kind.getSimpleName();
    }
  }

  private byte[] written(Again reader, byte[] bytes) {
    return written(reader, bytes, file.toString());
  }

  private static byte[] written(Again reader, byte[] bytes, String name) {
    try {
      return reader.again(bytes.clone());
    } catch (Exception e) {
      throw new AssertionError(name + ": a record cannot be read", e);
    }
  }
}
