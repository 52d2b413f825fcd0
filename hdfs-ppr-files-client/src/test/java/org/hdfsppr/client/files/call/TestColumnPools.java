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
package org.hdfsppr.client.files.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.column.ColumnProtocol;
import org.hdfsppr.column.ColumnProtocolPB;
import org.hdfsppr.column.ColumnServerTranslator;
import org.hdfsppr.column.SquareBlocks;
import org.hdfsppr.column.proto.ColumnProtos.ColumnService;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** Tests that the blocks of a column are those of the file's namespace. */
class TestColumnPools {
  private static LocatedBlock block(String pool, long id) {
    return new LocatedBlock(new ExtendedBlock(pool, id, 10, 1001), new DatanodeInfo[] {
        new DatanodeInfo.DatanodeInfoBuilder().setNodeID(
            new DatanodeID("127.0.0.1", "localhost", "uuid", 1, 2, 3, 4)).build()});
  }

  @Test
  void blocksOfAnotherNamespaceAreRefused() throws IOException {
    GroupId group = new GroupId("BP-1", -9223372036854775792L, 1001);
    List<LocatedBlock> own = List.of(block("BP-1", 1), block("BP-1", 2));
    assertEquals(own, PluginColumns.ofPool(group, own));
    assertEquals(List.of(), PluginColumns.ofPool(group, List.of()));
    IOException e = assertThrows(IOException.class, () ->
        PluginColumns.ofPool(group, List.of(block("BP-1", 1), block("BP-2", 2))));
    assertTrue(e.getMessage().contains("BP-2") && e.getMessage().contains("BP-1"),
        e.getMessage());
  }

  /** The plugin on the host of a Router answers for a namespace of its own. */
  @Test
  void noColumnOfAnotherNamespaceIsRead() throws IOException {
    Configuration conf = new Configuration(false);
    RPC.setProtocolEngine(conf, ColumnProtocolPB.class, ProtobufRpcEngine2.class);
    RPC.Server server = new RPC.Builder(conf).setProtocol(ColumnProtocolPB.class)
        .setInstance(ColumnService.newReflectiveBlockingService(
            new ColumnServerTranslator(new ColumnProtocol() {
              @Override
              public List<LocatedBlock> column(GroupId group, int unit) {
                return List.of(block("BP-1", 32));
              }

              @Override
              public Optional<SquareBlocks> square(long blockGroup) {
                return Optional.empty();
              }
            })))
        .setBindAddress("localhost").setPort(0).setNumHandlers(1).build();
    server.start();
    try {
      conf.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY,
          "localhost:" + server.getListenerAddress().getPort());
      PluginColumns columns = new PluginColumns(conf, URI.create("hdfs://localhost:1"),
          UserGroupInformation.getCurrentUser());
      assertEquals(1, columns.column(new GroupId("BP-1", -16, 1001), 0).size());
      IOException e = assertThrows(IOException.class,
          () -> columns.column(new GroupId("BP-2", -16, 1001), 0));
      assertTrue(e.getMessage().contains("knows blocks of pool BP-1"), e.getMessage());
    } finally {
      server.stop();
    }
  }
}
