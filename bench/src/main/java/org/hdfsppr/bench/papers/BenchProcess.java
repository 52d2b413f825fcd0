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

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;


/**
 * Runs benchmarks in a child process each, so that a measurement does not share a JVM with what was
 * measured before. The child ends with this process, and takes its cluster down then. If this
 * process is killed without a chance to end the child, the next one ends it: two benchmarks at a
 * time would disturb each other.
 */
final class BenchProcess implements RunExecutor {
  private static final double MILLIS = 1e3;
  /** A cluster of twenty processes is down within half a minute. */
  private static final long DOWN_SECONDS_MAX = 120;
  /** The longest full run takes forty minutes on two cores. One that hangs must not end a night. */
  private static final Duration RUN_MAX = Duration.ofHours(4);

  private static final String SKIP_BUILD = "HDFS_PPR_SKIP_BUILD";

  private final Path script;
  private final Path pidFile;
  private final Duration runMax;

  /**
   * @param script {@code it/bench.sh}
   * @param work the folder in which benchmarks write; it has the id of the one that runs
   */
  BenchProcess(Path script, Path work) {
    this(script, work, RUN_MAX);
  }

  /**
   * @param runMax how long a benchmark may take before it is ended
   */
  BenchProcess(Path script, Path work, Duration runMax) {
    this.script = script;
    this.pidFile = work.resolve("bench.pid");
    this.runMax = runMax;
  }

  @Override
  public void run(List<String> command, Path json, Path log)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(script.toString()));
    words.addAll(command);
    words.addAll(List.of("--json", json.toString()));
    ProcessBuilder builder = new ProcessBuilder(words).redirectInput(new File("/dev/null"))
        .redirectErrorStream(true).redirectOutput(log.toFile());
    // This JVM's own script has built the jars. If sources change during a night, a child must not
    // build them: its run would be one of another version.
    builder.environment().put(SKIP_BUILD, "1");
    Process process = builder.start();
    Thread onExit = new Thread(process::destroy, "end the benchmark");
    Runtime.getRuntime().addShutdownHook(onExit);
    boolean hasEnded;
    try {
      Files.writeString(pidFile, Long.toString(process.pid()));
      hasEnded = process.waitFor(runMax.toMillis(), TimeUnit.MILLISECONDS);
      if (!hasEnded) {
        process.destroy();
        if (!process.waitFor(DOWN_SECONDS_MAX, TimeUnit.SECONDS)) {
          throw new IllegalStateException("Process " + process.pid() + " does not end, and would "
              + "disturb the next run: end it, and start again");
        }
      }
    } finally {
      process.destroy();
      Runtime.getRuntime().removeShutdownHook(onExit);
    }
    Files.deleteIfExists(pidFile);
    if (!hasEnded) {
      throw new IOException("it was ended after " + TimeLeft.words(runMax.toMillis() / MILLIS)
          + ": " + lastLine(log) + " (" + log + ")");
    }
    int exit = process.exitValue();
    if (exit != 0) {
      throw new IOException("exit code " + exit + ": " + lastLine(log) + " (" + log + ")");
    }
  }

  /**
   * Ends the benchmark that an earlier process has left behind. A process that does not write into
   * the same folder has the id by chance, and is left alone.
   */
  void endLeftOver() throws IOException, InterruptedException {
    if (!Files.exists(pidFile)) {
      return;
    }
    String pid = Files.readString(pidFile).strip();
    Optional<ProcessHandle> left = pid.matches("\\d{1,18}")
        ? ProcessHandle.of(Long.parseLong(pid)) : Optional.empty();
    if (left.isPresent() && isOurs(left.get())) {
      left.get().destroy();
      try {
        left.get().onExit().get(DOWN_SECONDS_MAX, TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        throw new IOException("The benchmark of an earlier papers.sh does not end: process " + pid
            + "; end it, and start again", e);
      }
    }
    Files.deleteIfExists(pidFile);
  }

  private boolean isOurs(ProcessHandle process) throws IOException {
    // ProcessHandle.info() cuts a command line with a long class path off.
    Path commandLine = Path.of("/proc/" + process.pid() + "/cmdline");
    String work = pidFile.toAbsolutePath().getParent() + File.separator;
    try {
      return Arrays.stream(new String(Files.readAllBytes(commandLine), StandardCharsets.UTF_8)
          .split("\0")).anyMatch(word -> word.startsWith(work));
    } catch (NoSuchFileException e) {
      // It has just ended.
      return false;
    }
  }

  private static String lastLine(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return lines.isEmpty() ? "it has printed nothing" : lines.get(lines.size() - 1);
  }
}
