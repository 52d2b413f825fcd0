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
import java.util.List;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/** Draws the seconds of each mode as a bar, with a colour for each phase. */
@InterfaceAudience.Private
final class PhasesChart {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 540;

  private PhasesChart() {
  }

  static CategoryChart draw(String title, List<PhasesRecord> records) {
    CategoryChart chart = new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(title)
        .xAxisTitle("mode").yAxisTitle("seconds (mean)").build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setStacked(true);
    List<String> modes =
        records.stream().map(record -> record.mode.label).collect(Collectors.toList());
    for (ReadPhase phase : ReadPhase.values()) {
      chart.addSeries(phase.label, modes, records.stream()
          .map(record -> record.seconds(phase)).collect(Collectors.toList()));
    }
    return chart;
  }
}
