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
package org.hdfsppr.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.TestFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two NameNodes and three JournalNodes run as processes. Every file must be readable whichever
 * NameNode is active.
 */
@Tag("slow")
@Tag("process")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class TestHighAvailability {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int NODES = 6;
  private static final int UNITS = 5;
  private static final long BLOCK_BYTES = 1L << 20;
  private static final Path FOLDER = new Path("/ec");
  private static final Path FIRST = new Path(FOLDER, "first");
  private static final Path SECOND = new Path(FOLDER, "second");

  private static ClusterSpec spec() {
    return ClusterSpec.builder().name("twonn").nodes(NODES).racks(3).ha(true)
        .network(NamespaceNetwork.missing().isEmpty() ? NetworkKind.NAMESPACES
            : NetworkKind.LOOPBACK)
        .build();
  }

  @Test
  void servesWhicheverIsActive() throws Exception {
    try (HdfsProcessCluster cluster = HdfsProcessCluster.create(spec())) {
      cluster.up();
      Masters nameNodes = cluster.nameNodes();
      assertEquals(OptionalInt.of(1), nameNodes.active());
      assertEquals(3, nameNodes.journalNodes().size());
      try (DistributedFileSystem client = cluster.client()) {
        client.enableErasureCodingPolicy("RS-3-2-1024k");
        client.mkdirs(FOLDER);
        client.setErasureCodingPolicy(FOLDER, "RS-3-2-1024k");
        TestFile.write(client, FIRST, BLOCK_BYTES, 3 * BLOCK_BYTES, 1);

        nameNodes.daemon(1).kill();
        nameNodes.failOver(2);
        // DataNodes may not have reported the newest blocks to this NameNode yet.
        awaitWhole(cluster, client, FIRST);
        assertReadable(client, FIRST);
        TestFile.write(client, SECOND, BLOCK_BYTES, 3 * BLOCK_BYTES, 2);

        nameNodes.start(1);
        nameNodes.failOver(1);
        assertEquals(OptionalInt.of(1), nameNodes.active());
        awaitWhole(cluster, client, FIRST, SECOND);
        assertReadable(client, SECOND);

        nameNodes.daemon(1).kill();
        nameNodes.daemon(2).kill();
        nameNodes.start(1);
        nameNodes.start(2);
        nameNodes.activate(2);
        awaitWhole(cluster, client, FIRST, SECOND);
      }
      staysAsSaved(cluster);
    }
  }

  private static void staysAsSaved(HdfsProcessCluster cluster) throws Exception {
    cluster.save();
    for (int round = 0; round < 2; round++) {
      cluster.restartSaved(cluster.spec());
      try (DistributedFileSystem client = cluster.client()) {
        awaitWhole(cluster, client, FIRST, SECOND);
        assertReadable(client, FIRST);
        assertTrue(Fsck.of(cluster.clientConf()).isWhole());
        // Changes after save() must not affect the saved copy.
        client.delete(FIRST, true);
        client.delete(SECOND, true);
        Await.until("replicas are gone", LIMIT, POLL,
            () -> cluster.state().redundancy().isSettled());
      }
    }
  }

  private static void awaitWhole(HdfsProcessCluster cluster, DistributedFileSystem client,
      Path... files) throws Exception {
    for (Path file : files) {
      Await.until(file + " is whole", LIMIT, POLL,
          () -> BlockGroup.of(cluster, client, file).get(0).distinctUnits() == UNITS);
    }
  }

  private static void assertReadable(DistributedFileSystem client, Path file) throws Exception {
    try (InputStream in = client.open(file)) {
      assertEquals(3 * BLOCK_BYTES, in.readAllBytes().length);
    }
  }
}
