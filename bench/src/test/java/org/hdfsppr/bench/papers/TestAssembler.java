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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

/** Tests that values of papers and of runs are put in their places. */
class TestAssembler {
  private static final RunVariables USER = new RunVariables(1, null, List.of());
  private static final String MEASURED = String.join("\n",
      "{\"id\": \"p\", \"title\": \"P\", \"cited\": \"A: P\",",
      " \"runs\": [{\"id\": \"r\", \"command\": \"b --n {n}\",",
      "   \"quick\": {\"n\": [\"1\", \"2\"]}, \"full\": {\"n\": \"3\"},",
      "   \"seconds\": {\"quick\": 1, \"full\": 2}}],",
      " \"figures\": [{\"id\": \"1\", \"title\": \"F\", \"measured\": \"m\", \"source\": \"s\",",
      "   \"why\": \"Ours is another machine.\", \"parts\": [PART]}]}");

  private final Map<String, String> rows = new LinkedHashMap<>();
  private final Map<String, String> versions = new LinkedHashMap<>();

  private static StoredRun run(PaperRun run, String version, String rows) {
    try {
      JsonNode json = new ObjectMapper().readTree(rows.replace('\'', '"'));
      return StoredRun.of(run, new MachineFacts(Map.of("version", version)), "now", 2, json);
    } catch (IOException e) {
      throw new IllegalArgumentException(rows, e);
    }
  }

  private FigureSection section(String part) {
    return section(part, PaperScope.QUICK);
  }

  private FigureSection section(String part, PaperScope scope) {
    return page(part, scope).sections.get(0);
  }

  private PaperPage page(String part, PaperScope scope) {
    String head = "{'title': 't', 'unit': 's', 'x': 'n', 'y': 'time', ";
    Paper paper = PaperFile.parse("p.json",
        MEASURED.replace("PART", (head + part + "}").replace('\'', '"')));
    return new Assembler(scope, USER, run -> Optional.ofNullable(
        rows.get(run.variables.get("n"))).map(text -> run(run,
            versions.getOrDefault(run.variables.get("n"), "1"), text)))
        .page(List.of(paper));
  }

  /** Returns series, point, the paper's value and ours of each row. */
  private static List<String> values(FigureSection section) {
    return section.parts.get(0).rows.stream().map(row -> row.series + "|" + row.x + "|"
        + row.paper().map(Numbers::text).orElse("-") + "|"
        + row.ours().map(Numbers::text).orElse("-")).collect(Collectors.toList());
  }

  @Test
  void oursStandBesideThePapersAtTheSamePoint() {
    rows.put("1", "[{'m': 'a', 'v': 3}, {'m': 'a', 'v': 1}, {'m': 'a', 'v': 2},"
        + "{'m': 'b', 'v': 9}]");
    rows.put("2", "[{'m': 'a', 'v': 5}, {'m': 'c', 'v': 100}]");
    FigureSection section = section("'values': ["
        + "{'series': 'a', 'x': '1', 'value': 1.5, 'source': 's'},"
        + "{'series': 'b', 'value': 31, 'to': 47, 'source': 's'},"
        + "{'series': 'z', 'x': '9', 'value': 7, 'source': 's'}],"
        + "'ours': [{'runs': 'r', 'where': {'m': ['a', 'b']}, 'label': '{m}', 'x': '{arg.n}',"
        + " 'y': 'v'}]");
    assertEquals(List.of("b||31 to 47|-", "z|9|7|-", "a|1|1.5|2 (1 to 3, 3 values)", "a|2|-|5",
        "b|1|-|9"), values(section));
    assertEquals(FigureSection.State.MEASURED, section.state);
    assertEquals(2, section.runs.size());
  }

  @Test
  void aComparisonTakesTheMedianOfTheSameRun() {
    rows.put("1", "[{'m': 'stock', 'v': 10}, {'m': 'stock', 'v': 20}, {'m': 'stock', 'v': 90},"
        + "{'m': 'ours', 'v': 5}, {'m': 'ours', 'v': 10}]");
    rows.put("2", "[{'m': 'stock', 'v': 100}, {'m': 'ours', 'v': 5}]");
    String series = "'says': 'nothing', 'ours': [{'runs': 'r', 'where': {'m': 'ours'},"
        + "'label': 'a', 'x': '{arg.n}', 'y': 'v', 'as': 'AS',"
        + "'over': {'where': {'m': 'stock'}, 'same': 'arg.n'}}]";
    assertEquals(List.of("a|1|-|62.5 (50 to 75, 2 values)", "a|2|-|95"),
        values(section(series.replace("AS", "percent-less"))));
    assertEquals(List.of("a|1|-|0.375 (0.25 to 0.5, 2 values)", "a|2|-|0.05"),
        values(section(series.replace("AS", "times"))));
    assertEquals(List.of("a|1|-|-62.5 (-75 to -50, 2 values)", "a|2|-|-95"),
        values(section(series.replace("AS", "percent-more"))));
    assertEquals(List.of("a|1|-|37.5 (25 to 50, 2 values)", "a|2|-|5"),
        values(section(series.replace("AS", "percent-of"))));
  }

  @Test
  void aFieldMayBeComparedWithAnotherOfItsRow() {
    rows.put("1", "[{'all': 8, 'part': 2}]");
    rows.put("2", "[{'all': 5, 'part': 5}]");
    assertEquals(List.of("a|1|-|25", "a|2|-|100"), values(section(
        "'says': 'nothing', 'ours': [{'runs': 'r', 'label': 'a', 'x': '{arg.n}', 'y': 'part',"
            + "'as': 'percent-of', 'over': {'y': 'all'}}]")));
  }

  @Test
  void anArrayHasTheValuesOfSeveralRuns() {
    rows.put("1", "[{'v': [4, 6, 8]}]");
    rows.put("2", "[{'v': [2000000]}]");
    assertEquals(List.of("a|1|-|0.6 (0.4 to 0.8, 3 values)", "a|2|-|200000"), values(section(
        "'says': 'nothing', 'ours': [{'runs': 'r', 'label': 'a', 'x': '{arg.n}', 'y': 'v',"
            + "'scale': 0.1}]")));
  }

  @Test
  void whatWasNotMeasuredLeavesAGap() {
    rows.put("1", "[{'v': null}]");
    rows.put("2", "[{'v': 3}]");
    FigureSection section = section("'says': 'nothing', 'ours': [{'runs': 'r',"
        + "'label': 'a', 'x': '{arg.n}', 'y': 'v'}]");
    assertEquals(List.of("a|2|-|3"), values(section));
    assertEquals(FigureSection.State.IN_PART, section.state);
    assertEquals("values for 'a' in 't': 1 rows have none", section.lacks().get());
  }

  /** Of two time series, one may be longer. */
  @Test
  void aRowWithoutCounterpartMayBeNoGap() {
    rows.put("1", "[{'m': 'old', 's': 1, 'v': 4}, {'m': 'new', 's': 1, 'v': 2},"
        + "{'m': 'new', 's': 2, 'v': 2}]");
    rows.put("2", "[]");
    String part = "'says': 'nothing', 'ours': [{'runs': 'r', 'where': {'m': 'new'}, 'label': 'a',"
        + "'x': 'all', 'y': 'v', 'as': 'times', 'over': {'where': {'m': 'old'}, 'same': 's'MORE}}]";
    FigureSection section = section(part.replace("MORE", ", 'unpaired': true"));
    assertEquals(List.of("a|all|-|0.5"), values(section));
    assertEquals(FigureSection.State.MEASURED, section.state);
    assertEquals("values for 'a' in 't': 1 rows have none",
        section(part.replace("MORE", "")).lacks().get());
    rows.put("1", "[{'m': 'old', 's': 1, 'v': 4}, {'m': 'new', 's': 2, 'v': 2}]");
    assertEquals("values for 'a' in 't': 1 rows have none",
        section(part.replace("MORE", ", 'unpaired': true")).lacks().get());
  }

  /** A quick run leaves modes out. A full one does not, so that something is wrong. */
  @Test
  void aSeriesWithoutRowsIsNamedOnAFullPage() {
    rows.put("1", "[{'m': 'a', 'v': 3}]");
    rows.put("2", "[{'m': 'a', 'v': 3}]");
    rows.put("3", "[{'m': 'a', 'v': 3}]");
    String part = "'says': 'nothing', 'ours': ["
        + "{'runs': 'r', 'where': {'m': 'a'}, 'label': 'a', 'x': '{arg.n}', 'y': 'v'},"
        + "{'runs': 'r', 'where': {'m': 'b'}, 'label': 'b', 'x': '{arg.n}', 'y': 'v'}]";
    assertEquals(FigureSection.State.MEASURED, section(part).state);
    // The same holds for what a series is compared with.
    String over = part.replace("'y': 'v'}]", "'y': 'v', 'as': 'times',"
        + "'over': {'where': {'m': 'b'}}}]").replaceFirst("'m': 'b'}, 'label'",
            "'m': 'a'}, 'label'");
    assertEquals(FigureSection.State.MEASURED, section(over).state);
    assertEquals("rows for 'b' in 't'", section(over, PaperScope.FULL).lacks().get());
    FigureSection full = section(part, PaperScope.FULL);
    assertEquals(FigureSection.State.IN_PART, full.state);
    assertEquals("rows for 'b' in 't'", full.lacks().get());
  }

  @Test
  void runsOfTwoVersionsMakeNoMeasuredFigure() {
    rows.put("1", "[{'v': 3}]");
    rows.put("2", "[{'v': 3}]");
    versions.put("2", "2");
    FigureSection section = section("'says': 'nothing', 'ours': [{'runs': 'r',"
        + "'label': 'a', 'x': '{arg.n}', 'y': 'v'}]");
    assertEquals(FigureSection.State.IN_PART, section.state);
    assertTrue(section.lacks().get().contains("version: 1 or 2"), section.lacks().get());
  }

  @Test
  void aRunThatIsNotThereYetIsNamed() {
    rows.put("2", "[{'v': 3}]");
    FigureSection section = section("'says': 'nothing', 'ours': [{'runs': 'r',"
        + "'label': 'a', 'x': '{arg.n}', 'y': 'v'}]");
    assertEquals(FigureSection.State.IN_PART, section.state);
    assertEquals("the run r 1", section.lacks().get());
    rows.clear();
    FigureSection nothing = section("'says': 'nothing', 'ours': [{'runs': 'r',"
        + "'label': 'a', 'x': '{arg.n}', 'y': 'v'}]");
    assertEquals(FigureSection.State.NOT_RUN, nothing.state);
    assertEquals("the run r 1; the run r 2", nothing.lacks().get());
  }

  /** A full run takes several nights. */
  @Test
  void quickRunsStandInForFullOnesThatAreNotThereYet() {
    rows.put("1", "[{'m': 'a', 'v': 3}]");
    rows.put("2", "[{'m': 'a', 'v': 5}]");
    String part = "'says': 'nothing', 'ours': [{'runs': 'r', 'where': {'m': ['a', 'b']},"
        + "'label': 'a', 'x': '{arg.n}', 'y': 'v'}]";
    PaperPage page = page(part, PaperScope.FULL);
    FigureSection section = page.sections.get(0);
    assertEquals(List.of("a|1|-|3", "a|2|-|5"), values(section));
    assertEquals(FigureSection.State.IN_PART, section.state);
    assertEquals("the full runs of 'r' (this section shows quick ones)",
        section.lacks().get());
    assertEquals("This is a full run. It is not complete: 2 of the 2 runs behind it are quick ones,"
        + " which stand in for full ones.", page.scopeWords());
    assertEquals("This is a quick run.", page(part, PaperScope.QUICK).scopeWords());
    rows.put("3", "[{'m': 'a', 'v': 7}]");
    page = page(part, PaperScope.FULL);
    assertEquals(List.of("a|3|-|7"), values(page.sections.get(0)));
    assertEquals("This is a full run.", page.scopeWords());
  }

  @Test
  void aFieldThatResultsDoNotHaveIsAnError() {
    rows.put("1", "[{'w': 3}]");
    assertTrue(assertThrows(IllegalStateException.class, () -> section("'says': 'nothing', 'ours':"
        + " [{'runs': 'r', 'label': 'a', 'x': '{arg.n}', 'y': 'v'}]")).getMessage()
        .contains("no field v"));
  }

  @Test
  void numbersAreShort() {
    assertEquals("0", Numbers.text(0));
    assertEquals("12.35", Numbers.text(12.345678));
    assertEquals("1048576", Numbers.text(1048576));
    assertEquals("2.24e-07", Numbers.text(2.2402e-7));
    assertEquals("-5.8", Numbers.text(-5.8));
  }
}
