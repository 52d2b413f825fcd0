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

import java.io.IOException;
import java.util.Arrays;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** How long operations of one kind took, one after the other. Immutable. */
final class Latencies {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final double NANOS_PER_US = 1e3;
  private static final double MEDIAN = 0.5;
  private static final double TAIL = 0.99;

  /** One operation. */
  interface Operation {
    void run() throws IOException;
  }

  final int count;
  final double p50Us;
  final double p99Us;

  Latencies(int count, double p50Us, double p99Us) {
    this.count = count;
    this.p50Us = p50Us;
    this.p99Us = p99Us;
  }

  /** {@return what the times say, which are at least one, ns} */
  static Latencies of(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return new Latencies(sorted.length, percentile(sorted, MEDIAN), percentile(sorted, TAIL));
  }

  /**
   * Runs an operation again and again.
   *
   * @param warmUp how often it runs before its times count
   * @param count how often its times count, at least once
   */
  static Latencies measure(int warmUp, int count, Operation operation) throws IOException {
    return measure(warmUp, count, () -> { }, operation);
  }

  /** As the other method, with a preparation before each operation that does not count. */
  static Latencies measure(int warmUp, int count, Runnable preparation, Operation operation)
      throws IOException {
    for (int i = 0; i < warmUp; i++) {
      preparation.run();
      operation.run();
    }
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      preparation.run();
      long began = System.nanoTime();
      operation.run();
      nanos[i] = System.nanoTime() - began;
    }
    return of(nanos);
  }

  /** The least of the times that this share of all times does not exceed, µs. */
  private static double percentile(long[] sorted, double share) {
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.max(rank, 1) - 1] / NANOS_PER_US;
  }

  /** {@return a line, from which {@link #parse} makes the same again} */
  String toLine() {
    return MAPPER.createObjectNode().put("count", count).put("p50_us", p50Us)
        .put("p99_us", p99Us).toString();
  }

  static Latencies parse(String line) throws IOException {
    JsonNode json = MAPPER.readTree(line);
    return new Latencies(json.get("count").asInt(), json.get("p50_us").asDouble(),
        json.get("p99_us").asDouble());
  }
}
