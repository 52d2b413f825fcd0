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
package org.hdfsppr.datanode.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.datanode.watch.ClientTrace.TraceLine;
import org.junit.jupiter.api.Test;

/** Tests what is taken for a read in texts that stock writes. */
class TestTraceLine {
  private static final long ID = -9_223_372_036_854_775_791L;
  private static final String BLOCK = "BP-1-10.0.0.1-2:blk_" + ID + "_1001";
  private static final String SHORT_CIRCUIT = "src: 127.0.0.1, dest: 127.0.0.1,"
      + " op: REQUEST_SHORT_CIRCUIT_FDS, blockid: " + ID + ", srvID: uuid-1, success: ";

  private static String line(String operation, String client) {
    String format = DataNode.DN_CLIENTTRACE_FORMAT;
    return format.contains("volume")
        ? String.format(format, "/10.0.0.1:9866", "/10.0.0.2:1", "", 4128, operation, client, 0,
            "uuid-1", BLOCK, 77)
        : String.format(format, "/10.0.0.1:9866", "/10.0.0.2:1", 4128, operation, client, 0,
            "uuid-1", BLOCK, 77);
  }

  private static String text(String line) {
    Optional<TraceLine> read = TraceLine.parse(line);
    return read.map(it -> it.server + " " + it.pool().orElse("-") + " " + it.blockId)
        .orElse("nothing");
  }

  @Test
  void aReadHasABlock() {
    assertEquals("uuid-1 BP-1-10.0.0.1-2 " + ID,
        text(line("HDFS_READ", "DFSClient_NONMAPREDUCE_-1_1")));
  }

  /** A client can neither hide its reads nor say that others have read. */
  @Test
  void theNameOfAClientCanBeAnything() {
    for (String name : new String[] {"x, srvID: other, blockid: BP-9:blk_1_1, duration(ns): 1",
        ", op: HDFS_WRITE, cliID: y", ", op: REQUEST_SHORT_CIRCUIT_FDS, blockid: 1, srvID: uuid-1",
        "_", ":blk_", "\n"}) {
      assertEquals("uuid-1 BP-1-10.0.0.1-2 " + ID, text(line("HDFS_READ", name)), name);
    }
  }

  @Test
  void filesForShortCircuitReadsHaveABlock() {
    assertEquals("uuid-1 - " + ID, text(SHORT_CIRCUIT + "true"));
    assertEquals("nothing", text(SHORT_CIRCUIT + "false"));
  }

  @Test
  void allElseIsNoRead() {
    assertEquals("nothing", text(line("HDFS_WRITE", "DFSClient_1")));
    assertEquals("nothing", text("DatanodeRegistration(10.0.0.1:9866) Served block " + BLOCK
        + " to /10.0.0.2:1"), "a DataNode reads for a repair");
    assertEquals("nothing", text(""));
    assertEquals("nothing", text("src: a, op: HDFS_READ, cliID: b"));
    assertEquals("nothing", text("src: a, op: HDFS_READ, cliID: b, srvID: c, blockid: BP:blk_x_1,"
        + " duration(ns): 1"));
    assertEquals("nothing", text("cliID: c, src: 127.0.0.1, dest: 127.0.0.1, op:"
        + " REQUEST_SHORT_CIRCUIT_SHM, shmId: n/a, srvID: u, success: true"));
  }

  @Test
  void threadsThatSendToAClientNameTheBlock() {
    String to = "DataXceiver for client DFSClient_NONMAPREDUCE_-1_1 at /10.0.0.2:1 ";
    assertEquals(ID, OldReadWatch.sending(to + "[Sending block " + BLOCK + "]").orElseThrow().id);
    assertEquals(ID, OldReadWatch.sending("DataXceiver for client x [Sending block BP-2:blk_4_1] at"
        + " /10.0.0.2:1 [Sending block " + BLOCK + "]").orElseThrow().id);
    assertEquals(Optional.empty(),
        OldReadWatch.sending("DataXceiver for client  at /10.0.0.2:1 [Sending block " + BLOCK
            + "]"),
        "a DataNode reads for a repair");
    assertEquals(Optional.empty(), OldReadWatch.sending(to + "[Receiving block " + BLOCK + "]"));
    assertEquals(Optional.empty(), OldReadWatch.sending(to + "[Waiting for operation #2]"));
    assertEquals(Optional.empty(), OldReadWatch.sending("main"));
  }
}
