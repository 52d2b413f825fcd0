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
package org.hdfsppr.bench.convert;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.ByteSize;
import org.hdfsppr.bench.run.Chart;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.it.cluster.ClusterJars;
import org.hdfsppr.it.cluster.ClusterOptions;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Rate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bench.sh convert}: measures how long files take to get another code. A stock client writes
 * the files once for each pair of codes, on a stock cluster, and the harness keeps a copy of all
 * data that the daemons have stored. Every run of every mode starts from this copy.
 */
@Command(name = "convert", mixinStandardHelpOptions = true,
    description = "Seconds and bytes until files have another code: converted in place, and "
        + "rewritten by stock clients.")
@InterfaceAudience.Private
public final class ConvertBench implements Callable<Integer> {
  private static final int OPERATIONS_SHOWN = 6;
  private static final Rate DEFAULT_RATE = Rate.parse("50mbit");

  /** A small file has one short stripe: this is less than a cell. */
  private static final long SMALL_FILE_BYTES = 64 << 10;

  /** The disk of a machine must also hold logs and what else is running. */
  private static final double SPACE_RESERVE = 1.2;

  @Spec
  private CommandSpec spec;

  @Mixin
  private ClusterOptions clusterOptions;

  @Option(names = "--codes", split = ",", paramLabel = "FROM:TO",
      defaultValue = "rs-10-4:hitchhiker-nonxor-10-4,rs-6-3:lrc-rs-l2-6-4,"
          + "rs-6-3:hitchhiker-xorplus-6-3",
      description = "Pairs of codes with the same number of data units, as 'bench.sh repair' names "
          + "them (default: ${DEFAULT-VALUE})")
  private List<String> codes;

  @Option(names = {"--compare", "--modes"}, split = ",", defaultValue = "rewrite,convert",
      description = "rewrite, convert, convert-samples (default: ${DEFAULT-VALUE})")
  private List<String> modes;

  @Option(names = "--groups", defaultValue = "40",
      description = "Block groups of all files together (default: ${DEFAULT-VALUE})")
  private int groups;

  @Option(names = "--groups-per-file", defaultValue = "5", paramLabel = "GROUPS",
      description = "Block groups of each file (default: ${DEFAULT-VALUE})")
  private int groupsPerFile;

  @Option(names = "--small-files", paramLabel = "FILES", defaultValue = "0",
      description = "Instead of block groups: this many files of 64 KiB, one short stripe each, "
          + "in one rack")
  private int smallFiles;

  @Option(names = "--block", defaultValue = "16m", converter = ByteSize.class,
      description = "Bytes of an internal block (default: ${DEFAULT-VALUE})")
  private long blockBytes;

  @Option(names = "--clients", defaultValue = "8",
      description = "Stock clients that rewrite files at a time, each on the host of another "
          + "DataNode (default: ${DEFAULT-VALUE})")
  private int clients;

  @Option(names = "--runs", defaultValue = "1",
      description = "Runs per mode; a run of every mode, then the next (default: ${DEFAULT-VALUE})")
  private int runs;

  @Option(names = "--warm-up", paramLabel = "FILES", defaultValue = "48",
      description = "Small files to convert unmeasured before each run, since fresh processes wait "
          + "for class loading and compile what they run (default: ${DEFAULT-VALUE})")
  private int warmUpFiles;

  @Option(names = "--json", description = "Where the runs go, one object each")
  private Path json;

  @Option(names = "--png", description = "Where the chart goes")
  private Path png;

  private final List<Row> records = new ArrayList<>();
  private BenchRun bench;

  @Override
  public Integer call() throws IOException, InterruptedException, TimeoutException {
    bench = new BenchRun(spec.commandLine().getOut(), json, png);
    List<CodePair> pairs = new ArrayList<>();
    for (String pair : codes) {
      pairs.add(CodePair.parse(pair));
    }
    List<ConvertMode> toCompare =
        modes.stream().map(ConvertMode::parse).collect(Collectors.toList());
    ClusterSpec.Builder options = clusterOptions.toSpec();
    if (smallFiles > 0) {
      // With more racks, Hadoop moves units of groups with few units between racks all the time.
      options.racks(1);
    }
    ClusterSpec base = options.build();
    if (base.rate.isUnlimited() && clusterOptions.canShape()) {
      base = options.rate(DEFAULT_RATE).build();
    }
    check(base, pairs, toCompare);
    ClusterSpec chosen = base;
    bench.onCluster(ConvertMode.REWRITE.specFor(base, pairs.get(0)), cluster -> {
      for (CodePair pair : pairs) {
        measureAll(cluster, chosen, pair, toCompare, pair != pairs.get(0));
      }
    });
    bench.out.println();
    bench.out.println(title(base));
    ConvertTable table = new ConvertTable(records, pairs, smallFiles > 0);
    table.print(bench.out);
    bench.writePng(() -> Chart.ofMedians(title(chosen), "conversion", table.medianSeconds(),
        "no limit", OptionalDouble.empty()));
    return records.stream().allMatch(Row::ok) ? 0 : 1;
  }

  private void check(ClusterSpec base, List<CodePair> pairs, List<ConvertMode> toCompare)
      throws IOException {
    for (CodePair pair : pairs) {
      int units = Math.max(pair.from.units(), pair.to.units());
      if (base.nodes < units) {
        throw new IllegalArgumentException(pair + " wants at least " + units + " nodes, not "
            + base.nodes);
      }
      for (ConvertMode mode : toCompare) {
        ClusterJars.requireBuilt(mode.specFor(base, pair));
      }
    }
    BenchRun.requireWholeCells(blockBytes);
    if (runs < 1 || warmUpFiles < 0 || clients < 1 || clients > base.nodes || groups < 1
        || groupsPerFile < 1 || groups % groupsPerFile != 0 || smallFiles < 0) {
      throw new IllegalArgumentException("--runs is " + runs + ", --warm-up " + warmUpFiles
          + ", --clients " + clients + " (at most one for each of " + base.nodes
          + " nodes), --groups " + groups + " (whole files of --groups-per-file "
          + groupsPerFile + "), --small-files " + smallFiles);
    }
  }

  private ConvertedFiles files(CodePair pair) {
    org.apache.hadoop.fs.Path folder =
        new org.apache.hadoop.fs.Path("/bench/" + pair.from.label());
    return smallFiles > 0 ? new ConvertedFiles(folder, smallFiles, SMALL_FILE_BYTES, blockBytes)
        : new ConvertedFiles(folder, groups / groupsPerFile,
            blockBytes * pair.from.dataUnits() * groupsPerFile, blockBytes);
  }

  private void measureAll(HdfsProcessCluster cluster, ClusterSpec base, CodePair pair,
      List<ConvertMode> toCompare, boolean up)
      throws IOException, InterruptedException, TimeoutException {
    ConvertedFiles files = files(pair);
    requireSpace(cluster, pair, files);
    ClusterSpec stock = ConvertMode.REWRITE.specFor(base, pair);
    bench.say("starting %d nodes, stock, and writing %d files of %s", base.nodes, files.count(),
        pair.from);
    if (up) {
      cluster.restartEmpty(stock);
    } else {
      cluster.up();
    }
    // Writing is not measured, so the links are not shaped while the client writes.
    cluster.links().setShaping(false);
    try (DistributedFileSystem client = cluster.client()) {
      pair.from.enable(client);
      pair.to.enable(client);
      files.write(cluster, client, pair.from);
    }
    cluster.save();
    for (int run = 1; run <= runs; run++) {
      for (ConvertMode mode : toCompare) {
        cluster.restartSaved(mode.specFor(base, pair));
        cluster.links().setShaping(false);
        try (DistributedFileSystem client = cluster.client()) {
          records.add(new ConvertTrial(cluster, client, pair, mode, clients)
              .run(files, blockBytes, warmUpFiles, run));
        }
        ConvertTable.putSpeedups(records);
        bench.writeJson(records);
        say(records.get(records.size() - 1));
      }
    }
  }

  /** The copy that is kept, and the new replicas, both with all parities. */
  private void requireSpace(HdfsProcessCluster cluster, CodePair pair, ConvertedFiles files)
      throws IOException {
    long needed = (long) (SPACE_RESERVE * files.groups(pair.from)
        * Math.min(blockBytes, files.fileBytes)
        * (pair.from.units() + pair.to.units()));
    long usable = Files.getFileStore(cluster.dir()).getUsableSpace();
    if (usable < needed) {
      throw new IOException(needed / (1L << 30) + " GiB may be needed in " + cluster.dir()
          + ", and there are " + usable / (1L << 30) + "; give a smaller --block");
    }
  }

  private void say(Row row) {
    bench.say("%s %s: run %s of %d: %.2f s, %.2f units of each group over the network; others "
        + "used %.0f %% of the processors; the write lock was held by %s%s",
        ConvertTable.codes(row), row.text("mode"), row.text("run"), runs, row.number("seconds"),
        row.number("network_units_per_group"), row.number(ConvertTable.OTHER_CPU_SHARE) * 100,
        longestLockHolds(row), row.ok() ? "" : ", NOT OK: " + row.text("complaints"));
  }

  /** Returns the operations that held the NameNode's write lock for longest, the longest first. */
  private static String longestLockHolds(Row row) {
    Map<String, Double> held = new HashMap<>();
    row.json.get("write_lock_ms").fields()
        .forEachRemaining(one -> held.put(one.getKey(), one.getValue().asDouble()));
    return held.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(OPERATIONS_SHOWN)
        .map(one -> String.format(Locale.ROOT, "%s %.0f ms", one.getKey(), one.getValue()))
        .collect(Collectors.joining(", "));
  }

  private String title(ClusterSpec base) {
    return String.format(Locale.ROOT, "Conversion of %s, %d MiB blocks, links %s%s, %d nodes in "
        + "%d racks, Hadoop %s", smallFiles > 0 ? smallFiles + " small files" : groups + " groups",
        blockBytes / (1024 * 1024), base.rate,
        base.crossRackRate.isUnlimited() ? "" : ", racks " + base.crossRackRate,
        base.nodes, base.racks, base.hadoopVersion);
  }
}
