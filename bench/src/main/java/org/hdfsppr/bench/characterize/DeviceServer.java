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
package org.hdfsppr.bench.characterize;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.Await;

/** A process of {@code hdfs ppr -nbd} at a client's place of a cluster. */
final class DeviceServer implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);
  /** All bytes of a device are written before it is served. */
  private static final Duration START_LIMIT = Duration.ofMinutes(15);
  /** The server lets requests end within 30 s, and flushes. */
  private static final long END_SECONDS = 90;
  private static final String SERVED = "is served at ";

  private final Process process;
  private final Path socketFolder;
  private final Path output;
  private final Thread onExit;

  private DeviceServer(Process process, Path socketFolder, Path output) {
    this.process = process;
    this.socketFolder = socketFolder;
    this.output = output;
    // The server ends with this JVM, also after Ctrl-C.
    this.onExit = new Thread(process::destroyForcibly, "end the block device");
    Runtime.getRuntime().addShutdownHook(onExit);
  }

  /**
   * Makes a device and serves it at a UNIX socket.
   *
   * @param cluster a running cluster with plugins and codecs
   * @param place the number of the client's place
   * @param device the path of the device in HDFS
   * @param bytes the bytes of the device
   * @param objectBytes the bytes of each of its files
   * @return the server, which the caller closes
   * @throws IOException if it does not start, with what it has printed
   * @throws InterruptedException if the calling thread is interrupted
   * @throws TimeoutException if the device is not made in time
   */
  static DeviceServer start(HdfsProcessCluster cluster, int place, String device, long bytes,
      long objectBytes) throws IOException, InterruptedException, TimeoutException {
    // The path of a socket has a hundred characters at most, and that of a cluster may have more.
    Path folder = Files.createTempDirectory("ppr-nbd");
    Path output = cluster.dir().resolve("client").resolve("nbd.out");
    List<String> command =
        new ArrayList<>(cluster.clientCommand().placedJava(place, true, List.of()));
    command.addAll(List.of("org.hdfsppr.client.PprTool", "-nbd", "--create", "--size",
        Long.toString(bytes), "--object", Long.toString(objectBytes), "--unix",
        folder.resolve("socket").toString(), device));
    DeviceServer server = new DeviceServer(new ProcessBuilder(command)
        .redirectInput(Path.of("/dev/null").toFile()).redirectErrorStream(true)
        .redirectOutput(output.toFile()).start(), folder, output);
    boolean up = false;
    try {
      Await.until(server::said, START_LIMIT, POLL,
          () -> !server.process.isAlive() || Files.readString(output).contains(SERVED));
      if (!server.process.isAlive()) {
        throw new IOException("hdfs ppr -nbd has ended: " + server.said());
      }
      up = true;
      return server;
    } finally {
      if (!up) {
        server.close();
      }
    }
  }

  private String said() {
    try {
      return Files.readString(output).strip();
    } catch (IOException e) {
      return e.toString();
    }
  }

  long pid() {
    return process.pid();
  }

  /** {@return the address for clients of NBD} */
  String uri() {
    return "nbd+unix:///?socket=" + socketFolder.resolve("socket");
  }

  /** Lets the server end in order, and kills it if it does not. */
  @Override
  public void close() throws IOException {
    try {
      process.destroy();
      process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the block device ends", e);
    } finally {
      process.destroyForcibly();
      Runtime.getRuntime().removeShutdownHook(onExit);
      Files.deleteIfExists(socketFolder.resolve("socket"));
      Files.deleteIfExists(socketFolder);
    }
  }
}
