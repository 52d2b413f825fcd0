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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Small points on a small cluster, whose bytes have to make sense. Wants root, fio and nft. */
@Tag("slow")
@Tag("process")
class TestCharacterizeBench {
  private static final String NAME = "charac";
  /** Headers, retries and heartbeats. */
  private static final double OVERHEAD = 1.3;

  @TempDir
  private Path folder;

  private List<JsonNode> run(String... options) throws Exception {
    Path json = folder.resolve("points.json");
    List<String> words = new ArrayList<>(List.of("--name", NAME, "--nodes", "3", "--request",
        "64k", "--pattern", "seq", "--seconds", "20", "--warm-up", "1", "--first-warm-up", "1",
        "--idle", "1", "--size", "6m", "--object", "6m", "--json", json.toString()));
    words.addAll(List.of(options));
    assertEquals(0, new CommandLine(new CharacterizeBench()).execute(
        words.toArray(String[]::new)));
    List<JsonNode> points = new ArrayList<>();
    new ObjectMapper().readTree(json.toFile()).forEach(row -> {
      if (row.get("what").asText().equals("point")) {
        points.add(row);
      }
    });
    return points;
  }

  private static void assertBetween(double least, double most, JsonNode point, String field) {
    double value = point.get(field).asDouble();
    assertTrue(value >= least && value <= most,
        field + " is not " + least + " to " + most + ": " + point);
  }

  @Test
  void bytesMakeSense() throws Exception {
    List<JsonNode> points = run("--schemes", "replication,stock-replication", "--state",
        "pristine");
    assertEquals(4, points.size());
    // A read of some 60 ms may take less than the 10 ms in which the system counts.
    assertTrue(points.stream().mapToDouble(point -> point.get("cpu_ns_per_byte").asDouble())
        .sum() > 0, points.toString());
    for (JsonNode point : points) {
      assertEquals(6 << 20, point.get("asked_bytes").asLong(), point.toString());
      assertTrue(point.get("cpu_ns_per_byte").asDouble() >= 0, point.toString());
      // Each byte goes to the client or comes from it once.
      assertBetween(1, OVERHEAD, point, "public_per_byte");
      if (point.get("op").asText().equals("read")) {
        assertBetween(0, 0.1, point, "private_per_byte");
      } else if (point.get("scheme").asText().equals("replication")) {
        // Two other logs, and then the sums that a commit sends to two parity nodes.
        assertBetween(2, 2 * OVERHEAD, point, "private_per_byte");
        assertBetween(4, 4 * OVERHEAD, point, "committed_private_per_byte");
      } else {
        assertBetween(2, 2 * OVERHEAD, point, "private_per_byte");
        assertBetween(3, 3 * OVERHEAD, point, "storage_written_per_byte");
      }
    }
    assertFalse(HdfsProcessCluster.names().contains(NAME));
  }
}
