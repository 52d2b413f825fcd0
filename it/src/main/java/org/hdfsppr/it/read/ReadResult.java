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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;

/** What came of a {@link ReadRequest}. */
@InterfaceAudience.Private
public final class ReadResult {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final double NANOS_PER_MS = 1e6;

  private final long bytes;
  private final long openNanos;
  private final List<Long> callNanos;
  private final String complaint;

  /**
   * @param bytes that were read
   * @param openNanos to open the stream
   * @param callNanos of each call; at least one
   * @param complaint what was wrong, or empty
   */
  ReadResult(long bytes, long openNanos, List<Long> callNanos, String complaint) {
    this.bytes = bytes;
    this.openNanos = openNanos;
    this.callNanos = List.copyOf(callNanos);
    this.complaint = complaint;
  }

  /** {@return megabytes (10^6) per second spent in calls, that which opens the stream included} */
  public double megabytesPerSecond() {
    long nanos = openNanos + callNanos.stream().mapToLong(Long::longValue).sum();
    return bytes * 1e3 / nanos;
  }

  /**
   * {@return the time within which this share of the calls returned}
   *
   * @param share from 0 to 1, as 0.99
   */
  public double percentileMs(double share) {
    if (callNanos.isEmpty()) {
      return Double.NaN;
    }
    List<Long> sorted = callNanos.stream().sorted().collect(Collectors.toList());
    int rank = (int) Math.ceil(share * sorted.size());
    return sorted.get(Math.max(0, rank - 1)) / NANOS_PER_MS;
  }

  /** {@return whether every byte was right} */
  public boolean ok() {
    return complaint.isEmpty();
  }

  /** {@return what was wrong, or empty} */
  public String complaint() {
    return complaint;
  }

  /** In one line. */
  String toLine() {
    ObjectNode json = MAPPER.createObjectNode().put("bytes", bytes).put("open_nanos", openNanos)
        .put("complaint", complaint);
    ArrayNode calls = json.putArray("call_nanos");
    callNanos.forEach(calls::add);
    return json.toString();
  }

  /** What {@link #toLine} wrote. */
  static ReadResult parse(String line) throws IOException {
    JsonNode json = MAPPER.readTree(line);
    List<Long> calls = new ArrayList<>();
    json.get("call_nanos").forEach(nanos -> calls.add(nanos.asLong()));
    return new ReadResult(json.get("bytes").asLong(), json.get("open_nanos").asLong(), calls,
        json.get("complaint").asText());
  }
}
