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

import java.io.Closeable;
import java.io.IOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.bench.read.WorkerProcess;

/** A {@link StockWorker} at a client's place of a cluster. */
final class StockClient implements Closeable {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final WorkerProcess worker;

  private StockClient(WorkerProcess worker) {
    this.worker = worker;
  }

  static StockClient start(HdfsProcessCluster cluster, int place)
      throws IOException, InterruptedException {
    return new StockClient(WorkerProcess.start("stock",
        cluster.clientCommand().placedJava(place, false, WorkerProcess.ownClasses()),
        StockWorker.class, java.util.List.of(), cluster.clientConfDir()));
  }

  long pid() {
    return worker.pid();
  }

  LoadResult run(StockJob job) throws IOException {
    worker.send(job.toLine());
    return parse(worker.answer());
  }

  static LoadResult parse(String line) throws IOException {
    JsonNode answer = MAPPER.readTree(line);
    AskedBytes progress = new AskedBytes();
    answer.get("progress").forEach(moment ->
        progress.put(moment.get(0).asDouble(), moment.get(1).asDouble()));
    return new LoadResult(answer.get("bytes").asLong(), answer.get("requests").asLong(),
        answer.get("seconds").asDouble(), answer.get("mean_ms").asDouble(),
        answer.get("p99_ms").asDouble(), answer.get("flush_ms").asDouble(Double.NaN), progress);
  }

  @Override
  public void close() throws IOException {
    worker.close();
  }
}
