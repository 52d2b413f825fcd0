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
package org.hdfsppr.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hdfsppr.record.RecordedText;

/**
 * A folder of texts that operators and their programs read, as they were recorded. A test makes
 * the same text again, and fails if a character differs.
 *
 * <p>A change that is wanted: run the test with {@code -Dgolden.write=true}. It writes the files
 * anew, fails and names them. Then {@code git diff} shows what operators will see.
 */
public final class Snapshot {
  private final Path folder;

  private Snapshot(Path folder) {
    this.folder = folder;
  }

  /**
   * @param module a module of the project; tests of other modules read its files, and there is no
   *     second copy
   * @param name the name of the folder
   * @return the folder in the test resources of the module
   */
  public static Snapshot of(String module, String name) {
    return new Snapshot(Path.of("..", module, "src", "test", "resources", "snapshots", name));
  }

  /**
   * Compares a text with its file.
   *
   * @param file the path below the folder
   * @param text what the code makes now
   */
  public void assertSame(String file, String text) {
    try {
      RecordedText.compare(folder.resolve(file), text, "operators would see something else");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** @return the text of a file, which is there */
  public String read(String file) {
    try {
      return Files.readString(folder.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** @return the paths of all files below the folder */
  public SortedSet<String> files() {
    if (!Files.isDirectory(folder)) {
      return new TreeSet<>();
    }
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).map(folder::relativize).map(Path::toString)
          .map(name -> name.replace('\\', '/')).collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Fails if a file is recorded that no test makes any more, or the other way round.
   *
   * @param made the paths of the files that tests make
   */
  public void assertFiles(Collection<String> made) {
    SortedSet<String> recorded = files();
    if (RecordedText.IS_WRITING) {
      recorded.removeAll(made);
      for (String file : recorded) {
        try {
          Files.delete(folder.resolve(file));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      if (!recorded.isEmpty()) {
        fail("No test makes these any more, they are deleted: " + recorded);
      }
      return;
    }
    assertEquals(String.join("\n", new TreeSet<>(made)), String.join("\n", recorded),
        folder + ": left what the tests make, right what is recorded");
  }

  /**
   * Breaks JSON into lines for people. All characters stay, in their order, so that a number that
   * is written in another way shows.
   *
   * @param json a JSON text without blanks between its parts
   * @return the same with line breaks and indentation
   */
  public static String indented(String json) {
    StringBuilder text = new StringBuilder();
    int depth = 0;
    boolean isString = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (isString) {
        text.append(c);
        if (c == '\\') {
          text.append(json.charAt(++i));
        } else if (c == '"') {
          isString = false;
        }
        continue;
      }
      boolean isEmpty = i + 1 < json.length() && (c == '{' && json.charAt(i + 1) == '}'
          || c == '[' && json.charAt(i + 1) == ']');
      if (isEmpty) {
        text.append(c).append(json.charAt(++i));
      } else if (c == '{' || c == '[') {
        text.append(c);
        depth++;
        newLine(text, depth);
      } else if (c == '}' || c == ']') {
        depth--;
        newLine(text, depth);
        text.append(c);
      } else {
        text.append(c);
        if (c == ',') {
          newLine(text, depth);
        } else if (c == ':') {
          text.append(' ');
        }
        isString = c == '"';
      }
    }
    return text.toString();
  }

  private static void newLine(StringBuilder text, int depth) {
    text.append('\n').append("  ".repeat(depth));
  }
}
