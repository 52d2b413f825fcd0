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
package org.hdfsppr.namenode.web.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;

/** Runs promtool, which Debian's package prometheus brings. */
@InterfaceAudience.Private
public final class Promtool {
  private static final int LIMIT_SECONDS = 60;

  private Promtool() {
  }

  /**
   * Runs promtool, and fails if it does not end with exit code 0. The calling test ends as skipped
   * where promtool is not installed, unless {@code -Dpromtool.required=true} is set.
   *
   * @param folder where it runs
   * @param input a file that it reads as its standard input, or null
   * @param arguments what follows its name
   * @return all that it printed
   * @throws Exception if it cannot be run, or does not end in time
   */
  public static String run(Path folder, Path input, String... arguments) throws Exception {
    boolean found = isInstalled();
    assertTrue(found || !Boolean.getBoolean("promtool.required"), "promtool is not installed");
    assumeTrue(found, "promtool is not installed");
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile("promtool", ".out");
    try {
      ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
          .redirectErrorStream(true).redirectOutput(output.toFile());
      if (input != null) {
        builder.redirectInput(input.toFile());
      }
      Process process = builder.start();
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command + " has not ended within " + LIMIT_SECONDS + " s");
      }
      String said = Files.readString(output, StandardCharsets.UTF_8);
      assertEquals(0, process.exitValue(), () -> command + " said: " + said);
      return said;
    } finally {
      Files.delete(output);
    }
  }

  private static boolean isInstalled() {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, "promtool"))) {
        return true;
      }
    }
    return false;
  }
}
