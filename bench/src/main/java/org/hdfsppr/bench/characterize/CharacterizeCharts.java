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
package org.hdfsppr.bench.characterize;

import java.awt.Color;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/** Draws the throughput of all schemes over the size of requests, a chart for each kind of load. */
@InterfaceAudience.Private
final class CharacterizeCharts {
  private static final int WIDTH = 700;
  private static final int HEIGHT = 420;

  private CharacterizeCharts() {
  }

  static List<CategoryChart> draw(List<PointRecord> records) {
    Map<String, List<PointRecord>> loads = new LinkedHashMap<>();
    for (PointRecord record : records) {
      LoadPoint point = record.point;
      loads.computeIfAbsent(point.places.label + " " + point.operation.label() + ", "
          + point.state.label(), load -> new ArrayList<>()).add(record);
    }
    List<CategoryChart> charts = new ArrayList<>();
    loads.forEach((load, ofLoad) -> charts.add(draw(load, ofLoad)));
    return charts;
  }

  private static CategoryChart draw(String load, List<PointRecord> records) {
    CategoryChart chart = new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(load)
        .xAxisTitle("bytes of a request").yAxisTitle("MB/s").build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    List<Long> requests = records.stream().map(record -> record.point.requestBytes)
        .distinct().sorted().collect(Collectors.toList());
    List<String> labels = requests.stream().map(RequestSizes::text).collect(Collectors.toList());
    records.stream().map(record -> record.point.scheme.label).distinct()
        .forEach(scheme -> chart.addSeries(scheme, labels, requests.stream()
            .map(request -> speed(records, scheme, request).orElse(null))
            .collect(Collectors.toList())));
    return chart;
  }

  private static Optional<Double> speed(List<PointRecord> records, String scheme, long request) {
    return records.stream().filter(record -> record.point.scheme.label.equals(scheme)
        && record.point.requestBytes == request).map(PointRecord::mbPerSecond).findFirst();
  }
}
