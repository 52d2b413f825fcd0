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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.imageio.ImageIO;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.hdfsppr.it.util.CliErrors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests {@code bench.sh updates}. */
class TestUpdatesBench {
  /** How many writes each chunk of 1 MiB gets in two traces of MSR Cambridge. */
  private static final Map<String, Map<Integer, Integer>> WRITES_OF_CHUNKS = Map.of(
      "wdev_3", Map.of(10, 1, 2633, 2, 3008, 399, 3010, 100, 3072, 126, 34730, 43),
      "wdev_1", Map.of(2551, 17, 3008, 527, 3018, 77, 3019, 77, 3072, 307, 52089, 45, 2552, 4));
  /** A write of wdev_1 that ends in the next chunk. It is one of each of the two chunks. */
  private static final String ACROSS = "1,wdev,1,Write,2675949568,61440,1";

  @TempDir
  private Path folder;

  private StringWriter said;

  private int run(String... arguments) {
    said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    return new CommandLine(new UpdatesBench()).setOut(writer).setErr(writer)
        .setExecutionExceptionHandler(CliErrors::report).execute(arguments);
  }

  private Path resource(String directory, String name) throws IOException {
    Path file = folder.resolve(name);
    try (InputStream in = getClass().getResourceAsStream("/" + directory + "/" + name)) {
      Files.write(file, in.readAllBytes());
    }
    return file;
  }

  /** Makes a trace with the chunks of a trace of MSR Cambridge. The counts need no more of it. */
  private Path trace(String name) throws IOException {
    List<String> lines = new ArrayList<>();
    new TreeMap<>(WRITES_OF_CHUNKS.get(name)).forEach((chunk, writes) -> {
      for (int i = 0; i < writes; i++) {
        lines.add("1,wdev,1,Write," + ((long) chunk << 20) + ",4096,1");
      }
      lines.add("1,wdev,1,Read," + ((long) chunk << 20) + ",4096,1");
    });
    if (name.equals("wdev_1")) {
      lines.add(ACROSS);
    }
    return Files.write(folder.resolve(name + ".csv"), lines);
  }

  private Map<String, JsonNode> simulate(String... arguments) throws IOException {
    Path json = folder.resolve("updates.json");
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--simulate", "--json", json.toString()));
    assertEquals(0, run(all.toArray(new String[0])), said::toString);
    Map<String, JsonNode> rows = new HashMap<>();
    for (JsonNode row : new ObjectMapper().readTree(json.toFile())) {
      rows.put(row.get("strategy").textValue(), row);
    }
    return rows;
  }

  /** The counts of the program of CAU's authors, each and every number. */
  @Test
  void countsAreTheReferences() throws IOException {
    JsonNode reference =
        new ObjectMapper().readTree(resource("msr-cambridge", "reference.json").toFile());
    int compared = 0;
    for (String layout : List.of("rs_9_6_racks_3", "rs_16_12_racks_4")) {
      String places = resource("msr-cambridge",
          reference.get(layout).get("placement").textValue()).toString();
      boolean isSmall = layout.equals("rs_9_6_racks_3");
      for (String name : WRITES_OF_CHUNKS.keySet()) {
        for (String rule : List.of("paper", "eager")) {
          JsonNode expected = reference.get(layout).get(name);
          Map<String, JsonNode> rows = simulate("--trace", trace(name).toString(), "--code",
              isSmall ? "rs-6-3" : "rs-12-4", "--racks", isSmall ? "3" : "4", "--placement", places,
              "--grouping", rule);
          JsonNode cau = rows.get("cau");
          String what = layout + " " + name + " " + rule;
          assertEquals(expected.get("writes"), cau.get("writes"), what);
          assertEquals(expected.get("baseline"), rows.get("baseline").get("chunk_transfers"), what);
          assertEquals(expected.get("parix"), rows.get("parix").get("chunk_transfers"), what);
          assertEquals(expected.get("cau"), cau.get("chunk_transfers"), what);
          assertEquals(expected.get("cau_replica"), cau.get("replica_chunks"), what);
          assertEquals(expected.get("cau_parity"), cau.get("parity_chunks"), what);
          assertEquals(expected.get("cau_grouping"), cau.get("grouping_chunks"), what);
          // The end of the trace counts like a write.
          assertEquals(cau.get("chunk_writes").intValue() + 1,
              cau.get("replica_chunks").intValue());
          assertEquals(1, cau.get("end_marker_chunks").intValue());
          assertEquals(name, cau.get("trace").textValue());
          compared++;
        }
      }
    }
    assertEquals(8, compared);
  }

  /** On this trace the rules of data grouping differ. README.md beside it says what counted. */
  @Test
  void allRulesOfGroupingCountAsTheReferences() throws IOException {
    JsonNode reference =
        new ObjectMapper().readTree(resource("grouping", "reference.json").toFile());
    String madeUp = resource("grouping", "made_up.csv").toString();
    Map<String, List<String>> rules = Map.of("none", List.of("--no-grouping"),
        "paper", List.of(), "eager", List.of("--grouping", "eager"),
        "eager, all writes", List.of("--grouping", "eager", "--no-lost-writes"));
    Map<String, JsonNode> bytes = new HashMap<>();
    for (String layout : List.of("rs_9_6_racks_3", "rs_16_12_racks_4")) {
      JsonNode expected = reference.get(layout);
      String places = resource("grouping", "placement_" + layout + ".csv").toString();
      for (Map.Entry<String, List<String>> rule : rules.entrySet()) {
        List<String> arguments = new ArrayList<>(List.of("--trace", madeUp, "--code",
            expected.get("code").textValue(), "--racks", expected.get("racks").textValue(),
            "--placement", places, "--strategy", "baseline,parix,cau"));
        arguments.addAll(rule.getValue());
        Map<String, JsonNode> rows = simulate(arguments.toArray(new String[0]));
        String what = layout + " " + rule.getKey();
        JsonNode counts = expected.get(rule.getKey());
        JsonNode cau = rows.get("cau");
        assertEquals(expected.get("baseline"), rows.get("baseline").get("chunk_transfers"), what);
        assertEquals(expected.get("parix"), rows.get("parix").get("chunk_transfers"), what);
        assertEquals(counts.get("replica"), cau.get("replica_chunks"), what);
        assertEquals(counts.get("parity"), cau.get("parity_chunks"), what);
        assertEquals(counts.get("grouping"), cau.get("grouping_chunks"), what);
        assertEquals(counts.get("cau"), cau.get("chunk_transfers"), what);
        assertEquals(rule.getKey().split(",")[0], cau.get("grouping").textValue());
        assertEquals(0, rows.get("baseline").get("lost_writes").intValue(), what);
        assertEquals(rule.getKey().equals("eager") ? cau.get("commits").intValue() - 1 : 0,
            cau.get("lost_writes").intValue(), "each commit but the last loses one: " + what);
        bytes.put(what, cau.get("cross_rack_bytes"));
      }
      assertEquals(bytes.get(layout + " eager"), bytes.get(layout + " eager, all writes"),
          "no bytes are lost");
    }
  }

  @Test
  void allFieldsAreThere() throws IOException {
    Map<String, JsonNode> rows = simulate("--trace", trace("wdev_1").toString());
    assertEquals(new TreeSet<>(List.of("baseline", "parix", "cau", "cau-0", "cau-1", "cau-2",
        "collect", "delta-log")), new TreeSet<>(rows.keySet()));
    TreeSet<String> fields = new TreeSet<>();
    rows.get("cau").fieldNames().forEachRemaining(fields::add);
    assertEquals(new TreeSet<>(List.of("bench", "trace", "code", "racks", "strategy", "writes",
        "chunk_writes", "chunk_transfers", "replica_chunks", "end_marker_chunks", "parity_chunks",
        "grouping", "grouping_chunks", "lost_writes", "chunk_transfer_bytes", "cross_rack_bytes",
        "commits", "replicas", "chunk_bytes", "stripes_per_commit", "update_locality",
        "locality_writes")), fields);
    assertEquals(rows.get("cau").get("chunk_transfers").longValue() << 20,
        rows.get("cau").get("chunk_transfer_bytes").longValue());
    assertEquals(1000, rows.get("cau").get("locality_writes").intValue());
    assertEquals("updates", rows.get("cau").get("bench").textValue());
    assertEquals("rs-6-3", rows.get("cau").get("code").textValue());
    assertEquals(3, rows.get("cau").get("racks").intValue());
    assertEquals(1, rows.get("cau").get("commits").intValue());
    // Bytes of the replicas; the commits add little.
    long replicas = 1054 * 4096 + 61440;
    long bytes = rows.get("cau").get("cross_rack_bytes").longValue();
    assertTrue(bytes > replicas && bytes < replicas + 4 * (7 * 4096 + 61440), "" + bytes);
    assertEquals(bytes, rows.get("cau-1").get("cross_rack_bytes").longValue());
  }

  @Test
  void optionsChangeWhatTheySay() throws IOException {
    String trace = trace("wdev_1").toString();
    JsonNode cau = simulate("--trace", trace).get("cau");
    JsonNode noMarker = simulate("--trace", trace, "--no-end-marker").get("cau");
    assertEquals(1057, cau.get("replica_chunks").intValue());
    assertEquals(1056, noMarker.get("replica_chunks").intValue());
    assertEquals("paper", cau.get("grouping").textValue());
    assertEquals("none", simulate("--trace", trace, "--no-grouping").get("cau").get("grouping")
        .textValue());
    assertEquals("none", simulate("--trace", trace, "--grouping", "none", "--no-grouping")
        .get("cau").get("grouping").textValue());
    JsonNode two = simulate("--trace", trace, "--replicas", "2", "--strategy", "cau").get("cau");
    assertEquals(2114, two.get("replica_chunks").intValue());
    JsonNode often = simulate("--trace", trace, "--stripes-per-commit", "2").get("cau");
    assertEquals(3, often.get("commits").intValue(), "stripes 425, 501, 503, 512, 8681; 425 again");
    JsonNode small = simulate("--trace", trace, "--chunk", "4k").get("cau");
    assertEquals(4096, small.get("chunk_bytes").intValue());
    assertEquals(1054 + 15 + 1, small.get("replica_chunks").intValue());
    assertEquals(Map.of("data-delta", 1, "parity-delta", 1).keySet(), simulate("--trace", trace,
        "--strategy", "data-delta,parity-delta").keySet());
    assertEquals(new TreeSet<>(List.of("baseline", "parix", "cau", "cau-0", "cau-1", "collect",
        "delta-log")), new TreeSet<>(simulate("--trace", trace, "--racks", "2").keySet()));
    assertTrue(said.toString().contains("cau-2 is left out: it needs more than 2 racks"));
    assertEquals(new TreeSet<>(List.of("baseline", "parix", "cau", "cau-0", "cau-1", "cau-2",
        "collect")), new TreeSet<>(simulate("--trace", trace, "--replicas", "0").keySet()));
  }

  private void assertWrong(String words, String... arguments) {
    assertEquals(1, run(arguments), words);
    assertTrue(said.toString().contains(words), said::toString);
  }

  @Test
  void wrongOptionsAreNamed() throws IOException {
    String trace = trace("wdev_3").toString();
    assertWrong("--simulate needs --trace FILE", "--simulate");
    assertWrong("--trace is none.csv, which is no file", "--simulate", "--trace", "none.csv");
    assertWrong("--placement is .", "--simulate", "--trace", trace, "--placement", ".");
    assertWrong("--png goes with --reliability", "--simulate", "--trace", trace, "--png", "x.png");
    assertWrong("--chunk is 0", "--simulate", "--trace", trace, "--chunk", "0");
    assertWrong("--stripes-per-commit is 0", "--simulate", "--trace", trace,
        "--stripes-per-commit", "0");
    assertWrong("--racks is 1", "--simulate", "--trace", trace, "--racks", "1");
    assertWrong("--nodes is 8", "--simulate", "--trace", trace, "--nodes", "8");
    assertWrong("There is no strategy 'x'", "--simulate", "--trace", trace, "--strategy", "x");
    assertWrong("'cau' has 3 interim replicas", "--simulate", "--trace", trace, "--replicas", "3");
    assertWrong("replicas is -1", "--simulate", "--trace", trace, "--replicas", "-1");
    assertWrong("'rs-9-6' is not a code here", "--simulate", "--trace", trace, "--code", "rs-9-6");
    assertWrong("--grouping is 'best', and has to be paper, eager or none", "--simulate", "--trace",
        trace, "--grouping", "best");
    assertWrong("--no-grouping is --grouping none, and --grouping is 'eager'", "--simulate",
        "--trace", trace, "--grouping", "eager", "--no-grouping");
    assertWrong("--racks needs --code", "--reliability", "--racks", "3");
    assertWrong("--racks is 2", "--reliability", "--code", "rs-6-3", "--racks", "2");
    Files.writeString(folder.resolve("wrong.csv"), "1,wdev,1,Write,0,4096\n");
    assertWrong("line 1: ", "--simulate", "--trace", folder.resolve("wrong.csv").toString());
    assertEquals(2, run("--simulate", "--reliability"));
  }

  /** What a cluster cannot do is refused before there is one. */
  @Test
  void wrongOptionsOfClustersAreNamed() throws IOException {
    String trace = trace("wdev_3").toString();
    assertWrong("One of --trace FILE, --workload SEED");
    assertWrong("One of --trace FILE, --workload SEED", "--trace", trace, "--workload", "1");
    assertWrong("--cross-rack-rate is missing", "--trace", trace);
    assertWrong("--strategy and --placement go with --simulate", "--trace", trace, "--strategy",
        "cau");
    assertWrong("Commits know no strategy 'cau-2'", "--workload", "1", "--cross-rack-rate", "5mbit",
        "--compare", "delta-log,cau-2");
    assertWrong("'delta-log' has 0 interim replicas", "--workload", "1", "--cross-rack-rate",
        "5mbit", "--compare", "cau,delta-log", "--replicas", "0");
    assertWrong("whole number of cells", "--workload", "1", "--cross-rack-rate", "5mbit",
        "--chunk", "4k");
  }

  @Test
  void reliabilityIsWrittenAndDrawn() throws IOException {
    Path json = folder.resolve("losses.json");
    Path png = folder.resolve("losses.png");
    assertEquals(0, run("--reliability", "--json", json.toString(), "--png", png.toString()),
        said::toString);
    Map<String, JsonNode> rows = new HashMap<>();
    for (JsonNode row : new ObjectMapper().readTree(json.toFile())) {
      assertEquals("updates-reliability", row.get("bench").textValue());
      rows.put(row.get("code").textValue() + " " + row.get("scheme").textValue() + " "
          + row.get("hours"), row);
    }
    assertEquals(2 * 3 * 19, rows.size());
    JsonNode paper = rows.get("rs-6-3 cau-1 18");
    assertEquals(9.83e-7, paper.get("paper").doubleValue());
    assertEquals(9.83e-7, paper.get("loss_probability").doubleValue(), 0.005e-7);
    assertEquals(2.24e-7, rows.get("rs-6-3 ec 18").get("paper").doubleValue());
    assertTrue(rows.get("rs-12-4 ec 18").get("paper").isNull());
    assertEquals(4, rows.get("rs-12-4 ec 18").get("racks").intValue());
    assertEquals(0, rows.get("rs-12-4 cau-0 0").get("loss_probability").doubleValue());
    assertEquals(1600, ImageIO.read(png.toFile()).getWidth());
    assertEquals(0, run("--reliability", "--code", "rs-10-4", "--racks", "2", "--png",
        png.toString()), said::toString);
    assertEquals(800, ImageIO.read(png.toFile()).getWidth());
  }
}
