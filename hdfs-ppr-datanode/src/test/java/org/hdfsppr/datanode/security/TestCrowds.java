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

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.wire.PartialSumRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests crowds of connections at the port for repairs. Only the crowd's own connections may be
 * closed.
 */
@Timeout(120)
class TestCrowds {
  /** The number of connections that may be silent at the same time, as TransferServer bounds it. */
  private static final int STRANGERS = 64;
  private static final String CROWD = "127.0.0.2";
  private static final String HONEST = "127.0.0.3";

  @TempDir
  private static File directory;
  private static ServedFile file;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.setInt(PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY, 100_000);
    file = ServedFile.start(conf);
  }

  @AfterAll
  static void stop() {
    file.close();
  }

  /** A peer may take some time for its handshake. A crowd from another address must not end it. */
  @Test
  void anAddressWithFewConnectionsKeepsThem() throws Exception {
    Requests requests = file.requests();
    RepairPort port = requests.port(0);
    PartialSumRequest request = requests.single(0);
    long droppedBefore = port.rejected("Timeout");
    List<WireClient> all = new ArrayList<>();
    try {
      List<WireClient> honest = connect(2, HONEST, port.port(), all);
      List<WireClient> crowd = connect(2 * STRANGERS, CROWD, port.port(), all);
      honest.addAll(connect(1, HONEST, port.port(), all));
      int over = all.size() - STRANGERS;
      RepairCluster.await("the connections over the bound are closed",
          () -> port.rejected("Timeout") - droppedBefore >= over);
      assertEquals(over, port.rejected("Timeout") - droppedBefore);
      for (WireClient client : honest) {
        file.assertServes(client, request, 0);
      }
      for (WireClient client : crowd.subList(0, over)) {
        assertEquals(0, client.bytesUntilClosed(10_000), "the oldest of the crowd");
      }
      // A client sees the end of its connection a moment before the node gives back the socket.
      RepairCluster.await("no more sockets than the bound are open",
          () -> RepairPort.openSockets(port.port()) <= STRANGERS);
    } finally {
      for (WireClient client : all) {
        client.close();
      }
    }
    port.awaitIdle();
  }

  private static List<WireClient> connect(int count, String from, int port, List<WireClient> all)
      throws IOException {
    List<WireClient> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(WireClient.connect(port, from));
      all.add(made.get(i));
    }
    return made;
  }
}
