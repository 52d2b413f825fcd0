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

import java.util.ArrayList;
import java.util.List;


/** The words that the page has in every format. */
final class PageWords {
  static final String TITLE = "The papers behind hdfs-ppr, measured again";
  static final String INTRODUCTION = "Each section is a table or figure of a paper: the paper's "
      + "values beside those of the benchmarks here. Ours are medians, with the least and the "
      + "most of all runs in brackets. A value with a * is a bound, or follows from what the "
      + "paper's text says of a plot: the paper states no number for this point. Times depend on "
      + "the machine: compare ratios.";
  static final String NOT_COVERED = "Not covered";
  static final String HEADLINES = "Headlines";
  static final String HEADLINES_INTRODUCTION = "The main results of each paper, with ours beside "
      + "them. The verdict compares the two numbers, and nothing else: machines, links and what "
      + "they are compared with differ, as the section of the figure explains. A row has no better "
      + "or worse where ours is of another code than the paper's value (other code), or where the "
      + "paper's value is the best or worst of many points, and ours lack that point or some of "
      + "them (other points). The papers compare with systems of their own; ours are compared with "
      + "stock HDFS, or with what the row names.";
  static final List<String> HEAD =
      List.of("series", "point", "the paper", "ours", "where in the paper");
  static final List<String> HEADLINES_HEAD = List.of("the paper's result", "of",
      "the paper's value", "our value", "measured here with", "verdict", "explained in");

  private static final String TRACE = "--trace";
  /** Stands for the folder with traces, which is another one on each machine. */
  private static final String TRACES = "TRACES";

  private PageWords() {
  }

  /** {@return the cells of a row of the table of values} */
  static List<String> cells(ResultRow row) {
    return List.of(row.series,
        row.x.isEmpty() ? "all" : row.x,
        row.paper().map(PageWords::printed).orElse("-"),
        row.ours().map(Numbers::text).orElse("-"),
        row.paper().map(value -> value.source).orElse(""));
  }

  /** Returns a value of the paper, with the mark of a bound or of a value from a plot. */
  private static String printed(PaperValue value) {
    return Numbers.text(value) + (value.fromPlot ? " *" : "");
  }

  /** {@return the cells of a row of the table of headlines, but for the last one} */
  static List<String> cells(HeadlineResult result) {
    PaperHeadline headline = result.headline;
    String unit = " " + headline.part.unit;
    boolean isMeasured = result.points() > 0;
    return List.of(headline.says, headline.of, printed(headline.value) + unit,
        isMeasured ? Numbers.text(result.measured()) + unit : "-",
        result.series + (isMeasured ? ", " + which(result) : ""),
        result.verdict().label + (isMeasured
            && result.section.state == FigureSection.State.IN_PART
            ? ", " + FigureSection.State.IN_PART.label : ""));
  }

  /** {@return how many of our series are better, as good and so on, in one sentence} */
  static String verdicts(List<HeadlineResult> results) {
    List<String> counts = new ArrayList<>();
    for (HeadlineResult.Verdict verdict : HeadlineResult.Verdict.values()) {
      long count = results.stream().filter(result -> result.verdict() == verdict).count();
      counts.add(count + " " + verdict.label);
    }
    return "Of " + results.size() + " rows: " + String.join(", ", counts) + ".";
  }

  private static String which(HeadlineResult result) {
    String all = result.headline.take.label + " of " + result.points() + " points";
    return result.points() == 1 ? result.point()
        : result.headline.take == PaperHeadline.Take.MEAN ? all
        : result.point() + " (" + all + ")";
  }

  /** {@return the name of the section of a headline's figure} */
  static String section(HeadlineResult result) {
    return result.section.paper.id + ", " + result.section.figure.title;
  }

  /** {@return the command line of a run, with TRACES for the folder of traces} */
  static String command(StoredRun run) {
    List<String> words = new ArrayList<>(List.of("./it/bench.sh"));
    for (String word : run.command()) {
      String typed = words.get(words.size() - 1).equals(TRACE)
          ? TRACES + word.substring(word.lastIndexOf('/')) : word;
      words.add(typed.matches("[A-Za-z0-9_./:,=@%+-]+") ? typed : "'" + typed + "'");
    }
    return String.join(" ", words);
  }

  /** {@return when, how long and with which version a run was measured} */
  static String facts(StoredRun run) {
    return run.begun() + ", " + TimeLeft.words(run.seconds()) + ", version "
        + run.machine().getOrDefault("version", "unknown") + ", seed " + run.seed();
  }
}
