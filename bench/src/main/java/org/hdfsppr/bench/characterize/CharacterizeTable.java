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
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.bench.run.Chart;

/** Prints a line for each point, and how many times replication each code costs. */
@InterfaceAudience.Private
final class CharacterizeTable {
  private static final int CHART_WIDTH = 700;
  private static final int CHART_HEIGHT = 420;
  private static final double KIB = 1024;

  private final List<PointRecord> records;

  CharacterizeTable(List<PointRecord> records) {
    this.records = records;
  }

  void print(PrintWriter out) {
    out.printf("%-18s %7s %-7s %-5s %-11s %8s %9s %9s %8s %8s %8s %9s %7s %7s %7s %7s %9s %9s%n",
        "scheme", "request", "pattern", "op", "state", "MB/s", "mean ms", "p99 ms", "user",
        "system", "client", "switches", "read", "written", "private", "public", "w+commit",
        "p+commit");
    for (PointRecord record : records) {
      LoadPoint point = record.point;
      out.printf(Locale.ROOT, "%-18s %7s %-7s %-5s %-11s %8s %9s %9s %8s %8s %8s %9s %7s %7s %7s"
          + " %7s %9s %9s%n", point.scheme.label, RequestSizes.text(point.requestBytes),
          point.places.label, point.operation.label(), point.state.label(),
          number(record.mbPerSecond()), number(record.load().meanMs),
          number(record.load().p99Ms), number(record.userNanos()),
          number(record.systemNanos()), number(record.clientNanos()),
          number(record.switches() * KIB), number(record.storageRead()),
          number(record.storageWritten()), number(record.privateBytes()),
          number(record.publicBytes()), number(record.storageWrittenWithCommit()),
          number(record.privateBytesWithCommit()));
    }
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

  private void printRatios(PrintWriter out) {
    out.printf("%-70s %8s %8s %8s %8s %8s %8s %8s%n", "times replication", "MB/s", "mean",
        "cpu", "switches", "read", "written", "private");
    for (PointRecord record : records) {
      Optional<PointRecord> base = records.stream().filter(other ->
          other.point.scheme.label.equals(Scheme.REPLICATION)
              && isSameLoad(other.point, record.point)).findFirst();
      if (base.isPresent() && base.get() != record) {
        out.printf("%-70s %8s %8s %8s %8s %8s %8s %8s%n", record.point,
            times(record, base.get(), PointRecord::mbPerSecond),
            times(record, base.get(), each -> each.load().meanMs),
            times(record, base.get(), each -> each.userNanos() + each.systemNanos()),
            times(record, base.get(), PointRecord::switches),
            times(record, base.get(), PointRecord::storageRead),
            times(record, base.get(), each -> each.point.operation == LoadOperation.WRITE
                && !each.point.scheme.stock ? each.storageWrittenWithCommit()
                    : each.storageWritten()),
            times(record, base.get(), each -> each.point.operation == LoadOperation.WRITE
                && !each.point.scheme.stock ? each.privateBytesWithCommit()
                    : each.privateBytes()));
      }
    }
    out.println("written and private of writes: with the commit");
    out.println();
    for (PointRecord record : records) {
      double layout = record.randomOverSequential(records);
      double state = record.pristineOverOverwritten(records);
      if (!Double.isNaN(layout) || !Double.isNaN(state)) {
        out.printf(Locale.ROOT, "%-70s random over sequential %s, pristine over overwritten %s%n",
            record.point, number(layout), number(state));
      }
    }
  }

  private static boolean isSameLoad(LoadPoint one, LoadPoint other) {
    return one.requestBytes == other.requestBytes && one.places == other.places
        && one.operation == other.operation && one.state == other.state;
  }

  private static String times(PointRecord record, PointRecord base,
      ToDoubleFunction<PointRecord> value) {
    double of = value.applyAsDouble(base);
    return of == 0 ? "-" : number(value.applyAsDouble(record) / of);
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
