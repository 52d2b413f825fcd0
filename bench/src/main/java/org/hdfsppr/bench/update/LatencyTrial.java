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

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.bench.run.BenchRun;
import org.hdfsppr.bench.run.Medians;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.bench.run.Table;
import org.hdfsppr.client.files.call.PluginUpdates;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UnitGrant;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;

/**
 * Measures updates of one file of one block group on a running cluster, which is empty before, and
 * in each repeat also round trips and appends between and on the nodes of its logs.
 */
final class LatencyTrial {
  /** The median update may take this many times the bound. */
  private static final double P50_RATIO_MAX = 3;
  /** 99 of 100 updates may each take this many times the bound. */
  private static final double P99_RATIO_MAX = 10;
  private static final int UPDATE_BYTES = 4096;
  private static final long UNIT_BYTES = 8L << 20;
  private static final long SEED = 1;
  /** How long the plugins may take to find each other. */
  private static final Duration START_MAX = Duration.ofMinutes(3);
  private static final Path DIRECTORY = new Path("/latency");
  private static final Path FILE = new Path(DIRECTORY, "file");
  /** Appends with a sync before those that count. */
  private static final int WARM_UP_DURABLE = 50;
  /** Updates of each job before those that count. Its connections are new. */
  private static final int WARM_UP_UPDATES = 200;

  private final BenchRun bench;
  private final HdfsProcessCluster cluster;
  private final EcCode code;
  private final NodeJvm jvm;
  private final byte[] content;
  /** How many jobs have written so far; each has a seed of its own. */
  private int jobs;

  LatencyTrial(BenchRun bench, HdfsProcessCluster cluster, EcCode code, NodeJvm jvm) {
    this.bench = bench;
    this.cluster = cluster;
    this.code = code;
    this.jvm = jvm;
    this.content = new byte[Math.toIntExact(UNIT_BYTES * code.dataUnits())];
    new Random(SEED).nextBytes(content);
  }

  /**
   * {@return the results, for updates with hflush and with hsync}
   *
   * @param updates updates of a repeat with hflush, and as many round trips and appends
   * @param durableUpdates updates of a repeat with hsync, and as many appends
   * @param warmUp updates before the first repeat. Half as many round trips and appends come before
   *     those of each repeat, so that their loops are compiled, too
   * @param repeats repeats
   */
  List<Row> measure(int updates, int durableUpdates, int warmUp, int repeats)
      throws IOException, InterruptedException, TimeoutException {
    Configuration conf = cluster.clientConf();
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    conf.setBoolean(PprKeys.CLIENT_UPDATES_KEY, true);
    PluginUpdates plugin = new PluginUpdates(conf, FileSystem.getDefaultUri(conf),
        UserGroupInformation.getCurrentUser());
    List<LatencyRun> flushed = new ArrayList<>();
    List<LatencyRun> synced = new ArrayList<>();
    try (DistributedFileSystem stock = cluster.client()) {
      makeFile(stock, plugin);
      try (LatencyProcess client = LatencyProcess.atClient(cluster, UPDATE_BYTES)) {
        bench.say("%d updates that do not count", warmUp + durableUpdates);
        update(client, false, warmUp);
        update(client, true, durableUpdates);
        try (Nodes nodes = new Nodes(holders(stock, plugin), warmUp / 2)) {
          for (int i = 1; i <= repeats; i++) {
            bench.say("repeat %d of %d: %d updates with hflush", i, repeats, updates);
            flushed.add(nodes.run(client, false, updates, updates));
            bench.say("repeat %d of %d: %d updates with hsync", i, repeats, durableUpdates);
            synced.add(nodes.run(client, true, updates, durableUpdates));
          }
        }
      }
    }
    boolean ok = isRight(conf);
    return List.of(
        row(code.label(), cluster.spec(), jvm, false, flushed, ok),
        row(code.label(), cluster.spec(), jvm, true, synced, ok));
  }

  /**
   * Makes a row of the repeats of updates that were acknowledged in one way.
   *
   * @param durable whether each update was on disk in all logs when it was acknowledged (hsync),
   *     and not in memory (hflush); the appends of the runs are likewise
   * @param runs the repeats, at least one
   * @param ok whether the file has the bytes that were written
   */
  static Row row(String code, ClusterSpec spec, NodeJvm jvm, boolean durable,
      List<LatencyRun> runs, boolean ok) {
    Row row = new Row("update-latency")
        .put("code", code)
        .put("nodes", spec.nodes)
        .put("racks", spec.racks)
        .put("rate", spec.rate.toString())
        .put("cross_rack_rate", spec.crossRackRate.toString())
        .put("network", spec.network.toString())
        .put("datanodes", jvm.label())
        .put("acknowledged", durable ? "hsync" : "hflush")
        .put("replicas", 1)
        .put("update_bytes", UPDATE_BYTES)
        .put("updates", runs.stream().mapToInt(run -> run.updates.count).sum())
        .put("runs", runs.size());
    put(row, "client_trip_us", runs, run -> run.clientTripUs);
    put(row, "follower_trip_us", runs, run -> run.followerTripUs);
    put(row, "append_us", runs, run -> run.appendUs);
    put(row, "bound_us", runs, LatencyRun::boundUs);
    put(row, "p50_us", runs, run -> run.updates.p50Us);
    put(row, "p99_us", runs, run -> run.updates.p99Us);
    put(row, "p50_ratio", runs, LatencyRun::p50Ratio);
    put(row, "p99_ratio", runs, LatencyRun::p99Ratio);
    return row.put("p50_ratio_max", P50_RATIO_MAX)
        .put("p99_ratio_max", P99_RATIO_MAX)
        .put("within", row.number("p50_ratio") <= P50_RATIO_MAX
            && row.number("p99_ratio") <= P99_RATIO_MAX)
        .put("ok", ok);
  }

  /** Puts the median and the value of each repeat. */
  private static void put(Row row, String name, List<LatencyRun> runs,
      ToDoubleFunction<LatencyRun> value) {
    List<Double> all = runs.stream().map(value::applyAsDouble).collect(Collectors.toList());
    row.put(name, Medians.of(all));
    ArrayNode each = row.json.putArray(name + "_runs");
    all.forEach(each::add);
  }

  static Table table() {
    return new Table().text("datanodes", -9, "datanodes").text("by", -7, "acknowledged")
        .median("trip 1", 8, 1, "client_trip_us").median("trip 2", 8, 1, "follower_trip_us")
        .median("append", 8, 1, "append_us").median("bound", 8, 1, "bound_us")
        .median("p50 us", 9, 1, "p50_us").median("p99 us", 9, 1, "p99_us")
        .median("p50/b", 8, 2, "p50_ratio").median("p99/b", 8, 2, "p99_ratio")
        .column("within", 7, row -> row.get(0).json.get("within").asBoolean() ? "yes" : "no")
        .column("ok", 4, row -> row.get(0).ok() ? "yes" : "NO");
  }

  private void makeFile(DistributedFileSystem stock, PluginUpdates plugin)
      throws IOException, InterruptedException, TimeoutException {
    code.enable(stock);
    stock.mkdirs(DIRECTORY);
    stock.setErasureCodingPolicy(DIRECTORY, code.policy());
    Await.until("the plugin takes updates", START_MAX, Duration.ofMillis(200),
        () -> takesUpdates(plugin));
    try (OutputStream out = stock.create(FILE, false, 1 << 16, (short) 1, UNIT_BYTES)) {
      out.write(content);
    }
  }

  private static boolean takesUpdates(PluginUpdates plugin) {
    try {
      plugin.setUpdatable(DIRECTORY.toUri().getPath(), true);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private Latencies update(LatencyProcess client, boolean durable, int count)
      throws IOException {
    jobs++;
    Latencies latencies = client.updates(FILE.toUri().getPath(), SEED + jobs, content.length,
        durable, WARM_UP_UPDATES, count);
    new SeededUpdates(SEED + jobs, content.length, UPDATE_BYTES)
        .into(content, WARM_UP_UPDATES + count);
    return latencies;
  }

  /** Returns for each node that leads a unit the node that follows. All units have a log. */
  private Map<Integer, Integer> holders(DistributedFileSystem stock, PluginUpdates plugin)
      throws IOException {
    String path = FILE.toUri().getPath();
    ExtendedBlock block =
        stock.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).get(0).getBlock();
    GroupId group = new GroupId(block.getBlockPoolId(), block.getBlockId(),
        block.getGenerationStamp());
    Map<Integer, Integer> followers = new TreeMap<>();
    for (UnitGrant grant : plugin.tickets(new TicketRequest(path, group, false, Map.of()))) {
      List<NodeRef> nodes = grant.ticket().orElseThrow(() -> new IOException("Unit "
          + grant.unit + " has no log after the first updates")).ticket.holders;
      if (nodes.size() != 2) {
        throw new IOException("Unit " + grant.unit + " has its log on " + nodes
            + ", and should have it on two nodes");
      }
      followers.put(cluster.nodeAt(nodes.get(0).ipAddr),
          cluster.nodeAt(nodes.get(1).ipAddr));
    }
    return followers;
  }

  /** {@return whether another client reads what was written} */
  private boolean isRight(Configuration conf) throws IOException {
    byte[] read = new byte[content.length];
    try (FileSystem client = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
        FSDataInputStream in = client.open(FILE)) {
      in.readFully(0, read);
    }
    int wrong = Arrays.mismatch(content, read);
    if (wrong >= 0) {
      bench.say("NOT OK: byte %d of the file is not the one that was written last", wrong);
    }
    return wrong < 0;
  }

  /** Workers on the nodes with logs. */
  private final class Nodes implements Closeable {
    /** By the node that leads, the node that follows. */
    private final Map<Integer, Integer> followers;
    private final Map<Integer, LatencyProcess> workers = new TreeMap<>();
    private final int warmUp;

    Nodes(Map<Integer, Integer> followers, int warmUp) throws IOException, InterruptedException {
      this.followers = followers;
      this.warmUp = warmUp;
      boolean done = false;
      try {
        for (Map.Entry<Integer, Integer> pair : followers.entrySet()) {
          start(pair.getKey());
          start(pair.getValue());
        }
        done = true;
      } finally {
        if (!done) {
          close();
        }
      }
    }

    private void start(int node) throws IOException, InterruptedException {
      if (!workers.containsKey(node)) {
        workers.put(node, LatencyProcess.atNode(cluster, node, UPDATE_BYTES));
      }
    }

    LatencyRun run(LatencyProcess client, boolean durable, int parts, int updates)
        throws IOException {
      List<Latencies> clientTrips = new ArrayList<>();
      List<Latencies> followerTrips = new ArrayList<>();
      for (Map.Entry<Integer, Integer> pair : followers.entrySet()) {
        LatencyProcess leader = workers.get(pair.getKey());
        clientTrips.add(client.trips(cluster.nodeAddress(pair.getKey()), leader, warmUp, parts));
        followerTrips.add(leader.trips(cluster.nodeAddress(pair.getValue()),
            workers.get(pair.getValue()), warmUp, parts));
      }
      List<Latencies> appends = new ArrayList<>();
      for (Map.Entry<Integer, LatencyProcess> worker : workers.entrySet()) {
        appends.add(worker.getValue().appends(cluster.updateLogDir(worker.getKey()).getParent(),
            durable, durable ? WARM_UP_DURABLE : warmUp, durable ? updates : parts));
      }
      return new LatencyRun(clientTrips, followerTrips, appends,
          update(client, durable, updates));
    }

    @Override
    public void close() throws IOException {
      for (LatencyProcess worker : workers.values()) {
        worker.close();
      }
    }
  }
}
