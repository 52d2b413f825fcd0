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
package org.hdfsppr.bench.convert;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.bench.run.Medians;

/** Prints the medians over the runs of each mode, and how they compare with the goals. */
@InterfaceAudience.Private
final class ConvertTable {
  private static final double MIB = 1024 * 1024;

  /** The share that a conversion may write beyond what it makes. */
  private static final double DISK_OVERHEAD = 1.05;
  private static final double FILES_PER_SECOND_LEAST = 50;
  private static final double WRITE_LOCK_SHARE_MOST = 0.05;

  private final List<ConvertRecord> records;
  private final boolean small;
  private final Map<String, List<ConvertRecord>> rows = new LinkedHashMap<>();

  /**
   * @param small whether the files are small, so that the goals are those of many files
   */
  ConvertTable(List<ConvertRecord> records, boolean small) {
    this.records = records;
    this.small = small;
    for (ConvertRecord record : records) {
      rows.computeIfAbsent(record.codes + " " + record.mode.label,
          key -> new ArrayList<>()).add(record);
    }
  }

  /** Maps each row's label to the median seconds of its runs. */
  Map<String, Double> medianSeconds() {
    Map<String, Double> medians = new LinkedHashMap<>();
    rows.forEach((label, runs) -> medians.put(label, median(runs, ConvertRecord::seconds)));
    return medians;
  }

  void print(PrintWriter out) {
    out.printf("%-44s %4s %6s %8s %8s %11s %11s %9s %9s %10s %10s %7s %8s%n", "codes and mode",
        "runs", "groups", "seconds", "files/s", "network MiB", "units/group", "read MiB",
        "write MiB", "linked MiB", "made MiB", "lock %", "others %");
    rows.forEach((label, runs) -> out.printf(Locale.ROOT,
        "%-44s %4d %6d %8s %8s %11s %11s %9s %9s %10s %10s %7s %8s%s%n", label, runs.size(),
        runs.get(0).groups(), number(median(runs, ConvertRecord::seconds)),
        number(median(runs, ConvertRecord::filesPerSecond)),
        number(median(runs, ConvertRecord::networkBytes) / MIB),
        number(median(runs, ConvertRecord::networkUnits)),
        number(median(runs, ConvertRecord::diskReadBytes) / MIB),
        number(median(runs, ConvertRecord::diskWrittenBytes) / MIB),
        number(median(runs, ConvertRecord::linkedBytes) / MIB),
        number(median(runs, ConvertRecord::madeBytes) / MIB),
        number(median(runs, ConvertRecord::writeLockShare) * 100),
        number(median(runs, ConvertRecord::otherCpuShare) * 100),
        runs.stream().allMatch(ConvertRecord::ok) ? "" : "   NOT OK"));
    out.println();
    rows.forEach((label, runs) -> {
      if (runs.get(0).mode.isInPlace()) {
        printGoals(out, label, runs);
      }
    });
    out.println("network: what the links of all DataNodes carried, frames and heartbeats included; "
        + "read, write: of the DataNodes, from and to disks");
    out.println("linked: the new replicas that are hard links to old ones; made: all other new "
        + "replicas; lock: how long the NameNode's write lock was held");
    for (ConvertMode mode : ConvertMode.values()) {
      out.println(mode.describe());
    }
    out.flush();
  }

  private void printGoals(PrintWriter out, String label, List<ConvertRecord> runs) {
    ConvertRecord any = runs.get(0);
    if (small) {
      goal(out, label, "files/s", median(runs, ConvertRecord::filesPerSecond), true,
          FILES_PER_SECOND_LEAST);
      goal(out, label, "share of time with the write lock held",
          median(runs, ConvertRecord::writeLockShare), false, WRITE_LOCK_SHARE_MOST);
      return;
    }
    goal(out, label, "units per group over the network",
        median(runs, ConvertRecord::networkUnits), false,
        any.codes.networkUnitsMost());
    List<Double> speedups = runs.stream().map(run -> run.speedup(records))
        .filter(OptionalDouble::isPresent)
        .map(OptionalDouble::getAsDouble).collect(Collectors.toList());
    if (!speedups.isEmpty()) {
      goal(out, label, "times the speed of a rewrite", Medians.of(speedups), true,
          any.codes.speedupLeast());
    }
    goal(out, label, "bytes written of those made",
        median(runs, run -> run.diskWrittenBytes() / run.madeBytes()), false, DISK_OVERHEAD);
  }

  private static void goal(PrintWriter out, String label, String what, double is, boolean least,
      double limit) {
    boolean held = least ? is >= limit : is <= limit;
    out.printf(Locale.ROOT, "%s: %.3f %s (goal: at %s %.2f)%s%n", label, is, what,
        least ? "least" : "most", limit, held ? "" : " MISSED");
  }

  private static double median(List<ConvertRecord> runs, ToDoubleFunction<ConvertRecord> value) {
    return Medians.of(runs.stream().map(value::applyAsDouble).collect(Collectors.toList()));
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
  }
}
