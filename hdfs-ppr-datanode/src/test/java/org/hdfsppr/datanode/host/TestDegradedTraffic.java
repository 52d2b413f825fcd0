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
package org.hdfsppr.datanode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.datanode.replica.ChunkCache;
import org.hdfsppr.datanode.replica.EcCluster;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.stream.HelperHost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that repairs read count as repairs' traffic; bytes of clients' degraded reads do not. */
@InterfaceAudience.Private
class TestDegradedTraffic {
  private static final int BYTES = 1 << 20;

  @TempDir
  private Path directory;

  private static void read(HelperHost.OpenUnit unit) throws Exception {
    try (HelperHost.OpenUnit open = unit) {
      open.read(0, ByteBuffer.allocate(BYTES));
    }
  }

  @Test
  void readersAreUsers() throws Exception {
    EcCluster cluster = new EcCluster(directory, EcCluster.conf());
    try {
      byte[] data = new byte[3 * BYTES];
      new Random(5).nextBytes(data);
      LocatedStripedBlock group = cluster.write("/file", data);
      ExtendedBlock unit = EcCluster.unit(group, 0);
      DataNode holder = cluster.holder(group, 0);
      RepairTraffic traffic = new RepairTraffic();
      DataNodeHost plain =
          DataNodeHost.helping(holder, NodeRef.NO_REPAIR_PORT, 0, null, traffic);
      DataNodeHost caching = DataNodeHost.helping(holder, NodeRef.NO_REPAIR_PORT, 0,
          new ChunkCache(4 * BYTES), traffic);

      read(plain.openLocal(unit));
      assertEquals(BYTES, traffic.bytesRead(), "read by a repair");
      read(plain.openLocalForReader(unit));
      read(caching.openLocalForReader(unit));
      assertEquals(BYTES, traffic.bytesRead(), "read by a repair, after readers");
      assertEquals(0, traffic.bytesFromMemory(), "nothing was kept yet");
      read(caching.openLocalForReader(unit));
      assertEquals(BYTES, traffic.bytesFromMemory(), "what was kept is users' traffic too");
      assertTrue(traffic.bytesRead() == BYTES && traffic.bytesWritten() == 0,
          "it is no repair's");
    } finally {
      cluster.cluster.shutdown();
    }
  }
}
