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
package org.hdfsppr.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A small run on processes, in which each clock has to show what it measures. Wants root. */
@Tag("slow")
@Tag("process")
class TestPhasesBench {
  private static final int BLOCK_BYTES = 32 << 20;
  private static final double LINK_BYTES_PER_SECOND = 200e6 / 8;
  /** Links let the first bytes after a pause through at once. */
  private static final double BURST = 0.9;
  private static final double ROUNDING = 1e-6;

  @TempDir
  private Path folder;

  private Map<String, JsonNode> run() throws Exception {
    Path json = folder.resolve("phases.json");
    assertEquals(0, new CommandLine(new PhasesBench()).setCaseInsensitiveEnumValuesAllowed(true)
        .execute("--name", "phases", "--nodes", "6", "--rate", "200mbit", "--code", "rs-3-2",
            "--block", "32m", "--compare", "stock,off,chain", "--runs", "1", "--warm-up", "4",
            "--json", json.toString()));
    Map<String, JsonNode> modes = new HashMap<>();
    new ObjectMapper().readTree(json.toFile())
        .forEach(row -> modes.put(row.get("mode").asText(), row));
    return modes;
  }

  @Test
  void eachClockShowsWhatItMeasures() throws Exception {
    Map<String, JsonNode> modes = run();
    assertEquals(3, modes.size());
    for (JsonNode mode : modes.values()) {
      assertTrue(mode.get("ok").asBoolean(), mode.toString());
      double sum = 0;
      for (ReadPhase phase : ReadPhase.values()) {
        sum += mode.get(phase.label + "_seconds").asDouble();
      }
      assertEquals(mode.get("seconds").asDouble(), sum, ROUNDING, mode.toString());
      assertTrue(mode.get("disk_seconds").asDouble() > 0, mode.toString());
      assertTrue(mode.get("disk_of_all_seconds").asDouble()
          > mode.get("disk_seconds").asDouble(), "several nodes read: " + mode);
      assertTrue(mode.get("computation_seconds").asDouble() > 0, mode.toString());
      assertTrue(mode.get("disk_read_bytes").asLong() >= 3 * BLOCK_BYTES,
          "disks are cold: " + mode);
    }
    // A client that decodes takes three units over its link, and one with a tree takes one. It
    // cannot wait for less time than the link takes for them.
    assertWaits(3, modes.get("stock"));
    assertWaits(3, modes.get("off"));
    assertWaits(1, modes.get("chain"));
    assertTrue(modes.get("chain").get("client_computation_seconds").asDouble()
        < modes.get("chain").get("computation_seconds").asDouble(), "helpers compute");
    assertEquals(modes.get("stock").get("client_computation_seconds").asDouble(),
        modes.get("stock").get("computation_seconds").asDouble(), ROUNDING,
        "helpers do not compute for stock");
  }

  private static void assertWaits(int units, JsonNode mode) {
    double least = BURST * units * BLOCK_BYTES / LINK_BYTES_PER_SECOND;
    assertTrue(mode.get("waiting_seconds").asDouble() > least, "not " + least + ": " + mode);
  }
}
