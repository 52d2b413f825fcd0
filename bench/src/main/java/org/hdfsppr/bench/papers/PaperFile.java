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
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;


/** Reads the data files of papers, and refuses what does not fit together. */
final class PaperFile {
  /** The papers, in the order of the page. */
  static final List<String> IDS = List.of("ppr", "cau", "online-ec", "core", "hitchhiker");

  private PaperFile() {
  }

  /** {@return all papers} */
  static List<Paper> readAll() throws IOException {
    List<Paper> papers = new ArrayList<>();
    for (String id : IDS) {
      String name = id + ".json";
      try (InputStream stream = PaperFile.class.getResourceAsStream("/papers/" + name)) {
        if (stream == null) {
          throw new IOException(
              "papers/" + name + " is not on the class path: build the module bench");
        }
        papers.add(parse(name, new String(stream.readAllBytes(), StandardCharsets.UTF_8)));
      }
    }
    return papers;
  }

  /**
   * Parses a data file.
   *
   * @param name the file's name
   * @param text its content
   * @throws IllegalArgumentException if it is malformed; the message has file, field and remedy
   */
  static Paper parse(String name, String text) {
    Located file = Located.parse(name, text)
        .only("id", "title", "cited", "runs", "headlines", "figures");
    String id = file.text("id");
    Map<String, RunDefinition> runs = new LinkedHashMap<>();
    for (Located from : file.objects("runs")) {
      RunDefinition run = RunDefinition.read(id, from);
      if (runs.put(run.id, run) != null) {
        throw from.wrong("id", "'" + run.id + "' stands there twice", "rename one of them");
      }
    }
    List<PaperFigure> figures = new ArrayList<>();
    Set<String> ids = new LinkedHashSet<>();
    Set<String> unused = new TreeSet<>(runs.keySet());
    for (Located from : file.objects("figures")) {
      PaperFigure figure = PaperFigure.read(from);
      if (!ids.add(figure.id)) {
        throw from.wrong("id", "'" + figure.id + "' stands there twice", "rename one of them");
      }
      for (String run : figure.runs()) {
        unused.remove(run);
        if (!runs.containsKey(run)) {
          throw from.wrong("parts", "names the run '" + run + "', which is not there",
              "there are " + String.join(", ", runs.keySet()));
        }
      }
      figures.add(figure);
    }
    if (figures.isEmpty()) {
      throw file.wrong("figures", "is empty", "add the paper's figures");
    }
    if (!unused.isEmpty()) {
      throw file.wrong("runs", "has '" + unused.iterator().next() + "', which no figure names",
          "name it under \"ours\", or take it out");
    }
    List<PaperHeadline> headlines = new ArrayList<>();
    for (Located from : file.objects("headlines")) {
      PaperHeadline headline = PaperHeadline.read(from, figures);
      if (headlines.stream().anyMatch(other -> other.says.equals(headline.says)
          && other.of.equals(headline.of))) {
        throw from.wrong("of", "'" + headline.of + "' stands there twice for '"
            + headline.says + "'", "write what one of them is about");
      }
      headlines.add(headline);
    }
    return new Paper(id, file.text("title"), file.text("cited"), runs, figures, headlines);
  }
}
