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

import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;


/** Writes the page as one HTML file that needs no other file and no network. */
final class HtmlWriter {
  private static final String STYLE = String.join("\n",
      ":root { color-scheme: light dark; --line: #bbb; --soft: #f3f3f3; --warn: #8a4b00; }",
      "@media (prefers-color-scheme: dark) {",
      "  :root { --line: #555; --soft: #262626; --warn: #ffc069; } }",
      "body { font: 16px/1.5 sans-serif; max-width: 62rem; margin: 0 auto; padding: 1rem; }",
      "table { border-collapse: collapse; font-size: .9rem; }",
      "th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left; }",
      ".wide { overflow-x: auto; } .lacks { color: var(--warn); font-weight: bold; }",
      "code { background: var(--soft); overflow-wrap: anywhere; }",
      "img { max-width: 100%; height: auto; background: #fff; border-radius: 6px; }",
      "section { border-top: 1px solid var(--line); margin-top: 2rem; }");

  private final PaperPage page;
  private final StringBuilder html = new StringBuilder();

  HtmlWriter(PaperPage page) {
    this.page = page;
  }

  /** {@return the page; charts are drawn into it} */
  String write() throws IOException {
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<title>").append(escape(PageWords.TITLE)).append("</title>\n<style>\n")
        .append(STYLE).append("\n</style>\n</head>\n<body>\n");
    element("h1", PageWords.TITLE);
    element("p", PageWords.INTRODUCTION);
    element("p", page.scopeWords() + " " + page.coverage());
    facts();
    headlines();
    notCovered();
    for (Paper paper : page.papers()) {
      element("h2", paper.title);
      element("p", paper.cited);
      for (FigureSection section : page.of(paper)) {
        section(section);
      }
    }
    return html.append("</body>\n</html>\n").toString();
  }

  private void facts() {
    html.append("<div class=\"wide\"><table>\n");
    page.allFacts().forEach((name, values) -> html.append("<tr><th scope=\"row\">")
        .append(escape(name)).append("</th><td>")
        .append(escape(values.isEmpty() ? "no run yet" : String.join("; ", values)))
        .append("</td></tr>\n"));
    html.append("<tr><th scope=\"row\">all runs took</th><td>")
        .append(TimeLeft.words(page.seconds())).append("</td></tr>\n</table></div>\n");
  }

  private void headlines() {
    List<HeadlineResult> results = HeadlineResult.of(page);
    if (results.isEmpty()) {
      return;
    }
    element("h2", PageWords.HEADLINES);
    element("p", PageWords.HEADLINES_INTRODUCTION);
    element("p", PageWords.verdicts(results));
    beginTable(PageWords.HEADLINES, PageWords.HEADLINES_HEAD);
    for (HeadlineResult result : results) {
      html.append("<tr>");
      PageWords.cells(result).forEach(this::cell);
      html.append("<td><a href=\"#").append(result.section.anchor()).append("\">")
          .append(escape(PageWords.section(result))).append("</a></td></tr>\n");
    }
    html.append("</table></div>\n");
  }

  private void notCovered() {
    List<FigureSection> lacking = page.sections.stream()
        .filter(section -> section.lacks().isPresent()).collect(Collectors.toList());
    if (lacking.isEmpty()) {
      return;
    }
    element("h2", PageWords.NOT_COVERED);
    html.append("<ul>\n");
    for (FigureSection section : lacking) {
      html.append("<li><a href=\"#").append(section.anchor()).append("\">")
          .append(escape(section.paper.id + ", " + section.figure.title))
          .append("</a>, ").append(section.state.label).append(": needs ")
          .append(escape(section.lacks().get())).append("</li>\n");
    }
    html.append("</ul>\n");
  }

  private void section(FigureSection section) throws IOException {
    PaperFigure figure = section.figure;
    html.append("<section id=\"").append(section.anchor()).append("\" data-state=\"")
        .append(section.state.name()).append("\" data-runs=\"").append(section.runs.size())
        .append("\">\n");
    element("h3", figure.title);
    element("p", figure.measured + " (" + figure.source + ")");
    section.lacks().ifPresent(lacks -> html.append("<p class=\"lacks\">")
        .append(escape(section.state.label + ": needs " + lacks)).append("</p>\n"));
    for (PartResult part : section.parts) {
      part(part);
    }
    if (section.state != FigureSection.State.NOT_RUN) {
      figure.why().ifPresent(why -> html.append("<p><strong>Why they differ, or not:</strong> ")
          .append(escape(why)).append("</p>\n"));
      runs(section);
    }
    html.append("</section>\n");
  }

  private void part(PartResult result) throws IOException {
    FigurePart part = result.part;
    element("h4", part.title);
    part.says().ifPresent(says -> element("p", "The paper's text: " + says));
    FigureChart chart = new FigureChart(result);
    if (chart.isDrawn()) {
      html.append("<p><img alt=\"").append(escape("Chart: " + part.title + ", "
          + part.yTitle + " in " + part.unit + " over " + part.xTitle
          + (chart.isAlone() ? "" : "; the table below has its values")))
          .append("\" src=\"data:image/png;base64,")
          .append(Base64.getEncoder().encodeToString(chart.png()))
          .append("\"></p>\n");
    }
    if (chart.isAlone() || result.rows.isEmpty()) {
      return;
    }
    beginTable(part.yTitle + ", " + part.unit, PageWords.HEAD);
    for (ResultRow row : result.rows) {
      html.append("<tr>");
      PageWords.cells(row).forEach(this::cell);
      html.append("</tr>\n");
    }
    html.append("</table></div>\n");
  }

  private void beginTable(String caption, List<String> names) {
    html.append("<div class=\"wide\"><table>\n<caption>").append(escape(caption))
        .append("</caption>\n<tr>");
    names.forEach(name -> html.append("<th scope=\"col\">").append(name).append("</th>"));
    html.append("</tr>\n");
  }

  private void cell(String text) {
    html.append("<td>").append(escape(text)).append("</td>");
  }

  private void runs(FigureSection section) {
    html.append("<details><summary>Command lines</summary>\n<ul>\n");
    for (StoredRun run : section.runs) {
      html.append("<li><code>").append(escape(PageWords.command(run))).append("</code><br>")
          .append(escape(PageWords.facts(run))).append("</li>\n");
    }
    html.append("</ul>\n</details>\n");
  }

  private void element(String name, String text) {
    html.append('<').append(name).append('>').append(escape(text)).append("</").append(name)
        .append(">\n");
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
