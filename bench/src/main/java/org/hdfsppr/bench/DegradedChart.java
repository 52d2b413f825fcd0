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
package org.hdfsppr.bench;

import java.awt.Color;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.classification.InterfaceAudience;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/** Draws the median MB/s of each mode as bars, one colour for each pattern. */
@InterfaceAudience.Private
final class DegradedChart {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 540;

  private DegradedChart() {
  }

  static CategoryChart draw(String title, List<DegradedRecord> records) {
    CategoryChart chart = new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(title)
        .xAxisTitle("mode").yAxisTitle("MB/s (median)").build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
    chart.getStyler().setLabelsVisible(true);
    chart.getStyler().setDecimalPattern("0.0");
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    for (ReadPattern pattern : ReadPattern.values()) {
      Map<String, Double> bars = new LinkedHashMap<>();
      records.stream().filter(record -> record.pattern == pattern)
          .forEach(record -> bars.put(record.mode.label, record.megabytesPerSecond()));
      if (!bars.isEmpty()) {
        chart.addSeries(pattern.label, List.copyOf(bars.keySet()), List.copyOf(bars.values()));
      }
    }
    return chart;
  }
}
