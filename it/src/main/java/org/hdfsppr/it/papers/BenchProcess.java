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
package org.hdfsppr.it.papers;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Runs benchmarks in a child process each, so that a measurement does not share a JVM with what was
 * measured before. The child ends with this process, and takes its cluster down then.
 */
@InterfaceAudience.Private
final class BenchProcess implements RunExecutor {
  private final Path script;

  /**
   * @param script {@code it/bench.sh}
   */
  BenchProcess(Path script) {
    this.script = script;
  }

  @Override
  public void run(List<String> command, Path json, Path log)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(script.toString()));
    words.addAll(command);
    words.addAll(List.of("--json", json.toString()));
    Process process = new ProcessBuilder(words).redirectInput(new File("/dev/null"))
        .redirectErrorStream(true).redirectOutput(log.toFile()).start();
    Thread onExit = new Thread(process::destroy, "end the benchmark");
    Runtime.getRuntime().addShutdownHook(onExit);
    int exit;
    try {
      exit = process.waitFor();
    } finally {
      process.destroy();
      Runtime.getRuntime().removeShutdownHook(onExit);
    }
    if (exit != 0) {
      throw new IOException("exit code " + exit + ": " + lastLine(log) + " (" + log + ")");
    }
  }

  private static String lastLine(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return lines.isEmpty() ? "it has printed nothing" : lines.get(lines.size() - 1);
  }
}
