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


/** A value that a paper prints. Immutable. */
final class PaperValue {
  final String series;
  final String x;
  final double value;
  private final Double most;
  final String source;
  final boolean fromPlot;

  private PaperValue(String series, String x, double value, Double most, String source,
      boolean fromPlot) {
    this.series = series;
    this.x = x;
    this.value = value;
    this.most = most;
    this.source = source;
    this.fromPlot = fromPlot;
  }

  static PaperValue read(Located from) {
    from.only("series", "x", "value", "to", "source", "from_plot");
    Double most = from.has("to") ? (Double) from.number("to") : null;
    if (most != null && most <= from.number("value")) {
      throw from.wrong("to", "is " + most + ", and not more than value",
          "write the lower end as value and the upper end as to");
    }
    return new PaperValue(from.text("series"), from.optional("x").orElse(""),
        from.number("value"), most, from.text("source"), from.flag("from_plot"));
  }

  /** {@return the upper end, where the paper prints a range} */
  Optional<Double> most() {
    return Optional.ofNullable(most);
  }
}
