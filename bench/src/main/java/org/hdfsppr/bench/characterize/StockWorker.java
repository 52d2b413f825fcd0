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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Writes and reads files with Hadoop's own client, one after the other, as a process. Each line of
 * its input is a {@link StockJob}, each line of its output what came of it. The client keeps what
 * is written and sends it in packets, so that the time of a request is that of its call.
 */
@InterfaceAudience.Private
public final class StockWorker {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int BUFFER_BYTES = 4096;
  private static final double NANOS_PER_MS = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS = 1e3;
  private static final double TAIL = 0.99;
  private static final short REPLICAS = 3;

  private final FileSystem client;

  private StockWorker(FileSystem client) {
    this.client = client;
  }

  /**
   * Carries out jobs until standard input is closed.
   *
   * @param args none
   * @throws IOException if a file cannot be written or read
   */
  public static void main(String[] args) throws IOException {
    Configuration conf = new Configuration();
    // Hadoop's libraries may print to standard output, where each line is an answer.
    PrintStream answers = System.out;
    System.setOut(System.err);
    try (FileSystem client = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
        BufferedReader lines = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      answers.println(client.getClass().getName());
      answers.flush();
      StockWorker worker = new StockWorker(client);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        answers.println(worker.carryOut(StockJob.parse(line)));
        answers.flush();
      }
    }
  }

  private String carryOut(StockJob job) throws IOException {
    Tally tally = new Tally(job);
    byte[] buffer = new byte[(int) job.requestBytes];
    if (job.operation == LoadOperation.WRITE) {
      new Random(job.requestBytes).nextBytes(buffer);
      // The defaults of the file system, but for the length of blocks.
      try (OutputStream out = client.create(new Path(job.path), true, BUFFER_BYTES,
          REPLICAS, job.blockBytes)) {
        while (tally.goesOn()) {
          out.write(buffer);
          tally.add(buffer.length);
        }
        tally.beginFlush();
      }
      tally.endFlush();
    } else {
      try (FSDataInputStream in = client.open(new Path(job.path))) {
        while (tally.goesOn()) {
          readFully(in, buffer);
          tally.add(buffer.length);
        }
      }
    }
    return tally.toLine();
  }

  private static void readFully(InputStream in, byte[] buffer) throws IOException {
    if (in.readNBytes(buffer, 0, buffer.length) < buffer.length) {
      throw new IOException("The file is shorter than what is asked");
    }
  }

  /** The times of the requests of a job. */
  private static final class Tally {
    private final StockJob job;
    private final List<Long> nanos = new ArrayList<>();
    private final ArrayNode progress = MAPPER.createArrayNode();
    private final long start = System.nanoTime();
    private long last = start;
    private long second;
    private long bytes;
    private long flushStart;
    private double flushMs = Double.NaN;

    Tally(StockJob job) {
      this.job = job;
      note();
    }

    boolean goesOn() {
      return bytes + job.requestBytes <= job.bytes
          && last - start < TimeUnit.SECONDS.toNanos(job.seconds);
    }

    void add(int length) {
      long now = System.nanoTime();
      nanos.add(now - last);
      last = now;
      bytes += length;
      if (TimeUnit.NANOSECONDS.toSeconds(now - start) > second) {
        second = TimeUnit.NANOSECONDS.toSeconds(now - start);
        note();
      }
    }

    void beginFlush() {
      flushStart = System.nanoTime();
    }

    void endFlush() {
      last = System.nanoTime();
      flushMs = (last - flushStart) / NANOS_PER_MS;
    }

    private void note() {
      progress.addArray().add(System.currentTimeMillis() / MILLIS).add(bytes);
    }

    String toLine() {
      note();
      Collections.sort(nanos);
      ObjectNode line = MAPPER.createObjectNode().put("bytes", bytes)
          .put("requests", nanos.size()).put("seconds", (last - start) / NANOS_PER_SECOND)
          .put("mean_ms", nanos.stream().mapToLong(each -> each).average().orElse(Double.NaN)
              / NANOS_PER_MS)
          .put("p99_ms", nanos.isEmpty() ? Double.NaN
              : nanos.get((int) Math.min(nanos.size() - 1, nanos.size() * TAIL)) / NANOS_PER_MS)
          .put("flush_ms", flushMs);
      line.set("progress", progress);
      return line.toString();
    }
  }
}
