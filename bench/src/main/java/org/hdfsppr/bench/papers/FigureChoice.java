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
import java.util.stream.Collectors;


/** Finds the figures that a user names. */
final class FigureChoice {
  private FigureChoice() {
  }

  /**
   * {@return the papers with the figures that the user wants}
   *
   * @param papers all papers
   * @param wanted each {@code PAPER} or {@code PAPER:FIGURE}; all figures if there is none
   * @throws IllegalArgumentException if there is no such paper or figure
   */
  static List<Paper> of(List<Paper> papers, List<String> wanted) {
    if (wanted.isEmpty()) {
      return papers;
    }
    List<Paper> chosen = new ArrayList<>();
    for (Paper paper : papers) {
      List<PaperFigure> figures = paper.figures.stream()
          .filter(figure -> wanted.contains(paper.id)
              || wanted.contains(paper.id + ":" + figure.id))
          .collect(Collectors.toList());
      if (!figures.isEmpty()) {
        chosen.add(paper.with(figures));
      }
    }
    for (String word : wanted) {
      String[] parts = word.split(":", 2);
      Paper paper = papers.stream().filter(one -> one.id.equals(parts[0])).findFirst()
          .orElseThrow(() -> new IllegalArgumentException("'" + parts[0] + "' is no paper here; "
              + "there are "
              + papers.stream().map(known -> known.id).collect(Collectors.joining(", "))));
      if (parts.length == 2 && paper.figure(parts[1]).isEmpty()) {
        throw new IllegalArgumentException("'" + word + "' is no figure here; there are "
            + paper.figures.stream().map(figure -> figure.id)
                .map(id -> parts[0] + ":" + id).collect(Collectors.joining(", ")));
      }
    }
    return chosen;
  }
}
