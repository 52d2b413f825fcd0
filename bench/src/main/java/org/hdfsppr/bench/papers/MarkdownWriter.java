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
import java.util.Locale;
import java.util.stream.Collectors;


/** Writes the page as Markdown. Its charts are files in the folder {@code charts} beside it. */
final class MarkdownWriter {
  private final PaperPage page;
  private final StringBuilder text = new StringBuilder();

  MarkdownWriter(PaperPage page) {
    this.page = page;
  }

  /** {@return the file name of the chart of a part of a figure} */
  static String chart(FigureSection section, int part) {
    return section.anchor() + "-" + (part + 1) + ".png";
  }

  /** {@return the page} */
  String write() {
    line("# " + PageWords.TITLE);
    line(PageWords.INTRODUCTION.replace(" * ", " \\* "));
    line(page.scopeWords() + " " + page.coverage());
    text.append("| | |\n|---|---|\n");
    page.allFacts().forEach((name, values) -> text.append("| ").append(name).append(" | ")
        .append(cell(values.isEmpty() ? "no run yet" : String.join("; ", values)))
        .append(" |\n"));
    text.append("| all runs took | ").append(TimeLeft.words(page.seconds())).append(" |\n\n");
    headlines();
    List<FigureSection> lacking = page.sections.stream()
        .filter(section -> section.lacks().isPresent()).collect(Collectors.toList());
    if (!lacking.isEmpty()) {
      line("## " + PageWords.NOT_COVERED);
      lacking.forEach(section -> text.append("- ").append(section.paper.id).append(", ")
          .append(section.figure.title).append(", ").append(section.state.label)
          .append(": needs ").append(section.lacks().get()).append('\n'));
      text.append('\n');
    }
    for (Paper paper : page.papers()) {
      line("## " + paper.title);
      line(paper.cited);
      page.of(paper).forEach(this::section);
    }
    return text.toString();
  }

  private void headlines() {
    List<HeadlineResult> results = HeadlineResult.of(page);
    if (results.isEmpty()) {
      return;
    }
    line("## " + PageWords.HEADLINES);
    line(PageWords.HEADLINES_INTRODUCTION);
    line(PageWords.verdicts(results));
    head(PageWords.HEADLINES_HEAD);
    for (HeadlineResult result : results) {
      List<String> cells = new ArrayList<>(PageWords.cells(result));
      cells.add("[" + PageWords.section(result) + "](#"
          + anchor(result.section.figure.title) + ")");
      row(cells);
    }
    text.append('\n');
  }

  /** Returns the address that readers of Markdown give a heading. */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }

  private void section(FigureSection section) {
    line("### " + section.figure.title);
    line(section.figure.measured + " (" + section.figure.source + ")");
    section.lacks().ifPresent(lacks ->
        line("**" + section.state.label + ": needs " + lacks + "**"));
    for (int i = 0; i < section.parts.size(); i++) {
      part(section, i);
    }
    if (section.state == FigureSection.State.NOT_RUN) {
      return;
    }
    section.figure.why().ifPresent(why -> line("**Why they differ, or not:** " + why));
    line("Command lines:");
    section.runs.forEach(run -> text.append("- `").append(PageWords.command(run))
        .append("` (").append(PageWords.facts(run)).append(")\n"));
    text.append('\n');
  }

  private void part(FigureSection section, int index) {
    PartResult result = section.parts.get(index);
    FigurePart part = result.part;
    line("#### " + part.title);
    part.says().ifPresent(says -> line("The paper's text: " + says));
    FigureChart chart = new FigureChart(result);
    if (chart.isDrawn()) {
      line("![" + part.title + "](charts/" + chart(section, index) + ")");
    }
    if (chart.isAlone() || result.rows.isEmpty()) {
      return;
    }
    line("In " + part.unit + ":");
    head(PageWords.HEAD);
    result.rows.forEach(one -> row(PageWords.cells(one)));
    text.append('\n');
  }

  private void head(List<String> names) {
    row(names);
    text.append("|").append("---|".repeat(names.size())).append('\n');
  }

  private void row(List<String> cells) {
    text.append("| ").append(cells.stream().map(MarkdownWriter::cell)
        .collect(Collectors.joining(" | "))).append(" |\n");
  }

  private static String cell(String words) {
    return words.replace("|", "\\|").replace("*", "\\*");
  }

  private void line(String words) {
    text.append(words).append("\n\n");
  }
}
