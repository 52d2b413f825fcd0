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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.hdfsppr.it.util.Shell;

/** A job of fio on a block device, and what fio has measured. */
final class FioJob {
  /**
   * How much longer than its time a job may take. The flush at its end waits for disks, and the
   * requests that are under way for as long as the device lets them, 90 s.
   */
  private static final Duration MORE = Duration.ofMinutes(5);
  private static final double MILLIS = 1e3;
  private static final double NANOS_PER_MS = 1e6;
  private static final double KIB = 1024;
  private static final String P99 = "99.000000";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final String uri;
  private final Path folder;
  private final List<String> options = new ArrayList<>();
  private final LoadOperation operation;
  private Duration limit = MORE;

  /**
   * @param uri the device
   * @param folder a folder for the job's logs, of its own
   */
  FioJob(String uri, Path folder, LoadOperation operation, Places places, long requestBytes,
      int depth) {
    this.uri = uri;
    this.folder = folder;
    this.operation = operation;
    options.add("--rw=" + (places == Places.RANDOM ? "rand" : "") + operation.label());
    options.add("--bs=" + requestBytes);
    options.add("--iodepth=" + depth);
    if (operation == LoadOperation.WRITE) {
      options.add("--end_fsync=1");
    }
  }

  /** Asks for each byte of a range once. */
  FioJob range(long offset, long bytes) {
    options.add("--offset=" + offset);
    options.add("--size=" + bytes);
    return this;
  }

  /** Ends after a time, or with the range if that comes first. */
  FioJob atMost(int seconds) {
    options.add("--runtime=" + seconds);
    limit = MORE.plusSeconds(seconds);
    return this;
  }

  /** Begins with the range again until its time is over. */
  FioJob again() {
    options.add("--time_based=1");
    return this;
  }

  /** Draws the places of requests, and the bytes that are written, from a seed. */
  FioJob seed(long seed) {
    options.add("--randseed=" + seed);
    return this;
  }

  /** Flushes after a number of writes; 0 for none but that at the end. */
  FioJob flushEach(int writes) {
    if (writes > 0 && operation == LoadOperation.WRITE) {
      options.add("--fsync=" + writes);
    }
    return this;
  }

  /**
   * Runs the job.
   *
   * @return what fio has measured
   * @throws IOException if fio or a request fails
   * @throws InterruptedException if the calling thread is interrupted
   */
  LoadResult run() throws IOException, InterruptedException {
    Path log = folder.resolve("fio");
    List<String> command = new ArrayList<>(List.of("fio", "--name=job", "--ioengine=nbd",
        "--uri=" + uri, "--output-format=json", "--lat_percentiles=1", "--clat_percentiles=0",
        "--write_bw_log=" + log, "--log_avg_msec=1000", "--log_unix_epoch=1"));
    command.addAll(options);
    String output = Shell.run(limit, command);
    Path rates = folder.resolve("fio_bw.1.log");
    return parse(output, Files.exists(rates) ? Files.readAllLines(rates) : List.of(), operation);
  }

  /**
   * Reads what fio has printed.
   *
   * @param output what it has printed: messages, and a JSON object from the start of a line on
   * @param rates the lines of its log of bandwidths: milliseconds, KiB/s, direction and others
   * @param operation what the requests did
   */
  static LoadResult parse(String output, List<String> rates, LoadOperation operation)
      throws IOException {
    JsonNode job = MAPPER.readTree(output.substring(Math.max(0, output.indexOf("\n{") + 1)))
        .path("jobs").path(0);
    JsonNode side = job.path(operation.label());
    if (job.path("error").asInt(-1) != 0 || side.path("total_ios").asLong() == 0) {
      throw new IOException("fio has failed: " + output.strip());
    }
    AskedBytes progress = new AskedBytes();
    double last = 0;
    for (String line : rates) {
      String[] fields = line.split(", *");
      double seconds = Double.parseDouble(fields[0]) / MILLIS;
      if (last == 0) {
        // The log has the end of each period, and the first one began a second before its own.
        last = seconds - 1;
        progress.put(last, 0);
      }
      progress.put(seconds,
          progress.total() + (seconds - last) * Double.parseDouble(fields[1]) * KIB);
      last = seconds;
    }
    JsonNode latency = side.path("lat_ns");
    JsonNode flush = job.path("sync").path("lat_ns");
    return new LoadResult(side.path("io_bytes").asLong(), side.path("total_ios").asLong(),
        side.path("runtime").asLong() / MILLIS, latency.path("mean").asDouble() / NANOS_PER_MS,
        latency.path("percentile").path(P99).asDouble(Double.NaN) / NANOS_PER_MS,
        flush.path("N").asLong() > 0 ? flush.path("mean").asDouble() / NANOS_PER_MS : Double.NaN,
        progress);
  }
}
