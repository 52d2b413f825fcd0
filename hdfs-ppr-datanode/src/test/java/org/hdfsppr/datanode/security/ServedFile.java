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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.wire.PartialSumRequest;

/**
 * A file of one block group with two data cells, on three DataNodes. Tests ask the DataNodes for
 * its units in ways that no plan would, and check that an honest caller still gets the right bytes.
 */
@InterfaceAudience.Private
final class ServedFile implements Closeable {
  /** The size of a unit, bytes. Each unit has one cell. */
  static final int CELL = 1 << 20;
  private static final int UNITS = 3;
  private static final int DATA_UNITS = 2;
  private static final int SEED = 5;

  private final RepairCluster cluster;
  private final Path path;
  private final byte[] data;

  private ServedFile(RepairCluster cluster) throws Exception {
    this.cluster = cluster;
    this.path = new Path(cluster.directory("/ec", "XOR-2-1-1024k"), "file");
    this.data = cluster.write(path, DATA_UNITS * CELL, 4L * CELL, SEED);
    cluster.awaitUnits(path, UNITS);
  }

  /** Starts the DataNodes and writes the file. */
  static ServedFile start(Configuration conf) throws Exception {
    RepairCluster cluster = RepairCluster.start(conf, UNITS);
    boolean written = false;
    try {
      ServedFile file = new ServedFile(cluster);
      written = true;
      return file;
    } finally {
      if (!written) {
        cluster.close();
      }
    }
  }

  /** Returns requests about the group of the file. */
  Requests requests() throws IOException {
    return new Requests(cluster, cluster.groups(path).get(0), CELL);
  }

  /** Requests a data unit over a connection, and checks the answer and all bytes. */
  void assertServes(WireClient client, PartialSumRequest request, int unit) throws IOException {
    client.send(request);
    assertAnswered(client, request, unit);
  }

  /** Checks the answer to a request that was sent for a data unit, and all bytes. */
  void assertAnswered(WireClient client, PartialSumRequest request, int unit)
      throws IOException {
    assertEquals(Status.SUCCESS_VALUE, client.answer().getStatus());
    assertArrayEquals(Arrays.copyOfRange(data, unit * CELL, (unit + 1) * CELL),
        client.receiveAll(request));
  }

  /** Checks that a DataNode serves its data unit to a caller that connects now. */
  void assertServes(RepairPort port, PartialSumRequest request, int unit) throws IOException {
    try (WireClient client = WireClient.connect(port.port())) {
      assertServes(client, request, unit);
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
