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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.bench.clock.ReadTimes;

/** The result of a {@link ReadRequest}. */
@InterfaceAudience.Private
public final class ReadResult {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final double NANOS_PER_MS = 1e6;

  public final long bytes;
  private final long openNanos;
  private final List<Long> callNanos;
  private final long busyNanos;
  public final String complaint;
  public final ReadTimes times;

  /**
   * @param bytes the number of bytes that were read
   * @param openNanos the time to open the stream, ns
   * @param callNanos the time of each call, ns; at least one call
   * @param complaint a description of the errors; empty if there were none
   */
  ReadResult(long bytes, long openNanos, List<Long> callNanos, String complaint) {
    this(bytes, openNanos, callNanos, callNanos.stream().mapToLong(Long::longValue).sum(),
        complaint);
  }

  /**
   * @param busyNanos the time that the slowest reader has spent in its calls, ns
   */
  ReadResult(long bytes, long openNanos, List<Long> callNanos, long busyNanos,
      String complaint) {
    this(bytes, openNanos, callNanos, busyNanos, complaint, new ReadTimes(0, 0, 0));
  }

  private ReadResult(long bytes, long openNanos, List<Long> callNanos, long busyNanos,
      String complaint, ReadTimes times) {
    this.times = times;
    this.bytes = bytes;
    this.openNanos = openNanos;
    this.callNanos = List.copyOf(callNanos);
    this.busyNanos = busyNanos;
    this.complaint = complaint;
  }

  /**
   * Combines the results of several readers that read at the same time.
   *
   * @param readers a result of each reader
   * @return one result of all their calls
   */
  public static ReadResult together(List<ReadResult> readers) {
    List<Long> calls = new ArrayList<>();
    readers.forEach(reader -> calls.addAll(reader.callNanos));
    return new ReadResult(readers.stream().mapToLong(reader -> reader.bytes).sum(),
        readers.stream().mapToLong(reader -> reader.openNanos).max().orElse(0), calls,
        readers.stream().mapToLong(reader -> reader.busyNanos).max().orElse(0),
        readers.stream().map(reader -> reader.complaint).filter(one -> !one.isEmpty())
            .collect(Collectors.joining("; ")));
  }

  /** Returns this result with the times of its reads. */
  ReadResult with(ReadTimes measured) {
    return new ReadResult(bytes, openNanos, callNanos, busyNanos, complaint, measured);
  }

  /** {@return the number of calls that returned} */
  public int calls() {
    return callNanos.size();
  }

  /**
   * {@return the speed in megabytes (10^6 bytes) per second: the bytes of all readers, divided by
   * the time that the slowest reader spent opening its stream and in its calls}
   */
  public double megabytesPerSecond() {
    return bytes * 1e3 / (openNanos + busyNanos);
  }

  /**
   * {@return the time within which {@code share} of the calls returned, ms}
   *
   * @param share from 0 to 1, for example 0.99
   */
  public double percentileMs(double share) {
    if (callNanos.isEmpty()) {
      return Double.NaN;
    }
    List<Long> sorted = callNanos.stream().sorted().collect(Collectors.toList());
    int rank = (int) Math.ceil(share * sorted.size());
    return sorted.get(Math.max(0, rank - 1)) / NANOS_PER_MS;
  }

  /** {@return true if all reads succeeded and every byte was right} */
  public boolean ok() {
    return complaint.isEmpty();
  }

  /** Writes the result as one line of text. */
  String toLine() {
    ObjectNode json = MAPPER.createObjectNode().put("bytes", bytes).put("open_nanos", openNanos)
        .put("busy_nanos", busyNanos).put("complaint", complaint)
        .put("total_nanos", times.total).put("waiting_nanos", times.waiting)
        .put("computing_nanos", times.computing);
    ArrayNode calls = json.putArray("call_nanos");
    callNanos.forEach(calls::add);
    return json.toString();
  }

  /** Parses a line that {@link #toLine} has written. */
  static ReadResult parse(String line) throws IOException {
    JsonNode json = MAPPER.readTree(line);
    List<Long> calls = new ArrayList<>();
    json.get("call_nanos").forEach(nanos -> calls.add(nanos.asLong()));
    return new ReadResult(json.get("bytes").asLong(), json.get("open_nanos").asLong(), calls,
        json.get("busy_nanos").asLong(), json.get("complaint").asText(),
        new ReadTimes(json.get("total_nanos").asLong(), json.get("waiting_nanos").asLong(),
            json.get("computing_nanos").asLong()));
  }
}
