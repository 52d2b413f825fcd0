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

import java.util.Optional;


/** A point of a figure: the paper's value and ours, at least one of the two. Immutable. */
final class ResultRow {
  final String series;
  final String x;
  private final PaperValue paper;
  private final Measured ours;

  /**
   * @param paper the paper's value, or null
   * @param ours our value, or null
   */
  ResultRow(String series, String x, PaperValue paper, Measured ours) {
    this.series = series;
    this.x = x;
    this.paper = paper;
    this.ours = ours;
  }

  Optional<PaperValue> paper() {
    return Optional.ofNullable(paper);
  }

  Optional<Measured> ours() {
    return Optional.ofNullable(ours);
  }
}
