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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which of our points stands beside a headline, and what becomes of it. */
class TestHeadlines {
  private static final RunVariables USER = new RunVariables(1, null, List.of());
  private static final String ONE_POINT = ", \"x\": \"1\"";
  private static final String ALL_POINTS = TestPaperFile.GOOD
      .replace("\"x\": \"1\", \"value\": 10", "\"value\": 10");

  private static String headline(String more) {
    return " \"headlines\": [{\"says\": \"it ends sooner\", \"of\": \"all\", \"figure\": \"1\","
        + " \"part\": \"t\", \"series\": \"a\", \"ours\": \"a\"" + more + "}],\n \"figures\": [";
  }

  private static PaperPage page(String file, String more, Map<String, double[]> values) {
    return page(PaperScope.QUICK, file, more, values);
  }

  private static PaperPage page(PaperScope scope, String file, String more,
      Map<String, double[]> values) {
    Paper paper = PaperFile.parse("p.json", file.replace(" \"figures\": [", headline(more)));
    return new Assembler(scope, USER, run -> Optional.ofNullable(
        values.get(run.variables.get("n"))).map(some -> {
          ArrayNode rows = new ObjectMapper().createArrayNode();
          for (double value : some) {
            rows.addObject().put("v", value);
          }
          return StoredRun.of(run, new MachineFacts(Map.of("version", "1")), "now", 1, rows);
        })).page(List.of(paper));
  }

  private static List<String> rows(PaperPage page) {
    return HeadlineResult.of(page).stream().map(result -> String.join("|",
        PageWords.cells(result))).collect(Collectors.toList());
  }

  @ParameterizedTest
  @CsvSource({"11, false, better", "10.4, false, as good", "9.6, false, as good",
      "9.4, false, not as good", "11, true, not as good", "10.4, true, as good",
      "9.4, true, better"})
  void ourValueIsComparedWithThePapersAsFarAsItPrintsIt(double ours, boolean less,
      String verdict) {
    assertEquals(List.of("it ends sooner|all|10 s|" + Numbers.text(ours) + " s|a, 1|" + verdict),
        rows(page(TestPaperFile.GOOD, ONE_POINT + ", \"less\": " + less,
            Map.of("1", new double[] {ours}, "2", new double[] {ours * 7}))));
  }

  @ParameterizedTest
  @CsvSource({"11.75, false, better", "11, false, as good", "10, false, as good",
      "9.25, false, not as good", "11.75, true, not as good", "11, true, as good",
      "10, true, as good", "9.25, true, better"})
  void aRangeOfThePaperHoldsWhatIsAsGood(double ours, boolean less, String verdict) {
    PaperPage page = page(
        TestPaperFile.GOOD.replace("\"value\": 10", "\"value\": 10, \"to\": 11"),
        ONE_POINT + ", \"less\": " + less, Map.of("1", new double[] {ours}));
    assertEquals(verdict, HeadlineResult.of(page).get(0).verdict().label);
    assertTrue(rows(page).get(0).contains("|10 to 11 s|"), rows(page).get(0));
  }

  /** Runs that lie on both sides of the paper's value do not say which is better. */
  @ParameterizedTest
  @CsvSource({"9 12 13, as good", "10 12 13, as good", "10.1 12 13, better", "7 8 11, as good",
      "7 8 9.4, not as good"})
  void aValueWithinTheSpreadOfOurRunsIsAsGood(String ours, String verdict) {
    assertEquals(verdict, HeadlineResult.of(page(TestPaperFile.GOOD, ONE_POINT, Map.of("1",
        Stream.of(ours.split(" ")).mapToDouble(Double::parseDouble).toArray()))).get(0)
        .verdict().label);
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {
      "best; false; 14 s; a, 2 (best of 2 points); better",
      "worst; false; 6 s; a, 1 (worst of 2 points); not as good",
      "mean; false; 10 s; a, mean of 2 points; as good",
      "best; true; 6 s; a, 1 (best of 2 points); better",
      "worst; true; 14 s; a, 2 (worst of 2 points); not as good"})
  void theBestPointCountsOrTheWorstOrTheMean(String take, boolean less, String ours, String with,
      String verdict) {
    assertEquals(List.of("it ends sooner|all|10 s|" + ours + "|" + with + "|" + verdict),
        rows(page(ALL_POINTS, ", \"take\": \"" + take + "\", \"less\": " + less,
            Map.of("1", new double[] {6}, "2", new double[] {14}))));
  }

  @Test
  void aHeadlineMayBeAboutSomePointsOnly() {
    String pairs = ALL_POINTS.replace("\"{arg.n}\"", "\"{arg.n}, 12\"");
    assertEquals(List.of("it ends sooner|all|10 s|14 s|a, 2, 12|better"), rows(page(pairs,
        ", \"points\": \"2\", \"take\": \"worst\"",
        Map.of("1", new double[] {6}, "2", new double[] {14}))));
  }

  /** A number of another code is neither better nor worse, however far it is from the paper's. */
  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {
      "rs-6-3, {arg.n}; best; 14 s; a, rs-6-3, 2 (best of 2 points); other code",
      "rs-6-3, {arg.n}; worst; 6 s; a, rs-6-3, 1 (worst of 2 points); other code",
      "rs-6-3, {arg.n}; mean; 10 s; a, mean of 2 points; other code",
      "rs-12-4, {arg.n}; best; 14 s; a, rs-12-4, 2 (best of 2 points); better",
      "rs-{arg.n}, 9; best; 14 s; a, rs-2, 9 (best of 2 points); other code"})
  void anotherCodeIsNotCompared(String point, String take, String ours, String with,
      String verdict) {
    assertEquals(List.of("it ends sooner|all|10 s|" + ours + "|" + with + "|" + verdict),
        rows(page(ALL_POINTS.replace("{arg.n}", point),
            ", \"code\": \"rs-12-4\", \"take\": \"" + take + "\"",
            Map.of("1", new double[] {6}, "2", new double[] {14}))));
  }

  @Test
  void pointsOfOtherCodesDoNotCountBesideThoseOfThePapers() {
    assertEquals(List.of("it ends sooner|all|10 s|6 s|a, rs-1|not as good"),
        rows(page(ALL_POINTS.replace("{arg.n}", "rs-{arg.n}"),
            ", \"code\": \"rs-1\", \"take\": \"best\"",
            Map.of("1", new double[] {6}, "2", new double[] {14}))));
  }

  /** What the paper reaches at most, ours has to reach at the same point. */
  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {"64m; 14 s; a, 64m, 2 (best of 2 points); better",
      "64m, 1; 6 s; a, 64m, 1; not as good",
      "96m; 14 s; a, 64m, 2 (best of 2 points); other points",
      "64m, 3; 14 s; a, 64m, 2 (best of 2 points); other points"})
  void whatThePaperReachesAtMostNeedsTheSamePoint(String at, String ours, String with,
      String verdict) {
    assertEquals(List.of("it ends sooner|all|10 s|" + ours + "|" + with + "|" + verdict),
        rows(page(ALL_POINTS.replace("{arg.n}", "64m, {arg.n}"),
            ", \"up_to\": true, \"at\": \"" + at + "\", \"take\": \"best\"",
            Map.of("1", new double[] {6}, "2", new double[] {14}))));
  }

  /** Where the paper does not say at which point it is, ours has to have all points. */
  @Test
  void whatThePaperReachesAtAPointThatItDoesNotNameNeedsAllPoints() {
    String more = ", \"up_to\": true, \"take\": \"best\"";
    String full = ALL_POINTS.replace("\"n\": \"3\"", "\"n\": [\"3\", \"4\"]");
    Map<String, double[]> some = Map.of("3", new double[] {14});
    Map<String, double[]> all = Map.of("3", new double[] {14}, "4", new double[] {6});
    Map<String, double[]> quick = Map.of("1", new double[] {14}, "2", new double[] {6});
    assertVerdict("better", page(PaperScope.FULL, full, more, all));
    assertVerdict("other points", page(PaperScope.FULL, full, more, some));
    assertVerdict("other points", page(PaperScope.FULL, full, more, quick));
    assertVerdict("other points", page(PaperScope.QUICK, full, more, quick));
  }

  private static void assertVerdict(String verdict, PaperPage page) {
    assertEquals(List.of(verdict), HeadlineResult.of(page).stream()
        .map(result -> result.verdict().label).collect(Collectors.toList()));
  }

  @Test
  void aPointWithoutRunsIsNoVerdict() {
    assertEquals(List.of("it ends sooner|all|10 s|-|a|not measured in these runs"),
        rows(page(TestPaperFile.GOOD, ONE_POINT, Map.of("2", new double[] {14}))));
  }

  @Test
  void aFigureThatIsMeasuredInPartSaysSo() {
    String part = TestPaperFile.GOOD.replace("\"why\": \"Ours",
        "\"missing\": \"a larger cluster\", \"why\": \"Ours");
    assertEquals(List.of("it ends sooner|all|10 s|11 s|a, 1|better, measured in part"),
        rows(page(part, ONE_POINT,
            Map.of("1", new double[] {11}, "2", new double[] {14}))));
  }

  @Test
  void aPageWithoutTheFigureHasNoHeadlineOfIt() {
    Paper paper = PaperFile.parse("p.json",
        TestPaperFile.GOOD.replace(" \"figures\": [", headline(ONE_POINT)));
    PaperPage page = new Assembler(PaperScope.QUICK, USER, run -> Optional.empty())
        .page(FigureChoice.of(List.of(paper), List.of("p:2")));
    assertEquals(List.of(), rows(page));
  }

  @Test
  void headlinesStandOnThePageWithALinkToTheirFigure() throws IOException {
    PaperPage page = page(TestPaperFile.GOOD.replace("\"title\": \"F\"",
        "\"title\": \"Figure 1: (a) <b>\""), ONE_POINT,
        Map.of("1", new double[] {11}, "2", new double[] {14}));
    String html = new HtmlWriter(page).write();
    assertTrue(html.contains(
        "<td>better</td><td><a href=\"#p-1\">p, Figure 1: (a) &lt;b&gt;</a></td>"), html);
    String text = new MarkdownWriter(page).write();
    assertTrue(text.contains("| it ends sooner | all | 10 s | 11 s | a, 1 | better "
        + "| [p, Figure 1: (a) <b>](#figure-1-a-b) |"), text);
    for (String all : List.of(html, text)) {
      assertTrue(all.contains("Of 1 rows: 1 better, 0 as good, 0 not as good, "
          + "0 other code, 0 other points, 0 not measured in these runs."), all);
    }
  }

  /** A maximum that is not marked as one would be compared with any point of ours. */
  @Test
  void eachMaximumOfAPaperIsMarked() throws IOException {
    for (Paper paper : PaperFile.readAll()) {
      for (PaperHeadline headline : paper.headlines) {
        assertEquals(headline.says.endsWith(", by up to")
            || headline.value.x.isEmpty() && headline.value.series.endsWith(", at most"),
            headline.isUpTo, headline.says + ", " + headline.of);
      }
    }
  }

  /** Each paper begins with what it promises, so that a reader sees whether it holds. */
  @Test
  void eachPaperHasHeadlines() throws IOException {
    for (Paper paper : PaperFile.readAll()) {
      assertTrue(paper.headlines.size() >= 5, paper.id);
    }
  }
}
