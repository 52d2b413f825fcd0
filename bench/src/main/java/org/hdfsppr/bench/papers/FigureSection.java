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
import java.util.Optional;


/** The section of a figure on the page. Immutable. */
final class FigureSection {

  /** How much of a figure has runs behind it. */
  enum State {
    /** All that the paper's figure has. */
    MEASURED("measured"),
    /** A part of it; the section says which part is missing. */
    IN_PART("measured in part"),
    /** Nothing; the section says what is needed. */
    NOT_RUN("not run yet");

    final String label;

    State(String label) {
      this.label = label;
    }
  }

  final Paper paper;
  final PaperFigure figure;
  final State state;
  private final String lacks;
  final boolean hasAllPoints;
  final List<PartResult> parts;
  final List<StoredRun> runs;

  /**
   * @param lacks what is missing; null only if the figure is measured
   * @param hasAllPoints whether ours has all points that a full run measures
   * @param runs all runs behind this section
   */
  FigureSection(Paper paper, PaperFigure figure, State state, String lacks,
      boolean hasAllPoints, List<PartResult> parts, List<StoredRun> runs) {
    if (state == State.MEASURED != (lacks == null)) {
      throw new IllegalArgumentException(figure.id + " is " + state + " and lacks " + lacks);
    }
    this.paper = paper;
    this.figure = figure;
    this.state = state;
    this.lacks = lacks;
    this.hasAllPoints = hasAllPoints;
    this.parts = List.copyOf(parts);
    this.runs = List.copyOf(runs);
  }

  /** {@return a name that occurs once on the page, for links and files} */
  String anchor() {
    return paper.id + "-" + figure.id;
  }

  Optional<String> lacks() {
    return Optional.ofNullable(lacks);
  }
}
