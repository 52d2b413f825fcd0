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
package org.hdfsppr.bench.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import javax.imageio.ImageIO;
import org.hdfsppr.it.util.CliErrors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests the files that {@code bench.sh core} writes. */
class TestCoreBench {
  @TempDir
  private Path folder;

  private final StringWriter said = new StringWriter();

  private int run(String... arguments) {
    PrintWriter writer = new PrintWriter(said);
    return new CommandLine(new CoreBench()).setOut(writer).setErr(writer)
        .setExecutionExceptionHandler(CliErrors::report).execute(arguments);
  }

  @Test
  void analysisWritesAllResults() throws IOException {
    Path json = folder.resolve("core.json");
    Path png = folder.resolve("core.png");
    assertEquals(0, run("--analysis", "--patterns", "20000", "--cost-patterns", "500", "--json",
        json.toString(), "--png", png.toString()), said::toString);
    Map<String, Map<Integer, JsonNode>> results = new HashMap<>();
    for (JsonNode row : new ObjectMapper().readTree(json.toFile())) {
      TreeSet<String> fields = new TreeSet<>();
      row.fieldNames().forEachRemaining(fields::add);
      assertEquals(new TreeSet<>(List.of("bench", "what", "code", "failures", "value", "paper")),
          fields);
      assertEquals("core", row.get("bench").textValue());
      assertEquals("core-t5-12-2", row.get("code").textValue());
      JsonNode before = results.computeIfAbsent(row.get("what").textValue(),
          none -> new HashMap<>()).put(row.get("failures").intValue(), row);
      assertEquals(null, before);
    }
    assertEquals(new TreeSet<>(List.of("clusters", "clusters_full", "cost_column_first", "cost_rgs",
        "cost_row_first", "lower_bound", "plus_column_first", "plus_rgs", "plus_row_first",
        "recoverability", "recoverability_full", "step_column_first", "step_rgs", "step_row_first",
        "upper_bound", "upper_bound_full")), new TreeSet<>(results.keySet()));
    assertEquals(15, results.get("recoverability").size());
    assertEquals(19, results.get("recoverability_full").size());
    assertEquals(20, results.get("clusters").size());
    assertEquals(20, results.get("cost_rgs").size());
    assertEquals(51.237, results.get("recoverability").get(17).get("paper").doubleValue());
    assertEquals(51.237, results.get("recoverability").get(17).get("value").doubleValue(), 1.5);
    assertTrue(results.get("clusters").get(6).get("paper").isNull());
    for (Map.Entry<String, Integer> blocks : Map.of("step_row_first", 24, "step_column_first", 22,
        "step_rgs", 17, "plus_row_first", 41, "plus_column_first", 39, "plus_rgs", 34).entrySet()) {
      JsonNode row =
          results.get(blocks.getKey()).get(blocks.getKey().startsWith("step") ? 3 : 5);
      assertEquals(blocks.getValue(), row.get("value").intValue(), blocks.getKey());
      assertEquals(blocks.getValue(), row.get("paper").intValue(), blocks.getKey());
    }
    assertTrue(said.toString().contains("holds   RGS reads no more"), said::toString);
    assertTrue(said.toString().contains("holds   bounds, step and plus"), said::toString);
    assertEquals(1600, ImageIO.read(png.toFile()).getWidth());
  }

  @Test
  void seedChangesResults() throws IOException {
    String[] texts = new String[3];
    for (int i = 0; i < texts.length; i++) {
      Path json = folder.resolve(i + ".json");
      assertEquals(0, run("--analysis", "--patterns", "500", "--cost-patterns", "20", "--seed",
          i == 2 ? "7" : "6", "--json", json.toString()), said::toString);
      texts[i] = Files.readString(json);
    }
    assertEquals(texts[0], texts[1]);
    assertNotEquals(texts[0], texts[2]);
  }

  @Test
  void piecesGiveTheSameResults() throws IOException {
    Map<String, JsonNode> results = new HashMap<>();
    for (String failures : List.of("1-24", "6-7", "20-24")) {
      Path json = folder.resolve(failures + ".json");
      assertEquals(0, run("--analysis", "--patterns", "500", "--cost-patterns", "20", "--failures",
          failures, "--json", json.toString()), said::toString);
      for (JsonNode row : new ObjectMapper().readTree(json.toFile())) {
        String key = row.get("what").textValue() + row.get("failures");
        assertTrue(failures.equals("1-24") || row.equals(results.get(key)), key);
        results.put(key, row);
      }
    }
    for (String wrong : List.of("0-3", "7-6", "7", "-7", "a-b", "1-99999")) {
      assertEquals(1, run("--analysis", "--failures=" + wrong), wrong);
    }
  }

  @Test
  void formationSaysFilesPerSecond() throws IOException {
    Path json = folder.resolve("core.json");
    assertEquals(0, run("--formation", "--files", "20000", "--json", json.toString()),
        said::toString);
    JsonNode rows = new ObjectMapper().readTree(json.toFile());
    assertEquals("formation_files_per_s", rows.get(0).get("what").textValue());
    assertTrue(rows.get(0).get("value").doubleValue() > 0);
  }

  @Test
  void oneModeHasToBeChosen() {
    assertEquals(2, run());
    assertEquals(2, run("--analysis", "--formation"));
    assertEquals(1, run("--analysis", "--patterns", "0"));
    assertEquals(1, run("--analysis", "--code", "rs-6-3"));
  }
}
