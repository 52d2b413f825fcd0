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
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.bench.run.Medians;

/**
 * Prints the medians over each mode's runs, the ratios between modes, and a description of the
 * modes.
 */
@InterfaceAudience.Private
final class NodeTable {
  private static final double MIB = 1024 * 1024;

  private final Map<NodeMode, List<NodeRecord>> byMode = new LinkedHashMap<>();

  NodeTable(List<NodeRecord> records) {
    for (NodeRecord record : records) {
      byMode.computeIfAbsent(record.mode, mode -> new ArrayList<>()).add(record);
    }
  }

  /**
   * Maps each mode's label to the median seconds of its runs, in the order in which the modes ran.
   */
  Map<String, Double> medianSeconds() {
    Map<String, Double> medians = new LinkedHashMap<>();
    byMode.forEach((mode, runs) -> medians.put(mode.label, median(runs, record -> record.seconds)));
    return medians;
  }

  void print(PrintWriter out, String timed) {
    out.printf("%-15s %4s %6s %9s %21s %12s %10s %12s %10s %8s %9s%n", "scheduler", "runs",
        "blocks", "seconds", "(min - max)", "lower bound", "x bound", "network MiB", "disk MiB",
        "RSS MiB", "others %");
    byMode.forEach((mode, runs) -> out.printf(
        "%-15s %4d %6d %9s %21s %12s %10s %12s %10s %8.0f %9s%s%n",
        mode.label, runs.size(), runs.get(0).lostBlocks,
        number(median(runs, record -> record.seconds)), range(runs, record -> record.seconds),
        number(median(runs, record -> record.lowerBoundSeconds)),
        number(median(runs, record -> record.seconds / record.lowerBoundSeconds)),
        number(median(runs, record -> record.networkBytes() / MIB)),
        number(median(runs, record -> record.diskReadBytes() / MIB)),
        median(runs, record -> record.residentPeakBytes() / MIB),
        number(median(runs, record -> record.otherCpuShare() * 100)),
        runs.stream().allMatch(NodeRecord::ok) ? "" : "   NOT OK"));
    out.println();
    printRatios(out);
    out.println(timed);
    out.println("lower bound: what the links of the nodes that stay need for the bytes that the "
        + "code has to move, at TCP's goodput of the links' rate; LowerBound says how");
    out.println("others %: what others took of the processors; disk: read for the DataNodes, whose "
        + "replicas may be in the page cache; RSS: the most that any DataNode had resident");
    byMode.keySet().forEach(mode -> out.println(mode.label + ": " + mode.describe()));
    out.flush();
  }

  /**
   * Prints, for each mode, the ratio of its time to the time of each other mode. Each ratio
   * compares two runs with the same number.
   */
  private void printRatios(PrintWriter out) {
    for (NodeMode mode : byMode.keySet()) {
      List<String> ratios = new ArrayList<>();
      for (NodeMode other : byMode.keySet()) {
        List<Double> pairs = pairs(byMode.get(mode), byMode.get(other));
        if (other != mode && !pairs.isEmpty()) {
          ratios.add(number(Medians.of(pairs)) + " x " + other.label + " (at most "
              + number(pairs.stream().mapToDouble(d -> d).max().getAsDouble()) + ")");
        }
      }
      if (!ratios.isEmpty()) {
        out.println(mode.label + " takes " + String.join(", ", ratios));
      }
    }
    if (byMode.size() > 1) {
      out.println();
    }
  }

  private static List<Double> pairs(List<NodeRecord> runs, List<NodeRecord> others) {
    List<Double> pairs = new ArrayList<>();
    for (NodeRecord run : runs) {
      others.stream().filter(other -> other.run == run.run)
          .forEach(other -> pairs.add(run.seconds / other.seconds));
    }
    return pairs;
  }

  private static double median(List<NodeRecord> runs, ToDoubleFunction<NodeRecord> value) {
    return Medians.of(runs.stream().map(value::applyAsDouble).collect(Collectors.toList()));
  }

  private static String range(List<NodeRecord> runs, ToDoubleFunction<NodeRecord> value) {
    return "(" + number(runs.stream().mapToDouble(value).min().getAsDouble()) + " - "
        + number(runs.stream().mapToDouble(value).max().getAsDouble()) + ")";
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
  }
}
