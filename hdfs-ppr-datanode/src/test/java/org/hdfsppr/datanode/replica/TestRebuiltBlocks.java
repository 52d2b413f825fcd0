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
package org.hdfsppr.datanode.replica;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.stream.UnitSink;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The NameNode and its tools take a replica that a sink wrote for any other replica. */
class TestRebuiltBlocks {
  /** The last stripe is short, and the last cell is no multiple of a chunk. */
  private static final int LENGTH = 5_000_123;

  @TempDir
  static Path dir;
  private static EcCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = EcCluster.conf();
    // Keeps stock from repairing the blocks that these tests lose.
    conf.setInt("dfs.namenode.replication.max-streams", 0);
    conf.setInt("dfs.namenode.replication.max-streams-hard-limit", 0);
    cluster = new EcCluster(dir, conf);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** Opens the sink for a lost block. */
  private interface SinkOpener {
    UnitSink open(DataNode spare, ExtendedBlock unit, DataChecksum checksum) throws IOException;
  }

  private static String storageOf(DataNode dn) {
    return dn.getFSDataset().getVolumeList().get(0).getStorageID();
  }

  @Test
  void aBlockWrittenHereIsLikeAnyOther() throws Exception {
    for (int index = 0; index < 5; index++) {
      rebuild("/local" + index, index, (spare, unit, checksum) -> LocalReplicaSink.open(
          spare, unit, StorageType.DISK, storageOf(spare), checksum));
    }
  }

  @Test
  void aBlockSentToAnotherNodeIsLikeAnyOther() throws Exception {
    for (int index = 1; index < 5; index += 3) {
      rebuild("/remote" + index, index, (spare, unit, checksum) -> {
        DataNode sender = cluster.cluster.getDataNodes().stream()
            .filter(dn -> dn != spare).findFirst().get();
        return StockWriteSink.open(sender, ReplicaCluster.info(spare), unit, StorageType.DISK,
            storageOf(spare), checksum, new StockWriteSink.Timeouts(10_000, 10_000), true);
      });
    }
  }

  private static void rebuild(String name, int index, SinkOpener opener) throws Exception {
    byte[] file = ReplicaCluster.bytes(LENGTH, index);
    LocatedStripedBlock group = cluster.write(name, file);
    ExtendedBlock unit = EcCluster.unit(group, index);
    byte[] content;
    DataChecksum checksum;
    try (LocalReplicaSource source =
        LocalReplicaSource.open(cluster.holder(group, index), unit)) {
      content = ReplicaCluster.readAll(source);
      checksum = source.checksum;
    }
    DataNode spare = cluster.spare(group);
    cluster.lose(group, index);
    cluster.awaitLive(name, 4);

    try (UnitSink sink = opener.open(spare, unit, checksum)) {
      ReplicaCluster.writeAll(sink, content, new Random(index));
      sink.commit();
    }
    cluster.awaitLive(name, 5);
    assertEquals(spare.getDatanodeUuid(),
        cluster.holder(cluster.group(name), index).getDatanodeUuid());
    assertHealthy(name, file);

    // The NameNode knows the replica from the notification; a restarted node must find the same.
    int port = spare.getXferPort();
    assertTrue(cluster.cluster.restartDataNode(
        cluster.cluster.stopDataNode(spare.getDatanodeId().getXferAddr()), true));
    cluster.cluster.waitActive();
    cluster.awaitLive(name, 5);
    DataNode restarted = cluster.holder(cluster.group(name), index);
    assertEquals(port, restarted.getXferPort());
    try (LocalReplicaSource source = LocalReplicaSource.open(restarted, unit)) {
      assertArrayEquals(content, ReplicaCluster.readAll(source));
    }
    assertHealthy(name, file);
  }

  private static void assertHealthy(String name, byte[] file) throws Exception {
    cluster.assertReads(name, file);
    String report = cluster.fsck();
    assertTrue(report.contains("is HEALTHY"), report);
    assertTrue(report.contains("Under-erasure-coded block groups:\t0 "), report);
  }
}
