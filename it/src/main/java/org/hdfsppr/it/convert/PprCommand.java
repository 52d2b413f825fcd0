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
package org.hdfsppr.it.convert;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.HdfsProcessCluster;

/** One call of {@code hdfs ppr} on the host of the clients, as a process. */
@InterfaceAudience.Private
public final class PprCommand implements AutoCloseable {
  private final Process process;
  private final Path output;

  private PprCommand(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /**
   * Starts the command.
   *
   * @param cluster a running cluster with codecs
   * @param arguments the arguments of {@code hdfs ppr}
   * @return the running command, which the caller closes
   * @throws IOException if the process cannot be started
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static PprCommand start(HdfsProcessCluster cluster, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(cluster.clientJava());
    command.add("org.hdfsppr.client.PprTool");
    command.addAll(arguments);
    Path output = Files.createTempFile(cluster.clientConfDir(), "ppr-", ".out");
    return new PprCommand(new ProcessBuilder(command).redirectInput(
        ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
        .redirectErrorStream(true).redirectOutput(output.toFile()).start(), output);
  }

  /**
   * Starts the command, waits for its end, and fails if its exit code is not zero.
   *
   * @param cluster a running cluster with codecs
   * @param limit the longest time that the command may take
   * @param arguments the arguments of {@code hdfs ppr}
   * @return what the command has printed
   * @throws IOException if the command fails, with its output
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static String run(HdfsProcessCluster cluster, Duration limit, List<String> arguments)
      throws IOException, InterruptedException {
    try (PprCommand command = start(cluster, arguments)) {
      int exit = command.await(limit);
      if (exit != 0) {
        throw new IOException("hdfs ppr " + String.join(" ", arguments) + " ended with " + exit
            + ": " + command.output().strip());
      }
      return command.output();
    }
  }

  /**
   * Waits for the command's end.
   *
   * @param limit the longest time to wait
   * @return the exit code
   * @throws IOException if the command has not ended in time
   * @throws InterruptedException if the calling thread is interrupted
   */
  public int await(Duration limit) throws IOException, InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException("hdfs ppr has not ended after " + limit.toSeconds() + " s: "
          + output());
    }
    return process.exitValue();
  }

  /** {@return whether the command has ended} */
  public boolean hasEnded() {
    return !process.isAlive();
  }

  /**
   * {@return what the command has printed so far}
   *
   * @throws IOException if its output cannot be read
   */
  public String output() throws IOException {
    return Files.readString(output);
  }

  /** {@return what the command has printed so far, for the message of an assertion} */
  public String text() {
    try {
      return output();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Kills the command if it is still running. Its output stays for a reader of the folder. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
