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
package org.hdfsppr.bench.update;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.ByteSize;
import org.hdfsppr.bench.run.Chart;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.bench.run.Table;
import org.hdfsppr.bench.update.strategy.UpdateStrategies;
import org.hdfsppr.bench.update.strategy.UpdateStrategy;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.update.DataGrouping;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench.sh updates}: what updates in place cost, in simulations and on clusters. */
@Command(name = "updates", mixinStandardHelpOptions = true,
    description = "What crosses racks when the writes of a block trace update erasure-coded "
        + "stripes in place, and how likely updates are lost before the parity has followed.",
    footer = {"",
        "Without --simulate and --reliability, a cluster of processes replays --trace or",
        "--workload on files of one block group for each stripe. A cluster has the strategies",
        "that its commits know; the others are simulated only. Results, for each strategy:",
        "  updates, updates_per_s, p50_ms, p99_ms   writes, each within one chunk, in the logs of",
        "                       all holders; commits are part of the time",
        "  cross_rack_bytes     what racks have sent to the core, with all headers, without what",
        "                       they send when nobody writes (idle_bytes_per_s;",
        "                       cross_rack_bytes_with_idle has both)",
        "  cross_rack_payload_bytes     the same without headers, 66 bytes for each of",
        "                       cross_rack_frames",
        "  simulated_cross_rack_bytes   what --simulate says about the same writes and places",
        "  chunk_equivalent_bytes   whole chunks, as papers count, in bytes",
        "  commits",
        "  ok                   all clients have read what was written, and the parities are right",
        "--simulate replays the writes of --trace (MSR Cambridge format) under each strategy.",
        "Results, for each strategy:",
        "  chunk_transfers      whole chunks that cross racks, as papers count: the sum of",
        "    replica_chunks     interim replicas, one for each chunk write and replica",
        "    parity_chunks      what parities get, at once or at commits",
        "    grouping_chunks    chunks that data grouping moves",
        "  end_marker_chunks    of the replica chunks, those of the trace's end",
        "  lost_writes          in chunks, writes that no commit knows (--no-lost-writes)",
        "  cross_rack_bytes     the same in bytes: ranges as they are written, merged per stripe",
        "  update_locality      writes for each stripe of a set of 1000 writes, or of all if there",
        "                       are fewer; locality_writes says how many a set has",
        "--reliability calculates probabilities of a loss, hour by hour."})
@InterfaceAudience.Private
public final class UpdatesBench implements Callable<Integer> {
  private static final double MIB = 1 << 20;
  /** The hours for which the paper prints probabilities. */
  private static final int PAPER_HOURS = 18;
  private static final int HOURS_MAX = 18;
  private static final String NO_GROUPING = "none";
  private static final long CHUNK_BYTES_MAX = 1L << 30;
  private static final String PAPER_CODES = "rs-6-3 in 3 racks and rs-12-4 in 4";

  /** What is calculated. */
  static final class Mode {
    @Option(names = "--simulate", description = "What crosses racks in a trace")
    private boolean simulate;

    @Option(names = "--reliability", description = "Probabilities of a loss")
    private boolean reliability;
  }

  @Spec
  private CommandSpec spec;

  @ArgGroup(multiplicity = "0..1")
  private Mode mode = new Mode();

  @Mixin
  private ClusterUpdates onCluster;

  @Option(names = "--trace", description = "A trace: timestamp,host,disk,type,offset,size,response"
      + " time in each line")
  private Path trace;

  @Option(names = "--code", description = "As 'hdfs ppr -codes' names it (default: rs-6-3; with "
      + "--reliability " + PAPER_CODES + ")")
  private String codeName;

  /** Null if the user says nothing. */
  private Integer racks;
  private Integer nodes;

  @Option(names = "--placement", description = "Where the chunks of stripes are: a heading, then "
      + "lines with a stripe and the nodes of its chunks. Stripes that it does not name are drawn")
  private Path placement;

  @Option(names = "--strategy", split = ",", description = "Some of baseline, parix, cau, cau-0, "
      + "cau-1, cau-2, data-delta, parity-delta, collect, delta-log (default: all that the number "
      + "of racks allows, but data-delta and parity-delta)")
  private List<String> strategies;

  @Option(names = "--replicas", defaultValue = "1", description = "r*, interim replicas of new "
      + "bytes in other racks (default: ${DEFAULT-VALUE})")
  private int replicas;

  @Option(names = "--stripes-per-commit", defaultValue = "100", description = "u_s: a commit comes "
      + "before more stripes than this are dirty (default: ${DEFAULT-VALUE})")
  private int stripesPerCommit;

  @Option(names = "--chunk", defaultValue = "1m", converter = ByteSize.class,
      description = "Bytes of a chunk (default: ${DEFAULT-VALUE})")
  private long chunkBytes;

  /** Null if the user says nothing. */
  @Option(names = "--grouping", paramLabel = "RULE", description = "Which changed chunks come "
      + "together after a commit: paper (CAU's algorithm 1: those of the one rack with which later "
      + "commits save most), eager (as the program of CAU's authors does, also where nothing is "
      + "saved) or none (default: paper)")
  private String grouping;

  @Option(names = "--no-grouping", description = "The same as --grouping none")
  private boolean noGrouping;

  @Option(names = "--no-lost-writes", description = "With --grouping eager, in chunks: let "
      + "commits know all writes. By default no commit knows a write that made the one before due, "
      + "which gives the counts of CAU's authors")
  private boolean noLostWrites;

  @Option(names = "--no-end-marker", description = "In chunks, count the writes of the trace only. "
      + "By default its end counts as one more chunk write for strategies with interim replicas, "
      + "which gives the counts of CAU's authors")
  private boolean noEndMarker;

  @Option(names = "--seed", defaultValue = "1", description = "Of drawn places (default: "
      + "${DEFAULT-VALUE})")
  private long seed;

  @Option(names = "--json", description = "Where the results go, one object for each strategy, or "
      + "for each scheme and hour")
  private Path json;

  @Option(names = "--png", description = "Where the charts of --reliability go")
  private Path png;

  private BenchRun bench;

  @Override
  public Integer call() throws IOException, InterruptedException, TimeoutException {
    bench = new BenchRun(spec.commandLine().getOut(), json, png);
    racks = spec.commandLine().getParseResult().matchedOptionValue("--racks", null);
    nodes = spec.commandLine().getParseResult().matchedOptionValue("--nodes", null);
    if (!mode.simulate && !mode.reliability) {
      return onCluster.run(task()) ? 0 : 1;
    } else if (mode.reliability) {
      calculate();
    } else {
      simulate();
    }
    return 0;
  }

  private ClusterUpdates.Task task() throws IOException {
    if ((trace == null) != onCluster.hasWorkload()) {
      throw new IllegalArgumentException("One of --trace FILE, --workload SEED, --simulate and "
          + "--reliability is needed; --trace goes with --simulate, too");
    }
    if (strategies != null || placement != null) {
      throw new IllegalArgumentException("--strategy and --placement go with --simulate only; a "
          + "cluster has --compare, and its own places");
    }
    checkReplay();
    if (trace != null) {
      requireFile("--trace", trace);
    }
    return new ClusterUpdates.Task(bench, EcCode.parse(codeName == null ? "rs-6-3" : codeName),
        trace, trace == null ? onCluster.workloadName() : traceName(), chunkBytes,
        stripesPerCommit, replicas);
  }

  private String traceName() {
    return trace.getFileName().toString().replaceFirst("\\.csv$", "");
  }

  private void checkReplay() {
    if (png != null) {
      throw new IllegalArgumentException("--png goes with --reliability only");
    }
    if (chunkBytes < 1 || chunkBytes > CHUNK_BYTES_MAX) {
      throw new IllegalArgumentException("--chunk is " + chunkBytes + " bytes, and has to be 1 to "
          + CHUNK_BYTES_MAX);
    }
    if (stripesPerCommit < 1) {
      throw new IllegalArgumentException("--stripes-per-commit is " + stripesPerCommit
          + ", and has to be 1 at least");
    }
  }

  private void simulate() throws IOException {
    if (trace == null) {
      throw new IllegalArgumentException("--simulate needs --trace FILE, a trace to replay");
    }
    checkReplay();
    requireFile("--trace", trace);
    EcCode code = EcCode.parse(codeName == null ? "rs-6-3" : codeName);
    Placements placements = Placements.drawn(code.dataUnits(), code.units(),
        nodes == null ? code.units() : nodes, racks == null ? 3 : racks, seed);
    if (placement != null) {
      requireFile("--placement", placement);
      placements = placements.with(placement);
    }
    Optional<DataGrouping.Rule> rule = groupingRule();
    ReplayOptions options = new ReplayOptions(placements, code.dataUnits(), chunkBytes,
        stripesPerCommit, rule, !noEndMarker);
    if (rule.equals(Optional.of(DataGrouping.Rule.EAGER)) && !noLostWrites) {
      options = options.losingWrites();
    }
    List<StrategyReplay> replays = new ArrayList<>();
    for (UpdateStrategy strategy : strategies(placements.racks)) {
      replays.add(new StrategyReplay(strategy, options));
    }
    UpdateLocality locality = new UpdateLocality(chunkBytes, code.dataUnits());
    MsrTrace.read(trace, request -> {
      locality.add(request);
      replays.forEach(replay -> replay.replay(request));
    });
    replays.forEach(StrategyReplay::end);
    report(code, placements, replays, locality);
  }

  private Optional<DataGrouping.Rule> groupingRule() {
    if (noGrouping && grouping != null && !grouping.equals(NO_GROUPING)) {
      throw new IllegalArgumentException("--no-grouping is --grouping none, and --grouping is '"
          + grouping + "'; leave out one of the two");
    }
    String name = noGrouping ? NO_GROUPING : grouping == null ? "paper" : grouping;
    switch (name) {
      case "paper":
        return Optional.of(DataGrouping.Rule.PAPER);
      case "eager":
        return Optional.of(DataGrouping.Rule.EAGER);
      case NO_GROUPING:
        return Optional.empty();
      default:
        throw new IllegalArgumentException("--grouping is '" + name
            + "', and has to be paper, eager or none");
    }
  }

  private static void requireFile(String option, Path file) {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new IllegalArgumentException(option + " is " + file + ", which is no file that can be"
          + " read");
    }
  }

  private void report(EcCode code, Placements placements, List<StrategyReplay> replays,
      UpdateLocality locality) throws IOException {
    String name = traceName();
    bench.say("%s: %d writes of %d chunks of %d bytes; %s, %d racks, places of %d stripes given, of"
        + " all others drawn with seed %d; %d stripes per commit", name, replays.get(0).writes(),
        replays.get(0).chunkWrites(), chunkBytes, code.label(), placements.racks,
        placements.given(), seed, stripesPerCommit);
    List<Row> rows = replays.stream()
        .map(replay -> row(name, code, replay)
            .put("update_locality", locality.value())
            .put("locality_writes", locality.writesOfASet())).collect(Collectors.toList());
    new Table().text("strategy", -13, "strategy").text("chunks", 12, "chunk_transfers")
        .text("replicas", 12, "replica_chunks").text("parity", 12, "parity_chunks")
        .text("grouping", 12, "grouping_chunks").text("commits", 8, "commits")
        .median("MiB in bytes", 14, 2, "cross_rack_bytes", MIB).printEach(bench.out, rows);
    bench.writeJson(rows);
  }

  private static Row row(String trace, EcCode code, StrategyReplay replay) {
    CrossRackCounts chunks = replay.chunks();
    return new Row("updates")
        .put("trace", trace)
        .put("code", code.label())
        .put("racks", replay.options.placements.racks)
        .put("strategy", replay.strategy.label())
        .put("writes", replay.writes())
        .put("chunk_writes", replay.chunkWrites())
        .put("chunk_transfers", chunks.all())
        .put("chunk_transfer_bytes", chunks.all() * replay.options.chunkBytes)
        .put("replica_chunks", chunks.replica())
        .put("end_marker_chunks", replay.endMarkerChunks())
        .put("parity_chunks", chunks.parity())
        .put("grouping_chunks", chunks.grouping())
        .put("grouping", replay.options.grouping
            .map(rule -> rule.name().toLowerCase(Locale.ROOT)).orElse(NO_GROUPING))
        .put("lost_writes", replay.lostWrites())
        .put("cross_rack_bytes", replay.bytes().all())
        .put("commits", replay.commits())
        .put("replicas", replay.strategy.replicas())
        .put("chunk_bytes", replay.options.chunkBytes)
        .put("stripes_per_commit", replay.options.stripesPerCommit);
  }

  private List<UpdateStrategy> strategies(int rackCount) {
    boolean isDefault = strategies == null;
    List<String> labels = isDefault ? List.of("baseline", "parix", "cau", "cau-0", "cau-1", "cau-2",
        "collect", "delta-log") : strategies;
    List<UpdateStrategy> found = new ArrayList<>();
    for (String label : labels) {
      if (isDefault && label.equals("delta-log") && replicas == 0) {
        bench.say("delta-log is left out: it needs an interim replica");
        continue;
      }
      UpdateStrategy strategy = UpdateStrategies.byName(label, replicas);
      if (strategy.replicas() < rackCount) {
        found.add(strategy);
      } else if (isDefault && strategy.replicas() != replicas) {
        bench.say("%s is left out: it needs more than %d racks", label, rackCount);
      } else {
        throw new IllegalArgumentException("'" + label + "' has " + strategy.replicas()
            + " interim replicas, and needs more racks than that; --racks is " + rackCount);
      }
    }
    return found;
  }

  private void calculate() throws IOException {
    if (codeName == null && racks != null) {
      throw new IllegalArgumentException("--racks needs --code here; without both, there are "
          + PAPER_CODES);
    }
    List<Row> records = new ArrayList<>();
    if (codeName == null) {
      addLosses(EcCode.parse("rs-6-3"), 3, records);
      addLosses(EcCode.parse("rs-12-4"), 4, records);
    } else {
      addLosses(EcCode.parse(codeName), racks == null ? 3 : racks, records);
    }
    new Table().text("code", -10, "code").text("racks", 6, "racks").text("scheme", 8, "scheme")
        .text("hours", 6, "hours")
        .column("probability", 12, row -> scientific(3, row.get(0).number("loss_probability")))
        .column("paper", 10, row -> scientific(2, row.get(0).number("paper")))
        .printEach(bench.out, records.stream()
            .filter(record -> record.number("hours") == HOURS_MAX).collect(Collectors.toList()));
    bench.writeJson(records);
    List<String> codes =
        records.stream().map(record -> record.text("code")).distinct()
            .collect(Collectors.toList());
    bench.writePngs(() -> codes.stream().map(code -> lossChart(code, records))
        .collect(Collectors.toList()), codes.size());
  }

  private static String scientific(int digits, double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%." + digits + "e", value);
  }

  /**
   * Draws the probabilities of a loss over hours: the paper's figure 7. The time 0 is left out,
   * because its probability has no logarithm.
   */
  private static Chart lossChart(String code, List<Row> records) {
    Chart chart = Chart.small(code, "hours until the parity follows", "probability of a loss")
        .lines();
    chart.styler().setYAxisLogarithmic(true);
    for (LossProbability.Scheme scheme : LossProbability.Scheme.values()) {
      Map<Integer, Double> probabilities = new LinkedHashMap<>();
      records.stream().filter(record -> record.text("code").equals(code)
          && record.text("scheme").equals(scheme.label) && record.number("hours") > 0)
          .forEach(record -> probabilities.put((int) record.number("hours"),
              record.number("loss_probability")));
      chart.series(scheme.label, probabilities);
    }
    return chart;
  }

  private static void addLosses(EcCode code, int rackCount, List<Row> records) {
    LossProbability losses = new LossProbability(code.dataUnits(), code.units(), rackCount);
    for (LossProbability.Scheme scheme : LossProbability.Scheme.values()) {
      for (int hours = 0; hours <= HOURS_MAX; hours++) {
        records.add(new Row("updates-reliability")
            .put("code", code.label())
            .put("racks", rackCount)
            .put("scheme", scheme.label)
            .put("hours", hours)
            .put("loss_probability", losses.of(scheme, hours))
            .put("paper", paper(code.label(), rackCount, scheme, hours)));
      }
    }
  }

  /** Returns the probability that the paper prints, or not a number. */
  private static double paper(String code, int racks, LossProbability.Scheme scheme, int hours) {
    if (!code.equals("rs-6-3") || racks != 3 || hours != PAPER_HOURS) {
      return Double.NaN;
    }
    switch (scheme) {
      case EC:
        return 2.24e-7;
      case CAU_1:
        return 9.83e-7;
      default:
        return Double.NaN;
    }
  }
}
