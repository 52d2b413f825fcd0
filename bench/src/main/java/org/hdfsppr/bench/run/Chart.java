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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import org.apache.hadoop.classification.InterfaceAudience;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A chart of bars or lines over labels, with its legend below. */
@InterfaceAudience.Private
public final class Chart {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 540;
  /** For charts of which several are in one file. */
  private static final int SMALL_WIDTH = 800;
  private static final int SMALL_HEIGHT = 480;

  final CategoryChart drawn;

  /**
   * @param title the chart's title
   * @param x what the labels are
   * @param y what the heights are, with their unit
   */
  public Chart(String title, String x, String y) {
    this(WIDTH, HEIGHT, title, x, y);
  }

  /**
   * @param width the width in pixels
   * @param height the height in pixels
   * @param title the chart's title
   * @param x what the labels are
   * @param y what the heights are, with their unit
   */
  public Chart(int width, int height, String title, String x, String y) {
    drawn = new CategoryChartBuilder().width(width).height(height).title(title).xAxisTitle(x)
        .yAxisTitle(y).build();
    styler().setLegendPosition(Styler.LegendPosition.OutsideS);
    styler().setLegendLayout(Styler.LegendLayout.Horizontal);
    styler().setChartBackgroundColor(Color.WHITE);
  }

  /**
   * {@return a small chart, for a file with several}
   *
   * @param title the chart's title
   * @param x what the labels are
   * @param y what the heights are, with their unit
   */
  public static Chart small(String title, String x, String y) {
    return new Chart(SMALL_WIDTH, SMALL_HEIGHT, title, x, y);
  }

  /**
   * {@return a chart of the median seconds of modes as bars, and a limit as a line across them}
   *
   * @param title the chart's title
   * @param bars what the bars show, for the legend
   * @param medians maps the label of each bar to its height, in the order of the bars
   * @param line what the line shows, for the legend
   * @param limit the height of the line; empty for no line
   */
  public static Chart ofMedians(String title, String bars, Map<String, Double> medians,
      String line, OptionalDouble limit) {
    Chart chart = new Chart(title, "mode", "seconds (median)");
    chart.styler().setLabelsVisible(true);
    chart.styler().setAvailableSpaceFill(0.6);
    chart.styler().setDecimalPattern("0.0");
    // Without this setting, the chart puts the line beside the bars instead of across them.
    chart.styler().setOverlapped(true);
    chart.series(bars, medians);
    if (limit.isPresent()) {
      CategorySeries across = chart.drawn.addSeries(line, List.copyOf(medians.keySet()),
          Collections.nCopies(medians.size(), limit.getAsDouble()));
      across.setChartCategorySeriesRenderStyle(CategorySeries.CategorySeriesRenderStyle.Line);
      across.setMarker(SeriesMarkers.NONE);
    }
    return chart;
  }

  /** {@return this chart, which draws lines instead of bars} */
  public Chart lines() {
    styler().setDefaultSeriesRenderStyle(CategorySeries.CategorySeriesRenderStyle.Line);
    // Without this setting, each series stands a little beside the label that it belongs to.
    styler().setOverlapped(true);
    return this;
  }

  /** {@return the settings that only some charts change} */
  public CategoryStyler styler() {
    return drawn.getStyler();
  }

  /**
   * Adds a series.
   *
   * @param name the series' name in the legend
   * @param heights maps each label to the height there
   */
  public void series(String name, Map<?, Double> heights) {
    series(name, List.copyOf(heights.keySet()), List.copyOf(heights.values()));
  }

  /**
   * Adds a series.
   *
   * @param name the series' name in the legend
   * @param labels the labels
   * @param heights the height at each label; a null leaves a gap
   */
  public void series(String name, List<?> labels, List<Double> heights) {
    drawn.addSeries(name, labels, heights);
  }
}
