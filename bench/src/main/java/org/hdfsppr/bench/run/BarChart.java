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
package org.hdfsppr.bench.run;

import java.awt.Color;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import org.apache.hadoop.classification.InterfaceAudience;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the median seconds of each mode as a bar, and a limit as a line across the bars. */
@InterfaceAudience.Private
public final class BarChart {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 540;

  private BarChart() {
  }

  /**
   * Draws bars, and a line across them.
   *
   * @param title the chart's title
   * @param bars what the bars show, for the legend
   * @param medians maps the label of each bar to its height, in the order of the bars
   * @param line what the line shows, for the legend
   * @param limit the height of the line; empty for no line
   * @return the chart
   */
  public static CategoryChart draw(String title, String bars, Map<String, Double> medians,
      String line, OptionalDouble limit) {
    List<String> labels = new ArrayList<>(medians.keySet());
    CategoryChart chart = new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(title)
        .xAxisTitle("mode").yAxisTitle("seconds (median)").build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
    chart.getStyler().setLabelsVisible(true);
    chart.getStyler().setAvailableSpaceFill(0.6);
    chart.getStyler().setDecimalPattern("0.0");
    // Without this setting, the chart puts the line beside the bars instead of across them.
    chart.getStyler().setOverlapped(true);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.addSeries(bars, labels, new ArrayList<>(medians.values()));
    if (limit.isPresent()) {
      CategorySeries across = chart.addSeries(line, labels,
          Collections.nCopies(labels.size(), limit.getAsDouble()));
      across.setChartCategorySeriesRenderStyle(CategorySeries.CategorySeriesRenderStyle.Line);
      across.setMarker(SeriesMarkers.NONE);
    }
    return chart;
  }
}
