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

import java.util.List;
import java.util.Map;
import java.util.Optional;


/** A paper: its figures, and the runs behind them. Immutable. */
final class Paper {
  final String id;
  final String title;
  final String cited;
  private final Map<String, RunDefinition> runs;
  final List<PaperFigure> figures;
  final List<PaperHeadline> headlines;

  Paper(String id, String title, String cited, Map<String, RunDefinition> runs,
      List<PaperFigure> figures, List<PaperHeadline> headlines) {
    this.id = id;
    this.title = title;
    this.cited = cited;
    this.runs = runs;
    this.figures = List.copyOf(figures);
    this.headlines = List.copyOf(headlines);
  }

  RunDefinition run(String runId) {
    return runs.get(runId);
  }

  /** {@return this paper with some of its figures only} */
  Paper with(List<PaperFigure> some) {
    return new Paper(id, title, cited, runs, some, headlines);
  }

  Optional<PaperFigure> figure(String figureId) {
    return figures.stream().filter(figure -> figure.id.equals(figureId)).findFirst();
  }
}
