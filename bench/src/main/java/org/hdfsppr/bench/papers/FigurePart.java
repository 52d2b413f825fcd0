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
import java.util.stream.Collectors;


/** A plot of a figure, or a column of a table: one unit, the paper's values and ours. Immutable. */
final class FigurePart {
  final String title;
  final String unit;
  final String xTitle;
  final String yTitle;
  final boolean numeric;
  final boolean logarithmic;
  final boolean chartOnly;
  final List<PaperValue> values;
  private final String says;
  final List<OurSeries> ours;

  private FigurePart(Located from) {
    from.only("title", "unit", "x", "y", "numeric", "log", "chart_only", "values", "says",
        "ours");
    title = from.text("title");
    unit = from.text("unit");
    xTitle = from.text("x");
    yTitle = from.text("y");
    numeric = from.flag("numeric");
    logarithmic = from.flag("log");
    chartOnly = from.flag("chart_only");
    values = from.objects("values").stream().map(PaperValue::read).collect(Collectors.toList());
    says = from.optional("says").orElse(null);
    if (values.isEmpty() && says == null) {
      throw from.wrong("values", "is missing", "add the paper's values, or with \"says\" what its "
          + "text says of a plot that has no numbers");
    }
    ours = from.objects("ours").stream().map(OurSeries::read).collect(Collectors.toList());
  }

  static FigurePart read(Located from) {
    return new FigurePart(from);
  }

  /** {@return what the paper's text says of a plot without numbers} */
  Optional<String> says() {
    return Optional.ofNullable(says);
  }
}
