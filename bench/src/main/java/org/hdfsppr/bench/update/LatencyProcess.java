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
package org.hdfsppr.bench.update;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.bench.read.WorkerProcess;

/** A {@link LatencyWorker} in the network of a cluster. */
final class LatencyProcess implements Closeable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  /** Lets the JVM compile as in production, other than those of the cluster. */
  private static final String ALL_COMPILERS = "-XX:TieredStopAtLevel=4";

  private final WorkerProcess worker;
  private final int port;
  private final int bytes;

  private LatencyProcess(WorkerProcess worker, int bytes) {
    this.worker = worker;
    this.port = Integer.parseInt(worker.ready());
    this.bytes = bytes;
  }

  /** Starts a worker at the clients' first place. */
  static LatencyProcess atClient(HdfsProcessCluster cluster, int bytes)
      throws IOException, InterruptedException {
    return start(cluster, "latency-client", cluster.clientCommand().placedJava(
        WorkerProcess.FIRST_PLACE, true, WorkerProcess.ownClasses()), bytes);
  }

  /** Starts a worker beside a DataNode, on its host. */
  static LatencyProcess atNode(HdfsProcessCluster cluster, int node, int bytes)
      throws IOException, InterruptedException {
    return start(cluster, "latency-dn" + node, cluster.clientCommand().besideDataNodeJava(node,
        true, WorkerProcess.ownClasses()), bytes);
  }

  private static LatencyProcess start(HdfsProcessCluster cluster, String name, List<String> java,
      int bytes) throws IOException {
    List<String> command = new ArrayList<>(java);
    command.add(ALL_COMPILERS);
    return new LatencyProcess(WorkerProcess.start(name, command, LatencyWorker.class,
        List.of(String.valueOf(bytes)), cluster.clientConfDir()), bytes);
  }

  /** {@return round trips to another worker at an address} */
  Latencies trips(String address, LatencyProcess other, int warmUp, int count)
      throws IOException {
    return run(job(LatencyWorker.TRIPS, warmUp, count).put("address", address)
        .put("port", other.port));
  }

  /** {@return appends to a file in a folder} */
  Latencies appends(Path folder, boolean durable, int warmUp, int count) throws IOException {
    return run(job(LatencyWorker.APPENDS, warmUp, count).put("folder", folder.toString())
        .put("durable", durable));
  }

  /** {@return {@link SeededUpdates} of a file} */
  Latencies updates(String path, long seed, long fileBytes, boolean durable, int warmUp,
      int count) throws IOException {
    return run(job(LatencyWorker.UPDATES, warmUp, count).put("path", path).put("seed", seed)
        .put("file_bytes", fileBytes).put("durable", durable));
  }

  private ObjectNode job(String what, int warmUp, int count) {
    return MAPPER.createObjectNode().put("what", what).put("bytes", bytes).put("warm_up", warmUp)
        .put("count", count);
  }

  private Latencies run(ObjectNode job) throws IOException {
    worker.send(job.toString());
    return Latencies.parse(worker.answer());
  }

  @Override
  public void close() throws IOException {
    worker.close();
  }
}
