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
package org.apache.hadoop.hdfs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.client.patience.NodeHealth;
import org.hdfsppr.client.read.ReadCounters;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.wire.RequestFeatures;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reads ranges of lost units in codes with sub-chunks, on a cluster in which some DataNodes know no
 * narrow links. The client learns which they are, and every byte is the one that was written.
 */
@InterfaceAudience.Private
class TestNarrowReads {
  private static final int CELL = 32 << 10;
  private static final int NEW = 7;
  private static final int OLD = 5;
  private static final int DATA_UNITS = 6;
  private static final int STRIPES = 5;
  private static final long SEED = Long.getLong("seed", 20261125);

  @TempDir
  static File directory;
  private static RepairCluster cluster;
  private static Configuration conf;
  private static final Set<String> OLD_NODES = new HashSet<>();

  @BeforeAll
  static void start() throws IOException {
    System.out.println("seed " + SEED);
    conf = RepairCluster.configuration(directory);
    // The NameNode starts no repair, so lost units stay lost.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 0);
    cluster = RepairCluster.start(conf, NEW);
    Configuration old = new Configuration(conf);
    old.setLong(PprKeys.DATANODE_FEATURES_WITHHELD_KEY, RequestFeatures.NARROW_LINKS);
    cluster.mini().startDataNodes(old, OLD, true, null, null);
    cluster.mini().waitActive();
    List<DataNode> nodes = cluster.mini().getDataNodes();
    nodes.subList(NEW, nodes.size()).forEach(node -> OLD_NODES.add(node.getDatanodeUuid()));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @CsvSource({"hitchhiker-xor-6-3, 0, 2, rack", "hitchhiker-xorplus-6-3, 3, 2, ppr",
      "less-a2-6-3, 1, 2, rack", "less-a3-6-3, 4, 3, ppr"})
  void rangesAreRightWhileSomeNodesRefuseNarrowLinks(String code, int lost, int subChunks,
      String trees) throws Exception {
    // The lost unit's last cell is short, and does not split into equal parts.
    int bytes = (STRIPES * DATA_UNITS + lost) * CELL + CELL / 2 + 7;
    LostFile file = new LostFile(cluster, CELL, code + ":" + lost, bytes, SEED);
    Configuration own = new Configuration(conf);
    own.set("fs.hdfs.impl", PprFileSystem.class.getName());
    own.set(PprKeys.CLIENT_DEGRADED_READ_KEY, trees);
    own.set(PprKeys.CLIENT_CACHE_BYTES_KEY, "0");
    Random random = new Random(SEED + code.hashCode());
    try (PprFileSystem fs =
            (PprFileSystem) FileSystem.newInstance(cluster.fs.getUri(), own);
        FSDataInputStream in = fs.open(file.path)) {
      for (int stripe = 0; stripe <= STRIPES; stripe++) {
        int cell = (stripe * DATA_UNITS + lost) * CELL;
        int length = Math.min(CELL, bytes - cell);
        for (int part = 0; part <= subChunks; part++) {
          int cut = cell + length / subChunks * part;
          check(in, file, cut - 1 - random.nextInt(3_000), cut + 1 + random.nextInt(9_000));
        }
        check(in, file, cell, cell + length);
        check(in, file, cell - random.nextInt(CELL), cell + random.nextInt(length) + 1);
      }
      ReadCounters counters = ((PprDFSClient) fs.getClient()).readContext().counters;
      assertEquals(0, counters.stockReads(), "reads that went to stock");
      assertTrue(counters.trees() > 0, "no bytes came from a tree");
      NodeHealth health = ((PprDFSClient) fs.getClient()).readContext().health;
      Set<String> refused = new HashSet<>();
      for (DataNode node : cluster.mini().getDataNodes()) {
        if (!health.mayHaveNarrowLinks(node.getDatanodeUuid())) {
          refused.add(node.getDatanodeUuid());
        }
      }
      assertFalse(Collections.disjoint(refused, OLD_NODES), "no node has refused narrow links");
      refused.removeAll(OLD_NODES);
      assertEquals(Set.of(), refused, "nodes that know narrow links");
    }
  }

  private static void check(FSDataInputStream in, LostFile file, int from, int to)
      throws IOException {
    int begin = Math.max(0, from);
    int end = Math.min(file.content.length, to);
    byte[] read = new byte[end - begin];
    in.readFully(begin, read);
    assertArrayEquals(Arrays.copyOfRange(file.content, begin, end), read,
        () -> begin + " to " + end + " of " + file.path + ", seed " + SEED);
  }
}
