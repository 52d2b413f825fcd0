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

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.ByteSize;
import org.hdfsppr.bench.run.Chart;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.bench.run.Table;
import org.hdfsppr.coder.cost.RepairCost;
import org.hdfsppr.it.cluster.ClusterOptions;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.LossKind;
import org.hdfsppr.it.cluster.Rate;
import org.hdfsppr.it.util.EcCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bench.sh repair}: measures how many seconds each mode takes to rebuild lost units of one
 * block group, for one size of blocks or several.
 */
@Command(name = "repair", mixinStandardHelpOptions = true,
    description = "Seconds to rebuild the lost units of one block group, mode by mode, "
        + "on one cluster of shaped links.")
@InterfaceAudience.Private
public final class RepairBench implements Callable<Integer> {
  private static final double MIB = 1 << 20;

  /**
   * The benchmark gives a repair up after this many times the time in which one shaped link carries
   * k units, as in a star, but not before {@link #PATIENCE_MIN}.
   */
  private static final int PATIENCE = 10;
  private static final Duration PATIENCE_MIN = Duration.ofMinutes(3);

  @Spec
  private CommandSpec spec;

  @Mixin
  private ClusterOptions clusterOptions;

  @Option(names = "--code", defaultValue = "rs-6-3",
      description = "rs-6-3, rs-10-4, lrc-l2-12-4, hitchhiker-xorplus-10-4, or any other that "
          + "'hdfs ppr -codes' names (default: ${DEFAULT-VALUE})")
  private String code;

  @Option(names = "--block", split = ",", defaultValue = "64m", converter = ByteSize.class,
      description = "Bytes of an internal block, or several sizes, which each mode repairs on the "
          + "same cluster (default: ${DEFAULT-VALUE})")
  private List<Long> blockSizes;

  @Option(names = "--compare", split = ",", defaultValue = "stock,stock-tuned",
      description = "Modes: stock, stock-tuned, star, ppr, chain, rack, free-sum "
          + "(default: ${DEFAULT-VALUE})")
  private List<String> modes;

  @Option(names = "--runs", defaultValue = "3",
      description = "Runs per mode (default: ${DEFAULT-VALUE})")
  private int runs;

  @Option(names = "--lost", defaultValue = "1",
      description = "Lost units of the group (default: ${DEFAULT-VALUE})")
  private int lostUnits;

  @Option(names = "--lose", defaultValue = "REPORT",
      description = "How they get lost: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private LossKind lossKind;

  @Option(names = "--warm-up", paramLabel = "GROUPS", defaultValue = "16",
      description = "Small groups to repair unmeasured before a mode's runs, since a DataNode's "
          + "first repair waits for class loading (default: ${DEFAULT-VALUE})")
  private int warmUpGroups;

  @Option(names = "--json", description = "Where the runs go, one object each")
  private Path json;

  @Option(names = "--png", description = "Where the chart goes")
  private Path png;

  private final List<Row> records = new ArrayList<>();
  private BenchRun bench;

  @Override
  public Integer call() throws IOException, InterruptedException, TimeoutException {
    EcCode ecCode = EcCode.parse(code);
    List<RepairMode> toCompare = modes.stream().map(RepairMode::parse)
        .collect(Collectors.toList());
    ClusterSpec base = clusterOptions.toSpec().build();
    check(base, ecCode);
    bench = new BenchRun(spec.commandLine().getOut(), json, png);
    bench.onCluster(specFor(base, ecCode, toCompare.get(0)),
        cluster -> measureAll(cluster, base, ecCode, toCompare));
    for (long blockBytes : blockSizes) {
      bench.out.println();
      bench.out.println(title(base, ecCode, List.of(blockBytes)));
      print(records.stream().filter(record -> record.number("block_bytes") == blockBytes)
          .collect(Collectors.toList()));
    }
    bench.writePng(() -> chart(title(base, ecCode, blockSizes)));
    return records.stream().allMatch(Row::ok) ? 0 : 1;
  }

  /** Prints the results of blocks of one size, mode by mode. */
  private void print(List<Row> ofSize) {
    Map<String, List<Row>> byMode = Table.groups(ofSize, row -> row.text("topology"));
    List<Row> tuned = byMode.get(RepairMode.STOCK_TUNED.label);
    double tunedSeconds = tuned == null ? Double.NaN : medianSeconds(tuned);
    new Table().text("mode", -12, "topology").count("runs", 4).median("seconds", 9, 2, "seconds")
        .range("(min - max)", 17, 2, "seconds")
        .median("x limit", 9, 2, row -> row.number("seconds") / row.number("limit_seconds"))
        .median("x stock-tuned", 14, 2, row -> row.number("seconds") / tunedSeconds)
        .median("busiest MiB", 13, 1, "busiest_node_received_bytes", MIB)
        .median("network MiB", 13, 1, "network_bytes", MIB)
        .median("disk MiB", 13, 1, "disk_read_bytes", MIB)
        .median("helpers MiB", 13, 1, "helper_read_bytes", MIB)
        .median("recipe MiB", 13, 1, "recipe_read_bytes", MIB)
        .median("cross-rack MiB", 14, 1, "cross_rack_bytes", MIB).markNotOk()
        .print(bench.out, byMode.values());
  }

  private static double medianSeconds(List<Row> rows) {
    return Row.median(rows, row -> row.number("seconds"));
  }

  /** Draws the medians of all modes, for each size of blocks. */
  private Chart chart(String title) {
    Map<String, Double> medians = new LinkedHashMap<>();
    Table.groups(records, row -> row.text("block")).forEach((size, ofSize) ->
        Table.groups(ofSize, row -> row.text("topology")).forEach((mode, rows) ->
            medians.put(blockSizes.size() == 1 ? mode : mode + " " + size, medianSeconds(rows))));
    double limit = records.get(0).number("limit_seconds");
    // Each size has its own limit, and the chart has one line.
    return Chart.ofMedians(title, "repair", medians, "limit C/B",
        blockSizes.size() > 1 || Double.isNaN(limit) ? OptionalDouble.empty()
            : OptionalDouble.of(limit));
  }

  private void check(ClusterSpec base, EcCode ecCode) {
    if (lostUnits < 1 || lostUnits > ecCode.parityUnits()) {
      throw new IllegalArgumentException(code + " survives 1 to " + ecCode.parityUnits()
          + " lost units, not " + lostUnits);
    }
    // A destination must be a node that neither holds nor has lost a unit of the group.
    int nodesMin = ecCode.units() + lostUnits;
    if (base.nodes < nodesMin) {
      throw new IllegalArgumentException(code + " with " + lostUnits + " lost wants " + nodesMin
          + " nodes, not " + base.nodes);
    }
    blockSizes.forEach(BenchRun::requireWholeCells);
    if (blockSizes.stream().distinct().count() < blockSizes.size()) {
      throw new IllegalArgumentException("--block names a size twice");
    }
    if (runs < 1 || warmUpGroups < 0) {
      throw new IllegalArgumentException("--runs is " + runs + ", --warm-up " + warmUpGroups);
    }
  }

  private void measureAll(HdfsProcessCluster cluster, ClusterSpec base, EcCode ecCode,
      List<RepairMode> toCompare) throws IOException, InterruptedException, TimeoutException {
    for (RepairMode mode : toCompare) {
      bench.say("%s: starting %d nodes", mode.label, base.nodes);
      if (mode == toCompare.get(0)) {
        cluster.up();
      } else {
        cluster.restartEmpty(specFor(base, ecCode, mode));
      }
      measureMode(cluster, ecCode, mode);
    }
  }

  private void measureMode(HdfsProcessCluster cluster, EcCode ecCode, RepairMode mode)
      throws IOException, InterruptedException, TimeoutException {
    try (DistributedFileSystem client = cluster.client()) {
      ecCode.enable(client);
      if (warmUpGroups > 0) {
        new WarmUp(cluster, client, ecCode).run(warmUpGroups, Collections.max(blockSizes));
      }
      for (long blockBytes : blockSizes) {
        measureBlocks(cluster, client, ecCode, mode, blockBytes);
      }
    }
  }

  private void measureBlocks(HdfsProcessCluster cluster, DistributedFileSystem client,
      EcCode ecCode, RepairMode mode, long blockBytes)
      throws IOException, InterruptedException, TimeoutException {
    RepairRun repair = new RepairRun(cluster, client, ecCode, blockBytes, lossKind,
        limit(cluster.spec(), ecCode, blockBytes));
    for (int run = 1; run <= runs; run++) {
      RepairRun.Outcome outcome = repair.measure(run, lostUnits);
      records.add(row(ecCode, mode, blockBytes, cluster.spec(), run, outcome));
      bench.say("%s, %s: run %d of %d: %.2f s%s%s", mode.label, ByteSize.words(blockBytes), run,
          runs, outcome.seconds,
          outcome.ok ? "" : ", NOT OK: a rebuilt replica differs from the lost one",
          outcome.disturbed() ? String.format(Locale.ROOT,
              ", disturbed: others used %.0f %% of the processors",
              outcome.otherCpuShare * 100) : "");
      bench.writeJson(records);
    }
  }

  private Row row(EcCode ecCode, RepairMode mode, long blockBytes, ClusterSpec cluster, int run,
      RepairRun.Outcome outcome) {
    return new Row("repair")
        .put("code", ecCode.label())
        .put("topology", mode.label)
        .put("block", ByteSize.words(blockBytes))
        .put("block_bytes", blockBytes)
        .put("rate_bits_per_s", bitsPerSecond(cluster.rate))
        .put("cross_rack_rate_bits_per_s", bitsPerSecond(cluster.crossRackRate))
        .put("lost_units", lostUnits)
        .put("lost_unit_indices", outcome.lostUnits.stream().map(String::valueOf)
            .collect(Collectors.joining(" ")))
        .put("run", run)
        .put("ok", outcome.ok)
        .put("seconds", outcome.seconds)
        // No repair is faster than a link that carries a block, since each destination must
        // receive a whole one.
        .put("limit_seconds",
            cluster.rate.isUnlimited() ? Double.NaN : cluster.rate.secondsFor(blockBytes))
        .put("busiest_node_received_bytes", outcome.busiestReceivedBytes)
        .put("disk_read_bytes", outcome.diskReadBytes)
        .put("helper_read_bytes", outcome.helperReadBytes)
        .put("recipe_read_bytes", recipeReadBytes(ecCode, blockBytes, outcome.lostUnits))
        .put("network_bytes", outcome.networkBytes)
        .put("cross_rack_bytes", outcome.crossRackBytes)
        .put("datanodes_cpu_seconds", outcome.daemonCpuSeconds)
        .put("other_cpu_seconds", outcome.otherCpuSeconds);
  }

  private static OptionalLong bitsPerSecond(Rate of) {
    return of.isUnlimited() ? OptionalLong.empty() : OptionalLong.of(of.bitsPerSecond());
  }

  /**
   * Returns how many bytes the code's cheapest recipe for one lost unit reads. Empty if several
   * units are lost, because recipes are defined only for a single lost unit.
   */
  private static OptionalLong recipeReadBytes(EcCode ecCode, long blockBytes,
      List<Integer> lost) {
    return lost.size() != 1 ? OptionalLong.empty() : OptionalLong.of(Math.round(
        RepairCost.of(ecCode.code, lost.get(0)).unitsRead() * blockBytes));
  }

  private static Duration limit(ClusterSpec cluster, EcCode ecCode, long blockBytes) {
    if (cluster.rate.isUnlimited()) {
      return PATIENCE_MIN;
    }
    Duration patience = Duration.ofSeconds(Math.round(
        PATIENCE * cluster.rate.secondsFor(blockBytes * ecCode.dataUnits())));
    return patience.compareTo(PATIENCE_MIN) > 0 ? patience : PATIENCE_MIN;
  }

  private static ClusterSpec specFor(ClusterSpec base, EcCode ecCode,
      RepairMode mode) {
    // The user's own settings override the settings of the mode.
    return base.toBuilder().plugin(mode.needsPlugin()).codecs(ecCode.isOwnCodec())
        .conf(mode.settings()).conf(base.conf).build();
  }

  private String title(ClusterSpec base, EcCode ecCode, List<Long> sizes) {
    return String.format(Locale.ROOT, "Repair of %d of %d units, %s, blocks of %s, links %s%s, "
        + "%d nodes in %d racks, Hadoop %s", lostUnits, ecCode.units(), code,
        sizes.stream().map(ByteSize::words).collect(Collectors.joining(", ")), base.rate,
        base.crossRackRate.isUnlimited() ? "" : ", racks " + base.crossRackRate,
        base.nodes, base.racks, base.hadoopVersion);
  }
}
