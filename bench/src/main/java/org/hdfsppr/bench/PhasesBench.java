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
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.TimedDatasetFactory;
import org.hdfsppr.bench.characterize.ColdDisks;
import org.hdfsppr.bench.read.PlacedClient;
import org.hdfsppr.bench.read.ReadRequest;
import org.hdfsppr.bench.read.WorkerProcess;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.ByteSize;
import org.hdfsppr.bench.run.Chart;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.it.cluster.ClusterOptions;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.it.util.ItPaths;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench.sh phases}: measures what takes the time of a degraded read. */
@Command(name = "phases", mixinStandardHelpOptions = true,
    description = "What takes the time of reading a lost block: transfer, disk, computation, by "
        + "clocks in the client and in the DataNodes.")
@InterfaceAudience.Private
public final class PhasesBench implements Callable<Integer> {
  private static final Duration DEAD_LIMIT = Duration.ofMinutes(2);
  /** The index of the lost unit. */
  private static final int LOST = 0;

  /** Where the bytes of the file are when a measured read begins. */
  enum Disks { COLD, WARM }

  @Spec
  private CommandSpec spec;

  @Mixin
  private ClusterOptions clusterOptions;

  @Option(names = "--code", defaultValue = "rs-6-3",
      description = "rs-6-3, rs-12-4, or any other code of Hadoop's codec rs "
          + "(default: ${DEFAULT-VALUE})")
  private String code;

  @Option(names = "--block", defaultValue = "32m", converter = ByteSize.class,
      description = "Bytes of the lost block (default: ${DEFAULT-VALUE})")
  private long blockBytes;

  @Option(names = {"--compare", "--modes"}, split = ",", defaultValue = "stock,ppr,chain",
      description = "Modes: stock, off, auto, ppr, chain (default: ${DEFAULT-VALUE})")
  private List<String> modes;

  @Option(names = "--runs", defaultValue = "3",
      description = "Reads of the lost block that are measured, in each mode "
          + "(default: ${DEFAULT-VALUE})")
  private int runs;

  @Option(names = "--warm-up", paramLabel = "CELLS", defaultValue = "48",
      description = "Lost cells that a client reads before, so that its JVM and those of the "
          + "DataNodes have compiled what they run (default: ${DEFAULT-VALUE})")
  private int warmUpCells;

  @Option(names = "--disks", paramLabel = "cold|warm", defaultValue = "cold",
      description = "cold: the page cache has nothing of the file when a measured read begins. "
          + "warm: it has all (default: ${DEFAULT-VALUE})")
  private Disks disks;

  @Option(names = "--json", description = "Where the results go, one object a mode")
  private Path json;

  @Option(names = "--png", description = "Where the chart goes")
  private Path png;

  private final List<PhasesRecord> records = new ArrayList<>();
  private BenchRun bench;

  @Override
  public Integer call() throws IOException, InterruptedException, TimeoutException {
    EcCode ecCode = EcCode.parse(code);
    List<DegradedMode> toCompare = modes.stream().map(DegradedMode::parse).distinct()
        .collect(Collectors.toList());
    ClusterSpec base = clusterOptions.toSpec().build();
    check(base, ecCode, toCompare);
    ClusterSpec cluster = specFor(base, toCompare);
    toCompare.forEach(mode -> records.add(new PhasesRecord(ecCode, blockBytes, mode)));
    bench = new BenchRun(spec.commandLine().getOut(), json, png);
    bench.onCluster(cluster, running -> measureAll(running,
        new DegradedFile(ecCode, blockBytes, 1), ecCode, toCompare));
    bench.out.println();
    bench.out.println(title(cluster));
    PhasesRecord.print(bench.out, rows());
    bench.writePng(() -> chart(title(cluster)));
    return records.stream().allMatch(PhasesRecord::ok) ? 0 : 1;
  }

  private List<Row> rows() {
    return records.stream().filter(record -> record.runs() > 0)
        .map(record -> record.row().put("disks", disks.name().toLowerCase(Locale.ROOT)))
        .collect(Collectors.toList());
  }

  private Chart chart(String title) {
    Chart chart = new Chart(title, "mode", "seconds (mean)");
    chart.styler().setStacked(true);
    List<Row> rows = rows();
    List<String> all = rows.stream().map(row -> row.text("mode")).collect(Collectors.toList());
    for (ReadPhase phase : ReadPhase.values()) {
      chart.series(phase.label, all, rows.stream()
          .map(row -> PhasesRecord.seconds(row, phase)).collect(Collectors.toList()));
    }
    return chart;
  }

  private void check(ClusterSpec cluster, EcCode ecCode, List<DegradedMode> toCompare) {
    if (cluster.nodes < ecCode.units()) {
      throw new IllegalArgumentException(code + " wants at least " + ecCode.units()
          + " nodes, not " + cluster.nodes);
    }
    if (ecCode.isOwnCodec()) {
      throw new IllegalArgumentException("--code is " + code + ": only Hadoop's codec rs has a "
          + "clock in stock's client");
    }
    BenchRun.requireWholeCells(blockBytes);
    for (DegradedMode mode : toCompare) {
      if (mode.healthy || mode == DegradedMode.OTHER) {
        throw new IllegalArgumentException("--modes has " + mode.label
            + "; there are stock, off, auto, ppr and chain");
      }
    }
    if (runs < 1 || warmUpCells < 0) {
      throw new IllegalArgumentException("--runs is " + runs + ", --warm-up " + warmUpCells);
    }
  }

  static ClusterSpec specFor(ClusterSpec base, List<DegradedMode> modes) {
    boolean ours = modes.stream().anyMatch(mode -> mode.client.isOurs());
    return base.toBuilder().plugin(ours).codecs(ours)
        // With these limits at 0, the NameNode starts no repair, so the lost unit stays lost.
        .conf("dfs.namenode.replication.max-streams", "0")
        .conf("dfs.namenode.replication.max-streams-hard-limit", "0")
        .conf("dfs.datanode.fsdataset.factory", TimedDatasetFactory.class.getName())
        .conf(ClusterSpec.DATANODE_JAR_KEY, ownJar().toString())
        // Each read shall read from disks, and all modes read the same block.
        .conf(PprKeys.DATANODE_CHUNK_CACHE_BYTES_KEY, "0")
        .conf(base.conf).build();
  }

  /** Returns the jar that a build of this module makes, in which DataNodes find their clocks. */
  private static Path ownJar() {
    return ItPaths.itDir().resolveSibling("bench")
        .resolve("target/hdfs-ppr-bench-" + ItPaths.version() + ".jar");
  }

  private void measureAll(HdfsProcessCluster cluster, DegradedFile file, EcCode ecCode,
      List<DegradedMode> toCompare) throws IOException, InterruptedException, TimeoutException {
    try (TimedClients clients = new TimedClients()) {
      bench.say("starting %d nodes", cluster.spec().nodes);
      cluster.up();
      cluster.createClientPlace(WorkerProcess.FIRST_PLACE, cluster.spec().rate);
      // Writing is not measured, so the links are not shaped while the client writes.
      cluster.links().setShaping(false);
      try (DistributedFileSystem client = cluster.client()) {
        ecCode.enable(client);
        file.write(cluster, client);
        cluster.links().setShaping(true);
        int node = file.holder(cluster, client, LOST);
        cluster.kill(node);
        cluster.state().awaitLive(cluster.spec().nodes - 1, DEAD_LIMIT);
        bench.say("dn%d is down", node);
      }
      clients.start(cluster, ecCode, toCompare);
      List<ReadRequest.Range> cells =
          ReadPattern.LOST_CELL.ranges(file, new int[] {LOST}, 0, new Random(0));
      for (DegradedMode mode : toCompare) {
        warmUp(clients.of(mode), file, cells);
      }
      for (int run = 1; run <= runs; run++) {
        for (DegradedMode mode : DegradedConditions.order(toCompare, run)) {
          measure(cluster, mode, clients.of(mode), file.request(cells), run);
        }
      }
    }
  }

  private void warmUp(PlacedClient client, DegradedFile file, List<ReadRequest.Range> cells)
      throws IOException {
    for (int done = 0; done < warmUpCells; done += cells.size()) {
      client.read(file.request(
          cells.subList(0, Math.min(cells.size(), warmUpCells - done))));
    }
  }

  private void measure(HdfsProcessCluster cluster, DegradedMode mode, PlacedClient client,
      ReadRequest block, int run) throws IOException, InterruptedException, TimeoutException {
    if (disks == Disks.COLD) {
      ColdDisks.cool(cluster);
    }
    PhasesTrial trial = PhasesTrial.run(cluster, client, block);
    records.stream().filter(record -> record.mode == mode)
        .forEach(record -> record.add(trial));
    PhaseTimes times = trial.times;
    bench.say("%s: run %d of %d: %.3f s, transfer %.3f, disk %.3f, computation %.3f, rest %.3f%s",
        mode.label, run, runs, times.total(), times.transfer(), times.disk(),
        times.computation(), times.rest(), trial.ok() ? "" : ", NOT OK: " + trial.complaint);
    bench.writeJson(rows());
  }

  private String title(ClusterSpec cluster) {
    return String.format(Locale.ROOT, "Phases of reading a lost block of %d MiB, %s, %s disks, "
        + "links %s, %d nodes, Hadoop %s", blockBytes / DegradedFile.CELL_BYTES, code,
        disks.name().toLowerCase(Locale.ROOT), cluster.rate, cluster.nodes,
        cluster.hadoopVersion);
  }
}
