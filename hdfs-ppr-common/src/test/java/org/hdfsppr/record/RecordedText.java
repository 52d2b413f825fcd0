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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Compares what code makes with what is recorded in a file. With {@code -Dgolden.write=true} a test
 * writes the file in place of that, and fails, so that the property does not stay set unnoticed.
 */
@InterfaceAudience.Private
public final class RecordedText {
  /** Whether tests write the files that differ. */
  public static final boolean IS_WRITING = Boolean.getBoolean("golden.write");

  private RecordedText() {
  }

  /**
   * Compares a text with a file, or writes a file that differs, and fails.
   *
   * @param file the file
   * @param text what the code makes now
   * @param meaning what it means that they differ: the middle of a sentence
   * @throws IOException if the file cannot be read or written
   */
  public static void compare(Path file, String text, String meaning) throws IOException {
    String recorded = Files.exists(file) ? Files.readString(file) : null;
    if (IS_WRITING && !text.equals(recorded)) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
      fail("WROTE " + file + " because of golden.write; look at what has changed");
    }
    assertNotNull(recorded, file + " is not there: run the test with -Dgolden.write=true");
    assertEquals(recorded, text, () -> file + ": " + meaning + ". If that is wanted, run the test"
        + " with -Dgolden.write=true");
  }
}
