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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the page in its formats. */
class TestPaperPages {
  private static final Pattern ADDRESS =
      Pattern.compile("(?i)(?:src|href|action|data|poster|srcset)\\s*=\\s*\"([^\"]*)\"");

  @TempDir
  private Path dir;

  private static StoredRun stored(PaperRun run, double value) {
    ArrayNode rows = new ObjectMapper().createArrayNode();
    rows.addObject().put("v", value);
    rows.addObject().put("v", value + 1);
    return StoredRun.of(run, new MachineFacts(Map.of("version", "1 & <2>", "processor", "P")),
        "2026-01-01T00:00:00Z", 3, rows);
  }

  private static PaperPage page(String good) {
    return new Assembler(PaperScope.QUICK, new RunVariables(1, null, List.of()),
        run -> Optional.of(stored(run, 12.25))).page(List.of(PaperFile.parse("p.json", good)));
  }

  private static PaperPage page() {
    return page(TestPaperFile.GOOD);
  }

  @Test
  void thePageNeedsNoOtherFile() throws IOException {
    String html = new HtmlWriter(page()).write();
    Matcher addresses = ADDRESS.matcher(html);
    int images = 0;
    while (addresses.find()) {
      boolean isImage = addresses.group(1).startsWith("data:image/png;base64,");
      assertTrue(isImage || addresses.group(1).startsWith("#"), addresses.group(1));
      images += isImage ? 1 : 0;
    }
    assertEquals(1, images);
    for (String foreign : List.of("<script", "<link", "@import", "url(", "http:", "https:",
        "<iframe", "<object", "<base")) {
      assertFalse(html.contains(foreign), foreign);
    }
  }

  @Test
  void thePageSaysWhatWasMeasuredAndHow() throws IOException {
    for (String text : List.of(new HtmlWriter(page()).write(),
        new MarkdownWriter(page()).write())) {
      assertTrue(text.contains("1 of 2 tables and figures are measured, 0 in part, 1 are not run"),
          text);
      assertTrue(text.contains("12.75 (12.25 to 13.25, 2 values)"), text);
      assertTrue(text.contains("./it/bench.sh b --n 1"), text);
      assertTrue(text.contains("./it/bench.sh b --n 2"), text);
      assertTrue(text.contains("seed none"), text);
      assertTrue(text.contains("2026-01-01T00:00:00Z"), text);
      assertTrue(text.contains("not run yet: needs a cluster"), text);
      assertTrue(text.contains("Ours is another machine."), text);
    }
  }

  @Test
  void textIsNoMarkup() throws IOException {
    String html = new HtmlWriter(page(TestPaperFile.GOOD.replace("\"title\": \"F\"",
        "\"title\": \"<b onload='x'>&\""))).write();
    assertTrue(html.contains("1 &amp; &lt;2&gt;"), html);
    assertTrue(html.contains("&lt;b onload='x'&gt;&amp;"), html);
    assertFalse(html.contains("<b onload"), html);
  }

  @Test
  void aValueFromAPlotIsMarked() throws IOException {
    String from = TestPaperFile.GOOD.replace("\"value\": 10",
        "\"value\": 10, \"from_plot\": true");
    assertTrue(new HtmlWriter(page(from)).write().contains("<td>10 *</td>"));
    assertTrue(new MarkdownWriter(page(from)).write().contains("| 10 \\* |"));
    assertFalse(new HtmlWriter(page()).write().contains("<td>10 *</td>"));
  }

  @Test
  void markdownNamesChartsThatAreThere() throws IOException {
    Path old = Files.createDirectories(dir.resolve("charts")).resolve("p-9-1.png");
    Files.writeString(old, "a chart of an earlier page");
    new PageFiles(dir).write(page());
    assertTrue(Files.notExists(old));
    Matcher charts = Pattern.compile("!\\[[^]]*]\\(([^)]+)\\)")
        .matcher(Files.readString(dir.resolve("index.md")));
    Set<String> named = new TreeSet<>();
    while (charts.find()) {
      named.add(charts.group(1));
      assertTrue(ImageIO.read(dir.resolve(charts.group(1)).toFile()).getWidth() > 0);
    }
    assertEquals(Set.of("charts/p-1-1.png"), named);
    assertTrue(Files.size(dir.resolve("index.html")) > 10_000);
  }

  @Test
  void chartsHaveThePapersValuesAndOurs() throws IOException {
    for (String numeric : List.of("", "\"numeric\": true, ", "\"log\": true, ",
        "\"numeric\": true, \"log\": true, ")) {
      PartResult part = page(TestPaperFile.GOOD.replace("\"unit\": \"s\"",
          numeric + "\"unit\": \"s\"")).sections.get(0).parts.get(0);
      FigureChart chart = new FigureChart(part);
      assertEquals(Map.of("a", Map.of("1", 12.75, "2", 12.75), "paper: a", Map.of("1", 10.0)),
          chart.series());
      BufferedImage image = ImageIO.read(new ByteArrayInputStream(chart.png()));
      assertEquals(900, image.getWidth());
      // In grey, ours and the paper's still differ from each other and from the ground.
      Set<Integer> greys = new TreeSet<>();
      for (int x = 0; x < image.getWidth(); x++) {
        for (int y = 0; y < image.getHeight(); y++) {
          int rgb = image.getRGB(x, y);
          greys.add((30 * (rgb >> 16 & 255) + 59 * (rgb >> 8 & 255) + 11 * (rgb & 255)) / 2500);
        }
      }
      assertTrue(greys.size() >= 3, greys.toString());
    }
  }

  @Test
  void aValueForAllPointsIsALineAcrossThem() {
    PartResult part = page(TestPaperFile.GOOD.replace("\"x\": \"1\", \"value\": 10",
        "\"value\": 10, \"to\": 11")).sections.get(0).parts.get(0);
    Map<String, Map<String, Double>> series = new FigureChart(part).series();
    assertEquals(Map.of("1", 10.0, "2", 10.0), series.get("paper: a"));
    assertEquals(Map.of("1", 11.0, "2", 11.0), series.get("paper: a, upper end"));
  }

  @Test
  void aNumericPartWithOnePointHasBars() throws IOException {
    String one = TestPaperFile.GOOD.replace("\"n\": [\"1\", \"2\"]", "\"n\": \"1\"");
    PartResult bars = page(one).sections.get(0).parts.get(0);
    PartResult part = page(one.replace("\"unit\": \"s\"", "\"numeric\": true, \"unit\": \"s\""))
        .sections.get(0).parts.get(0);
    assertTrue(part.part.numeric);
    assertArrayEquals(new FigureChart(bars).png(), new FigureChart(part).png());
  }

  /** A reader would not read the values of a long series, so that its chart stands alone. */
  @Test
  void aPartMayHaveAChartAndNoTable() throws IOException {
    String from = TestPaperFile.GOOD.replace("\"unit\": \"s\"",
        "\"unit\": \"s\", \"chart_only\": true");
    String html = new HtmlWriter(page(from)).write();
    assertTrue(html.contains("data:image/png"), html);
    assertFalse(html.contains("12.75"), html);
    assertFalse(html.contains("the table below"), html);
    String text = new MarkdownWriter(page(from)).write();
    assertTrue(text.contains("(charts/p-1-1.png)"), text);
    assertFalse(text.contains("12.75"), text);
    // A logarithmic chart has no place for values below zero.
    String none = from.replace("\"unit\": \"s\"", "\"unit\": \"s\", \"log\": true")
        .replace("\"y\": \"v\"", "\"y\": \"v\", \"scale\": -1").replace("10, ", "-10, ");
    assertTrue(new MarkdownWriter(page(none)).write().contains("-12.75"));
    assertTrue(new HtmlWriter(page(none)).write().contains("-12.75"));
  }

  @Test
  void aCommandLineNamesNoFolderOfThisMachine() {
    String traced = TestPaperFile.GOOD.replace("b --n {n} {more}",
        "b --trace /home/me/traces/{n}.csv {more}");
    assertEquals(List.of("./it/bench.sh b --trace TRACES/1.csv",
        "./it/bench.sh b --trace TRACES/2.csv"), page(traced).sections.get(0).runs.stream()
            .map(PageWords::command).collect(Collectors.toList()));
  }
}
