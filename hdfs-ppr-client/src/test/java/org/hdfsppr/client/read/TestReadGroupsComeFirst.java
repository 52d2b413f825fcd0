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
package org.hdfsppr.client.read;

import static org.hdfsppr.datanode.RepairCluster.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprDFSClient;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.test.MetricsAsserts;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.namenode.PprNameNodePlugin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two nodes die one after the other, and repairs run one at a time. Groups of the second node that
 * a client reads are repaired before waiting groups of the first node.
 */
@Tag("slow")
@Timeout(240)
class TestReadGroupsComeFirst {
  private static final int CELL = 64 << 10;
  private static final int K = 3;
  private static final int UNITS = 5;
  private static final int NODES = 9;
  private static final int FILES = 72;
  /**
   * At most two other repairs come first: the running repair when the manager hears of the read,
   * and a repair that begins before that.
   */
  private static final int AHEAD_MOST = 2;
  /**
   * At least this number of groups must be waiting, because otherwise the test would show nothing.
   */
  private static final int WAITING_LEAST = 5;

  @TempDir
  File directory;
  private RepairCluster cluster;
  private final Map<Path, byte[]> files = new LinkedHashMap<>();
  /** Maps each file to the nodes that held its units at first. */
  private final Map<Path, Map<Integer, DatanodeInfo>> holders = new LinkedHashMap<>();

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private Configuration configuration() throws IOException {
    Configuration conf = RepairCluster.configuration(directory);
    conf.set("dfs.namenode.plugins", PprNameNodePlugin.class.getName());
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + FreePort.choose());
    conf.setInt(PprKeys.DATANODE_HEARTBEAT_MS_KEY, 200);
    conf.setInt(PprKeys.NAMENODE_IN_FLIGHT_KEY, 1);
    return conf;
  }

  private void write() throws IOException {
    String policy = cluster.fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(new ECSchema("rs", K, UNITS - K), CELL)})[0].getPolicy().getName();
    Path folder = cluster.directory("/files", policy);
    for (int i = 0; i < FILES; i++) {
      Path file = new Path(folder, "f" + i);
      files.put(file, cluster.write(file, K * CELL, 4 * CELL, i));
      cluster.awaitUnits(file, UNITS);
      holders.put(file, RepairCluster.holders(group(file)));
    }
  }

  private LocatedStripedBlock group(Path file) throws IOException {
    return cluster.groups(file).get(0);
  }

  private boolean isWhole(Path file) throws IOException {
    return RepairCluster.holders(group(file)).size() == UNITS;
  }

  private boolean isOn(Path file, DatanodeInfo node) {
    return holders.get(file).values().stream().anyMatch(node::equals);
  }

  private static MetricsRecordBuilder manager() {
    return MetricsAsserts.getMetrics(DefaultMetricsSystem.instance().getSource("PprNameNode"));
  }

  private static long counter(String name) {
    return MetricsAsserts.getLongCounter(name, manager());
  }

  private static int gauge(String name) {
    return MetricsAsserts.getIntGauge(name, manager());
  }

  /**
   * Returns the files that have a unit on one node and none on another node, and that are not
   * repaired yet.
   */
  private List<Path> waiting(DatanodeInfo on, DatanodeInfo notOn) throws IOException {
    List<Path> waiting = new ArrayList<>();
    for (Path file : files.keySet()) {
      if (isOn(file, on) && !isOn(file, notOn) && !isWhole(file)) {
        waiting.add(file);
      }
    }
    return waiting;
  }

  private static int unit(Map<Integer, DatanodeInfo> units, DatanodeInfo node) {
    return units.entrySet().stream().filter(entry -> entry.getValue().equals(node))
        .map(Map.Entry::getKey).findFirst().orElseThrow();
  }

  private void readLost(Path file, int unit, Rebuilt by) throws Exception {
    Configuration conf = new Configuration(cluster.fs.getConf());
    conf.set("fs.hdfs.impl", PprFileSystem.class.getName());
    conf.set(PprKeys.CLIENT_DEGRADED_READ_KEY, by == Rebuilt.BY_DATANODES ? "ppr" : "auto");
    // A reader that wants all data units reads all units of a decode anyway, so the client decodes.
    int from = by == Rebuilt.BY_DATANODES ? unit * CELL : 0;
    byte[] read = new byte[by == Rebuilt.BY_DATANODES ? CELL : K * CELL];
    try (FileSystem client = FileSystem.newInstance(cluster.fs.getUri(), conf);
        FSDataInputStream in = client.open(file)) {
      read(in, from, read, by);
      ReadCounters counters = ((PprDFSClient) ((PprFileSystem) client).getClient())
          .readContext().counters;
      if (by == Rebuilt.BY_DATANODES) {
        assertTrue(counters.trees() > 0 && counters.decodes() == 0,
            "DataNodes should have rebuilt the range");
      } else {
        assertTrue(counters.trees() == 0 && counters.decodes() > 0 == (by == Rebuilt.BY_CLIENT),
            "the client, or stock's part of it, should have decoded the range");
        await("a DataNode has been notified of the read", () -> counters.notices() > 0);
        read(in, from, read, by);
        assertEquals(1, counters.notices(), "a DataNode is not notified of each read");
      }
    }
    assertArrayEquals(Arrays.copyOfRange(files.get(file), from, from + read.length), read);
  }

  private static void read(FSDataInputStream in, int from, byte[] read, Rebuilt by)
      throws IOException {
    if (by == Rebuilt.BY_STOCK) {
      // Stock keeps the stripe that it has read. Without that stripe it decodes again.
      in.unbuffer();
      in.seek(from);
      in.readFully(read);
    } else {
      in.readFully(from, read);
    }
  }

  /** The nodes that compute a lost unit, or the stateful reader of stock's client. */
  private enum Rebuilt { BY_DATANODES, BY_CLIENT, BY_STOCK }

  @ParameterizedTest
  @EnumSource(Rebuilt.class)
  void whatAClientReadsIsRepairedBeforeWhatIsOlder(Rebuilt by) throws Exception {
    cluster = RepairCluster.start(configuration(), NODES);
    write();
    await("all agents have sent heartbeats", () -> gauge("Agents") == NODES);
    DatanodeInfo first = holders.get(files.keySet().iterator().next()).get(0);
    DatanodeInfo second = holders.get(files.keySet().iterator().next()).get(1);
    cluster.kill(first);
    await("the first node's groups wait", () -> gauge("GroupsQueued") > 0);
    int before = gauge("GroupsQueued");
    cluster.kill(second);
    await("the second node's groups wait", () -> gauge("GroupsQueued") > before);

    List<Path> younger = waiting(second, first);
    younger.removeIf(file -> unit(holders.get(file), second) >= K);
    Path wanted = younger.get(younger.size() - 1);
    readLost(wanted, unit(holders.get(wanted), second), by);
    assertTrue(cluster.counter("DegradedReadsServed") > 0, "DataNodes know of the read");
    await("the manager knows of the read", () -> counter("GroupsPromoted") > 0);
    List<Path> older = waiting(first, second);
    assertTrue(older.size() >= WAITING_LEAST, older.size() + " older ones wait");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!isWhole(wanted)) {
      assertTrue(System.nanoTime() < deadline, "the group is not repaired");
      TimeUnit.MILLISECONDS.sleep(10);
    }
    int left = waiting(first, second).size();
    System.out.println(older.size() + " older groups waited when the reader was heard of, " + left
        + " when what it reads was whole");
    assertTrue(left >= older.size() - AHEAD_MOST, left + " of " + older.size() + " still wait");
    assertEquals(1, counter("GroupsPromoted"));
    await("all groups are whole", () -> gauge("GroupsQueued") == 0 && gauge("RepairsInFlight") == 0
        && cluster.mini().getNamesystem().getLowRedundancyBlocks() == 0);
    assertEquals(0, gauge("GroupsReadDegraded"));
    for (Map.Entry<Path, byte[]> file : files.entrySet()) {
      assertTrue(cluster.hasContent(file.getKey(), file.getValue()), file.getKey().toString());
    }
  }
}
