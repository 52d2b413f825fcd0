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
import java.io.PrintWriter;
import java.nio.file.Files;
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
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.ByteSize;
import org.hdfsppr.bench.run.Chart;
import org.hdfsppr.bench.run.Medians;
import org.hdfsppr.bench.run.Meters;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.bench.run.Table;
import org.hdfsppr.it.cluster.ClusterJars;
import org.hdfsppr.it.cluster.ClusterOptions;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.Fsck;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the loss of a whole node, mode by mode and run by run. A stock client writes the files
 * once, on a stock cluster, and the harness keeps a copy of all data that the daemons have stored.
 * The files of a code of CORE are written on a cluster with the plugins, and CORE protects them
 * before the copy is made. Every run starts from this copy, so all modes and runs lose the same
 * units of the same node.
 */
final class NodeTrials {
  /** The part of the processors that others had during a run: for tables. */
  static final String OTHER_CPU_SHARE = "other_cpu_share";

  private static final double MIB = 1 << 20;
  private static final Duration SETTLE_LIMIT = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(200);

  /**
   * The benchmark gives a run up after this many times its lower bound, but not before
   * {@link #PATIENCE_MIN}.
   */
  private static final int PATIENCE = 40;
  private static final Duration PATIENCE_MIN = Duration.ofMinutes(10);

  @Mixin
  private ClusterOptions clusterOptions;

  @Option(names = "--code", defaultValue = "rs-6-3",
      description = "rs-6-3, rs-10-4, lrc-l2-12-4, or any other that 'bench.sh repair' takes "
          + "(default: ${DEFAULT-VALUE})")
  private String code;

  @Option(names = "--block", defaultValue = "64m", converter = ByteSize.class,
      description = "Bytes of an internal block (default: ${DEFAULT-VALUE})")
  private long blockBytes;

  @Option(names = "--compare", split = ",", defaultValue = "stock,stock-tuned,datanode-only",
      description = "stock, stock-tuned, datanode-only, mppr, balanced, balanced-greedy (beside "
          + "callers that hold as much memory as they get), balanced-converting (while other files "
          + "are converted), fifo (default: ${DEFAULT-VALUE})")
  private List<String> modes;

  @Option(names = "--convert-files", paramLabel = "FILES", defaultValue = "200",
      description = "Files of one block group to write for balanced-converting; those with a unit "
          + "on the lost node are deleted (default: ${DEFAULT-VALUE})")
  private int convertFiles;

  @Option(names = "--convert-to", paramLabel = "CODE", defaultValue = "hitchhiker-xorplus-6-3",
      description = "The code that they get (default: ${DEFAULT-VALUE})")
  private String convertTo;

  @Option(names = "--runs", defaultValue = "3",
      description = "Runs per mode; a run of every mode, then the next (default: ${DEFAULT-VALUE})")
  private int runs;

  @Option(names = "--warm-up", paramLabel = "GROUPS", defaultValue = "96",
      description = "Small groups to repair unmeasured before each run, since a DataNode's first "
          + "repair waits for class loading, and the JVMs of fresh ones compile what they run "
          + "(default: ${DEFAULT-VALUE})")
  private int warmUpGroups;

  @Option(names = "--json", description = "Where the runs go, one object each")
  private Path json;

  @Option(names = "--png", description = "Where the chart goes")
  private Path png;

  private final List<Row> records = new ArrayList<>();
  private BenchRun bench;
  /** Null unless a mode converts files. */
  private FilesToConvert toConvert;

  /** Measures and reports all runs. Returns true if no run had a fault. */
  boolean run(NodeTrial trial, int lostBlocks, PrintWriter to)
      throws IOException, InterruptedException, TimeoutException {
    bench = new BenchRun(to, json, png);
    EcCode ecCode = EcCode.parse(code);
    List<NodeMode> toCompare = modes.stream().map(NodeMode::parse).collect(Collectors.toList());
    ClusterSpec base = clusterOptions.toSpec().build();
    check(base, ecCode, lostBlocks);
    bench.onCluster(writerSpec(base, ecCode),
        cluster -> measureAll(cluster, trial, base, ecCode, toCompare, lostBlocks));
    bench.out.println();
    bench.out.println(title(trial, base));
    Map<String, List<Row>> byMode = Table.groups(records, row -> row.text("scheduler"));
    print(byMode, trial.describe(), toCompare);
    trial.print(bench.out);
    Map<String, Double> medians = new LinkedHashMap<>();
    byMode.forEach((mode, rows) ->
        medians.put(mode, Row.median(rows, row -> row.number("seconds"))));
    double bound = records.get(0).number("lower_bound_seconds");
    bench.writePng(() -> Chart.ofMedians(title(trial, base), "time", medians, "lower bound",
        Double.isNaN(bound) ? OptionalDouble.empty() : OptionalDouble.of(bound)));
    return records.stream().allMatch(Row::ok);
  }

  private void print(Map<String, List<Row>> byMode, String timed, List<NodeMode> toCompare) {
    new Table().text("scheduler", -15, "scheduler").count("runs", 4)
        .text("blocks", 6, "lost_blocks").median("seconds", 9, 2, "seconds")
        .range("(min - max)", 21, 2, "seconds")
        .median("lower bound", 12, 2, "lower_bound_seconds")
        .median("x bound", 10, 2, "x_lower_bound")
        .median("network MiB", 12, 2, "network_bytes", MIB)
        .median("disk MiB", 10, 2, "disk_read_bytes", MIB)
        .median("RSS MiB", 8, 0, "datanode_resident_peak_bytes", MIB)
        .median("others %", 9, 2, row -> row.number(OTHER_CPU_SHARE) * 100).markNotOk()
        .print(bench.out, byMode.values());
    bench.out.println();
    printRatios(byMode);
    bench.out.println(timed);
    bench.out.println("lower bound: what the links of the nodes that stay need for the bytes that "
        + "the code has to move, at TCP's goodput of the links' rate; LowerBound says how");
    bench.out.println("others %: what others took of the processors; disk: read for the "
        + "DataNodes, whose replicas may be in the page cache; RSS: the most that any DataNode had "
        + "resident");
    toCompare.stream().distinct()
        .forEach(mode -> bench.out.println(mode.label + ": " + mode.describe()));
    bench.out.flush();
  }

  private void printRatios(Map<String, List<Row>> byMode) {
    byMode.forEach((mode, rows) -> {
      List<String> ratios = new ArrayList<>();
      byMode.forEach((other, others) -> {
        List<Double> pairs = pairs(rows, others);
        if (!other.equals(mode) && !pairs.isEmpty()) {
          ratios.add(String.format(Locale.ROOT, "%.2f x %s (at most %.2f)", Medians.of(pairs),
              other, Collections.max(pairs)));
        }
      });
      if (!ratios.isEmpty()) {
        bench.out.println(mode + " takes " + String.join(", ", ratios));
      }
    });
    if (byMode.size() > 1) {
      bench.out.println();
    }
  }

  /** Returns the ratios of the seconds of all pairs of rows with the same run. */
  private static List<Double> pairs(List<Row> rows, List<Row> others) {
    List<Double> pairs = new ArrayList<>();
    for (Row row : rows) {
      others.stream().filter(other -> other.number("run") == row.number("run"))
          .forEach(other -> pairs.add(row.number("seconds") / other.number("seconds")));
    }
    return pairs;
  }

  /**
   * Puts a number into each row for each other mode of the same run: this mode's seconds divided by
   * the other mode's seconds.
   */
  private void putRatios() {
    for (Row row : records) {
      Map<String, Double> ratios = new LinkedHashMap<>();
      records.stream().filter(other -> other.number("run") == row.number("run")
          && !other.text("scheduler").equals(row.text("scheduler")))
          .forEach(other -> ratios.put("x_" + other.text("scheduler").replace('-', '_'),
              row.number("seconds") / other.number("seconds")));
      row.putBehind("x_lower_bound", ratios);
    }
  }

  /** Returns the mode of the cluster on which the files are written. CORE needs the plugins. */
  private static NodeMode writer(EcCode ecCode) {
    return ecCode.filesPerGroup().isPresent() ? NodeMode.MPPR : NodeMode.STOCK;
  }

  private static ClusterSpec writerSpec(ClusterSpec base, EcCode ecCode) {
    ClusterSpec spec = writer(ecCode).specFor(base, ecCode);
    return ecCode.filesPerGroup().isEmpty() ? spec
        : spec.toBuilder().conf(CoreProtection.SETTINGS).conf(base.conf).build();
  }

  private void check(ClusterSpec base, EcCode ecCode, int lostBlocks) throws IOException {
    if (base.nodes <= ecCode.units()) {
      throw new IllegalArgumentException(code + " without one of its nodes wants more than "
          + ecCode.units() + " nodes, not " + base.nodes);
    }
    BenchRun.requireWholeCells(blockBytes);
    if (runs < 1 || warmUpGroups < 0 || lostBlocks < 1) {
      throw new IllegalArgumentException("--runs is " + runs + ", --warm-up " + warmUpGroups
          + ", blocks to lose " + lostBlocks);
    }
  }

  private void measureAll(HdfsProcessCluster cluster, NodeTrial trial, ClusterSpec base,
      EcCode ecCode, List<NodeMode> toCompare, int lostBlocks)
      throws IOException, InterruptedException, TimeoutException {
    // Each node may hold as many blocks as the lost node. The two further nodes in this product
    // stand for the rebuilt blocks and a reserve.
    long bytes = (long) (lostBlocks + 1) * (base.nodes + 2) * blockBytes;
    long usable = Files.getFileStore(cluster.dir()).getUsableSpace();
    if (usable < bytes) {
      throw new IOException(bytes / (1L << 30) + " GiB may be needed in " + cluster.dir()
          + ", and there are " + usable / (1L << 30) + "; give a smaller --block");
    }
    for (NodeMode mode : toCompare) {
      ClusterJars.requireBuilt(mode.specFor(base, ecCode));
    }
    NodeLoss loss = write(cluster, trial, ecCode, lostBlocks,
        toCompare.stream().anyMatch(NodeMode::isConverting));
    double bound = trial.lowerBoundSeconds(cluster, loss);
    bench.say("dn%d of %d is to be lost, with %d units of %d groups; lower bound %.2f s",
        loss.node(), base.nodes, loss.units().size(), loss.files(), bound);
    for (int run = 1; run <= runs; run++) {
      for (NodeMode mode : toCompare) {
        cluster.restartSaved(mode.specFor(base, ecCode));
        records.add(measure(trial, cluster, ecCode, mode, loss, run, bound));
        putRatios();
        trial.writeJson(bench, records);
      }
    }
  }

  private NodeLoss write(HdfsProcessCluster cluster, NodeTrial trial, EcCode ecCode,
      int lostBlocks, boolean isConverting)
      throws IOException, InterruptedException, TimeoutException {
    bench.say("starting %d nodes, %s, and writing", cluster.spec().nodes,
        writer(ecCode).label);
    cluster.up();
    // Writing is not measured, so the links are not shaped while the client writes.
    cluster.links().setShaping(false);
    trial.prepare(cluster);
    NodeLoss loss;
    try (DistributedFileSystem client = cluster.client()) {
      ecCode.enable(client);
      loss = NodeLoss.write(cluster, client, ecCode, blockBytes, lostBlocks);
      if (isConverting) {
        toConvert = FilesToConvert.write(cluster, client, ecCode, EcCode.parse(convertTo),
            blockBytes, convertFiles, loss.node());
      }
      awaitSettled(cluster);
    }
    cluster.save();
    return loss;
  }

  private static void awaitSettled(HdfsProcessCluster cluster)
      throws IOException, InterruptedException, TimeoutException {
    Await.until("nothing is to be done before a node is lost", SETTLE_LIMIT, POLL,
        () -> cluster.state().redundancy().isSettled());
  }

  private Row measure(NodeTrial trial, HdfsProcessCluster cluster, EcCode ecCode,
      NodeMode mode, NodeLoss loss, int run, double bound)
      throws IOException, InterruptedException, TimeoutException {
    try (DistributedFileSystem client = cluster.client()) {
      if (warmUpGroups > 0) {
        new WarmUp(cluster, client, ecCode).run(warmUpGroups, blockBytes);
      }
      awaitSettled(cluster);
      cluster.links().setShaping(true);
      List<String> complaints = new ArrayList<>();
      Meters before;
      Meters after;
      double seconds;
      int converted = -1;
      try (GreedyCallers callers = greedyCallers(cluster, mode, loss);
          FilesToConvert.Conversion conversion =
              mode.isConverting() ? toConvert.start(cluster, client) : null) {
        before = Meters.read(cluster);
        try {
          seconds = trial.seconds(cluster, client, loss, limit(bound));
        } catch (TimeoutException e) {
          complaints.add(e.getMessage());
          seconds = limit(bound).toMillis() / 1000.0;
        }
        after = Meters.read(cluster);
        if (mode.greedyCallers() > 0) {
          bench.say("%s", callers);
        }
        if (conversion != null) {
          converted = finish(conversion, seconds, complaints);
        }
      }
      cluster.links().setShaping(false);
      trial.leaveBehind(cluster, loss);
      complaints.addAll(trial.complaints());
      complaints.addAll(wrong(cluster, client, loss));
      Row row = row(trial.bench, ecCode, mode, cluster.spec(), run, loss.units().size(), bound,
          seconds, complaints, before, after);
      if (mode.isConverting()) {
        row.put("converted_files", converted);
      }
      trial.add(row);
      bench.say("%s: run %d of %d: %.2f s, %.2f x the lower bound; others used %.0f %% of the "
          + "processors%s", mode.label, run, runs, seconds, seconds / bound,
          row.number(OTHER_CPU_SHARE) * 100, row.ok() ? "" : ", NOT OK: " + complaints);
      return row;
    }
  }

  /**
   * Waits for the end of a conversion after a repair that has just ended.
   *
   * @param seconds how long the repair took
   * @param complaints takes what is wrong
   * @return how many files were converted during the repair
   */
  private int finish(FilesToConvert.Conversion conversion, double seconds,
      List<String> complaints) throws IOException, InterruptedException, TimeoutException {
    long endMs = System.currentTimeMillis();
    long lossMs = endMs - Math.round(seconds * 1000);
    int before = conversion.convertedBy(lossMs);
    int during = conversion.convertedBy(endMs) - before;
    bench.say("%d of %d files were converted before, %d during the repair", before,
        conversion.files(), during);
    if (before == conversion.files()) {
      complaints.add("all files were converted before the repair began; write more of them");
    }
    complaints.addAll(conversion.finish());
    bench.say("all files were converted %.1f s after the repair",
        (System.currentTimeMillis() - endMs) / 1000.0);
    return during;
  }

  /**
   * Makes the row of a run.
   *
   * @param bound the lower bound of the seconds; NaN if links have no limit
   * @param seconds the duration of the repair, or of the run until the benchmark gave it up; in the
   *     second case a complaint says so
   */
  private Row row(String name, EcCode ecCode, NodeMode mode, ClusterSpec cluster, int run,
      int lostBlocks, double bound, double seconds, List<String> complaints, Meters before,
      Meters after) {
    return new Row(name)
        .put("code", ecCode.label())
        .put("scheduler", mode.label)
        .put("lost_blocks", lostBlocks)
        .put("seconds", seconds)
        .put("lower_bound_seconds", bound)
        .put("ok", complaints.isEmpty())
        .put("x_lower_bound", seconds / bound)
        .put("run", run)
        .put("block_bytes", blockBytes)
        .put("nodes", cluster.nodes)
        .put("racks", cluster.racks)
        .put("rate", cluster.rate.toString())
        .put("cross_rack_rate", cluster.crossRackRate.toString())
        .put("hadoop", cluster.hadoopVersion)
        .put("settings", mode.describe())
        .put("network_bytes", doubleOf(after.receivedSince(before)))
        .put("busiest_node_received_bytes", doubleOf(after.busiestReceivedSince(before)))
        .put("cross_rack_bytes", doubleOf(after.crossRackSince(before)))
        .put("disk_read_bytes", (double) after.diskReadSince(before))
        .put("datanode_resident_peak_bytes", (double) after.residentPeak())
        .put("datanodes_cpu_seconds", after.daemonCpuSecondsSince(before))
        .put("other_cpu_seconds", after.otherCpuSecondsSince(before))
        .put("complaints", String.join("; ", complaints))
        .keep(OTHER_CPU_SHARE, after.otherCpuShareSince(before));
  }

  /** The file has these counts as they have always been in it, with a point. */
  private static double doubleOf(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : Double.NaN;
  }

  private static GreedyCallers greedyCallers(HdfsProcessCluster cluster, NodeMode mode,
      NodeLoss loss) throws InterruptedException {
    GreedyCallers callers =
        new GreedyCallers(mode.greedyCallers(), loss.oneUnitOfEach(loss.others(cluster)));
    callers.start();
    return callers;
  }

  private static List<String> wrong(HdfsProcessCluster cluster, DistributedFileSystem client,
      NodeLoss loss) throws IOException {
    List<String> wrong = new ArrayList<>(loss.wrongReplicas(cluster));
    Fsck fsck = Fsck.of(cluster.clientConf());
    if (!fsck.isWhole()) {
      wrong.add(fsck.toString());
    }
    wrong.addAll(loss.wrongFiles(client));
    return wrong;
  }

  private static Duration limit(double bound) {
    Duration patience = Double.isNaN(bound) ? PATIENCE_MIN
        : Duration.ofMillis(Math.round(PATIENCE * bound * 1000));
    return patience.compareTo(PATIENCE_MIN) > 0 ? patience : PATIENCE_MIN;
  }

  private String title(NodeTrial trial, ClusterSpec base) {
    return String.format(Locale.ROOT, "%s with %d blocks, %s, %d MiB blocks, links %s%s, "
        + "%d nodes in %d racks, Hadoop %s",
        trial.bench.equals("node") ? "Loss of a node" : "Decommission of a node",
        (int) records.get(0).number("lost_blocks"), code, blockBytes / (1024 * 1024), base.rate,
        base.crossRackRate.isUnlimited() ? "" : ", racks " + base.crossRackRate,
        base.nodes, base.racks, base.hadoopVersion);
  }
}
