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

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;


/** A headline of a paper, and what one of our series has to set against it. Immutable. */
final class HeadlineResult {

  /** How ours compares with the paper's value. */
  enum Verdict {
    /** Ours is better than the paper's value, or than all values of its range. */
    BETTER("better"),
    /** Ours is the paper's value as far as the paper prints it, or as far as our runs differ. */
    AS_GOOD("as good"),
    /** The section of the figure says why. */
    NOT_AS_GOOD("not as good"),
    /** Ours is of another code than the paper's value, so that the two cannot be compared. */
    OTHER_CODE("other code"),
    /**
     * The paper's value is the best or the worst of its points, and ours lack that point, or some
     * of all points where the paper does not say which one it is.
     */
    OTHER_POINTS("other points"),
    /** No run has such a point. */
    NOT_RUN("not measured in these runs");

    final String label;

    Verdict(String label) {
      this.label = label;
    }
  }

  final FigureSection section;
  final PaperHeadline headline;
  final String series;
  private final Map<String, Measured> points;

  private HeadlineResult(FigureSection section, PaperHeadline headline, String series,
      Map<String, Measured> points) {
    this.section = section;
    this.headline = headline;
    this.series = series;
    this.points = points;
  }

  /** {@return the headlines of all figures of a page, in the order of the data files} */
  static List<HeadlineResult> of(PaperPage page) {
    List<HeadlineResult> results = new ArrayList<>();
    for (Paper paper : page.papers()) {
      for (PaperHeadline headline : paper.headlines) {
        for (FigureSection section : page.of(paper)) {
          if (section.figure == headline.figure) {
            headline.ours.forEach(series -> results.add(of(section, headline, series)));
          }
        }
      }
    }
    return results;
  }

  private static HeadlineResult of(FigureSection section, PaperHeadline headline, String series) {
    Map<String, Measured> points = new LinkedHashMap<>();
    section.parts.stream().filter(result -> result.part == headline.part)
        .flatMap(result -> result.rows.stream())
        .filter(row -> row.ours().isPresent() && row.series.equals(series)
            && headline.isAbout(row.x))
        // Several values of the paper at one point make several rows of it.
        .forEach(row -> points.put(row.x, row.ours().get()));
    keepIfAny(points, headline::hasPapersCode);
    keepIfAny(points, headline::isWhere);
    return new HeadlineResult(section, headline, series, points);
  }

  /** Drops all points but those that can be compared with the paper's, if there are such. */
  private static void keepIfAny(Map<String, Measured> points, Predicate<String> isComparable) {
    if (points.keySet().stream().anyMatch(isComparable)) {
      points.keySet().removeIf(isComparable.negate());
    }
  }

  /** {@return how many points of ours the headline is about} */
  int points() {
    return points.size();
  }

  /**
   * {@return the point of ours that counts: the best, the worst, or any if their mean counts}
   *
   * @throws java.util.NoSuchElementException if there is none
   */
  String point() {
    boolean isLeast = headline.isLessBetter() == (headline.take == PaperHeadline.Take.BEST);
    Comparator<Map.Entry<String, Measured>> least =
        Comparator.comparingDouble(point -> point.getValue().median);
    return points.entrySet().stream().min(isLeast ? least : least.reversed()).orElseThrow()
        .getKey();
  }

  /** {@return what was measured there; the mean of all points is one value} */
  Measured measured() {
    return headline.take != PaperHeadline.Take.MEAN ? points.get(point())
        : new Measured(List.of(points.values().stream()
        .mapToDouble(measured -> measured.median).average()
            .orElseThrow()));
  }

  Verdict verdict() {
    if (points.isEmpty()) {
      return Verdict.NOT_RUN;
    }
    if (!headline.hasPapersCode(point())) {
      return Verdict.OTHER_CODE;
    }
    if (headline.isUpTo && !hasPapersPoint()) {
      return Verdict.OTHER_POINTS;
    }
    double least = headline.value.value;
    double most = headline.value.most().orElse(least);
    Measured ours = measured();
    double rounded = rounded(ours.median);
    boolean isWithin = least <= ours.most && ours.least <= most
        || least <= rounded && rounded <= most;
    if (isWithin) {
      return Verdict.AS_GOOD;
    }
    return ours.median < least == headline.isLessBetter() ? Verdict.BETTER
        : Verdict.NOT_AS_GOOD;
  }

  /** Where the paper does not say which point it is, it is only among all points. */
  private boolean hasPapersPoint() {
    return headline.saysWhere() ? headline.isWhere(point()) : section.hasAllPoints;
  }

  /** Returns a value of ours with as many decimals as the paper prints. */
  private double rounded(double value) {
    int decimals = Math.max(decimals(headline.value.value),
        headline.value.most().map(HeadlineResult::decimals).orElse(0));
    return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP).doubleValue();
  }

  private static int decimals(double printed) {
    return Math.max(0, BigDecimal.valueOf(printed).stripTrailingZeros().scale());
  }
}
