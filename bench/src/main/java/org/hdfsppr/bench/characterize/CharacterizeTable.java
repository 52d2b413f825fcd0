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

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.hdfsppr.bench.run.Chart;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.bench.run.Table;

/** Prints a line for each point, and how many times replication each code costs. */
final class CharacterizeTable {
  private static final int CHART_WIDTH = 700;
  private static final int CHART_HEIGHT = 420;
  private static final double KIB = 1024;

  private final List<PointRecord> records;
  private final Map<Row, LoadPoint> points = new LinkedHashMap<>();

  CharacterizeTable(List<PointRecord> records) {
    this.records = records;
    records.forEach(record -> points.put(record.row(records), record.point));
  }

  void print(PrintWriter out) {
    Table table = new Table().text("scheme", -18, "scheme").text("request", 7, "request")
        .text("pattern", -7, "pattern").text("op", -5, "op").text("state", -11, "state");
    add(table, "MB/s", 8, "mb_per_s");
    add(table, "mean ms", 9, "latency_mean_ms");
    add(table, "p99 ms", 9, "latency_p99_ms");
    add(table, "user", 8, "cpu_user_ns_per_byte");
    add(table, "system", 8, "cpu_system_ns_per_byte");
    add(table, "client", 8, "client_cpu_ns_per_byte");
    table.column("switches", 9, row -> number(row.get(0).number("switches_per_byte") * KIB));
    add(table, "read", 7, "storage_read_per_byte");
    add(table, "written", 7, "storage_written_per_byte");
    add(table, "private", 7, "private_per_byte");
    add(table, "public", 7, "public_per_byte");
    add(table, "w+commit", 9, "committed_storage_written_per_byte");
    add(table, "p+commit", 9, "committed_private_per_byte");
    table.printEach(out, points.keySet());
    out.println();
    out.println("user, system: processor nanoseconds of NameNode and DataNodes for each byte asked,"
        + " client: those of hdfs ppr -nbd or of Hadoop's client; switches: context switches of"
        + " NameNode and DataNodes for each KiB");
    out.println("read, written: bytes of disks, private: bytes between DataNodes, public: bytes"
        + " between client and DataNodes, each for a byte asked; +commit: with the commit of what"
        + " was written");
    out.println();
    printRatios(out);
    out.flush();
  }

  private static void add(Table table, String title, int width, String name) {
    table.column(title, width, row -> number(row.get(0).number(name)));
  }

  private void printRatios(PrintWriter out) {
    Map<Row, Row> replicated = new LinkedHashMap<>();
    for (Row row : points.keySet()) {
      points.keySet().stream().filter(other -> other.text("scheme").equals(Scheme.REPLICATION)
          && isSameLoad(points.get(other), points.get(row))).findFirst()
          .filter(base -> base != row).ifPresent(base -> replicated.put(row, base));
    }
    Table table = new Table().column("times replication", -70,
        row -> points.get(row.get(0)).toString());
    addTimes(table, replicated, "MB/s", "mb_per_s", "mb_per_s");
    addTimes(table, replicated, "mean", "latency_mean_ms", "latency_mean_ms");
    addTimes(table, replicated, "cpu", "cpu_ns_per_byte", "cpu_ns_per_byte");
    addTimes(table, replicated, "switches", "switches_per_byte", "switches_per_byte");
    addTimes(table, replicated, "read", "storage_read_per_byte", "storage_read_per_byte");
    addTimes(table, replicated, "written", "storage_written_per_byte",
        "committed_storage_written_per_byte");
    addTimes(table, replicated, "private", "private_per_byte", "committed_private_per_byte");
    table.printEach(out, replicated.keySet());
    out.println("written and private of writes: with the commit");
    out.println();
    points.forEach((row, point) -> {
      double layout = row.number("random_over_sequential");
      double state = row.number("pristine_over_overwritten");
      if (!Double.isNaN(layout) || !Double.isNaN(state)) {
        out.printf(Locale.ROOT, "%-70s random over sequential %s, pristine over overwritten %s%n",
            point, number(layout), number(state));
      }
    });
  }

  /**
   * Adds a column with a number over that of replication.
   *
   * @param written the name of the number for writes that a commit follows
   */
  private void addTimes(Table table, Map<Row, Row> replicated, String title, String name,
      String written) {
    table.column(title, 8, group -> {
      Row row = group.get(0);
      double of = number(replicated.get(row), name, written);
      return of == 0 ? "-" : number(number(row, name, written) / of);
    });
  }

  private double number(Row row, String name, String written) {
    LoadPoint point = points.get(row);
    return row.number(point.operation == LoadOperation.WRITE && !point.scheme.stock ? written
        : name);
  }

  private static boolean isSameLoad(LoadPoint one, LoadPoint other) {
    return one.requestBytes == other.requestBytes && one.places == other.places
        && one.operation == other.operation && one.state == other.state;
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "-"
        : String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.3f" : "%.1f", value);
  }

  /** {@return a chart of each load: MB/s over the size of requests, bars for each scheme} */
  List<Chart> charts() {
    Map<String, List<PointRecord>> loads = new LinkedHashMap<>();
    for (PointRecord record : records) {
      LoadPoint point = record.point;
      loads.computeIfAbsent(point.places.label + " " + point.operation.label() + ", "
          + point.state.label(), load -> new ArrayList<>()).add(record);
    }
    List<Chart> charts = new ArrayList<>();
    loads.forEach((load, ofLoad) -> charts.add(chart(load, ofLoad)));
    return charts;
  }

  private static Chart chart(String load, List<PointRecord> ofLoad) {
    Chart chart = new Chart(CHART_WIDTH, CHART_HEIGHT, load, "bytes of a request", "MB/s");
    List<Long> requests = ofLoad.stream().map(record -> record.point.requestBytes)
        .distinct().sorted().collect(Collectors.toList());
    List<String> labels = requests.stream().map(RequestSizes::text).collect(Collectors.toList());
    ofLoad.stream().map(record -> record.point.scheme.label).distinct()
        .forEach(scheme -> chart.series(scheme, labels, requests.stream()
            .map(request -> speed(ofLoad, scheme, request).orElse(null))
            .collect(Collectors.toList())));
    return chart;
  }

  private static Optional<Double> speed(List<PointRecord> records, String scheme, long request) {
    return records.stream().filter(record -> record.point.scheme.label.equals(scheme)
        && record.point.requestBytes == request).map(PointRecord::mbPerSecond).findFirst();
  }
}
