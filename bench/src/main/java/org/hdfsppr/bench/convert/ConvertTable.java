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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.hdfsppr.bench.run.Row;
import org.hdfsppr.bench.run.Table;

/** Prints the medians over the runs of each mode, and how they compare with the goals. */
final class ConvertTable {
  /** The part of the processors that others had during a run: for the table. */
  static final String OTHER_CPU_SHARE = "other_cpu_share";

  private static final double MIB = 1024 * 1024;

  /** The share that a conversion may write beyond what it makes. */
  private static final double DISK_OVERHEAD = 1.05;
  private static final double FILES_PER_SECOND_LEAST = 50;
  private static final double WRITE_LOCK_SHARE_MOST = 0.05;

  private final Map<String, CodePair> pairs = new HashMap<>();
  private final boolean small;
  private final Map<String, List<Row>> rows;

  /**
   * @param pairs the pairs of codes that the rows name
   * @param small whether the files are small, so that the goals are those of many files
   */
  ConvertTable(List<Row> rows, List<CodePair> pairs, boolean small) {
    pairs.forEach(pair -> this.pairs.put(pair.toString(), pair));
    this.small = small;
    this.rows = Table.groups(rows, row -> codes(row) + " " + row.text("mode"));
  }

  static String codes(Row row) {
    return row.text("code_from") + ":" + row.text("code_to");
  }

  /** Puts into each row how many times its seconds the rewrite of the same run took. */
  static void putSpeedups(List<Row> rows) {
    for (Row row : rows) {
      row.put("x_rewrite_speed", rows.stream().filter(other ->
          other.text("mode").equals(ConvertMode.REWRITE.label) && codes(other).equals(codes(row))
              && other.number("run") == row.number("run"))
          .mapToDouble(other -> other.number("seconds") / row.number("seconds")).findFirst());
    }
  }

  /** Maps each line's label to the median seconds of its runs. */
  Map<String, Double> medianSeconds() {
    Map<String, Double> medians = new LinkedHashMap<>();
    rows.forEach((label, runs) -> medians.put(label, median(runs, "seconds")));
    return medians;
  }

  void print(PrintWriter out) {
    new Table().column("codes and mode", -44,
        runs -> codes(runs.get(0)) + " " + runs.get(0).text("mode")).count("runs", 4)
        .text("groups", 6, "groups").median("seconds", 8, 2, "seconds")
        .median("files/s", 8, 2, "files_per_second")
        .median("network MiB", 11, 2, "network_bytes", MIB)
        .median("units/group", 11, 2, "network_units_per_group")
        .median("read MiB", 9, 2, "disk_read_bytes", MIB)
        .median("write MiB", 9, 2, "disk_write_bytes", MIB)
        .median("linked MiB", 10, 2, "linked_bytes", MIB)
        .median("made MiB", 10, 2, "made_bytes", MIB)
        .median("lock %", 7, 2, "write_lock_share", 0.01)
        .median("others %", 8, 2, OTHER_CPU_SHARE, 0.01).markNotOk().print(out, rows.values());
    out.println();
    rows.forEach((label, runs) -> {
      if (ConvertMode.parse(runs.get(0).text("mode")).isInPlace()) {
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

  private void printGoals(PrintWriter out, String label, List<Row> runs) {
    if (small) {
      goal(out, label, "files/s", median(runs, "files_per_second"), true, FILES_PER_SECOND_LEAST);
      goal(out, label, "share of time with the write lock held",
          median(runs, "write_lock_share"), false, WRITE_LOCK_SHARE_MOST);
      return;
    }
    CodePair pair = pairs.get(codes(runs.get(0)));
    goal(out, label, "units per group over the network", median(runs, "network_units_per_group"),
        false, pair.networkUnitsMost());
    double speedup = median(runs, "x_rewrite_speed");
    if (!Double.isNaN(speedup)) {
      goal(out, label, "times the speed of a rewrite", speedup, true, pair.speedupLeast());
    }
    goal(out, label, "bytes written of those made",
        Row.median(runs, run -> run.number("disk_write_bytes") / run.number("made_bytes")), false,
        DISK_OVERHEAD);
  }

  private static void goal(PrintWriter out, String label, String what, double is, boolean least,
      double limit) {
    boolean held = least ? is >= limit : is <= limit;
    out.printf(Locale.ROOT, "%s: %.3f %s (goal: at %s %.2f)%s%n", label, is, what,
        least ? "least" : "most", limit, held ? "" : " MISSED");
  }

  private static double median(List<Row> runs, String name) {
    return Row.median(runs, row -> row.number(name));
  }
}
