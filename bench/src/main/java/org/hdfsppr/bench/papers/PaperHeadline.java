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

import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;


/**
 * A main result of a paper. It names one of the paper's values, and the series of ours that are
 * compared with it. Immutable.
 */
final class PaperHeadline {

  /** Which of our points stands for all that the headline is about. */
  enum Take {
    /** For a value that the paper reaches at most. */
    BEST("best"),
    /** For a value that the paper reaches at all points. */
    WORST("worst"),
    /** For a mean of the paper. */
    MEAN("mean");

    final String label;

    Take(String label) {
      this.label = label;
    }

    private static Take read(Located from) {
      String label = from.text("take");
      return Stream.of(values()).filter(take -> take.label.equals(label)).findFirst()
          .orElseThrow(() -> from.wrong("take", "is '" + label + "'",
              "write best, worst or mean"));
    }
  }

  final String says;
  final String of;
  final PaperFigure figure;
  final FigurePart part;
  final PaperValue value;
  final List<String> ours;
  private final String points;
  private final String code;
  final boolean isUpTo;
  private final String at;
  final Take take;
  private final boolean less;

  private PaperHeadline(Located from, List<PaperFigure> figures) {
    from.only("says", "of", "figure", "part", "series", "x", "ours", "points", "code",
        "up_to", "at", "take", "less");
    says = from.text("says");
    of = from.text("of");
    figure = named(from, "figure", figures, figure -> figure.id);
    part = named(from, "part", figure.parts, part -> part.title);
    String series = named(from, "series", part.values, value -> value.series).series;
    value = value(from, series);
    ours = ours(from);
    points = from.optional("points").orElse(null);
    code = from.optional("code").orElse(null);
    isUpTo = from.flag("up_to");
    at = from.optional("at").orElse(null);
    take = value.x.isEmpty() ? Take.read(from) : onlyPoint(from);
    if (at != null && !isUpTo) {
      throw from.wrong("at", "stands without up_to", "add \"up_to\": true");
    }
    if (isUpTo && take == Take.MEAN) {
      throw from.wrong("take", "is mean beside up_to", "write best or worst");
    }
    less = from.flag("less");
  }

  private static Take onlyPoint(Located from) {
    for (String field : List.of("points", "code", "up_to", "at", "take")) {
      if (from.has(field)) {
        throw from.wrong(field, "stands beside x", "take it out: x is the only point");
      }
    }
    return Take.WORST;
  }

  /**
   * Reads a headline.
   *
   * @param figures all figures of the paper
   * @throws IllegalArgumentException if it names a figure, part, value or series that is not there
   */
  static PaperHeadline read(Located from, List<PaperFigure> figures) {
    return new PaperHeadline(from, figures);
  }

  private static <T> T named(Located from, String field, List<T> all,
      Function<T, String> name) {
    String wanted = from.text(field);
    return all.stream().filter(one -> name.apply(one).equals(wanted)).findFirst()
        .orElseThrow(() -> from.wrong(field, "is '" + wanted + "', which is not there",
            all.isEmpty() ? "choose another part: this one has none" : "there are "
                + all.stream().map(name).distinct().collect(Collectors.joining(", "))));
  }

  private PaperValue value(Located from, String series) {
    String x = from.optional("x").orElse("");
    List<PaperValue> values = part.values.stream()
        .filter(one -> one.series.equals(series)).collect(Collectors.toList());
    return values.stream().filter(one -> one.x.equals(x)).findFirst()
        .orElseThrow(() -> from.wrong("x", "is '" + x + "', which is no point of '" + series + "'",
            "there are " + values.stream().map(one -> one.x.isEmpty() ? "all points (no x)"
                : one.x).collect(Collectors.joining("; "))));
  }

  private List<String> ours(Located from) {
    List<String> labels = from.texts("ours");
    String there = "there are "
        + part.ours.stream().map(series -> series.label).collect(Collectors.joining(", "));
    if (labels.isEmpty()) {
      throw from.wrong("ours", "has no series", there);
    }
    if (new HashSet<>(labels).size() < labels.size()) {
      throw from.wrong("ours", "names a series twice", "take one of them out");
    }
    for (String label : labels) {
      if (part.ours.stream().noneMatch(series -> RowQuery.couldBe(series.label, label))) {
        throw from.wrong("ours", "names '" + label + "', which is no series of ours there", there);
      }
    }
    return labels;
  }

  /** {@return whether the verdict on the headline looks at this point of our series} */
  boolean isAbout(String point) {
    return value.x.isEmpty() ? has(point, points) : point.equals(value.x);
  }

  /** {@return whether a point of ours has the code that the paper's value is of} */
  boolean hasPapersCode(String point) {
    return has(point, code);
  }

  /** {@return whether the paper says at which point it reaches its value} */
  boolean saysWhere() {
    return at != null;
  }

  /** {@return whether a point of ours is the one at which the paper reaches its value} */
  boolean isWhere(String point) {
    return has(point, at);
  }

  /** Returns whether a point has all of these words; null stands for none. */
  private static boolean has(String point, String words) {
    return words == null
        || List.of(point.split(", ")).containsAll(List.of(words.split(", ")));
  }

  /** {@return whether a lesser value is the better one} */
  boolean isLessBetter() {
    return less;
  }
}
