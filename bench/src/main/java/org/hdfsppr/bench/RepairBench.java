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
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.ClusterOptions;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.LossKind;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.ByteSize;
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

  private final List<RepairRecord> records = new ArrayList<>();
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
      new RepairTable(records.stream().filter(record -> record.blockBytes == blockBytes)
          .collect(Collectors.toList())).print(bench.out);
    }
    bench.writePng(() -> RepairChart.draw(title(base, ecCode, blockSizes), records));
    return records.stream().allMatch(record -> record.outcome.ok) ? 0 : 1;
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
      records.add(new RepairRecord(ecCode, mode, blockBytes, cluster.spec(),
          lostUnits, run, outcome));
      bench.say("%s, %s: run %d of %d: %.2f s%s%s", mode.label, ByteSize.words(blockBytes), run,
          runs, outcome.seconds,
          outcome.ok ? "" : ", NOT OK: a rebuilt replica differs from the lost one",
          outcome.disturbed() ? String.format(Locale.ROOT,
              ", disturbed: others used %.0f %% of the processors",
              outcome.otherCpuShare * 100) : "");
      bench.writeJson(records, RepairRecord::toJson);
    }
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
