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
package org.hdfsppr.bench.read;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.read.ReadClient;

/** Controls a {@link ReadWorker} process that runs at the clients' place in a cluster's network. */
@InterfaceAudience.Private
public final class PlacedClient implements Closeable {
  /**
   * Lets one JVM compile as in production. The daemons of a cluster, up to 19 JVMs on two cores, do
   * without the second compiler.
   */
  private static final String ALL_COMPILERS = "-XX:TieredStopAtLevel=4";

  private final WorkerProcess worker;

  private PlacedClient(WorkerProcess worker) {
    this.worker = worker;
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
    return start(cluster, client.label, client.settings(),
        WorkerProcess.withOwnClasses(cluster, WorkerProcess.FIRST_PLACE, jar, List.of()));
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
    return start(cluster, client.label, client.settings(),
        WorkerProcess.withOwnClasses(cluster, WorkerProcess.FIRST_PLACE, false,
            List.of(otherJar)));
  }

  /**
   * Starts a worker whose client has clocks, and waits until it has opened its file system. Its JVM
   * compiles as in production, so that its computation takes the time that it takes there.
   *
   * @param cluster a running cluster after {@link HdfsProcessCluster#createClientPlace}
   * @param client the client that reads
   * @param jar whether the worker's class path has the project's drop-in jar
   * @param clocks settings that put the clocks into the client; they win over the client's own
   * @return the worker, which the caller closes
   * @throws IOException if a process fails or a file cannot be read or written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static PlacedClient startTimed(HdfsProcessCluster cluster, ReadClient client, boolean jar,
      Map<String, String> clocks) throws IOException, InterruptedException {
    Map<String, String> settings = new TreeMap<>(client.settings());
    settings.putAll(clocks);
    List<String> java = new ArrayList<>(
        WorkerProcess.withOwnClasses(cluster, WorkerProcess.FIRST_PLACE, jar, List.of()));
    java.add(ALL_COMPILERS);
    return start(cluster, client.label, settings, java);
  }

  private static PlacedClient start(HdfsProcessCluster cluster, String label,
      Map<String, String> settings, List<String> java) throws IOException {
    List<String> arguments = new ArrayList<>();
    settings.forEach((key, value) -> arguments.add(key + "=" + value));
    return new PlacedClient(WorkerProcess.start(label, java, ReadWorker.class, arguments,
        cluster.clientConfDir()));
  }

  /**
   * Sends the worker a request, and waits for the result.
   *
   * @param request the file and the ranges to read
   * @return the number of bytes, the times, and the errors, if there were any
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public ReadResult read(ReadRequest request) throws IOException {
    worker.send(request.toLine());
    return ReadResult.parse(worker.answer());
  }

  /**
   * {@return the processor time of the worker's process since its start}
   *
   * @throws IOException if the process has ended
   */
  public Duration cpuTime() throws IOException {
    return ProcessHandle.of(worker.pid()).flatMap(process -> process.info().totalCpuDuration())
        .orElseThrow(() -> new IOException("The client has ended"));
  }

  /** Lets the worker exit, and kills its process if it does not. */
  @Override
  public void close() throws IOException {
    worker.close();
  }
}
