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
package org.hdfsppr.client.nbd.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of the system. A test that needs one that is missing is skipped, and says so. */
public final class Programs {
  private static final List<String> FOLDERS =
      List.of("/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/local/bin");
  private static final long RUN_S = 120;

  private final Path directory;

  /** @param directory gets the output of programs */
  public Programs(Path directory) {
    this.directory = directory;
  }

  private static Path find(String program) {
    return FOLDERS.stream().map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable).findFirst().orElse(null);
  }

  /** Skips the test if a program is missing. */
  public static void need(String program, String debianPackage) {
    boolean isThere = find(program) != null;
    if (!isThere) {
      System.err.println("SKIPPED: a test with a real client, because there is no " + program
          + "; it is in Debian's package " + debianPackage);
    }
    assumeTrue(isThere, () -> program + " of Debian's package " + debianPackage + " is missing");
  }

  /** Runs a program that has to succeed; returns its output. */
  public String run(String program, String... arguments) throws Exception {
    return run(0, program, arguments);
  }

  /** Runs a program that has to end with this code; returns its output. */
  public String run(int code, String program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(find(program).toString()));
    command.addAll(List.of(arguments));
    Path log = Files.createTempFile(directory, program, ".log");
    Process process = new ProcessBuilder(command).directory(directory.toFile())
        .redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertTrue(process.waitFor(RUN_S, TimeUnit.SECONDS), () -> command + " does not end: "
          + text(log));
    } finally {
      process.destroyForcibly();
    }
    assertEquals(code, process.exitValue(), () -> command + ": " + text(log));
    return text(log);
  }

  private static String text(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
