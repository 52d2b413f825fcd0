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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.bench.read.PlacedClient;
import org.hdfsppr.bench.read.ReadRequest;
import org.hdfsppr.bench.read.ReadResult;
import org.hdfsppr.bench.read.WorkerProcess;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.ByteSize;
import org.hdfsppr.bench.run.Chart;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.bench.run.Table;
import org.hdfsppr.it.cluster.ClusterOptions;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.LinkBytes;
import org.hdfsppr.it.cluster.Rate;
import org.hdfsppr.it.util.EcCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench.sh degraded}: measures how fast each client reads while a node is down. */
@Command(name = "degraded", mixinStandardHelpOptions = true,
    description = "MB/s and latencies of reads while a node is down, mode by mode, on one cluster "
        + "of shaped links; the client has a link of its own.")
@InterfaceAudience.Private
public final class DegradedBench implements Callable<Integer> {
  private static final Duration DEAD_LIMIT = Duration.ofMinutes(2);

  @Spec
  private CommandSpec spec;

  @Mixin
  private ClusterOptions clusterOptions;

  @Option(names = "--code", defaultValue = "rs-6-3",
      description = "rs-6-3, rs-10-4, lrc-l2-12-4, or any other that 'bench.sh repair' takes "
          + "(default: ${DEFAULT-VALUE})")
  private String code;

  @Option(names = "--block", defaultValue = "32m", converter = ByteSize.class,
      description = "Bytes of an internal block (default: ${DEFAULT-VALUE})")
  private long blockBytes;

  @Option(names = "--groups", defaultValue = "1",
      description = "Block groups of the file that is read (default: ${DEFAULT-VALUE})")
  private int groups;

  @Mixin
  private DegradedConditions conditions;

  @Option(names = {"--compare", "--modes"}, split = ",", defaultValue = "healthy,stock,ppr,chain",
      description = "Modes: healthy, healthy-auto, stock, off, auto, other, ppr, "
          + "chain (default: ${DEFAULT-VALUE})")
  private List<String> modes;

  @Option(names = "--patterns", split = ",", defaultValue = "sequential,lost-cell,pread-64k",
      description = "What is read: sequential, lost-cell, pread-64k, lost-64k "
          + "(default: ${DEFAULT-VALUE})")
  private List<String> patternLabels;

  @Option(names = {"--runs", "--rounds"}, defaultValue = "3",
      description = "Rounds of all modes; in each another node is down "
          + "(default: ${DEFAULT-VALUE})")
  private int runs;

  @Option(names = "--preads", defaultValue = "200",
      description = "Reads of patterns pread-64k and lost-64k (default: ${DEFAULT-VALUE})")
  private int preads;

  @Option(names = "--warm-up", paramLabel = "READS", defaultValue = "400",
      description = "Reads of each kind before a client's measured ones, in all modes alike, since "
          + "a JVM's first thousands of calls are interpreted: the clients' and the DataNodes' "
          + "(default: ${DEFAULT-VALUE})")
  private int warmUpReads;

  @Option(names = "--client-rate",
      description = "Rate of the client's link, each way (default: a DataNode's)")
  private String clientRate;

  @Option(names = "--other-jar", paramLabel = "JAR",
      description = "Drop-in jar for clients of another version, which mode other reads with")
  private Path otherJar;

  @Option(names = "--json", description = "Where the medians go, one object a mode and pattern")
  private Path json;

  @Option(names = "--png", description = "Where the chart goes")
  private Path png;

  private List<ReadPattern> patterns;
  private final List<DegradedRecord> records = new ArrayList<>();
  private BenchRun bench;

  @Override
  public Integer call() throws IOException, InterruptedException, TimeoutException {
    EcCode ecCode = EcCode.parse(code);
    List<DegradedMode> toCompare = modes.stream().map(DegradedMode::parse).distinct()
        .collect(Collectors.toList());
    ClusterSpec base = clusterOptions.toSpec().build();
    check(base, ecCode);
    if (toCompare.contains(DegradedMode.OTHER)
        && (otherJar == null || !Files.isReadable(otherJar))) {
      throw new IllegalArgumentException("mode other reads with --other-jar, which is " + otherJar);
    }
    ClusterSpec cluster = specFor(base, ecCode, toCompare);
    patterns = patternLabels.stream().map(ReadPattern::parse).distinct()
        .collect(Collectors.toList());
    Rate link = clientRate == null ? cluster.rate : parseRate(clientRate);
    for (ReadPattern pattern : patterns) {
      toCompare.forEach(mode -> records.add(new DegradedRecord(ecCode, mode, pattern, link)));
    }
    DegradedFile file = new DegradedFile(ecCode, blockBytes, groups);
    bench = new BenchRun(spec.commandLine().getOut(), json, png);
    bench.onCluster(cluster, running -> measureAll(running, link, file, ecCode, toCompare));
    bench.out.println();
    bench.out.println(title(cluster, link));
    print(toCompare);
    bench.writePng(() -> chart(title(cluster, link)));
    return records.stream().allMatch(DegradedRecord::ok) ? 0 : 1;
  }

  private List<Row> rows() {
    return records.stream().filter(record -> record.rounds() > 0)
        .map(record -> conditions.addTo(record.row())).collect(Collectors.toList());
  }

  private void print(List<DegradedMode> toCompare) {
    List<Row> rows = rows();
    new Table().text("pattern", -12, "pattern").text("mode", -14, "mode")
        .text("rounds", 6, "rounds").median("MB/s", 9, 2, "mb_per_s")
        .column("(min - max)", 21, row -> rounds(row.get(0)))
        .median("p50 ms", 10, 2, "p50_ms").median("p99 ms", 10, 2, "p99_ms")
        .median("x healthy", 9, 2, row -> ratio(rows, row, DegradedMode.HEALTHY))
        .median("x stock", 9, 2, row -> ratio(rows, row, DegradedMode.STOCK)).markNotOk()
        .printEach(bench.out, rows);
    bench.out.println();
    bench.out.println("MB/s: 10^6 bytes per second of calls that read; p50, p99: of one call, "
        + "which is 1 MiB or 64 KiB; x: MB/s over those of the other mode");
    toCompare.forEach(mode -> bench.out.println(mode.label + ": " + mode.describe()));
    bench.out.flush();
  }

  /** Returns the least and the largest MB/s of the rounds. */
  private static String rounds(Row row) {
    List<Double> all = new ArrayList<>();
    row.json.get("mb_per_s_rounds").forEach(each -> all.add(each.asDouble()));
    return String.format(Locale.ROOT, "(%.2f - %.2f)", Collections.min(all),
        Collections.max(all));
  }

  private static double ratio(List<Row> rows, Row row, DegradedMode to) {
    return rows.stream().filter(one -> one.text("mode").equals(to.label)
        && one.text("pattern").equals(row.text("pattern")))
        .mapToDouble(other -> row.number("mb_per_s") / other.number("mb_per_s")).findFirst()
        .orElse(Double.NaN);
  }

  /** Draws the medians of all modes as bars, one series for each pattern. */
  private Chart chart(String title) {
    Chart chart = new Chart(title, "mode", "MB/s (median)");
    chart.styler().setLabelsVisible(true);
    chart.styler().setDecimalPattern("0.0");
    Map<String, List<Row>> byPattern = Table.groups(rows(), row -> row.text("pattern"));
    for (ReadPattern pattern : ReadPattern.values()) {
      Map<String, Double> bars = new LinkedHashMap<>();
      byPattern.getOrDefault(pattern.label, List.of())
          .forEach(row -> bars.put(row.text("mode"), row.number("mb_per_s")));
      if (!bars.isEmpty()) {
        chart.series(pattern.label, bars);
      }
    }
    return chart;
  }

  private Rate parseRate(String words) {
    try {
      return Rate.parse(words);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--client-rate: " + e.getMessage(), e);
    }
  }

  private void check(ClusterSpec cluster, EcCode ecCode) {
    if (cluster.nodes < ecCode.units()) {
      throw new IllegalArgumentException(code + " wants at least " + ecCode.units()
          + " nodes, not " + cluster.nodes);
    }
    BenchRun.requireWholeCells(blockBytes);
    conditions.check();
    if (runs < 1 || groups < 1 || preads < 1 || warmUpReads < 0) {
      throw new IllegalArgumentException("--runs is " + runs + ", --groups " + groups
          + ", --preads " + preads + ", --warm-up " + warmUpReads);
    }
  }

  private static ClusterSpec specFor(ClusterSpec base, EcCode ecCode, List<DegradedMode> modes) {
    boolean ours = modes.stream().anyMatch(mode -> mode.client.isOurs());
    return base.toBuilder().plugin(ours).codecs(ours || ecCode.isOwnCodec())
        // With these limits at 0, the NameNode starts no repair, so the lost units stay lost during
        // the measurement.
        .conf("dfs.namenode.replication.max-streams", "0")
        .conf("dfs.namenode.replication.max-streams-hard-limit", "0")
        .conf(base.conf).build();
  }

  private void measureAll(HdfsProcessCluster cluster, Rate link, DegradedFile file, EcCode ecCode,
      List<DegradedMode> toCompare) throws IOException, InterruptedException, TimeoutException {
    try (DegradedClients clients =
        new DegradedClients(cluster, ecCode, conditions.isCold(), otherJar)) {
      bench.say("starting %d nodes", cluster.spec().nodes);
      cluster.up();
      cluster.createClientPlace(WorkerProcess.FIRST_PLACE, link);
      // Writing is not measured, so the links are not shaped while the client writes.
      cluster.links().setShaping(false);
      try (DistributedFileSystem client = cluster.client()) {
        ecCode.enable(client);
        file.write(cluster, client);
        cluster.links().setShaping(true);
        clients.start(toCompare);
        for (int round = 1; round <= runs; round++) {
          measureRound(cluster, client, ecCode, file, clients,
              DegradedConditions.order(toCompare, round), round);
        }
      }
    }
  }

  private void measureRound(HdfsProcessCluster cluster, DistributedFileSystem client,
      EcCode ecCode, DegradedFile file, DegradedClients clients, List<DegradedMode> order,
      int round) throws IOException, InterruptedException, TimeoutException {
    int lostUnit = (round - 1) % ecCode.dataUnits();
    int node = file.holder(cluster, client, lostUnit);
    int[] lostUnits = file.dataUnitsOn(cluster, client, node);
    Optional<Integer> slow =
        conditions.slowDown(cluster, client, file, lostUnit, ecCode.dataUnits());
    slow.ifPresent(one -> bench.say("round %d of %d: dn%d is slow", round, runs, one));
    for (DegradedMode mode : order) {
      if (mode.healthy) {
        measure(cluster, mode, clients, file, lostUnits, round);
      }
    }
    if (order.stream().allMatch(mode -> mode.healthy)) {
      DegradedConditions.restore(cluster, slow);
      return;
    }
    cluster.kill(node);
    cluster.state().awaitLive(cluster.spec().nodes - 1, DEAD_LIMIT);
    bench.say("round %d of %d: dn%d is down", round, runs, node);
    if (round == 1 && !conditions.isCold()) {
      warmUpAll(clients, file, lostUnits, order);
    }
    for (DegradedMode mode : order) {
      if (!mode.healthy) {
        measure(cluster, mode, clients, file, lostUnits, round);
      }
    }
    DegradedConditions.restore(cluster, slow);
    if (round < runs) {
      cluster.start(node);
      cluster.state().awaitLive(cluster.spec().nodes, DEAD_LIMIT);
      file.awaitUnits(cluster, client, ecCode.units());
    }
  }

  /**
   * Warms up the DataNodes, and then the clients of all modes that are measured without a node. The
   * DataNodes have never served such reads, and a client learns from the times that it sees. If the
   * client of a mode warmed up the DataNodes, it would learn other times than those of the modes
   * after it. So a client of its own does that.
   */
  private void warmUpAll(DegradedClients clients, DegradedFile file, int[] lostUnits,
      List<DegradedMode> order) throws IOException, InterruptedException {
    boolean isFirst = true;
    for (DegradedMode mode : order) {
      if (!mode.healthy) {
        if (isFirst) {
          try (PlacedClient unmeasured = clients.start(mode)) {
            warmUp(unmeasured, file, lostUnits);
          }
          isFirst = false;
        }
        warmUp(clients.next(mode), file, lostUnits);
      }
    }
  }

  private void warmUp(PlacedClient client, DegradedFile file, int[] lostUnits)
      throws IOException {
    for (ReadPattern pattern : patterns) {
      warmUp(client, file, lostUnits, pattern);
    }
    // Only one in k reads of the pattern pread-64k touches a lost unit, so these reads would warm
    // up little. This warm-up therefore reads only lost units.
    warmUp(client, file, lostUnits, ReadPattern.LOST_64K);
  }

  private void measure(HdfsProcessCluster cluster, DegradedMode mode, DegradedClients clients,
      DegradedFile file, int[] lostUnits, int round) throws IOException, InterruptedException {
    for (ReadPattern pattern : patterns) {
      PlacedClient client = clients.next(mode);
      if (!conditions.isCold()) {
        warmUp(client, file, lostUnits, pattern);
      }
      Optional<LinkBytes> before = cluster.links().clientLinkBytes(WorkerProcess.FIRST_PLACE);
      // The seed of the random ranges is the round, so all modes of a round read the same ranges.
      ReadResult result = client.read(conditions.readBy(
          file.request(pattern.ranges(file, lostUnits, preads, new Random(round)))));
      Optional<LinkBytes> after = cluster.links().clientLinkBytes(WorkerProcess.FIRST_PLACE);
      OptionalLong received = before.isPresent() && after.isPresent()
          ? OptionalLong.of(after.get().since(before.get()).received) : OptionalLong.empty();
      records.stream().filter(record -> record.mode == mode && record.pattern == pattern)
          .forEach(record -> record.add(result, received));
      bench.say("%s, %s: round %d of %d: %.2f MB/s, a call %.2f ms%s", mode.label,
          pattern.label, round, runs, result.megabytesPerSecond(), result.percentileMs(0.5),
          result.ok() ? "" : ", NOT OK: " + result.complaint);
    }
    bench.writeJson(rows());
  }

  private void warmUp(PlacedClient client, DegradedFile file, int[] lostUnits,
      ReadPattern pattern) throws IOException {
    List<ReadRequest.Range> ranges =
        pattern.ranges(file, lostUnits, warmUpReads, new Random(0));
    if (!ranges.isEmpty() && warmUpReads > 0) {
      client.read(conditions.readBy(
          file.request(ranges.subList(0, Math.min(warmUpReads, ranges.size())))));
    }
  }

  private String title(ClusterSpec cluster, Rate link) {
    return String.format(Locale.ROOT, "Reads without a node, %s, %s, %d MiB blocks, links %s, "
        + "client %s, %d nodes, Hadoop %s", code, conditions,
        blockBytes / DegradedFile.CELL_BYTES, cluster.rate, link, cluster.nodes,
        cluster.hadoopVersion);
  }
}
