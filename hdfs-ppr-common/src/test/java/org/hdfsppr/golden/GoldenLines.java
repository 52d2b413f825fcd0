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
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Assertions;

/** Lines that are recorded as they are, such as names and numbers that peers rely on. */
@InterfaceAudience.Private
public final class GoldenLines {
  private GoldenLines() {
  }

  /** Compares lines with a file below {@code golden}, or writes it as {@link Golden} does. */
  public static void check(String name, List<String> lines) throws IOException {
    Path file = Golden.directory().resolve(name);
    if (Golden.WRITES) {
      Files.write(file, lines, StandardCharsets.UTF_8);
      Assertions.fail("WROTE " + file + " because of golden.write");
    }
    Assertions.assertEquals(String.join("\n", Files.readAllLines(file, StandardCharsets.UTF_8)),
        String.join("\n", lines), file + " differs. If the change is meant, run this test with"
            + " -Dgolden.write=true");
  }
}
