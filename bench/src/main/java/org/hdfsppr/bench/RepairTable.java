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

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.bench.run.Medians;

/** Prints the medians over the runs of each mode. */
@InterfaceAudience.Private
final class RepairTable {
  private static final double MIB = 1024 * 1024;

  private final Map<RepairMode, List<RepairRecord>> byMode = new LinkedHashMap<>();

  RepairTable(List<RepairRecord> records) {
    for (RepairRecord record : records) {
      byMode.computeIfAbsent(record.mode, mode -> new ArrayList<>()).add(record);
    }
  }

  /** Returns the median seconds per mode, in the order in which the modes ran. */
  Map<RepairMode, Double> medianSeconds() {
    Map<RepairMode, Double> medians = new LinkedHashMap<>();
    byMode.forEach((mode, runs) ->
        medians.put(mode, median(runs, record -> record.outcome.seconds)));
    return medians;
  }

  void print(PrintWriter out) {
    out.printf("%-12s %4s %9s %17s %9s %14s %13s %13s %13s %13s %13s %14s%n", "mode",
        "runs", "seconds", "(min - max)", "x limit", "x stock-tuned", "busiest MiB", "network MiB",
        "disk MiB", "helpers MiB", "recipe MiB", "cross-rack MiB");
    Double tuned = medianSeconds().get(RepairMode.STOCK_TUNED);
    byMode.forEach((mode, runs) -> {
      double seconds = medianSeconds().get(mode);
      OptionalDouble limit = runs.get(0).limitSeconds();
      out.printf("%-12s %4d %9s %17s %9s %14s %13s %13s %13s %13s %13s %14s%s%n",
          mode.label, runs.size(), number(seconds),
          "(" + number(least(runs)) + " - " + number(most(runs)) + ")",
          limit.isPresent() ? number(seconds / limit.getAsDouble()) : "-",
          tuned == null ? "-" : number(seconds / tuned),
          mebibytes(runs, record -> orNaN(record.outcome.busiestReceivedBytes)),
          mebibytes(runs, record -> orNaN(record.outcome.networkBytes)),
          mebibytes(runs, record -> record.outcome.diskReadBytes),
          mebibytes(runs, record -> orNaN(record.outcome.helperReadBytes)),
          mebibytes(runs, record -> orNaN(record.recipeReadBytes())),
          mebibytes(runs, record -> orNaN(record.outcome.crossRackBytes)),
          runs.stream().allMatch(record -> record.outcome.ok) ? "" : "   NOT OK");
    });
    out.flush();
  }

  private static double least(List<RepairRecord> runs) {
    return runs.stream().mapToDouble(record -> record.outcome.seconds).min().getAsDouble();
  }

  private static double most(List<RepairRecord> runs) {
    return runs.stream().mapToDouble(record -> record.outcome.seconds).max().getAsDouble();
  }

  private static double orNaN(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : Double.NaN;
  }

  private static String mebibytes(List<RepairRecord> runs, ToDoubleFunction<RepairRecord> value) {
    double median = median(runs, value);
    return Double.isNaN(median) ? "-" : String.format(Locale.ROOT, "%.1f", median / MIB);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  static double median(List<RepairRecord> runs, ToDoubleFunction<RepairRecord> value) {
    return Medians.of(runs.stream().map(value::applyAsDouble).collect(Collectors.toList()));
  }
}
