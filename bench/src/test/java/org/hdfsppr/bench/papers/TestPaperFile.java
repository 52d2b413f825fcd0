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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that malformed data files are refused with file, field and remedy. */
class TestPaperFile {
  static final String GOOD = String.join("\n",
      "{\"id\": \"p\", \"title\": \"P\", \"cited\": \"A: P\",",
      " \"runs\": [{\"id\": \"r\", \"command\": \"b --n {n} {more}\",",
      "   \"quick\": {\"n\": [\"1\", \"2\"], \"more\": \"\"},",
      "   \"full\": {\"n\": \"3\", \"more\": \"--a b\"},",
      "   \"seconds\": {\"quick\": 1, \"full\": 2}}],",
      " \"figures\": [",
      "  {\"id\": \"1\", \"title\": \"F\", \"measured\": \"m\", \"source\": \"s\",",
      "   \"why\": \"Ours is another machine.\",",
      "   \"parts\": [{\"title\": \"t\", \"unit\": \"s\", \"x\": \"n\", \"y\": \"time\",",
      "     \"values\": [{\"series\": \"a\", \"x\": \"1\", \"value\": 10, \"source\": \"s\"}],",
      "     \"ours\": [{\"runs\": \"r\", \"label\": \"a\", \"x\": \"{arg.n}\", \"y\": \"v\"}]}]},",
      "  {\"id\": \"2\", \"title\": \"G\", \"measured\": \"m\", \"source\": \"s\",",
      "   \"not_run\": \"a cluster\"}]}");

  private static final String HEADLINE = "{\"says\": \"s\", \"of\": \"all\", \"figure\": \"1\","
      + " \"part\": \"t\", \"series\": \"a\", \"x\": \"1\", \"ours\": \"a\"}";

  private static Arguments wrong(String from, String to, String... complaint) {
    return Arguments.of(from, to, List.of(complaint));
  }

  static Stream<Arguments> malformed() {
    return Stream.of(
        wrong("\"id\": \"p\",", "\"id\": \"p\"", "line 1", "is no JSON", "correct this line"),
        wrong("\"cited\": \"A: P\"", "\"cite\": \"A: P\"", "cite: is no field here",
            "there are id, title, cited"),
        wrong("\"title\": \"P\",", "", "title: is missing", "add \"title\""),
        wrong("\"title\": \"F\"", "\"title\": 5", "figures[0].title: is 5", "write \"title\""),
        wrong("\"value\": 10", "\"value\": \"10\"",
            "figures[0].parts[0].values[0].value: is \"10\"", "without quotes"),
        wrong("\"value\": 10", "\"value\": 10, \"to\": 9",
            "figures[0].parts[0].values[0].to: is 9", "upper end"),
        wrong("\"value\": 10,", "", "values[0].value: is missing", "add a number"),
        wrong("\"values\": [{", "\"value\": [{", "parts[0].value: is no field here"),
        wrong("\"y\": \"v\"}", "\"y\": \"v\", \"as\": \"less\", \"over\": {}}",
            "ours[0].as: is less", "percent-less"),
        wrong("\"y\": \"v\"}", "\"y\": \"v\", \"as\": \"times\"}", "ours[0].as: goes with over"),
        wrong("\"runs\": \"r\"", "\"runs\": \"q\"", "figures[0].parts: names the run 'q'",
            "there are r"),
        wrong("\"n\": \"3\", ", "", "runs[0].full.n: is missing", "{n}", "add a value"),
        wrong("\"n\": \"3\"", "\"n\": \"3\", \"k\": \"4\"", "runs[0].full.k: is not used",
            "take it out"),
        wrong("\"full\": 2", "\"half\": 2", "runs[0].seconds.full: is missing"),
        wrong("\"why\": \"Ours is another machine.\",", "", "figures[0].why: is missing",
            "find out why"),
        wrong("Ours is another machine.", "Not explained yet.", "figures[0].why",
            "find out why"),
        wrong("Ours is another machine.", "Ours is 3 times as fast.", "figures[0].why: has a digit",
            "without numbers"),
        wrong("\"not_run\": \"a cluster\"", "\"missing\": \"a cluster\"",
            "figures[1].not_run: is missing", "say what a run needs"),
        wrong("\"why\": \"Ours", "\"not_run\": \"x\", \"why\": \"Ours",
            "figures[0].not_run: stands beside", "take one of them out"),
        wrong("\"id\": \"2\"", "\"id\": \"1\"", "figures[1].id: '1' stands there twice",
            "rename"),
        wrong("\"id\": \"2\"", "\"id\": \"II\"", "figures[1].id: is 'II'", "lower-case"),
        wrong("\"id\": \"2\"", "\"id\": \"2\", \"id\": \"3\"", "is no JSON", "correct this line"),
        wrong("\"figures\": [", "\"figures\": [7,", "figures[0]: is 7", "write an object"),
        headline("\"figure\": \"1\"", "\"figure\": \"9\"", "headlines[0].figure: is '9'",
            "there are 1, 2"),
        headline("\"part\": \"t\"", "\"part\": \"u\"", "headlines[0].part: is 'u'", "there are t"),
        headline("\"series\": \"a\"", "\"series\": \"b\"", "headlines[0].series: is 'b'",
            "there are a"),
        headline("\"x\": \"1\"", "\"x\": \"2\"", "headlines[0].x: is '2'", "of 'a'",
            "there are 1"),
        headline("\"x\": \"1\"", "\"take\": \"best\"", "headlines[0].x: is ''", "there are 1"),
        headline("\"x\": \"1\"", "\"x\": \"1\", \"take\": \"best\"", "headlines[0].take",
            "stands beside x", "take it out"),
        headline("\"x\": \"1\"", "\"x\": \"1\", \"points\": \"1\"", "headlines[0].points",
            "stands beside x", "take it out"),
        headline("\"x\": \"1\"", "\"x\": \"1\", \"code\": \"rs-6-3\"", "headlines[0].code",
            "stands beside x", "take it out"),
        headline("\"x\": \"1\"", "\"x\": \"1\", \"up_to\": true", "headlines[0].up_to",
            "stands beside x", "take it out"),
        headline("\"ours\": \"a\"", "\"ours\": \"aa\"", "headlines[0].ours: names 'aa'",
            "there are a"),
        headline("\"ours\": \"a\"", "\"ours\": [\"a\", \"a\"]", "headlines[0].ours", "twice"),
        headline("\"ours\": \"a\"", "\"ours\": []", "headlines[0].ours: has no series",
            "there are a"),
        wrong(" \"figures\": [", " \"headlines\": [" + HEADLINE + ", " + HEADLINE
            + "],\n \"figures\": [", "headlines[1].of: 'all' stands there twice for 's'"));
  }

  /** A mistake in a headline. */
  private static Arguments headline(String from, String to, String... complaint) {
    assertTrue(HEADLINE.contains(from), from);
    return wrong(" \"figures\": [", " \"headlines\": [" + HEADLINE.replace(from, to)
        + "],\n \"figures\": [", complaint);
  }

  @Test
  void aHeadlineOfAllPointsSaysWhichOneCounts() {
    String all = GOOD.replace("\"x\": \"1\", \"value\": 10", "\"value\": 10");
    for (String take : List.of("", ", \"take\": \"median\"")) {
      String file = all.replace(" \"figures\": [", " \"headlines\": ["
          + HEADLINE.replace(", \"x\": \"1\"", take) + "],\n \"figures\": [");
      String complaint = assertThrows(IllegalArgumentException.class,
          () -> PaperFile.parse("p.json", file)).getMessage();
      assertTrue(complaint.contains("headlines[0].take: is " + (take.isEmpty() ? "missing"
          : "'median'; write best, worst or mean")), complaint);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {
      "\"take\": \"best\", \"at\": \"1\"; headlines[0].at: stands without up_to",
      "\"take\": \"mean\", \"up_to\": true; headlines[0].take: is mean beside up_to"})
  void whatAMaximumHasIsCheckedToo(String more, String complaint) {
    String file = GOOD.replace("\"x\": \"1\", \"value\": 10", "\"value\": 10")
        .replace(" \"figures\": [", " \"headlines\": ["
            + HEADLINE.replace("\"x\": \"1\"", more) + "],\n \"figures\": [");
    String message = assertThrows(IllegalArgumentException.class,
        () -> PaperFile.parse("p.json", file)).getMessage();
    assertTrue(message.contains(complaint), message);
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void aMalformedFileIsRefused(String from, String to, List<String> complaint) {
    assertTrue(GOOD.contains(from), from);
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
        () -> PaperFile.parse("p.json", GOOD.replace(from, to)));
    assertTrue(refused.getMessage().startsWith("p.json, "), refused.getMessage());
    complaint.forEach(words ->
        assertTrue(refused.getMessage().contains(words), refused.getMessage()));
  }

  @Test
  void aRunThatNoFigureNamesIsRefused() {
    String second = "{\"id\": \"q\", \"command\": \"b\", \"quick\": {}, \"full\": {},"
        + " \"seconds\": {\"quick\": 1, \"full\": 1}}, ";
    assertTrue(assertThrows(IllegalArgumentException.class, () -> PaperFile.parse("p.json",
        GOOD.replace("\"runs\": [{", "\"runs\": [" + second + "{"))).getMessage()
        .contains("runs: has 'q', which no figure names"));
  }

  @Test
  void commandLinesAreMadeOfEachCombination() {
    Paper paper = PaperFile.parse("p.json", GOOD);
    RunVariables user = new RunVariables(1, null, List.of());
    assertEquals(List.of(List.of("b", "--n", "1"), List.of("b", "--n", "2")),
        paper.run("r").runs(PaperScope.QUICK, user).stream().map(run -> run.command)
            .collect(Collectors.toList()));
    assertEquals(List.of(List.of("b", "--n", "3", "--a", "b")),
        paper.run("r").runs(PaperScope.FULL, user).stream().map(run -> run.command)
            .collect(Collectors.toList()));
    assertEquals("r 2", paper.run("r").runs(PaperScope.QUICK, user).get(1).label);
  }

  @Test
  void allDataFilesAreRead() throws IOException {
    assertEquals(PaperFile.IDS,
        PaperFile.readAll().stream().map(paper -> paper.id).collect(Collectors.toList()));
  }
}
