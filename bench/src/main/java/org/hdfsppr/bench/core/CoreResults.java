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
package org.hdfsppr.bench.core;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.hdfsppr.bench.run.Chart;

/** The results of an analysis so far: prints them as tables, and next to what is wanted. */
final class CoreResults {
  /** How far a recoverability may be from the paper's, percentage points. */
  static final double POINTS_MAX = 0.08;

  private static final String DECIMALS = "0.#";
  private static final String RGS = "cost_rgs";
  private static final List<String> OTHERS = List.of("cost_row_first", "cost_column_first");

  private final List<CoreRecord> records = new ArrayList<>();

  void add(CoreRecord record) {
    records.add(record);
  }

  List<CoreRecord> records() {
    return Collections.unmodifiableList(records);
  }

  /** {@return the values of one kind of result, by number of failures} */
  Map<Integer, Double> values(String what) {
    return records.stream().filter(record -> record.what.equals(what))
        .collect(Collectors.toMap(record -> record.failures, record -> record.value,
            (first, second) -> second, LinkedHashMap::new));
  }

  /** Prints a line for each number of failures, and a column for each kind of result. */
  void print(PrintWriter out) {
    List<String> columns = List.of("recoverability", "paper", "recoverability_full", "clusters",
        "clusters_full", RGS, "cost_row_first", "cost_column_first");
    out.printf("%8s", "failures");
    columns.forEach(column -> out.printf(" %20s", column));
    out.println();
    int most = records.stream().mapToInt(record -> record.failures).max().orElse(0);
    for (int failures = 1; failures <= most; failures++) {
      out.printf("%8d", failures);
      for (String column : columns) {
        out.printf(" %20s", cell(column, failures));
      }
      out.println();
    }
    records.stream().filter(record -> record.what.matches("(step|plus|lower|upper)_.*"))
        .forEach(record -> out.printf(Locale.ROOT, "%s %.0f%s%n", record.what, record.value,
            record.paper().isPresent() ? " (paper " + (int) record.paper().getAsDouble() + ")"
                : ""));
    out.flush();
  }

  private String cell(String column, int failures) {
    boolean isPaper = column.equals("paper");
    String what = isPaper ? "recoverability" : column;
    return records.stream()
        .filter(record -> record.what.equals(what) && record.failures == failures)
        .map(record -> isPaper ? record.paper() : OptionalDouble.of(record.value))
        .filter(OptionalDouble::isPresent)
        .map(value -> String.format(Locale.ROOT, "%.3f", value.getAsDouble()))
        .findFirst().orElse("-");
  }

  /** {@return the largest distance from the paper's recoverabilities, percentage points} */
  OptionalDouble farthestFromPaper() {
    return records.stream()
        .filter(record -> record.what.equals("recoverability") && record.paper().isPresent())
        .mapToDouble(record -> Math.abs(record.value - record.paper().getAsDouble())).max();
  }

  /**
   * {@return the numbers of failures for which RGS reads more than another strategy, on average}
   */
  List<Integer> dearerRgs() {
    List<Integer> dearer = new ArrayList<>();
    values(RGS).forEach((failures, cost) -> {
      if (OTHERS.stream().anyMatch(other -> values(other).get(failures) < cost)) {
        dearer.add(failures);
      }
    });
    return dearer;
  }

  /** {@return the results other than recoverabilities that are not exactly the paper's} */
  List<String> notThePapers() {
    return records.stream()
        .filter(record -> !record.what.equals("recoverability") && record.paper().isPresent()
            && record.value != record.paper().getAsDouble())
        .map(record -> record.what + " is " + record.value)
        .collect(Collectors.toList());
  }

  /** Prints what is wanted next to what is. */
  void printGoals(PrintWriter out) {
    farthestFromPaper().ifPresent(points -> out.printf(Locale.ROOT,
        "%-7s recoverability is at most %.3f percentage points from the paper's, wanted <= %.2f%n",
        points <= POINTS_MAX ? "holds" : "MISSED", points, POINTS_MAX));
    out.printf("%-7s RGS reads no more than the others on average%s%n",
        dearerRgs().isEmpty() ? "holds" : "MISSED",
        dearerRgs().isEmpty() ? "" : ", but not for failures " + dearerRgs());
    out.printf("%-7s bounds, step and plus are the paper's%s%n",
        notThePapers().isEmpty() ? "holds" : "MISSED",
        notThePapers().isEmpty() ? "" : ": " + notThePapers());
    out.flush();
  }

  /** {@return the paper's figures 3, 4 and 5 and its table II, for two rows and two columns} */
  List<Chart> charts() {
    Map<Integer, Double> paper = new LinkedHashMap<>();
    records.stream()
        .filter(record -> record.what.equals("recoverability") && record.paper().isPresent())
        .forEach(record -> paper.put(record.failures, record.paper().getAsDouble()));
    Map<String, Map<Integer, Double>> recoverable = new LinkedHashMap<>();
    recoverable.put("data blocks fail", values("recoverability"));
    recoverable.put("paper", paper);
    recoverable.put("any block fails", values("recoverability_full"));
    Map<String, Map<Integer, Double>> clusters = new LinkedHashMap<>();
    clusters.put("data blocks fail", values("clusters"));
    clusters.put("any block fails", values("clusters_full"));
    Map<String, Map<Integer, Double>> costs = new LinkedHashMap<>();
    costs.put("RGS", values(RGS));
    costs.put("column-first", values("cost_column_first"));
    costs.put("row-first", values("cost_row_first"));
    return List.of(lines("Recoverable patterns", "percent", recoverable),
        lines("Independent clusters", "mean", clusters),
        lines("Repair cost", "blocks read (mean)", costs), patterns());
  }

  private static Chart lines(String title, String y, Map<String, Map<Integer, Double>> series) {
    Chart chart = Chart.small(title, "failures", y).lines();
    chart.styler().setDecimalPattern(DECIMALS);
    TreeSet<Integer> failures = new TreeSet<>();
    series.values().forEach(values -> failures.addAll(values.keySet()));
    series.forEach((name, values) -> {
      // A null leaves a gap.
      List<Double> points = new ArrayList<>();
      failures.forEach(failure -> points.add(values.get(failure)));
      if (!values.isEmpty()) {
        chart.series(name, new ArrayList<>(failures), points);
      }
    });
    return chart;
  }

  private Chart patterns() {
    Chart chart = Chart.small("Step and plus", "pattern", "blocks read");
    chart.styler().setDecimalPattern(DECIMALS);
    chart.styler().setLabelsVisible(true);
    for (String strategy : List.of("rgs", "column_first", "row_first")) {
      Map<String, Double> blocks = new LinkedHashMap<>();
      for (String pattern : List.of("step", "plus")) {
        blocks.put(pattern, values(pattern + "_" + strategy).values().iterator().next());
      }
      chart.series(strategy.replace('_', '-'), blocks);
    }
    return chart;
  }
}
