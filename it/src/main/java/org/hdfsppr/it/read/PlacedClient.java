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
package org.hdfsppr.it.read;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.HdfsProcessCluster;

/** Controls a {@link ReadWorker} process that runs at the clients' place in a cluster's network. */
@InterfaceAudience.Private
public final class PlacedClient implements Closeable {

  /** The longest time that the worker may take to exit. It only has to close its file system. */
  private static final int END_SECONDS = 20;

  private final String name;
  private final Process process;
  private final BufferedReader answers;
  private final Writer requests;
  private final Path output;

  private PlacedClient(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
    this.answers = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.requests = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
  }

  /**
   * Starts a worker and waits until it has opened its file system.
   *
   * @param cluster a running cluster after {@link HdfsProcessCluster#createClientPlace}
   * @param client the client that reads
   * @param jar whether the worker's class path has the project's drop-in jar
   * @return the worker, which the caller closes
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static PlacedClient start(HdfsProcessCluster cluster, ReadClient client, boolean jar)
      throws IOException, InterruptedException {
    return start(cluster, client, jar, List.of(ownClasses()));
  }

  /**
   * Starts a worker with another version's client, and waits until it has opened its file system.
   *
   * @param cluster a running cluster after {@link HdfsProcessCluster#createClientPlace}
   * @param client the client that reads
   * @param otherJar the drop-in jar of the other version
   * @return the worker, which the caller closes
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static PlacedClient startOther(HdfsProcessCluster cluster, ReadClient client,
      Path otherJar) throws IOException, InterruptedException {
    return start(cluster, client, false, List.of(ownClasses(), otherJar));
  }

  private static PlacedClient start(HdfsProcessCluster cluster, ReadClient client, boolean jar,
      List<Path> more) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(cluster.placedClientJava(jar, more));
    command.add(ReadWorker.class.getName());
    client.settings().forEach((key, value) -> command.add(key + "=" + value));
    Path output = cluster.clientConfDir().resolve("worker-" + client.label() + ".out");
    Process process = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(output.toFile())).start();
    PlacedClient placed = new PlacedClient(client.label(), process, output);
    boolean up = false;
    try {
      placed.answer();
      up = true;
      return placed;
    } finally {
      if (!up) {
        placed.close();
      }
    }
  }

  /**
   * Returns the folder or jar from which this JVM has loaded its classes. A build during a
   * benchmark does not change it, because {@code java.sh} starts the benchmark from a copy of the
   * jar.
   */
  private static Path ownClasses() throws IOException {
    try {
      return Path.of(
          ReadWorker.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  /**
   * Sends the worker a request, and waits for the result.
   *
   * @param request the file and the ranges to read
   * @return the number of bytes, the times, and the errors, if there were any
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public ReadResult read(ReadRequest request) throws IOException {
    requests.write(request.toLine() + "\n");
    requests.flush();
    return ReadResult.parse(answer());
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("The client '" + name + "' has ended; see " + output);
    }
    return line;
  }

  /** Lets the worker exit, and kills its process if it does not. */
  @Override
  public void close() throws IOException {
    try {
      requests.close();
      process.waitFor(END_SECONDS, TimeUnit.SECONDS);
      answers.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      process.destroyForcibly();
    }
  }
}
