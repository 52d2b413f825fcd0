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
package org.hdfsppr.bench.core;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.core.FailureMatrix;
import org.hdfsppr.core.RecoverabilityBounds;
import org.hdfsppr.core.RepairStrategies;
import org.hdfsppr.core.RepairStrategy;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench.sh core}: what CORE's redundancy across files is worth. */
@Command(name = "core", mixinStandardHelpOptions = true,
    description = "What parity across files is worth: which losses are recoverable, and how many "
        + "blocks the repair strategies read.",
    footer = {"",
        "--analysis draws random patterns of lost blocks, and needs no cluster. Results:",
        "  recoverability       percent of patterns that are recoverable, of the t x k data blocks",
        "  recoverability_full  the same of all blocks, parities and the parity file included",
        "  clusters[_full]      mean number of clusters that can be repaired beside each other",
        "  cost_STRATEGY        mean number of blocks that repairs of recoverable patterns read",
        "  step_, plus_STRATEGY blocks read for the paper's two patterns",
        "  lower_, upper_bound  failures that may be too many, and that may still be recoverable",
        "--formation measures how fast files are grouped."})
@InterfaceAudience.Private
public final class CoreBench implements Callable<Integer> {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,4})-(\\d{1,4})");
  private static final int PATTERNS_PER_POINT = 10_000_000;

  /** What is measured. */
  static final class Mode {
    @Option(names = "--analysis", description = "Recoverability, clusters and costs by counting")
    private boolean analysis;

    @Option(names = "--formation", description = "Files per second that a plan groups")
    private boolean formation;
  }

  @Spec
  private CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  private Mode mode;

  @Option(names = "--code", defaultValue = "core-t5-12-2",
      description = "As 'hdfs ppr -codes' names it (default: ${DEFAULT-VALUE})")
  private String codeName;

  @Option(names = "--patterns", defaultValue = "" + PATTERNS_PER_POINT,
      description = "Patterns for each number of failures; the default takes minutes (default: "
          + "${DEFAULT-VALUE})")
  private long patterns;

  @Option(names = "--cost-patterns", defaultValue = "10000", description = "Recoverable patterns "
      + "for each number of failures, for the costs (default: ${DEFAULT-VALUE})")
  private int costPatterns;

  @Option(names = "--failures", description = "Only these numbers of failures, such as 6-20: "
      + "a long analysis can be done in pieces, and gives the same results (default: all)")
  private String failuresRange = "1-" + Long.SIZE * Long.SIZE;

  @Option(names = "--files", defaultValue = "1000000",
      description = "Files to group (default: ${DEFAULT-VALUE})")
  private int files;

  @Option(names = "--threads", description = "Results do not depend on it (default: all cores)")
  private Integer threads;

  @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}")
  private long seed;

  @Option(names = "--json", description = "Where the results go, one object for each number")
  private Path json;

  @Option(names = "--png", description = "Where the charts of --analysis go")
  private Path png;

  private final CoreResults results = new CoreResults();
  private BenchRun bench;
  private CoreCode code;
  private int failuresFrom;
  private int failuresTo;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (patterns < 1 || costPatterns < 1 || files < 1 || threads != null && threads < 1) {
      throw new IllegalArgumentException("--patterns is " + patterns + ", --cost-patterns "
          + costPatterns + ", --files " + files + ", --threads " + threads);
    }
    parseFailures();
    code = CoreCode.parse(codeName);
    bench = new BenchRun(spec.commandLine().getOut(), json, png);
    if (mode.formation) {
      measureFormation();
    } else {
      analyse();
    }
    return 0;
  }

  private void parseFailures() {
    Matcher range = RANGE.matcher(failuresRange);
    if (range.matches()) {
      failuresFrom = Integer.parseInt(range.group(1));
      failuresTo = Integer.parseInt(range.group(2));
    }
    if (failuresFrom < 1 || failuresTo < failuresFrom) {
      throw new IllegalArgumentException("--failures is " + failuresRange + ", not FROM-TO");
    }
  }

  private void measureFormation() throws IOException {
    FormationRate rate = new FormationRate(code, files, seed);
    rate.measure();
    bench.say("%d files in %d groups: %.0f files/s; again with these groups, of which %d have lost "
        + "a file: %.0f files/s (seed %d, one core)", files, rate.groups(), rate.firstPerSecond(),
        rate.changedGroups(), rate.againPerSecond(), seed);
    add("formation_files_per_s", 0, rate.firstPerSecond());
    add("formation_again_files_per_s", 0, rate.againPerSecond());
    write();
  }

  private void analyse() throws IOException, InterruptedException {
    int used = threads != null ? threads : Runtime.getRuntime().availableProcessors();
    bench.say("%s: %d patterns for each number of failures, seed %d, %d threads", code.label,
        patterns, seed, used);
    int n = code.row.units();
    int k = code.row.dataUnits;
    int lower = RecoverabilityBounds.lower(n, k);
    int upper = RecoverabilityBounds.upper(n, k, code.files);
    int upperFull = RecoverabilityBounds.upperOfAll(n, k, code.files);
    add("lower_bound", lower, lower);
    add("upper_bound", upper, upper);
    add("upper_bound_full", upperFull, upperFull);
    addPatterns("step", 0b01, 0b11);
    addPatterns("plus", 0b010, 0b111, 0b010);
    try (CoreAnalysis analysis = new CoreAnalysis(seed, used)) {
      countPatterns(analysis, DrawArea.data(code.row, code.files), lower, upper);
      countPatterns(analysis, DrawArea.full(code.row, code.files), lower, upperFull);
      addCosts(analysis, upper);
    }
    results.print(bench.out);
    results.printGoals(bench.out);
    bench.writePngs(() -> results.charts(), 2);
  }

  private void addPatterns(String name, long... lostOfFiles) {
    long[] lost = new long[code.files + 1];
    System.arraycopy(lostOfFiles, 0, lost, 0, lostOfFiles.length);
    FailureMatrix matrix = FailureMatrix.of(code.row, lost);
    for (RepairStrategy strategy : RepairStrategies.all()) {
      add(name + "_" + word(strategy), matrix.failures(), strategy.schedule(matrix).cost());
    }
  }

  private static String word(RepairStrategy strategy) {
    return strategy.label().replace('-', '_');
  }

  private void countPatterns(CoreAnalysis analysis, DrawArea area, int lower, int upper)
      throws IOException, InterruptedException {
    for (int failures = failuresFrom; failures <= Math.min(upper, failuresTo); failures++) {
      long begin = System.nanoTime();
      PatternCounts counts = analysis.count(area, failures, patterns);
      if (failures >= lower) {
        add("recoverability" + area.suffix, failures, counts.recoverablePercent());
      }
      add("clusters" + area.suffix, failures, counts.meanClusters());
      write();
      bench.say("%d failures%s: %.3f %% recoverable, %.3f clusters (%.1f s)", failures,
          area.suffix.replace('_', ' '), counts.recoverablePercent(), counts.meanClusters(),
          (System.nanoTime() - begin) / 1e9);
    }
  }

  private void addCosts(CoreAnalysis analysis, int upper) throws IOException, InterruptedException {
    DrawArea area = DrawArea.data(code.row, code.files);
    double cheaper = 0;
    double micros = 0;
    for (int failures = failuresFrom; failures <= Math.min(upper, failuresTo); failures++) {
      CostCounts counts = analysis.costs(area, failures, costPatterns);
      if (counts.patterns() == 0) {
        bench.say("%d failures: no recoverable pattern was drawn", failures);
        continue;
      }
      for (RepairStrategy strategy : RepairStrategies.all()) {
        add("cost_" + word(strategy), failures, counts.meanBlocks(strategy));
        cheaper = Math.max(cheaper, counts.cheaperThanRgsPercent(strategy));
      }
      micros = Math.max(micros, counts.rgsMicros());
      write();
    }
    bench.say("RGS reads more than another strategy in at most %.2f %% of the patterns with the "
        + "same number of failures; one decision takes it at most %.1f us on average", cheaper,
        micros);
  }

  private void add(String what, int failures, double value) {
    results.add(new CoreRecord(what, code.label, failures, value));
  }

  private void write() throws IOException {
    List<CoreRecord> records = results.records();
    bench.writeJson(records, CoreRecord::toJson);
  }
}
