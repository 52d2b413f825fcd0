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
package org.hdfsppr.it.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that each class that looks as if it had bytes for a disk or the namespace is in {@code
 * records.txt}, with the test that records its bytes, or the reason why nothing of it is kept. A
 * new format is therefore either recorded or known not to be kept.
 */
class TestRecordList {
  private static final Pattern KEEPS = Pattern.compile(String.join("|",
      "\"(trusted\\.)?hdfs-ppr\\.[a-z-]+\"",
      "\\b\\w*MAGIC\\b",
      "static final (byte|int|long) (\\w+_)?(FORMAT|VERSION)\\b",
      "byte\\[\\] (toBytes|encode|seal)\\(",
      "implements (\\w+, )*Writable|extends InputSplit",
      "RandomAccessFile|FileChannel\\.open|newOutputStream|Files\\.write"));
  private static final Path ROOT = Path.of("..");
  private static final String NOT_KEPT = "not kept: ";

  private static Map<String, String> listed() throws IOException {
    Map<String, String> listed = new TreeMap<>();
    try (var in = TestRecordList.class.getResourceAsStream("/records.txt")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        if (!line.isBlank() && !line.startsWith("#")) {
          String[] parts = line.split(" \\| ");
          assertEquals(2, parts.length, line);
          listed.put(parts[0], parts[1]);
        }
      }
    }
    return listed;
  }

  /** Returns the files of the modules that a release has. */
  private static List<Path> sources(String folder) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : Modules.ALL) {
      Path root = ROOT.resolve(module).resolve(folder);
      if (module.startsWith("hdfs-ppr-") && Files.isDirectory(root)) {
        try (Stream<Path> files = Files.walk(root)) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
        }
      }
    }
    return sources;
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  @Test
  void eachClassWithBytesIsListed() throws IOException {
    TreeSet<String> found = new TreeSet<>();
    for (Path file : sources("src/main/java")) {
      if (KEEPS.matcher(Files.readString(file)).find()) {
        found.add(name(file));
      }
    }
    assertEquals(String.join("\n", found), String.join("\n", listed().keySet()),
        "classes that may keep bytes, and the list in records.txt; record the bytes of a new"
            + " format by a RecordFile, or say there why it is not kept");
  }

  @Test
  void eachListedTestIsThere() throws IOException {
    TreeSet<String> tests = new TreeSet<>();
    for (Path file : sources("src/test/java")) {
      if (Files.readString(file).contains("RecordFile")) {
        tests.add(name(file));
      }
    }
    listed().forEach((name, test) -> {
      if (!test.startsWith(NOT_KEPT)) {
        assertEquals("", tests.contains(test) ? "" : test + " records nothing of " + name);
      }
    });
  }
}
