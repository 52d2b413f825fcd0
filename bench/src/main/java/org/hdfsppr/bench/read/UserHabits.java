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

/**
 * What a {@link UserWorker} reads: random ranges of random files, at a rate. File i of the files
 * was written by a {@link org.hdfsppr.it.read.ReadOracle} with the seed i.
 */
@InterfaceAudience.Private
public final class UserHabits {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  final List<String> files;
  final long fileBytes;
  public final List<Integer> readBytes;
  final double readsPerSecond;
  final long seed;

  /**
   * @param files the paths of the files
   * @param fileBytes the length of each file, bytes
   * @param readBytes the lengths of reads, bytes; a worker has a thread for each of them
   * @param readsPerSecond how many reads of each length a worker begins in a second, if none takes
   *     longer than the time until the next
   * @param seed the seed of the ranges and of the times between reads
   */
  public UserHabits(List<String> files, long fileBytes, List<Integer> readBytes,
      double readsPerSecond, long seed) {
    this.files = List.copyOf(files);
    this.fileBytes = fileBytes;
    this.readBytes = List.copyOf(readBytes);
    this.readsPerSecond = readsPerSecond;
    this.seed = seed;
  }

  /**
   * Creates a copy with another seed.
   *
   * @param another the copy's seed
   * @return the copy
   */
  public UserHabits withSeed(long another) {
    return new UserHabits(files, fileBytes, readBytes, readsPerSecond, another);
  }

  /** Writes these habits as one line of text. */
  String toLine() {
    ObjectNode json = MAPPER.createObjectNode().put("file_bytes", fileBytes)
        .put("reads_per_second", readsPerSecond).put("seed", seed);
    ArrayNode names = json.putArray("files");
    files.forEach(names::add);
    ArrayNode lengths = json.putArray("read_bytes");
    readBytes.forEach(lengths::add);
    return json.toString();
  }

  /** Parses a line that {@link #toLine} has written. */
  static UserHabits parse(String line) throws IOException {
    JsonNode json = MAPPER.readTree(line);
    List<String> files = new ArrayList<>();
    json.get("files").forEach(name -> files.add(name.asText()));
    List<Integer> readBytes = new ArrayList<>();
    json.get("read_bytes").forEach(length -> readBytes.add(length.asInt()));
    return new UserHabits(files, json.get("file_bytes").asLong(), readBytes,
        json.get("reads_per_second").asDouble(), json.get("seed").asLong());
  }
}
