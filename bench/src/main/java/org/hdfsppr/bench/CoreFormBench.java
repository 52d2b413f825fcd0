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
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.ByteSize;
import org.hdfsppr.bench.run.Row;
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

/** {@code bench.sh core-form}: how long DataNodes take to make CORE's parity files. */
@Command(name = "core-form", mixinStandardHelpOptions = true,
    description = "Seconds until the DataNodes of a cluster of processes have made the parity "
        + "files of CORE groups, beside the time in which all links together carry t units for "
        + "each made one.")
@InterfaceAudience.Private
public final class CoreFormBench implements Callable<Integer> {
  private static final long WARM_UP_BLOCK = 1 << 20;

  @Spec
  private CommandSpec spec;

  @Mixin
  private ClusterOptions clusterOptions;

  @Option(names = "--code", defaultValue = "core-t3-6-3",
      description = "core-t3-6-3, core-t5-12-2 (default: ${DEFAULT-VALUE})")
  private String codeName;

  @Option(names = "--block", defaultValue = "16m", converter = ByteSize.class,
      description = "Bytes of an internal block (default: ${DEFAULT-VALUE})")
  private long blockBytes;

  @Option(names = "--groups", defaultValue = "20",
      description = "CORE groups, of files of one block group each (default: ${DEFAULT-VALUE})")
  private int groups;

  @Option(names = "--warm-up", defaultValue = "20", paramLabel = "GROUPS",
      description = "Groups of small files that are formed unmeasured before (default: "
          + "${DEFAULT-VALUE})")
  private int warmUpGroups;

  @Option(names = "--runs", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}")
  private int runs;

  @Option(names = "--json", description = "Where the runs go, one object each")
  private Path json;

  private final List<Row> records = new ArrayList<>();
  private BenchRun bench;

  @Override
  public Integer call() throws IOException, InterruptedException, TimeoutException {
    bench = new BenchRun(spec.commandLine().getOut(), json, null);
    EcCode code = EcCode.parse(codeName);
    int files = code.requireFilesPerGroup();
    ClusterSpec cluster = CoreWay.RGS.specFor(clusterOptions.toSpec().build());
    check(cluster, code, files);
    bench.onCluster(cluster, running -> measure(running, code, files));
    bench.say("%n%d groups of %s, %d MiB blocks, links %s, %d nodes in %d racks, Hadoop %s: median"
        + " %.1f s, %.2f of the rate that the links allow", groups, codeName,
        blockBytes / (1024 * 1024), cluster.rate, cluster.nodes, cluster.racks,
        cluster.hadoopVersion, median("seconds"), median("share_of_limit"));
    return records.stream().allMatch(Row::ok) ? 0 : 1;
  }

  private double median(String name) {
    return Row.median(records, row -> row.number(name));
  }

  private void check(ClusterSpec cluster, EcCode code, int files) throws IOException {
    BenchRun.requireWholeCells(blockBytes);
    if (cluster.rate.isUnlimited()) {
      throw new IllegalArgumentException(
          "--rate is not given, but the limit is that of the links; try --rate 50mbit");
    }
    if (cluster.nodes < code.units() + files || groups < 1 || runs < 1 || warmUpGroups < 0) {
      throw new IllegalArgumentException("--nodes is " + cluster.nodes + ", and at least "
          + (code.units() + files) + " are wanted; --groups " + groups + ", --runs " + runs
          + ", --warm-up " + warmUpGroups);
    }
    ClusterJars.requireBuilt(cluster);
  }

  private void measure(HdfsProcessCluster cluster, EcCode code, int files)
      throws IOException, InterruptedException, TimeoutException {
    bench.say("starting %d nodes", cluster.spec().nodes);
    cluster.up();
    try (DistributedFileSystem client = cluster.client()) {
      code.enable(client);
      CoreFormTrial trial = new CoreFormTrial(cluster, client, code, files);
      if (warmUpGroups > 0) {
        trial.form(new org.apache.hadoop.fs.Path("/bench/warm-up"), warmUpGroups, WARM_UP_BLOCK);
      }
      for (int run = 1; run <= runs; run++) {
        Row record = trial.form(
            new org.apache.hadoop.fs.Path("/bench/run" + run), groups, blockBytes);
        records.add(record);
        bench.writeJson(records);
        bench.say("run %d of %d: %.1f s, %.2f of the rate that the links allow, %.2f units moved"
            + " for each made one; others used %.0f %% of the processors%s", run, runs,
            record.number("seconds"), record.number("share_of_limit"),
            record.number("units_moved_per_made_unit"), record.number("other_cpu_share") * 100,
            record.ok() ? "" : ", NOT OK: " + record.text("complaints"));
      }
    }
  }
}
