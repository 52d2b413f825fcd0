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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.bench.run.Table;
import org.hdfsppr.bench.update.strategy.UpdateStrategies;
import org.hdfsppr.client.files.call.PluginUpdates;
import org.hdfsppr.client.verify.GroupFinding;
import org.hdfsppr.client.verify.Verdict;
import org.hdfsppr.client.verify.VerifyOptions;
import org.hdfsppr.client.verify.VerifySession;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.it.cluster.ClusterOptions;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.RackTraffic;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.update.CommitWays;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Replays writes on a cluster of processes, strategy by strategy, on the same files. */
final class ClusterUpdates {
  private static final double MIB = 1 << 20;
  /** How long the benchmark watches the cluster while no client writes, s. */
  private static final int IDLE_SECONDS = 10;
  /** How long the plugins may take to find each other. */
  private static final Duration START_MAX = Duration.ofMinutes(3);
  private static final String DIRECTORY = "/updates";
  private static final int CLIENTS_MAX = 64;
  private static final int WORKLOAD_STRIPES = 6;

  @Mixin
  private ClusterOptions cluster;

  @Option(names = "--compare", split = ",", description = "On processes: some of cau, "
      + "collect, parix, baseline, delta-log (default: all of them). "
      + "Commits of clusters know no others")
  private List<String> compare;

  @Option(names = "--clients", defaultValue = "4", description = "On processes: updates at a time "
      + "(default: ${DEFAULT-VALUE})")
  private int clients;

  @Option(names = "--workload", paramLabel = "SEED", description = "On processes: made-up writes "
      + "instead of --trace. They change 30 %% of the data units of a stripe, some ranges each")
  private Long workload;

  @Option(names = "--seconds", defaultValue = "60", description = "How long --workload writes, for "
      + "each strategy (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Option(names = "--warm-up", paramLabel = "TIMES", defaultValue = "0", description = "On "
      + "processes: how often a byte of each stripe is written and committed before the writes"
      + " that count, so that compilers of the JVMs are done (default: ${DEFAULT-VALUE})")
  private int warmUps;

  @Option(names = "--durable", description = "On processes: an update is answered when all logs "
      + "have it on disk (hsync), and not in memory (hflush)")
  private boolean durable;

  private final List<Row> records = new ArrayList<>();

  /** What a replay on a cluster needs of the options of all modes. */
  static final class Task {
    private final BenchRun bench;
    private final EcCode code;
    private final Path trace;
    private final String name;
    private final long chunkBytes;
    private final int stripesPerCommit;
    private final int replicas;

    /** @param trace null with a workload */
    Task(BenchRun bench, EcCode code, Path trace, String name, long chunkBytes,
        int stripesPerCommit, int replicas) {
      this.bench = bench;
      this.code = code;
      this.trace = trace;
      this.name = name;
      this.chunkBytes = chunkBytes;
      this.stripesPerCommit = stripesPerCommit;
      this.replicas = replicas;
    }
  }

  boolean hasWorkload() {
    return workload != null;
  }

  String workloadName() {
    return "workload-" + workload;
  }

  /** {@return whether all files had the right bytes under all strategies} */
  boolean run(Task task) throws IOException, InterruptedException, TimeoutException {
    List<String> strategies = compare == null ? CommitWays.STRATEGIES : compare;
    for (String strategy : strategies) {
      CommitWays.check(strategy);
      UpdateStrategies.byName(strategy, task.replicas);
    }
    BenchRun.requireWholeCells(task.chunkBytes);
    if (clients < 1 || clients > CLIENTS_MAX || seconds < 1 || warmUps < 0) {
      throw new IllegalArgumentException("--clients is " + clients + ", and has to be 1 to "
          + CLIENTS_MAX + "; --seconds is " + seconds + ", and has to be 1 at least; --warm-up is "
          + warmUps + ", and must not be negative");
    }
    ClusterSpec base = cluster.toSpec().build();
    if (base.crossRackRate.isUnlimited()) {
      throw new IllegalArgumentException("--cross-rack-rate is missing: only racks with links of "
          + "their own are measured");
    }
    // Commits come when the replay orders them. The user's settings come last.
    ClusterSpec spec = base.toBuilder().plugin(true).nameNodePlugin(true)
        .codecs(task.code.isOwnCodec())
        .conf(PprKeys.DATANODE_UPDATE_LOG_BYTES_KEY, String.valueOf(256L << 20))
        .conf(PprKeys.NAMENODE_COMMIT_STRIPES_KEY, "0")
        .conf(PprKeys.NAMENODE_COMMIT_BYTES_KEY, "0")
        .conf(PprKeys.NAMENODE_COMMIT_AGE_KEY, "0")
        .conf(PprKeys.NAMENODE_COMMIT_GRACE_KEY, "0")
        .conf(PprKeys.NAMENODE_UPDATE_REPLICAS_KEY, String.valueOf(task.replicas))
        .conf(base.conf).build();
    task.bench.onCluster(spec, running -> {
      task.bench.say("starting %d nodes in %d racks", spec.nodes, spec.racks);
      running.up();
      measure(running, task, strategies);
    });
    task.bench.out.println();
    new Table().text("strategy", -13, "strategy").text("updates", 9, "updates")
        .median("updates/s", 10, 1, "updates_per_s").median("p50 ms", 9, 1, "p50_ms")
        .median("p99 ms", 9, 1, "p99_ms").text("commits", 8, "commits")
        .median("MiB racks", 10, 2, "cross_rack_bytes", MIB)
        .median("payload", 10, 2, "cross_rack_payload_bytes", MIB)
        .median("simulated", 10, 2, "simulated_cross_rack_bytes", MIB)
        .column("ok", 4, row -> row.get(0).ok() ? "yes" : "NO")
        .printEach(task.bench.out, records);
    return records.stream().allMatch(Row::ok);
  }

  private void measure(HdfsProcessCluster running, Task task, List<String> strategies)
      throws IOException, InterruptedException, TimeoutException {
    Configuration conf = running.clientConf();
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    conf.setBoolean(PprKeys.CLIENT_UPDATES_KEY, true);
    PluginUpdates plugin = new PluginUpdates(conf, FileSystem.getDefaultUri(conf),
        UserGroupInformation.getCurrentUser());
    try (DistributedFileSystem stock = running.client();
        PprFileSystem client =
            (PprFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
      task.code.enable(stock);
      org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path(DIRECTORY);
      stock.mkdirs(directory);
      stock.setErasureCodingPolicy(directory, task.code.policy());
      Await.until("the plugin takes updates", START_MAX, Duration.ofMillis(200),
          () -> takesUpdates(plugin));
      UpdatedStripes stripes = new UpdatedStripes(task.code, task.chunkBytes, directory);
      stripes.make(stock, numbers(task), 1);
      ReplayOptions options = new ReplayOptions(Placements.known(task.code.dataUnits(),
          task.code.units(), running.spec().nodes, running.spec().racks,
          new TreeMap<>(stripes.racks(running, stock))), task.code.dataUnits(), task.chunkBytes,
          task.stripesPerCommit, Optional.empty(), false).forgettingAtCommits();
      for (String strategy : strategies) {
        plugin.setUpdatable(DIRECTORY, true, strategy);
        records.add(measure(running, task, strategy, stripes, options, plugin, client, stock));
        task.bench.writeJson(records);
      }
    }
  }

  private static boolean takesUpdates(PluginUpdates plugin) {
    try {
      plugin.setUpdatable(DIRECTORY, true);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** {@return the stripes that are written} */
  private TreeSet<Long> numbers(Task task) throws IOException {
    TreeSet<Long> numbers = new TreeSet<>();
    if (hasWorkload()) {
      for (long stripe = 0; stripe < WORKLOAD_STRIPES; stripe++) {
        numbers.add(stripe);
      }
      return numbers;
    }
    long stripeBytes = task.chunkBytes * task.code.dataUnits();
    MsrTrace.read(task.trace, request -> {
      for (long stripe = request.offset / stripeBytes;
          request.isWrite && stripe * stripeBytes < request.end(); stripe++) {
        numbers.add(stripe);
      }
    });
    return numbers;
  }

  private Row measure(HdfsProcessCluster running, Task task, String strategy,
      UpdatedStripes stripes, ReplayOptions options, PluginUpdates plugin, PprFileSystem client,
      DistributedFileSystem stock) throws IOException, InterruptedException {
    stripes.open(client);
    try (ClusterReplay replay = new ClusterReplay(stripes, options, plugin, clients,
        durable, 2)) {
      task.bench.say("%s: a first commit", strategy);
      replay.begin(warmUps);
      task.bench.say("%s: the cluster is idle for %d s", strategy, IDLE_SECONDS);
      RackTraffic beforeIdle = running.links().crossRackTraffic().orElseThrow();
      TimeUnit.SECONDS.sleep(IDLE_SECONDS);
      RackTraffic before = running.links().crossRackTraffic().orElseThrow();
      RackTraffic idle = before.since(beforeIdle);
      task.bench.say("%s: writing", strategy);
      StrategyReplay simulated =
          new StrategyReplay(UpdateStrategies.byName(strategy, task.replicas), options);
      long began = System.nanoTime();
      if (hasWorkload()) {
        UpdateWorkload writes = new UpdateWorkload(workload, task.code.dataUnits(),
            task.chunkBytes, WORKLOAD_STRIPES);
        while (System.nanoTime() - began < TimeUnit.SECONDS.toNanos(seconds)) {
          replayAll(writes.round(), simulated, replay);
        }
      } else {
        List<TraceRequest> all = new ArrayList<>();
        MsrTrace.read(task.trace, all::add);
        replayAll(all, simulated, replay);
      }
      replay.end();
      simulated.end();
      double took = (System.nanoTime() - began) / 1e9;
      RackTraffic crossed = running.links().crossRackTraffic().orElseThrow().since(before);
      stripes.close();
      boolean ok = isRight(task, strategy, stripes, client, stock);
      RackTraffic own = crossed.without(idle, took / IDLE_SECONDS);
      return new Row("updates")
          .put("trace", task.name)
          .put("code", task.code.label())
          .put("nodes", running.spec().nodes)
          .put("racks", running.spec().racks)
          .put("cross_rack_rate", running.spec().crossRackRate.toString())
          .put("strategy", simulated.strategy.label())
          .put("durable", durable)
          .put("updates", replay.updates())
          .put("updates_per_s", replay.updates() / took)
          .put("p50_ms", replay.percentileMs(0.5))
          .put("p99_ms", replay.percentileMs(0.99))
          .put("cross_rack_bytes", own.bytes)
          .put("cross_rack_frames", own.frames)
          .put("cross_rack_payload_bytes", own.payloadBytes())
          .put("cross_rack_bytes_with_idle", crossed.bytes)
          .put("idle_bytes_per_s", (crossed.bytes - own.bytes) / took)
          .put("simulated_cross_rack_bytes", simulated.bytes().all())
          .put("simulated_replica_bytes", simulated.bytes().replica())
          .put("simulated_parity_bytes", simulated.bytes().parity())
          .put("chunk_equivalent_bytes", simulated.chunks().all() * options.chunkBytes)
          .put("commits", replay.commits())
          .put("stripes_per_commit", options.stripesPerCommit)
          .put("chunk_bytes", options.chunkBytes)
          .put("seconds", took)
          .put("ok", ok);
    }
  }

  private static void replayAll(List<TraceRequest> writes, StrategyReplay simulated,
      ClusterReplay replay) throws IOException, InterruptedException {
    for (TraceRequest request : writes) {
      simulated.replay(request);
      replay.replay(request);
    }
  }

  /** {@return whether all clients read what was written, and the parities are right} */
  private static boolean isRight(Task task, String strategy, UpdatedStripes stripes,
      PprFileSystem client, DistributedFileSystem stock) throws IOException {
    List<Long> wrong = new ArrayList<>(stripes.wrong(client));
    wrong.addAll(stripes.wrong(stock));
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path(DIRECTORY);
    List<GroupFinding> findings = Collections.synchronizedList(new ArrayList<>());
    List<String> problems = Collections.synchronizedList(new ArrayList<>());
    try (VerifySession session = VerifySession.open(stock.getConf(), directory)) {
      session.verify(List.of(directory), new VerifyOptions(0, 0, true, 2), findings::add,
          problem -> problems.add(String.valueOf(problem)));
    }
    for (GroupFinding finding : findings) {
      if (finding.verdict != Verdict.AGREES) {
        problems.add(finding.toString());
      }
    }
    if (!wrong.isEmpty() || !problems.isEmpty() || findings.isEmpty()) {
      task.bench.say("%s: NOT OK: stripes %s differ from what was written; %s", strategy, wrong,
          problems);
      return false;
    }
    return true;
  }
}
