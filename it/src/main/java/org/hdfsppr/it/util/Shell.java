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

/** Runs a short command of the operating system, and waits until the command ends. */
@InterfaceAudience.Private
public final class Shell {

  /**
   * The default time limit. Commands such as {@code ip} and {@code tc} take far less, so a command
   * that takes longer hangs.
   */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private Shell() {
  }

  /**
   * Runs a command within the default time limit. If the exit code is not zero, this method throws
   * an exception with the command's output.
   *
   * @param command the command and its arguments
   * @return the command's output
   * @throws IOException if the command cannot be started, fails, or its output cannot be read
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static String run(String... command) throws IOException, InterruptedException {
    return run(LIMIT, List.of(command));
  }

  /**
   * As {@link #run(String...)}, but with the caller's time limit.
   *
   * @param limit the longest time that the command may take
   * @param command the command and its arguments
   * @return the command's output
   * @throws IOException if the command cannot be started, fails, or its output cannot be read
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static String run(Duration limit, List<String> command)
      throws IOException, InterruptedException {
    // The output goes to a file. With a pipe, a command with much output would block, because this
    // method reads the output only after the command has ended.
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
