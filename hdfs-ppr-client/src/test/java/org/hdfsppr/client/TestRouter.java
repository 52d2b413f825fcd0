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
package org.hdfsppr.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.PprDFSClient;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.hdfsppr.client.read.ReadCounters;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.FreePort;
import org.hdfsppr.datanode.RepairCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests clients that reach a cluster through a Router of Hadoop's federation. The cluster has both
 * plugins. Plain and degraded reads work through the Router. Commands that superusers send to a
 * NameNode are refused.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TestRouter {
  private static final int CELL = 16 << 10;
  private static final int UNIT = 3 * CELL;
  private static final String MOUNTED = "/images";

  @TempDir
  static Path directory;
  private RepairCluster cluster;
  private RouterBefore router;
  private byte[] content;

  @BeforeAll
  void start() throws Exception {
    RouterBefore.assumeRuns();
    Configuration conf = RepairCluster.configure(new HdfsConfiguration(),
        directory.resolve("cluster").toFile());
    conf.set("dfs.namenode.plugins", "org.hdfsppr.namenode.PprNameNodePlugin");
    conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY, "127.0.0.1:" + FreePort.choose());
    // Lost units stay lost.
    conf.set(PprKeys.REPAIR_DELAY_KEY, "1h");
    conf.setInt(PprKeys.REPAIR_DELAY_SPARE_KEY, 0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 0);
    cluster = RepairCluster.start(conf, 6);
    cluster.fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {
        new ErasureCodingPolicy(new ECSchema("rs", 3, 2), CELL)});
    content = cluster.write(new org.apache.hadoop.fs.Path(
        cluster.directory(MOUNTED, "RS-3-2-16k"), "file"), 2 * 3 * UNIT + 12_345, UNIT, 1);
    router = RouterBefore.start(cluster, directory, cluster.clientConf(), MOUNTED, "file");
  }

  @AfterAll
  void stop() {
    if (router != null) {
      router.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void plainAndDegradedReadsWork() throws IOException {
    assertArrayEquals(content, RouterBefore.read(router.conf, "file", content.length));
    LocatedStripedBlock group =
        cluster.groups(new org.apache.hadoop.fs.Path(MOUNTED, "file")).get(0);
    cluster.kill(RepairCluster.holders(group).get(1));
    byte[] read = new byte[content.length];
    try (PprFileSystem fs = (PprFileSystem) FileSystem.newInstance(router.conf);
        FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path("/outside/file"))) {
      in.readFully(0, read);
      ReadCounters counters = ((PprDFSClient) fs.getClient()).readContext().counters;
      assertTrue(counters.trees() + counters.decodes() > 0, "the read was degraded");
    }
    assertArrayEquals(content, read);
  }

  @Test
  void whatIsAskedOfANameNodeIsRefused() {
    String said = router.refused("-pause");
    assertTrue(said.contains("it is a Router and no NameNode"), said);
  }
}
