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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.conf.PprKeys;

/**
 * Measures as a process of its own, at the place of a client or of a DataNode. Its first line says
 * on which port it answers round trips. Then each line of its input is a job, and each line of its
 * output the {@link Latencies} of it. It exits when its input ends.
 */
@InterfaceAudience.Private
public final class LatencyWorker {
  /** Jobs of this kind are round trips to another worker. */
  static final String TRIPS = "trips";
  /** Jobs of this kind are appends to a file. */
  static final String APPENDS = "appends";
  /** Jobs of this kind are updates in place. */
  static final String UPDATES = "updates";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private LatencyWorker() {
  }

  /**
   * Measures until standard input is closed.
   *
   * @param args the length of messages in round trips, bytes
   * @throws IOException if the network, a file or the cluster fails
   */
  public static void main(String[] args) throws IOException {
    // Hadoop's libraries may print to standard output, where each line is an answer.
    PrintStream answers = System.out;
    System.setOut(System.err);
    try (PingPong server = PingPong.serve(Integer.parseInt(args[0]));
        BufferedReader lines = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      answers.println(server.port());
      answers.flush();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        answers.println(measure(MAPPER.readTree(line)).toLine());
        answers.flush();
      }
    }
  }

  private static Latencies measure(JsonNode job) throws IOException {
    String what = job.get("what").asText();
    int bytes = job.get("bytes").asInt();
    int warmUp = job.get("warm_up").asInt();
    int count = job.get("count").asInt();
    switch (what) {
      case TRIPS:
        return PingPong.measure(new InetSocketAddress(job.get("address").asText(),
            job.get("port").asInt()), bytes, warmUp, count);
      case APPENDS:
        return PlainAppends.measure(java.nio.file.Path.of(job.get("folder").asText()), bytes,
            job.get("durable").asBoolean(), warmUp, count);
      case UPDATES:
        return update(new Path(job.get("path").asText()), new SeededUpdates(
            job.get("seed").asLong(), job.get("file_bytes").asLong(), bytes),
            job.get("durable").asBoolean(), warmUp, count);
      default:
        throw new IOException("There are no jobs of the kind '" + what + "'");
    }
  }

  private static Latencies update(Path path, SeededUpdates updates, boolean durable, int warmUp,
      int count) throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    conf.setBoolean(PprKeys.CLIENT_UPDATES_KEY, true);
    try (PprFileSystem client =
        (PprFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
        FileUpdater updater = client.openForUpdate(path)) {
      return Latencies.measure(warmUp, count, updates::next, () -> {
        updater.write(updates.position(), ByteBuffer.wrap(updates.data));
        if (durable) {
          updater.hsync();
        } else {
          updater.hflush();
        }
      });
    }
  }
}
