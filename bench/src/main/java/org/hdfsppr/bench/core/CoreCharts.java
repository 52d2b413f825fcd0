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

import java.awt.Color;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import org.apache.hadoop.classification.InterfaceAudience;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.style.Styler;

/** Draws the analysis as four charts: the paper's figures 3, 4 and 5 and its table II. */
@InterfaceAudience.Private
final class CoreCharts {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 480;

  private CoreCharts() {
  }

  /** {@return the charts, for two rows and two columns} */
  static List<CategoryChart> draw(CoreResults results) {
    Map<String, Map<Integer, Double>> recoverable = new LinkedHashMap<>();
    recoverable.put("data blocks fail", results.values("recoverability"));
    recoverable.put("paper", paper(results));
    recoverable.put("any block fails", results.values("recoverability_full"));
    Map<String, Map<Integer, Double>> clusters = new LinkedHashMap<>();
    clusters.put("data blocks fail", results.values("clusters"));
    clusters.put("any block fails", results.values("clusters_full"));
    Map<String, Map<Integer, Double>> costs = new LinkedHashMap<>();
    costs.put("RGS", results.values("cost_rgs"));
    costs.put("column-first", results.values("cost_column_first"));
    costs.put("row-first", results.values("cost_row_first"));
    return List.of(lines("Recoverable patterns", "percent", recoverable),
        lines("Independent clusters", "mean", clusters),
        lines("Repair cost", "blocks read (mean)", costs), patterns(results));
  }

  private static Map<Integer, Double> paper(CoreResults results) {
    Map<Integer, Double> paper = new LinkedHashMap<>();
    results.records().stream()
        .filter(record -> record.what.equals("recoverability") && record.paper().isPresent())
        .forEach(record -> paper.put(record.failures, record.paper().getAsDouble()));
    return paper;
  }

  private static CategoryChart chart(String title, String x, String y) {
    CategoryChart chart = new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(title)
        .xAxisTitle(x).yAxisTitle(y).build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
    chart.getStyler().setDecimalPattern("0.#");
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    return chart;
  }

  private static CategoryChart lines(String title, String y,
      Map<String, Map<Integer, Double>> series) {
    CategoryChart chart = chart(title, "failures", y);
    chart.getStyler().setDefaultSeriesRenderStyle(CategorySeries.CategorySeriesRenderStyle.Line);
    // Without this setting, each series stands a little beside the number that it belongs to.
    chart.getStyler().setOverlapped(true);
    TreeSet<Integer> failures = new TreeSet<>();
    series.values().forEach(values -> failures.addAll(values.keySet()));
    series.forEach((name, values) -> {
      // A null leaves a gap.
      List<Double> points = new ArrayList<>();
      failures.forEach(failure -> points.add(values.get(failure)));
      if (!values.isEmpty()) {
        chart.addSeries(name, new ArrayList<>(failures), points);
      }
    });
    return chart;
  }

  private static CategoryChart patterns(CoreResults results) {
    CategoryChart chart = chart("Step and plus", "pattern", "blocks read");
    chart.getStyler().setLabelsVisible(true);
    for (String strategy : List.of("rgs", "column_first", "row_first")) {
      List<Double> blocks = new ArrayList<>();
      for (String pattern : List.of("step", "plus")) {
        blocks.add(results.values(pattern + "_" + strategy).values().iterator().next());
      }
      chart.addSeries(strategy.replace('_', '-'), List.of("step", "plus"), blocks);
    }
    return chart;
  }
}
