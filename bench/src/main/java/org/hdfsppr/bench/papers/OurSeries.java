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


/**
 * Says which rows of which runs are one or several series of a plot. Label and x are templates:
 * {@code {code}} is the field {@code code} of a row, {@code {arg.rate}} the variable {@code rate}
 * of the run's command line. Immutable.
 */
final class OurSeries {

  /** What becomes of a value and of the value that it is compared with. */
  enum Comparison {
    /** Percent by which the value is less. */
    PERCENT_LESS("percent-less") {
      @Override
      double of(double value, double base) {
        return 100 * (1 - value / base);
      }
    },
    /** Percent by which the value is more. */
    PERCENT_MORE("percent-more") {
      @Override
      double of(double value, double base) {
        return 100 * (value / base - 1);
      }
    },
    /** The value in percent of the other. */
    PERCENT_OF("percent-of") {
      @Override
      double of(double value, double base) {
        return 100 * value / base;
      }
    },
    /** How many times the other the value is. */
    TIMES("times") {
      @Override
      double of(double value, double base) {
        return value / base;
      }
    };

    private final String label;

    Comparison(String label) {
      this.label = label;
    }

    abstract double of(double value, double base);

    static Optional<Comparison> byLabel(String label) {
      for (Comparison comparison : values()) {
        if (comparison.label.equals(label)) {
          return Optional.of(comparison);
        }
      }
      return Optional.empty();
    }
  }

  final List<String> runs;
  final Map<String, List<String>> where;
  final String label;
  final String x;
  final String y;
  final double scale;
  private final Comparison comparison;
  final Map<String, List<String>> baseWhere;
  final List<String> baseSame;
  final String baseY;
  final boolean unpaired;

  private OurSeries(Located from) {
    from.only("runs", "where", "label", "x", "y", "scale", "as", "over");
    runs = from.texts("runs");
    if (runs.isEmpty()) {
      throw from.wrong("runs", "is missing", "name a run of this file");
    }
    where = from.lists("where");
    label = from.text("label");
    x = from.text("x");
    y = from.text("y");
    scale = from.has("scale") ? from.number("scale") : 1;
    if (from.has("as") != from.has("over")) {
      throw from.wrong("as", "goes with over", "write both or none");
    }
    if (from.has("as")) {
      comparison = Comparison.byLabel(from.text("as")).orElseThrow(() -> from.wrong("as",
          "is " + from.text("as"), "write percent-less, percent-more, percent-of or times"));
      Located over = from.object("over").only("where", "same", "y", "unpaired");
      baseWhere = over.lists("where");
      baseSame = over.texts("same");
      baseY = over.optional("y").orElse(y);
      unpaired = over.flag("unpaired");
    } else {
      comparison = null;
      baseWhere = Map.of();
      baseSame = List.of();
      baseY = y;
      unpaired = false;
    }
  }

  static OurSeries read(Located from) {
    return new OurSeries(from);
  }

  /** {@return how the value is compared with that of other rows; empty if it stands for itself} */
  Optional<Comparison> comparison() {
    return Optional.ofNullable(comparison);
  }
}
