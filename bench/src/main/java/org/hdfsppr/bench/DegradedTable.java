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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Prints the median results of each pattern and mode, with their ratios to the results of stock and
 * of a healthy cluster.
 */
@InterfaceAudience.Private
final class DegradedTable {
  private final List<DegradedRecord> records;

  DegradedTable(List<DegradedRecord> records) {
    this.records = records;
  }

  void print(PrintWriter out) {
    out.printf("%-12s %-14s %6s %9s %21s %10s %10s %9s %9s%n", "pattern", "mode", "rounds",
        "MB/s", "(min - max)", "p50 ms", "p99 ms", "x healthy", "x stock");
    for (DegradedRecord record : records) {
      double[] range = record.megabytesPerSecondRange();
      out.printf("%-12s %-14s %6d %9s %21s %10s %10s %9s %9s%s%n", record.pattern.label,
          record.mode.label, record.rounds(), number(record.megabytesPerSecond()),
          "(" + number(range[0]) + " - " + number(range[1]) + ")", number(record.medianMs()),
          number(record.tailMs()), ratio(record, DegradedMode.HEALTHY),
          ratio(record, DegradedMode.STOCK), record.ok() ? "" : "   NOT OK");
    }
    out.println();
    out.println("MB/s: 10^6 bytes per second of calls that read; p50, p99: of one call, which is "
        + "1 MiB or 64 KiB; x: MB/s over those of the other mode");
    Set<DegradedMode> modes = new LinkedHashSet<>();
    records.forEach(record -> modes.add(record.mode));
    modes.forEach(mode -> out.println(mode.label + ": " + mode.describe()));
    out.flush();
  }

  private String ratio(DegradedRecord record, DegradedMode to) {
    Optional<DegradedRecord> other = records.stream()
        .filter(one -> one.mode == to && one.pattern == record.pattern).findFirst();
    return other.isPresent()
        ? number(record.megabytesPerSecond() / other.get().megabytesPerSecond()) : "-";
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
  }
}
