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
package org.hdfsppr.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.NetworkKind;
import org.hdfsppr.it.cluster.Rate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random faults on a cluster with two NameNodes. After any faults, every file whose writing was
 * confirmed is whole and right to the byte on every disk, and both NameNodes know exactly the
 * replicas that are on the disks.
 *
 * <p>{@code -Dfaults.seed=N} chooses other faults, {@code -Dfaults.steps=N} their number.
 * {@code -Dfaults.plugins=none,datanode,all} chooses where the extension runs, with one run for
 * each value.
 */
@Tag("process")
@Timeout(value = 45, unit = TimeUnit.MINUTES)
class TestRandomFaults {
  private static final long SEED = Long.getLong("faults.seed", 20261120L);
  private static final int STEPS = Integer.getInteger("faults.steps", 16);

  private static final String NAME = "hafaults";
  private static final int FILES_AT_START = 6;

  /**
   * Ten nodes in racks of two: a group can lose the units of a whole rack, and each group leaves
   * five nodes free.
   */
  private static final int NODES = 10;
  private static final int RACKS = 5;

  /** With this rate, a repair takes some seconds. */
  private static final Rate RATE = Rate.parse("40mbit");

  /** The daemons that run the extension. */
  enum Plugins {
    NONE("stock"),
    DATANODE("plugin in DataNodes"),
    ALL("plugins in NameNodes and DataNodes");

    private final String words;

    Plugins(String words) {
      this.words = words;
    }
  }

  static List<Plugins> plugins() {
    return Stream.of(System.getProperty("faults.plugins", "datanode,all").split(","))
        .map(name -> Plugins.valueOf(name.strip().toUpperCase(Locale.ROOT)))
        .collect(Collectors.toList());
  }

  private static HdfsProcessCluster create(Plugins plugins) throws IOException {
    ClusterSpec.Builder spec = ClusterSpec.builder().name(NAME).nodes(NODES).racks(RACKS).ha(true)
        .plugin(plugins != Plugins.NONE).nameNodePlugin(plugins == Plugins.ALL)
        // The destination of a repair may be dead. Another node then gets the task after 10 s
        // instead of five minutes.
        .conf("dfs.namenode.reconstruction.pending.timeout-sec", "10")
        .conf("dfs.namenode.avoid.write.stale.datanode", "true")
        // Safe mode lasts longer than by default. Otherwise a restarted NameNode rebuilds units
        // that are only not reported yet. It may rebuild them on nodes that hold other units of the
        // group, and then never knows of the second unit on such a node.
        .conf("dfs.namenode.safemode.extension", "5000")
        // After a failover, the NameNode deletes excess replicas only when every node has reported
        // all of its blocks. So the nodes send these reports often.
        .conf("dfs.blockreport.intervalMsec", "15000")
        .conf("dfs.namenode.replication.max-streams", "20")
        .conf("dfs.namenode.replication.max-streams-hard-limit", "40")
        .conf("dfs.client.failover.sleep.max.millis", "2000");
    System.out.println("faults.seed=" + SEED + " faults.steps=" + STEPS + ", "
        + plugins.words);
    try {
      if (Boolean.getBoolean("faults.loopback")) {
        throw new IOException("-Dfaults.loopback is set");
      }
      return HdfsProcessCluster.create(spec.rate(RATE).build());
    } catch (IOException e) {
      System.out.println("Nodes have no links of their own, repairs are fast: " + e.getMessage());
      return HdfsProcessCluster.create(
          spec.rate(Rate.UNLIMITED).network(NetworkKind.LOOPBACK).build());
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void everythingIsThereInTheEnd(Plugins plugins) throws Exception {
    Optional<HdfsProcessCluster> left = HdfsProcessCluster.open(NAME);
    if (left.isPresent()) {
      left.get().close();
    }
    Random random = new Random(SEED);
    try (HdfsProcessCluster cluster = create(plugins)) {
      cluster.up();
      try (DistributedFileSystem client = cluster.client()) {
        FilesUnderFaults files = new FilesUnderFaults(cluster, client, random);
        for (int i = 0; i < FILES_AT_START; i++) {
          System.out.println(files.write());
        }
        RandomFaults faults = new RandomFaults(cluster, client, files, random);
        for (int step = 0; step < STEPS; step++) {
          faults.step();
        }
        faults.heal();
        files.deleteUnconfirmed();
        files.awaitWhole();
        System.out.println("whole: " + files);
        files.awaitTruthfulFsck();
        assertEquals(List.of(), files.wrongBytes());
        // The other NameNode must report the same.
        faults.failOverOnce();
        files.awaitWhole();
        files.awaitTruthfulFsck();
        files.assertHarmIsNoticed();
      }
    }
  }
}
