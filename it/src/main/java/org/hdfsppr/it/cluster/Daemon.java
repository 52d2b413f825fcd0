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
package org.hdfsppr.it.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.Shell;

/**
 * One daemon of a cluster. The daemon's process keeps running when the JVM that started it exits. A
 * later JVM finds the process through a record in the daemon's folder.
 *
 * <pre>
 *  HOME/conf/         the daemon's settings, in front of its class path
 *  HOME/log/NAME.log  the daemon's log; HOME/log/NAME.out its output
 *  HOME/pid           the daemon's record while it runs
 * </pre>
 */
@InterfaceAudience.Private
public final class Daemon {
  private static final Duration END_LIMIT = Duration.ofSeconds(20);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final int TAIL_LINES = 15;

  public final String name;
  final Path home;

  Daemon(String name, Path home) {
    this.name = name;
    this.home = home;
  }

  /** {@return the log file} */
  public Path log() {
    return home.resolve("log").resolve(name + ".log");
  }

  /**
   * Starts the daemon with this command line, in a session of its own. Ctrl-C in a terminal
   * therefore does not stop the daemon.
   */
  void start(List<String> command) throws IOException {
    if (isAlive()) {
      throw new IllegalStateException(name + " runs already, as " + pid().get());
    }
    Files.createDirectories(home.resolve("log"));
    List<String> line = new ArrayList<>(List.of("setsid"));
    line.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(line)
        .directory(home.toFile())
        .redirectInput(new File("/dev/null"))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(
            home.resolve("log").resolve(name + ".out").toFile()));
    // Without this variable, glibc may keep an arena of 64 MB for each thread of a JVM.
    builder.environment().put("MALLOC_ARENA_MAX", "2");
    Process process = builder.start();
    Optional<ProcessRecord> record = ProcessRecord.of(process.pid());
    if (record.isEmpty()) {
      throw new IOException(name + " ended at once:\n" + tail());
    }
    record.get().write(recordFile());
  }

  /**
   * {@return whether the daemon's process is running}
   *
   * @throws IOException if the process's record cannot be read
   */
  public boolean isAlive() throws IOException {
    Optional<ProcessRecord> record = record();
    return record.isPresent() && record.get().isAlive();
  }

  /** Fails if the daemon is not running, with the daemon's last log lines in the message. */
  void requireAlive() throws IOException {
    if (!isAlive()) {
      throw new IOException(name + " has ended:\n" + tail());
    }
  }

  /**
   * {@return the process id; empty if the daemon is not running}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public Optional<Long> pid() throws IOException {
    Optional<ProcessRecord> record = record();
    return record.isPresent() && record.get().isAlive()
        ? Optional.of(record.get().pid) : Optional.empty();
  }

  /**
   * Kills the daemon at once, as a power cut does, and returns when the process has ended. Does
   * nothing if the daemon is not running.
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if the time limit of the operation is exceeded
   */
  public void kill() throws IOException, InterruptedException, TimeoutException {
    if (sendIfAlive("KILL")) {
      awaitEnd();
    }
    Files.deleteIfExists(recordFile());
  }

  /**
   * Asks the daemon to exit, and returns when the process has ended. Does nothing if the daemon is
   * not running.
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if the time limit of the operation is exceeded
   */
  public void stop() throws IOException, InterruptedException, TimeoutException {
    if (sendIfAlive("TERM")) {
      awaitEnd();
    }
    Files.deleteIfExists(recordFile());
  }

  /**
   * Freezes the daemon. Its connections stay open, but the daemon does not answer on them.
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void pause() throws IOException, InterruptedException {
    requireSent("STOP");
  }

  /**
   * Lets a daemon that {@link #pause} has frozen run again.
   *
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void resume() throws IOException, InterruptedException {
    requireSent("CONT");
  }

  /**
   * {@return the last lines that the daemon has printed and logged, for error messages}
   *
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public String tail() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : List.of(home.resolve("log").resolve(name + ".out"), log())) {
      if (Files.exists(file)) {
        List<String> all = Files.readAllLines(file);
        lines.addAll(all.subList(Math.max(0, all.size() - TAIL_LINES), all.size()));
      }
    }
    return String.join("\n", lines);
  }

  private void requireSent(String signal) throws IOException, InterruptedException {
    if (!sendIfAlive(signal)) {
      throw new IllegalStateException(name + " does not run");
    }
  }

  private boolean sendIfAlive(String signal) throws IOException, InterruptedException {
    Optional<Long> pid = pid();
    if (pid.isEmpty()) {
      return false;
    }
    try {
      Shell.run("kill", "-" + signal, pid.get().toString());
    } catch (IOException e) {
      if (isAlive()) {
        throw e;
      }
    }
    return true;
  }

  private void awaitEnd() throws IOException, InterruptedException, TimeoutException {
    Await.until(name + " has ended", END_LIMIT, POLL, () -> !isAlive());
  }

  private Optional<ProcessRecord> record() throws IOException {
    return ProcessRecord.read(recordFile());
  }

  private Path recordFile() {
    return home.resolve("pid");
  }
}
