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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import org.hdfsppr.bench.run.Chart;
import org.hdfsppr.bench.run.Medians;

/**
 * Prints the median of each case over all rounds, and the ratios between cases next to their goals.
 */
final class CodecTable {
  private static final int CHART_WIDTH_MIN = 900;
  private static final int CHART_WIDTH_PER_CODE = 180;
  private static final int CHART_HEIGHT = 540;

  private static final String ENCODED = "rs-6-3";
  private static final int NATIVE_CELL_MIN = 64 * 1024;

  private final Map<CodecCase, List<CodecRecord>> byCase = new LinkedHashMap<>();

  CodecTable(List<CodecRecord> records) {
    for (CodecRecord record : records) {
      byCase.computeIfAbsent(record.what, what -> new ArrayList<>()).add(record);
    }
  }

  /** Returns the measured cases without duplicates, in the order in which they were measured. */
  Set<CodecCase> cases() {
    return byCase.keySet();
  }

  OptionalDouble medianGbPerSecond(CodecCase what) {
    return median(what, record -> record.gbPerSecond);
  }

  private OptionalDouble median(CodecCase what, ToDoubleFunction<CodecRecord> value) {
    List<CodecRecord> rounds = byCase.get(what);
    return rounds == null ? OptionalDouble.empty()
        : median(rounds.stream().map(value::applyAsDouble).collect(Collectors.toList()));
  }

  /**
   * Returns the middle value, or the mean of the two middle values if the number of values is even.
   */
  private static OptionalDouble median(List<Double> values) {
    return OptionalDouble.of(Medians.of(values));
  }

  void print(PrintWriter out) {
    Set<String> kernels = cases().stream().map(codecCase -> codecCase.kernel)
        .collect(Collectors.toCollection(LinkedHashSet::new));
    out.printf("%-24s %-9s %9s", "code", "op", "cell");
    kernels.forEach(kernel -> out.printf(" %16s", kernel));
    out.println();
    Set<CodecCase> rows = cases().stream().map(what -> what.by(CodecWork.MEMCPY))
        .collect(Collectors.toCollection(LinkedHashSet::new));
    for (CodecCase row : rows) {
      out.printf("%-24s %-9s %9s", row.code, row.op.label(), size(row.cellBytes));
      for (String kernel : kernels) {
        OptionalDouble speed = medianGbPerSecond(row.by(kernel));
        out.printf(" %16s", !speed.isPresent() ? "-" : String.format(Locale.ROOT, "%.2f (%.3f)",
            speed.getAsDouble(), median(row.by(kernel), CodecRecord::toMemcpy).getAsDouble()));
      }
      out.println();
    }
    out.println("GB/s of data, median of the rounds (median of the ratios to memcpy)");
    out.flush();
  }

  static String size(int bytes) {
    return bytes >= 1 << 20 && bytes % (1 << 20) == 0 ? (bytes >> 20) + " MiB"
        : bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " B";
  }

  /**
   * Prints each goal next to the measured ratio. A goal is left out if one of its two cases was not
   * measured.
   */
  void printGoals(PrintWriter out) {
    out.println("Medians of the ratios within a round:");
    Set<Integer> cells = cases().stream().map(codecCase -> codecCase.cellBytes)
        .collect(Collectors.toCollection(LinkedHashSet::new));
    for (int cell : cells) {
      CodecCase rs = new CodecCase(ENCODED, CodecCase.Op.ENCODE, "gfni", cell);
      atLeast(out, 2, rs, rs.by(CodecSampler.ISAL_C));
      atLeast(out, 30, rs, rs.by(CodecWork.HADOOP_JAVA));
      atLeast(out, 3, rs.by("java"), rs.by(CodecWork.HADOOP_JAVA));
      for (String code : List.of(ENCODED, "rs-10-4")) {
        CodecCase encode = new CodecCase(code, CodecCase.Op.ENCODE, "gfni", cell);
        if (cell >= NATIVE_CELL_MIN) {
          atMost(out, 1.03, encode, encode.by(CodecSampler.GFNI_C));
          atMost(out, 1.03, encode.by("isal"), encode.by(CodecSampler.ISAL_C));
        }
      }
      for (String kernel : List.of("gfni", "isal", "java")) {
        atMost(out, 1.3,
            new CodecCase("hitchhiker-xorplus-10-4", CodecCase.Op.ENCODE, kernel, cell),
            new CodecCase("rs-10-4", CodecCase.Op.ENCODE, kernel, cell));
        atMost(out, 2.2, new CodecCase("less-a4-10-4", CodecCase.Op.ENCODE, kernel, cell),
            new CodecCase("rs-10-4", CodecCase.Op.ENCODE, kernel, cell));
      }
    }
    out.flush();
  }

  private void atLeast(PrintWriter out, double wanted, CodecCase what, CodecCase of) {
    ratio(what, of).ifPresent(ratio -> goal(out, "speed", ratio, ">=", wanted, what, of,
        ratio >= wanted));
  }

  /**
   * Prints the time of {@code what} divided by the time of {@code of}, next to the largest
   * acceptable ratio. Times are the inverse of speeds.
   */
  private void atMost(PrintWriter out, double wanted, CodecCase what, CodecCase of) {
    ratio(of, what).ifPresent(ratio -> goal(out, "time", ratio, "<=", wanted, what, of,
        ratio <= wanted));
  }

  private static void goal(PrintWriter out, String kind, double ratio, String relation,
      double wanted, CodecCase what, CodecCase of, boolean holds) {
    out.printf(Locale.ROOT, "  %-7s %-7s %-5s of %s %s by %s = %.3f x %s, wanted %s %.2f%n",
        size(what.cellBytes), holds ? "holds" : "MISSED", kind, what.code, what.op.label(),
        what.kernel, ratio,
        what.code.equals(of.code) ? of.kernel : of.code + " by the same", relation, wanted);
  }

  private OptionalDouble ratio(CodecCase above, CodecCase below) {
    List<CodecRecord> numerators = byCase.get(above);
    List<CodecRecord> denominators = byCase.get(below);
    if (numerators == null || denominators == null) {
      return OptionalDouble.empty();
    }
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(numerators.size(), denominators.size()); i++) {
      ratios.add(numerators.get(i).gbPerSecond / denominators.get(i).gbPerSecond);
    }
    return median(ratios);
  }

  /** {@return a chart of the first operation with the largest cells, code by code} */
  Chart chart() {
    int cell = cases().stream().mapToInt(codecCase -> codecCase.cellBytes).max().getAsInt();
    CodecCase.Op op = cases().stream().map(codecCase -> codecCase.op)
        .min(Enum::compareTo).get();
    List<String> codes = new ArrayList<>(cases().stream().map(codecCase -> codecCase.code)
        .collect(Collectors.toCollection(LinkedHashSet::new)));
    Set<String> kernels = cases().stream().map(codecCase -> codecCase.kernel)
        .collect(Collectors.toCollection(LinkedHashSet::new));
    Chart chart = new Chart(Math.max(CHART_WIDTH_MIN, CHART_WIDTH_PER_CODE * codes.size()),
        CHART_HEIGHT, op.label() + ", cells of " + size(cell) + ", one core", "code",
        "GB/s of data (median)");
    chart.styler().setAvailableSpaceFill(0.8);
    chart.styler().setDecimalPattern("0.0");
    for (String kernel : kernels) {
      // Not every kernel supports every code. A null leaves a gap in the chart.
      List<Double> speeds = new ArrayList<>();
      for (String code : codes) {
        double speed =
            medianGbPerSecond(new CodecCase(code, op, kernel, cell)).orElse(Double.NaN);
        speeds.add(Double.isNaN(speed) ? null : speed);
      }
      if (speeds.stream().anyMatch(speed -> speed != null)) {
        chart.series(kernel, codes, speeds);
      }
    }
    return chart;
  }
}
