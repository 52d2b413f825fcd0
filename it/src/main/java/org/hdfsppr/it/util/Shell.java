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
package org.hdfsppr.it.util;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.classification.InterfaceAudience;

/** Runs a short command of the system to its end. */
@InterfaceAudience.Private
public final class Shell {

  /** Every command here is an {@code ip}, {@code tc} or the like; one that hangs is a fault. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private Shell() {
  }

  /**
   * Runs the command; a non-zero exit is an exception that carries what the command said.
   *
   * @param command with its arguments
   * @return what the command has printed
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static String run(String... command) throws IOException, InterruptedException {
    return run(LIMIT, List.of(command));
  }

  /**
   * As {@link #run(String...)} with a time limit of the caller's.
   *
   * @param limit how long at most
   * @param command with its arguments
   * @return what the command has printed
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static String run(Duration limit, List<String> command)
      throws IOException, InterruptedException {
    // Output goes to a file: with a pipe, a command that says much would block before it ends.
    Path output = Files.createTempFile("it-shell", ".out");
    try {
      Process process = new ProcessBuilder(command)
          .redirectInput(new File("/dev/null"))
          .redirectErrorStream(true)
          .redirectOutput(output.toFile())
          .start();
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new IOException(
            "No end within " + limit.toSeconds() + " s: " + String.join(" ", command));
      }
      String said = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
      if (process.exitValue() != 0) {
        throw new IOException("Exit " + process.exitValue() + " from: "
            + String.join(" ", command) + (said.isBlank() ? "" : "\n" + said.strip()));
      }
      return said;
    } finally {
      Files.deleteIfExists(output);
    }
  }
}
