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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.util.StringUtils;
import org.hdfsppr.record.RecordedText;
import org.junit.jupiter.api.Assertions;

/**
 * A file of {@code src/test/resources/golden} with what our code puts on the wire, byte by byte. A
 * test makes the same samples again, and the file says whether a byte has changed. With
 * {@code -Dgolden.write=true} a test writes the file, and fails, see {@link RecordedText}.
 *
 * <p>A file has sections: {@code ===} what our code writes, {@code <<<} what others may send,
 * {@code >>>} what our code makes of that. In a section, lines with {@code x} are its bytes, a line
 * with {@code m} names the message whose bytes follow, and people read all other lines.
 */
@InterfaceAudience.Private
public final class Golden {
  private static final String NOT_RECORDED = "not recorded: ";

  private final String name;
  private final Map<String, GoldenSection> recorded;
  private final Map<String, GoldenSection> made = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  private Golden(String name, Map<String, GoldenSection> recorded) {
    this.name = name;
    this.recorded = recorded;
  }

  /** Reads an arrived message and writes it again, through the objects of our code. */
  public interface Rewriter {
    byte[] rewrite(byte[] arrived) throws Exception;
  }

  /** Begins to compare with a file, such as {@code wire/requests}. */
  public static Golden of(String name) throws IOException {
    Path file = file(name);
    return new Golden(name, Files.exists(file) ? GoldenSection.read(file) : Map.of());
  }

  static Path directory() {
    return Path.of(System.getProperty("basedir", "."), "src", "test", "resources", "golden");
  }

  private static Path file(String name) {
    return directory().resolve(name + ".txt");
  }

  /**
   * Compares what our code has written, and what it writes after it has read the recorded bytes.
   * The same message without its optional fields is read, too.
   */
  public Golden written(String sample, MessageFrame frame, byte[] bytes, Rewriter rewriter)
      throws IOException {
    add(GoldenSection.of(GoldenSection.WRITTEN + sample, frame.cut(bytes)));
    checkAgain(sample, bytes, rewriter);
    Message message = frame.message(bytes);
    Message thin = StrippedMessage.thin(message);
    Message bare = StrippedMessage.bare(message);
    if (!thin.equals(message)) {
      arrived(sample + ", each message with required fields only", frame,
          frame.with(bytes, thin), rewriter);
    }
    if (!bare.equals(thin)) {
      arrived(sample + ", required fields only", frame, frame.with(bytes, bare), rewriter);
    }
    return this;
  }

  private void checkAgain(String sample, byte[] bytes, Rewriter rewriter) {
    GoldenSection old = recorded.get(GoldenSection.WRITTEN + sample);
    byte[] arrives = old == null || RecordedText.IS_WRITING ? bytes : old.bytes();
    try {
      byte[] again = rewriter.rewrite(arrives);
      if (!Arrays.equals(arrives, again)) {
        problems.add("'" + sample + "', read and written again, is other bytes:\n  "
            + StringUtils.byteToHexString(again));
      }
    } catch (Exception e) {
      problems.add("'" + sample + "' cannot be read: " + e);
    }
  }

  /** Compares a stream of slices. */
  public Golden stream(String sample, byte[] bytes, Rewriter rewriter) throws IOException {
    add(GoldenSection.of(GoldenSection.WRITTEN + sample, SlicePackets.cut(bytes)));
    checkAgain(sample, bytes, rewriter);
    return this;
  }

  /** Compares what our code has written and never reads. */
  public Golden written(String sample, MessageFrame frame, byte[] bytes) throws IOException {
    add(GoldenSection.of(GoldenSection.WRITTEN + sample, frame.cut(bytes)));
    return this;
  }

  /** Compares bytes that are no message. */
  public Golden written(String sample, byte[] bytes, String... notes) {
    add(GoldenSection.of(GoldenSection.WRITTEN + sample,
        List.of(new GoldenPiece("", bytes, null, List.of(notes)))));
    return this;
  }

  /** Compares what our code makes of bytes that it does not write itself. */
  public Golden arrived(String sample, MessageFrame frame, byte[] bytes, Rewriter rewriter)
      throws IOException {
    GoldenSection section = GoldenSection.of(GoldenSection.ARRIVED + sample, frame.cut(bytes));
    add(section);
    byte[] again;
    try {
      again = rewriter.rewrite(bytes);
    } catch (Exception e) {
      section.note("refused with " + e.getClass().getSimpleName());
      return this;
    }
    if (Arrays.equals(bytes, again)) {
      section.note("written again with the same bytes");
    } else {
      add(GoldenSection.of(GoldenSection.AGAIN + sample, frame.cut(again)));
    }
    return this;
  }

  private void add(GoldenSection section) {
    Assertions.assertNull(made.put(section.title, section), section.title + " is there twice");
  }

  /** Fails if any sample differs from what is recorded, or is recorded and was not made. */
  public void check() throws IOException {
    for (GoldenSection section : made.values()) {
      GoldenSection old = recorded.get(section.title);
      if (old == null) {
        problems.add(NOT_RECORDED + section.title);
      } else if (!Arrays.equals(old.bytes(), section.bytes())) {
        problems.add("OTHER BYTES: " + section.title + "\n" + old.difference(section));
      } else if (!old.text().equals(section.text())) {
        problems.add("the same bytes with other words: " + section.title + "\n"
            + old.difference(section));
      }
    }
    recorded.keySet().stream().filter(title -> !made.containsKey(title))
        .forEach(title -> problems.add("recorded, and not made: " + title));
    if (RecordedText.IS_WRITING) {
      StringBuilder all = new StringBuilder();
      made.values().forEach(section -> all.append(section.text()).append('\n'));
      Files.createDirectories(file(name).getParent());
      Files.write(file(name), all.toString().getBytes(StandardCharsets.UTF_8));
      problems.removeIf(problem -> problem.startsWith(NOT_RECORDED));
      Assertions.fail("WROTE " + file(name) + " because of golden.write. Look at its diff: bytes"
          + " that change break peers of other versions. " + String.join("\n", problems));
    }
    Assertions.assertTrue(problems.isEmpty(), () -> "Samples of " + file(name)
        + " differ. Peers of other versions read and write the recorded bytes. If the change is"
        + " meant, run this test with -Dgolden.write=true.\n" + String.join("\n", problems) + "\n");
  }
}
