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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.ByteSize;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.bench.run.Table;
import org.hdfsppr.it.cluster.ClusterJars;
import org.hdfsppr.it.cluster.ClusterOptions;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.EcCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench.sh core-repairs}: how long repairs of files in CORE groups take. */
@Command(name = "core-repairs", mixinStandardHelpOptions = true,
    description = "Seconds and blocks of repairs of the files of CORE groups, on a cluster of "
        + "processes. 'bench.sh core' counts without a cluster.",
    footer = {"",
        "Losses: one and two units of a file, CORE's step and plus. Ways: rgs, row-first and",
        "column-first with a parity file; row: the same files without one; stock-tuned: the same",
        "code under plain RS, without plugins. A way that cannot repair a loss is left out."})
@InterfaceAudience.Private
public final class CoreRepairBench implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Mixin
  private ClusterOptions clusterOptions;

  @Option(names = "--code", defaultValue = "core-t3-6-3",
      description = "core-t3-6-3, core-t5-12-2 (default: ${DEFAULT-VALUE})")
  private String codeName;

  @Option(names = "--block", defaultValue = "64m", converter = ByteSize.class,
      description = "Bytes of an internal block (default: ${DEFAULT-VALUE})")
  private long blockBytes;

  @Option(names = "--groups", defaultValue = "1",
      description = "CORE groups, each of which loses the units at the same time (default: "
          + "${DEFAULT-VALUE})")
  private int groups;

  @Option(names = "--losses", split = ",", defaultValue = "one,two,step,plus",
      description = "Default: ${DEFAULT-VALUE}")
  private List<String> lossNames;

  @Option(names = "--compare", split = ",",
      defaultValue = "rgs,row-first,column-first,row,stock-tuned",
      description = "Default: ${DEFAULT-VALUE}")
  private List<String> wayNames;

  @Option(names = "--runs", defaultValue = "3",
      description = "Measured repairs of each loss, of other units each (default: "
          + "${DEFAULT-VALUE})")
  private int runs;

  @Option(names = "--warm-up", defaultValue = "24", paramLabel = "GROUPS",
      description = "Small groups to repair unmeasured before (default: ${DEFAULT-VALUE})")
  private int warmUpGroups;

  @Option(names = "--json", description = "Where the runs go, one object each")
  private Path json;

  private final List<Row> records = new ArrayList<>();
  private BenchRun bench;
  private EcCode code;
  private int files;

  @Override
  public Integer call() throws IOException, InterruptedException, TimeoutException {
    bench = new BenchRun(spec.commandLine().getOut(), json, null);
    code = EcCode.parse(codeName);
    files = code.requireFilesPerGroup();
    List<CoreWay> ways = wayNames.stream().map(CoreWay::parse).collect(Collectors.toList());
    List<CoreLoss> losses = lossNames.stream().map(CoreLoss::parse).collect(Collectors.toList());
    ClusterSpec base = clusterOptions.toSpec().build();
    check(base, ways);
    bench.onCluster(ways.get(0).specFor(base), cluster -> {
      boolean up = false;
      for (CoreWay way : ways) {
        measure(cluster, way, losses, way.specFor(base), up);
        up = true;
      }
    });
    print(base);
    return records.stream().allMatch(Row::ok) ? 0 : 1;
  }

  private void check(ClusterSpec base, List<CoreWay> ways) throws IOException {
    BenchRun.requireWholeCells(blockBytes);
    if (base.nodes <= code.units() + 1 || runs < 1 || warmUpGroups < 0
        || groups < 1) {
      throw new IllegalArgumentException("--nodes is " + base.nodes + ", and more than "
          + (code.units() + 1) + " are wanted; --runs " + runs + ", --warm-up " + warmUpGroups
          + ", --groups " + groups);
    }
    for (CoreWay way : ways) {
      ClusterJars.requireBuilt(way.specFor(base));
    }
  }

  private void measure(HdfsProcessCluster cluster, CoreWay way, List<CoreLoss> losses,
      ClusterSpec clusterSpec, boolean up)
      throws IOException, InterruptedException, TimeoutException {
    bench.say("%s: starting %d nodes and writing %d files", way.label, clusterSpec.nodes,
        groups * files);
    if (up) {
      cluster.restartEmpty(clusterSpec);
    } else {
      cluster.up();
    }
    EcCode used = way.hasPlugins() ? code
        : EcCode.parse("rs-" + code.dataUnits() + "-" + (code.units() - code.dataUnits()));
    try (DistributedFileSystem client = cluster.client()) {
      used.enable(client);
      if (warmUpGroups > 0) {
        new WarmUp(cluster, client, used).run(warmUpGroups, blockBytes);
      }
      CoreTrial trial = new CoreTrial(cluster, client, used, way, blockBytes);
      trial.write(groups, files);
      for (CoreLoss loss : losses) {
        if (!way.isProtected() && loss.mostOfAFile() > code.units() - code.dataUnits()) {
          bench.say("%s: %s is lost for good", way.label, loss.label);
          continue;
        }
        for (int run = 1; run <= runs; run++) {
          Row record = trial.measure(loss, run, run - 1);
          records.add(record);
          bench.writeJson(records);
          bench.say("%s, %s, run %d of %d: %.2f s, %s blocks read, %s moved; others used %.0f %% "
              + "of the processors%s", way.label, loss.label, run, runs,
              record.number("seconds"), number(record.number("blocks_read")),
              number(blocksMoved(record)), record.number("other_cpu_share") * 100,
              record.ok() ? "" : ", NOT OK: " + record.text("complaints"));
        }
      }
    }
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
  }

  private static double blocksMoved(Row record) {
    return record.number("network_bytes") / record.number("block_bytes");
  }

  private void print(ClusterSpec base) {
    bench.say("%nRepairs of %s, CORE groups: %d, %d MiB blocks, links %s, %d nodes in %d racks, "
        + "Hadoop %s", codeName, groups, blockBytes / (1024 * 1024), base.rate, base.nodes,
        base.racks, base.hadoopVersion);
    List<Row> byLoss = new ArrayList<>(records);
    byLoss.sort(Comparator.comparing(row -> CoreLoss.parse(row.text("pattern"))));
    new Table().text("loss", -6, "pattern").text("way", -14, "strategy").count("runs", 5)
        .median("seconds", 9, 2, "seconds").median("blocks read", 12, 2, "blocks_read")
        .median("blocks moved", 13, 2, CoreRepairBench::blocksMoved).markNotOk()
        .print(bench.out, Table.groups(byLoss,
            row -> row.text("pattern") + " " + row.text("strategy")).values());
    bench.say("seconds: from the first order that a DataNode logs to the last rebuilt replica; "
        + "medians. Blocks read include slices of checks; moved: frames and heartbeats, too");
  }
}
