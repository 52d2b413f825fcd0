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
package org.hdfsppr.bench.update;

import java.awt.Color;
import java.util.ArrayList;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.style.Styler;

/** Draws the probabilities of a loss over hours: the paper's figure 7. */
@InterfaceAudience.Private
final class LossChart {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 480;

  private LossChart() {
  }

  /**
   * Draws the chart of a code.
   *
   * @param code the name of the code
   * @param records the records of all codes
   * @return the chart; the time 0 is left out, because its probability has no logarithm
   */
  static CategoryChart draw(String code, List<LossRecord> records) {
    CategoryChart chart = new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(code)
        .xAxisTitle("hours until the parity follows").yAxisTitle("probability of a loss").build();
    chart.getStyler().setDefaultSeriesRenderStyle(CategorySeries.CategorySeriesRenderStyle.Line);
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setOverlapped(true);
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    for (LossProbability.Scheme scheme : LossProbability.Scheme.values()) {
      List<Integer> hours = new ArrayList<>();
      List<Double> probabilities = new ArrayList<>();
      for (LossRecord record : records) {
        if (record.code.equals(code) && record.scheme == scheme && record.hours > 0) {
          hours.add(record.hours);
          probabilities.add(record.probability);
        }
      }
      chart.addSeries(scheme.label, hours, probabilities);
    }
    return chart;
  }
}
