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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What a {@link ReadWorker} is to read of a file that a {@link ReadOracle} wrote: the whole file
 * in one stream, or ranges by positional reads, one after the other.
 */
@InterfaceAudience.Private
public final class ReadRequest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** One positional read. */
  @InterfaceAudience.Private
  public static final class Range {
    private final long offset;
    private final int length;

    /**
     * A range of a file.
     *
     * @param offset where it begins
     * @param length bytes
     */
    public Range(long offset, int length) {
      this.offset = offset;
      this.length = length;
    }

    /** {@return where it begins, in bytes} */
    public long offset() {
      return offset;
    }

    /** {@return bytes} */
    public int length() {
      return length;
    }
  }

  private final String file;
  private final long seed;
  private final List<Range> ranges;

  /**
   * @param file its path
   * @param seed of its oracle
   * @param ranges all within the file; none for the whole file from its start
   */
  public ReadRequest(String file, long seed, List<Range> ranges) {
    this.file = file;
    this.seed = seed;
    this.ranges = List.copyOf(ranges);
  }

  String file() {
    return file;
  }

  ReadOracle oracle() {
    return new ReadOracle(seed);
  }

  List<Range> ranges() {
    return ranges;
  }

  /** In one line. */
  String toLine() {
    ObjectNode json = MAPPER.createObjectNode().put("file", file).put("seed", seed);
    ArrayNode all = json.putArray("ranges");
    ranges.forEach(range -> all.addArray().add(range.offset).add(range.length));
    return json.toString();
  }

  /** What {@link #toLine} wrote. */
  static ReadRequest parse(String line) throws IOException {
    JsonNode json = MAPPER.readTree(line);
    List<Range> ranges = new ArrayList<>();
    for (JsonNode range : json.get("ranges")) {
      ranges.add(new Range(range.get(0).asLong(), range.get(1).asInt()));
    }
    return new ReadRequest(json.get("file").asText(), json.get("seed").asLong(), ranges);
  }
}
