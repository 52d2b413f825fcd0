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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.bench.run.BarChart;
import org.hdfsppr.bench.run.ByteSize;
import org.knowm.xchart.CategoryChart;

/**
 * Draws the median seconds of each mode and size of blocks as a bar. If there is one size, a line
 * across the bars shows the lower limit C/B, the time in which a link carries one block.
 */
@InterfaceAudience.Private
final class RepairChart {
  private RepairChart() {
  }

  static CategoryChart draw(String title, List<RepairRecord> records) {
    Map<Long, List<RepairRecord>> bySize = records.stream().collect(
        Collectors.groupingBy(record -> record.blockBytes,
        LinkedHashMap::new, Collectors.toList()));
    Map<String, Double> medians = new LinkedHashMap<>();
    bySize.forEach((bytes, ofSize) -> new RepairTable(ofSize).medianSeconds()
        .forEach((mode, seconds) -> medians.put(bySize.size() == 1 ? mode.label
            : mode.label + " " + ByteSize.words(bytes), seconds)));
    // Each size has its own limit, and the chart has one line.
    return BarChart.draw(title, "repair", medians, "limit C/B", bySize.size() == 1
        ? records.get(0).limitSeconds() : OptionalDouble.empty());
  }
}
