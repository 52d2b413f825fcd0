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
package org.hdfsppr.datanode.security;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.wire.RepairException;
import org.junit.jupiter.api.Assertions;

/**
 * A repair whose bytes on the wire are recorded. The code is XOR and one of the two helpers is a
 * leaf, which therefore sends the bytes of its unit unchanged.
 */
@InterfaceAudience.Private
final class RecordedRepair {
  private static final int CELL = 1 << 20;

  private final Configuration conf;

  RecordedRepair(Configuration conf, File directory) {
    this.conf = RepairCluster.configure(conf, directory);
    conf.set("dfs.ppr.plan.topology", "chain");
  }

  /**
   * Runs the repair.
   *
   * @param visible whether the file's bytes must appear on the wire
   * @param strangers whether the DataNode serves a stranger without a handshake
   */
  void run(boolean visible, boolean strangers) throws Exception {
    List<RecordingProxy> proxies = new ArrayList<>();
    try (RepairCluster cluster = RepairCluster.start(conf, 4)) {
      Path file = new Path(cluster.directory("/ec", "XOR-2-1-1024k"), "file");
      byte[] data = cluster.write(file, 2 * CELL, 2L * CELL, 5);
      cluster.awaitUnits(file, 3);
      Requests requests = new Requests(cluster, cluster.groups(file).get(0), CELL);
      for (DataNode datanode : cluster.mini().getDataNodes()) {
        RepairPort port = RepairPort.of(datanode);
        RecordingProxy proxy = RecordingProxy.to(port.port());
        proxies.add(proxy);
        port.pretendAt(proxy.port());
      }
      stranger(requests, strangers);
      // Unit 0 comes back from unit 1 and the parity.
      requests.lose(0);
      RepairCluster.await("the repair", () ->
          RepairPort.sum(cluster, "RepairsSucceeded") == 1);
      cluster.awaitUnits(file, 3);
      Assertions.assertTrue(cluster.hasContent(file, data), "the file has its bytes");
      byte[] parity = new byte[CELL];
      for (int i = 0; i < CELL; i++) {
        parity[i] = (byte) (data[i] ^ data[CELL + i]);
      }
      int bytes = 0;
      boolean seen = false;
      for (RecordingProxy proxy : proxies) {
        bytes += proxy.size();
        for (int at = 0; at < CELL; at += CELL / 8) {
          seen |= proxy.saw(Arrays.copyOfRange(data, at, at + 16));
          seen |= proxy.saw(Arrays.copyOfRange(data, CELL + at, CELL + at + 16));
          seen |= proxy.saw(Arrays.copyOfRange(parity, at, at + 16));
        }
        Assertions.assertTrue(visible
            || !proxy.saw("BLOCK_TOKEN".getBytes(StandardCharsets.US_ASCII)),
            "a token is visible on the wire");
      }
      Assertions.assertTrue(bytes > CELL, "the needed bytes came through the proxies: " + bytes);
      Assertions.assertEquals(visible, seen, "the file's bytes are visible on the wire");
    } finally {
      for (RecordingProxy proxy : proxies) {
        proxy.close();
      }
    }
  }

  /** Sends a correct request with a valid token, but without a handshake. */
  private static void stranger(Requests requests, boolean served) throws Exception {
    RepairPort port = requests.port(0);
    long readBefore = port.counter("HelperDiskReadBytes");
    try (WireClient client = WireClient.connect(port.port())) {
      client.send(requests.single(0));
      if (served) {
        client.answer();
        return;
      }
      Assertions.assertEquals(0, client.bytesUntilClosed(20_000),
          "bytes that a stranger has received");
    } catch (RepairException e) {
      Assertions.fail(e);
    }
    Assertions.assertEquals(readBefore, port.counter("HelperDiskReadBytes"),
        "bytes that were read from disk");
  }
}
