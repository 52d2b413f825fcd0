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
package org.hdfsppr.bench.papers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;


/** Finds the traces of a folder. */
final class TraceFolder {
  private static final String SUFFIX = ".csv";

  private TraceFolder() {
  }

  /**
   * {@return the names of the traces in a folder, without {@code .csv}}
   *
   * @param dir a folder with traces in the format of the MSR Cambridge traces
   * @throws IllegalArgumentException if it is no folder, or has no traces
   */
  static List<String> names(Path dir) throws IOException {
    if (!Files.isDirectory(dir)) {
      throw new IllegalArgumentException("--traces is " + dir + ", which is no folder");
    }
    try (Stream<Path> files = Files.list(dir)) {
      // Placements of stripes lie beside traces.
      List<String> names = files.map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(SUFFIX) && !name.startsWith("placement"))
          .map(name -> name.substring(0, name.length() - SUFFIX.length())).sorted()
          .collect(Collectors.toList());
      if (names.isEmpty()) {
        throw new IllegalArgumentException("--traces is " + dir + ", which has no *.csv: unpack "
            + "the traces first");
      }
      return names;
    }
  }
}
