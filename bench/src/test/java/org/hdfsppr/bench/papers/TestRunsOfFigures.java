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
package org.hdfsppr.bench.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.hdfsppr.bench.Bench;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.it.util.ItPaths;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Checks the command lines of the data files, and the fields of results that they ask for. */
class TestRunsOfFigures {
  private static final RunVariables USER =
      new RunVariables(1, Path.of("/a folder"), List.of("wdev_1", "wdev_3"));
  private static final Pattern PUT =
      Pattern.compile("(?:put|putArray|put\\(json,)\\(?\\s*(?:json, )?\"([a-z0-9_]+)\"");
  private static final Pattern FIELD = Pattern.compile("\\{([A-Za-z0-9_.]+)\\}");
  /** The classes that write the results of each benchmark. */
  private static final Map<String, List<String>> WRITERS = Map.ofEntries(
      Map.entry("repair", List.of("RepairBench")),
      Map.entry("degraded", List.of("DegradedRecord", "DegradedConditions")),
      Map.entry("phases", List.of("PhasesRecord")),
      Map.entry("node", List.of("NodeTrials", "NodeDeathBesideUsers")),
      Map.entry("codec", List.of("CodecRecord")),
      Map.entry("costs", List.of("CostsBench")),
      Map.entry("simulate", List.of("simulate/SimulateBench")),
      Map.entry("characterize", List.of("characterize/PointRecord")),
      Map.entry("core", List.of("core/CoreRecord")),
      Map.entry("core-repairs", List.of("CoreTrial")),
      Map.entry("updates",
          List.of("update/UpdatesBench", "update/ClusterUpdates")));

  private static List<PaperRun> all() throws IOException {
    List<PaperRun> all = new ArrayList<>();
    for (Paper paper : PaperFile.readAll()) {
      for (PaperScope scope : PaperScope.values()) {
        Set<String> definitions = new TreeSet<>();
        paper.figures.forEach(figure -> definitions.addAll(figure.runs()));
        definitions.forEach(id -> all.addAll(paper.run(id).runs(scope, USER)));
      }
    }
    return all;
  }

  @Test
  void benchmarksTakeEveryCommandLine() throws IOException {
    List<PaperRun> all = all();
    assertTrue(all.size() > 200, "only " + all.size());
    Set<String> codes = new TreeSet<>();
    for (PaperRun run : all) {
      new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true)
          .parseArgs(run.command.toArray(String[]::new));
      for (int i = 0; i < run.command.size() - 1; i++) {
        if (run.command.get(i).matches("--codes?")) {
          codes.addAll(List.of(run.command.get(i + 1).split(",")));
        }
      }
    }
    for (String code : codes) {
      EcCode.parse(code);
    }
  }

  @Test
  void runsHaveFilesOfTheirOwn() throws IOException {
    Map<String, List<String>> files = new HashMap<>();
    for (PaperRun run : all()) {
      List<String> before = files.put(run.fileName(), run.command);
      assertTrue(before == null || before.equals(run.command), run.fileName());
    }
  }

  @Test
  void aPathOfTheUserStaysOneWord() throws IOException {
    assertTrue(all().stream().anyMatch(run ->
        run.command.contains("/a folder/wdev_3.csv")));
  }

  @Test
  void benchmarksWriteTheFieldsThatFiguresAskFor() throws IOException {
    for (Paper paper : PaperFile.readAll()) {
      for (PaperFigure figure : paper.figures) {
        for (FigurePart part : figure.parts) {
          for (OurSeries series : part.ours) {
            for (String id : series.runs) {
              check(paper.run(id).runs(PaperScope.FULL, USER).get(0), series,
                  paper.id + ":" + figure.id);
            }
          }
        }
      }
    }
  }

  private static void check(PaperRun run, OurSeries series, String figure) throws IOException {
    Set<String> asked = new TreeSet<>(series.where.keySet());
    asked.addAll(series.baseWhere.keySet());
    asked.addAll(series.baseSame);
    asked.add(series.y);
    asked.add(series.baseY);
    Matcher fields = FIELD.matcher(series.label + series.x);
    while (fields.find()) {
      asked.add(fields.group(1));
    }
    Set<String> written = new TreeSet<>();
    for (String name : WRITERS.get(run.command.get(0))) {
      Matcher puts = PUT.matcher(Files.readString(ItPaths.itDir()
          .resolveSibling("bench/src/main/java/org/hdfsppr/bench/" + name + ".java")));
      while (puts.find()) {
        written.add(puts.group(1));
      }
    }
    run.variables.keySet().forEach(name -> written.add("arg." + name));
    asked.removeAll(written);
    assertEquals(Set.of(), asked, figure + " asks for fields that " + run.command.get(0)
        + " does not write");
  }

  /** What a quick run is expected to take, on two cores. */
  @Test
  void aQuickRunTakesFortyMinutes() throws IOException {
    Map<String, Double> seconds = new HashMap<>();
    for (PaperRun run : all()) {
      if (run.scope == PaperScope.QUICK) {
        seconds.put(run.fileName(), run.expectedSeconds);
      }
    }
    double minutes = seconds.values().stream().mapToDouble(Double::doubleValue).sum() / 60;
    assertTrue(minutes <= 40, minutes + " minutes");
  }
}
