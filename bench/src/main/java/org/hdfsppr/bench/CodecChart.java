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
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/**
 * Draws the speed of the first measured operation with the largest measured cells. Each code and
 * kernel has a bar.
 */
@InterfaceAudience.Private
final class CodecChart {
  private static final int WIDTH_MIN = 900;
  private static final int WIDTH_PER_CODE = 180;
  private static final int HEIGHT = 540;

  private CodecChart() {
  }

  static CategoryChart draw(CodecTable table) {
    int cell = table.cases().stream().mapToInt(codecCase -> codecCase.cellBytes).max().getAsInt();
    CodecCase.Op op = table.cases().stream().map(codecCase -> codecCase.op)
        .min(Enum::compareTo).get();
    List<String> codes = new ArrayList<>(table.cases().stream().map(codecCase -> codecCase.code)
        .collect(Collectors.toCollection(LinkedHashSet::new)));
    Set<String> kernels = table.cases().stream().map(codecCase -> codecCase.kernel)
        .collect(Collectors.toCollection(LinkedHashSet::new));
    CategoryChart chart = new CategoryChartBuilder()
        .width(Math.max(WIDTH_MIN, WIDTH_PER_CODE * codes.size())).height(HEIGHT)
        .title(op.label() + ", cells of " + CodecTable.size(cell) + ", one core")
        .xAxisTitle("code").yAxisTitle("GB/s of data (median)").build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
    chart.getStyler().setAvailableSpaceFill(0.8);
    chart.getStyler().setDecimalPattern("0.0");
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    for (String kernel : kernels) {
      // Not every kernel supports every code. A null leaves a gap in the chart.
      List<Double> speeds = new ArrayList<>();
      for (String code : codes) {
        double speed =
            table.medianGbPerSecond(new CodecCase(code, op, kernel, cell)).orElse(Double.NaN);
        speeds.add(Double.isNaN(speed) ? null : speed);
      }
      if (speeds.stream().anyMatch(speed -> speed != null)) {
        chart.addSeries(kernel, codes, speeds);
      }
    }
    return chart;
  }
}
