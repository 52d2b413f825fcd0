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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.read.ReadOracle;

/**
 * A request to a {@link ReadWorker} to read a file that a {@link ReadOracle} wrote. The worker
 * reads either the whole file in one stream, or ranges with positional reads in one or several
 * streams.
 */
@InterfaceAudience.Private
public final class ReadRequest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** A range of a file that one positional read reads. */
  public static final class Range {
    public final long offset;
    public final int length;

    /**
     * Creates a range.
     *
     * @param offset the first byte's offset in the file
     * @param length the number of bytes
     */
    public Range(long offset, int length) {
      this.offset = offset;
      this.length = length;
    }
  }

  final String file;
  private final long seed;
  final List<Range> ranges;
  final int readers;

  /**
   * @param file the file's path
   * @param seed the seed of the file's {@link ReadOracle}
   * @param ranges ranges within the file; an empty list means the whole file
   */
  public ReadRequest(String file, long seed, List<Range> ranges) {
    this(file, seed, ranges, 1);
  }

  private ReadRequest(String file, long seed, List<Range> ranges, int readers) {
    if (readers < 1) {
      throw new IllegalArgumentException("readers are " + readers + ", at least 1 is needed");
    }
    this.file = file;
    this.seed = seed;
    this.ranges = List.copyOf(ranges);
    this.readers = readers;
  }

  /**
   * Creates a copy of this request in which several streams of the client share the ranges and read
   * at the same time.
   *
   * @param streams the number of streams, at least 1; a request for the whole file always uses one
   *     stream
   * @return the request with that number of readers
   */
  public ReadRequest withReaders(int streams) {
    return new ReadRequest(file, seed, ranges, streams);
  }

  ReadOracle oracle() {
    return new ReadOracle(seed);
  }

  /** Writes the request as one line of text. */
  String toLine() {
    ObjectNode json = MAPPER.createObjectNode().put("file", file).put("seed", seed)
        .put("readers", readers);
    ArrayNode all = json.putArray("ranges");
    ranges.forEach(range -> all.addArray().add(range.offset).add(range.length));
    return json.toString();
  }

  /** Parses a line that {@link #toLine} has written. */
  static ReadRequest parse(String line) throws IOException {
    JsonNode json = MAPPER.readTree(line);
    List<Range> ranges = new ArrayList<>();
    for (JsonNode range : json.get("ranges")) {
      ranges.add(new Range(range.get(0).asLong(), range.get(1).asInt()));
    }
    return new ReadRequest(json.get("file").asText(), json.get("seed").asLong(), ranges,
        json.get("readers").asInt());
  }
}
