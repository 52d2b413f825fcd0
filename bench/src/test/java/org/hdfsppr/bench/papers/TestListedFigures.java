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
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Compares the figures that are wanted, {@code listed-figures.txt}, with the data files and with
 * the sections of the page. A figure without runs is a test that is skipped, and never one that
 * passes. The list says which figures these are, so that none joins or leaves them unseen.
 */
class TestListedFigures {
  private static final RunVariables USER =
      new RunVariables(1, java.nio.file.Path.of("/traces"), List.of("wdev_1"));

  /** Returns for each listed figure how far it is covered. */
  private static Map<String, String> listed() throws IOException {
    Map<String, String> listed = new LinkedHashMap<>();
    try (InputStream in = TestListedFigures.class.getResourceAsStream(
        "/papers/listed-figures.txt")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.split("\n")) {
        if (!line.startsWith("#") && !line.isBlank()) {
          String[] words = line.split("\\|");
          listed.put(words[0].strip(), words[1].strip());
        }
      }
    }
    return listed;
  }

  private static Map<String, PaperFigure> declared() throws IOException {
    Map<String, PaperFigure> declared = new LinkedHashMap<>();
    for (Paper paper : PaperFile.readAll()) {
      paper.figures.forEach(figure -> declared.put(paper.id + ":" + figure.id, figure));
    }
    return declared;
  }

  private static String coverage(PaperFigure figure) {
    return figure.notRun().isPresent() ? "not run" : figure.missing().isPresent() ? "in part"
        : "runs";
  }

  @Test
  void dataFilesHaveTheListedFiguresAndNoOthers() throws IOException {
    assertEquals(new ArrayList<>(listed().keySet()), new ArrayList<>(declared().keySet()));
  }

  /** A figure that is covered no more, and one that now is, want another word in the list. */
  @Test
  void theListSaysHowFarEachFigureIsCovered() throws IOException {
    Map<String, String> states = new LinkedHashMap<>();
    declared().forEach((id, figure) -> states.put(id, coverage(figure)));
    assertEquals(listed(), states);
  }

  @TestFactory
  List<DynamicTest> eachFigureHasRunsAndASection() throws IOException {
    Map<String, PaperFigure> declared = declared();
    List<DynamicTest> tests = new ArrayList<>();
    for (String id : listed().keySet()) {
      tests.add(DynamicTest.dynamicTest(id, () -> {
        PaperFigure figure = declared.get(id);
        figure.notRun().ifPresent(needs -> Assumptions.abort("not run yet: needs " + needs));
        check(id);
      }));
    }
    return tests;
  }

  private static void check(String id) throws IOException {
    Paper paper = FigureChoice.of(PaperFile.readAll(), List.of(id)).get(0);
    PaperFigure figure = paper.figures.get(0);
    for (PaperScope scope : PaperScope.values()) {
      for (String run : figure.runs()) {
        assertTrue(!paper.run(run).runs(scope, USER).isEmpty(), id + " has no " + scope + " run");
      }
    }
    PaperPage page = new Assembler(PaperScope.QUICK, USER, run -> Optional.empty())
        .page(List.of(paper));
    assertEquals(List.of(id.replace(':', '-')), page.sections.stream()
        .map(FigureSection::anchor).collect(Collectors.toList()));
  }

  @Test
  void thePageHasASectionForEachListedFigure() throws IOException {
    PaperPage page = new Assembler(PaperScope.QUICK, USER, run -> Optional.empty())
        .page(PaperFile.readAll());
    String html = new HtmlWriter(page).write();
    String text = new MarkdownWriter(page).write();
    List<String> sections = new ArrayList<>();
    java.util.regex.Matcher matcher =
        java.util.regex.Pattern.compile("<section id=\"([^\"]+)\"").matcher(html);
    while (matcher.find()) {
      sections.add(matcher.group(1));
    }
    assertEquals(listed().keySet().stream().map(id -> id.replace(':', '-'))
        .collect(Collectors.toList()), sections);
    assertEquals(sections.size(), text.lines().filter(line -> line.startsWith("### ")).count());
  }

  /** Without a single run, the page claims nothing. */
  @Test
  void aSectionWithoutRunsSaysSo() throws IOException {
    PaperPage page = new Assembler(PaperScope.QUICK, USER, run -> Optional.empty())
        .page(PaperFile.readAll());
    assertEquals(page.sections.size(),
        page.sections(FigureSection.State.NOT_RUN).size());
    String html = new HtmlWriter(page).write();
    assertTrue(html.contains("0 of " + page.sections.size()
        + " tables and figures are measured"), html.substring(0, 3000));
    for (FigureSection section : page.sections) {
      assertTrue(section.lacks().isPresent(), section.anchor());
      assertTrue(html.contains("<a href=\"#" + section.anchor() + "\">"), section.anchor());
    }
  }

  /** A run without rows that a figure asks for does not make the figure a measured one. */
  @Test
  void aRunWithoutTheValuesIsNoRunOfTheFigure() throws IOException {
    Paper core = FigureChoice.of(PaperFile.readAll(), List.of("core:3")).get(0);
    PaperPage page = new Assembler(PaperScope.QUICK, USER, run -> Optional.of(StoredRun.of(run,
        new MachineFacts(Map.of()), "now", 1, JsonNodeFactory.instance.arrayNode()
            .add(JsonNodeFactory.instance.objectNode().put("what", "other")))))
        .page(List.of(core));
    assertEquals(FigureSection.State.NOT_RUN, page.sections.get(0).state);
    assertTrue(page.sections.get(0).lacks().get().contains("Independent clusters"));
  }

  /** The traces of two volumes are not all that the paper replays. */
  @Test
  void aFolderWithFewerVolumesIsAPartOfTheFigure() throws IOException {
    Paper cau = FigureChoice.of(PaperFile.readAll(), List.of("cau:9")).get(0);
    PaperPage page = new Assembler(PaperScope.QUICK, USER, run -> Optional.of(StoredRun.of(run,
        new MachineFacts(Map.of()), "now", 1, JsonNodeFactory.instance.arrayNode()
            .add(JsonNodeFactory.instance.objectNode().put("code", "rs-6-3")
                .put("trace", "wdev_1").put("update_locality", 3)))))
        .page(List.of(cau));
    assertEquals(FigureSection.State.IN_PART, page.sections.get(0).state);
    assertEquals("traces of 36 volumes (the folder of --traces has 1)",
        page.sections.get(0).lacks().get());
  }
}
